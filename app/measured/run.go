package measured

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/spell"
	"github.com/scalebook/scalebook/app/training"
)

// Run is a training set-up as the estimation packages take it.
type Run struct {
	Job        training.Job
	Plan       training.Plan
	Parameters float64 // as the row counts them; 0 if it doesn't
	Stated     bool    // the row says how its devices are divided and what is computed again

	Batched              bool       // it says how large the batch is, without which a step has no time
	Sized                bool       // it says that or how long sequences are, without which no memory is known
	convention, hardware Convention // of rates in FLOP/s, and of those that are called hardware's
}

// NewRun reads a set-up. The error is the reason why it can't be estimated.
func NewRun(s Setup) (Run, error) {
	var r Run
	var err error
	if r.Job, err = s.job(); err != nil {
		return r, err
	}
	if r.Plan, err = s.plan(&r.Job); err != nil {
		return r, err
	}
	if s.mentions("software", "torchtitan") && s.Switch(false, "compile") && s.month() >= "2025-04" {
		r.Job.Loss.Compile() // with the layers since #1033; other trainers compile layers alone
	}
	if s.fusedHead() { // so many tokens at a time that their logits are as large as the inputs of all
		r.Job.Loss.Share = 1 / math.Ceil(float64(r.Job.Model.Vocab)/float64(r.Job.Model.Width))
	}
	r.assumeDefaults(s)
	if r.Parameters, err = s.Count(1e18, "params"); err != nil {
		return r, err
	}
	r.Batched = s.Has(slices.Concat(batchNames, stepTokenNames)...) ||
		s.Has("mbs", "local_batch", "local_bs", "per_device_batch")
	r.Sized = r.Batched || s.Has(sequenceNames...)
	r.Stated = s.saysRecompute() && s.Has("tp", "pp", "dp", "fsdp", "sharding", "strategy") ||
		r.Job.Stack.FirstRank != 0
	r.convention, r.hardware = s.convention(r.Job.Stack), s.hardware()
	return r, nil
}

// trainingRow predicts the rate and the memory of a training plan.
func trainingRow(row Row) (Prediction, error) {
	run, err := NewRun(row.Setup)
	if err != nil {
		return Prediction{}, err
	}
	estimator := training.NewEstimator(run.Job)
	if err := estimator.Legal(run.Plan); err != nil {
		return Prediction{}, err
	}
	estimate := estimator.Estimate(run.Plan)
	step, memory := estimator.RunInterval(&estimate, run.Stated), estimator.MemoryInterval(&estimate)
	return Prediction{
		Fits:    estimator.FitOf(&estimate).String(),
		Notes:   run.notes(row.Setup),
		Metrics: run.metrics(estimator, &estimate, Interval(step), Interval(memory)),

		unreadStated: true,
	}, nil
}

