package training

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"github.com/scalebook/scalebook/app/phrase"
)

// Objective is what the best plan has least of.
type Objective uint8

// The objectives. Cost is time, for as many devices.
const (
	ByTime Objective = iota
	ByMemory
)

// Search finds the best plans of a space.
type Search struct {
	Space     Space
	Objective Objective
	Top       int     // how many; 0 means 1
	Margin    float64 // share of the memory to leave free
	Misfits   bool    // plans that don't fit count too
	MaxTP     int     // 0 means any
	Part      int     // this part of the search, counted from 0,
	Parts     int     // of so many; 0 means 1
	Exhaust   bool    // estimate every plan, without bounds
}

// Found is what a search found.
type Found struct {
	Best      []Estimate // the best first, of those that the software can run
	Lacking   []Estimate // others that would be among them, or all that fit if there are none; see Lacks
	Divisions int        // divisions of the devices
	Estimated int        // plans estimated, in divisions that may hold one of the best
	Refused   int        // of them, plans that don't fit
	Cut       int        // divisions that hold none of the best, by their bounds
	Reasons   []Reason
}

// Reason is why plans were refused.
type Reason struct {
	Plans   int      // so many
	Binding string   // the largest part of the memory
	Nearest Estimate // the plan that lacks least
	Excess  float64  // bytes that Nearest lacks on its fullest rank
}

// Find searches. Its answer is that of estimating every plan of the space: a division of the devices is left out only
// if a lower bound of its time is above the worst plan kept, or if a lower bound of its memory doesn't fit.
func (p *Estimator) Find(s Search) Found {
	h := p.BeginSearch(s)
	for h.Step() {
	}
	return h.Found()
}

// SearchState is a search under way. It tries the division with the least bound first, so that it ends where no other
// can be better, and what it has found at its end doesn't depend on who tried which division when; see space.go.
type SearchState struct {
	*Estimator
	Search
	divisions []*division // of this part
	total     int         // of all parts
	cut       int         // divisions of this part that lack memory, by their bounds
	next      int         // the first that was neither tried nor lent
	back      []int       // divisions that were lent and came back untried
	now       *division   // the one that is tried
	micro     int         // the size of its micro-batches that is tried next
	draft     draft       // the plan that is tried
	lent      int         // divisions
	tried     int         // divisions
	best      []*kept
	lacking   []*kept // as many again that the software can't run
	limit     float64 // the worst plan that others keep
}

// division is a way to divide the devices, and what was found in it.
type division struct {
	degrees
	at                 int     // its place in the space: of equal plans the earlier stays
	least              float64 // no plan of it scores less
	estimated, refused int
	reasons            []Reason
}

// kept is one of the best plans, and where it was found.
type kept struct {
	Estimate
	score float64
	at    int
}

// BeginSearch begins a search.
func (p *Estimator) BeginSearch(s Search) *SearchState {
	s.Top, s.Parts = max(1, s.Top), max(1, s.Parts)
	h := &SearchState{Estimator: p, Search: s, limit: math.Inf(1)}
	p.eachDivision(&s.Space, func(t degrees) bool {
		if h.total++; (h.total-1)%s.Parts == s.Part && (s.MaxTP == 0 || t.tp <= s.MaxTP) {
			h.add(t)
		}
		return true
	})
	if !h.Exhaust {
		slices.SortStableFunc(h.divisions, func(a, b *division) int { return cmp.Compare(a.least, b.least) })
	}
	return h
}

// add counts a division in, unless it doesn't fit by its bound.
func (h *SearchState) add(t degrees) {
	bound := h.bound(t)
	if !h.Misfits && !h.Exhaust && bound.bytes > h.capacity(&h.Search) {
		h.cut++
		return
	}
	least := bound.seconds
	if h.Objective == ByMemory {
		least = bound.bytes
	}
	h.divisions = append(h.divisions, &division{degrees: t, at: h.total, least: least})
}

// Step estimates the plans of one more size of micro-batches of a division, or plays once of what they need, and tells
// whether there is more to do here.
func (h *SearchState) Step() (more bool) {
	if h.now == nil && !h.take() {
		return false
	}
	if h.rehearse() {
		return true
	}
	if h.micro < len(h.Space.Micro) {
		h.eachPlanOfMicro(&h.Space, h.now.degrees, h.Space.Micro[h.micro], h.try)
		h.micro++
	}
	if h.micro >= len(h.Space.Micro) {
		h.now, h.micro = nil, 0
		h.tried++
	}
	return h.now != nil || h.remaining() > 0
}

