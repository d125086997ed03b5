package measured

import (
	_ "embed"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/training"
)

// finetuning predicts the memory and the speed of fine-tuning: full, by adapters (LoRA), or by adapters on weights in
// few bits (QLoRA).
func finetuning(row Row) (Prediction, error) {
	run, err := NewTuning(row.Setup)
	if err != nil {
		return Prediction{}, err
	}
	estimator := training.NewEstimator(run.Job)
	if err := estimator.Legal(run.Plan); err != nil {
		return Prediction{}, err
	}
	estimate := estimator.Estimate(run.Plan)
	all := Prediction{Fits: estimator.FitOf(&estimate).String(), Metrics: run.tuned(row.Setup, estimator, &estimate)}
	if row.Setup.anyDevice() {
		for name := range all.Metrics {
			if !slices.ContainsFunc(gauges(), func(g gauge) bool { return g.name == name }) {
				delete(all.Metrics, name)
			}
		}
		all.Notes = append(all.Notes, "times are not predicted: the device is not said")
	}
	return all, nil
}

// anyDevice tells whether a set-up says that its source names no device, only one that has as much memory.
func (s Setup) anyDevice() bool {
	return strings.HasPrefix(strings.ToLower(s.Text("device")), "not stated")
}

// TunedSeconds is the time of a step of a case of fine-tuning; 0 if it isn't known, or not on which device.
func (r *Run) TunedSeconds(c *RunCase) float64 {
	if c.Setup.anyDevice() {
		return 0
	}
	return r.Seconds(c)
}

// NewTuning reads a set-up of fine-tuning.
func NewTuning(s Setup) (Run, error) {
	var r Run
	m, err := s.tunedModel()
	if err != nil {
		return r, err
	}
	id := ""
	if r.Job.Device, id, err = s.device(); err != nil {
		return r, err
	}
	r.Job.Model = m
	if r.Job.Stack, err = training.StackNamed(s.tuner(id)); err != nil {
		return r, err
	}
	if r.Job.Stack.Family == "fsdp" {
		r.Job.Stack = s.withKernels(r.Job.Stack)
	}
	compute, _ := s.dtype()
	r.Job.Recipe = r.Job.Stack.Recipe(compute, s.adapted() && r.Job.Stack.Family == "megatron")
	r.Job.Recipe.Attention = s.attentionType()
	r.Batched, r.Sized = true, true // what a row of fine-tuning leaves out is as its software has it
	if r.Job.Devices, err = s.Whole(1, 1, mostDevices, "n_devices"); err != nil {
		return r, err
	}
	r.Job.Sequence, err = s.Whole(0, 0, 1<<24, "seq_len", "max_seq_len", "max_length", "longest_example_tokens")
	if err != nil {
		return r, err
	}
	switch {
	case r.Job.Sequence == 0:
		return r, errors.New("how long sequences are is not said; write seq_len")
	case !s.Has("longest_example_tokens") && !s.Switch(!s.atMost(), "packing", "packed"):
		return r, errors.New("only the most that a sequence may have is said; write seq_len, or that they are packed")
	case strings.Contains(s.words("software"), "torchtune") && !s.Has("packing", "packed"):
		return r, errors.New("of torchtune, seq_len is only the most that a sequence may have; " +
			"write packed, true or false")
	case strings.EqualFold(s.Text("method"), "full") && !s.Has("optimizer"):
		return r, errors.New("the optimizer is not said; write optimizer")
	}
	if r.Plan, err = s.tunedPlan(&r.Job); err != nil {
		return r, err
	}
	state, err := s.tunedState(&r)
	if err != nil {
		return r, err
	}
	state.Apply(&r.Job)
	r.Job.Flat = s.flat()
	r.Job.Late = r.Job.Flat
	return r, nil
}

// flat tells whether FSDP joins frozen weights and adapters to flat parameters, which have gradients whole: LitGPT of
// 2023 wrapped its blocks, and left gradients unreduced (no_backward_sync) but for the last micro-batch of a step.
func (s Setup) flat() bool {
	return s.adapted() && hasAny(s.words("sharding"), "fsdp") && hasAny(s.words("software"), "litgpt")
}

