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
	Most     int  // strategies to return; 0 means 32, less than 0 none, for Plan.Named
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
// split is contiguous only then. Each move may take several axes at once, and then uses the links of all of them.
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
	if most < 0 {
		return nil
	}
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

// planner joins the searches of the three arrays.
type planner struct {
	plan   *Plan
	chip   Chip
	plain  [3]*search
	any    [3]*search
	found  []candidate
	looked int
	joint  joint
	allow  [maxAxes]uint16 // the indices that each axis may stand at, a bit each
}

// bound keeps the axes where they stand in one of the arrays, if the search would be too large otherwise.
func (s *planner) bound() {
	e := s.plan.Einsum
	axes := len(e.Mesh.Axes)
	small := arrangements(axes, len(e.Indices), 1) <= maxJoint
	for i := range 3 {
		small = small && arrangements(axes, len(e.array(i).Dims), 2) <= maxLayouts
	}
	for x := range axes {
		if small {
			s.allow[x] = ^uint16(0)
			continue
		}
		for i := range 3 {
			if k := e.indexSplit(i, x); k >= 0 {
				s.allow[x] |= 1 << k
			}
		}
	}
	s.plan.Complete = small
}

// allowed is the same by the dimensions of array i, from 1.
func (s *planner) allowed(i int) [maxAxes]uint16 {
	var dims [maxAxes]uint16
	for k, ix := range s.plan.Einsum.Indices {
		for x := range dims {
			if d := ix.dim[i]; d >= 0 && s.allow[x]>>k&1 != 0 {
				dims[x] |= 1 << (d + 1)
			}
		}
	}
	return dims
}

// joint is where each axis stands among the indices of both operands, while they are enumerated.
type joint struct {
	list  [maxDims][maxAxes]int // the axes on each index, in order
	count [maxDims]int
	parts [maxDims]int // into how many parts they split it
	whole [2]uint8     // the axes along which an operand is left unreduced
}

func (j *joint) start() {
	for i := range j.parts {
		j.parts[i] = 1
	}
}

// insert puts axis x of the given size at a place among the axes of index i; remove takes it out again.
func (j *joint) insert(x, size, i, at int) {
	copy(j.list[i][at+1:], j.list[i][at:j.count[i]])
	j.list[i][at] = x
	j.count[i]++
	j.parts[i] *= size
}

func (j *joint) remove(size, i, at int) {
	copy(j.list[i][at:], j.list[i][at+1:j.count[i]])
	j.count[i]--
	j.parts[i] /= size
}

// candidate is a joint layout with its times.
type candidate struct {
	around       [3]layout // the operands as they are multiplied, and the product as it comes
	ends         [3]*node  // of each array's search
	flops        q.FLOPs   // of each chip, padding included
	lower, upper float64
	held         q.Bytes // operands and product during the einsum
	steps        int16
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
	return cmp.Or(
		near(c.lower, o.lower),
		near(c.upper, o.upper),
		cmp.Compare(c.held, o.held),
		cmp.Compare(c.steps, o.steps),
	)
}

// near compares times that may differ by rounding only.
func near(a, b float64) int {
	if d := a - b; d < 1e-12*b && -d < 1e-12*b {
		return 0
	}
	return cmp.Compare(a, b)
}

// enumerate gives axis x and those after it a place among the indices, in every order.
func (s *planner) enumerate(x int) {
	e, j := s.plan.Einsum, &s.joint
	if s.looked > maxJoint {
		s.plan.Complete = false
		return
	}
	if x == len(e.Mesh.Axes) {
		s.looked++
		s.consider()
		return
	}
	s.enumerate(x + 1)
	for side, a := range []*Array{&e.A, &e.B} {
		if slices.Contains(a.Unreduced, x) {
			j.whole[side] |= 1 << x
			s.enumerate(x + 1)
			j.whole[side] &^= 1 << x
		}
	}
	size := e.Mesh.Axes[x].Size
	for i, ix := range e.Indices {
		if float64(j.parts[i]*size) > ix.Size || s.allow[x]>>i&1 == 0 {
			continue
		}
		for at := j.count[i]; at >= 0; at-- {
			j.insert(x, size, i, at)
			s.enumerate(x + 1)
			j.remove(size, i, at)
		}
	}
}

