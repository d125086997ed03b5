package training

import (
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
)

// Space is the plans that a search tries: those of its values that are legal. The zero Space has none; Whole has all.
type Space struct {
	TP, PP, CP, EP []int
	Micro          []int
	Contexts       []Context
	Virtual        []int // chunks of an interleaved pipeline; 1 is 1F1B
	Schedules      []Schedule
	Zero           []int
	Recompute      []Recompute
	Hybrid         bool // ZeRO also within domains only
	Balanced       bool // also a last stage with fewer layers, since logits are work too
}

// divisors are those of n up to most, ascending.
func divisors(n, most int) []int {
	var all []int
	for d := 1; d <= min(n, most); d++ {
		if n%d == 0 {
			all = append(all, d)
		}
	}
	return all
}

// usualSchedules are 1F1B, which Virtual makes interleaved, ZB-H1 and those others that people run the software with.
// 1F1B also stands for no pipeline, and is there where the software can't run it.
func (p *Estimator) usualSchedules() []Schedule {
	all := []Schedule{OneFOneB}
	if p.can.schedules>>OneFOneB&1 == 0 {
		all = append(all, GPipe)
	}
	all = append(all, ZBH1)
	for _, own := range [...]Schedule{ZBV, DualPipe} {
		if p.can.schedules>>own&1 != 0 {
			all = append(all, own)
		}
	}
	return all
}

// Usual is the space of plans that people run: 1F1B, interleaved or zero-bubble pipelines, states or everything
// sharded.
func (p *Estimator) Usual() Space {
	const longest = 64
	s := Space{Contexts: []Context{RingContext}, Schedules: p.usualSchedules(), Zero: []int{1, 3},
		Recompute: []Recompute{KeepAll, RecomputeSome, RecomputeBlock}}
	s.TP = divisors(int(p.shape.heads), int(p.devices))
	s.PP = divisors(int(p.devices), int(p.shape.layers)+2)
	s.CP = divisors(p.job.Sequence, p.mostContexts())
	s.EP = []int{1}
	if p.shape.experts > 0 {
		s.EP = divisors(int(p.shape.experts), int(p.devices))
	}
	s.Micro = divisors(p.job.Batch, longest)
	s.Virtual = []int{1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20}
	s.Balanced = p.job.Stack.CostSplit == 0
	return s
}

// mostContexts is how many ranks a sequence is usually split over at most.
func (p *Estimator) mostContexts() int {
	const most = 64
	const shortest = 4096 // tokens of a sequence on a rank
	return max(1, min(most, int(p.devices), p.job.Sequence/shortest))
}

// Whole is the space of all plans that can be estimated.
func (p *Estimator) Whole() Space {
	s := p.Usual()
	s.Contexts = []Context{RingContext, GatherContext, UlyssesContext}
	s.Schedules = nil
	for i := OneFOneB; i < schedules; i++ {
		if i != Interleaved { // Virtual makes 1F1B interleaved
			s.Schedules = append(s.Schedules, i)
		}
	}
	s.Zero, s.Hybrid = []int{0, 1, 2, 3}, true
	s.Recompute = append(s.Recompute, p.sets()...)
	s.Micro = divisors(p.job.Batch, p.job.Batch)
	s.CP = divisors(p.job.Sequence, min(64, int(p.devices)))
	return s
}

// degrees are those of data, tensor, pipeline, context and expert parallelism: how devices are divided.
type degrees struct{ dp, tp, pp, cp, ep int }

// eachDivision calls yield with every legal division of the devices, in a fixed order, until it returns false.
func (p *Estimator) eachDivision(s *Space, yield func(degrees) bool) {
	n := int(p.devices)
	for _, pp := range s.PP {
		for _, tp := range s.TP {
			for _, cp := range s.CP {
				if n%(pp*tp*cp) != 0 {
					continue
				}
				for _, ep := range s.EP {
					t := degrees{n / (pp * tp * cp), tp, pp, cp, ep}
					if p.Legal(t.plan()) == nil && !yield(t) {
						return
					}
				}
			}
		}
	}
}

// plan is the simplest plan of t.
func (t degrees) plan() Plan {
	return Plan{DP: t.dp, TP: t.tp, PP: t.pp, CP: t.cp, EP: t.ep, ETP: 1, Micro: 1, Virtual: 1}
}

// eachPlan calls yield with every legal plan of a division, its defaults filled in, and with what is new in it.
func (p *Estimator) eachPlan(s *Space, t degrees, yield func(Plan, change)) {
	for _, micro := range s.Micro {
		p.eachPlanOfMicro(s, t, micro, yield)
	}
}

