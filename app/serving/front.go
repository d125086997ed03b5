package serving

import (
	"cmp"
	"slices"
)

// Front is the options that no other beats both in tokens a chip and in tokens a user, fastest users first. Equal ones
// are left out but the first.
func Front(options []Option) []Option {
	order := make([]int, len(options))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		a, b := &options[i], &options[j]
		return cmp.Or(cmp.Compare(b.PerUser, a.PerUser), cmp.Compare(b.PerChip, a.PerChip))
	})
	var front []Option
	best := 0.0
	for _, i := range order {
		if options[i].PerChip > best {
			front, best = append(front, options[i]), options[i].PerChip
		}
	}
	return front
}