// litGPTBatch is how many sequences each device has in a step unless somebody edits LitGPT's finetune/lora.py.
const litGPTBatch = 128

// atMost tells whether a set-up says only the most that a sequence may have. How long sequences are then depends on the
// data: the same set-up was measured at 8 and at 26 GB.
func (s Setup) atMost() bool { return s.Has("max_length", "max_seq_len") && !s.Has("seq_len") }

// shapeTable is models that people fine-tune and the catalog lacks, as their publishers' configurations have them:
// name, layers, width, heads, heads of keys and values and their size, width of the MLP, vocabulary, whether its tables
// are one, and whether its MLP has no gate.
//
//go:embed shapes.tsv
var shapeTable string

// tunedModel is the model of a set-up.
func (s Setup) tunedModel() (*model.Model, error) {
	m, err := s.model()
	if err == nil {
		return m, nil
	}
	name := strings.ToLower(s.Text("model"))
	name = strings.TrimSuffix(name[strings.LastIndexByte(name, '/')+1:], "-instruct")
	for line := range strings.Lines(shapeTable) {
		c := strings.Split(strings.TrimSpace(line), "\t")
		if c[0] != name {
			continue
		}
		of := Setup{"model": s.Text("model"), "tied": c[8] == "1"}
		for i, field := range []string{"layers", "d_model", "n_heads", "n_kv_heads", "head_dim", "d_ff", "vocab"} {
			of[field], _ = strconv.ParseFloat(c[1+i], 64)
		}
		m, err := of.shape()
		if err == nil {
			m.Plain = c[9] == "1"
		}
		return m, err
	}
	return nil, err
}

// narrowLosses are models whose code in transformers, or beside their weights, leaves logits in 16 bits for the loss.
const narrowLosses = "qwen-1.8b qwen-7b qwen-14b qwen-72b gpt_bigcode starcoderbase santacoder gpt2"

// tuner is the software whose constants suit a set-up.
func (s Setup) tuner(device string) string {
	said := strings.ToLower(s.Text("framework", "software", "engine") + s.Text("sharding"))
	switch {
	case hasAny(said, "megatron", "mcore"), hasAny(said, "nemo") && !hasAny(said, "automodel"):
		return "megatron"
	case hasAny(said, "torchtitan", "prime-rl"):
		return "fsdp"
	case strings.HasPrefix(device, "tpu."):
		return "xla"
	}
	return "transformers"
}

// tunedPlan is how a set-up is laid on its devices.
func (s Setup) tunedPlan(j *training.Job) (training.Plan, error) {
	var p training.Plan
	for _, field := range []struct {
		to   *int
		name string
	}{{&p.TP, "tp"}, {&p.PP, "pp"}, {&p.CP, "cp"}, {&p.EP, "ep"}, {&p.Micro, "mbs"}, {&p.Virtual, "vp"}} {
		n, err := s.Whole(1, 0, mostDevices, field.name)
		if err != nil {
			return p, err
		}
		*field.to = max(1, n)
	}
	apart := func(c rune) bool { return c == ' ' || c == ',' }
	for _, word := range strings.FieldsFunc(strings.ToLower(s.Text("sharding")), apart) {
		for name, to := range map[string]*int{"tp": &p.TP, "pp": &p.PP, "cp": &p.CP, "ep": &p.EP} { // tp4 pp1 ep1
			if n, err := strconv.Atoi(strings.TrimPrefix(word, name)); err == nil && n > 0 && n <= mostDevices &&
				strings.HasPrefix(word, name) {
				*to = n
			}
		}
	}
	inner := p.TP * p.PP * p.CP
	if p.DP = j.Devices / inner; p.DP*inner != j.Devices {
		return p, errors.New("its ways of parallelism don’t divide its devices")
	}
	ga, err := s.Whole(1, 0, 1<<20, "grad_accum")
	if err != nil {
		return p, err
	}
	batch, err := s.Whole(0, 0, 1<<24, "gbs", "global_batch_size")
	if err != nil {
		return p, err
	}
	if !s.Has("mbs", "local_batch") && batch > 0 {
		p.Micro = max(1, batch/p.DP/max(1, ga))
	}
	if s.flat() && !s.Has("grad_accum") {
		ga = max(1, litGPTBatch/p.Micro)
	}
	if j.Batch = p.DP * p.Micro * max(1, ga); batch > 0 && batch%(p.DP*p.Micro) == 0 && !s.Has("grad_accum") {
		j.Batch = batch
	}
	if p.Zero = s.zeroStage(j.Devices); j.Stack.Family == "megatron" && !s.Has("sharding", "zero", "fsdp") {
		p.Zero = min(p.Zero, 1) // its optimizer's state is sharded, and weights only if somebody says so
	}
	again := s.words("gradient_checkpointing", "activation_checkpointing", "recompute", "act_ckpt")
	switch {
	case again == "" && s.saysRecompute(), again == "false", strings.HasPrefix(again, "none"), again == "no":
	case strings.Contains(again, "sel"):
		p.Recompute = training.RecomputeSome
	default:
		p.Recompute = training.RecomputeBlock
	}
	p.Recomputed, err = s.recomputed(&p)
	return p, err
}