// eachPlanOfMicro is the same for one size of micro-batches.
func (p *Estimator) eachPlanOfMicro(s *Space, t degrees, micro int, yield func(Plan, change)) {
	plan := t.plan()
	if plan.Micro = micro; p.job.Batch%(plan.DP*plan.Micro) != 0 {
		return
	}
	for _, schedule := range s.Schedules {
		for _, virtual := range s.Virtual {
			plan.Schedule, plan.Virtual = schedule, virtual
			if virtual > 1 && schedule != OneFOneB {
				break
			}
			if virtual > 1 {
				plan.Schedule = Interleaved
			}
			pipes := virtual > 1 || schedule != OneFOneB
			if plan.PP > 1 || !pipes {
				p.eachContext(s, plan, yield)
			}
		}
	}
}

// eachContext calls yield with what is left to choose of a plan that has a schedule.
func (p *Estimator) eachContext(s *Space, plan Plan, yield func(Plan, change)) {
	for _, plan.Context = range s.Contexts {
		if plan.CP == 1 && plan.Context != RingContext || !p.divides(&plan) {
			continue
		}
		p.eachSharding(s, plan, yield)
		if plan.Last = p.lighter(s, &plan); plan.Last > 0 {
			p.eachSharding(s, plan, yield)
			plan.Last = 0
		}
	}
}

// lighter is how many layers the last stage has if stages are balanced by work, where that is another plan. Interleaved
// stages aren't balanced so: Megatron-LM refuses ends whose layers its chunks don't divide.
func (p *Estimator) lighter(s *Space, q *Plan) int {
	if !s.Balanced || q.Virtual > 1 {
		return 0
	}
	return balanced(p.shape.layers, p.logits, q.PP)
}

// eachSharding calls yield with what is left to choose of a plan: recomputation and sharding.
func (p *Estimator) eachSharding(s *Space, plan Plan, yield func(Plan, change)) {
	whole := plan.DP * plan.CP
	inside := max(1, p.job.Device.Domain/plan.TP)
	news := newLayout
	for _, plan.Recompute = range s.Recompute {
		for _, plan.Zero = range s.Zero {
			plan.Shard = whole
			yield(plan, news)
			news = newSharding
			if s.Hybrid && plan.Zero > 0 && inside > 1 && inside < whole && whole%inside == 0 {
				plan.Shard = inside
				yield(plan, news)
			}
		}
		news = newRecompute
	}
}

// SplitWires are the bytes a second that FSDP and tensor parallelism have for themselves on a torus: tensor parallelism
// has an axis, FSDP the others.
func (j *Job) SplitWires() (fsdp, tp float64) {
	return float64(j.Device.Axes-1) * j.Device.Fast, j.Device.Fast
}

// Unsplit is why the law of layers that are split by FSDP and tensor parallelism alone doesn't hold for a plan; nil if
// it does.
func (j *Job) Unsplit(plan *Plan) *phrase.Phrase {
	switch {
	case j.Devices == 1:
		return phrase.New("training.unsplit-one")
	case j.Model.MoE.Experts > 0:
		return phrase.New("training.unsplit-experts")
	case j.Pods > 1:
		return phrase.New("training.unsplit-pods", "pods", j.Pods)
	case j.Device.Axes < 2:
		return phrase.New("training.unsplit-switches")
	case plan.PP > 1:
		return phrase.New("training.unsplit-stages")
	case plan.Zero < 3:
		return phrase.New("training.unsplit-whole")
	}
	return nil
}

// A search may be shared: others, who have started the same one, try some of its divisions. What passes between them is
// text, so that they may be other processes or a browser's workers:
//
//	piece   the score of the worst plan kept, and the divisions to try by their place: "3.2 17 18 19 20"
//	found   "d 17 900 350", a division with the plans estimated and refused in it; "r 350 1.5e9 activations", a reason
//	        with its plans and what the nearest lacks, and below it "n" and that plan; "b" and a plan among the best;
//	        before all of them what plays have shown, as their tell writes it, so that nobody plays twice

// pieceOf is how many divisions a piece has: some hundredths of a second in a browser.
const pieceOf = 2

// LendChunk is a piece for somebody else, empty if there is none left to give.
func (h *SearchState) LendChunk() (piece string) {
	h.abandon()
	for n := 0; n < pieceOf && h.remaining() > 0; n++ {
		piece += " " + strconv.Itoa(h.pop())
		h.lent++
	}
	if piece == "" {
		return ""
	}
	return number(h.worst()) + piece
}

