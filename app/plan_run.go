package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/training"
)

// run searches, or judges the plan that was given, and prints.
func (t *planTask) run(s streams, first bool) error {
	pricer := training.NewPricer(t.job)
	search := training.Search{Space: pricer.Usual(), Top: t.flags.top, Margin: t.flags.margin, MaxTP: t.flags.maxTP,
		Part: t.part, Parts: t.of}
	if t.flags.whole {
		search.Space = pricer.Whole()
	}
	if t.flags.by == "memory" {
		search.Objective = training.ByMemory
	}
	found := pricer.Find(search)
	if t.flags.plan != "" {
		return t.judge(s, pricer, &found)
	}
	switch {
	case t.flags.json:
		return t.writeJSON(s.out, pricer, &found)
	case t.flags.csv:
		return t.writeCSV(s.out, pricer, &found, first && t.part == 0)
	}
	return t.writeText(s.out, pricer, &found)
}

// judge says of the plan that was given what it costs, or why not.
func (t *planTask) judge(s streams, pricer *training.Pricer, found *training.Found) error {
	plan, err := readPlan(t.flags.plan, t.job.Devices)
	if err != nil {
		return err
	}
	var best *training.Price
	if len(found.Best) > 0 {
		best = &found.Best[0]
	}
	if pricer.Legal(plan) == nil {
		price := pricer.Price(plan)
		if err := t.writeText(s.out, pricer, &training.Found{Best: []training.Price{price}}); err != nil {
			return err
		}
		writeParts(s.out, &price)
	}
	fmt.Fprintf(s.out, "\n%s\n", pricer.Why(plan, best))
	return nil
}

// readPlan reads dp=64,tp=8: what is left out is 1, and DP what is left over.
func readPlan(text string, devices int) (training.Plan, error) {
	p := training.Plan{Zero: 1}
	numbers := map[string]*int{"dp": &p.DP, "tp": &p.TP, "pp": &p.PP, "cp": &p.CP, "ep": &p.EP, "etp": &p.ETP,
		"mbs": &p.Micro, "vp": &p.Virtual,
		"zero": &p.Zero, "shard": &p.Shard}
	for _, field := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' }) {
		name, value, _ := strings.Cut(field, "=")
		n, err := strconv.Atoi(value)
		switch to, known := numbers[name]; {
		case known && err == nil && n >= 0:
			*to = n
		case name == "schedule":
			var ok bool
			if p.Schedule, ok = training.ParseSchedule(value); !ok {
				return p, fmt.Errorf("-plan: unknown schedule %q; write 1f1b, gpipe, zb-h1, zb-h2, zbv, v-half, v-min "+
					"or dualpipe", value)
			}
		case name == "recompute":
			var ok bool
			if p.Recompute, ok = training.ParseRecompute(value); !ok {
				return p, fmt.Errorf("-plan: unknown policy %q; write none, some, block or offload", value)
			}
		default:
			return p, fmt.Errorf("-plan: can't read %q; write "+
				"dp=64,tp=8,pp=4,cp=1,ep=1,mbs=1,vp=1,zero=1,schedule=1f1b,recompute=none", field)
		}
	}
	if inner := max(1, p.TP) * max(1, p.PP) * max(1, p.CP); p.DP == 0 {
		p.DP = max(1, devices/inner)
	}
	return p, nil
}
