package training

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
