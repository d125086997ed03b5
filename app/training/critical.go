package training

import (
	"slices"
	"sync"
)

// path counts passes on a way through the passes of a step, by kind, in those of a microbatch through a rank. Each
// begins when the one before it ends.
type path [3]float64

// takes is how long a path takes.
func (n *path) takes(length *[3]float64) float64 {
	return n[Forward]*length[Forward] + n[Backward]*length[Backward] + n[Weights]*length[Weights]
}

// plus is a path and so often another.
func (n path) plus(times float64, other path) path {
	for i := range n {
		n[i] += times * other[i]
	}
	return n
}

// critical plays orders, and tells the longest path of the rank that takes longest, from its first pass to its last.
func (q *pipe) critical(orders [][]act, length [3]float64) path {
	g := q.game(orders, length)
	n := len(g.done[0])
	both := make([]path, 2*n+2*q.ranks)
	g.paths, g.began, g.ways = [2][]path{both[:n], both[n : 2*n]}, both[2*n:2*n+q.ranks], both[2*n+q.ranks:]
	_, i := g.play()
	return path{}.plus(1/q.parts(), g.ways[i].plus(-1, g.began[i]))
}

// follow notes the path to acts that a rank does after what it waited for, or after what it did before.
func (g *game) follow(rank int, acts []act, pass Pass, place int) {
	way := g.ways[rank]
	if place >= 0 {
		way = g.paths[pass][place]
	}
	if g.at[rank] == 0 {
		g.began[rank] = way
	}
	for _, a := range acts {
		way[a.pass]++
	}
	for _, a := range acts {
		if a.pass != Weights {
			g.paths[a.pass][g.place(rank, int(a.chunk), a.micro)] = way
		}
	}
	g.ways[rank] = way
}

// critical is a path that no other is longer than, for some lengths of passes, and what a group of as many microbatches
// as there are ranks adds to it.
type critical struct{ path, group path }

// plays are the schedules that have been played: a search asks for each of them many times.
type plays struct {
	mutex    sync.Mutex
	critical map[pipe][]critical
	held     map[pipe]flight
	ordered  pipe // whose orders are at hand
	orders   [][]act
	asked    asked
}

// asked is the last question and its answer.
type asked struct {
	pipe
	f, w, span float64
}

func newPlays() *plays { return &plays{critical: map[pipe][]critical{}, held: map[pipe]flight{}} }

// span is how long a pipeline takes for a step, in times of a microbatch on a rank, of which a forward pass takes the
// share f and gradients of weights the share w.
//
// With its order given, a step takes as long as the longest of many paths. So it is the longest of those that are
// critical for some lengths: what is played where those have been found, never above it, and longer with each of the
// three passes.
func (t *plays) span(q pipe, f, w float64) float64 {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if t.asked.pipe == q && t.asked.f == f && t.asked.w == w {
		return t.asked.span
	}
	t.asked = asked{q, f, w, t.longest(q, [3]float64{f, 1 - f - w, w})}
	return t.asked.span
}

func (t *plays) longest(q pipe, length [3]float64) float64 {
	few := q
	few.micros = q.enough()
	paths, known := t.critical[few]
	if !known {
		paths = t.paths(few)
		t.critical[few] = paths
	}
	span, groups := q.causal(length[Forward], length[Backward]), float64(q.micros-few.micros)/float64(q.ranks)
	for i := range paths {
		c := &paths[i]
		span = max(span, c.path.takes(&length)+groups*c.group.takes(&length))
	}
	return span
}

// enough is how many microbatches show all that a schedule does: it fills, it runs, it empties. From there on a group
// of microbatches takes as long as the one before.
func (q *pipe) enough() int { return min(q.micros, 3*q.ranks) }

// causal is what no pipeline goes below whose first rank has all of a stage's forward passes and nothing else to do
// until the first microbatch comes back. One that also holds the last stage has that stage's, and is estimated by a
// quarter of a microbatch too long at most where there are few of them.
func (q *pipe) causal(f, b float64) float64 {
	p, m := float64(q.ranks), float64(q.micros)
	return m + max(0, p*f+(p-1)*b-m*f)
}

// corner is lengths of passes for which the longest path is known.
type corner struct {
	length [3]float64
	critical
	span float64
}

// triangles are the lengths between which paths are looked for, in 24 parts of a microbatch's time: passes alike and
// activations computed again, of weights that learn or don't, and the rest down to forward passes alone.
var triangles = [...][3][3]float64{
	{{6, 12, 6}, {8, 16, 0}, {6, 18, 0}}, {{6, 12, 6}, {8, 16, 0}, {8, 8, 8}}, {{12, 12, 0}, {8, 16, 0}, {8, 8, 8}},
	{{12, 12, 0}, {12, 0, 12}, {8, 8, 8}}, {{12, 12, 0}, {12, 0, 12}, {24, 0, 0}},
}

