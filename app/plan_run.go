package main

import (
	"fmt"

	"github.com/scalebook/scalebook/app/training"
)

// run searches, or judges the plan that was given, and prints.
func (t *planTask) run(s streams, all *ranking) error {
	pricer := training.NewPricer(t.job)
	search := training.Search{Space: pricer.Usual(), Top: t.flags.top, Margin: t.flags.margin, MaxTP: t.flags.maxTP,
		Part: t.part, Parts: t.of}
	if t.flags.whole {
		search.Space = pricer.Whole()
	}
	if t.flags.by == "memory" {
		search.Objective = training.ByMemory
	}
	under := pricer.BeginSearch(search)
	for under.Step() {
		if err := s.ended(); err != nil {
			return failure{err}
		}
	}
	found := under.Found()
	if t.plan != nil {
		return t.judge(s, pricer, &found, all)
	}
	if len(found.Best) == 0 && t.of == 1 { // a part of a search may well find nothing
		all.empty++
		defer s.complain("scalebook plan: %s on %d x %s: %v", t.job.Model.Name, t.job.Devices, t.job.Device.Name,
			pricer.ExplainNoPlan(&search, &found))
	}
	if err := all.add(t, pricer, &found, s.out); err != nil || t.flags.json || t.flags.csv {
		return err
	}
	return t.writeText(s.out, pricer, &found)
}

// judge says of the plan that was given what it costs, or why not.
func (t *planTask) judge(s streams, pricer *training.Pricer, found *training.Found, all *ranking) error {
	all.searches++
	plan := *t.plan
	var best *training.Price
	if len(found.Best) > 0 {
		best = &found.Best[0]
	}
	if t.flags.json {
		return t.judgeJSON(s, pricer, plan, all)
	}
	if pricer.Legal(plan) != nil {
		all.empty++
	} else {
		price := pricer.Price(plan)
		if price.Memory.Total() > training.AfterContext(t.job.Device.Memory) {
			all.empty++
		}
		if err := t.writeText(s.out, pricer, &training.Found{Best: []training.Price{price}}); err != nil {
			return err
		}
		writeParts(s.out, &price)
	}
	fmt.Fprintf(s.out, "\n%s\n", pricer.Why(plan, best))
	t.writeSettings(s.out)
	return nil
}

// judgeJSON prints a plan that was given as an object, or says why it is not legal.
func (t *planTask) judgeJSON(s streams, pricer *training.Pricer, plan training.Plan, all *ranking) error {
	if err := pricer.Legal(plan); err != nil {
		return failure{fmt.Errorf("-plan: %v", err)}
	}
	price := pricer.Price(plan)
	if price.Memory.Total() > training.AfterContext(t.job.Device.Memory) {
		all.empty++
	}
	return writeJSON(s.out, []planJSON{t.objectOf(pricer, &price)})
}
