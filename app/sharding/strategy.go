package sharding

import (
	"cmp"
	"math"
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
	// Parallel is Comms if collectives of the two operands that share no link run at the same time.
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
		steps := s.path(search[i], i, c.ends[i])
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
	after := s.path(search[inC], inC, c.ends[inC])
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
// operand's own steps wait for each other, and those that share links take turns.
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

// path is the steps of an operand from its given layout to a node, or of the product from a node to the wanted layout.
func (s *planner) path(d *search, i int, end *node) []Step {
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

// Bounds of the search, which keep every plan within a frame or two. No product of matrices on up to four mesh axes
// comes near them. Where there would be more layouts, each axis stays at the dimensions at which it stands in one of
// the three arrays as given and as wanted, and the plan says that it is not complete.
const (
	maxLayouts = 3000   // of one array
	maxMoves   = 40_000 // looked at for one array
	maxJoint   = 4000   // layouts of both operands together
)

// arrangements is in how many ways some axes can be put at dimensions in order, those left having so many places of
// their own (where order does not count).
func arrangements(axes, dims, places int) float64 {
	total := 0.0
	for k := range axes + 1 {
		n := math.Pow(float64(places), float64(axes-k))
		for i := range k {
			n *= float64(axes-i) * float64(dims+i) / float64(i+1)
		}
		total += n
	}
	return total
}

// node is a layout that the search has reached.
type node struct {
	layout
	bytes  q.Bytes // of the move that led here
	price  Price   // of all moves from the start
	time   float64 // of all moves from the start by the law the search goes by, in seconds
	parent int32   // -1 at the start
	steps  int16   // from the start
	mask   uint8   // the axes of the move that led here
	kind   Kind    // and what it was
	turned bool    // see search
	done   bool
}

// less orders nodes by time, then by the number of steps.
func (n *node) less(o *node) bool {
	return n.time < o.time || n.time == o.time && n.steps < o.steps
}

// search is Dijkstra's, from one layout of one array to all that the moves reach: the cheapest way to each.
//
// A plain search slices only where nothing is communicated after it, as a person would. Without that bound the search
// also finds that an array with copies along an idle axis is gathered faster if it is first sliced along that axis and
// then gathered over both, on the links of both.
type search struct {
	mover
	fabric   *Fabric
	shortcut bool
	plain    bool
	nodes    []node
	index    table
	axes     int
	heap     []int32
	complete bool
}

// explore runs the search from a layout; allow says of each axis at which dimensions it may come to stand, a bit each.
func explore(s shape, f *Fabric, from layout, allow [maxAxes]uint16, back, plain, shortcut bool) *search {
	axes := len(s.mesh)
	if back {
		from = from.reversed(axes)
	}
	d := &search{
		mover:    mover{shape: s, back: back, allow: allow},
		axes:     axes,
		fabric:   f,
		shortcut: shortcut,
		plain:    plain,
		complete: true,
	}
	d.reach(node{layout: from, parent: -1})
	settled, moves := 0, 0
	current := int32(0)
	d.emit = func(m move) { moves++; d.relax(current, m) }
	for len(d.heap) > 0 {
		i := d.pop()
		if d.nodes[i].done {
			continue
		}
		d.nodes[i].done = true
		if settled++; settled > 2*maxLayouts || moves > maxMoves {
			d.complete = false
			break
		}
		current = i
		d.moves(d.nodes[i].layout)
	}
	return d
}

// relax takes a move from node i, if the hardware has it.
func (d *search) relax(i int32, m move) {
	o := &d.nodes[i]
	n := node{
		layout: m.to,
		parent: i,
		kind:   m.kind,
		mask:   m.mask,
		bytes:  m.bytes,
		steps:  o.steps + 1,
		time:   o.time,
		price:  o.price,
	}
	communicates := m.kind <= AllToAll
	if d.plain {
		n.turned = o.turned || communicates == d.back
		if o.turned && communicates != d.back {
			return
		}
	}
	if communicates {
		p, ok := d.fabric.price(d.forward(m.kind).op(), m.mask, m.bytes)
		if !ok {
			return
		}
		n.price.Exact += p.Exact
		n.price.Shortcut += p.Shortcut
		n.time += float64(p.by(d.shortcut))
	}
	d.reach(n)
}

// forward is the step that a move of this search stands for.
func (d *search) forward(k Kind) Kind {
	if d.back {
		return k.reversed()
	}
	return k
}

// turnedBit tells two nodes of the same layout apart in the table.
const turnedBit = 1 << 63

// reach enters a node, unless its layout is known to be nearer.
func (d *search) reach(n node) {
	key := uint64(n.layout)
	if n.turned {
		key |= turnedBit
	}
	slot := d.index.find(key)
	i := *slot
	switch {
	case i < 0:
		i = int32(len(d.nodes))
		*slot = i
		d.index.used++
		d.nodes = append(d.nodes, n)
	case d.nodes[i].done || !n.less(&d.nodes[i]):
		return
	default:
		d.nodes[i] = n
	}
	d.push(i)
}

// to is the node of a layout, if the search reached it.
func (d *search) to(l layout) (*node, bool) {
	if d.back {
		l = l.reversed(d.axes)
	}
	best := d.node(uint64(l))
	if other := d.node(uint64(l) | turnedBit); other != nil && (best == nil || other.less(best)) {
		best = other
	}
	return best, best != nil
}

func (d *search) node(key uint64) *node {
	if i := *d.index.find(key); i >= 0 && d.nodes[i].done {
		return &d.nodes[i]
	}
	return nil
}

// title is the steps to a node, or from it, as Strategy.Title has them, without spaces: "AllGather_X(A),Slice_Y(A),".
func (d *search) title(n *node, array string, m *Mesh) string {
	text := ""
	for ; n.parent >= 0; n = &d.nodes[n.parent] {
		step := d.forward(n.kind).String() + subscript(d.fabric.axes(n.mask), m) + "(" + array + "),"
		if d.back {
			text += step
		} else {
			text = step + text
		}
	}
	return text
}

// push and pop keep the nearest node on top. A node that came nearer is in the heap twice; done says so.
func (d *search) push(i int32) {
	d.heap = append(d.heap, i)
	for k := len(d.heap) - 1; k > 0; {
		up := (k - 1) / 2
		if !d.nodes[d.heap[k]].less(&d.nodes[d.heap[up]]) {
			return
		}
		d.heap[k], d.heap[up] = d.heap[up], d.heap[k]
		k = up
	}
}

func (d *search) pop() int32 {
	top, last := d.heap[0], len(d.heap)-1
	d.heap[0] = d.heap[last]
	d.heap = d.heap[:last]
	for k := 0; ; {
		child := 2*k + 1
		if child >= last {
			return top
		}
		if child+1 < last && d.nodes[d.heap[child+1]].less(&d.nodes[d.heap[child]]) {
			child++
		}
		if !d.nodes[d.heap[child]].less(&d.nodes[d.heap[k]]) {
			return top
		}
		d.heap[k], d.heap[child] = d.heap[child], d.heap[k]
		k = child
	}
}

// table maps layouts to nodes: a hash table with open addressing, quicker to make than a map.
type table struct {
	keys []uint64
	node []int32 // -1 where the slot is free
	used int
}

// find is the slot of a key; a new one holds -1 and is filled by the caller.
func (t *table) find(key uint64) *int32 {
	if 2*t.used >= len(t.node) {
		t.grow()
	}
	mask := uint64(len(t.node) - 1)
	for h := key * 0x9E3779B97F4A7C15 >> 20; ; h++ {
		i := h & mask
		if t.node[i] < 0 {
			if t.keys[i] != key {
				t.keys[i] = key
			}
			return &t.node[i]
		}
		if t.keys[i] == key {
			return &t.node[i]
		}
	}
}

func (t *table) grow() {
	old := *t
	n := max(64, 2*len(old.node))
	t.keys, t.node, t.used = make([]uint64, n), make([]int32, n), 0
	for i := range t.node {
		t.node[i] = -1
	}
	for i, v := range old.node {
		if v >= 0 {
			*t.find(old.keys[i]) = v
			t.used++
		}
	}
}
