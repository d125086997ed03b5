package figure

import (
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/training"
)

// plannerTable is the figures of the planners' pages.
func plannerTable() []entry {
	return []entry{
		{Name: "memory_stack", Takes: "plan: training plan",
			Doc:  "What the fullest chip of a plan holds, against what it can hold.",
			draw: alone(PlanMemory)},
		{Name: "step_timeline", Takes: "plan: training plan, slot: number",
			Doc: "One step of a plan: its pipeline stage by stage, what the time goes into, and what of its traffic hides.",
			draw: drawing(func(l phrase.Phrases, p *training.Planned, a values) *Drawing {
				return PlanTimeline(l, p, a.whole(1))
			})},
		{Name: "plan_flags", Takes: "plan: training plan, tool: text",
			Doc: "A plan as the flags of a tool.",
			draw: trying(func(l phrase.Phrases, p *training.Planned, a values) (*Drawing, error) {
				return PlanFlags(l, p, a[1].Text)
			})},
		{Name: "batch_map", Takes: "map: batch map",
			Doc:  "The best plans over chips and over tokens for each chip, and what bounds them.",
			draw: alone(BatchMap)},
		{Name: "predicted_measured", Takes: "family: held family",
			Doc:  "What was measured over what was predicted, of the rows of a family; the others of the quantity are pale.",
			draw: alone(Predicted)},
		{Name: "serving_front",
			Takes: "plans: list of serving plan, chosen: serving plan, measured: list of serving point, tpot: seconds",
			Doc: "Tokens of a chip against tokens of a user: the plans that nothing beats, one of them chosen, what was " +
				"measured of the same, and a limit of the time a token.",
			draw: infallible(func(l phrase.Phrases, a values) *Drawing {
				return ServingFront(l, a[0].List, a[2].List, a[1].Record, a.num(3))
			})},
		{Name: "serving_compare", Takes: "a: list of serving plan, b: list of serving plan",
			Doc: "Two fronts of tokens of a chip against tokens of a user.",
			draw: infallible(func(l phrase.Phrases, a values) *Drawing {
				return ServingCompare(l, a[0].List, a[1].List)
			})},
		{Name: "serving_memory", Takes: "memory: serving memory",
			Doc: "What one chip of a plan holds.",
			draw: func(l phrase.Phrases, a values) (*Drawing, error) {
				if len(a[0].Record.Fields) == 0 {
					return nil, phrase.New("figure.no-memory", "value", a[0].String())
				}
				return ServingMemory(l, a[0].Record), nil
			}},
		{Name: "hlo_roofline", Takes: "profile: HLO profile",
			Doc:  "The operations of a program under the roofs of a chip, over the operations for each byte of HBM traffic.",
			draw: alone(Roofline)},
		{Name: "ops_roofline", Takes: "profile: HLO profile, at: number",
			Doc: "The operations of a program as bars, as wide as the time that each must take, and as points under the " +
				"roofs of the chip; dragging along the bars sets the input `at`.",
			draw: drawing(OpsRoofline)},
		{Name: "hlo_tiles", Takes: "shape: HLO shape",
			Doc:  "How a small array lies in memory, tile by tile, with its padding.",
			draw: alone(Tiles)},
		{Name: "trace_bars", Takes: "trace: trace",
			Doc:  "Where the time of each device of a trace went, bar by bar.",
			draw: alone(TraceBars)},
		{Name: "serving_curve", Takes: "plan: serving plan, rate: rate, ttft: seconds",
			Doc: "The time to the first token of a plan over the rate at which requests come, and its capacity.",
			draw: drawing(func(l phrase.Phrases, q Queued, a values) *Drawing {
				return ServingCurve(l, q, a.num(1), a.num(2))
			})},
	}
}
