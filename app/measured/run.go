package measured

import (
	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/training"
)

// Run is a training set-up as the estimation rooms take it.
type Run struct {
	Job        training.Job
	Plan       training.Plan
	Parameters float64 // as the row counts them; 0 if it doesn't
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
	return r, nil
}

// trainingRow predicts the rate and the memory of a training plan.
func trainingRow(row Row) (Prediction, error) {
	run, err := NewRun(row.Setup)
	if err != nil {
		return Prediction{}, err
	}
	pricer := training.NewPricer(run.Job)
	if err := pricer.Legal(run.Plan); err != nil {
		return Prediction{}, err
	}
	price := pricer.Price(run.Plan)
	step, memory := pricer.RunInterval(&price), pricer.MemoryInterval(&price)
	fits := pricer.Fits(&price)
	return Prediction{Fits: &fits, Metrics: run.metrics(pricer, &price, Interval(step), Interval(memory))}, nil
}

// metrics are the predictions by the names that measurements use.
func (r *Run) metrics(p *training.Pricer, price *training.Price, step, memory Interval) map[string]Interval {
	rate := step.Over(p.TokensPerSecond(price) * price.Time.Step())
	perToken := r.flopsPerToken()
	tflops := rate.Times(perToken / 1e12)
	m := &price.Reported
	return map[string]Interval{
		"step_time_s":             step,
		"iter_time_s":             step,
		"tokens_per_s_per_device": rate,
		"samples_per_s":           rate.Times(float64(r.Job.Devices) / float64(r.Job.Sequence)),
		"sequences_per_s":         rate.Times(float64(r.Job.Devices) / float64(r.Job.Sequence)),
		"tflops_per_device":       tflops,
		"mfu_pct":                 tflops.Times(100 * 1e12 / r.Job.Device.Peak[training.BF16]),
		"gpu_memory_GB":           memory.Times(1 / r.gigabyte()),
		"peak_memory_GiB":         memory.Times(1.0 / gibi),
		"peak_mem_GiB":            memory.Times(1.0 / gibi),
		"model_state_GiB":         memory.Times(m.States() / m.Total() / gibi),
		"params_grads_opt_GiB":    memory.Times(m.States() / m.Total() / gibi),
		"activation_GiB":          memory.Times((m.Activations + m.Logits) / m.Total() / gibi),
		"activations_GiB":         memory.Times(m.Activations / m.Total() / gibi),
	}
}

// flopsPerToken is by the convention of most published rates: 6 for each weight that a token meets, and the full
// square of attention. Rows that tell the number of parameters count 6 for each of those.
func (r *Run) flopsPerToken() float64 {
	if r.Parameters > 0 {
		m := r.Job.Model
		return 6*r.Parameters + float64(m.AttentionFLOPs(float64(r.Job.Sequence), model.Full, model.Train))
	}
	m := r.Job.Model
	pass := model.Train
	if r.Job.Frozen {
		pass = model.Frozen
	}
	return float64(m.FLOPsPerToken(float64(r.Job.Sequence), model.Full, pass))
}

// Seconds is the time of a step that was measured, by whatever metric; 0 if none tells it.
func (r *Run) Seconds(c *RunCase) float64 {
	tokens := float64(r.Job.Batch * r.Job.Sequence)
	m := c.Measured
	switch {
	case m["step_time_s"] > 0:
		return m["step_time_s"]
	case m["iter_time_s"] > 0:
		return m["iter_time_s"]
	case m["tokens_per_s_per_device"] > 0:
		return tokens / m["tokens_per_s_per_device"] / float64(r.Job.Devices)
	case m["tflops_per_device"] > 0:
		return tokens * r.flopsPerToken() / (m["tflops_per_device"] * 1e12) / float64(r.Job.Devices)
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
	return max(c.Measured["peak_memory_GiB"], c.Measured["peak_mem_GiB"]) * gibi
}
