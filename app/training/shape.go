package training

import (
	_ "embed"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/model"
)

// shape is a model as plans need it: numbers of a mean layer. Layers of different kinds (dense and with experts,
// windowed and not) are averaged: a stage holds some of each.
type shape struct {
	layers float64
	width  float64 // D
	vocab  float64

	dense  float64 // weights of a layer outside its routed experts: attention, dense MLP, shared experts, router
	routed float64 // weights of its routed experts, and their biases
	biased bool    // experts have them
	embed  float64 // weights of the input table and of positions
	head   float64 // weights of the matrix that makes logits
	tied   bool

	experts, perToken float64
	groups, chosen    float64 // of experts: all, and those that a token uses
	expertWidth       float64 // F of a routed expert
	expertInput       float64 // what one takes in and gives out: D, or the latent's width
	matrices          float64 // of an MLP: 3 with a gate

	full      float64 // widths of the matmuls' sides that tensor parallelism leaves whole, summed over a layer
	split     float64 // widths of the sides that it splits
	scores    float64 // FLOPs of causal attention for a token of a layer, forward
	heads     float64 // fewest query heads of a layer
	meanHeads float64 // query heads of a mean layer
	queries   float64 // N H of a layer
	kvHeads   float64 // fewest heads of keys and values of a layer that attends
	keys      float64 // K (H + Hv): what ring attention passes on
	values    float64 // N Hv
	latents   float64 // widths of latents (MLA)
	lifts     float64 // weights that make queries, keys and values of latents
	hidden    float64 // F summed over the dense MLP and the shared experts of a layer
	mlps      float64 // share of layers with any of them
	routes    float64 // share of layers with experts
	scan      scan    // of layers that keep a state
}

// newShape sums up a model for sequences of s tokens.
func newShape(m *model.Model, s float64) shape {
	p, L := m.Params(), float64(m.Layers)
	z := shape{layers: L, width: float64(m.Width), vocab: float64(m.Vocab), tied: m.Tied, matrices: 3}
	if m.Plain {
		z.matrices = 2
	}
	biases := m.RoutedBiases()
	z.routed, z.biased = (p.Routed+biases)/L, biases > 0
	z.embed, z.head = p.Embedding+p.Positions, p.Unembedding
	if m.Tied {
		z.embed = p.Positions
	}
	z.dense = (p.Total() - p.Routed - biases - p.Embedding - p.Unembedding - p.Positions) / L
	z.scores = float64(m.AttentionFLOPs(s, model.Windowed, model.Forward)) / L
	z.experts, z.perToken, z.expertWidth = float64(m.MoE.Experts), float64(m.MoE.PerToken), float64(m.ExpertWidth())
	z.groups, z.chosen = 1, 1
	if g, c := m.MoE.Groups, m.MoE.Chosen; 0 < c && c < g {
		z.groups, z.chosen = float64(g), float64(c)
	}
	if z.expertInput = float64(m.MoE.Latent); z.expertInput == 0 {
		z.expertInput = z.width
	}
	for i := range m.Layers {
		z.add(m, i)
	}
	for _, x := range []*float64{&z.meanHeads, &z.full, &z.split, &z.queries, &z.keys, &z.values, &z.latents, &z.lifts,
		&z.hidden, &z.mlps, &z.routes, &z.scan.flops, &z.scan.bytes, &z.scan.kept} {
		*x /= L
	}
	return z
}

// add adds what layer i brings to the sums.
func (z *shape) add(m *model.Model, i int) {
	l := m.Layer(i)
	switch {
	case l.Attends():
		z.addAttention(m, l)
	case l.Linear:
		z.full += 2 * z.width
		for _, x := range m.LinearMatrices() {
			z.split += float64(x.Cols)
		}
		z.split -= z.width
	}
	if l.Linear {
		z.scan.add(newScan(m))
	}
	for _, one := range []bool{l.OneMatrix, l.MatrixMLP} {
		if one {
			z.full += 2 * z.width // into and out of it
		}
	}
	if !l.NoMLP && !l.MatrixMLP {
		z.addMLP(m, l)
	}
}

