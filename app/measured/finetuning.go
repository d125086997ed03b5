package measured

import (
	"errors"
	"strings"

	"github.com/scalebook/scalebook/app/training"
)

// finetuning predicts the memory and the speed of fine-tuning: full, by adapters (LoRA), or by adapters on weights in
// few bits (QLoRA).
func finetuning(row Row) (Prediction, error) {
	run, err := newFinetuning(row.Setup)
	if err != nil {
		return Prediction{}, err
	}
	pricer := training.NewPricer(run.Job)
	if err := pricer.Legal(run.Plan); err != nil {
		return Prediction{}, err
	}
	price := pricer.Price(run.Plan)
	fits := pricer.Fits(&price)
	return Prediction{Fits: &fits, Metrics: run.tuned(row.Setup, pricer, &price)}, nil
}

// newFinetuning reads a set-up of fine-tuning.
func newFinetuning(s Setup) (Run, error) {
	var r Run
	m, err := s.model()
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
	r.Job.Recipe = training.RecipeOf(r.Job.Stack.Name, training.BF16, false)
	if r.Job.Devices, err = s.Whole(1, 1, mostDevices, "n_devices"); err != nil {
		return r, err
	}
	if r.Job.Sequence, err = s.Whole(0, 0, 1<<24, "seq_len", "max_seq_len", "max_length", "longest_example_tokens"); err != nil {
		return r, err
	}
	if r.Job.Sequence == 0 {
		return r, errors.New("how long sequences are is not said; write seq_len")
	}
	if r.Plan, err = s.tunedPlan(&r.Job); err != nil {
		return r, err
	}
	state, err := s.tunedState(&r)
	if err != nil {
		return r, err
	}
	state.Apply(&r.Job)
	return r, nil
}