// notes are what is taken for granted of a row, and which of its values are not read.
func (r *Run) notes(s Setup) (all []string) {
	if dp, err := s.Whole(0, 0, mostDevices, "dp"); err == nil && dp > 0 && dp < r.Plan.DP &&
		!s.Has("fsdp", "ep", "cp") {
		all = append(all, fmt.Sprintf("dp is %d, but tp %d, pp %d and cp %d leave %d of the %d devices to each of so "+
			"many replicas: dp %d is priced", dp, r.Plan.TP, r.Plan.PP, r.Plan.CP, r.Plan.DP, r.Job.Devices, r.Plan.DP))
	}
	if other := s.elsewhere(r.Job.Devices); other > 0 {
		all = append(all, fmt.Sprintf("its nodes have %d devices, but %d are stated, which are priced", other,
			r.Job.Devices))
	}
	micro, _ := s.Whole(0, 0, 1<<24, "mbs")
	ga, _ := s.Whole(0, 0, 1<<24, accumulationNames...)
	said, _ := s.Count(mostTokens, batchNames...)
	if each := r.Plan.DP * r.Plan.Micro * ga; micro > 0 && micro == r.Plan.Micro && ga > 0 && said > 0 &&
		said < mostSequences && float64(each) != said {
		all = append(all, fmt.Sprintf("%d replicas with %d micro-batches of %d sequences are %d, not the batch of %v: "+
			"%d are priced", r.Plan.DP, ga, micro, each, said, r.Job.Batch))
	}
	if m := r.Job.Model; r.Parameters > 0 && (r.Parameters > 2*m.Total() || r.Parameters < m.ActiveTotal()/2) {
		all = append(all, fmt.Sprintf("params is %.4g, but the model as it is read has %.4g: operations for rates and "+
			"utilizations are those of params; write one that fits the other", r.Parameters, m.Total()))
	}
	switch {
	case !r.Sized:
		all = append(all, "neither the batch nor how long sequences are is stated, so that a step has neither "+
			"time nor "+
			"memory: write gbs, mbs and seq_len; rates hardly depend on them")
	case !r.Batched:
		all = append(all, "the batch isn't stated, so that a step has no time: write gbs; rates hardly depend on it")
	case !s.Has(slices.Concat(batchNames, stepTokenNames, accumulationNames)...):
		all = append(all, fmt.Sprintf("the batch isn't stated: a step of %d sequences is assumed; write gbs",
			r.Job.Batch))
	}
	if !s.steady() {
		all = append(all, "what was measured may not be what the software reaches: the run checks that it works, "+
			"or sees "+
			"images, whose encoder isn't estimated")
	}
	if dtype, stated := s.dtype(); !stated {
		all = append(all, fmt.Sprintf("the precision isn't stated: matmuls in %v are assumed; write precision", dtype))
	}
	unread := s.unread()
	if word := s.oddType(); word != "" {
		unread = append(unread, "precision "+spell.Clip(word, 32)+", matmuls in bf16 are assumed")
	}
	if said := s.oddSoftware(); said != "" {
		unread = append(unread, "software "+spell.Clip(said, 32)+", constants of "+r.Job.Stack.Name+" are taken")
	}
	if said := s.oddOptimizer(); said != "" {
		unread = append(unread, "optimizer "+spell.Clip(said, 32)+", the state of AdamW is assumed")
	}
	if said := s.words("zero") + s.words("sharding"); hasAny(said, "offload") {
		unread = append(unread, "offload of "+spell.Clip(said, 32))
	}
	_, others := s.modulesSaid()
	for _, word := range others {
		unread = append(unread, "recompute "+spell.Clip(word, 32))
	}
	if len(unread) > 0 {
		all = append(all, "not read: "+strings.Join(unread, ", "))
	}
	return all
}

// metrics are the predictions by the names that measurements use.
func (r *Run) metrics(p *training.Estimator, estimate *training.Estimate, step, memory Interval) map[string]Interval {
	rate := step.Over(p.TokensPerSecond(estimate) * estimate.Time.Step())
	m, devices := &estimate.Reported, float64(r.Job.Devices)
	all := map[string]Interval{
		"step_time_s":                     step,
		"iter_time_s":                     step,
		"iteration_time_ms":               step.Times(1e3),
		"tokens_per_s_per_device":         rate,
		"tokens_per_s_per_device_derived": rate,
		"tokens_per_s":                    rate.Times(devices),
		"samples_per_s":                   rate.Times(devices / float64(r.Job.Sequence)),
		"sequences_per_s":                 rate.Times(devices / float64(r.Job.Sequence)),
		"gpu_memory_GB":                   memory.Times(1 / r.gigabyte()),
		"gpu_memory_max_GB":               memory.Times(1 / r.gigabyte()),
		"peak_memory_GB":                  memory.Times(1 / r.gigabyte()),
		"peak_memory_MB":                  memory.Times(1e3 / r.gigabyte()),
		"peak_memory_GiB":                 memory.Times(1.0 / gibi),
		"peak_mem_GiB":                    memory.Times(1.0 / gibi),
		"model_state_GiB":                 memory.Times(m.States() / m.Total() / gibi),
		"params_grads_opt_GiB":            memory.Times(m.States() / m.Total() / gibi),
		"activation_GiB":                  memory.Times((m.Activations + m.Logits) / m.Total() / gibi),
		"activations_GiB":                 memory.Times(m.Activations / m.Total() / gibi),
	}
	if !r.Batched {
		for _, name := range []string{"step_time_s", "iter_time_s", "iteration_time_ms"} {
			delete(all, name)
		}
	}
	if !r.Sized {
		for _, name := range []string{"gpu_memory_GB", "gpu_memory_max_GB", "peak_memory_GB", "peak_memory_MB",
			"peak_memory_GiB", "peak_mem_GiB", "activation_GiB", "activations_GiB"} {
			delete(all, name)
		}
	}
	for name, count := range r.counts() {
		x := rate.Times(count)
		// who computes less again has another count
		if strings.HasSuffix(name, "hfu_pct") || name == "peak_pct_hardware" {
			x.High = max(x.Mid, min(x.High, 100))
		}
		all[name] = x
	}
	all["aggregate_pflops"] = rate.Times(r.flops(r.convention) / 1e15 * devices)
	return all
}

