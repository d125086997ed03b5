//go:build !lean

package library

import (
	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/training"
)

// planner are the kins of records that planning of training gives.
type planner struct {
	jobs, searches, plans, reasons, parts, terms, tools, assumptions, maps *sheet.Kin
}

// addTraining offers jobs of training, the search over their plans, and what one plan costs.
func addTraining(env *sheet.Env) {
	n := &planner{jobs: withFields(sheet.Kin{Name: "training job"}, nil),
		searches:    withFields(sheet.Kin{Name: "training search"}, nil),
		plans:       withFields(sheet.Kin{Name: "training plan"}, nil),
		reasons:     withFields(sheet.Kin{Name: "refused plans"}, nil),
		parts:       withFields(sheet.Kin{Name: "plan part"}, nil),
		terms:       withFields(sheet.Kin{Name: "plan terms"}, nil),
		tools:       withFields(sheet.Kin{Name: "training tool"}, nil),
		assumptions: withFields(sheet.Kin{Name: "assumption"}, nil),
		maps:        withFields(sheet.Kin{Name: "batch map"}, nil)}
	models, chips := kinNamed(env, "model"), env.Kins[0]
	job, search := param("job", kinType(n.jobs)), param("search", kinType(n.searches))
	plan := param("plan", kinType(n.plans))
	scopes := env.Funcs["constant_scopes"].Result.Of.Kin
	for _, f := range []*sheet.Func{
		{Name: "training_softwares", Result: listType(scopes),
			Doc:  "The software that plans are priced for.",
			Call: func([]sheet.Value) (sheet.Value, error) { return softwares(scopes), nil }},
		{Name: "usual_software", Params: []sheet.Param{param("chip", kinType(chips))}, Result: kinType(scopes),
			Doc:  "What most people train with on a chip.",
			Call: func(a []sheet.Value) (sheet.Value, error) { return usualSoftware(scopes, a[0]), nil }},
		{Name: "training_job", Params: []sheet.Param{param("model", kinType(models)), param("chip", kinType(chips)),
			count("N"), count("B"), count("T"), param("d", dtype), param("software", kinType(scopes))},
			Result: kinType(n.jobs), Work: 1 << 14,
			Doc:  "What is trained on what: a model on N chips, B tokens a step in sequences of T, matmuls in a format.",
			Call: n.newJob, Begin: once(n.newJob)},
		{Name: "training_search", Params: []sheet.Param{job, param("all", flag), count("margin"), count("max_tp")},
			Result: kinType(n.searches), Work: 1 << 18, Begin: n.beginSearch,
			Doc: "The best plans of a job, found exactly. all: every schedule, policy and sharding, not only the usual ones; " +
				"margin: the share of the memory to leave free; max_tp: tensor parallelism at most, 0 for any.",
			Call: atOnce(n.beginSearch)},
		{Name: "training_plans", Params: []sheet.Param{search}, Result: listType(n.plans),
			Doc:  "The best plans that a search has found, the fastest first.",
			Call: func(a []sheet.Value) (sheet.Value, error) { return a[0].Record.Of.(*searched).plans, nil }},
		{Name: "training_refused", Params: []sheet.Param{search}, Result: listType(n.reasons), Work: 1 << 10,
			Doc:  "Why plans that a search priced don't fit: how many for which part of the memory, and which comes nearest.",
			Call: func(a []sheet.Value) (sheet.Value, error) { return n.refused(a[0].Record.Of.(*searched)), nil }},
		{Name: "training_plan", Params: []sheet.Param{job, param("plan", text), param("flags", text)},
			Result: kinType(n.plans), Work: 1 << 14,
			Doc: "A plan that somebody writes, \"dp=64 tp=8 pp=4\", or gives as flags of a tool. It has no value if it is " +
				"not legal, and says why.",
			Call: n.typedPlan, Begin: once(n.typedPlan)},
		{Name: "plan_memory", Params: []sheet.Param{plan}, Result: listType(n.parts), Work: 1 << 12,
			Doc:  "What the fullest chip holds, part by part.",
			Call: func(a []sheet.Value) (sheet.Value, error) { return n.memoryParts(a[0]), nil }},
		{Name: "plan_time", Params: []sheet.Param{plan}, Result: listType(n.parts), Work: 1 << 12,
			Doc:  "What a step takes, part by part, with the numbers of the assumptions that touch each.",
			Call: func(a []sheet.Value) (sheet.Value, error) { return n.timeParts(a[0]), nil }},
		{Name: "plan_terms", Params: []sheet.Param{plan}, Result: kinType(n.terms), Work: 1 << 12,
			Doc:  "The numbers that the main terms of a plan's price are made of.",
			Call: n.planTerms, Begin: once(n.planTerms)},
		{Name: "plan_differences", Params: []sheet.Param{plan, param("other", kinType(n.plans))}, Result: listType(n.parts),
			Work: 1 << 12,
			Doc:  "Two plans beside each other, part by part of the step.",
			Call: func(a []sheet.Value) (sheet.Value, error) { return n.differences(a[0], a[1]), nil }},
		{Name: "plan_verdict", Params: []sheet.Param{plan, search}, Result: text, Work: 1 << 12,
			Doc: "What speaks against a plan: memory that it lacks, or where it loses time to the best.",
			Call: func(a []sheet.Value) (sheet.Value, error) {
				return words(english(verdict(a[0].Record.Of.(*training.Planned), a[1].Record.Of.(*searched)))), nil
			}},
		{Name: "training_map", Params: []sheet.Param{job}, Result: kinType(n.maps), Work: 1 << 19, Begin: n.beginMap,
			Doc:  "The best plans over chips and over tokens for each chip, around a job: a small search at each of 25 places.",
			Call: atOnce(n.beginMap)},
		{Name: "training_tools", Result: listType(n.tools),
			Doc:  "The tools whose flags plans are written as.",
			Call: func([]sheet.Value) (sheet.Value, error) { return n.toolList(), nil }},
		{Name: "training_assumptions", Result: listType(n.assumptions), Work: 1 << 12,
			Doc:  "What prices of plans take for granted, numbered.",
			Call: func([]sheet.Value) (sheet.Value, error) { return n.assumptionList(), nil }},
	} {
		f.Source = law.TrainingPlanner
		env.Funcs[f.Name] = f
	}
}

// softwares are the stacks that there are constants for, the first of the scopes.
func softwares(scopes *sheet.Kin) sheet.Value {
	return recordList(scopes.Members[:len(training.Stacks())])
}

func usualSoftware(scopes *sheet.Kin, chip sheet.Value) sheet.Value {
	usual := training.UsualStack(chip.Record.ID)
	all := softwares(scopes).List
	for _, v := range all {
		if v.Record.ID == usual {
			return v
		}
	}
	return all[0]
}