// rehearse plays once of the pipelines that come next, and tells whether it had to.
func (h *SearchState) rehearse() (more bool) {
	if h.micro >= len(h.Space.Micro) {
		return false
	}
	plan := h.now.plan()
	plan.Micro = h.Space.Micro[h.micro]
	for _, plan.Schedule = range h.Space.Schedules {
		if plan.Schedule.played() && h.divides(&plan) &&
			h.plays.rehearse(newPipe(plan.Schedule, plan.PP, 1, plan.MicroBatches(h.job.Batch))) {
			return true
		}
	}
	return false
}

// take begins with the next division that may hold one of the best plans, and tells whether there is one.
func (h *SearchState) take() bool {
	if h.remaining() == 0 {
		return false
	}
	h.now = h.divisions[h.pop()]
	return true
}

// pop takes the next division out of those that are left. There must be one.
func (h *SearchState) pop() int {
	if last := len(h.back) - 1; last >= 0 {
		i := h.back[last]
		h.back = h.back[:last]
		return i
	}
	h.next++
	return h.next - 1
}

// remaining is how many divisions that nobody tries are left to try.
func (h *SearchState) remaining() int { return len(h.back) + max(0, h.unpruned()-h.next) }

// unpruned is how many divisions may hold one of the best plans: the first so many, since they are in order.
func (h *SearchState) unpruned() int {
	if h.Exhaust {
		return len(h.divisions)
	}
	worst := h.worst()
	return sort.Search(len(h.divisions), func(i int) bool { return h.divisions[i].least > worst })
}

// worst is the score that the worst of the best plans has; no worse plan is kept.
func (h *SearchState) worst() float64 {
	if len(h.best) < h.Top {
		return h.limit
	}
	return min(h.limit, h.best[h.Top-1].score)
}

// Done is the share of the divisions that have been tried, of those that may hold one of the best plans.
func (h *SearchState) Done() float64 {
	left := h.lent + h.remaining()
	if h.now != nil {
		left++
	}
	if left == 0 {
		return 1
	}
	return float64(h.tried) / float64(h.tried+left)
}

// Found is what is found so far, the most frequent reason first. It leaves out what was found in divisions of which it
// has turned out that they hold none of the best plans.
func (h *SearchState) Found() Found {
	open := h.unpruned()
	f := Found{Divisions: h.total, Cut: h.cut + len(h.divisions) - open}
	for _, k := range h.best {
		f.Best = append(f.Best, k.Estimate)
	}
	for _, k := range h.lacking {
		if k.score <= h.worst() {
			f.Lacking = append(f.Lacking, k.Estimate)
		}
	}
	for _, d := range h.divisions[:open] {
		f.Estimated += d.estimated
		f.Refused += d.refused
		for j := range d.reasons {
			f.Reasons = counted(f.Reasons, &d.reasons[j])
		}
	}
	for i := range f.Reasons { // the few in order; a sort of their type is much code for the browser
		for ; i > 0 && f.Reasons[i].Plans > f.Reasons[i-1].Plans; i-- {
			f.Reasons[i], f.Reasons[i-1] = f.Reasons[i-1], f.Reasons[i]
		}
	}
	return f
}

// capacity is the memory that a plan may take.
func (p *Estimator) capacity(s *Search) float64 {
	return AfterContext(p.job.Device.Memory) * (1 - s.Margin)
}

// score is what the objective counts.
func (h *SearchState) score(estimate *Estimate) float64 {
	if h.Objective == ByMemory {
		return estimate.Memory.Total()
	}
	return estimate.Time.Step()
}

// try estimates a plan of the present division and keeps it if it is among the best.
func (h *SearchState) try(plan Plan, news change) {
	d := &h.draft
	h.estimateMemory(d, plan, news)
	h.now.estimated++
	if !h.Misfits {
		if excess := d.Memory.Total() - h.capacity(&h.Search); excess > 0 {
			h.refuse(&d.Estimate, excess)
			return
		}
	}
	h.time(d)
	h.keep(&d.Estimate, h.now.at)
}