// counts is what a rate in tokens a second and device is multiplied by for each metric that counts operations.
func (r *Run) counts() map[string]float64 {
	const tera = 1e12
	peak := r.Job.Device.Peak[r.Job.Recipe.Compute] / 100 // of what the matmuls compute in: no share is above 100 %
	return map[string]float64{
		"tflops_per_device":          r.flops(r.convention) / tera,
		"tflops_per_device_reported": r.flops(r.convention) / tera,
		"tflops_per_device_derived":  r.flops(r.convention) / tera,
		"tflops_per_device_model":    r.flops(r.ofModel()) / tera,
		"tflops_per_device_hardware": r.flops(r.hardware) / tera,
		"mfu_pct":                    r.flops(r.mfu()) / peak,
		"hfu_pct":                    r.flops(r.hardware) / peak,
		"peak_pct_hardware":          r.flops(r.hardware) / peak,
	}
}

// ofModel is how the run's software counts what it calls operations of the model.
func (r *Run) ofModel() Convention {
	if r.convention == CausalFLOPs {
		return CausalFLOPs
	}
	return ModelFLOPs
}

// mfu is the convention of a share of the peak: what is computed again doesn't count in it.
func (r *Run) mfu() Convention {
	if r.convention == HardwareFLOPs || r.convention == EightEach {
		return ModelFLOPs
	}
	return r.convention
}

// timed are metrics of rows from which the time of a step follows, the most direct first.
var timed = []string{"tokens_per_s_per_device", "samples_per_s", "sequences_per_s", "tokens_per_s",
	"tokens_per_s_per_device_derived", "tflops_per_device", "tflops_per_device_model", "tflops_per_device_hardware",
	"mfu_pct", "hfu_pct", "tflops_per_device_reported"}

// Seconds is the time of a step that was measured, by whatever metric; 0 if none tells it.
func (r *Run) Seconds(c *RunCase) float64 {
	m, byRate := c.Measured, r.secondsByRate(c)
	for _, direct := range [...]float64{m["step_time_s"], m["iter_time_s"], m["iteration_time_ms"] / 1e3} {
		if another := byRate > 0 && math.Abs(math.Log(direct/byRate)) > math.Log(1.5); direct > 0 && r.Batched &&
			!another {
			return direct
		}
	}
	return byRate
}

// secondsByRate is the same by what a row tells of its rate; 0 if it tells none. A row whose time of a step is another
// one had another batch, or other sequences, than are taken for it.
func (r *Run) secondsByRate(c *RunCase) float64 {
	m, devices := c.Measured, float64(r.Job.Devices)
	tokens := float64(r.Job.Batch*r.Job.Sequence) / devices
	counts := r.counts()
	names := timed
	if c.Kind == "finetuning" { // whose other rates are of padded, packed or all tokens, seldom said which
		names = []string{"tokens_per_s_per_device", "tflops_per_device"}
	}
	for _, name := range names {
		x := m[name]
		switch {
		case x <= 0:
		case counts[name] > 0:
			return tokens * counts[name] / x
		case name == "tokens_per_s":
			return tokens * devices / x
		case name == "samples_per_s" || name == "sequences_per_s":
			return tokens * devices / float64(r.Job.Sequence) / x
		default:
			return tokens / x
		}
	}
	return 0
}

