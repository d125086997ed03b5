package sharding

import (
	"cmp"
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
	Strategies []*Strategy
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
// it, or an index of one operand while the other has copies along it. Axes on contracting dimensions leave partial
// sums. There is one strategy for each such joint layout, the one with the least communication: for each array the
// cheapest sequence of moves is found by itself, since the three sums are independent. Where slicing an operand before
// it is communicated makes that cheaper, the cheapest strategy that doesn't is listed as well (Plain).
//
// Strategies are ranked by whether they fit the memory, then by Lower, Upper, memory and number of steps.
func NewPlan(e *Einsum, chip Chip, f *Fabric, o Options) *Plan {
	p := &Plan{Einsum: e, Fabric: f, Options: o, Complete: true}
	p.Case, p.Cases = e.Case()
	s := &planner{plan: p, chip: chip}
	s.bound()
	for i := range s.plain {
		a, allow := e.array(i), s.allowed(i)
		s.plain[i] = explore(shapeOf(a, e.Mesh), f, layoutOf(a), allow, i == inC, true, o.Shortcut)
		s.any[i] = s.plain[i]
		if len(e.Mesh.Axes) > 1 { // with a single axis there is no idle one to slice along
			s.any[i] = explore(shapeOf(a, e.Mesh), f, layoutOf(a), allow, i == inC, false, o.Shortcut)
		}
		p.Complete = p.Complete && s.plain[i].complete && s.any[i].complete
	}
	s.joint.start()
	s.enumerate(0)
	p.planner, p.Found = s, len(s.found)
	for _, c := range s.best(cmp.Or(o.Most, 32)) {
		p.Strategies = append(p.Strategies, s.strategy(c))
	}
	for i := range p.Strategies { // memory is known only now
		for k := i; k > 0 && p.Strategies[k].compare(p.Strategies[k-1]) < 0; k-- {
			p.Strategies[k], p.Strategies[k-1] = p.Strategies[k-1], p.Strategies[k]
		}
	}
	return p
}

// best is the first candidates by rank, so many at most.
func (s *planner) best(most int) []*candidate {
	var top []*candidate
	for i := range s.found {
		c := &s.found[i]
		if len(top) == most && c.compare(top[most-1]) >= 0 {
			continue
		}
		if len(top) < most {
			top = append(top, c)
		}
		k := len(top) - 1
		for ; k > 0 && c.compare(top[k-1]) < 0; k-- {
			top[k] = top[k-1]
		}
		top[k] = c
	}
	return top
}

// Named is the best strategy with that title (see Strategy.Title; spaces don't matter), also among those that are not
// in Strategies; nil if there is none.
func (p *Plan) Named(title string) *Strategy {
	title = strings.ReplaceAll(title, " ", "")
	var best *candidate
	for i := range p.planner.found {
		c := &p.planner.found[i]
		if (best == nil || c.compare(best) < 0) && p.planner.title(c) == title {
			best = c
		}
	}
	if best == nil {
		return nil
	}
	return p.planner.strategy(best)
}
