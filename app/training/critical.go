package training

import "slices"

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
	g.paths, g.began, g.steps = [2][]path{both[:n], both[n : 2*n]}, both[2*n:2*n+q.ranks], both[2*n+q.ranks:]
	_, i := g.play()
	return path{}.plus(1/q.parts(), g.steps[i].plus(-1, g.began[i]))
}

// follow notes the path to acts that a rank does after what it waited for, or after what it did before.
func (g *game) follow(rank int, acts []act, pass Pass, place int) {
	way := g.steps[rank]
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
	g.steps[rank] = way
}

// critical is a path that no other is longer than, for some lengths of passes, and what a group of as many microbatches
// as there are ranks adds to it.
type critical struct{ path, group path }

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

// explorer looks for the critical paths of a pipeline, one play after another.
type explorer struct {
	pipe
	orders, fewer [][]act    // of all microbatches, and of a group less if that shows what a group adds
	found, flat   []corner   // that were played, and that needn't be
	left          []triangle // to explore, the last first
}

// triangle is lengths between which paths are looked for, and how often it may be halved.
type triangle struct {
	corners  [3][3]float64
	halvings int
}

// paths are the critical paths that have been found.
func (e *explorer) paths() (all []critical) {
	for _, c := range e.found {
		if !slices.Contains(all, c.critical) {
			all = append(all, c.critical)
		}
	}
	return all
}

// explore goes on with the last triangle until something is played, and tells whether there is more to explore. A
// convex function that is flat at three corners is flat between them; else one that has two paths at the ends of the
// longest side may have another in its middle.
func (e *explorer) explore() (more bool) {
	for len(e.left) > 0 {
		t := &e.left[len(e.left)-1]
		var c [3]*corner
		for i, length := range t.corners {
			if c[i] = e.at(length); c[i] == nil {
				e.play(length)
				return true
			}
		}
		if t.halvings == 0 || c[0].spans(c[1], c[2]) || c[1].spans(c[2], c[0]) || c[2].spans(c[0], c[1]) {
			e.left = e.left[:len(e.left)-1]
			continue
		}
		if e.halve(c) {
			return true
		}
	}
	return false
}

// halve puts the halves of the last triangle in its place, and tells whether its middle was played for that.
func (e *explorer) halve(c [3]*corner) (played bool) {
	ab, bc, ca := apart(c[0], c[1]), apart(c[1], c[2]), apart(c[2], c[0])
	if longest := max(ab, bc, ca); bc == longest {
		c[0], c[1], c[2] = c[1], c[2], c[0]
	} else if ca == longest {
		c[0], c[1], c[2] = c[2], c[0], c[1]
	}
	n, last := len(e.found), len(e.left)-1
	x, y, z, halvings := c[0].length, c[1].length, c[2].length, e.left[last].halvings-1
	middle := e.between(c[0], c[1])
	e.left = append(e.left[:last], triangle{[3][3]float64{middle, y, z}, halvings},
		triangle{[3][3]float64{x, middle, z}, halvings})
	return len(e.found) > n
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

// between is the middle of two corners. It isn't played if some path takes as long there as it can be at most.
func (e *explorer) between(a, b *corner) (length [3]float64) {
	for i := range length {
		length[i] = (a.length[i] + b.length[i]) / 2
	}
	if e.at(length) != nil {
		return length
	}
	span := (a.span + b.span) / 2
	for i := range e.found {
		if f := &e.found[i]; f.path.takes(&length) > span-1e-9 {
			e.flat = append(e.flat, corner{length, f.critical, span})
			return length
		}
	}
	e.play(length)
	return length
}

// at is the corner with these lengths of passes, nil if it isn't known yet.
func (e *explorer) at(length [3]float64) *corner {
	for _, known := range [...][]corner{e.found, e.flat} {
		for i := range known {
			if known[i].length == length {
				return &known[i]
			}
		}
	}
	return nil
}

// play plays with these lengths of passes.
func (e *explorer) play(length [3]float64) {
	c := corner{length: length}
	c.path = e.critical(e.orders, length)
	c.span = c.path.takes(&length)
	c.group = e.group(&c)
	e.found = append(e.found, c)
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
