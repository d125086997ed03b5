package setup

import (
	_ "embed"
	"strings"

	"github.com/scalebook/scalebook/app/sharding"
)

//go:embed examples.tsv
var examplesTable string

// Example is a product to begin with.
type Example struct {
	ID, Group, Name, Product, Mesh string
	Sizes                          sharding.Sizes
}

// Examples are all products to begin with.
func Examples() []Example {
	var all []Example
	for line := range strings.Lines(examplesTable) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		if len(f) != 6 || f[0][0] == '#' {
			continue
		}
		sizes, _ := sharding.ParseSizes(strings.ReplaceAll(f[5], " ", ", "), nil)
		all = append(all, Example{f[0], f[1], f[2], f[3], f[4], sizes})
	}
	return all
}

// Is tells whether s is the example.
func (e *Example) Is(s *Setup) bool {
	if s.Product != e.Product || s.Given.Mesh != e.Mesh {
		return false
	}
	for _, d := range e.Sizes {
		if n, _ := s.Sizes.Get(d.Name); n != d.Value {
			return false
		}
	}
	return true
}