// gigabyte is what the run's software calls a GB of memory: Nanotron divides by 1024 three times.
func (r *Run) gigabyte() float64 {
	if r.Job.Stack.Name == "nanotron" {
		return 1 << 30
	}
	return 1e9
}

// Bytes is the peak of memory that was measured; 0 if none tells it, or the row doesn't tell of which batch and which
// sequences.
func (r *Run) Bytes(c *RunCase) float64 {
	if !r.Sized {
		return 0
	}
	if x := c.Measured["gpu_memory_GB"]; x > 0 {
		return x * r.gigabyte()
	}
	if x := max(c.Measured["gpu_memory_max_GB"], c.Measured["peak_memory_GB"]); x > 0 {
		return x * r.gigabyte()
	}
	return max(c.Measured["peak_memory_GiB"], c.Measured["peak_mem_GiB"]) * gibi
}

// assumeDefaults decides what a set-up leaves open. A plan that doesn't say what it recomputes is taken to recompute as
// little as lets it fit; one that doesn't say what it shards, to shard more only if no policy fits otherwise.
func (r *Run) assumeDefaults(s Setup) {
	r.interleave(s)
	r.regather()
	_, file, _ := s.config() // a config.json doesn't say what is recomputed, flags in its place do
	if r.Job.Stack.FirstRank != 0 || s.saysRecompute() ||
		s.Has("config") && !file {
		return
	}
	if !s.Has("tp", "pp", "dp", "cp", "fsdp", "sharding", "strategy") && r.Job.Device.Axes == 0 {
		r.divide(s)
		return
	}
	r.fit(s)
}

// interleave gives each rank of a pipeline several chunks where a row doesn't say how many and one would leave it idle
// for more than a quarter of the step: as many as bring that below an eighth of the rest. Nobody reports a run that
// stands still so much, and software could do it since 2021.
func (r *Run) interleave(s Setup) {
	const most, aim = 1.0 / 3, 1.0 / 8
	p := &r.Plan
	m := p.MicroBatches(r.Job.Batch)
	if p.PP == 1 || s.Has("vp") || s.Has(scheduleNames...) || float64(p.PP-1) <= most*float64(m) || m%p.PP != 0 ||
		r.Job.Stack.Family != "megatron" || !r.Job.Stack.Schedules(training.Interleaved) {
		return
	}
	for v := 2; v*p.PP <= r.Job.Model.Layers+2; v++ {
		p.Virtual, p.Schedule = v, training.Interleaved
		if float64(p.PP-1) <= aim*float64(m*v) {
			return
		}
	}
}

// regather has the inputs that tensor parallelism gathered gathered again where the plan doesn't fit with them, for
// software that may keep them: rows of the Ultra-Scale grid don't tell its switch.
func (r *Run) regather() {
	if r.Job.Stack.KeepGather > 0 && r.Plan.TP > 1 {
		estimate := training.NewEstimator(r.Job).Estimate(r.Plan)
		r.Job.Regather = estimate.Memory.Total() > training.AfterContext(r.Job.Device.Memory)
	}
}

// divide takes, for a set-up that doesn't say how its devices are divided, the way that is estimated the fastest: by
// tensor parallelism, and by stages only where that alone doesn't fit. A batch, a micro-batch and how often it is run
// tell how many replicas there are.
func (r *Run) divide(s Setup) {
	given := r.Plan
	ga, _ := s.Whole(0, 0, 1<<24, accumulationNames...)
	replicas := 0
	if each := ga * given.Micro; each > 0 && s.Has("mbs") && s.Has(batchNames...) && r.Job.Batch%each == 0 {
		replicas = r.Job.Batch / each
	}
	for pp := 1; pp <= r.Job.Model.Layers && pp <= r.Job.Devices; pp *= 2 {
		if best, found := r.layouts(given, pp, replicas); found {
			r.Plan = best
			return
		}
	}
	r.Plan = given
}

