package figure

import (
	_ "embed"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/training"
)

//go:embed planners.tsv
var plannerFigures string

// plannerTable is the figures of the planners' pages.
func plannerTable() []entry {
	return entries(plannerFigures, []drawn{
		{"memory_stack", alone(PlanMemory)},
		{"step_timeline", drawing(drawStepTimeline)},
		{"plan_flags", trying(drawPlanFlags)},
		{"plan_intervals", drawPlanIntervals},
		{"plan_beside", infallible(drawPlanBeside)},
		{"batch_map", alone(BatchMap)},
		{"serving_front", infallible(drawServingFront)},
		{"serving_intervals", infallible(drawServingIntervals)},
		{"serving_compare", infallible(drawServingCompare)},
		{"serving_memory", drawServingMemory},
		{"serving_curve", drawing(drawServingCurve)},
	})
}

func drawStepTimeline(l phrase.Phrases, p *training.Planned, a values) *Drawing {
	return PlanTimeline(l, p, a.whole(1))
}

func drawPlanFlags(l phrase.Phrases, p *training.Planned, a values) (*Drawing, error) {
	return PlanFlags(l, p, a[1].Text)
}

func drawPlanIntervals(l phrase.Phrases, a values) (*Drawing, error) {
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
}

func drawPlanBeside(l phrase.Phrases, a values) *Drawing { return PlanBeside(l, a[0].List) }

func drawServingFront(l phrase.Phrases, a values) *Drawing {
	return ServingFront(l, a[0].List, a[2].List, a[1].Record, a.num(3))
}

func drawServingIntervals(l phrase.Phrases, a values) *Drawing {
	return ServingIntervals(l, a[0].List, a[1].Record)
}

func drawServingCompare(l phrase.Phrases, a values) *Drawing {
	return ServingCompare(l, a[0].List, a[1].List)
}

func drawServingMemory(l phrase.Phrases, a values) (*Drawing, error) {
	if len(a[0].Record.Fields) == 0 {
		return nil, phrase.New("figure.no-memory", "value", a[0].String())
	}
	return ServingMemory(l, a[0].Record), nil
}

func drawServingCurve(l phrase.Phrases, q Queued, a values) *Drawing {
	return ServingCurve(l, q, a.num(1), a.num(2))
}
