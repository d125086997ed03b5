package library

import (
	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet/value"
	"github.com/scalebook/scalebook/app/training"
)

// planner are the record types of records that planning of training gives.
type planner struct {
	jobs, searches, plans, reasons, parts, terms, tools, assumptions, maps, softs, splits, exchanges *value.RecordType
	settings, optimizers                                                                             *value.RecordType
}

// addTraining offers jobs of training, the search over their plans, and what one plan costs.
func addTraining(env *value.Env) {
	n := &planner{jobs: newKin(env, "training job", nil), searches: newKin(env, "training search", nil),
		plans: newKin(env, "training plan", nil), reasons: newKin(env, "refused plans", nil),
		parts: newKin(env, "plan part", nil), terms: newKin(env, "plan terms", nil),
		tools: newKin(env, "training tool", nil), assumptions: newKin(env, "assumption", nil),
		maps: newKin(env, "batch map", nil), softs: softwareKin(env),
		splits: newKin(env, "plan split", nil), exchanges: newKin(env, "plan exchange", nil),
		settings: newKin(env, "training settings", nil), optimizers: newKin(env, "optimizer", nil)}
	register(env, law.TrainingPlanner, []offered{
		{Name: "training_softwares", Gives: "list training software", Call: n.softwares,
			Doc: "The software that plans are priced for."},
		{Name: "usual_software", Takes: "chip accelerator", Gives: "training software", Call: n.usualSoftware,
			Doc: "What most people train with on a chip."},
		{Name: "training_settings", Takes: "text text", Gives: "training settings", Work: 1 << 14, Call: n.settingsOf,
			Doc: "Whose settings these are: flags, YAML, TOML or JSON of a tool that trains."},
		{Name: "software_of", Takes: "chip accelerator, tool text", Gives: "training software", Call: n.softwareOf,
			Doc: "The software whose constants suit settings of a tool on a chip."},
		{Name: "training_optimizers", Gives: "list optimizer", Work: 1 << 10, Call: n.optimizerList,
			Doc: "Optimizers, with the bytes that each keeps of a weight and its operations."},
		{Name: "job_state", Takes: "job training job, learns text, rank, targets text, optimizer optimizer, weights text, " +
			"gradients text, master text, moments text, attention text, loss text, offload text", Gives: "training job",
			Work: 1 << 14, Call: n.jobState, Begin: once(n.jobState),
			Doc: "A job with what learns, in which formats its state is kept, by which optimizer, and how attention and the " +
				"loss are computed. usual: as the software has it."},
		{Name: "job_with", Takes: "job training job, plan text, settings text", Gives: "training job", Work: 1 << 14,
			Call: n.jobWith, Begin: once(n.jobWith),
			Doc: "A job as words of a plan, or settings of a tool, have it: their devices, batch, lengths and state."},
		{Name: "training_job", Takes: "model model, chip accelerator, N, B, T, d dtype, software training software",
			Gives: "training job", Work: 1 << 14, Call: n.newJob, Begin: once(n.newJob),
			Doc: "What is trained on what: a model on N chips, B tokens a step in sequences of T, matmuls in a format."},
		{Name: "training_search", Takes: "job training job, all switch, margin, max_tp", Gives: "training search",
			Work: 1 << 18, Begin: n.beginSearch,
			Doc: "The best plans of a job, found exactly. all: every schedule, policy and sharding, not only the usual ones; " +
				"margin: the share of the memory to leave free; max_tp: tensor parallelism at most, 0 for any."},
		{Name: "training_plans", Takes: "search training search", Gives: "list training plan", Call: plansFound,
			Doc: "The best plans that a search has found, the fastest first."},
		{Name: "training_lacking", Takes: "search training search", Gives: "list training plan", Call: lackingPlans,
			Doc: "Plans that would be among the best if the software could run them, the fastest first."},
		{Name: "training_refused", Takes: "search training search", Gives: "list refused plans", Work: 1 << 10,
			Call: n.refused,
			Doc:  "Why plans that a search priced don’t fit: how many for which part of the memory, and which comes nearest."},
		{Name: "training_plan", Takes: "job training job, plan text, flags text", Gives: "training plan", Work: 1 << 14,
			Call: n.typedPlan, Begin: once(n.typedPlan),
			Doc: "A plan that somebody writes, \"dp=64 tp=8 pp=4\", or gives as flags of a tool. It has no value if it is " +
				"not legal, and says why."},
		{Name: "plan_memory", Takes: "plan training plan", Gives: "list plan part", Work: 1 << 12, Call: n.memoryParts,
			Doc: "What the fullest chip holds, part by part."},
		{Name: "plan_time", Takes: "plan training plan", Gives: "list plan part", Work: 1 << 12, Call: n.timeParts,
			Doc: "What a step takes, part by part, with the numbers of the assumptions that touch each."},
		{Name: "plan_exchanges", Takes: "plan training plan", Gives: "list plan exchange", Work: 1 << 12,
			Call: n.exchangeList,
			Doc:  "Which chips of a plan send what to one another in a step, how often and over which network."},
		{Name: "plan_terms", Takes: "plan training plan", Gives: "plan terms", Work: 1 << 12,
			Call: n.planTerms, Begin: once(n.planTerms),
			Doc: "The numbers that the main terms of a plan’s price are made of."},
		{Name: "plan_differences", Takes: "plan training plan, other training plan", Gives: "list plan part",
			Work: 1 << 12, Call: n.differences,
			Doc: "Two plans beside each other, part by part of the step."},
		{Name: "plan_verdict", Takes: "plan training plan, search training search", Gives: "text", Work: 1 << 12,
			Call: planVerdict,
			Doc:  "Why a plan is not the one to take: memory that it lacks, or where it loses time to the best."},
		{Name: "plan_split", Takes: "plan training plan", Gives: "plan split", Work: 1 << 10, Call: n.planSplit,
			Doc: "What the laws of a layer that FSDP and tensor parallelism split take of a plan, and why they don’t hold " +
				"for it, if they don’t."},
		{Name: "split_verdict", Takes: "split plan split, ways, best s, own s, arithmetic s", Gives: "text",
			Call: splitVerdict,
			Doc: "How far a plan’s split lies from the best one, of so many ways of FSDP, by the times of the messages at " +
				"both and of the arithmetic."},
		{Name: "training_map", Takes: "job training job", Gives: "batch map", Work: 1 << 19, Begin: n.beginMap,
			Doc: "The best plans over chips and over tokens for each chip, around a job: a small search at each of 25 places."},
		{Name: "training_tools", Gives: "list training tool", Call: n.toolList,
			Doc: "The tools whose flags plans are written as."},
		{Name: "training_assumptions", Gives: "list assumption", Work: 1 << 12, Call: n.assumptionList,
			Doc: "What prices of plans take for granted, numbered."},
	})
}

// plansFound are the plans of a search.
func plansFound(a []value.Value) (value.Value, error) { return a[0].Record.Of.(*searched).plans, nil }

// planVerdict says what speaks against a plan beside those of a search.
func planVerdict(a []value.Value) (value.Value, error) {
	p := a[0].Record.Of.(*training.Planned)
	said := []any{verdict(p, a[1].Record.Of.(*searched))}
	if p.Remark != nil {
		said = append(said, p.Remark)
	}
	return words(english(phrase.Sentences(said...))), nil
}
