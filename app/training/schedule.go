package training

import "math/bits"

// Schedule is the order in which a pipeline runs forward and backward passes.
type Schedule uint8

// The schedules.
const (
	OneFOneB    Schedule = iota // one forward, one backward
	GPipe                       // all forward, then all backward
	Interleaved                 // 1F1B over Virtual chunks a rank
	ZBH1                        // zero bubble: the weights' gradients fill the end
	ZBH2                        // the same with twice the memory
	ZBV                         // two chunks a rank, laid out as a V
	VHalf                       // half of 1F1B's memory
	VMin                        // a third of it
	DualPipe                    // both directions at once, weights twice
	schedules                   // how many there are
)

var scheduleNames = [schedules]string{"1f1b", "gpipe", "interleaved", "zb-h1", "zb-h2", "zbv", "v-half", "v-min",
	"dualpipe"}

// String is the name of s.
func (s Schedule) String() string { return nameOf(scheduleNames[:], s) }

// ParseSchedule finds a schedule by its name.
func ParseSchedule(name string) (Schedule, bool) { return named[Schedule](scheduleNames[:], name) }

// copies is how often a rank holds its weights and their gradients.
func (s Schedule) copies() float64 {
	if s == DualPipe {
		return 2
	}
	return 1
}

// split tells whether s runs the two halves of the backward pass apart.
func (s Schedule) split() bool { return s >= ZBH1 }

// played tells whether s has no closed form and is played.
func (s Schedule) played() bool { return s > Interleaved }

// vee tells whether the stages of s go down the ranks and back up again.
func (s Schedule) vee() bool { return s >= ZBV && s <= VMin }

// chunks is how many chunks of layers a rank holds, of a plan that asks for v.
func (s Schedule) chunks(v int) int {
	switch s {
	case Interleaved:
		return v
	case ZBV, VHalf, VMin, DualPipe:
		return 2
	}
	return 1
}

// closed is the bubble of those schedules that don't split the backward pass, in times of a layer: a forward pass takes
// the share f of it.
//
// GPipe fills and empties: each microbatch goes through all other stages once beside the slowest one.
//
// One forward, one backward: a stage with n behind it runs n+1 passes forward before it waits for the first backward,
// so that n of them hide a part of the first way through those behind; n passes backward hide a part of the last way.
// Where stages have ever fewer layers, those behind wait for this one's passes in turn, so that a part of the way
// counts. The stages before it are gone through once. Whichever stage takes longest with all of that decides. Fewer
// microbatches than stages take no longer than as many, nor than all forward and all backward.
//
// Interleaved: a microbatch comes to a stage through the first chunks of those before it, and leaves its last chunk
// through the last chunks of those behind. Chunks differ by a layer, the first of a stage being the largest.
func (c *layout) closed(f float64) (bubble float64, ok bool) {
	s, p := &c.stage, int(c.pp)
	others := s.total - s.work
	switch c.schedule {
	case GPipe:
		return others, true
	case OneFOneB, Interleaved:
		bubble = s.waits(p, int(c.v), max(c.m, c.pp), f) + (max(c.m, c.pp)-c.m)*s.work
		return min(bubble, pick(c.schedule == OneFOneB, others, bubble)), true
	}
	return 0, false
}

// waits is how much longer than the slowest stage works the pipeline takes for m microbatches.
func (s *stage) waits(p, chunks int, m, f float64) (most float64) {
	before, behind := 0.0, 0.0 // of the chunks that are gone through
	v := float64(chunks)
	last := func(i int) float64 { return floor(s.layers(i, p)/v) + s.load(i, p) - s.layers(i, p) }
	steep := s.byCost || s.slowest-min(s.first, s.last) > 1
	for i := range p {
		behind += last(i)
	}
	for i := range p {
		load, n := s.load(i, p), float64(p-1-i)
		behind -= last(i)
		wait := before + behind
		if chunks == 1 {
			first, last := max(0, behind-n*load*f), max(0, behind-n*load*(1-f))
			way := 0.0 // to stage k, where stages differ by more than a layer; it waits for its own first passes too
			for k := i + 1; steep && k < p-1; k++ {
				way += s.load(k, p)
				first, last = max(first, way-float64(k-i)*load*f), max(last, way-float64(k-i)*load*(1-f))
			}
			wait = before + first + last
		}
		most = max(most, m*(load-s.work)+wait)
		before += ceil(s.layers(i, p) / v)
	}
	return most
}

// flight is how many microbatches' activations of its stage ranks keep at once: the first, the last, and at most one
// between them.
type flight struct{ first, last, middle float64 }

// flight is the same where it has a closed form, of m microbatches. Interleaved ranks keep whole groups of chunks.
func (s Schedule) flight(p, v, m float64) (n flight, ok bool) {
	switch s {
	case OneFOneB:
		return flight{min(p, m), 1, min(max(1, p-1), m)}, true
	case GPipe:
		return flight{m, m, m}, true
	case Interleaved:
		ahead := func(i float64) float64 { return min(m, (2*(p-1-i)+(v-1)*p+1)/v) }
		return flight{ahead(0), ahead(p - 1), ahead(min(1, p-1))}, true
	}
	return flight{}, false
}

// Pass is what a stage of a pipeline does with a microbatch.
type Pass uint8

// The passes. Where a schedule splits the backward pass, Backward makes the gradients of activations, which the stage
// before waits for, and Weights those of the weights, which nobody waits for.
const (
	Forward Pass = iota
	Backward
	Weights
)

// act is a pass of one microbatch through one of a rank's chunks of layers.
type act struct {
	pass   Pass
	chunk  uint8
	joined bool // it begins and ends together with the next
	micro  int32
}

// pipe is a pipeline of ranks with chunks of layers each that run so many microbatches.
type pipe struct {
	Schedule
	ranks, chunks, micros int
}