// adapted tells whether adapters learn.
func (s Setup) adapted() bool { return hasAny(s.words("method"), "lora") }

// zeroStage is the stage of ZeRO by which a set-up shards its states. FSDP, or nothing said of several devices, is 3.
func (s Setup) zeroStage(devices int) int {
	if n, err := s.zero(); err == nil && s.Has("zero") {
		return n
	}
	switch said := s.words("sharding"); {
	case hasAny(said, "zero-3", "zero3", "full shard", "full_shard", "hybrid"):
		return 3
	case hasAny(said, "zero-2", "zero2", "grad_op"):
		return 2
	case hasAny(said, "zero-1", "distributed optimizer"):
		return 1
	case hasAny(said, "no shard", "no_shard"), strings.HasPrefix(said, "none"), strings.HasPrefix(said, "ddp"):
		return 0
	case hasAny(said, "fsdp"), s.above("fsdp"), said == "" && devices > 1:
		return 3
	}
	return 0
}

// tunedState is what learns, and in which bytes.
func (s Setup) tunedState(r *Run) (training.State, error) {
	x := training.State{Kind: s.stateKind()}
	precision, method := s.words("precision"), s.words("method")
	if hasAny(precision, "weights float16, fp16 autocast") {
		x.Kind, x.Weight = pick(x.Kind == "fsdp", "fsdp", "loaded"), 2
	}
	switch {
	case hasAny(method, "full"), method == "":
	case strings.HasPrefix(method, "lora"), strings.HasPrefix(method, "qlora"):
		x.Learn = "lora"
	default:
		return x, errors.New("method " + method + " is not priced; those that are: full, lora, qlora")
	}
	software := s.words("software")
	x.Script = !hasAny(software+s.words("framework"), "transformers", "trl", "axolotl", "swift", "llama")
	old := hasAny(software, "pytorch 2.0", "pytorch 2.1", "pytorch 2.2", "pytorch 2.3")
	if x.Learn != "" && x.Kind == "loaded" && old {
		x.Kind = "pure" // adapters were as wide as what is loaded until PEFT 0.12 of July 2024
	}
	if hasAny(software, "prime-rl") { // loads weights in fp32, frozen ones too, and casts what it gathers
		x.Kind, x.Weight = "fsdp", 4
	}
	if r.Job.Stack.Family == "megatron" && x.Kind == "loaded" {
		x.Kind = "" // its own
	}
	if hasAny(method, "embedding and output") && !hasAny(method, "not said") {
		x.Saved = training.TargetEmbed | training.TargetHead
	}
	quantised := s.words("weight_quantization", "weight_bits", "quant") + " " + method + " " +
		strings.ToLower(s.Text("model"))
	if r.Job.Stack.Family != "megatron" { // which names what its matmuls compute in
		quantised += " " + precision
	}
	switch {
	case hasAny(quantised, "4-bit", "4bit", "nf4", "nvfp4", "mxfp4", "int4", "gptq", "qlora"):
		x.Bits, x.Double = 4, hasAny(quantised, "nested", "double") || s.doubles(quantised, software)
	case hasAny(quantised, "8-bit", "8bit"):
		x.Bits = 8
	}
	if x.Learn == "lora" {
		if err := s.tunedAdapters(&x); err != nil {
			return x, err
		}
	}
	x.Prepared = s.Switch(false, "prepared")
	x.Inputs = x.Bits == 4 && older(software, "bitsandbytes", "0.43.2")
	x.Kernels = s.Switch(false, "compile", "torch_compile") || // which leaves of elementwise operations what these do
		hasAny(software+s.words("framework"), "automodel") // patches models with Liger’s kernels, if nothing is said
	x.Optimizer = s.tunedOptimizer()
	x.InBackward = hasAny(s.words("optimizer"), "in backward") && !hasAny(s.words("optimizer"), "not said")
	attention, made := s.words("flash_attention", "attn_implementation", "attention"), s.words("implementation")
	x.Unfused = attention == "false" || hasAny(attention, "eager", "no flash", "none") || attention == "" &&
		(made == "hugging face" || made == "hf") // as it was before its attention was fused
	x.Loss = s.tunedLoss(x.Bits == 4 && hasAny(quantised, "bnb", "nf4"))
	s.tunedHost(&x)
	return x, nil
}

