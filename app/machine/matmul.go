// Package machine has two small machines, run step by step: a systolic array that multiplies, and a matmul whose blocks
// stream through a fast memory. Both are exact, and small enough to be looked at.
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

// Array is a square of n by n cells, as it is after some cycles. The weights come first, a row a cycle from above if
// they are shown coming in; then the rows of activations from the left, each line of cells a cycle later than the one
// above.
type Array struct {
	N, Rows int     // side of the array, rows of the batch
	X, W    [][]int // activations [Rows, N], weights [N, N]
	Load    bool    // the weights are shown coming in
	Cycle   int     // cycles done
	Cells   [][]Cell
	Left    [][]Sum // what has left below, [Rows, N]
	Worked  int     // multiply-adds so far
}

// Cell is what a cell did in the last cycle. The zero value has no weight yet.
type Cell struct {
	Weighted bool // it has a weight
	W        int
	Busy     bool // it multiplied
	Row      int  // of the batch
	X        int  // the activation it took from the left
	In, Out  int  // the sums from above and downwards
}

// Sum is an entry of the product, once it has left.
type Sum struct {
	Out   bool // it has left
	Value int
	Cycle int // in which it left
}

// The largest array that there is, and the most rows that go through it.
const MaxSide, MaxRows = 8, 12

// NewArray is an array before its first cycle, with small numbers.
func NewArray(n, rows int, load bool) *Array {
	n, rows = max(1, min(n, MaxSide)), max(1, min(rows, MaxRows))
	a := &Array{N: n, Rows: rows, Load: load}
	for k := range n {
		a.W = append(a.W, series(n, func(j int) int { return [...]int{2, -1, 1, 3, -2, 1, 2}[(3*k+5*j+k*j)%7] }))
		cells := make([]Cell, n)
		for j := range cells {
			if !load {
				cells[j] = Cell{Weighted: true, W: a.W[k][j]}
			}
		}
		a.Cells = append(a.Cells, cells)
	}
	for i := range rows {
		a.X = append(a.X, series(n, func(k int) int { return 1 + (3*i+2*k+i*k)%5 }))
		a.Left = append(a.Left, make([]Sum, n))
	}
	return a
}

// series is f of 0 to n - 1.
func series(n int, f func(int) int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = f(i)
	}
	return all
}

// Loading is how many cycles the weights take to come in.
func (a *Array) Loading() int {
	if a.Load {
		return a.N
	}
	return 0
}

// Cycles is how many it takes until the last sum has left: B + 2n - 2, and n before them if the weights come in first.
func (a *Array) Cycles() int { return a.Loading() + a.Rows + 2*a.N - 2 }

// Run does so many cycles more, and returns the array for further calls.
func (a *Array) Run(cycles int) *Array {
	for range cycles {
		a.step()
	}
	return a
}

// step is one cycle: every cell takes what its neighbours had after the last one.
func (a *Array) step() {
	was := make([][]Cell, a.N)
	for k := range was {
		was[k] = append([]Cell(nil), a.Cells[k]...)
	}
	for k := range a.N {
		for j := range a.N {
			if a.Cycle < a.Loading() {
				a.Cells[k][j] = a.shifted(was, k, j)
			} else {
				a.Cells[k][j] = a.worked(was, k, j)
			}
		}
	}
	a.Cycle++
	for j, c := range a.Cells[a.N-1] {
		if c.Busy {
			a.Left[c.Row][j] = Sum{true, c.Out, a.Cycle}
		}
	}
}

// shifted is a cell while the weights come in: it takes the one above it; the last row of weights came first.
func (a *Array) shifted(was [][]Cell, k, j int) Cell {
	if k > 0 {
		return was[k-1][j]
	}
	return Cell{Weighted: true, W: a.W[a.N-1-a.Cycle][j]}
}

// worked is a cell that takes an activation from the left and a sum from above, if there are any.
func (a *Array) worked(was [][]Cell, k, j int) Cell {
	c := Cell{Weighted: true, W: was[k][j].W}
	if j > 0 {
		c.Busy, c.Row, c.X = was[k][j-1].Busy, was[k][j-1].Row, was[k][j-1].X
	} else if i := a.Entering(k, 0); i >= 0 {
		c.Busy, c.Row, c.X = true, i, a.X[i][k]
	}
	if !c.Busy {
		return c
	}
	if k > 0 {
		c.In = was[k-1][j].Out
	}
	c.Out = c.In + c.X*c.W
	a.Worked++
	return c
}

// Entering is the row of the batch whose number enters line k of the cells so many cycles after the next; -1 if none.
func (a *Array) Entering(k, later int) int {
	if i := a.Cycle + later - a.Loading() - k; i >= 0 && i < a.Rows && a.Cycle+later >= a.Loading() {
		return i
	}
	return -1
}

// Busy is how many cells worked in the last cycle.
func (a *Array) Busy() int {
	n := 0
	for _, line := range a.Cells {
		for _, c := range line {
			if c.Busy {
				n++
			}
		}
	}
	return n
}

// Product is an entry of X W, multiplied as one does on paper.
func (a *Array) Product(i, j int) int {
	sum := 0
	for k := range a.N {
		sum += a.X[i][k] * a.W[k][j]
	}
	return sum
}

// Checked is how many sums have left, and whether each of them is that entry of the product.
func (a *Array) Checked() (left int, equal bool) {
	equal = true
	for i, row := range a.Left {
		for j, sum := range row {
			if sum.Out {
				left++
				equal = equal && sum.Value == a.Product(i, j)
			}
		}
	}
	return left, equal
}
