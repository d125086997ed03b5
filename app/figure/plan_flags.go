//go:build !lean

package figure

import (
	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/training"
)

// PlanFlags shows a plan as a tool takes it, to be copied.
func PlanFlags(p *training.Planned, tool string) (*Drawing, error) {
	job := p.Pricer.Job()
	flags, err := p.Price.Plan.Flags(tool, job.Batch, job.Sequence)
	if err != nil {
		return nil, err
	}
	title := "The plan as flags: " + p.Price.Plan.String()
	d := &Drawing{Root: markup.El("pre", markup.Class("flags"), markup.Attr("tabindex", "0"), flags), Title: title,
		About: title, Note: "What a tool has no word for is left to it: data parallelism is what the other ways leave."}
	t := Table{Caption: title, Heads: []string{"Way", "Number"}}
	t.add("Plan", p.Price.Plan.String())
	d.Twin = []Table{t}
	return d, nil
}
