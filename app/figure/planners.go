//go:build !lean

package figure

import (
	"errors"

	"github.com/scalebook/scalebook/app/hlo"
	"github.com/scalebook/scalebook/app/measured/summary"
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/trace"
	"github.com/scalebook/scalebook/app/training"
)

// plannerTable is the figures of the planners' pages.
func plannerTable() []entry {
	return []entry{
		{"memory_stack", "plan: training plan", "What the fullest chip of a plan holds, against what it can hold.",
			drawing(func(p *training.Planned, _ []sheet.Value) *Drawing { return PlanMemory(p) })},
		{"step_timeline", "plan: training plan, slot: number",
			"One step of a plan: its pipeline stage by stage, what the time goes into, and what of its traffic hides.",
			drawing(func(p *training.Planned, a []sheet.Value) *Drawing { return PlanTimeline(p, whole(a[0])) })},
		{"plan_flags", "plan: training plan, tool: text", "A plan as the flags of a tool.",
			func(a []sheet.Value) (*Drawing, error) {
				p, err := behind[*training.Planned](a[0])
				if err != nil {
					return nil, err
				}
				return PlanFlags(p, a[1].Text)
			}},
		{"batch_map", "map: batch map", "The best plans over chips and over tokens for each chip, and what bounds them.",
			drawing(func(m *training.Map, _ []sheet.Value) *Drawing { return BatchMap(m) })},
		{"predicted_measured", "family: held family",
			"What was measured over what was predicted, of the rows of a family; the others of the quantity are pale.",
			drawing(func(f *summary.Family, _ []sheet.Value) *Drawing { return Predicted(f) })},
		{"serving_front", "plans: list of serving plan, chosen: serving plan, measured: list of serving point, tpot: seconds",
			"Tokens of a chip against tokens of a user: the plans that nothing beats, one of them chosen, what was measured " +
				"of " +
				"the same, and a limit of the time a token.",
			func(a []sheet.Value) (*Drawing, error) {
				return ServingFront(a[0].List, a[2].List, a[1].Record, a[3].Num.Value), nil
			}},
		{
			"serving_compare",
			"a: list of serving plan, b: list of serving plan",
			"Two fronts of tokens of a chip against tokens of a user.",
			func(a []sheet.Value) (*Drawing, error) { return ServingCompare(a[0].List, a[1].List), nil },
		},
		{"serving_memory", "memory: serving memory", "What one chip of a plan holds.",
			func(a []sheet.Value) (*Drawing, error) {
				if len(a[0].Record.Fields) == 0 {
					return nil, errors.New(a[0].String() + " is no memory of a plan")
				}
				return ServingMemory(a[0].Record), nil
			}},
		{"hlo_roofline", "profile: HLO profile",
			"The operations of a program under the roofs of a chip, over the operations for each byte of HBM traffic.",
			drawing(func(p *hlo.Profile, _ []sheet.Value) *Drawing { return Roofline(p) })},
		{"hlo_tiles", "shape: HLO shape", "How a small array lies in memory, tile by tile, with its padding.",
			drawing(func(s *hlo.Shape, _ []sheet.Value) *Drawing { return Tiles(s) })},
		{"trace_bars", "trace: trace", "Where the time of each device of a trace went, bar by bar.",
			drawing(func(t *trace.Trace, _ []sheet.Value) *Drawing { return TraceBars(t) })},
		{"serving_curve", "plan: serving plan, rate: rate, ttft: seconds",
			"The time to the first token of a plan over the rate at which requests come, and its capacity.",
			drawing(func(q Queued, a []sheet.Value) *Drawing { return ServingCurve(q, a[0].Num.Value, a[1].Num.Value) })},
	}
}
