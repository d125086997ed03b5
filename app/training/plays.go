package training

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// plays are the schedules that have been played: a search asks for each of them many times.
type plays struct {
	mutex      sync.Mutex
	critical   map[pipe][]critical
	held       map[pipe]flight
	ordered    pipe // whose orders are at hand
	orders     [][]act
	asked      asked
	exploring  *explorer // the pipeline that is explored
	unreported []pipe    // that were played since tell
}

// asked is the last question and its answer.
type asked struct {
	pipe
	f, w, span float64
}

func newPlays() *plays { return &plays{critical: map[pipe][]critical{}, held: map[pipe]flight{}} }

// span is how long a pipeline takes for a step, in times of a microbatch on a rank, of which a forward pass takes the
// share f and gradients of weights the share w.
//
// With its order given, a step takes as long as the longest of many paths. So it is the longest of those that are
// critical for some lengths: what is played where those have been found, never above it, and longer with each of the
// three passes.
func (t *plays) span(q pipe, f, w float64) float64 {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if t.asked.pipe == q && t.asked.f == f && t.asked.w == w {
		return t.asked.span
	}
	t.asked = asked{q, f, w, t.longest(q, [3]float64{f, 1 - f - w, w})}
	return t.asked.span
}

func (t *plays) longest(q pipe, length [3]float64) float64 {
	few := q
	few.micros = q.enough()
	for t.explore(few) {
	}
	span, groups := q.causal(length[Forward], length[Backward]), float64(q.micros-few.micros)/float64(q.ranks)
	paths := t.critical[few]
	for i := range paths {
		c := &paths[i]
		span = max(span, c.path.takes(&length)+groups*c.group.takes(&length))
	}
	return span
}

// rehearse plays once of what span needs of a pipeline, and tells whether it needs more: so that many plays don't take
// long at once.
func (t *plays) rehearse(q pipe) (more bool) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	q.micros = q.enough()
	return t.explore(q)
}

// explore goes on with the exploration of a pipeline, and tells whether there is more to explore.
func (t *plays) explore(q pipe) (more bool) {
	if _, known := t.critical[q]; known {
		return false
	}
	if t.exploring == nil || t.exploring.pipe != q {
		t.exploring = t.explorer(q)
	}
	if t.exploring.explore() {
		return true
	}
	t.critical[q], t.exploring = t.exploring.paths(), nil
	t.unreported = append(t.unreported, q)
	return false
}

// explorer is the one of a pipeline before its first play.
func (t *plays) explorer(q pipe) *explorer {
	e := &explorer{pipe: q}
	if q.micros == 3*q.ranks {
		q.micros -= q.ranks
		e.fewer = t.ordersOf(q)
	}
	e.orders = t.ordersOf(e.pipe)
	for _, t := range slices.Backward(triangles[:]) {
		e.left = append(e.left, triangle{t, e.halvings()})
	}
	return e
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
	n, known := t.held[q]
	if !known {
		n = newFlight(q.held(t.ordersOf(q)))
		t.held[q] = n
		t.unreported = append(t.unreported, q)
	}
	return n
}

// report writes what plays have shown since it was called last, for others that needn't play then: a line a pipeline
// and what is known of it, "f" how many microbatches ranks keep or "p" its paths.
func (t *plays) report(b *strings.Builder) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	for _, q := range t.unreported {
		about := []string{q.Schedule.String(), strconv.Itoa(q.ranks), strconv.Itoa(q.chunks), strconv.Itoa(q.micros)}
		if n, known := t.held[q]; known {
			line(b, slices.Concat([]string{"f"}, about, numbers(n.first, n.last, n.middle))...)
		}
		if paths, known := t.critical[q]; known {
			words := append([]string{"p"}, about...)
			for i := range paths {
				words = append(append(words, numbers(paths[i].path[:]...)...), numbers(paths[i].group[:]...)...)
			}
			line(b, words...)
		}
	}
	t.unreported = nil
}

func numbers(all ...float64) (words []string) {
	for _, x := range all {
		words = append(words, number(x))
	}
	return words
}

// hear reads a line of tell, and tells whether it is one.
func (t *plays) hear(kind string, words []string) (ok bool) {
	if len(words) < 4 {
		return false
	}
	s, ok := ParseSchedule(words[0])
	var numbers []float64
	for _, word := range words[1:] {
		x, err := strconv.ParseFloat(word, 64)
		ok = ok && err == nil && math.Abs(x) < 1e9
		numbers = append(numbers, x)
	}
	if !ok {
		return false
	}
	q := pipe{s, int(numbers[0]), int(numbers[1]), int(numbers[2])}
	t.mutex.Lock()
	defer t.mutex.Unlock()
	switch n := numbers[3:]; {
	case kind == "f" && len(n) == 3:
		t.held[q] = flight{n[0], n[1], n[2]}
	case kind == "p" && len(n) > 0 && len(n)%6 == 0:
		var all []critical
		for ; len(n) > 0; n = n[6:] {
			all = append(all, critical{path(n[:3]), path(n[3:6])})
		}
		t.critical[q] = all
	default:
		return false
	}
	return true
}

func newFlight(held []float64) flight {
	last := len(held) - 1
	n := flight{first: held[0], last: held[last], middle: held[min(1, last)]}
	for _, h := range held[1:max(1, last)] {
		n.middle = max(n.middle, h)
	}
	return n
}
