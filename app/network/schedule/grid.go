package schedule

import "github.com/scalebook/scalebook/app/phrase"

// Grid is chips in rows along axes, each a ring or a line. Chips are numbered with the last axis fastest.
type Grid struct {
	Sides []int
	Wrap  []bool
}

// Ring is n chips around a ring.
func Ring(n int) Grid { return Grid{Sides: []int{n}, Wrap: []bool{true}} }

// Line is n chips in a row.
func Line(n int) Grid { return Grid{Sides: []int{n}, Wrap: []bool{false}} }

// Chips is the number of chips, 0 if an axis has none or there are too many.
func (g Grid) Chips() int {
	n := 1
	for _, s := range g.Sides {
		if s < 1 || n > MaxChips {
			return 0
		}
		n *= s
	}
	return n
}

func (g Grid) check() error {
	if len(g.Wrap) != len(g.Sides) || len(g.Sides) == 0 {
		return phrase.Fault{
			What:   phrase.New("schedule.bad-grid", "n", len(g.Sides), "wraps", len(g.Wrap)),
			Remedy: phrase.New("schedule.give-grid"),
		}
	}
	return checkChips(g.Chips())
}

// stride is the distance in numbering between neighbours along an axis.
func (g Grid) stride(axis int) int {
	n := 1
	for _, s := range g.Sides[axis+1:] {
		n *= s
	}
	return n
}

// coordinate is the coordinate of a chip along an axis.
func (g Grid) coordinate(chip, axis int) int { return chip / g.stride(axis) % g.Sides[axis] }

// to is the chip with another coordinate along an axis.
func (g Grid) to(chip, axis, coordinate int) int {
	return chip + (coordinate-g.coordinate(chip, axis))*g.stride(axis)
}

// next is the neighbour of a chip along an axis, and whether there is one.
func (g Grid) next(chip, axis, dir int) (int, bool) {
	n := g.Sides[axis]
	c := g.coordinate(chip, axis) + dir
	if c < 0 || c >= n {
		if !g.Wrap[axis] {
			return 0, false
		}
		c = (c + n) % n
	}
	return g.to(chip, axis, c), true
}
