package measured

import (
	"fmt"
	"strings"

	"github.com/scalebook/scalebook/app/training"
)

// Run is a training set-up as the estimation packages take it.
type Run struct {
	Job        training.Job
	Plan       training.Plan
	Parameters float64 // as the row counts them; 0 if it doesn't
	Told       bool    // the row says how its devices are divided and what is computed again

	Batched              bool       // it says how large the batch is, without which a step has no time
	convention, hardware Convention // of rates in FLOP/s, and of those that are called hardware's
}

// NewRun reads a set-up. The error is the reason why it can't be priced.
func NewRun(s Setup) (Run, error) {
	var r Run
	var err error
	if r.Job, err = s.job(); err != nil {
		return r, err
	}
	if r.Plan, err = s.plan(&r.Job); err != nil {
		return r, err
	}
	r.settle(s)
	if r.Parameters, err = s.Count(1e18, "params"); err != nil {
		return r, err
	}
	r.Batched = s.Has(
		"gbs",
		"global_batch_seqs",
		"global_batch",
		"tokens_per_batch",
		"tokens_per_step",
		"mbs",
		"local_batch",
		"local_bs",
		"per_device_batch",
	)
	r.Told = s.saysRecompute() && s.Has("tp", "pp", "dp", "fsdp", "sharding", "strategy") ||
		r.Job.Stack.FirstRank != 0
	r.convention, r.hardware = s.convention(r.Job.Stack), s.hardware()
	return r, nil
}

// trainingRow predicts the rate and the memory of a training plan.
func trainingRow(row Row) (Prediction, error) {
	setup := row.Setup.watched()
	run, err := NewRun(setup)
	if err != nil {
		return Prediction{}, err
	}
	pricer := training.NewPricer(run.Job)
	if err := pricer.Legal(run.Plan); err != nil {
		return Prediction{}, err
	}
	price := pricer.Price(run.Plan)
	step, memory := pricer.RunInterval(&price, run.Told), pricer.MemoryInterval(&price)
	return Prediction{
		Fits:    pricer.FitOf(&price).String(),
		Notes:   run.notes(setup),
		Metrics: run.metrics(pricer, &price, Interval(step), Interval(memory)),
	}, nil
}

// notes are what is taken for granted of a row, and which of its values are not read.
func (r *Run) notes(s Setup) (all []string) {
	if dp, err := s.Whole(0, 0, mostDevices, "dp"); err == nil && dp > 0 && dp < r.Plan.DP && !s.Has("fsdp", "ep", "cp") {
		all = append(all, fmt.Sprintf("dp is %d, but tp %d, pp %d and cp %d leave %d of the %d devices to each of so many "+
			"replicas: dp %d is priced", dp, r.Plan.TP, r.Plan.PP, r.Plan.CP, r.Plan.DP, r.Job.Devices, r.Plan.DP))
	}
	if !r.Batched {
		all = append(all, "the batch isn't told, so that a step has no time: write gbs; rates hardly depend on it")
	}
	if unread := s.unread(); len(unread) > 0 {
		all = append(all, "not read: "+strings.Join(unread, ", "))
	}
	return all
}

// metrics are the predictions by the names that measurements use.
func (r *Run) metrics(p *training.Pricer, price *training.Price, step, memory Interval) map[string]Interval {
	rate := step.Over(p.TokensPerSecond(price) * price.Time.Step())
	m, devices := &price.Reported, float64(r.Job.Devices)
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
	for name, count := range r.counts() {
		all[name] = rate.Times(count)
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
		"tflops_per_device_model":    r.flops(ModelFLOPs) / tera,
		"tflops_per_device_hardware": r.flops(r.hardware) / tera,
		"mfu_pct":                    r.flops(r.mfu()) / peak,
		"hfu_pct":                    r.flops(r.hardware) / peak,
		"peak_pct_hardware":          r.flops(r.hardware) / peak,
	}
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
	m, devices := c.Measured, float64(r.Job.Devices)
	tokens := float64(r.Job.Batch*r.Job.Sequence) / devices
	for _, direct := range [...]float64{m["step_time_s"], m["iter_time_s"], m["iteration_time_ms"] / 1e3} {
		if direct > 0 && r.Batched {
			return direct
		}
	}
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

// Bytes is the peak of memory that was measured; 0 if none tells it.
func (r *Run) Bytes(c *RunCase) float64 {
	if x := c.Measured["gpu_memory_GB"]; x > 0 {
		return x * r.gigabyte()
	}
	if x := max(c.Measured["gpu_memory_max_GB"], c.Measured["peak_memory_GB"]); x > 0 {
		return x * r.gigabyte()
	}
	return max(c.Measured["peak_memory_GiB"], c.Measured["peak_mem_GiB"]) * gibi
}