// halvings is how often triangles are halved at most: five times for sixteen ranks in chunks, and fewer times for
// longer pipelines, of which a play takes as much longer as it has acts. What paths there are doesn't depend on the
// number of ranks: three halvings find them but for those of narrow ranges, and two miss some.
func (q *pipe) halvings() (n int) {
	const most, least, acts = 5, 3, 16 * 48 * 2
	n = most
	for all := q.ranks * q.micros * q.chunks; all > acts && n > least; all /= 2 {
		n--
	}
	return n
}

// explorer looks for the critical paths of a pipeline.
type explorer struct {
	pipe
	orders, fewer [][]act // of all microbatches, and of a group less if that shows what a group adds
	found         []corner
}

// paths are the critical paths of a pipeline.
func (t *plays) paths(q pipe) (all []critical) {
	e := explorer{pipe: q}
	if q.micros == 3*q.ranks {
		q.micros -= q.ranks
		e.fewer = t.ordersOf(q)
	}
	e.orders = t.ordersOf(e.pipe)
	for _, t := range triangles {
		e.explore(e.played(t[0]), e.played(t[1]), e.played(t[2]), e.halvings())
	}
	for _, c := range e.found {
		if !slices.Contains(all, c.critical) {
			all = append(all, c.critical)
		}
	}
	return all
}

// explore finds the paths that are critical in a triangle. A convex function that is flat at three corners is flat
// between them; else one that has two paths at the ends of the longest side may have another in its middle.
func (e *explorer) explore(a, b, c corner, halvings int) {
	if halvings == 0 || a.spans(&b, &c) || b.spans(&c, &a) || c.spans(&a, &b) {
		return
	}
	ab, bc, ca := apart(&a, &b), apart(&b, &c), apart(&c, &a)
	if longest := max(ab, bc, ca); bc == longest {
		a, b, c = b, c, a
	} else if ca == longest {
		a, b, c = c, a, b
	}
	middle := e.between(&a, &b)
	e.explore(a, middle, c, halvings-1)
	e.explore(middle, b, c, halvings-1)
}

// spans tells whether the path of one corner is critical at two others too.
func (c *corner) spans(others ...*corner) bool {
	return !slices.ContainsFunc(others, func(o *corner) bool { return c.path.takes(&o.length) < o.span-1e-9 })
}

// apart is the square of how far two corners are apart.
func apart(a, b *corner) (sum float64) {
	for i := range a.length {
		sum += (a.length[i] - b.length[i]) * (a.length[i] - b.length[i])
	}
	return sum
}

// between is the corner in the middle of two. It isn't played if some path takes as long there as it can be at most.
func (e *explorer) between(a, b *corner) corner {
	c := corner{span: (a.span + b.span) / 2}
	for i := range c.length {
		c.length[i] = (a.length[i] + b.length[i]) / 2
	}
	for i := range e.found {
		if f := &e.found[i]; f.path.takes(&c.length) > c.span-1e-9 {
			c.critical = f.critical
			return c
		}
	}
	return e.played(c.length)
}

// played is a corner that is played, once.
func (e *explorer) played(length [3]float64) corner {
	for _, c := range e.found {
		if c.length == length {
			return c
		}
	}
	c := corner{length: length}
	c.path = e.critical(e.orders, length)
	c.span = c.path.takes(&length)
	c.group = e.group(&c)
	e.found = append(e.found, c)
	return c
}

// group is what a group of microbatches adds to a corner's path: the same as where that path was found before.
func (e *explorer) group(c *corner) path {
	if e.fewer == nil {
		return path{}
	}
	for i := range e.found {
		if e.found[i].path == c.path {
			return e.found[i].group
		}
	}
	fewer := e.pipe
	fewer.micros -= fewer.ranks
	return c.path.plus(-1, fewer.critical(e.fewer, c.length))
}

func (t *plays) ordersOf(q pipe) [][]act {
	if t.orders == nil || t.ordered != q {
		t.ordered, t.orders = q, q.orders()
	}
	return t.orders
}

// flight is how many microbatches' activations the ranks of a pipeline keep.
func (t *plays) flight(q pipe) flight {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	q.micros = q.enough()
	n, known := t.held[q]
	if !known {
		n = newFlight(q.held(t.ordersOf(q)))
		t.held[q] = n
	}
	return n
}

func newFlight(held []float64) flight {
	last := len(held) - 1
	n := flight{first: held[0], last: held[last], middle: held[min(1, last)]}
	for _, h := range held[1:max(1, last)] {
		n.middle = max(n.middle, h)
	}
	return n
}
