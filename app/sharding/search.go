package sharding

import (
	"math"

	q "github.com/scalebook/scalebook/app/quantity"
)

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
// then gathered over both, on the wires of both.
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
