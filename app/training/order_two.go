//go:build !lean

package training

import "math/bits"

// twoChunks are the orders of schedules with two chunks a rank.
func (q *pipe) twoChunks() [][]act {
	if q.Schedule == VHalf || q.Schedule == VMin {
		return q.blocks()
	}
	all := make([][]act, q.ranks)
	for i := range all {
		l := order{most: q.micros}
		if q.Schedule == ZBV {
			l.zeroBubbleV(i, q.ranks)
		} else {
			l.dualPipe(i, q.ranks, q.micros/2)
		}
		all[i] = l.acts
	}
	return all
}

// zeroBubbleV is the order of Qi et al. (2023), as PyTorch runs it: made for at least 2p-1 microbatches. Of fewer, those
// that aren't there are left out.
func (l *order) zeroBubbleV(rank, p int) {
	behind, n := p-rank, max(l.most, 2*p-1)
	l.add(2*behind-1, "F0")
	l.add(rank, "F1F0")
	l.add(behind, "F1B1W1")
	l.add(n-p, "F0B0W0F1B1W1")
	l.add(rank, "B0B1")
	l.add(behind, "B0W0")
	l.add(rank, "W1")
	l.add(rank, "W0")
}

// dualPipe is the order of DeepSeek-V3: half of the microbatches go down the ranks and half up. In the middle a forward
// and a backward pass run together; the middle ranks wait for their own forward pass first.
func (l *order) dualPipe(rank, p, half int) {
	if l.most = half; rank >= p/2 {
		l.mirror, rank = 1, p-1-rank
	}
	inner, main := p/2-1-rank, half-p+rank+1
	l.add(2*inner, "F0")
	l.add(rank+1, "F0F1")
	l.add(inner, "B1W1F1")
	if inner == 0 {
		l.add(1, "F0b1W1f1b0W0")
		main--
	}
	l.add(main, "f0b1W1f1b0W0")
	l.add(inner, "b1W1f1b0W0")
	owed := "" // gradients of weights that wait
	for k := range 2 * (rank + 1) {
		both := [...]string{"b1W1", "b0W0"}[k%2]
		if k <= rank {
			l.add(1, both)
			continue
		}
		l.add(1, [...]string{"B1", "B0"}[k%2])
		owed += both[2:]
	}
	for range inner {
		owed += "W0"
	}
	for k := range inner + rank + 1 {
		l.add(1, owed[2*k:2*k+2])
		if k < inner {
			l.add(1, "B0")
		}
	}
}

// The block of a microbatch in V-Half and V-Min, whose passes through a chunk all take a slot: so many slots lie between
// neighbouring ranks on the way down and up, forward and back. A microbatch follows another after six slots, one for
// each pass through each chunk (Qi et al. 2024).
func (s Schedule) slopes() [4]int {
	if s == VHalf {
		return [4]int{1, 2, 1, 2}
	}
	return [4]int{1, 1, 1, 1}
}

const turns = 6

// block is when the first microbatch passes through the chunks of each rank: forward down and up, backward down and up.
// At each turn a few slots are waited for so that no two passes meet on any rank.
func (q *pipe) block() (at [][4]int) {
	for gaps := range turns * turns * turns {
		if at = q.laid([4]int{0, gaps % turns, gaps / turns % turns, gaps / turns / turns}); at != nil {
			break
		}
	}
	return at
}

// laid is the block with so many slots more than one at each turn, nil if passes meet.
func (q *pipe) laid(gaps [4]int) [][4]int {
	at, slopes, from := make([][4]int, q.ranks), q.slopes(), 0
	for way, slope := range slopes {
		if from += gaps[way]; way > 0 {
			from++
		}
		for k := range at {
			rank := k
			if way%2 == 1 {
				rank = q.ranks - 1 - k
			}
			at[rank][way] = from + slope*k
		}
		from += slope * (q.ranks - 1)
	}
	for i := range at {
		met := uint(0)
		for _, t := range at[i] {
			met |= 1 << (t % turns)
		}
		if bits.OnesCount(met) < len(at[i]) {
			return nil
		}
	}
	return at
}

// ways are the pass and the chunk of each way of a block.
var ways = [4]act{{pass: Forward}, {pass: Forward, chunk: 1}, {pass: Backward, chunk: 1}, {pass: Backward}}

// blocks repeats the block for each microbatch, everything as early as it can be. Gradients of weights fill the slots
// in which a rank waits, or come before a forward pass that would keep more than the schedule wants to.
func (q *pipe) blocks() [][]act {
	c, ranks, all := newClock(q), make([]filling, q.ranks), make([][]act, q.ranks)
	for i, first := range q.block() {
		for t := 0; len(ranks[i].acts) < len(ways)*q.micros; t++ {
			for way, a := range ways {
				if late := t - first[way]; late >= 0 && late%turns == 0 && late/turns < q.micros {
					a.micro = int32(late / turns)
					ranks[i].acts = append(ranks[i].acts, a)
				}
			}
		}
	}
	slot := 0.0
	for left := turns * q.micros * q.ranks; left > 0; slot++ {
		for i := range ranks {
			if a, ok := ranks[i].choose(&c, i, slot); ok {
				all[i] = append(all[i], a)
				left--
			}
		}
	}
	return all
}

// filling is a rank whose order is made, slot by slot.
type filling struct {
	acts []act // to come, gradients of weights aside
	owed []act // gradients of weights to come
	kept int   // chunks' activations
}

// most is how many chunks' activations a rank keeps if it can.
func (q *pipe) most() int {
	if q.Schedule == VHalf {
		return q.ranks + 2
	}
	return (2*q.ranks+2)/3 + 2
}

// choose is what a rank does in a slot, if it can do anything.
func (f *filling) choose(c *clock, rank int, slot float64) (a act, ok bool) {
	if len(f.acts) > 0 {
		a = f.acts[0]
		full := a.pass == Forward && f.kept >= c.most() && len(f.owed) > 0
		if at, ok := c.ready(rank, a); ok && at <= slot && !full {
			f.acts = f.acts[1:]
			c.set(rank, a, slot+1)
			if a.pass == Forward {
				f.kept++
			} else {
				f.owed = append(f.owed, act{pass: Weights, chunk: a.chunk, micro: a.micro})
			}
			return a, true
		}
	}
	if len(f.owed) == 0 {
		return a, false
	}
	a, f.owed = f.owed[0], f.owed[1:]
	f.kept--
	return a, true
}
