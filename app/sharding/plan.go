package sharding

import (
	"cmp"
	"slices"
	"strings"

	q "github.com/scalebook/scalebook/app/quantity"
)

// Chip is what one chip can do.
type Chip struct {
	Peak   q.FLOPRate  // for the einsum's dtype
	HBM    q.Bandwidth // of its memory; 0 leaves memory traffic out
	Memory q.Bytes     // that strategies may use; 0 means any amount
}

// Options choose how strategies are compared.
type Options struct {
	Shortcut bool // go by the textbook's approximations (V/W) instead of the exact times
	Most     int  // strategies to return; 0 means 32
}

// Plan is the ways to compute an einsum on a mesh, best first.
type Plan struct {
	Einsum     *Einsum
	Fabric     *Fabric
	Case       Case   // of the whole
	Cases      []Case // of each mesh axis
	Strategies []Strategy
	Found      int  // strategies there are, returned or not
	Complete   bool // every strategy made of the moves was looked at
	Options    Options

	planner *planner
}

// NewPlan finds the strategies that compute e, and ranks them.
//
// A strategy brings both operands into a layout in which chips can multiply what they have, multiplies, and brings the
// product into the layout that is wanted. Its moves are: all-gather the last axes of any dimensions; move the last axes
// of one dimension to another (all-to-all); reduce unreduced axes (all-reduce), or reduce and split (reduce-scatter);
// split along an axis of copies (slice), which is free. Axes are gathered from the last because what they
// split is contiguous only then. Each move may take several axes at once, and then uses the wires of all of them.
//
// Chips can multiply what they have if each axis splits the same index in the same place in all operands that have
// it, or an index of one operand while the other has copies along it. Axes on contracting dimensions leave partial sums.
// There is one strategy for each such joint layout, the one with the least communication: for each array
// the cheapest sequence of moves is found by itself, since the three sums are independent. Where slicing an operand
// before it is communicated makes that cheaper, the cheapest strategy that doesn't is listed as well (Plain).
//
// Strategies are ranked by whether they fit the memory, then by Lower, Upper, memory and number of steps.
func NewPlan(e *Einsum, chip Chip, f *Fabric, o Options) *Plan {
	p := &Plan{Einsum: e, Fabric: f, Options: o, Complete: true}
	p.Case, p.Cases = e.Case()
	s := &planner{plan: p, chip: chip}
	for i := range s.plain {
		a := e.array(i)
		s.plain[i] = explore(shapeOf(a, e.Mesh), f, layoutOf(a), i == inC, true, o.Shortcut)
		s.any[i] = explore(shapeOf(a, e.Mesh), f, layoutOf(a), i == inC, false, o.Shortcut)
		p.Complete = p.Complete && s.plain[i].complete && s.any[i].complete
	}
	s.enumerate(0, layout{})
	p.planner, p.Found = s, len(s.found)
	slices.SortFunc(s.found, func(a, b candidate) int { return a.compare(&b) })
	most := cmp.Or(o.Most, 32)
	for _, c := range s.found[:min(len(s.found), most)] {
		p.Strategies = append(p.Strategies, s.strategy(c))
	}
	slices.SortStableFunc(p.Strategies, func(a, b Strategy) int { return a.compare(&b) })
	return p
}

// Named is the best strategy with that title (see Strategy.Title; spaces don't matter), also among those that are not
// in Strategies.
func (p *Plan) Named(title string) (Strategy, bool) {
	title = strings.ReplaceAll(title, " ", "")
	for i := range p.planner.found {
		if c := &p.planner.found[i]; p.planner.title(c) == title {
			return p.planner.strategy(*c), true
		}
	}
	return Strategy{}, false
}

// planner joins the searches of the three arrays.
type planner struct {
	plan   *Plan
	chip   Chip
	plain  [3]*search
	any    [3]*search
	found  []candidate
	looked int
}

// candidate is a joint layout with its times.
type candidate struct {
	joint        layout
	ends         [3]*node // of each array's search
	lower, upper float64
	held         q.Bytes // operands and product during the einsum
	steps        int32
	plain        bool
	fits         bool
}

func (c *candidate) compare(o *candidate) int {
	if c.fits != o.fits {
		if c.fits {
			return -1
		}
		return 1
	}
	return cmp.Or(near(c.lower, o.lower), near(c.upper, o.upper), cmp.Compare(c.held, o.held), cmp.Compare(c.steps, o.steps))
}

// near compares times that may differ by rounding only.
func near(a, b float64) int {
	if d := a - b; d < 1e-12*b && -d < 1e-12*b {
		return 0
	}
	return cmp.Compare(a, b)
}

