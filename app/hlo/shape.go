package hlo

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
)

// What a shape may have at the most. Real ones have six dimensions, and tuples of some thousand arrays.
const (
	maxDims   = 32
	maxNested = 16
	maxLeaves = 1 << 15
	maxSize   = 1 << 60 // bytes, and elements along a dimension
)

// Shape is an array with its layout, or a tuple of shapes. The zero value is an empty tuple.
type Shape struct {
	Type   string    // "bf16"; empty of a tuple
	Dims   []float64 // whole numbers
	Varies bool      // a dimension is a bound, or unknown and taken as 1
	Layout Layout
	Tuple  []Shape
}

// Bits is how many bits an element takes by itself: 16 for "bf16", 8 for "f8e4m3fn", and 0 for a token.
func (s *Shape) Bits() float64 {
	if s.Type == "pred" {
		return 8
	}
	begin := strings.IndexFunc(s.Type, digit)
	if begin < 0 || !strings.Contains("|bf|f|s|u|c|", "|"+s.Type[:begin]+"|") {
		return 0
	}
	end := begin
	for end < len(s.Type) && digit(rune(s.Type[end])) {
		end++
	}
	bits, _ := strconv.ParseFloat(s.Type[begin:end], 64)
	return bits
}

func digit(c rune) bool { return c >= '0' && c <= '9' }

// Elements is the number of elements, without padding; of a tuple those of all its arrays.
func (s *Shape) Elements() float64 {
	if s.Type == "" {
		return s.sum((*Shape).Elements)
	}
	return product(s.Dims)
}

// Bytes is the size without padding, each element in its own number of bits.
func (s *Shape) Bytes() float64 {
	if s.Type == "" {
		return s.sum((*Shape).Bytes)
	}
	return s.Elements() * s.Bits() / 8
}

// Held is the bytes that the shape takes in memory: every tile whole. Elements narrower than a byte take one, unless
// the layout says that they are packed.
func (s *Shape) Held() float64 {
	if s.Type == "" {
		return s.sum((*Shape).Held)
	}
	bits := s.Bits()
	if s.Layout.ElementBits > 0 {
		bits = s.Layout.ElementBits
	} else if bits > 0 && bits < 8 {
		bits = 8
	}
	return s.Padded() * bits / 8
}

// Padded is the number of elements that the layout makes room for.
func (s *Shape) Padded() float64 {
	if s.Type == "" {
		return s.sum((*Shape).Padded)
	}
	return product(s.Layout.tiled(s.Dims))
}

// hostSpace is the memory of the host, as XLA numbers memory spaces.
const hostSpace = 5

// In is the bytes that a shape takes in a memory space: 0 is HBM, 1 is VMEM, 5 is the host's.
func (s *Shape) In(space int) float64 {
	switch {
	case s.Type == "":
		return s.sum(func(part *Shape) float64 { return part.In(space) })
	case s.Layout.Space == space:
		return s.Held()
	}
	return 0
}

// with is the same result with another array as its part k, in the memory of that part; of a result without parts it is
// the other array.
func (s *Shape) with(k int, part *Shape) *Shape {
	if len(s.Tuple) == 0 {
		return part.at(s.Layout.Space)
	}
	other := *s
	if other.Tuple = slices.Clone(s.Tuple); k < len(other.Tuple) {
		other.Tuple[k] = *part.at(s.Tuple[k].Layout.Space)
	}
	return &other
}

// at is the same array in another memory space.
func (s *Shape) at(space int) *Shape {
	other := *s
	other.Layout.Space = space
	return &other
}

func (s *Shape) sum(of func(*Shape) float64) float64 {
	sum := 0.0
	for i := range s.Tuple {
		sum += of(&s.Tuple[i])
	}
	return sum
}

func product(xs []float64) float64 {
	p := 1.0
	for _, x := range xs {
		p *= x
	}
	return p
}

// String is the shape without its layout: "bf16[8,128]".
func (s *Shape) String() string {
	if s.Type == "" {
		parts := make([]string, 0, 4)
		for i := range s.Tuple {
			if i == 3 {
				parts = append(parts, "…")
				break
			}
			parts = append(parts, s.Tuple[i].String())
		}
		return "(" + strings.Join(parts, ", ") + ")"
	}
	dims := make([]string, len(s.Dims))
	for i, d := range s.Dims {
		dims[i] = strconv.FormatFloat(d, 'f', -1, 64)
	}
	return s.Type + "[" + strings.Join(dims, ",") + "]"
}

