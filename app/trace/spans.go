package trace

import "cmp"

// span is a stretch of time, in microseconds.
type span struct{ from, to float64 }

func earlier(a, b span) int { return cmp.Compare(a.from, b.from) }

// union joins spans that touch, in their place. They are in order.
func union(all []span) []span {
	out := all[:0]
	for _, s := range all {
		out = join(out, s)
	}
	return out
}

// join puts a span behind others, or lengthens the last of them where it touches that.
func join(all []span, s span) []span {
	if n := len(all); n > 0 && s.from <= all[n-1].to {
		all[n-1].to = max(all[n-1].to, s.to)
		return all
	}
	return append(all, s)
}

// either is the union of two unions.
func either(a, b []span) []span {
	out := make([]span, 0, len(a)+len(b))
	for len(a) > 0 || len(b) > 0 {
		if len(b) == 0 || len(a) > 0 && a[0].from <= b[0].from {
			out, a = join(out, a[0]), a[1:]
		} else {
			out, b = join(out, b[0]), b[1:]
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