// enumerate gives axis x and those after it a place among the indices, in every order.
func (s *planner) enumerate(x int, joint layout) {
	e := s.plan.Einsum
	if s.looked > maxJoint {
		s.plan.Complete = false
		return
	}
	if x == len(e.Mesh.Axes) {
		s.looked++
		s.consider(joint)
		return
	}
	s.enumerate(x+1, joint)
	for side, a := range []*Array{&e.A, &e.B} {
		if slices.Contains(a.Unreduced, x) {
			next := joint
			next[x] = place{dim: partial + int8(side)}
			s.enumerate(x+1, next)
		}
	}
	for i, ix := range e.Indices {
		dim := int8(i + 1)
		n := joint.count(dim, x)
		next := joint
		next[x] = place{dim, n}
		if parts(&next, dim, e.Mesh) > ix.Size {
			continue
		}
		for at := n; at >= 0; at-- {
			next := joint
			for y := range x {
				if next[y].dim == dim && next[y].at >= at {
					next[y].at++
				}
			}
			next[x] = place{dim, at}
			s.enumerate(x+1, next)
		}
	}
}

// parts is into how many parts a layout splits a dimension.
func parts(l *layout, dim int8, m Mesh) int {
	n := 1
	for x, a := range m.Axes {
		if l[x].dim == dim {
			n *= a.Size
		}
	}
	return n
}

// project is a joint layout as array i sees it: the layout in which the einsum takes an operand, or leaves the product.
func (s *planner) project(joint *layout, i int) layout {
	var l layout
	e := s.plan.Einsum
	for x := range e.Mesh.Axes {
		switch dim := joint[x].dim; {
		case dim == unused:
		case dim >= partial:
			if i == inC || int(dim-partial) == i {
				l[x] = place{dim: partial}
			}
		default:
			if d := e.Indices[dim-1].dim[i]; d >= 0 {
				l[x] = place{int8(d + 1), joint[x].at}
			} else if i == inC {
				l[x] = place{dim: partial}
			}
		}
	}
	return l
}

// consider enters a joint layout that all three arrays can get to, or come from.
func (s *planner) consider(joint layout) {
	var ends [3]layout
	held := q.Bytes(0)
	for i := range ends {
		ends[i] = s.project(&joint, i)
		held += s.plain[i].local(&ends[i])
	}
	c := candidate{joint: joint, held: held, plain: true, fits: s.chip.Memory <= 0 || held <= s.chip.Memory}
	local := s.einsumTime(&joint, held)
	plain := c.reach(&s.plain, &ends, local)
	if plain {
		s.found = append(s.found, c)
	}
	o := c
	o.plain, o.steps = false, 0
	if o.reach(&s.any, &ends, local) && (!plain || near(o.upper, c.upper) < 0) {
		s.found = append(s.found, o)
	}
}

// reach takes the ways of three searches to the layouts around the einsum, if there are.
func (c *candidate) reach(search *[3]*search, ends *[3]layout, local float64) bool {
	comms := 0.0
	for i := range ends {
		n, ok := search[i].to(ends[i])
		if !ok {
			return false
		}
		c.ends[i] = n
		c.steps += n.steps
		comms += n.time
	}
	c.lower, c.upper = max(local, comms), local+comms
	return true
}

// flops is what one chip computes in a joint layout, padding included.
func (s *planner) flops(joint *layout) q.FLOPs {
	e := s.plan.Einsum
	n := e.perElement()
	for i, x := range e.Indices {
		n *= float64(ceilDiv(x.Size, parts(joint, int8(i+1), e.Mesh)))
	}
	return q.FLOPs(n)
}

// einsumTime is the time of the local einsum: computing, or moving its arrays to and from memory once.
func (s *planner) einsumTime(joint *layout, held q.Bytes) float64 {
	t := 0.0
	if s.chip.Peak > 0 {
		t = float64(s.flops(joint).Over(s.chip.Peak))
	}
	if s.chip.HBM > 0 {
		t = max(t, float64(held.Over(s.chip.HBM)))
	}
	return t
}

// title is that of the candidate's strategy, without spaces.
func (s *planner) title(c *candidate) string {
	var b strings.Builder
	search := s.searches(c)
	for i, n := range c.ends {
		if i == inC {
			b.WriteString("Einsum,")
		}
		b.WriteString(search[i].title(n, s.plan.Einsum.array(i).Name, s.plan.Einsum.Mesh))
	}
	return strings.TrimSuffix(b.String(), ",")
}

// searches are those that the candidate's ways were found by.
func (s *planner) searches(c *candidate) *[3]*search {
	if c.plain {
		return &s.plain
	}
	return &s.any
}
