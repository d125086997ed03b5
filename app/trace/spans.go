package trace

import (
	"cmp"
	"slices"
)

// span is a stretch of time, in microseconds.
type span struct{ from, to float64 }

// union joins spans that touch, in order.
func union(all []span) []span {
	slices.SortStableFunc(all, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	var out []span
	for _, s := range all {
		if n := len(out); n > 0 && s.from <= out[n-1].to {
			out[n-1].to = max(out[n-1].to, s.to)
		} else if s.to > s.from {
			out = append(out, s)
		}
	}
	return out
}

// length is how long spans are together; none may touch another.
func length(all []span) float64 {
	sum := 0.0
	for _, s := range all {
		sum += s.to - s.from
	}
	return sum
}

// common is how long two unions run at the same time.
func common(a, b []span) float64 {
	sum := 0.0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		if both := min(a[i].to, b[j].to) - max(a[i].from, b[j].from); both > 0 {
			sum += both
		}
		if a[i].to < b[j].to {
			i++
		} else {
			j++
		}
	}
	return sum
}
