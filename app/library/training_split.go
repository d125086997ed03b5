package library

import (
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/value"
	"github.com/scalebook/scalebook/app/training"
)

// planSplit is what the laws of a layer that FSDP and tensor parallelism split take of a plan.
func (n *planner) planSplit(a []value.Value) (value.Value, error) {
	p := a[0].Record.Of.(*training.Planned)
	job, plan := p.Pricer.Job(), &p.Price.Plan
	fsdp, tp := job.SplitWires()
	r := newRecord(n.splits, "split")
	r.Of = p
	r.nums([]named{{"ways", float64(plan.DP * plan.CP)}, {"wire_fsdp", fsdp}, {"wire_tp", tp}})
	r.say("why", "")
	if why := job.Unsplit(plan); why != nil {
		r.say("why", why)
	}
	return r.value(), nil
}

// splitVerdict says how far a plan's split lies from the best one, of so many ways of FSDP, whose messages take a time
// while those of the plan and the arithmetic take others.
func splitVerdict(a []value.Value) (value.Value, error) {
	p := a[0].Record.Of.(*training.Planned)
	plan, devices := &p.Price.Plan, float64(p.Pricer.Job().Devices)
	ways, best, own, arithmetic := a[1].Num.Value, a[2].Num.Value, a[3].Num.Value, a[4].Num.Value
	key := "library.split-shows"
	switch {
	case own <= arithmetic:
		key = "library.split-hides"
	case best > arithmetic:
		key = "library.split-never-hides"
	}
	return words(english(phrase.New(key, "fsdp", ratio(ways), "tp", ratio(devices/ways), "dp", plan.DP*plan.CP,
		"own", plan.TP, "times", ratio(own/best)))), nil
}

// ratio is a plain number, as sheets print it.
func ratio(x float64) quantity.Quantity { return quantity.Quantity{Value: x} }
