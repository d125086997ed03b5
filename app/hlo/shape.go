package hlo

import (
	"strconv"
	"strings"
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

// In is the bytes that a shape takes in a memory space: 0 is HBM, 1 is VMEM.
func (s *Shape) In(space int) float64 {
	switch {
	case s.Type == "":
		return s.sum(func(part *Shape) float64 { return part.In(space) })
	case s.Layout.Space == space:
		return s.Held()
	}
	return 0
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
