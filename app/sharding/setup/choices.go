package setup

import (
	_ "embed"
	"slices"
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sharding"
)

// Split is what a reader may choose of one dimension of one array: the mesh axes that split it, each choice with the
// text of the product that it makes.
type Split struct {
	Array   int            // 0, 1 or 2 for the result
	Label   string         // the dimension, or U for the axes along which the array is unreduced
	Says    *phrase.Phrase // the choice in words: "J of A: split over"
	Choices []Choice
}

// Choice is one of the choices of a Split.
type Choice struct {
	Name    string // "XY"; none is a dash
	Product string
	Now     bool // it holds
}

// Splits are the choices for each dimension of each array, and for the axes along which the result, or what is so
// already, is unreduced. What can't be is not offered.
func (s *Setup) Splits() []Split {
	var all []Split
	for i, a := range s.Arrays() {
		for k, d := range a.Dims {
			p := Split{Array: i, Label: d.Name, Says: phrase.New("setup.split-over", "dim", d.Name, "array", a.Name)}
			all = append(all, s.split(p, k, d.Axes))
		}
		if i == 2 || len(a.Unreduced) > 0 {
			u := Split{Array: i, Label: "U", Says: phrase.New("setup.left-unreduced", "array", a.Name)}
			all = append(all, s.split(u, -1, a.Unreduced))
		}
	}
	return all
}

// split adds the choices of a dimension to p; dim is -1 for the axes along which the array is unreduced.
func (s *Setup) split(p Split, dim int, now []int) Split {
	for _, axes := range orders(len(s.Mesh.Axes), now) {
		if dim < 0 && !slices.IsSorted(axes) {
			continue
		}
		names := s.axisNames(axes)
		text := edited(s.Text, s.Einsum, p.Array, dim, names)
		if _, err := sharding.ParseEinsum(text, s.Sizes, s.Mesh); err != nil {
			continue
		}
		c := Choice{Name: strings.TrimPrefix(subscript(names), "_"), Product: text, Now: slices.Equal(axes, now)}
		if len(axes) == 0 {
			c.Name = "–"
		}
		p.Choices = append(p.Choices, c)
	}
	return p
}

func (s *Setup) axisNames(axes []int) []string {
	var names []string
	for _, a := range axes {
		names = append(names, s.Mesh.Axes[a].Name)
	}
	return names
}

// orders are the ways to choose some of n axes in an order, none first: all for up to three axes, of more those of up
// to two, and the one that holds now.
func orders(n int, now []int) [][]int {
	most := n
	if n > 3 {
		most = 2
	}
	all := [][]int{nil}
	for from := 0; from < len(all); from++ {
		if len(all[from]) == most {
			break
		}
		for x := range n {
			if !slices.Contains(all[from], x) {
				all = append(all, append(slices.Clone(all[from]), x))
			}
		}
	}
	if len(now) > most {
		all = append(all, now)
	}
	return all
}

// edited is the text of e with the axes of one dimension set: they leave the array's other dimensions. dim is -1 for
// the axes along which the array is unreduced.
func edited(text string, e *sharding.Einsum, array, dim int, axes []string) string {
	all := brackets(text)
	if len(all) != 3 {
		return text
	}
	a := [...]*sharding.Array{&e.A, &e.B, &e.C}[array]
	kept := func(list []int) []string {
		var names []string
		for _, x := range list {
			if name := e.Mesh.Axes[x].Name; !slices.Contains(axes, name) {
				names = append(names, name)
			}
		}
		return names
	}
	for k, d := range a.Dims {
		names := axes
		if k != dim {
			names = kept(d.Axes)
		}
		all[array].dims[k] = d.Name + subscript(names)
	}
	sums := axes
	if dim >= 0 {
		sums = kept(a.Unreduced)
	}
	if all[array].sums = ""; len(sums) > 0 {
		all[array].sums = "{U" + subscript(sums) + "}"
	}
	return join(all)
}

// adapted is a product's text with the axes that a mesh doesn't have, or that can't split what they stand at, left out.
func adapted(text string, sizes sharding.Sizes, m *sharding.Mesh) string {
	if _, err := sharding.ParseEinsum(text, sizes, m); err == nil {
		return text
	}
	all := brackets(text)
	plain := brackets(bare(text))
	result := bare(text)
	try := func(change func(b []bracket)) {
		next := brackets(result)
		change(next)
		if len(next) == len(all) {
			if _, err := sharding.ParseEinsum(join(next), sizes, m); err == nil {
				result = join(next)
			}
		}
	}
	for i := range all {
		if len(all[i].dims) != len(plain[i].dims) {
			continue
		}
		for k, d := range all[i].dims {
			name, sub, _ := strings.Cut(d, "_")
			var kept []string
			for _, axis := range named(sub, m) {
				next := append(slices.Clone(kept), axis)
				before := result
				try(func(b []bracket) { b[i].dims[k] = name + subscript(next) })
				if result != before {
					kept = next
				}
			}
		}
		try(func(b []bracket) { b[i].sums = all[i].sums })
	}
	return result
}

// named are the axes of a mesh that a subscript names, in its order; others are passed over.
func named(sub string, m *sharding.Mesh) []string {
	var names []string
	for sub != "" {
		best := ""
		for _, a := range m.Axes {
			if strings.HasPrefix(sub, a.Name) && len(a.Name) > len(best) {
				best = a.Name
			}
		}
		if best == "" {
			sub = sub[1:]
			continue
		}
		names = append(names, best)
		sub = sub[len(best):]
	}
	return names
}

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