// project is a joint layout as array k sees it: the layout in which the einsum takes an operand, or leaves the product.
func (s *planner) project(k int) layout {
	var l layout
	j := &s.joint
	for i := range s.plan.Einsum.Indices {
		d := s.plan.Einsum.Indices[i].dim[k]
		for at, x := range j.list[i][:j.count[i]] {
			switch {
			case d >= 0:
				l = l.put(x, d+1, at)
			case k == inC:
				l = l.put(x, partial, 0)
			}
		}
	}
	whole := j.whole[0] | j.whole[1]
	if k < inC {
		whole = j.whole[k]
	}
	for x := 0; whole != 0; x, whole = x+1, whole>>1 {
		if whole&1 != 0 {
			l = l.put(x, partial, 0)
		}
	}
	return l
}

// consider enters the joint layout if all three arrays can get to it, or come from it.
func (s *planner) consider() {
	c := candidate{plain: true, fits: true}
	for i := range c.around {
		c.around[i] = s.project(i)
		c.held += s.plain[i].local(c.around[i])
	}
	c.flops = s.flops()
	c.fits = s.chip.Memory <= 0 || c.held <= s.chip.Memory
	local := s.einsumTime(&c)
	plain := c.reach(&s.plain, local)
	if plain {
		s.found = append(s.found, c)
	}
	o := c
	o.plain, o.steps = false, 0
	if o.reach(&s.any, local) && (!plain || near(o.upper, c.upper) < 0) {
		s.found = append(s.found, o)
	}
}

// reach takes the paths of three searches to the layouts around the einsum, if there are.
func (c *candidate) reach(search *[3]*search, local float64) bool {
	comms := 0.0
	for i, l := range c.around {
		n, ok := search[i].to(l)
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

// flops is what one chip computes in the joint layout, padding included.
func (s *planner) flops() q.FLOPs {
	e := s.plan.Einsum
	n := e.perElement()
	for i, x := range e.Indices {
		n *= share(x.Size, s.joint.parts[i])
	}
	return q.FLOPs(n)
}

// einsumTime is the time of the local einsum: computing, or moving its arrays to and from memory once.
func (s *planner) einsumTime(c *candidate) float64 {
	t := 0.0
	if s.chip.Peak > 0 {
		t = float64(c.flops.Over(s.chip.Peak))
	}
	if s.chip.HBM > 0 {
		t = max(t, float64(c.held.Over(s.chip.HBM)))
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

// peak is the most that a chip holds at once.
func peak(e *Einsum, steps []Step, left, right *Array) q.Bytes {
	m := e.Mesh
	given := e.A.LocalBytes(m) + e.B.LocalBytes(m)
	var ready [2]q.Bytes // what operands take beside what was given
	if !sameLayout(&e.A, left) {
		ready[inA] = left.LocalBytes(m)
	}
	if !sameLayout(&e.B, right) {
		ready[inB] = right.LocalBytes(m)
	}
	most := given
	waiting := q.Bytes(0)
	for _, t := range steps {
		now := given
		switch {
		case t.Kind == Multiply:
			now += ready[inA] + ready[inB] + t.To.LocalBytes(m)
		case t.Operand == inC && t.Kind == AllReduce:
			now += t.To.LocalBytes(m)
		case t.Operand == inC:
			now += t.From.LocalBytes(m) + t.To.LocalBytes(m)
		default:
			if t.Operand == inB {
				waiting = ready[inA]
			}
			now += waiting + t.To.LocalBytes(m)
			if given := e.array(t.Operand); !sameLayout(given, t.From) {
				now += t.From.LocalBytes(m)
			}
		}
		most = max(most, now)
	}
	return most
}

// sameLayout tells whether two forms of one array are sharded alike.
func sameLayout(a, b *Array) bool { return layoutOf(a) == layoutOf(b) }
