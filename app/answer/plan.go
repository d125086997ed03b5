package answer

import "github.com/scalebook/scalebook/app/training"

const giga = 1e9

// Plan is a plan of training with its price.
type Plan struct {
	Model     string             `json:"model"`
	Chip      string             `json:"chip"`
	Chips     int                `json:"chips" jsonschema:"devices"`
	Batch     int                `json:"batch" jsonschema:"sequences in a step"`
	Sequence  int                `json:"sequence" jsonschema:"tokens in a sequence"`
	DType     string             `json:"dtype" jsonschema:"what matmuls compute in"`
	Software  string             `json:"software" jsonschema:"the stack whose constants are taken"`
	DP        int                `json:"dp" jsonschema:"ways of data parallelism"`
	TP        int                `json:"tp" jsonschema:"ways of tensor parallelism"`
	PP        int                `json:"pp" jsonschema:"stages of the pipeline"`
	CP        int                `json:"cp" jsonschema:"ways of context parallelism"`
	EP        int                `json:"ep" jsonschema:"ways of expert parallelism"`
	Micro     int                `json:"mbs" jsonschema:"sequences in a micro-batch"`
	Virtual   int                `json:"vp" jsonschema:"chunks of layers a stage has (interleaving)"`
	Schedule  string             `json:"schedule" jsonschema:"of the pipeline"`
	Zero      int                `json:"zero" jsonschema:"ZeRO stage: 0 to 3"`
	Recompute string             `json:"recompute" jsonschema:"which activations are computed again"`
	Context   string             `json:"context" jsonschema:"how ranks of CP share attention"`
	ETP       int                `json:"etp" jsonschema:"ways of tensor parallelism within experts"`
	Shard     int                `json:"shard,omitempty" jsonschema:"ranks that share the states, if not all of DP x CP"`
	First     int                `json:"first_stage_layers,omitempty" jsonschema:"0 where layers lie evenly"`
	Last      int                `json:"last_stage_layers,omitempty" jsonschema:"0 where layers lie evenly"`
	Plan      string             `json:"plan" jsonschema:"the plan as the argument plan takes it"`
	Lacks     string             `json:"lacks,omitempty" jsonschema:"what of it the software can’t run"`
	Layers    []int              `json:"stage_layers" jsonschema:"layers of each stage"`
	Step      [3]float64         `json:"step_time_s" jsonschema:"seconds a step: low, middle, high"`
	Rate      float64            `json:"tokens_per_s_per_device" jsonschema:"tokens a second and device"`
	MFU       float64            `json:"mfu_pct" jsonschema:"model FLOPs utilization in percent"`
	Memory    float64            `json:"memory_GB" jsonschema:"of the fullest device, in 10^9 byte"`
	Dollars   float64            `json:"usd_per_million_tokens,omitempty" jsonschema:"0 if the catalog has no price"`
	Times     map[string]float64 `json:"time_parts_s" jsonschema:"seconds of a step by part"`
	Bytes     map[string]float64 `json:"memory_parts_GB" jsonschema:"10^9 byte of the fullest device by part"`
	ReadAs    string             `json:"read_as,omitempty" jsonschema:"whose settings gave the plan"`
	Without   []string           `json:"without,omitempty" jsonschema:"settings that matter and aren’t priced"`
	Unknown   []string           `json:"not_known,omitempty" jsonschema:"settings that aren’t known"`
}

// Of is what a plan comes to.
func (t *Task) Of(pricer *training.Pricer, price *training.Price) Plan {
	p, step := price.Plan, pricer.StepInterval(price)
	o := Plan{
		Model: t.Model, Chip: t.Chip.ID, Chips: t.Job.Devices, Batch: t.Job.Batch, Sequence: t.Job.Sequence,
		DType: t.Job.Recipe.Compute.String(), Software: t.Job.Stack.Name,
		DP: p.DP, TP: p.TP, PP: p.PP, CP: p.CP, EP: p.EP, Micro: p.Micro, Virtual: p.Virtual,
		Schedule: p.Schedule.String(), Zero: p.Zero, Recompute: p.Recompute.String(), Context: p.Context.String(),
		ETP: max(1, p.ETP), First: p.First, Last: p.Last, Plan: p.String(), Lacks: pricer.Lacks(&p),
		Layers: pricer.StageLayers(p), Step: [3]float64{step.Low, step.Mid, step.High},
		Rate: pricer.TokensPerSecond(price), MFU: 100 * pricer.Use(price), Memory: price.Memory.Total() / giga,
		Dollars: t.Dollars(price), Times: map[string]float64{}, Bytes: map[string]float64{},
	}
	if p.Zero > 0 && p.Shard < p.DP*p.CP {
		o.Shard = p.Shard
	}
	if f := t.Read; f != nil {
		o.ReadAs, o.Without, o.Unknown = training.ToolName(f.Tool), f.Without, f.Aside
	}
	for _, part := range price.Time.Parts() {
		o.Times[part.Name] = part.Value
	}
	for _, part := range price.Memory.Parts() {
		o.Bytes[part.Name] = part.Value / giga
	}
	return o
}

// Price is what a device costs in a second, 0 if the catalog doesn't tell.
func (t *Task) Price() float64 {
	if rate, err := t.Chip.Get("price"); err == nil {
		return rate.Value.Value
	}
	return 0
}

// Dollars is what a million tokens cost with a plan.
func (t *Task) Dollars(price *training.Price) float64 {
	const million = 1e6
	return t.Price() * float64(t.Job.Devices) * price.Time.Step() / float64(t.Job.Batch*t.Job.Sequence) * million
}