// Layout is how an array lies in memory. The zero value lies row after row in HBM, without tiles.
type Layout struct {
	Order       []int       // dimensions, the one whose neighbours touch first: {1,0} is row after row
	Tiles       [][]float64 // the outer one first; 0 stands for *, a dimension joined with the next
	Space       int         // memory: 0 is HBM, 1 is VMEM
	ElementBits float64     // that an element takes, where it is not what its type says; else 0
}

// physical are the sizes along the order in memory, the slowest first.
func (l *Layout) physical(dims []float64) []float64 {
	sizes := make([]float64, len(dims))
	copy(sizes, dims)
	if len(l.Order) != len(dims) {
		return sizes
	}
	for i, d := range l.Order {
		sizes[len(dims)-1-i] = dims[d]
	}
	return sizes
}

// tiled are the sizes that the layout makes room for: each tile splits the fastest dimensions into a number of tiles
// and the tile itself, which the next tile splits in turn.
func (l *Layout) tiled(dims []float64) []float64 {
	sizes := l.physical(dims)
	for _, tile := range l.Tiles {
		sizes = cutUp(sizes, tile)
	}
	return sizes
}

// cutUp splits the last dimensions by a tile. An array with fewer dimensions counts as one with more, of size 1.
func cutUp(sizes, tile []float64) []float64 {
	for len(sizes) < len(tile) {
		sizes = append([]float64{1}, sizes...)
	}
	outer := append([]float64(nil), sizes[:len(sizes)-len(tile)]...)
	rest, joined := sizes[len(sizes)-len(tile):], 1.0
	var inner []float64
	for i, t := range tile {
		if t == 0 {
			joined *= rest[i]
			continue
		}
		outer = append(outer, math.Ceil(joined*rest[i]/t))
		inner = append(inner, t)
		joined = 1
	}
	if joined != 1 {
		outer = append(outer, joined)
	}
	return append(outer, inner...)
}

// TileSizes are the numbers of elements of the tiles, the outer one first.
func (l *Layout) TileSizes() []float64 {
	var sizes []float64
	for _, tile := range l.Tiles {
		size := 1.0
		for _, t := range tile {
			size *= max(t, 1)
		}
		sizes = append(sizes, size)
	}
	return sizes
}

// Rounded are the sizes of an array, the slowest first, rounded up to whole outer tiles.
func (s *Shape) Rounded() []float64 {
	sizes := s.Layout.physical(s.Dims)
	if len(s.Layout.Tiles) == 0 {
		return sizes
	}
	tile := s.Layout.Tiles[0]
	for len(sizes) < len(tile) {
		sizes = append([]float64{1}, sizes...)
	}
	for i, t := range tile {
		if at := len(sizes) - len(tile) + i; t > 0 {
			sizes[at] = math.Ceil(sizes[at]/t) * t
		}
	}
	return sizes
}

// Real are the sizes of the two fastest physical dimensions, without padding.
func (s *Shape) Real() [2]int {
	sizes := append([]float64{1, 1}, s.Layout.physical(s.Dims)...)
	return [2]int{int(sizes[len(sizes)-2]), int(sizes[len(sizes)-1])}
}

// Place is where an element lies, counted in elements from the start of the array. At is its place along each physical
// dimension, the slowest first, with as many of size 1 before them as one likes.
func (l *Layout) Place(dims []float64, at []int) int {
	sizes, places := l.physical(dims), append([]int(nil), at...)
	for len(sizes) < len(places) {
		sizes = append([]float64{1}, sizes...)
	}
	for _, tile := range l.Tiles {
		for len(places) < len(tile) {
			places = append([]int{0}, places...)
		}
		first := len(places) - len(tile)
		sizes = cutUp(sizes, tile)
		inner := make([]int, 0, len(tile))
		for i, t := range tile {
			if t == 0 {
				return -1 // of joined dimensions nobody asks
			}
			inner = append(inner, places[first+i]%int(t))
			places[first+i] /= int(t)
		}
		places = append(places, inner...)
	}
	place := 0
	for i, size := range sizes {
		place = place*int(size) + places[i]
	}
	return place
}

// valid tells whether the order names each dimension once.
func (l *Layout) valid(dims int) bool {
	if len(l.Order) == 0 {
		return true
	}
	seen := make([]bool, dims)
	for _, d := range l.Order {
		if d < 0 || d >= dims || seen[d] {
			return false
		}
		seen[d] = true
	}
	return len(l.Order) == dims
}

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
	if s.Type == "b" && r.next() == '(' { // a buffer: b(f32[8])
		return r.buffer(depth)
	}
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

// buffer reads the array that a program keeps in one place.
func (r *shapeReader) buffer(depth int) (Shape, *phrase.Phrase) {
	s, fault := r.tuple(depth)
	if fault == nil && len(s.Tuple) == 1 {
		s = s.Tuple[0]
	}
	return s, fault
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
