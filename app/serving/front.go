package serving

import (
	"cmp"
	"slices"
)

// Front is the options that no other beats both in tokens a chip and in tokens a user, fastest users first. Equal ones are
// left out but the first.
func Front(options []Option) []Option {
	sorted := slices.Clone(options)
	slices.SortStableFunc(sorted, func(a, b Option) int {
		return cmp.Or(cmp.Compare(b.PerUser, a.PerUser), cmp.Compare(b.PerChip, a.PerChip))
	})
	var front []Option
	best := 0.0
	for _, o := range sorted {
		if o.PerChip > best {
			front, best = append(front, o), o.PerChip
		}
	}
	return front
}
