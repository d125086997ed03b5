//go:build js && wasm

// Command npm is the estimation core as the npm package carries it: it gives the function that started it one to ask
// questions with, JSON in, JSON out (see app/answer). `make npm` compiles it with a plain go build.
package main

import (
	"syscall/js"

	"github.com/scalebook/scalebook/app/answer"
)

func main() {
	ask := js.FuncOf(func(_ js.Value, args []js.Value) (reply any) {
		defer func() {
			if trouble := recover(); trouble != nil { // a fault of ours: the program stays usable
				reply = `{"error": "the estimation core failed at this question; please report it"}`
			}
		}()
		return string(answer.Ask(args[0].String(), []byte(args[1].String())))
	})
	js.Global().Call("scalebookCore", ask)
	select {}
}