// keep keeps a plan that is among the best, or would be if the software could run it. Of equal plans the earlier in the
// space stays.
func (h *SearchState) keep(estimate *Estimate, at int) {
	score := h.score(estimate)
	if score > h.worst() {
		return
	}
	list := &h.best
	if h.Lacks(&estimate.Plan) != "" {
		list = &h.lacking
	}
	all := *list
	i := sort.Search(len(all), func(i int) bool {
		return all[i].score > score || all[i].score == score &&
			all[i].at > at
	})
	if i == h.Top {
		return
	}
	all = slices.Insert(all, i, &kept{*estimate, score, at})
	*list = all[:min(len(all), h.Top)]
}

// refuse counts a plan of the present division that lacks so much memory, by the part that takes most.
func (h *SearchState) refuse(estimate *Estimate, excess float64) {
	h.now.refused++
	binding := estimate.Memory.Largest()
	for i := range h.now.reasons {
		r := &h.now.reasons[i]
		if r.Binding != binding {
			continue
		}
		if r.Plans++; excess < r.Excess {
			r.Nearest, r.Excess = *estimate, excess
		}
		return
	}
	h.now.reasons = append(h.now.reasons, Reason{Plans: 1, Binding: binding, Nearest: *estimate, Excess: excess})
}

// counted adds a reason to others, as one more or to its like.
func counted(all []Reason, r *Reason) []Reason {
	for i := range all {
		if all[i].Binding != r.Binding {
			continue
		}
		if all[i].Plans += r.Plans; r.Excess < all[i].Excess {
			all[i].Nearest, all[i].Excess = r.Nearest, r.Excess
		}
		return all
	}
	return append(all, *r)
}

// bound is what no plan of a division can go below.
type bound struct{ seconds, bytes float64 }

// bound works out the bounds of a division.
//
// Time: however a replica's sequences are cut into micro-batches, the slowest stage has to do all of them. That takes
// at least their matmuls at the full rate, attention, elementwise kernels and the bytes of tensor and context
// parallelism, and nothing computed again.
//
// Memory: a rank holds at least its share of the training state when everything is sharded as far as it can be.
func (p *Estimator) bound(t degrees) bound {
	plan := t.plan()
	plan.Zero, plan.Shard = 3, t.dp*t.cp
	c := p.layout(&plan)
	c.tokens *= float64(p.job.Batch / t.dp)
	c.zero = 0
	var time Time
	p.compute(&c, &time)
	s, z, d := p.job.Stack, &p.shape, &p.job.Device
	// moved for each micro-batch
	weights := p.passes(&c) * c.stage.pace * p.job.Recipe.Compute.Bytes() * z.dense / c.tp / d.Stream
	if z.routed > 0 {
		weights += p.passes(&c) * c.stage.pace * p.job.Recipe.Compute.Bytes() * z.routed / (c.ep * c.etp) / d.Stream
	}
	narrow := c.stage.pace * z.dense / c.tp * s.Narrow / d.Stream
	seconds := time.Matmul - weights*(1+s.Adapter) + time.Attention + time.Elementwise - narrow
	return bound{max(0, seconds), p.leastMemory(&c)}
}

// leastMemory is the state of the rank with the fewest layers of a stage, all sharded, and nothing else.
func (p *Estimator) leastMemory(c *layout) float64 {
	c.zero = 3
	layers := floor(p.shape.layers / c.pp)
	var m Memory
	p.states(&m, c, layers*p.shape.dense/c.tp, c.shard)
	p.states(&m, c, layers*p.shape.routed/(c.ep*c.etp), max(1, c.expertReplicas))
	if p.job.Optimizer.Paged {
		m.Moments = 0 // as far as they don't fit, they are elsewhere
	}
	return m.Total()
}

// ExplainNoPlan says why a search found no plan: no division of the devices is legal, or nothing fits; and what to
// change.
func (p *Estimator) ExplainNoPlan(s *Search, f *Found) error {
	switch {
	case f.Divisions == 0 || f.Estimated+f.Cut == 0:
		return p.indivisible(s)
	case len(f.Reasons) > 0:
		r := f.nearest()
		return fault("training.nothing-fits", "n", f.Refused, "plan", r.Nearest.Plan.String(), "missing",
			gigabytes(r.Excess), "part", phrase.Name(r.Binding))
	}
	least, capacity := p.leastOf(s), p.capacity(s)
	if !p.job.Stated { // by the software's usual recipe, which others undercut
		each, model := p.job.Model.Total()/p.devices, p.job.Model.Total()
		return fault("training.usual-too-large", "devices", int(p.devices), "least", gigabytes(least), "capacity",
			gigabytes(capacity),
			"need", int(ceil(p.devices*least/capacity)), "bytes", three(least*p.devices/model),
			"software", p.job.Stack.Known(), "pure", gigabytes(8*each), "eight", gigabytes(6*each))
	}
	return fault("training.states-too-large", "devices", int(p.devices), "least", gigabytes(least), "capacity",
		gigabytes(capacity), "need", int(ceil(p.devices*least/capacity)))
}

