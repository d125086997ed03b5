package training

import "math"

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
