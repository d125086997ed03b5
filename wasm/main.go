//go:build js && wasm

// Command wasm is the browser's program: it finds the calculators in the page and brings them to life. Package
// wasm/build compiles it.
package main

import (
	"syscall/js"

	"github.com/scalebook/scalebook/app/widget"
	"github.com/scalebook/scalebook/app/widget/browser"
)

func main() {
	js.Global().Get("performance").Call("mark", "main") // what came before is Go's own time: see app/site/measure
	if js.Global().Get("document").IsUndefined() {
		browser.Work(widget.Env())
		return
	}
	browser.Run(widget.LazyEnv())
}