// layouts finds the fastest plan of so many stages that fits, and of so many replicas, unless those are 0.
func (r *Run) layouts(given training.Plan, pp, replicas int) (best training.Plan, found bool) {
	seconds := 0.0
	for tp := 1; tp <= min(r.Job.Device.Domain, r.Job.Devices); tp *= 2 {
		r.Plan = given
		r.Plan.TP, r.Plan.PP, r.Plan.DP = tp, pp, given.DP*given.TP*given.PP/(tp*pp)
		r.Plan.EP = max(given.EP, r.spread(r.Job.Devices/pp))
		if r.Plan.DP == 0 || replicas > 0 && r.Plan.DP != replicas || r.Plan.DP*tp*pp != r.Job.Devices ||
			r.Job.Batch%(r.Plan.DP*r.Plan.Micro) != 0 {
			continue
		}
		r.fit(Setup{})
		estimator := training.NewEstimator(r.Job)
		estimate := estimator.Estimate(r.Plan)
		t, legal := estimate.Time.Step(), estimator.Legal(r.Plan) == nil
		if legal && estimator.Fits(&estimate) && (seconds == 0 || t < seconds) {
			best, seconds, found = r.Plan, t, true
		}
	}
	return best, found
}

// spread is over how many of so many ranks the experts of a model lie if nobody says how devices are divided: as many
// as the fast network joins and divide them.
func (r *Run) spread(ranks int) int {
	experts, ep := r.Job.Model.MoE.Experts, 1
	for n := 2; n <= min(experts, ranks, r.Job.Device.Domain); n++ {
		if experts%n == 0 && ranks%n == 0 {
			ep = n
		}
	}
	return ep
}

// fit shards and recomputes as little as lets the plan fit.
func (r *Run) fit(s Setup) {
	sharding := []int{r.Plan.Zero}
	if r.Plan.Zero < 3 && !s.Has("zero", "fsdp") && !s.shards() {
		sharding = append(sharding, 3)
	}
	estimator := training.NewEstimator(r.Job)
	for _, zero := range sharding {
		for _, plan := range r.policies() {
			plan.Zero = zero
			r.Plan = plan
			estimate := estimator.Estimate(plan)
			if estimate.Memory.Total() <= training.AfterContext(r.Job.Device.Memory) {
				return
			}
		}
	}
}

// policies are the plans that recompute more and more: nothing, attention and what lies between matmuls, then layer
// by layer.
func (r *Run) policies() []training.Plan {
	const steps = 8
	var all []training.Plan
	whole := !r.Job.Stack.Recomputes(training.RecomputeSome)
	for _, policy := range []training.Recompute{training.KeepAll, training.RecomputeSome} {
		if policy < r.Plan.Recompute || whole && policy == training.RecomputeSome {
			continue
		}
		plan := r.Plan
		plan.Recompute = policy
		all = append(all, plan)
	}
	for i := 1; i <= steps; i++ {
		if whole && i < steps { // that software recomputes all layers or none
			continue
		}
		plan := r.Plan
		plan.Recompute, plan.Recomputed = training.RecomputeBlock, max(1, r.Job.Model.Layers*i/steps)
		all = append(all, plan)
	}
	last := r.Plan
	last.Recompute = training.RecomputeOffload
	return append(all, last)
}

// Convention is how a source counts operations, from which it tells FLOP/s.
type Convention string

// The conventions. All but the last two count the full square of attention.
const (
	ModelFLOPs    Convention = "model"    // forward and backward, without what is computed again (arXiv:2205.05198)
	HardwareFLOPs Convention = "hardware" // with it: 96 B s l h^2 (1 + s/6h + V/16lh) if all is (arXiv:2104.04473)
	CausalFLOPs   Convention = "causal"   // those of the model, of attention only what the mask leaves
	SixEach       Convention = "6n"       // 6 for each parameter
	EightEach     Convention = "8n"       // 8 for each, as with all computed again
)

