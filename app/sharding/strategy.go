package sharding

import (
	"cmp"
	"slices"
	"strings"

	q "github.com/scalebook/scalebook/app/quantity"
)

// Step is one step of a strategy.
type Step struct {
	Kind     Kind
	Axes     []int  // mesh axes, in the mesh's order; none of a Multiply
	From, To *Array // of a Multiply To is its product, and From the left operand
	Operand  int    // which array it is of: 0, 1 or 2 for the result
	// Bytes is the whole array of one group of chips, as app/network counts it: of an all-gather what each chip has in
	// the end, of a reduce-scatter and an all-reduce what it begins with, of an all-to-all all chips' together. Of a
	// einsum, what each chip reads and writes.
	Bytes q.Bytes
	// Received is what each chip takes in, at the least, where the collective is made of shares of equal size.
	Received q.Bytes
	Price    Price
	FLOPs    q.FLOPs // of a Multiply, of each chip
}

// Strategy is one way to compute an einsum: its steps, and what they take. Times are of one chip; all chips do the
// same.
type Strategy struct {
	Steps    []Step
	FLOPs    q.FLOPs   // of each chip
	Math     q.Seconds // FLOPs over the peak rate
	Memory   q.Seconds // the local einsum's operands read and its product written once, over the memory bandwidth
	Comms    q.Seconds // all collectives, one after the other, by the law that the plan goes by
	Exact    q.Seconds // the same, exactly
	Shortcut q.Seconds // the same, as the textbook approximates it
	// Parallel is Comms if collectives of the two operands that share no wire run at the same time.
	Parallel q.Seconds
	Moved    q.Bytes // between chip and memory by the local einsum
	Received q.Bytes // from other chips
	// Peak is the most that a chip holds at once: both operands as given, and at each step what it reads and what
	// it writes. An all-reduce works in place.
	Peak  q.Bytes
	Fits  bool // Peak is within the chip's memory
	Plain bool // nothing is sliced in order to be communicated
	// Work is how often the whole einsum is computed: 1 if no two chips do the same, and no padding is computed with.
	Work float64
}

// Local is the time of the local einsum: the longer of computing and memory traffic, which overlap inside a kernel.
func (s *Strategy) Local() q.Seconds { return max(s.Math, s.Memory) }

// Lower is the time if computing, memory traffic and communication overlap fully.
func (s *Strategy) Lower() q.Seconds { return max(s.Local(), s.Comms) }

// Upper is the time if communication and the local einsum take turns.
func (s *Strategy) Upper() q.Seconds { return s.Local() + s.Comms }

// Bound is what Lower is spent on: "compute", "memory" or "communication".
func (s *Strategy) Bound() string {
	switch {
	case s.Comms > s.Local():
		return "communication"
	case s.Memory > s.Math:
		return "memory"
	}
	return "compute"
}

func (s *Strategy) compare(o *Strategy) int {
	if s.Fits != o.Fits {
		if s.Fits {
			return -1
		}
		return 1
	}
	return cmp.Or(near(float64(s.Lower()), float64(o.Lower())), near(float64(s.Upper()), float64(o.Upper())),
		cmp.Compare(s.Peak, o.Peak), cmp.Compare(len(s.Steps), len(o.Steps)))
}

// Title is the strategy in a line: "AllGather_X(B), Einsum, ReduceScatter_Y(C)".
func (s *Strategy) Title(m *Mesh) string {
	names := make([]string, len(s.Steps))
	for i, t := range s.Steps {
		names[i] = t.Title(m)
	}
	return strings.Join(names, ", ")
}

