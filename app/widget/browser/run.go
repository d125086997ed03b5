//go:build js && wasm

package browser

import "github.com/scalebook/scalebook/app/sheet/value"

// Run brings the sheets of the page to life in the given environment, and does not return.
func Run(env *value.Env) {
	p := newPage(env)
	p.kept.Start(p)
}
