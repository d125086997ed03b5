package sharding

import (
	"math"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
	q "github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/spell"
)

// Array is an array laid on a mesh: bf16 A[I_X, J_YZ]{U_W}.
//
// A subscript names the mesh axes that split a dimension, the first one coarsest: of J_YZ the chips at y hold the y-th
// part of J, and of that part the chip at z holds the z-th part. Along an axis that the array does not name, every chip
// holds the same. Along an unreduced axis U_W every chip holds an array of its own, and the array meant is their sum.
//
// A dimension whose size its axes do not divide is padded, as compilers do: each axis splits what the one before it
// left into parts of equal size, rounded up, so that the last chips hold less (the rest of their part is zeros).
// Bytes and operations count the padding. A dimension with more parts than elements is illegal: chips would hold
// nothing.
type Array struct {
	Name      string // "A", "W_in"; never empty in an einsum
	DType     string // "bf16"
	Dims      []Dim
	Unreduced []int // mesh axes, ascending
	named     bool  // whether its text gave the name
	typed     bool  // whether its text gave the dtype
	at        span
}

// Dim is a dimension of an array.
type Dim struct {
	Name string  // "I"; of a dimension written as a number, the number
	Size float64 // at least 1
	Axes []int   // the mesh axes that split it, coarsest first
	at   span
}

// Shards is into how many parts d is split.
func (d Dim) Shards(m *Mesh) int {
	n := 1
	for _, a := range d.Axes {
		n *= m.Axes[a].Size
	}
	return n
}

// Local is how many elements of d a chip holds, padding included: the size over the number of parts, rounded up.
// Splitting part by part gives the same: ceil(ceil(n/a)/b) = ceil(n/(ab)).
func (d Dim) Local(m *Mesh) float64 { return share(d.Size, d.Shards(m)) }

// share is a part of a dimension: rounded up if the size is whole, as padding does it. A size that is not whole, as a
// plot or a search may ask for, lies between shapes: its parts do too, so that laws go on smoothly there.
func share(size float64, parts int) float64 {
	if n := int(size); float64(n) == size {
		return float64(ceilDiv(n, parts))
	}
	return size / float64(parts)
}

func ceilDiv(a, b int) int { return (a + b - 1) / b }

// LocalShape is the shape of what one chip holds, padding included.
func (a *Array) LocalShape(m *Mesh) []int {
	shape := make([]int, len(a.Dims))
	for i, d := range a.Dims {
		shape[i] = int(math.Ceil(d.Local(m)))
	}
	return shape
}

// Element is the size of one element.
func (a *Array) Element() q.Bytes {
	b, _ := ElementBytes(a.DType)
	return b
}

// Bytes is the size of the whole array, once.
func (a *Array) Bytes() q.Bytes {
	n := float64(a.Element())
	for _, d := range a.Dims {
		n *= d.Size
	}
	return q.Bytes(n)
}

// LocalBytes is what one chip holds, padding included.
func (a *Array) LocalBytes(m *Mesh) q.Bytes {
	n := float64(a.Element())
	for _, d := range a.Dims {
		n *= d.Local(m)
	}
	return q.Bytes(n)
}

// TotalBytes is what all chips hold together, copies and padding included.
func (a *Array) TotalBytes(m *Mesh) q.Bytes { return a.LocalBytes(m) * q.Bytes(m.Chips()) }

// Replication is on how many chips each element lies: the product of the axes that the array names nowhere. Along
// unreduced axes chips hold different summands, which are no copies.
func (a *Array) Replication(m *Mesh) int {
	n := m.Chips()
	for _, d := range a.Dims {
		n /= d.Shards(m)
	}
	for _, u := range a.Unreduced {
		n /= m.Axes[u].Size
	}
	return n
}

// Waste is the share of what chips hold that is padding: 0 where all sizes divide.
func (a *Array) Waste(m *Mesh) float64 {
	used := 1.0
	for _, d := range a.Dims {
		used *= d.Size / (d.Local(m) * float64(d.Shards(m)))
	}
	return 1 - used
}

// Range is a run of indices: from From up to, but not including, To.
type Range struct{ From, To int }

