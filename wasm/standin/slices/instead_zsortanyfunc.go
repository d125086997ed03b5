// Package slices has stand-ins for how package slices sorts: in the browser's program a simple merge sort for all,
// because each type of elements gets a copy of its own, and the real algorithms are long. What comes out is the same,
// except where SortFunc may leave equals in any order: package wasm/build refuses programs that call it.
package slices

// stableCmpFunc sorts the n elements of data and leaves equals in their order.
func stableCmpFunc[E any](data []E, n int, cmp func(a, b E) int) {
	from, to := data, make([]E, n)
	for width := 1; width < n; width *= 2 {
		for low := 0; low < n; low += 2 * width {
			mid, high := min(low+width, n), min(low+2*width, n)
			i, j := low, mid
			for k := low; k < high; k++ {
				if i < mid && (j >= high || cmp(from[i], from[j]) <= 0) {
					to[k] = from[i]
					i++
				} else {
					to[k] = from[j]
					j++
				}
			}
		}
		from, to = to, from
	}
	copy(data, from) // of themselves, if they ended where they were
}

// pdqsortCmpFunc sorts data[a:b].
func pdqsortCmpFunc[E any](data []E, a, b, _ int, cmp func(a, b E) int) {
	stableCmpFunc(data[a:b], b-a, cmp)
}
