package library

import "github.com/scalebook/scalebook/app/sheet/value"

// addPlanners offers the planners, and the readers of configurations and of engines' logs that they share with other
// pages. The browser's program has all that only these call in a module of its own (wasm/build/sentences.go).
func addPlanners(env *value.Env) {
	addConfigs(env)
	addServing(env)
	addStartups(env)
	addTraining(env)
}
