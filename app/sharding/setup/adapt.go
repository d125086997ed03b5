package setup

import (
	"slices"
	"strings"

	"github.com/scalebook/scalebook/app/sharding"
)

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