// Collectives is the strategy's communication in a line, "none" if there is none.
func (s *Strategy) Collectives(m *Mesh) string {
	var names []string
	for _, t := range s.Steps {
		if t.Kind <= AllToAll {
			names = append(names, t.Title(m))
		}
	}
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

// Title is the step in short: "AllGather_X(B)".
func (t *Step) Title(m *Mesh) string {
	if t.Kind == Multiply {
		return "Einsum"
	}
	return t.Kind.String() + subscript(t.Axes, m) + "(" + t.To.Name + ")"
}

// String is the step with its arrays: "AllGather_X B[J_X, K] -> B[J, K]".
func (t *Step) String(m *Mesh) string {
	return t.Kind.String() + subscript(t.Axes, m) + " " + t.From.String(m) + " -> " + t.To.String(m)
}

// strategy writes a candidate out.
func (s *planner) strategy(c *candidate) *Strategy {
	e := s.plan.Einsum
	st := &Strategy{Plain: c.plain}
	search := s.searches(c)
	var busy [2]q.Seconds
	for i := range 2 {
		steps := s.way(search[i], i, c.ends[i])
		for _, t := range steps {
			busy[i] += t.Price.by(s.plan.Options.Shortcut)
		}
		st.Steps = append(st.Steps, steps...)
	}
	st.Parallel = s.parallel(st.Steps, busy)
	axes := len(e.Mesh.Axes)
	left, right, product := e.A.with(c.around[inA], axes), e.B.with(c.around[inB], axes), e.C.with(c.around[inC], axes)
	st.Moved = left.LocalBytes(e.Mesh) + right.LocalBytes(e.Mesh) + product.LocalBytes(e.Mesh)
	st.FLOPs = c.flops
	st.Steps = append(
		st.Steps,
		Step{Kind: Multiply, From: left, To: product, Operand: inC, Bytes: st.Moved, FLOPs: st.FLOPs},
	)
	after := s.way(search[inC], inC, c.ends[inC])
	st.Steps = append(st.Steps, after...)
	for _, t := range after {
		st.Parallel += t.Price.by(s.plan.Options.Shortcut)
	}
	s.total(st)
	st.Peak = peak(e, st.Steps, left, right)
	st.Fits = s.chip.Memory <= 0 || st.Peak <= s.chip.Memory
	return st
}

// total adds the steps up.
func (s *planner) total(st *Strategy) {
	for _, t := range st.Steps {
		st.Exact += t.Price.Exact
		st.Shortcut += t.Price.Shortcut
		st.Received += t.Received
	}
	st.Comms = Price{st.Exact, st.Shortcut}.by(s.plan.Options.Shortcut)
	if s.chip.Peak > 0 {
		st.Math = st.FLOPs.Over(s.chip.Peak)
	}
	if s.chip.HBM > 0 {
		st.Memory = st.Moved.Over(s.chip.HBM)
	}
	st.Work = float64(st.FLOPs) * float64(s.plan.Einsum.Mesh.Chips()) / float64(s.plan.Einsum.FLOPs())
}

// by is the price by one of the two laws.
func (p Price) by(shortcut bool) q.Seconds {
	if shortcut {
		return p.Shortcut
	}
	return p.Exact
}

// parallel is how long the operands' collectives take at least if the two operands are moved at the same time: each
// operand's own steps wait for each other, and those that share wires take turns.
func (s *planner) parallel(steps []Step, busy [2]q.Seconds) q.Seconds {
	t := max(busy[0], busy[1])
	for i := range steps {
		load := q.Seconds(0)
		for j := range steps {
			if !s.plan.Fabric.Apart(maskOf(steps[i].Axes), maskOf(steps[j].Axes)) {
				load += steps[j].Price.by(s.plan.Options.Shortcut)
			}
		}
		t = max(t, load)
	}
	return min(t, busy[0]+busy[1])
}

func maskOf(axes []int) uint8 {
	m := uint8(0)
	for _, x := range axes {
		m |= 1 << x
	}
	return m
}

// way is the steps of an operand from its given layout to a node, or of the product from a node to the wanted layout.
func (s *planner) way(d *search, i int, end *node) []Step {
	steps := make([]Step, 0, end.steps+1)
	for n := end; n.parent >= 0; n = &d.nodes[n.parent] {
		from := d.nodes[n.parent].layout
		if d.back {
			steps = append(steps, s.step(d, i, n, n.layout.reversed(d.axes), from.reversed(d.axes)))
		} else {
			steps = append(steps, s.step(d, i, n, from, n.layout))
		}
	}
	if !d.back {
		slices.Reverse(steps)
	}
	return steps
}

func (s *planner) step(d *search, i int, m *node, from, to layout) Step {
	e, kind := s.plan.Einsum, d.forward(m.kind)
	a, axes := e.array(i), len(e.Mesh.Axes)
	t := Step{
		Kind:    kind,
		Axes:    s.plan.Fabric.axes(m.mask),
		From:    a.with(from, axes),
		To:      a.with(to, axes),
		Operand: i,
		Bytes:   m.bytes,
	}
	if kind <= AllToAll {
		t.Price, _ = s.plan.Fabric.price(kind.op(), m.mask, m.bytes)
		share, _ := kind.op().BusShare(float64(d.chips(m.mask)))
		t.Received = t.Bytes * q.Bytes(share)
	}
	return t
}