// tunedHost sets what of the state and of what is kept for the backward pass lies with the host.
func (s Setup) tunedHost(x *training.State) {
	sharding := s.words("sharding")
	offloads := hasAny(sharding, "offload") && !hasAny(sharding, "no offload", "no cpu offload")
	if offloads || s.Switch(false, "cpu_offload_params", "optimizer_cpu_offload") {
		x.Host.State = true
		x.Host.Weights = hasAny(sharding, "param", "fsdp") || s.Switch(false, "cpu_offload_params")
	}
	x.Host.Kept = hasAny(s.words("implementation"), "unsloth") ||
		s.Switch(false, "activation_offloading", "activation_cpu_offload", "act_cpu_offload")
}

// doubles tells whether a program keeps scales of 4-bit weights in few bits too unless a flag says not to.
func (s Setup) doubles(quantised, software string) bool {
	if hasAny(quantised, "nvfp4", "mxfp4", "gptq", "awq") || s.Has("double_quant") {
		return false
	}
	return hasAny(software+strings.ToLower(s.Text("source")), "torchtune", "llama-factory", "axolotl", "ms-swift")
}

// older tells whether a list of software has a package in a version before another: "bitsandbytes==0.43.3, torch==2.4".
func older(software, name, than string) bool {
	_, after, found := strings.Cut(software, name)
	if !found {
		return false
	}
	after = strings.TrimLeft(after, " =v")
	end := strings.IndexFunc(after, func(c rune) bool { return c != '.' && (c < '0' || c > '9') })
	if end >= 0 {
		after = after[:end]
	}
	have := strings.Split(after, ".")
	for i, want := range strings.Split(than, ".") {
		n := 0
		if i < len(have) {
			n, _ = strconv.Atoi(have[i])
		}
		if m, _ := strconv.Atoi(want); n != m {
			return after != "" && n < m
		}
	}
	return false
}

// words is the text of the first of these fields that a set-up has, in small letters.
func (s Setup) words(names ...string) string { return strings.ToLower(s.Text(names...)) }