// nearest is the reason of the plan that lacks least. A search that refused none has no such reason.
func (f *Found) nearest() Reason {
	return slices.MinFunc(f.Reasons, func(a, b Reason) int { return cmp.Compare(a.Excess, b.Excess) })
}

// indivisible says that no plan divides the devices, and how many can be divided.
func (p *Estimator) indivisible(s *Search) error {
	return fault("training.indivisible", "devices", int(p.devices), "batch", p.job.Batch, "heads", int(p.shape.heads),
		"layers", int(p.shape.layers), "near", p.divisible(s))
}

// divisible is the most devices, no more than there are, that some plan divides.
func (p *Estimator) divisible(s *Search) int {
	n, best := int(p.devices), 1
	tps := divisors(int(p.shape.heads), n)
	for _, dp := range divisors(p.job.Batch, n) {
		for _, tp := range tps {
			if s.MaxTP > 0 && tp > s.MaxTP {
				break
			}
			for _, cp := range divisors(p.job.Sequence, p.mostContexts()) {
				if each := dp * tp * cp; each <= n {
					best = max(best, each*min(n/each, int(p.shape.layers)))
				}
			}
		}
	}
	return best
}

// leastOf is what the training state takes on a device at least, of all divisions of a search.
func (p *Estimator) leastOf(s *Search) float64 {
	least := 0.0
	p.eachDivision(&s.Space, func(t degrees) bool {
		if s.MaxTP > 0 && t.tp > s.MaxTP {
			return true
		}
		if b := p.bound(t).bytes; least == 0 || b < least {
			least = b
		}
		return true
	})
	return least
}

// Why says why a plan isn't chosen, with the number that binds: what doesn't divide, which part of the memory by how
// much, or how much slower it is than the best and where its time goes.
func (p *Estimator) Why(plan Plan, best *Estimate) error {
	if err := p.Legal(plan); err != nil {
		return err
	}
	estimate := p.Estimate(plan)
	if excess := estimate.Memory.Total() - AfterContext(p.job.Device.Memory); excess > 0 {
		return p.tooLarge(&estimate, excess)
	}
	if lacks := p.Lacks(&estimate.Plan); lacks != "" {
		if others := p.others(&estimate.Plan); others != nil {
			return fault("training.lacks-but", "software", p.job.Stack.Known(), "option", lacks, "others",
				phrase.Commas(others))
		}
		return fault("training.lacks-option", "software", p.job.Stack.Known(), "option", lacks)
	}
	if best == nil || estimate.Time.Step() <= best.Time.Step() {
		return fault("training.fine")
	}
	part, more := estimate.Time.Lost(&best.Time)
	key := "training.slower"
	if p.Equal(&estimate, best) {
		key = "training.equal"
	}
	slower := seconds(estimate.Time.Step() - best.Time.Step())
	return fault(key, "more", slower, "part", phrase.Name(part), "lost", seconds(more))
}

// tooLarge says that a plan takes so many bytes too many, and which policy would make it fit: reports seldom say what
// they compute again.
func (p *Estimator) tooLarge(estimate *Estimate, excess float64) error {
	part := estimate.Memory.Largest()
	numbers := []any{"memory", gigabytes(estimate.Memory.Total()), "excess", gigabytes(excess), "part",
		phrase.Name(part), "most", gigabytes(estimate.Memory.Part(part))}
	for _, policy := range []Recompute{RecomputeSome, RecomputeBlock} {
		if policy.level() <= estimate.Plan.Recompute.level() {
			continue
		}
		plan := estimate.Plan
		plan.Recompute = policy
		if less := p.Estimate(plan).Memory.Total(); less <= AfterContext(p.job.Device.Memory) {
			numbers = append(numbers, "policy", policy.String(), "less", gigabytes(less))
			return fault("training.too-large-but", numbers...)
		}
	}
	return fault("training.too-large", numbers...)
}
