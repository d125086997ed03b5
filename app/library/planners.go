//go:build !lean

package library

import (
	"maps"

	"github.com/scalebook/scalebook/app/sheet/value"
)

// addPlanners offers the planners and what is held against measurements: a third of the domain, which few pages need.
// The lean one of the browser's two programs leaves it out.
func addPlanners(env *value.Env) {
	lean := maps.Clone(env.Funcs)
	addServing(env)
	addHeld(env)
	addTraining(env)
	addPrograms(env)
	addTraces(env)
	for name, f := range env.Funcs {
		f.Apart = lean[name] == nil
	}
}
