package main

import (
	"encoding/csv"
	"io"
	"strconv"

	"github.com/scalebook/scalebook/app/answer"
	"github.com/scalebook/scalebook/app/training"
)

// planJSON is a plan as plan -json prints it.
type planJSON struct {
	Model     string             `json:"model"`
	Chip      string             `json:"chip"`
	Chips     int                `json:"chips"`
	Batch     int                `json:"batch"`
	Sequence  int                `json:"sequence"`
	DType     string             `json:"dtype"`
	Software  string             `json:"software"`
	DP        int                `json:"dp"`
	TP        int                `json:"tp"`
	PP        int                `json:"pp"`
	CP        int                `json:"cp"`
	EP        int                `json:"ep"`
	Micro     int                `json:"mbs"`
	Virtual   int                `json:"vp"`
	Schedule  string             `json:"schedule"`
	Zero      int                `json:"zero"`
	Recompute string             `json:"recompute"`
	Context   string             `json:"context"` // how ranks of CP share attention
	ETP       int                `json:"etp"`
	Shard     int                `json:"shard,omitempty"`              // ranks that share the states, if not all of DP x CP
	First     int                `json:"first_stage_layers,omitempty"` // 0 where layers lie as evenly as they can
	Last      int                `json:"last_stage_layers,omitempty"`
	Plan      string             `json:"plan"`            // as -plan reads it
	Lacks     string             `json:"lacks,omitempty"` // what of it the software can't run
	Layers    []int              `json:"stage_layers"`    // of each stage
	Step      [3]float64         `json:"step_time_s"`     // low, middle, high
	Rate      float64            `json:"tokens_per_s_per_device"`
	MFU       float64            `json:"mfu_pct"`
	Memory    float64            `json:"memory_GB"`
	Dollars   float64            `json:"usd_per_million_tokens,omitempty"` // 0 if the catalog has no price
	Times     map[string]float64 `json:"time_parts_s"`
	Bytes     map[string]float64 `json:"memory_parts_GB"`
	ReadAs    string             `json:"read_as,omitempty"`   // whose settings gave the plan
	Without   []string           `json:"without,omitempty"`   // of them, what changes memory or time and isn't priced
	Unknown   []string           `json:"not_known,omitempty"` // of them, what isn't known
}

// objectOf is a plan as an object.
func (t *planTask) objectOf(pricer *training.Pricer, price *training.Price) planJSON {
	p, step := price.Plan, pricer.StepInterval(price)
	o := planJSON{
		Model: t.model, Chip: t.chip.ID, Chips: t.job.Devices, Batch: t.job.Batch, Sequence: t.job.Sequence,
		DType: t.job.Recipe.Compute.String(), Software: t.job.Stack.Name,
		DP: p.DP, TP: p.TP, PP: p.PP, CP: p.CP, EP: p.EP, Micro: p.Micro, Virtual: p.Virtual,
		Schedule: p.Schedule.String(), Zero: p.Zero, Recompute: p.Recompute.String(), Context: p.Context.String(),
		ETP: max(1, p.ETP), First: p.First, Last: p.Last, Plan: p.String(), Lacks: pricer.Lacks(&p),
		Layers: pricer.StageLayers(p), Step: [3]float64{step.Low, step.Mid, step.High},
		Rate: pricer.TokensPerSecond(price), MFU: 100 * pricer.Use(price), Memory: price.Memory.Total() / giga,
		Dollars: t.dollars(price), Times: map[string]float64{}, Bytes: map[string]float64{},
	}
	if p.Zero > 0 && p.Shard < p.DP*p.CP {
		o.Shard = p.Shard
	}
	if f := t.read; f != nil {
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

// price is what a device costs in a second, 0 if the catalog doesn't tell.
func (t *planTask) price() float64 {
	if rate, err := t.chip.Get("price"); err == nil {
		return rate.Value.Value
	}
	return 0
}

// dollars is what a million tokens cost with a plan.
func (t *planTask) dollars(price *training.Price) float64 {
	const million = 1e6
	return t.price() * float64(t.job.Devices) * price.Time.Step() / float64(t.job.Batch*t.job.Sequence) * million
}

// writeJSON prints an object a line.
func writeJSON[T any](w io.Writer, all []T) error {
	for _, x := range all {
		line, err := answer.Line(x)
		if err != nil {
			return err
		}
		if _, err := io.WriteString(w, line+"\n"); err != nil {
			return err
		}
	}
	return nil
}

// writeCSV prints a line a plan. Only the first part of a search has a header, so that parts merge by cat.
func writeCSV(w io.Writer, plans []planJSON, header bool) error {
	out := csv.NewWriter(w)
	if header {
		out.Write([]string{"model", "chip", "chips", "batch", "sequence", "dtype", "software", "dp", "tp", "pp",
			"cp", "ep", "mbs", "vp", "schedule", "zero", "recompute", "step_low_s", "step_s", "step_high_s",
			"tokens_per_s_per_device", "mfu_pct", "memory_GB", "usd_per_million_tokens", "context", "plan", "lacks"})
	}
	for i := range plans {
		out.Write(plans[i].cells())
	}
	out.Flush()
	return out.Error()
}

// cells are o's columns of the table.
func (o *planJSON) cells() []string {
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }
	cells := []string{o.Model, o.Chip}
	for _, n := range []int{o.Chips, o.Batch, o.Sequence} {
		cells = append(cells, strconv.Itoa(n))
	}
	cells = append(cells, o.DType, o.Software)
	for _, n := range []int{o.DP, o.TP, o.PP, o.CP, o.EP, o.Micro, o.Virtual} {
		cells = append(cells, strconv.Itoa(n))
	}
	cells = append(cells, o.Schedule, strconv.Itoa(o.Zero), o.Recompute, number(o.Step[0]), number(o.Step[1]),
		number(o.Step[2]), number(o.Rate), number(o.MFU), number(o.Memory))
	dollars := ""
	if o.Dollars != 0 {
		dollars = number(o.Dollars)
	}
	return append(cells, dollars, o.Context, o.Plan, o.Lacks)
}
