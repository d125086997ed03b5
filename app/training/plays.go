//go:build !lean

package training

import (
	"math"
	"sync"
)

// plays are the schedules that have been played: a search asks for each of them many times.
type plays struct {
	mutex   sync.Mutex
	spans   map[spanOf]float64
	held    map[spanOf]flight
	ordered pipe // whose orders are at hand
	orders  [][]act
	asked   asked
}

// asked is the last question and its answer.
type asked struct {
	pipe
	f, w, span float64
}

// spanOf is a pipeline whose forward pass takes so many of shares parts of a microbatch's time, and the gradients of
// weights so many, in one number. The chunks of a rank follow from such a schedule.
type spanOf uint64

func (q *pipe) key(forward, weights int) spanOf {
	key := spanOf(q.Schedule)
	for _, n := range [...]int{q.ranks, q.micros, forward, weights} {
		key = key<<14 | spanOf(n)
	}
	return key
}

// shares is into how many parts the time of a microbatch is cut for the table.
const shares = 24

// span is how long a pipeline takes for a step, in times of a microbatch on a rank, of which a forward pass takes the
// share f and gradients of weights the share w.
//
// It is played where both are whole numbers of parts, and in between interpolated. With its order given, a step is the
// longest of many paths, each a sum of passes: a convex function of their times. So what is interpolated is never below
// what is played, and the same wherever one path is the longest.
func (t *plays) span(q pipe, f, w float64) float64 {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if t.asked.pipe == q && t.asked.f == f && t.asked.w == w {
		return t.asked.span
	}
	t.asked = asked{q, f, w, t.longest(q, f, w)}
	return t.asked.span
}

func (t *plays) longest(q pipe, f, w float64) float64 {
	m, least := q.micros, q.causal(f, 1-f-w)
	q.micros = q.enough()
	span := t.between(q, f, w)
	if m > q.micros { // from here on a group of microbatches takes as long as the one before
		more := float64(m-q.micros) / float64(q.ranks)
		q.micros -= q.ranks
		span += more * (span - t.between(q, f, w))
	}
	return max(span, least)
}

// enough is how many microbatches show all that a schedule does: it fills, it runs, it empties.
func (q *pipe) enough() int { return min(q.micros, 3*q.ranks) }

// causal is what no pipeline goes below whose first rank has all of a stage's forward passes and nothing else to do
// until the first microbatch comes back. One that also holds the last stage has that stage's, and is priced by half a
// microbatch too long at most where there are few of them.
func (q *pipe) causal(f, b float64) float64 {
	p, m := float64(q.ranks), float64(q.micros)
	return m + max(0, p*f+(p-1)*b-m*f)
}

// between is the span between three that are played.
func (t *plays) between(q pipe, f, w float64) float64 {
	x, y := cut(f), cut(min(w, 1-f-2.0/shares))
	i, j := int(x), int(y)
	x, y = x-float64(i), y-float64(j)
	ends := [3]struct {
		i, j int
		part float64
	}{{i, j, 1 - x - y}, {i + 1, j, x}, {i, j + 1, y}}
	if x+y > 1 {
		ends[0].i, ends[0].j, ends[0].part = i+1, j+1, x+y-1
		ends[1].part, ends[2].part = 1-y, 1-x
	}
	sum := 0.0
	for _, e := range ends {
		if e.part > 0 {
			sum += e.part * t.played(q, e.i, e.j)
		}
	}
	return sum
}

// cut is a share in parts, a whole number if it is one but for rounding.
func cut(share float64) float64 {
	x := max(0, share) * shares
	if whole := math.Round(x); math.Abs(x-whole) < 1e-9 {
		return whole
	}
	return x
}

// played plays a pipeline, once.
func (t *plays) played(q pipe, forward, weights int) float64 {
	key := q.key(forward, weights)
	span, known := t.spans[key]
	if !known {
		f, w := float64(forward)/shares, float64(weights)/shares
		span = q.play(t.ordersOf(q), f, 1-f-w, w, nil)
		t.spans[key] = span
	}
	return span
}

func (t *plays) ordersOf(q pipe) [][]act {
	if t.orders == nil || t.ordered != q {
		t.ordered, t.orders = q, q.orders()
	}
	return t.orders
}

// flight is how many microbatches' activations the ranks of a pipeline keep.
func (t *plays) flight(q pipe) flight {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	q.micros = q.enough()
	key := q.key(0, 0)
	n, known := t.held[key]
	if !known {
		n = newFlight(q.held(t.ordersOf(q)))
		t.held[key] = n
	}
	return n
}

func newFlight(held []float64) flight {
	last := len(held) - 1
	n := flight{first: held[0], last: held[last], middle: held[min(1, last)]}
	for _, h := range held[1:max(1, last)] {
		n.middle = max(n.middle, h)
	}
	return n
}

func newPlays() *plays { return &plays{spans: map[spanOf]float64{}, held: map[spanOf]flight{}} }
