package machine

import "math"

// Times are how long one block takes, in seconds.
type Times struct {
	First       float64 // to copy in what all blocks share, once, before the first
	Load, Store float64 // to copy in and out; the two share one wire
	Math        float64
}

// Span is a piece of work, in seconds from the beginning.
type Span struct{ From, To float64 }

// Run is a matmul that has streamed through.
type Run struct {
	Times
	Buffers           int    // on the way in, and as many on the way out
	Load, Math, Store []Span // of each block
}

// Stream sends blocks through, each stage as soon as it can begin. The wire takes the copies in a fixed order: as many
// blocks in as there are buffers, and from then on one out, one in. A block goes in when the last one in its buffer has
// been worked with, and is worked with when its place on the way out is free.
func Stream(blocks, buffers int, t Times) *Run {
	r := &Run{Times: t, Buffers: buffers, Load: make([]Span, blocks), Math: make([]Span, blocks),
		Store: make([]Span, blocks)}
	wire := t.First
	load := func(i int) {
		if i >= blocks {
			return
		}
		from := wire
		if i >= buffers {
			from = max(from, r.Math[i-buffers].To)
		}
		r.Load[i] = Span{from, from + t.Load}
		wire = r.Load[i].To
	}
	for i := range min(buffers, blocks) {
		load(i)
	}
	unit := 0.0
	for i := range blocks {
		from := max(unit, r.Load[i].To)
		if i >= buffers {
			from = max(from, r.Store[i-buffers].To)
		}
		r.Math[i] = Span{from, from + t.Math}
		unit = r.Math[i].To
		from = max(wire, unit)
		r.Store[i] = Span{from, from + t.Store}
		wire = r.Store[i].To
		load(i + buffers)
	}
	return r
}

// Blocks is how many there are.
func (r *Run) Blocks() int { return len(r.Math) }

// Total is when the last result is back in HBM.
func (r *Run) Total() float64 { return r.Store[len(r.Store)-1].To }

// Computing is the time of all multiplications.
func (r *Run) Computing() float64 { return float64(r.Blocks()) * r.Times.Math }

// Copying is the time of all copies.
func (r *Run) Copying() float64 {
	return r.First + float64(r.Blocks())*(r.Times.Load+r.Times.Store)
}

// Moments are the times at which something begins or ends, each once.
func (r *Run) Moments() []float64 {
	all := []float64{0, r.First}
	for i := range r.Math {
		for _, s := range []Span{r.Load[i], r.Math[i], r.Store[i]} {
			all = append(all, s.From, s.To)
		}
	}
	return distinct(all, r.Total()*1e-9)
}

// distinct sorts, and drops what differs by no more than rounding.
func distinct(all []float64, least float64) []float64 {
	for i := range all { // by insertion: they come nearly sorted
		for j := i; j > 0 && all[j] < all[j-1]; j-- {
			all[j], all[j-1] = all[j-1], all[j]
		}
	}
	out := all[:1]
	for _, x := range all[1:] {
		if x > out[len(out)-1]+least {
			out = append(out, x)
		}
	}
	return out
}

// Current is the span that t lies in, -1 if none.
func Current(spans []Span, t float64) int {
	for i, s := range spans {
		if s.From <= t && t < s.To {
			return i
		}
	}
	return -1
}

// Gaps are the times in which nothing is multiplied, before the first block to after the last.
func (r *Run) Gaps() []Span {
	var out []Span
	end, least := 0.0, r.Total()*1e-9
	for _, s := range r.Math {
		if s.From > end+least {
			out = append(out, Span{end, s.From})
		}
		end = math.Max(end, s.To)
	}
	return append(out, Span{end, r.Total()})
}

// Step is the time between two moments: its middle, and its end.
func (r *Run) Step(step int) (middle, end float64) {
	m := r.Moments()
	if len(m) < 2 {
		return 0, m[len(m)-1]
	}
	step = max(0, min(step, len(m)-2))
	return (m[step] + m[step+1]) / 2, m[step+1]
}