// newPipe is a pipeline whose plan asks for v chunks.
func newPipe(s Schedule, p, v, m int) pipe { return pipe{s, p, s.chunks(v), m} }

// parts is into how many chunks a rank's work of a microbatch is cut. DualPipe's chunks are whole stages, of which a
// microbatch goes through one.
func (q *pipe) parts() float64 {
	if q.Schedule == DualPipe {
		return 1
	}
	return float64(q.chunks)
}

// before is the rank and the chunk that give a chunk its input; the rank is -1 if it is the first of all.
func (q *pipe) before(rank, chunk int) (int, int) {
	last := q.ranks - 1
	switch {
	case chunk == 0 || q.Schedule == Interleaved && rank > 0:
	case q.Schedule == Interleaved:
		return last, chunk - 1
	case rank < last:
		return rank + 1, 1
	case q.vee():
		return rank, 0
	default:
		return -1, 0
	}
	return rank - 1, chunk
}

// after is the rank and the chunk that take the output of one; the rank is -1 if it is the last of all.
func (q *pipe) after(rank, chunk int) (int, int) {
	last := q.ranks - 1
	switch {
	case q.Schedule != Interleaved && chunk == 1:
		return rank - 1, 1
	case rank < last:
		return rank + 1, chunk
	case q.vee():
		return rank, 1
	case q.Schedule == Interleaved && chunk+1 < q.chunks:
		return 0, chunk + 1
	}
	return -1, 0
}

// orders are what each rank does, one after another: the published orders, which are made for passes that take the
// same time.
func (q *pipe) orders() [][]act {
	if q.vee() || q.Schedule == DualPipe {
		return q.twoChunks()
	}
	all := make([][]act, q.ranks)
	for i := range all {
		l, ahead := order{most: q.micros}, q.ranks-i
		switch q.Schedule {
		case GPipe:
			l.alternate(q.micros, 0, false)
		case Interleaved:
			q.interleave(&l, i)
		case ZBH1:
			l.alternate(ahead, i, true)
		case ZBH2:
			l.alternate(2*ahead-1, 2*i, true)
		default:
			l.alternate(ahead, 0, false)
		}
		all[i] = l.acts
	}
	return all
}

// order is the order of a rank while it is written.
type order struct {
	acts   []act
	most   int       // microbatches
	mirror int       // 1 if the first chunk is called the second
	next   [3][2]int // by pass and chunk: the microbatch that comes next
}

// passes are the letters of passes in orders that are written down.
const passes = "FBW"

// add adds so often the next microbatch's passes, as far as there are microbatches: F0 is a forward pass through the
// first chunk, B and W are the halves of a backward pass. What has a small letter begins and ends with the next.
func (l *order) add(times int, acts string) {
	for range times {
		for k := 0; k < len(acts); k += 2 {
			a := act{chunk: acts[k+1] - '0' ^ uint8(l.mirror), joined: acts[k] >= 'a'}
			for passes[a.pass] != acts[k]&^32 {
				a.pass++
			}
			micro := &l.next[a.pass][a.chunk]
			if a.micro = int32(*micro); *micro < l.most {
				l.acts = append(l.acts, a)
			}
			*micro++
		}
	}
}

// alternate begins with so many forward passes and goes on with one backward, one forward. If it is split, gradients
// of weights lag behind those of activations by so many microbatches.
func (l *order) alternate(ahead, lag int, split bool) {
	l.add(min(ahead, l.most), "F0")
	first, then := min(lag, l.most), "B0W0F0"
	if !split {
		first, then = l.most, ""
	}
	l.add(first, "B0F0")
	l.add(l.most-first, then)
	if split {
		l.add(first, "W0")
	}
}

// interleave is Megatron-LM's order: groups of as many microbatches as there are ranks go through a chunk before the
// next chunk's turn.
func (q *pipe) interleave(l *order, rank int) {
	all, group := q.micros*q.chunks, q.ranks*q.chunks
	ahead := min(all, 2*(q.ranks-rank-1)+(q.chunks-1)*q.ranks)
	step := func(pass Pass, k int) {
		chunk := k % group / q.ranks
		if pass == Backward {
			chunk = q.chunks - 1 - chunk
		}
		l.acts = append(l.acts, act{pass: pass, chunk: uint8(chunk), micro: int32(k/group*q.ranks + k%q.ranks)})
	}
	for k := range all + ahead {
		if k < all {
			step(Forward, k)
		}
		if k >= ahead {
			step(Backward, k-ahead)
		}
	}
}

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

// zeroBubbleV is the order of Qi et al. (2023), as PyTorch runs it: made for at least 2p-1 microbatches. Of fewer,
// those that aren't there are left out.
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

// The block of a microbatch in V-Half and V-Min, whose passes through a chunk all take a slot: so many slots lie
// between neighbouring ranks on the way down and up, forward and back. A microbatch follows another after six slots,
// one for each pass through each chunk (Qi et al. 2024).
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

// actKinds are the pass and the chunk of each way of a block.
var actKinds = [4]act{{pass: Forward}, {pass: Forward, chunk: 1}, {pass: Backward, chunk: 1}, {pass: Backward}}

// blocks repeats the block for each microbatch, everything as early as it can be. Gradients of weights fill the slots
// in which a rank waits, or come before a forward pass that would keep more than the schedule wants to.
func (q *pipe) blocks() [][]act {
	c, ranks, all := newTimetable(q), make([]filling, q.ranks), make([][]act, q.ranks)
	for i, first := range q.block() {
		for t := 0; len(ranks[i].acts) < len(actKinds)*q.micros; t++ {
			for way, a := range actKinds {
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
func (f *filling) choose(c *timetable, rank int, slot float64) (a act, ok bool) {
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
