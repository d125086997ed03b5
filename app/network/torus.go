package network

import (
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/phrase"
	q "github.com/scalebook/scalebook/app/quantity"
)

// Axis is one axis of a torus: a line of chips, or a ring if it wraps around.
type Axis struct {
	Name    string      // "X"; may be empty
	Size    int         // chips along it, at least 1
	Wrap    bool        // the last is a neighbour of the first
	Links   int         // between two neighbours, in each direction; 0 means 1
	OneWay  q.Bandwidth // of one link, one way
	Latency q.Seconds   // of one hop; 0 leaves latency out
}

// Neighbour is the one-way bandwidth from a chip to its neighbour: all links in one direction.
func (a Axis) Neighbour() q.Bandwidth { return q.Bandwidth(max(a.Links, 1)) * a.OneWay }

// Ring is the bandwidth with which chips along the axis can take data in at once: from both sides if it wraps around
// (W2, both ways), from the farther side only, which limits the chip at the end, if it is a line.
func (a Axis) Ring() q.Bandwidth {
	if a.Wrap {
		return 2 * a.Neighbour()
	}
	return a.Neighbour()
}

// Diameter is the largest number of hops between two chips of the axis: floor(N/2) in a ring, N-1 in a line.
func (a Axis) Diameter() int {
	if a.Wrap {
		return a.Size / 2
	}
	return a.Size - 1
}

// Torus is chips in a grid, each axis a ring or a line. The zero value is a single chip.
type Torus struct {
	Axes []Axis
}

// Size is the number of chips; 0 if an axis has none.
func (t Torus) Size() int { return product(t.sizes()) }

func (t Torus) sizes() []int {
	sizes := make([]int, len(t.Axes))
	for i, a := range t.Axes {
		sizes[i] = a.Size
	}
	return sizes
}

// Along is the torus of some of the axes, by index: the group of a collective that runs along them while all the other
// coordinates stand still.
func (t Torus) Along(axes ...int) (Torus, error) {
	var part Torus
	seen := make([]bool, len(t.Axes))
	for _, i := range axes {
		if i < 0 || i >= len(t.Axes) || seen[i] {
			return Torus{}, phrase.Fault{
				What:   phrase.Count(len(t.Axes), "network.no-axis", "axis", i),
				Remedy: phrase.New("network.choose-axis", "last", len(t.Axes)-1),
			}
		}
		seen[i] = true
		part.Axes = append(part.Axes, t.Axes[i])
	}
	return part, nil
}

// Shape is the sizes of the axes: "8x8x16".
func (t Torus) Shape() string { return shapeText(t.sizes()) }

func shapeText(sizes []int) string {
	if len(sizes) == 0 {
		return "1"
	}
	var b strings.Builder
	for i, n := range sizes {
		if i > 0 {
			b.WriteByte('x')
		}
		b.WriteString(strconv.Itoa(n))
	}
	return b.String()
}

// Diameter is the largest number of hops between two chips: the sum over the axes.
func (t Torus) Diameter() int {
	d := 0
	for _, a := range t.Axes {
		d += a.Diameter()
	}
	return d
}

// LinksPerChip is the number of neighbours' links that a chip inside the torus has, an axis of one chip counting none.
func (t Torus) LinksPerChip() int {
	n := 0
	for _, a := range t.Axes {
		if a.Size > 1 {
			n += 2 * max(a.Links, 1)
		}
	}
	return n
}

// Bisection is the one-way bandwidth over the narrowest cut across an axis into halves (as near as its size allows):
// the chips of the cut times the links each has across it, two on an axis that wraps around, one on a line. It is 0
// for a single chip.
func (t Torus) Bisection() q.Bandwidth {
	least := q.Bandwidth(0)
	n := t.Size()
	for _, a := range t.Axes {
		if a.Size < 2 {
			continue
		}
		if cut := q.Bandwidth(n/a.Size) * a.Ring(); least == 0 || cut < least {
			least = cut
		}
	}
	return least
}

// Hops is the number of hops on a shortest way between two chips, by their coordinates; those missing are 0.
func (t Torus) Hops(from, to []int) int {
	hops := 0
	for i, a := range t.Axes {
		d := coordinate(from, i, a.Size) - coordinate(to, i, a.Size)
		d = max(d, -d)
		if a.Wrap {
			d = min(d, a.Size-d)
		}
		hops += d
	}
	return hops
}

// coordinate is the i-th of at, brought into 0 to n-1.
func coordinate(at []int, i, n int) int {
	if i >= len(at) || n < 1 {
		return 0
	}
	return (at[i]%n + n) % n
}

// ParseShape reads the sides of a slice: 4x4x8, with x, ×, *, commas or spaces between them.
func ParseShape(text string) ([]int, error) {
	between := func(r rune) bool { return r == 'x' || r == '×' || r == '*' || r == ' ' || r == ',' }
	var sides []int
	for side := range strings.FieldsFuncSeq(strings.ToLower(text), between) {
		n, err := strconv.Atoi(side)
		if err != nil || n > 1<<16 {
			return nil, errNoShape(text)
		}
		sides = append(sides, n)
	}
	if len(sides) == 0 {
		return nil, errNoShape(text)
	}
	return sides, nil
}

func errNoShape(text string) error {
	what := phrase.New("network.no-shape")
	if text = strings.TrimSpace(text); len(text) <= 40 && text != "" {
		what = phrase.New("network.no-shape-named", "text", text)
	}
	return phrase.Fault{What: what, Remedy: phrase.New("network.write-shape")}
}

// CutSlice is the slice of that shape.
func CutSlice(chip *hardware.Accelerator, shape string) (Slice, error) {
	sides, err := ParseShape(shape)
	if err != nil {
		return Slice{}, err
	}
	return NewSlice(chip, sides...)
}

// Shapes are those that a chip's slices commonly have, smallest first; none if it is not joined in a torus. Of pods
// made of cubes there are more than anyone would list.
func Shapes(chip *hardware.Accelerator) []string {
	rule, ok := RuleFor(chip)
	if !ok || !rule.Cubes {
		return rule.Shapes
	}
	all := slices.Clone(rule.Shapes)
	for _, shape := range [...]string{"4x4x4", "4x4x8", "4x8x8", "8x8x8", "8x8x16", "8x16x16", "16x16x16", "16x16x32",
		"16x20x28", "16x24x24"} {
		if _, err := CutSlice(chip, shape); err == nil {
			all = append(all, shape)
		}
	}
	return all
}
