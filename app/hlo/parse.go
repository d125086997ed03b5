package hlo

import (
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
)

// ParseShape reads a shape as HLO writes it: "bf16[32,1024]{1,0:T(8,128)(2,1)S(1)}".
func ParseShape(text string) (Shape, error) {
	r := shapeReader{scan: scan{src: text}}
	s, fault := r.shape(0)
	if fault == nil {
		if r.space(); r.pos < len(text) {
			fault = phrase.New("hlo.shape-more", "rest", phrase.Printable(text[r.pos:], 20))
		}
	}
	if fault != nil {
		return Shape{}, fault
	}
	return s, nil
}

// shapeReader reads shapes, and keeps count of their arrays.
type shapeReader struct {
	scan
	leaves int
}

func (r *shapeReader) shape(depth int) (Shape, *phrase.Phrase) {
	if r.space(); r.next() == '(' {
		return r.tuple(depth)
	}
	s := Shape{Type: r.word()}
	if r.leaves++; r.leaves > maxLeaves {
		return s, phrase.New("hlo.shape-many", "most", maxLeaves)
	}
	if s.Type == "" || !r.take('[') {
		return s, phrase.New("hlo.shape-none", "at", phrase.Printable(r.src[max(0, r.pos-len(s.Type)):], 20))
	}
	if s.Type != "token" && s.Type != "opaque" && !(s.Bits() > 0 && s.Bits() <= 128) {
		return s, phrase.New("hlo.shape-type", "type", phrase.Printable(s.Type, 20))
	}
	if fault := r.dims(&s); fault != nil {
		return s, fault
	}
	if r.next() == '{' {
		inside, ok := r.group()
		if !ok || !layout(&s.Layout, inside) || !s.Layout.valid(len(s.Dims)) {
			return s, phrase.New("hlo.shape-layout", "shape", phrase.Printable(s.String(), 60))
		}
	}
	if !(s.Held() <= maxSize) {
		return s, phrase.New("hlo.shape-huge", "shape", phrase.Printable(s.String(), 60))
	}
	return s, nil
}

func (r *shapeReader) tuple(depth int) (Shape, *phrase.Phrase) {
	var s Shape
	if depth == maxNested {
		return s, phrase.New("hlo.shape-deep", "most", maxNested)
	}
	for r.pos++; ; {
		if r.space(); r.take(')') {
			return s, nil
		}
		part, fault := r.shape(depth + 1)
		if fault != nil {
			return s, fault
		}
		s.Tuple = append(s.Tuple, part)
		if r.space(); !r.take(',') && r.next() != ')' {
			return s, phrase.New("hlo.shape-tuple")
		}
	}
}

// dims reads sizes up to the closing bracket: 8, <=8 for a bound, ? for one that nobody knows.
func (r *shapeReader) dims(s *Shape) *phrase.Phrase {
	for {
		if r.space(); r.take(']') {
			return nil
		}
		if strings.HasPrefix(r.src[r.pos:], "<=") {
			s.Varies = true
			r.pos += 2
		}
		digits := r.word()
		if digits == "" && r.take('?') {
			s.Varies, digits = true, "1"
		}
		n, err := strconv.ParseUint(digits, 10, 60)
		if err != nil || len(s.Dims) == maxDims {
			return phrase.New("hlo.shape-dims", "type", phrase.Printable(s.Type, 20))
		}
		s.Dims = append(s.Dims, float64(n))
		if r.space(); !r.take(',') && r.next() != ']' {
			return phrase.New("hlo.shape-dims", "type", phrase.Printable(s.Type, 20))
		}
	}
}

// layout reads what stands in the braces behind a shape: the order, and after a colon tiles T(8,128)(2,1), the memory
// space S(1), the bits of an element E(4), and others that change no size.
func layout(l *Layout, text string) bool {
	order, rest, _ := strings.Cut(text, ":")
	ns, ok := numbers(order)
	for _, n := range ns {
		l.Order = append(l.Order, int(n))
	}
	r := scan{src: rest}
	kind := ""
	for ok && r.pos < len(rest) {
		if c := r.next(); c != '(' {
			kind = string(c)
			r.pos++
			continue
		}
		var inside string
		if inside, ok = r.group(); ok {
			ok = l.part(kind, inside)
		}
	}
	return ok
}

func (l *Layout) part(kind, inside string) bool {
	if kind == "T" {
		ns, ok := numbers(strings.ReplaceAll(inside, "*", "0"))
		l.Tiles = append(l.Tiles, ns)
		return ok && len(l.Tiles) <= maxNested
	}
	if kind != "S" && kind != "E" {
		return true
	}
	n, err := strconv.ParseUint(inside, 10, 16)
	if kind == "S" {
		l.Space = int(n)
	} else {
		l.ElementBits = float64(n)
	}
	return err == nil
}
