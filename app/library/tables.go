package library

import (
	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/serving"
	"github.com/scalebook/scalebook/app/sheet/value"
	"github.com/scalebook/scalebook/app/training"
)

// What planners found, as records for tables: a command prints the fields that a sheet shows, by the same declaration.
// The environment must have the planners' record types, as New has.

// TrainingPlans are plans of a job: a list of records of the type "training plan".
func TrainingPlans(env *value.Env, estimator *training.Estimator, estimates []training.Estimate) value.Value {
	n := plannerOf(env)
	all := make([]*value.Record, len(estimates))
	for i := range estimates {
		all[i] = n.planRecord(&training.Planned{Estimator: estimator, Estimate: estimates[i]}, "").Record
	}
	return recordList(all)
}

// RefusedPlans are the reasons why plans don't fit: records of the type "refused plans".
func RefusedPlans(env *value.Env, reasons []training.Reason) value.Value {
	return plannerOf(env).reasonList(reasons)
}

// StepParts are the parts of a plan's step, and MemoryParts those of its fullest chip's memory: records of the type
// "plan part".
func StepParts(env *value.Env, estimate *training.Estimate) value.Value {
	return plannerOf(env).partsOf(estimate.Time.Parts(), "time", estimate.Time.Step())
}

// MemoryParts are described with StepParts.
func MemoryParts(env *value.Env, estimate *training.Estimate) value.Value {
	return plannerOf(env).partsOf(estimate.Memory.Parts(), "bytes", estimate.Memory.Total())
}

// PlanExchanges are what the ranks of a plan send one another in a step: records of the type that plan_exchanges gives.
func PlanExchanges(env *value.Env, p *training.Planned) value.Value {
	return plannerOf(env).exchangesOf(p)
}

func plannerOf(env *value.Env) *planner {
	return newPlanner(func(name string) *value.RecordType { return env.RecordType(name) })
}

// ModelRecord is a model as sheets see it: a record of the type "model".
func ModelRecord(env *value.Env, m *model.Model) *value.Record {
	return modelRecord(&model.Known{Model: *m}, env.RecordType("model"))
}

// ServingPlans are options of a search, each beside the first: records of the type "serving plan".
func ServingPlans(env *value.Env, spec serving.Spec, options []serving.Option) value.Value {
	n, task := &servings{env: env}, &servingTask{spec: spec}
	all := make([]*value.Record, len(options))
	for i, o := range options {
		all[i] = newServed(task, o).record(n, planID(o))
	}
	beside(all)
	return recordList(all)
}