// abandon leaves the division that is half tried untried.
func (h *SearchState) abandon() {
	if h.now == nil {
		return
	}
	h.back = append(h.back, slices.Index(h.divisions, h.now))
	h.forget(h.now)
	h.now, h.micro = nil, 0
}

// forget takes what was found in a division out of what is found.
func (h *SearchState) forget(d *division) {
	d.estimated, d.refused, d.reasons = 0, 0, nil
	for _, all := range []*[]*kept{&h.best, &h.lacking} {
		*all = slices.DeleteFunc(*all, func(k *kept) bool { return k.at == d.at })
	}
}

// Back takes a piece back that nobody tries any more.
func (h *SearchState) Back(piece string) {
	for _, i := range slices.Backward(h.piece(piece)) {
		h.back = append(h.back, i)
		h.lent--
	}
}

// piece are the divisions of a piece. What isn't one is left out.
func (h *SearchState) piece(text string) (places []int) {
	_, text, _ = strings.Cut(text, " ")
	for _, field := range strings.Fields(text) {
		if i, err := strconv.Atoi(field); err == nil && i >= 0 && i < len(h.divisions) {
			places = append(places, i)
		}
	}
	return places
}

// Do tries the divisions of a piece, and says what it found as Take reads it.
func (h *SearchState) Do(piece string) (found string) {
	worst, _, _ := strings.Cut(piece, " ")
	if limit, err := strconv.ParseFloat(worst, 64); err == nil {
		h.limit = min(h.limit, limit)
	}
	var b, plays strings.Builder
	for _, i := range h.piece(piece) {
		d := h.divisions[i]
		h.forget(d)
		h.now = d
		h.eachPlan(&h.Space, d.degrees, h.try)
		h.now = nil
		h.writeDivision(&b, i)
	}
	h.plays.report(&plays)
	return plays.String() + b.String()
}

func (h *SearchState) writeDivision(b *strings.Builder, i int) {
	d := h.divisions[i]
	line(b, "d", strconv.Itoa(i), strconv.Itoa(d.estimated), strconv.Itoa(d.refused))
	for _, r := range d.reasons {
		line(b, "r", strconv.Itoa(r.Plans), number(r.Excess), r.Binding)
		line(b, "n", r.Nearest.Plan.String())
	}
	for _, all := range [][]*kept{h.best, h.lacking} {
		for _, k := range all {
			if k.at == d.at {
				line(b, "b", k.Plan.String())
			}
		}
	}
}

