package network

import (
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/phrase"
)

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