func (z *shape) addAttention(m *model.Model, l model.Layer) {
	N := float64(l.Heads)
	queries, values := N*float64(l.HeadSize), N*float64(l.ValueSize)
	keys := float64(l.KVHeads) * float64(l.HeadSize+l.ValueSize)
	z.meanHeads += N
	if z.heads == 0 || N < z.heads {
		z.heads = N
	}
	if K := float64(l.KVHeads); z.kvHeads == 0 || K < z.kvHeads {
		z.kvHeads = K
	}
	z.queries, z.keys, z.values = z.queries+queries, z.keys+keys, z.values+values
	if m.MLA.KVRank != 0 {
		z.latents += float64(m.MLA.QRank + m.MLA.KVRank + m.MLA.RopeSize)
		z.lifts += float64(m.MLA.QRank)*queries + float64(m.MLA.KVRank)*N*float64(m.MLA.NopeSize+l.ValueSize)
	}
	z.full += 2 * z.width // into and out of attention
	z.split += queries + keys + values
}

func (z *shape) addMLP(m *model.Model, l model.Layer) {
	F := float64(m.DenseWidth(l))
	if l.Experts {
		z.routes++
		F = float64(m.MoE.Shared * m.SharedWidth())
	}
	if F > 0 {
		z.full += 2 * z.width
		z.split += z.matrices * F
		z.hidden += F
		z.mlps++
	}
}

// stage is what the ranks of a pipeline hold.
type stage struct {
	slowest float64 // layers of the stage with the most work, its share of the logits not counted
	work    float64 // layers of that stage, the logits counted as so many layers
	first   float64 // layers of the first stage, whose activations wait longest
	last    float64 // layers of the last stage
	all     float64 // layers of all stages
	total   float64 // the same, the logits counted
	middle  float64 // layers of the other stages, at most
	short   float64 // how many of those have one less
	pace    float64 // layers that a micro-batch takes as long as on the stage that all wait for: the slowest
	end     float64 // the same of the last stage, its logits not counted
	logits  float64 // layers that the logits count as
	cost    float64 // of all stages, by operations, in layers
	byCost  bool    // a stage takes layers until the cost of all so far exceeds its share
}

// set says what a micro-batch takes on the slowest stage and on the last.
func (s *stage) set() { s.pace, s.end, s.work = s.slowest, s.last, max(s.slowest, s.last+s.logits) }

// weigh counts logits by what a layer takes instead of by its operations: a layer also reads memory, sends and waits.
// The stage that all wait for takes slot, those layers that it paces the part layers. It gives what one takes.
func (s *stage) weigh(slot, layers, logits float64) (layer float64) {
	layer = layers / s.pace
	s.work = slot / layer
	s.logits = min(logits/layer, s.work-s.last)
	s.total = s.all + s.logits
	return layer
}

// ends are how many layers the first and the last stage have, where a plan says so; 0 leaves it open.
type ends struct{ first, last int }

// split lays L layers and the logits, which take as much as c layers, on p stages.
//
// Evenly: stages have the same number of layers. If p doesn't divide L, some have one less: the last, which also makes
// the logits, then the first, whose activations wait longest, then others. A plan may say how many the first and the
// last have; the others share what is left.
//
// By cost, as Nanotron does: a stage takes layers until the cost of all so far exceeds its share.
func split(L, c float64, p int, e ends, byCost bool) stage {
	s := stage{all: L, total: L + c, logits: c, cost: L + c}
	switch {
	case p <= 1:
		s.slowest, s.first, s.last = L, L, L
	case byCost && e == ends{}:
		s.byTheirCost(p)
	default:
		s.evenly(L, float64(p), e)
	}
	s.set()
	return s
}