// Len is the number of indices.
func (r Range) Len() int { return r.To - r.From }

// Held is which indices of each dimension the chip at the given coordinates holds, without padding.
func (a *Array) Held(m *Mesh, coords []int) []Range {
	held := make([]Range, len(a.Dims))
	for i, d := range a.Dims {
		held[i] = d.held(m, coords)
	}
	return held
}

// held splits d as a machine does: parts of one size, padding included, of which only what is there is held.
func (d Dim) held(m *Mesh, coords []int) Range {
	size := int(math.Ceil(d.Size))
	r := Range{0, size}
	for _, x := range d.Axes {
		size = ceilDiv(size, m.Axes[x].Size)
		from := min(r.From+coords[x]*size, r.To)
		r = Range{from, min(from+size, r.To)}
	}
	return r
}

// String is the array in the notation, with the names of m's axes: "A[I_X, J]{U_Y}".
func (a *Array) String(m *Mesh) string {
	var b strings.Builder
	b.WriteString(a.Name + "[")
	for i, d := range a.Dims {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(d.Name + subscript(d.Axes, m))
	}
	b.WriteString("]")
	if len(a.Unreduced) > 0 {
		b.WriteString("{U" + subscript(a.Unreduced, m) + "}")
	}
	return b.String()
}

// subscript is "_XY", or "_{data,model}" where names have more letters than one.
func subscript(axes []int, m *Mesh) string {
	if len(axes) == 0 {
		return ""
	}
	long := false
	names := make([]string, len(axes))
	for i, a := range axes {
		names[i] = m.Axes[a].Name
		long = long || len([]rune(names[i])) > 1
	}
	switch {
	case long && len(axes) > 1:
		return "_{" + strings.Join(names, ",") + "}"
	}
	return "_" + strings.Join(names, "")
}

// ShapeText is a shape as text: "[64, 4096]".
func ShapeText(shape []int) string {
	var b strings.Builder
	b.WriteByte('[')
	for i, n := range shape {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(strconv.Itoa(n))
	}
	b.WriteByte(']')
	return b.String()
}

// dtypes are the number formats that may stand before an array, with the bits that an element takes in memory.
var dtypes = [...]struct {
	name string
	bits float64
}{
	{"fp64", 64}, {"fp32", 32}, {"tf32", 32}, {"int32", 32}, {"bf16", 16}, {"fp16", 16},
	{"fp8", 8}, {"int8", 8}, {"fp6", 6}, {"fp4", 4}, {"int4", 4},
}

// ElementBytes is the size of an element of a dtype, by its name.
func ElementBytes(dtype string) (q.Bytes, bool) {
	for _, d := range dtypes {
		if d.name == dtype {
			return q.Bytes(d.bits / 8), true
		}
	}
	return 0, false
}

func dtypeNames() string {
	names := make([]string, 0, len(dtypes))
	for _, d := range dtypes {
		names = append(names, d.name)
	}
	return strings.Join(names, ", ")
}

// looksLikeDType tells a misspelt or foreign dtype from the name of an array: bf61, fp3, int16, float32.
func looksLikeDType(word string) bool {
	switch stem := strings.TrimRight(word, "0123456789"); stem {
	case "fp", "tf", "int", "bf", "float", "bfloat", "uint":
		return stem != word
	}
	return false
}

// Size is the size of a dimension.
type Size struct {
	Name  string
	Value float64 // at least 1; one that comes from outside of the text need not be whole
}

// Sizes are the sizes of the dimensions that arrays may have.
type Sizes []Size

// Get is the size of a dimension.
func (s Sizes) Get(name string) (float64, bool) {
	for _, d := range s {
		if d.Name == name {
			return d.Value, true
		}
	}
	return 0, false
}

func (s Sizes) names() []string {
	names := make([]string, len(s))
	for i, d := range s {
		names[i] = d.Name
	}
	return names
}

// given is which sizes there are, where that of a dimension is missing.
func (s Sizes) given(dim string) *phrase.Phrase {
	if len(s) == 0 {
		return phrase.New("sharding.sizes-given-none", "dim", clip(dim))
	}
	return phrase.New("sharding.sizes-given", "names", phrase.Commas(s.names()), "dim", clip(dim))
}

