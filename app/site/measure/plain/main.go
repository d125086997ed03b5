//go:build js && wasm

// Command plain is the least that a Go program does in a page: it says that it runs, and marks the page's section as
// alive. The measurement starts it beside the book's own program, as the size of what Go itself takes on this machine.
package main

import "syscall/js"

func main() {
	js.Global().Get("performance").Call("mark", "main")
	js.Global().Get("document").Call("querySelector", "section.sheet").Call("setAttribute", "data-live", "")
	select {}
}