// stateKind is how the state is kept, in the words of [training.State].
func (s Setup) stateKind() string {
	precision, sharding := s.words("precision"), s.words("sharding")
	if sharding == "" && s.mentions("software", "deepspeed") {
		sharding = "deepspeed"
	}
	kind := "loaded"
	switch {
	case hasAny(sharding, "zero", "deepspeed") && !hasAny(sharding, "none"):
		kind = "mixed"
	case hasAny(precision, "pure", "true", "weights, gradients", "full bf16"):
		kind = "pure"
	case hasAny(precision, "fp32 parameters", "fp32 weights", "amp", "mixed"):
		kind = "amp"
	case precision == "fp32":
		kind = "fp32"
	}
	autocast := hasAny(precision, "autocast") && !hasAny(precision, "no autocast")
	if hasAny(sharding, "fsdp") && (kind == "amp" || autocast || hasAny(precision, "fp32 master")) {
		return "fsdp"
	}
	return kind
}

// tunedAdapters reads the rank of adapters, and which matrices have them.
func (s Setup) tunedAdapters(x *training.State) (err error) {
	if x.Rank, err = s.Number(0, "lora_rank", "rank"); err != nil {
		return err
	}
	targets := s.words("lora_targets", "target_modules")
	if list, is := s["lora_targets"].([]any); is {
		for _, t := range list {
			if name, is := t.(string); is {
				targets += "+" + name
			}
		}
	}
	words := strings.FieldsFunc(targets, func(c rune) bool { return strings.ContainsRune(" ,+()|'\"[]", c) })
	good := words[:0]
	for _, w := range words {
		if known, err := new(training.State).Set("targets", w); known && err == nil {
			good = append(good, w)
		}
	}
	if hasAny(targets, "all linear", "all-linear", "all") || len(good) == 0 &&
		hasAny(targets, "mlp|", "down|", "gate") {
		good = []string{"all"}
	}
	_, err = x.Set("targets", strings.Join(good, "+"))
	return err
}

// tunedOptimizer is the optimizer of a set-up; empty for one that isn't known.
func (s Setup) tunedOptimizer() string {
	optimizer := s.words("optimizer")
	word, _, _ := strings.Cut(optimizer, " (")
	word = strings.NewReplacer(" fused", "", "bitsandbytes ", "", "torchao ", "", "torch ", "", " ", "").Replace(word)
	switch {
	case hasAny(optimizer, "paged", "8-bit", "8bit") && hasAny(optimizer, "8"):
		return "adamw8bitbnb"
	case hasAny(optimizer, "4-bit", "4bit"):
		return "adamw4bit"
	case hasAny(optimizer, "adamw_torch") && !hasAny(optimizer, "fused"):
		return "adamwtorch"
	}
	if _, known := training.OptimizerNamed(word); known {
		return word
	}
	return ""
}

// tunedLoss is how the loss is computed. Models that PEFT prepares for training have logits in fp32, whatever their
// code says.
func (s Setup) tunedLoss(prepared bool) string {
	loss := s.words("plugins", "loss", "liger_loss", "linear_cut_cross_entropy", "liger")
	switch {
	case hasAny(loss, "cut_cross"), s.Switch(false, "linear_cut_cross_entropy"):
		return "cut"
	case loss == "true", s.Switch(false, "liger_loss", "liger"):
		return "liger"
	case s.fusedHead():
		return "liger"
	case hasAny(loss, "chunked") && !hasAny(loss, "not chunked"), hasAny(s.words("software"), "litgpt"):
		return "chunked" // LitGPT makes logits and losses of 128 tokens at a time
	case s.Switch(false, "fused_ops"), hasAny(s.words("implementation"), "unsloth"):
		return "fused"
	case !prepared && hasAny(s.words("model"), strings.Fields(narrowLosses)...):
		return "bf16"
	}
	return ""
}

// fusedHead tells whether the matmul that makes logits is one with the loss, so that a part of them is there at a time.
func (s Setup) fusedHead() bool {
	return hasAny(s.words("task")+" "+s.words("loss"), "fused head", "fused lm_head", "fused linear")
}

// Meter is what a figure of memory counts.
type Meter uint8

// The meters: tensors, what the allocator has taken for them, all that is taken of the device, and that of all devices.
const (
	Allocated Meter = iota
	Reserved
	Taken
	TakenOfAll
)

