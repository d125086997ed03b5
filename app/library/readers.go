package library

import "github.com/scalebook/scalebook/app/sheet/value"

// addReaders offers what single pages need: the readers of programs and traces, what is held against measurements, and
// models on one machine. The browser's program has all that only these call in its last module
// (wasm/build/sentences.go).
func addReaders(env *value.Env) {
	addAccuracy(env)
	addPrograms(env)
	addTraces(env)
	addLocal(env)
	addNCCL(env)
	addFiles(env)
	addFormer(env)
}
