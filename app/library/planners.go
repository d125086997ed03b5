package library

import "github.com/scalebook/scalebook/app/sheet/value"

// addPlanners offers what only few pages need: the planners, what is held against measurements, and the readers of
// configurations, programs and traces. The browser's program has all that only these call in a module of its own
// (wasm/build/sentences.go).
func addPlanners(env *value.Env) {
	addConfigs(env)
	addServing(env)
	addStartups(env)
	addHeld(env)
	addTraining(env)
	addPrograms(env)
	addTraces(env)
	addLocal(env)
	addNCCL(env)
}