// gauge is how rows call a figure of memory.
type gauge struct {
	name  string
	meter Meter
	unit  float64
}

const gibi, mebi, giga = 1 << 30, 1 << 20, 1e9

// gauges are the figures of memory by the names that measurements use.
func gauges() []gauge {
	return []gauge{{"peak_torch_memory_allocated_bytes", Allocated, 1}, {"accelerator_memory_max_bytes", Allocated, 1},
		{"max_memory_allocated_GB", Allocated, giga}, {"peak_memory_allocated_GB", Allocated, giga},
		{"memory_allocated_GB", Allocated, giga}, {"allocated_memory_GB", Allocated, giga},
		{"peak_memory_allocated_per_device_GiB", Allocated, gibi}, {"peak_memory_active_GiB", Allocated, gibi},
		{"max_memory_allocated_MB", Allocated, mebi}, {"vram_MB", Allocated, mebi},
		{"peak_memory_reserved_per_device_GiB", Reserved, gibi}, {"peak_memory_reserved_GB", Reserved, giga},
		{"peak_memory_MB", Reserved, mebi}, {"peak_memory_per_device_GiB", Reserved, gibi},
		{"nvidia_smi_memory_used_MiB", Taken, mebi}, {"peak_gpu_memory_MiB", Taken, mebi},
		{"gpu_memory_occupied_MB", Taken, mebi}, {"memory_per_device_GiB", Taken, gibi},
		{"peak_memory_device0_GiB", Taken, gibi}, {"peak_memory_GiB", Taken, gibi},
		{"memory_per_device_GB", Taken, giga},
		{"peak_memory_GB", Taken, giga}, {"memory_GB", Taken, giga}, {"gpu_memory_GB", Taken, giga},
		{"peak_memory_per_device_GB", Taken, giga}, {"peak_memory_all_devices_GB", TakenOfAll, giga}}
}

// gauges are the figures as the software of a set-up means them: LitGPT and torchtune print what their tensors take.
func (s Setup) gauges() []gauge {
	all := gauges()
	if hasAny(s.words("software"), "litgpt", "torchtune") {
		for i := range all {
			name := all[i].name
			if strings.HasPrefix(name, "peak_memory_GB") || strings.HasPrefix(name, "peak_memory_per_device_") {
				all[i].meter = Allocated
			}
		}
	}
	return all
}

// Share is the part of the memory of an estimate that a meter counts.
func (r *Run) Share(estimate *training.Estimate, meter Meter) float64 {
	m := &estimate.Reported
	total := m.Total()
	switch meter {
	case Allocated:
		return (total - m.Residual - m.Fragments) / total
	case Reserved:
		return (total - r.Job.Stack.Context()) / total
	case TakenOfAll:
		return float64(r.Job.Devices)
	}
	return 1
}

// Gauged is a figure of memory of a case in bytes, and its meter; 0 if it has none.
func Gauged(c *RunCase) (bytes float64, meter Meter) {
	for _, g := range c.Setup.gauges() {
		if x := c.Measured[g.name]; x > 0 {
			return x * g.unit, g.meter
		}
	}
	return 0, Taken
}

// tuned are the predictions by the names that measurements use.
func (r *Run) tuned(s Setup, p *training.Estimator, estimate *training.Estimate) map[string]Interval {
	step, whole := Interval(p.StepInterval(estimate)), Interval(p.MemoryInterval(estimate))
	all := r.metrics(p, estimate, step, whole)
	for _, g := range s.gauges() {
		all[g.name] = whole.Times(r.Share(estimate, g.meter) / g.unit)
	}
	all["step_time_ms"] = step.Times(1e3)
	all["tokens_per_s"] = all["tokens_per_s_per_device"].Times(float64(r.Job.Devices))
	all["train_time_per_step_s"] = step
	if steps, err := s.Number(0, "steps"); err == nil && steps > 0 {
		all["train_time_s"] = step.Times(steps)
	}
	return all
}

func pick(first bool, a, b string) string {
	if first {
		return a
	}
	return b
}
