package figure

import (
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/training"
)

// plannerTable is the figures of the planners' pages.
func plannerTable() []entry {
	return []entry{
		{Name: "memory_stack", Takes: "plan training plan",
			Doc:  "What the fullest chip of a plan holds, against what it can hold.",
			draw: alone(PlanMemory)},
		{Name: "step_timeline", Takes: "plan training plan, slot",
			Doc: "One step of a plan: its pipeline stage by stage, what the time goes into, and what of its traffic hides.",
			draw: drawing(func(l phrase.Phrases, p *training.Planned, a values) *Drawing {
				return PlanTimeline(l, p, a.whole(1))
			})},
		{Name: "plan_flags", Takes: "plan training plan, tool text",
			Doc: "A plan as the flags of a tool.",
			draw: trying(func(l phrase.Phrases, p *training.Planned, a values) (*Drawing, error) {
				return PlanFlags(l, p, a[1].Text)
			})},
		{Name: "plan_intervals", Takes: "plans list training plan, chosen training plan",
			Doc: "The steps of the fastest plans and of the chosen one, each with its interval.",
			draw: func(l phrase.Phrases, a values) (*Drawing, error) {
				chosen, err := unwrap[*training.Planned](a[1])
				if err != nil {
					return nil, err
				}
				plans := make([]*training.Planned, len(a[0].List))
				for i, v := range a[0].List {
					if plans[i], err = unwrap[*training.Planned](v); err != nil {
						return nil, err
					}
				}
				return PlanIntervals(l, plans, chosen), nil
			}},
		{Name: "plan_beside", Takes: "terms list plan part",
			Doc:  "What the steps of two plans go into, part by part.",
			draw: infallible(func(l phrase.Phrases, a values) *Drawing { return PlanBeside(l, a[0].List) })},
		{Name: "batch_map", Takes: "map batch map",
			Doc:  "The best plans over chips and over tokens for each chip, and what bounds them.",
			draw: alone(BatchMap)},
		{Name: "serving_front",
			Takes: "plans list serving plan, chosen serving plan, measured list serving point, tpot s",
			Doc: "Tokens of a chip against tokens of a user: the Pareto-optimal plans, one of them chosen, what was " +
				"measured of the same, and a limit of the time per output token.",
			draw: infallible(func(l phrase.Phrases, a values) *Drawing {
				return ServingFront(l, a[0].List, a[2].List, a[1].Record, a.num(3))
			})},
		{Name: "serving_intervals", Takes: "plans list serving plan, chosen serving plan",
			Doc: "Tokens/s per chip of the first plans and of the chosen one, each with its interval.",
			draw: infallible(func(l phrase.Phrases, a values) *Drawing {
				return ServingIntervals(l, a[0].List, a[1].Record)
			})},
		{Name: "serving_compare", Takes: "a list serving plan, b list serving plan",
			Doc: "Two fronts of tokens of a chip against tokens of a user.",
			draw: infallible(func(l phrase.Phrases, a values) *Drawing {
				return ServingCompare(l, a[0].List, a[1].List)
			})},
		{Name: "serving_memory", Takes: "memory serving memory",
			Doc: "What one chip of a plan holds.",
			draw: func(l phrase.Phrases, a values) (*Drawing, error) {
				if len(a[0].Record.Fields) == 0 {
					return nil, phrase.New("figure.no-memory", "value", a[0].String())
				}
				return ServingMemory(l, a[0].Record), nil
			}},
		{Name: "serving_curve", Takes: "plan serving plan, rate 1/s, ttft s",
			Doc: "The time to the first token of a plan over the rate at which requests come, and its capacity.",
			draw: drawing(func(l phrase.Phrases, q Queued, a values) *Drawing {
				return ServingCurve(l, q, a.num(1), a.num(2))
			})},
	}
}
