package answer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/training"
)

// Constant is a constant of the software as somebody knows it.
type Constant struct{ Name, Text string }

// withConstants is a software with constants as -set gives them, and how they read: ", show_dp 50 %".
func withConstants(s *training.Stack, sets []Constant) (*training.Stack, string, error) {
	facts, own, said := s.Facts(), map[string]quantity.Quantity{}, ""
	for _, set := range sets {
		i := slices.IndexFunc(facts, func(f training.Fact) bool { return f.Name == set.Name })
		if i < 0 {
			return nil, "", fmt.Errorf("-set %s: %s has no such constant; its constants are %s", set.Name, s.Name,
				factNames(facts))
		}
		q, err := factValue(&facts[i], set.Text)
		if err != nil {
			return nil, "", fmt.Errorf("-set %s=%s: %v", set.Name, set.Text, err)
		}
		own[set.Name] = q
		said += fmt.Sprintf(", %s %s", set.Name, q)
	}
	return s.With(own), said, nil
}

// factValue reads a constant as a person writes it. A bare number counts in the unit of the table.
func factValue(f *training.Fact, text string) (quantity.Quantity, error) {
	unit, err := quantity.UnitOf(f.Text)
	if err != nil {
		return unit, err
	}
	q, err := quantity.ParseLike(text, unit)
	if err == nil && !(f.Least.Value <= q.Value && q.Value <= f.Most.Value) {
		err = fmt.Errorf("%v is out of range; give %v to %v", q, f.Least, f.Most)
	}
	return q, err
}

func factNames(facts []training.Fact) string {
	var names []string
	for _, f := range facts {
		names = append(names, f.Name)
	}
	return strings.Join(names, ", ")
}
