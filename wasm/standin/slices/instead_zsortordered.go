package slices

import "cmp"

// pdqsortOrdered sorts data[a:b].
func pdqsortOrdered[E cmp.Ordered](data []E, a, b, _ int) {
	stableCmpFunc(data[a:b], b-a, cmp.Compare[E])
}