const sizesForm = "sharding.sizes-form"

// ParseSizes reads "I=8192, J=8k, K=4Ki". A name without a size takes the next of open, which may be nil.
func ParseSizes(text string, open *Numbers) (Sizes, error) {
	s, err := newScanner("sizes", text)
	if err != nil {
		return nil, err
	}
	var sizes Sizes
	for s.peek() != 0 {
		name, at, err := s.name("sharding.want-dim-name", sizesForm)
		if err != nil {
			return nil, err
		}
		if s.accept("_") {
			return nil, at.fault(
				"sizes",
				phrase.New("sharding.name-goes-on", "name", quoted(name)),
				phrase.New("sharding.plain-name", "name", name),
			)
		}
		if _, known := sizes.Get(name); known {
			return nil, at.fault("sizes", phrase.New("sharding.dim-two-sizes", "dim", quoted(name)),
				phrase.New("sharding.one-size"))
		}
		if len(sizes) == 4*maxDims {
			return nil, at.fault("sizes", phrase.New("sharding.many-dims"), upTo(4*maxDims))
		}
		n, err := s.dimSize(name, at, open)
		if err != nil {
			return nil, err
		}
		sizes = append(sizes, Size{name, n})
		if !s.accept(",", ";") && s.peek() != 0 {
			return nil, s.expected(phrase.New("sharding.want-comma"), sizesForm)
		}
	}
	return sizes, nil
}

func (s *scanner) dimSize(name string, at span, open *Numbers) (float64, error) {
	if s.accept("=", ":") {
		s.space()
		n, _, err := s.whole(maxSize)
		return float64(n), err
	}
	took := open.taken()
	n, ok := open.take(maxSize)
	if !ok {
		return 0, open.missing(at, "sizes", name, took)
	}
	return n, nil
}

// Error is a fault in one of the texts that describe arrays on a mesh.
type Error struct {
	Where  string         // which text: "notation", "sizes" or "mesh"
	Col    int            // 1-based, in characters; 0 if the fault is of the whole text
	Len    int            // of what is meant, in characters; 0 at the end of the text
	What   *phrase.Phrase // "mesh axis X is used twice in one array"
	Remedy *phrase.Phrase // what would be valid
}

// Fault is what is wrong and what would be valid, without the place.
func (e *Error) Fault() phrase.Fault { return phrase.Fault{What: e.What, Remedy: e.Remedy} }

// In says where, what, and what would be valid: "notation, column 5: unknown dimension `L`; sizes are given for I, J".
func (e *Error) In(l phrase.Phrases) string {
	if e.Col > 0 {
		return l.Say("sharding.at-column", "where", e.Where, "column", e.Col, "fault", e.Fault())
	}
	return l.Say("sharding.at", "where", e.Where, "fault", e.Fault())
}

// Error is the fault in English.
func (e *Error) Error() string { return e.In(phrase.Phrases{}) }

// span is a place in a text.
type span struct{ col, len int }

func (s span) fault(where string, what, remedy *phrase.Phrase) *Error {
	return &Error{Where: where, Col: s.col, Len: s.len, What: what, Remedy: remedy}
}

// clip shortens hostile words before they are shown.
func clip(word string) string { return spell.Clip(word, 24) }

// quoted is a word as messages show it.
func quoted(word string) string { return "`" + clip(word) + "`" }

// upTo is the remedy for too many of something.
func upTo(most int) *phrase.Phrase { return phrase.New("sharding.up-to", "most", most) }

// shortName is the remedy for a name that is too long.
func shortName() *phrase.Phrase { return phrase.New("sharding.short-name", "most", maxName) }

// Limits keep hostile text harmless; no honest array comes near them. Each has a message of its own.
const (
	maxText  = 500     // characters of a text
	maxDims  = 8       // of an array, and indices of an einsum
	maxAxes  = 6       // of a mesh
	maxName  = 16      // characters of a name
	maxSize  = 1e12    // of a dimension
	maxChips = 1 << 24 // of a mesh
)