// conventionNames are the keys under which rows state how they count.
var conventionNames = []string{"flops_convention", "convention"}

// convention is how a row counts operations where the name of a metric doesn't tell: as it states, or as its software
// did. Megatron-LM printed hardware FLOPs until 2022, and its fork of BigScience 8 for each parameter. Since 8873b55d
// of 2025-03-06 it counts half of the square of attention, which its mask leaves, and so does Megatron-Bridge.
func (s Setup) convention(stack *training.Stack) Convention {
	const halved = "2025-04"
	said := Convention(strings.ToLower(s.Text(conventionNames...)))
	switch {
	case (said == ModelFLOPs || said == "") && stack.Family == "megatron" && s.month() >= halved &&
		(s.mentions("software", "megatron") || s.benchmark()):
		return CausalFLOPs
	case said == ModelFLOPs, said == HardwareFLOPs, said == CausalFLOPs, said == SixEach, said == EightEach:
		return said
	case stack.Family == "megatron" && stack.Until != "" && stack.Until < "2022-05":
		return HardwareFLOPs
	}
	return ModelFLOPs
}

// hardware is how a row counts hardware FLOPs.
func (s Setup) hardware() Convention {
	if said := Convention(strings.ToLower(s.Text(conventionNames...))); said == EightEach {
		return said
	}
	if s.mentions("software", "bigscience") || s.mentions("source", "bigscience-workshop") {
		return EightEach
	}
	return HardwareFLOPs
}

// mentions tells whether a text holds a word.
func (s Setup) mentions(name, word string) bool {
	return strings.Contains(strings.ToLower(s.Text(name)), word)
}

// flops is the operations of a token by a convention.
func (r *Run) flops(by Convention) float64 {
	m, s := r.Job.Model, float64(r.Job.Sequence)
	parameters := r.Parameters
	if parameters == 0 {
		parameters = m.Total()
	}
	switch by {
	case SixEach:
		return 6 * parameters
	case EightEach:
		return 8 * parameters
	case CausalFLOPs:
		return float64(m.FLOPsPerToken(s, model.Windowed, r.pass()))
	case HardwareFLOPs:
		return r.flopsPerToken() + r.again()
	}
	return r.flopsPerToken()
}

func (r *Run) pass() model.Pass {
	if r.Job.Frozen {
		return model.Frozen
	}
	return model.Train
}

// again is the operations of a token that are computed again: of the layers that are, those of a forward pass without
// logits; of attention that is, its own.
func (r *Run) again() float64 {
	m, s, plan := r.Job.Model, float64(r.Job.Sequence), &r.Plan
	attention := float64(m.AttentionFLOPs(s, model.Full, model.Forward))
	switch {
	case plan.Recompute >= training.RecomputeBlock:
		share := 1.0
		if plan.Recomputed > 0 {
			share = min(1, float64(plan.Recomputed)/float64(m.Layers))
		}
		logits := 2 * float64(m.Width) * float64(m.Vocab)
		return share * (float64(m.FLOPsPerToken(s, model.Full, model.Forward)) - logits)
	case plan.Recompute&(training.RecomputeSome|training.RecomputeAttention) != 0 && r.Job.Stack.KeepOutputs == 1:
		return attention
	}
	return 0
}

// flopsPerToken is by the convention of most published rates: 6 for each weight that a token meets, and the full
// square of attention. Rows that tell the number of parameters count 6 for each of those.
func (r *Run) flopsPerToken() float64 {
	m, s := r.Job.Model, float64(r.Job.Sequence)
	if r.Parameters > 0 {
		return 6*r.Parameters + float64(m.AttentionFLOPs(s, model.Full, model.Train))
	}
	return float64(m.FLOPsPerToken(s, model.Full, r.pass()))
}
