package training

import (
	_ "embed"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/quantity"
)

// stackTable is what constants of stacks mean: name, unit, the least and the most that it may be in that unit, label.
//
//go:embed stack.tsv
var stackTable string

// Fact is a constant of a stack as a reader meets it.
type Fact struct {
	Name, Label string
	Value       quantity.Quantity
	Text        string            // Value in its unit: "70.31 %"
	Least, Most quantity.Quantity // what it may be
	Source      string            // where it comes from, or which rows it was fitted on
}

// Facts are the constants that a stack was given, in the order of the table: those of its own and those of every stack.
func (s *Stack) Facts() []Fact {
	sources := map[string]string{}
	for _, scope := range s.scopes() { // what is nearer replaces what is farther
		for _, c := range Sources() {
			if c.Scope == scope {
				sources[c.Name] = c.Source
			}
		}
	}
	var all []Fact
	for line := range strings.Lines(stackTable) {
		c := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if sources[c[0]] == "" {
			continue
		}
		f := Fact{Name: c[0], Label: c[4], Least: inUnit(c[2], c[1]), Most: inUnit(c[3], c[1]), Source: sources[c[0]]}
		one := inUnit("1", c[1])
		f.Text = strings.TrimSpace(strconv.FormatFloat(*s.constant(f.Name)/one.Value, 'g', 6, 64) + " " + c[1])
		f.Value, _ = quantity.Parse(f.Text)
		all = append(all, f)
	}
	return all
}

// inUnit is a number of the table in its unit.
func inUnit(number, unit string) quantity.Quantity {
	q, _ := quantity.Parse(number + " " + unit)
	return q
}

// With is s with some constants as somebody else has them, by name and in base units.
func (s *Stack) With(own map[string]quantity.Quantity) *Stack {
	with := *s
	for name, q := range own {
		*with.constant(name) = q.Value
	}
	return &with
}