// tuner is the software whose constants suit a set-up.
func (s Setup) tuner(device string) string {
	said := strings.ToLower(s.Text("framework", "software", "engine") + s.Text("sharding"))
	switch {
	case strings.Contains(said, "megatron"):
		return "megatron"
	case strings.Contains(said, "torchtitan"):
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
	if j.Batch = p.DP * p.Micro * max(1, ga); batch > 0 && batch%(p.DP*p.Micro) == 0 && !s.Has("grad_accum") {
		j.Batch = batch
	}
	said := strings.ToLower(s.Text("sharding"))
	switch {
	case strings.Contains(said, "zero-3"), strings.Contains(said, "zero3"), strings.Contains(said, "full shard"),
		strings.Contains(said, "full_shard"):
		p.Zero = 3
	case strings.Contains(said, "zero-2"), strings.Contains(said, "zero2"), strings.Contains(said, "grad_op"):
		p.Zero = 2
	case strings.Contains(said, "zero-1"), strings.Contains(said, "distributed optimizer"):
		p.Zero = 1
	case strings.Contains(said, "no shard"), strings.HasPrefix(said, "none"), strings.HasPrefix(said, "ddp"):
	case strings.Contains(said, "fsdp"), s.above("fsdp"):
		p.Zero = 3
	}
	if n, err := s.Whole(0, 0, 3, "zero"); err == nil && s.Has("zero") {
		p.Zero = n
	}
	again := strings.ToLower(s.Text("gradient_checkpointing", "activation_checkpointing", "recompute", "act_ckpt"))
	switch {
	case again == "", again == "false", strings.HasPrefix(again, "none"), again == "no":
	case strings.Contains(again, "sel"):
		p.Recompute = training.RecomputeSome
	default:
		p.Recompute = training.RecomputeBlock
	}
	return p, nil
}

// tunedState is what learns, and in which bytes.
func (s Setup) tunedState(r *Run) (training.State, error) {
	var x training.State
	precision := strings.ToLower(s.Text("precision"))
	method := strings.ToLower(s.Text("method"))
	optimizer := strings.ToLower(s.Text("optimizer"))
	sharding := strings.ToLower(s.Text("sharding"))
	has := func(text string, words ...string) bool {
		for _, w := range words {
			if strings.Contains(text, w) {
				return true
			}
		}
		return false
	}
	x.Kind = "loaded"
	switch {
	case has(sharding, "zero", "deepspeed") && !has(sharding, "none"):
		x.Kind = "mixed"
	case has(precision, "pure", "true", "weights, gradients", "full bf16"):
		x.Kind = "pure"
	case has(precision, "fp32 parameters", "fp32 weights", "amp", "mixed"):
		x.Kind = "amp"
	case precision == "fp32":
		x.Kind = "fp32"
	}
	if has(sharding, "fsdp") && (x.Kind == "amp" || has(precision, "fp32 master")) {
		x.Kind = "fsdp"
	}
	if has(precision, "weights float16, fp16 autocast") {
		x.Kind, x.Weight = "loaded", 2
	}
	switch {
	case has(method, "full"), method == "":
	case has(method, "lora"), has(method, "adalora"):
		x.Learn = "lora"
	default:
		return x, errors.New("method " + method + " is not priced; those that are: full, lora, qlora")
	}
	if strings.Contains(method, "embedding and output") && !strings.Contains(method, "not said") {
		x.Saved = training.TargetEmbed | training.TargetHead
	}
	quantised := strings.ToLower(s.Text("weight_quantization", "weight_bits", "quant") + " " + method + " " + precision)
	switch {
	case has(quantised, "4-bit", "4bit", "nf4", "int4", "gptq", "qlora"):
		x.Bits, x.Double = 4, has(quantised, "nested", "double")
	case has(quantised, "8-bit", "8bit"):
		x.Bits = 8
	}
	if x.Learn == "lora" {
		rank, err := s.Number(0, "lora_rank", "rank")
		if err != nil {
			return x, err
		}
		x.Rank = rank
		targets := strings.ToLower(s.Text("lora_targets", "target_modules"))
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
		if has(targets, "all linear", "all-linear", "all") || len(good) == 0 && has(targets, "mlp|", "down|", "gate") {
			good = []string{"all"}
		}
		if _, err := x.Set("targets", strings.Join(good, "+")); err != nil {
			return x, err
		}
	}
	word, _, _ := strings.Cut(optimizer, " (")
	word = strings.NewReplacer(" fused", "", "bitsandbytes ", "", "torchao ", "", "torch ", "", " ", "").Replace(word)
	switch {
	case has(optimizer, "paged", "8-bit", "8bit") && has(optimizer, "8"):
		x.Optimizer = "adamw8bit"
	case has(optimizer, "4-bit", "4bit"):
		x.Optimizer = "adamw4bit"
	default:
		if _, known := training.OptimizerNamed(word); known {
			x.Optimizer = word
		}
	}
	x.InBackward = has(optimizer, "in backward") && !has(optimizer, "not said")
	attention := strings.ToLower(s.Text("flash_attention", "attn_implementation", "attention"))
	x.Unfused = attention == "false" || has(attention, "eager", "no flash")
	loss := strings.ToLower(s.Text("plugins", "loss", "liger_loss", "linear_cut_cross_entropy", "liger"))
	switch {
	case has(loss, "cut_cross"), s.Switch(false, "linear_cut_cross_entropy"):
		x.Loss = "cut"
	case loss == "true", s.Switch(false, "liger_loss", "liger"):
		x.Loss = "liger"
	case has(loss, "chunked"):
		x.Loss = "chunked"
	}
	if has(sharding, "offload") && !has(sharding, "no offload", "no cpu offload") || s.Switch(false, "cpu_offload_params", "optimizer_cpu_offload") {
		x.Host.State = true
		x.Host.Weights = has(sharding, "param", "fsdp") || s.Switch(false, "cpu_offload_params")
	}
	x.Host.Kept = s.Switch(false, "activation_offloading", "activation_cpu_offload", "act_cpu_offload")
	return x, nil
}

// tuned are the predictions by the names that measurements use.
func (r *Run) tuned(s Setup, p *training.Pricer, price *training.Price) map[string]Interval {
	step, whole := Interval(p.StepInterval(price)), Interval(p.MemoryInterval(price))
	m := &price.Reported
	total := m.Total()
	own := whole.Times((total - m.Residual - m.Fragments) / total)   // what tensors take
	reserved := whole.Times((total - r.Job.Stack.Context()) / total) // what the allocator has
	all := r.metrics(p, price, step, whole)
	const gibi, mebi = 1 << 30, 1 << 20
	n := float64(r.Job.Devices)
	add := func(x Interval, unit float64, names ...string) {
		for _, name := range names {
			all[name] = x.Times(1 / unit)
		}
	}
	add(own, 1, "peak_torch_memory_allocated_bytes", "accelerator_memory_max_bytes")
	add(own, 1e9, "max_memory_allocated_GB", "peak_memory_allocated_GB", "memory_allocated_GB", "allocated_memory_GB")
	add(own, gibi, "peak_memory_allocated_per_device_GiB", "peak_memory_active_GiB", "peak_memory_per_device_GiB")
	add(own, mebi, "max_memory_allocated_MB", "vram_MB")
	add(reserved, gibi, "peak_memory_reserved_per_device_GiB")
	add(reserved, 1e9, "peak_memory_reserved_GB")
	add(reserved, mebi, "peak_memory_MB")
	add(whole, mebi, "nvidia_smi_memory_used_MiB", "peak_gpu_memory_MiB", "gpu_memory_occupied_MB")
	add(whole, gibi, "memory_per_device_GiB", "peak_memory_device0_GiB", "peak_memory_GiB")
	add(whole, 1e9, "memory_per_device_GB", "peak_memory_GB", "memory_GB", "gpu_memory_GB", "peak_memory_per_device_GB")
	add(whole.Times(n), 1e9, "peak_memory_all_devices_GB")
	if strings.Contains(strings.ToLower(s.Text("software", "framework")), "litgpt") {
		add(own, 1e9, "peak_memory_GB")
	}
	add(step, 1e-3, "step_time_ms")
	all["tokens_per_s"] = all["tokens_per_s_per_device"].Times(n)
	all["train_time_per_step_s"] = step
	if steps, err := s.Number(0, "steps"); err == nil && steps > 0 {
		all["train_time_s"] = step.Times(steps)
	}
	return all
}
