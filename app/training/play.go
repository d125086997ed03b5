package training

import "math"

// timetable tells when passes are done.
type timetable struct {
	*pipe
	done [2][]float64 // forward and backward, by rank, chunk and microbatch; never if it isn't
}

const never = -1

func newTimetable(q *pipe) timetable {
	n := q.ranks * q.chunks * q.micros
	c := timetable{pipe: q}
	both := make([]float64, 2*n)
	for i := range both {
		both[i] = never
	}
	c.done = [2][]float64{both[:n], both[n:]}
	return c
}

func (c *timetable) place(rank, chunk int, micro int32) int {
	return (rank*c.chunks+chunk)*c.micros + int(micro)
}

// set notes that a rank is done with a pass.
func (c *timetable) set(rank int, a act, at float64) {
	if a.pass != Weights {
		c.done[a.pass][c.place(rank, int(a.chunk), a.micro)] = at
	}
}

// needs is the place of the pass that one waits for: that of the stage before, or behind, with the same microbatch; it
// is negative if there is none. What a rank needs of its own stands before it in its order.
func (c *timetable) needs(rank int, a act) (pass Pass, place int) {
	pass, place = a.pass, -1
	if pass == Weights {
		return pass, place
	}
	r, k := c.before(rank, int(a.chunk))
	if pass == Backward {
		if r, k = c.after(rank, int(a.chunk)); r < 0 {
			pass, r, k = Forward, rank, int(a.chunk)
		}
	}
	if r >= 0 {
		place = c.place(r, k, a.micro)
	}
	return pass, place
}

// ready is when a pass has what it needs.
func (c *timetable) ready(rank int, a act) (at float64, ok bool) {
	pass, place := c.needs(rank, a)
	if place >= 0 {
		at = c.done[pass][place]
	}
	return at, at != never
}

// game is orders that are played.
type game struct {
	timetable
	orders [][]act
	length [3]float64 // of a pass through a chunk
	at     []int      // of each rank: what it does next
	first  []float64  // when it began
	free   []float64  // when it is free
	note   func(rank int, a act, from, until float64)

	// the paths to what is done, to when a rank began and to when it is free; nil if nobody asks
	paths        [2][]path
	began, steps []path
}

// play plays orders: each pass begins as soon as its rank is free and it has what it needs. span is how long the rank
// takes that takes longest, from its first pass to its last: so often a step can follow a step. It is infinite if ranks
// wait for one another. A microbatch takes a rank so long forward, backward to the gradients of activations, and for
// those of the weights.
func (q *pipe) play(orders [][]act, f, b, w float64, note func(rank int, a act, from, until float64)) (span float64) {
	g := q.game(orders, [3]float64{f, b, w})
	g.note = note
	span, _ = g.play()
	return span
}

// game is a game before its first pass, of passes of a microbatch through a rank that take so long.
func (q *pipe) game(orders [][]act, length [3]float64) *game {
	g := &game{timetable: newTimetable(q), orders: orders, length: length, at: make([]int, q.ranks),
		first: make([]float64, q.ranks), free: make([]float64, q.ranks)}
	if !q.split() {
		g.length = [3]float64{length[Forward], length[Backward] + length[Weights], 0}
	}
	for i := range g.length {
		g.length[i] /= q.parts()
	}
	return g
}

// play plays to the end; slowest is the rank that takes longest.
func (g *game) play() (span float64, slowest int) {
	for moved := true; moved; {
		moved = false
		for i := range g.orders { // forward passes go down the ranks, backward passes up
			moved = g.advance(i) || moved
		}
		for i := range g.orders {
			moved = g.advance(g.ranks-1-i) || moved
		}
	}
	for i := range g.orders {
		if g.at[i] < len(g.orders[i]) {
			return math.Inf(1), i
		}
		if took := g.free[i] - g.first[i]; took > span {
			span, slowest = took, i
		}
	}
	return span, slowest
}

// advance plays what a rank can do, and tells whether it did anything.
func (g *game) advance(rank int) (moved bool) {
	for g.at[rank] < len(g.orders[rank]) {
		acts := g.orders[rank][g.at[rank]:]
		from, length, n := g.free[rank], 0.0, 0
		pass, place := Weights, -1 // of what it waits for
		for {
			needs, there := g.needs(rank, acts[n])
			if there >= 0 {
				switch at := g.done[needs][there]; {
				case at == never:
					return moved
				case at > from:
					from, pass, place = at, needs, there
				}
			}
			length += g.length[acts[n].pass]
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
		if g.steps != nil {
			g.follow(rank, acts[:n], pass, place)
		}
		g.report(rank, acts[:n], from)
		g.at[rank], g.free[rank], moved = g.at[rank]+n, from+length, true
	}
	return moved
}

// report notes acts that follow one another.
func (g *game) report(rank int, acts []act, from float64) {
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