// evenly shares layers among stages that say nothing else.
func (s *stage) evenly(L, p float64, e ends) {
	s.first, s.last = float64(e.first), float64(e.last)
	open := p
	for _, n := range []int{e.first, e.last} {
		if n > 0 {
			open--
		}
	}
	rest := L - s.first - s.last
	most := ceil(rest / max(1, open))
	short := most*open - rest // stages with a layer less
	for _, end := range []*float64{&s.last, &s.first} {
		if *end > 0 {
			continue
		}
		if *end = most; short > 0 {
			*end, short = most-1, short-1
		}
	}
	s.slowest = max(s.first, s.last)
	if p > 2 {
		s.slowest, s.middle, s.short = max(s.slowest, most), most, short
	}
}

// balanced is how many layers the last of p stages has where the slowest stage, logits counted, has least to do; 0 if
// an even split is as good.
func balanced(L, c float64, p int) int {
	if p < 2 {
		return 0
	}
	n, best := float64(p), 0
	even := split(L, c, p, ends{}, false)
	for most := ceil(L / n); ; most++ {
		last := max(1, L-(n-1)*most)
		if work := max(most, last+c); work < even.work && last < even.last {
			even.work, best = work, int(last)
		}
		if last+c <= most || last == 1 {
			return best
		}
	}
}

// StageLayers is how many layers each stage of a plan has.
func (p *Estimator) StageLayers(plan Plan) []int {
	plan = plan.filled()
	s := split(p.shape.layers, p.logits, plan.PP, plan.ends(), p.job.Stack.CostSplit != 0)
	all := make([]int, plan.PP)
	for i := range all {
		all[i] = int(s.layers(i, plan.PP))
	}
	return all
}

// layers is how many layers stage i of p has.
func (s *stage) layers(i, p int) float64 {
	switch {
	case s.byCost:
		return s.until(i+1, p) - s.until(i, p)
	case i == 0:
		return s.first
	case i == p-1:
		return s.last
	case i >= p-1-int(s.short):
		return s.middle - 1
	}
	return s.middle
}

// load is the same with the logits on the last stage.
func (s *stage) load(i, p int) float64 {
	if i == p-1 {
		return s.layers(i, p) + s.logits
	}
	return s.layers(i, p)
}

func (s *stage) byTheirCost(p int) {
	s.byCost, s.first = true, s.until(1, p)
	for i := range p {
		s.last = s.layers(i, p)
		s.slowest = max(s.slowest, s.last)
	}
}

// until is how many layers the first i of p stages have that are laid by cost: up to the layer with which the cost
// first exceeds their share.
func (s *stage) until(i, p int) float64 {
	switch i {
	case 0:
		return 0
	case p:
		return s.all
	}
	return min(s.all, floor(s.cost*float64(i)/float64(p))+1)
}

func floor(x float64) float64 { return float64(int(x)) }

func ceil(x float64) float64 {
	if f := floor(x); f < x {
		return f + 1
	}
	return x
}

//go:embed support.tsv
var supportTable string // stack, part of a plan, the words that it can be; sources stand in support.sources.tsv

// support is what a software stack can run: a bit for each schedule, way of context parallelism, stage of ZeRO, also
// beside stages of a pipeline, and module that may be recomputed. A stack that the table doesn't know can run all.
type support struct {
	schedules, contexts, zeros uint16
	staged                     uint16 // stages of ZeRO that go with stages of a pipeline
	recompute                  Recompute
	offload                    bool // inputs of layers may wait in the host's memory
}

func supportOf(stack *Stack) support {
	const all = 1<<16 - 1
	s := support{all, all, all, all, RecomputeBlock - 1, true}
	for _, scope := range stack.scopes() {
		for line := range strings.Lines(supportTable) {
			cells := strings.Split(line, "\t")
			if len(cells) < 3 || cells[0] != scope {
				continue
			}
			s.clear(cells[1]) // a version's own line replaces that of the stack that it is like
			for _, word := range strings.Fields(cells[2]) {
				s.add(cells[1], word)
			}
		}
	}
	return s
}

