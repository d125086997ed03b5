package library

import "github.com/scalebook/scalebook/app/sheet/value"

// addPlanners offers the planners, and the reader of configurations that they share with others. The browser's program
// has all that only these call in a module of its own (wasm/build/sentences.go).
func addPlanners(env *value.Env) {
	addConfigs(env)
	addServing(env)
	addTraining(env)
}
