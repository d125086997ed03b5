package training

import (
	"math"
	"sync"
)

// clock tells when passes are done.
type clock struct {
	*pipe
	done [2][]float64 // forward and backward, by rank, chunk and microbatch; never if it isn't
}

const never = -1

func newClock(q *pipe) clock {
	n := q.ranks * q.chunks * q.micros
	c := clock{pipe: q}
	both := make([]float64, 2*n)
	for i := range both {
		both[i] = never
	}
	c.done = [2][]float64{both[:n], both[n:]}
	return c
}

func (c *clock) place(rank, chunk int, micro int32) int {
	return (rank*c.chunks+chunk)*c.micros + int(micro)
}

// set notes that a rank is done with a pass.
func (c *clock) set(rank int, a act, at float64) {
	if a.pass != Weights {
		c.done[a.pass][c.place(rank, int(a.chunk), a.micro)] = at
	}
}

// ready is when a pass has what it needs: the stage before, or behind, is done with that microbatch. What a rank needs
// of its own stands before it in its order.
func (c *clock) ready(rank int, a act) (at float64, ok bool) {
	switch a.pass {
	case Forward:
		if r, k := c.before(rank, int(a.chunk)); r >= 0 {
			at = c.done[Forward][c.place(r, k, a.micro)]
		}
	case Backward:
		at = c.done[Forward][c.place(rank, int(a.chunk), a.micro)]
		if r, k := c.after(rank, int(a.chunk)); at != never && r >= 0 {
			at = c.done[Backward][c.place(r, k, a.micro)]
		}
	}
	return at, at != never
}

// game is orders that are played.
type game struct {
	clock
	orders [][]act
	length [3]float64 // of a pass through a chunk
	at     []int      // of each rank: what it does next
	first  []float64  // when it began
	free   []float64  // when it is free
	note   func(rank int, a act, from, until float64)
}

// play plays orders: each pass begins as soon as its rank is free and it has what it needs. span is how long the rank
// takes that takes longest, from its first pass to its last: so often a step can follow a step. It is infinite if ranks
// wait for one another. A microbatch takes a rank so long forward, backward to the gradients of activations, and for
// those of the weights.
func (q *pipe) play(orders [][]act, f, b, w float64, note func(rank int, a act, from, until float64)) (span float64) {
	g := game{clock: newClock(q), orders: orders, at: make([]int, q.ranks), first: make([]float64, q.ranks),
		free: make([]float64, q.ranks), note: note}
	if parts := q.parts(); q.split() {
		g.length = [3]float64{f / parts, b / parts, w / parts}
	} else {
		g.length = [3]float64{f / parts, (b + w) / parts, 0}
	}
	for moved := true; moved; {
		moved = false
		for i := range orders { // forward passes go down the ranks, backward passes up
			moved = g.advance(i) || moved
		}
		for i := range orders {
			moved = g.advance(q.ranks-1-i) || moved
		}
	}
	for i := range orders {
		if g.at[i] < len(orders[i]) {
			return math.Inf(1)
		}
		span = max(span, g.free[i]-g.first[i])
	}
	return span
}

// advance plays what a rank can do, and tells whether it did anything.
func (g *game) advance(rank int) (moved bool) {
	for g.at[rank] < len(g.orders[rank]) {
		acts := g.orders[rank][g.at[rank]:]
		from, length, n := g.free[rank], 0.0, 0
		for {
			at, ok := g.ready(rank, acts[n])
			if !ok {
				return moved
			}
			from, length = max(from, at), length+g.length[acts[n].pass]
			if n++; !acts[n-1].joined {
				break
			}
		}
		if g.at[rank] == 0 {
			g.first[rank] = from
		}
		for _, a := range acts[:n] {
			g.set(rank, a, from+length)
		}
		g.tell(rank, acts[:n], from)
		g.at[rank], g.free[rank], moved = g.at[rank]+n, from+length, true
	}
	return moved
}

// tell notes acts that follow one another.
func (g *game) tell(rank int, acts []act, from float64) {
	if g.note == nil {
		return
	}
	for _, a := range acts {
		until := from + g.length[a.pass]
		g.note(rank, a, from, until)
		from = until
	}
}