// clear takes all words of a part away.
func (s *support) clear(part string) {
	switch part {
	case "schedule":
		s.schedules = 0
	case "context":
		s.contexts = 0
	case "zero":
		s.zeros = 0
	case "staged":
		s.staged = 0
	case "recompute":
		s.recompute, s.offload = 0, false
	}
}

// add adds a word of the table.
func (s *support) add(part, word string) {
	switch part {
	case "schedule":
		n, _ := ParseSchedule(word)
		s.schedules |= 1 << n
	case "context":
		n, _ := ParseContext(word)
		s.contexts |= 1 << n
	case "zero":
		n, _ := strconv.Atoi(word)
		s.zeros |= 1 << n
	case "staged": // none, where there are no pipelines
		if n, err := strconv.Atoi(word); err == nil {
			s.staged |= 1 << n
		}
	case "recompute":
		switch r, _ := ParseRecompute(word); {
		case r < RecomputeBlock:
			s.recompute |= r
		case r == RecomputeOffload:
			s.offload = true
		}
	}
}

// Lacks is the part of a plan that the software can't run, as people write it; empty if it can run all. Megatron-LM
// computes activation functions again only of experts, or with the MLP.
func (p *Estimator) Lacks(plan *Plan) string {
	s := &p.can
	switch r := plan.Recompute; {
	case plan.PP > 1 && s.staged == 0:
		return "pp=" + strconv.Itoa(plan.PP)
	case plan.PP > 1 && s.schedules>>plan.Schedule&1 == 0:
		return "schedule=" + plan.Schedule.String()
	case plan.CP > 1 && s.contexts>>plan.Context&1 == 0:
		return "context=" + plan.Context.String()
	case s.zeros>>plan.Zero&1 == 0:
		return "zero=" + strconv.Itoa(plan.Zero)
	case plan.PP > 1 && s.staged>>plan.Zero&1 == 0:
		return "pp=" + strconv.Itoa(plan.PP) + " with zero=" + strconv.Itoa(plan.Zero)
	case r == RecomputeOffload && !s.offload, r < RecomputeBlock && r&^s.recompute != 0, p.aloneAct(r):
		return "recompute=" + r.String()
	}
	return ""
}

// others are the versions of the same software that people ran in the same years and that can run a plan.
func (p *Estimator) others(plan *Plan) (names []string) {
	own, q := p.job.Stack, *p
	for _, s := range constants().stacks {
		q.job.Stack, q.can = &s, supportOf(&s)
		if s.Family == own.Family && s.Since != "" && (own.Until == "" || s.Since <= own.Until) &&
			(s.Until == "" || own.Since <= s.Until) && q.Lacks(plan) == "" {
			names = append(names, s.Known())
		}
	}
	return names
}

// aloneAct tells whether activation functions of dense MLPs are to be computed again alone, for which Megatron-LM has
// no module.
func (p *Estimator) aloneAct(r Recompute) bool {
	return p.job.Stack.Family == "megatron" && r < RecomputeBlock && !r.has(RecomputeSome) &&
		r.has(RecomputeActivations) &&
		!r.has(RecomputeMLP) &&
		p.shape.experts == 0
}

// Zeros tells whether the software has a stage of ZeRO.
func (s *Stack) Zeros(stage int) bool { return supportOf(s).zeros>>stage&1 == 1 }

// Recomputes tells whether the software can compute so many modules again.
func (s *Stack) Recomputes(r Recompute) bool { return r&^supportOf(s).recompute == 0 }

// Schedules tells whether the software can run a schedule.
func (s *Stack) Schedules(by Schedule) bool { return supportOf(s).schedules>>by&1 == 1 }
