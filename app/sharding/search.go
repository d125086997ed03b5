package sharding

// Bounds of the search. Up to four mesh axes and three dimensions none is reached; beyond, the layouts nearest to the
// given ones are looked at, and the plan says that it is not complete.
const (
	maxSettled = 4000    // layouts of one array
	maxMoves   = 120_000 // of one array
	maxJoint   = 60_000  // layouts of both operands together
)

// node is a layout that the search has reached.
type node struct {
	layout
	parent int32   // -1 at the start
	steps  int32   // from the start
	time   float64 // by the law the search goes by, in seconds
	price  Price   // all moves from the start
	last   move    // that led here
	done   bool
}

// less orders nodes by time, then by the number of steps.
func (n *node) less(o *node) bool {
	return n.time < o.time || n.time == o.time && n.steps < o.steps
}

// search is Dijkstra's, from one layout of one array to all that the moves reach: the cheapest way to each.
type search struct {
	mover
	fabric   *Fabric
	shortcut bool
	nodes    []node
	index    map[layout]int32
	heap     []int32
	complete bool
}

// explore runs the search from a layout.
func explore(s shape, f *Fabric, from layout, back, shortcut bool) *search {
	axes := len(s.mesh)
	if back {
		from = from.reversed(axes)
	}
	d := &search{mover: mover{shape: s, axes: axes, back: back}, fabric: f, shortcut: shortcut, index: map[layout]int32{}, complete: true}
	d.reach(node{layout: from, parent: -1})
	settled, moves := 0, 0
	for len(d.heap) > 0 {
		i := d.pop()
		if d.nodes[i].done {
			continue
		}
		d.nodes[i].done = true
		if settled++; settled > maxSettled || moves > maxMoves {
			d.complete = false
			break
		}
		d.emit = func(m move) { moves++; d.relax(i, m) }
		d.moves(d.nodes[i].layout)
	}
	return d
}

// relax takes a move from node i, if the hardware has it.
func (d *search) relax(i int32, m move) {
	n := node{layout: m.to, parent: i, last: m, steps: d.nodes[i].steps + 1, time: d.nodes[i].time, price: d.nodes[i].price}
	if m.kind <= AllToAll {
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

// reach enters a node, unless its layout is known to be nearer.
func (d *search) reach(n node) {
	i, known := d.index[n.layout]
	switch {
	case !known:
		i = int32(len(d.nodes))
		d.nodes = append(d.nodes, n)
		d.index[n.layout] = i
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
	i, ok := d.index[l]
	if !ok || !d.nodes[i].done {
		return nil, false
	}
	return &d.nodes[i], true
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
