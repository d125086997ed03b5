package sharding

// Bounds of the search. Up to four mesh axes and three dimensions none is reached; beyond, the layouts nearest to the
// given ones are looked at, and the plan says that it is not complete.
const (
	maxSettled = 4000    // layouts of one array
	maxMoves   = 120_000 // of one array
	maxJoint   = 60_000  // layouts of both operands together
)

// state is a node of the search: a layout, and in a plain search whether the way has turned (see search).
type state struct {
	layout
	turned bool
}

// node is a state that the search has reached.
type node struct {
	state
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
	index    map[state]int32
	heap     []int32
	complete bool
}

// explore runs the search from a layout.
func explore(s shape, f *Fabric, from layout, back, plain, shortcut bool) *search {
	axes := len(s.mesh)
	if back {
		from = from.reversed(axes)
	}
	d := &search{mover: mover{shape: s, axes: axes, back: back}, fabric: f, shortcut: shortcut, plain: plain, index: map[state]int32{}, complete: true}
	d.reach(node{state: state{layout: from}, parent: -1})
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
	o := &d.nodes[i]
	n := node{state: state{layout: m.to}, parent: i, last: m, steps: o.steps + 1, time: o.time, price: o.price}
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

// reach enters a node, unless its layout is known to be nearer.
func (d *search) reach(n node) {
	i, known := d.index[n.state]
	switch {
	case !known:
		i = int32(len(d.nodes))
		d.nodes = append(d.nodes, n)
		d.index[n.state] = i
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
	var best *node
	for _, turned := range [...]bool{false, true} {
		if i, ok := d.index[state{l, turned}]; ok && d.nodes[i].done && (best == nil || d.nodes[i].less(best)) {
			best = &d.nodes[i]
		}
	}
	return best, best != nil
}

// title is the steps to a node, or from it, as Strategy.Title has them, without spaces: "AllGather_X(A),Slice_Y(A),".
func (d *search) title(n *node, array string, m Mesh) string {
	text := ""
	for ; n.parent >= 0; n = &d.nodes[n.parent] {
		step := d.forward(n.last.kind).String() + subscript(d.fabric.axes(n.last.mask), m) + "(" + array + "),"
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
