package shardinglab

import (
	"slices"
	"strings"

	"github.com/scalebook/scalebook/app/sharding"
)

// brackets are the parts of a product's text: what stands before each bracket, and the dimensions in it.
type bracket struct {
	prefix string   // "bf16 A", without what joins it to the one before
	dims   []string // "I_X"
	sums   string   // "{U_X}", or nothing
}

func brackets(text string) []bracket {
	var all []bracket
	for {
		before, rest, ok := strings.Cut(text, "[")
		if !ok {
			return all
		}
		inside, after, _ := strings.Cut(rest, "]")
		b := bracket{prefix: strings.Trim(before, " \t\u00a0.*·×@,->=→"), dims: split(inside)}
		if tail := strings.TrimLeft(after, " \t\u00a0"); strings.HasPrefix(tail, "{") {
			b.sums, after, _ = strings.Cut(tail, "}")
			b.sums += "}"
		}
		all = append(all, b)
		text = after
	}
}

// split cuts at commas that stand in no braces.
func split(inside string) []string {
	var all []string
	depth, from := 0, 0
	for i, c := range inside {
		switch {
		case c == '{':
			depth++
		case c == '}':
			depth--
		case (c == ',' || c == ';') && depth == 0:
			all = append(all, strings.TrimSpace(inside[from:i]))
			from = i + 1
		}
	}
	if last := strings.TrimSpace(inside[from:]); last != "" {
		all = append(all, last)
	}
	return all
}

func join(all []bracket) string {
	var b strings.Builder
	for i, x := range all {
		b.WriteString([...]string{"", " . ", " -> "}[min(i, 2)])
		b.WriteString(x.prefix + "[" + strings.Join(x.dims, ", ") + "]" + x.sums)
	}
	return b.String()
}

// bare is a product without any axes: valid on every mesh.
func bare(text string) string {
	all := brackets(text)
	for i := range all {
		all[i].sums = ""
		for k, d := range all[i].dims {
			all[i].dims[k], _, _ = strings.Cut(d, "_")
		}
	}
	return join(all)
}

// dimensions are the names of a product's dimensions, each once, in the order in which they come.
func dimensions(text string) []string {
	var names []string
	for _, b := range brackets(bare(text)) {
		for _, d := range b.dims {
			if d != "" && !slices.Contains(names, d) {
				names = append(names, d)
			}
		}
	}
	return names
}

// typed says whether an array's text names its dtype.
func (b bracket) typed() bool {
	for _, word := range strings.Fields(b.prefix) {
		if _, ok := sharding.ElementBytes(word); ok {
			return true
		}
	}
	return false
}

// subscript is "_XY", or "_{data,model}" where names have more letters than one.
func subscript(axes []string) string {
	if len(axes) == 0 {
		return ""
	}
	for _, a := range axes {
		if len(a) > 1 && len(axes) > 1 {
			return "_{" + strings.Join(axes, ",") + "}"
		}
	}
	return "_" + strings.Join(axes, "")
}

// edited is the text of e with the axes of one dimension set: they leave the array's other dimensions. dim is -1 for the
// axes along which the array is unreduced.
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