func line(b *strings.Builder, words ...string) {
	b.WriteString(strings.Join(words, " "))
	b.WriteByte('\n')
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// Take adds what somebody found in a piece, and tells whether it could be read. What can't be leaves the piece lent.
func (h *SearchState) Take(piece, found string) (ok bool) {
	places := h.piece(piece)
	all, ok := h.reports(found)
	if !ok || len(all) != len(places) {
		return false
	}
	for k := range all {
		if all[k].place != places[k] {
			return false
		}
	}
	for k := range all {
		h.report(&all[k])
	}
	return true
}

// report is what was found in a division.
type report struct {
	place int
	division
	best []Estimate
}

// report adds what was found in a division to what is found.
func (h *SearchState) report(r *report) {
	d := h.divisions[r.place]
	h.forget(d)
	d.estimated, d.refused, d.reasons = r.estimated, r.refused, r.reasons
	for i := range r.best {
		h.keep(&r.best[i], d.at)
	}
	h.lent--
	h.tried++
}

// reports reads what Do writes.
func (h *SearchState) reports(found string) (all []report, ok bool) {
	for text := range strings.Lines(found) {
		words := strings.SplitN(strings.TrimSpace(text), " ", 4)
		switch words[0] {
		case "f", "p":
			if !h.plays.hear(words[0], strings.Fields(text)[1:]) {
				return nil, false
			}
			continue
		case "d":
			all = append(all, report{})
		}
		if len(all) == 0 || !h.read(&all[len(all)-1], words) {
			return nil, false
		}
	}
	return all, true
}

// read reads a line of a report.
func (h *SearchState) read(r *report, words []string) (ok bool) {
	switch kind := words[0]; {
	case kind == "d" && len(words) == 4:
		var errs [3]error
		r.place, errs[0] = strconv.Atoi(words[1])
		r.estimated, errs[1] = strconv.Atoi(words[2])
		r.refused, errs[2] = strconv.Atoi(words[3])
		return errs == [3]error{}
	case kind == "r" && len(words) == 4:
		plans, err := strconv.Atoi(words[1])
		excess, err2 := strconv.ParseFloat(words[2], 64)
		r.reasons = append(r.reasons, Reason{Plans: plans, Excess: excess, Binding: words[3]})
		return err == nil && err2 == nil
	case kind == "n" && len(r.reasons) > 0:
		plan, ok := h.plan(words[1:])
		var d draft
		h.estimateMemory(&d, plan.filled(), newLayout)
		r.reasons[len(r.reasons)-1].Nearest = d.Estimate
		return ok
	case kind == "b":
		plan, ok := h.plan(words[1:])
		r.best = append(r.best, h.Estimate(plan))
		return ok
	}
	return false
}

// plan is the plan that words say, and whether it is one.
func (h *SearchState) plan(words []string) (plan Plan, ok bool) {
	plan, err := ParsePlan(strings.Join(words, " "), int(h.devices))
	if err != nil || h.Legal(plan) != nil {
		return Plan{DP: int(h.devices)}, false
	}
	return plan, true
}

// Map is what the best plan of a model comes to over chips and over tokens of a batch for each chip.
type Map struct {
	Model  string
	Device string
	Chips  []int
	Tokens []int    // of a batch, for each chip
	Cells  [][]Cell // by tokens, then by chips
	Next   int      // the cell that is to be estimated next
}

// Cell is a place of a map.
type Cell struct {
	Priced bool
	Fits   bool
	Why    error    // why nothing fits or divides
	Price  Estimate // the best plan's
	Use    float64
	Bound  Bound
}

// Bound is what takes most of a step.
type Bound uint8

// What bounds a step: computing, or what shows of traffic and bubbles.
const (
	ByCompute Bound = iota
	ByWires
)

// NewMap is the map around a job, with nothing estimated yet.
func NewMap(j *Job) *Map {
	steps := [...]float64{1.0 / 16, 1.0 / 4, 1, 4, 16} // of the job in the middle
	m := &Map{Model: j.Model.Name, Device: j.Device.Name}
	each := float64(j.Batch*j.Sequence) / float64(j.Devices)
	for _, s := range steps {
		if n := int(float64(j.Devices) * s); n >= 1 && n <= 1<<17 &&
			(len(m.Chips) == 0 || n > m.Chips[len(m.Chips)-1]) {
			m.Chips = append(m.Chips, n)
		}
		if n := int(each * s); n >= 1 && (len(m.Tokens) == 0 || n > m.Tokens[len(m.Tokens)-1]) {
			m.Tokens = append(m.Tokens, n)
		}
	}
	for range m.Tokens {
		m.Cells = append(m.Cells, make([]Cell, len(m.Chips)))
	}
	return m
}

// Size is how many places m has.
func (m *Map) Size() int { return len(m.Tokens) * len(m.Chips) }

// Step estimates one more place for a job that is otherwise like j, and tells whether there is another one.
func (m *Map) Step(j Job) (more bool) {
	if m.Next >= m.Size() {
		return false
	}
	row, column := m.Next/len(m.Chips), m.Next%len(m.Chips)
	m.Next++
	j.Devices = m.Chips[column]
	j.Batch = divided(max(1, float64(m.Tokens[row]*j.Devices)/float64(j.Sequence)))
	m.Cells[row][column] = estimateCell(&j)
	return m.Next < m.Size()
}

// divided is a number of sequences near n that many numbers of devices divide: places of a map are to differ by their
// batch, not by its divisors.
func divided(n float64) int {
	step := 1.0
	for step*16 <= n {
		step *= 2
	}
	return int(step * WholeSequences(n/step))
}

// estimateCell finds the best plan of a job among those that most people would try first.
func estimateCell(j *Job) Cell {
	c := Cell{Priced: true}
	if err := j.Check(); err != nil {
		c.Why = err
		return c
	}
	p := NewEstimator(*j)
	s := p.Usual()
	s.Schedules, s.Recompute, s.Virtual = s.Schedules[:1], []Recompute{KeepAll, RecomputeBlock}, []int{1, 4}
	search := Search{Space: s}
	found := p.Find(search)
	switch {
	case len(found.Best) > 0:
		c.Fits, c.Price, c.Use = true, found.Best[0], p.Use(&found.Best[0])
		c.Bound = c.Price.Time.bound()
	case len(found.Reasons) > 0:
		r := found.nearest()
		c.Why = fault("training.lacks", "missing", gigabytes(r.Excess), "part", phrase.Name(r.Binding))
	default:
		c.Why = p.ExplainNoPlan(&search, &found)
	}
	return c
}

// bound is what takes most of a step.
func (t *Time) bound() Bound {
	wires := t.MicroBatches*(t.TP+t.CP+t.EP+t.Gather+t.PP+t.Wait) + t.Bubble + t.DP
	if wires > t.Step()/2 {
		return ByWires
	}
	return ByCompute
}