// held is how many microbatches' activations each rank keeps at most: from their forward pass until their gradients are
// made.
func (q *pipe) held(orders [][]act) []float64 {
	last, most := Backward, make([]float64, q.ranks)
	if q.split() {
		last = Weights
	}
	for i, acts := range orders {
		kept := 0.0
		for _, a := range acts {
			switch a.pass {
			case Forward:
				kept++
			case last:
				kept--
			}
			most[i] = max(most[i], kept/q.parts())
		}
	}
	return most
}

// The stages, microbatches and passes of a plan that are shown at most.
const (
	mostPlayedStages = 16
	mostPlayedMicros = 24
	mostPlayedPasses = 2500
)

// Played is the timetable of a plan as it is estimated, in times of a forward pass, as far as it is shown: of its first
// microbatches and of no more stages than fit a page. whole tells whether it is all of the plan.
func (p *Estimate) Played() (stages [][]Run, whole bool) {
	q := newPipe(p.Plan.Schedule, min(p.Plan.PP, mostPlayedStages), p.Plan.Virtual, int(p.Time.MicroBatches))
	if q.ranks == 1 {
		q.Schedule, q.chunks = OneFOneB, 1
	}
	q.micros = q.shown(mostPlayedMicros)
	for q.chunks*q.ranks*q.micros*2 > mostPlayedPasses && q.ranks > 2 {
		q.ranks /= 2
		q.micros = q.shown(mostPlayedMicros)
	}
	f, b, w := 1.0, 2.0, 0.0
	if t := p.Time.Passes; t[Forward] > 0 {
		b, w = t[Backward]/t[Forward], t[Weights]/t[Forward]
	}
	stages, _ = Timetable(q.Schedule, q.ranks, q.chunks, q.micros, f, b, w)
	return stages, q.ranks == p.Plan.PP && q.micros == int(p.Time.MicroBatches)
}

// shown is how many of a pipeline's microbatches are shown: about so many, and a number that its schedule takes.
func (q *pipe) shown(most int) int {
	m := max(1, min(q.micros, most))
	switch q.Schedule {
	case Interleaved:
		return max(1, m/q.ranks) * q.ranks
	case DualPipe:
		return max(m/2*2, 2*q.ranks)
	}
	return m
}

// Slots is how many forward passes Played takes.
func (p *Estimate) Slots() int {
	stages, _ := p.Played()
	end := 0.0
	for _, runs := range stages {
		end = max(end, runs[len(runs)-1].Until)
	}
	return int(ceil(end - 1e-9))
}

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
// until the first microbatch comes back. One that also holds the last stage has that stage's, and is estimated by half
// a microbatch too long at most where there are few of them.
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

// Run is a pass of one microbatch through one chunk of a stage's layers.
type Run struct {
	Pass         Pass
	Micro, Chunk int     // counted from 0
	From, Until  float64 // in the unit of what a pass takes, from the begin of the step
}

// Timetable is when each of p stages, of v chunks each if they are interleaved, runs what of m microbatches, if a
// forward pass of a microbatch takes f, the gradients of its activations b and those of the weights w. ok is false if
// the schedule can't be run so.
func Timetable(s Schedule, p, v, m int, f, b, w float64) (stages [][]Run, ok bool) {
	q := newPipe(s, p, v, m)
	orders := q.orders()
	if orders == nil || !s.takes(p, m) {
		return nil, false
	}
	stages = make([][]Run, p)
	q.play(orders, f, b, w, func(rank int, a act, from, until float64) {
		stages[rank] = append(stages[rank], Run{a.pass, int(a.micro), int(a.chunk), from, until})
	})
	return stages, true
}

// takes tells whether a schedule can run m microbatches through p stages: Megatron-LM interleaves whole groups of them,
// DualPipe wants as many from both ends.
func (s Schedule) takes(p, m int) bool {
	switch s {
	case Interleaved:
		return m%p == 0
	case DualPipe:
		return p%2 == 0 && m%2 == 0 && m >= 2*p
	}
	return true
}
