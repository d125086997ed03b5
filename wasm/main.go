//go:build js && wasm

// Command wasm is the browser's program: it finds the calculators in the page and brings them to life. Package
// wasm/build compiles it.
package main

import (
	"github.com/scalebook/scalebook/app/library"
	"github.com/scalebook/scalebook/app/widget/instruments"
	"github.com/scalebook/scalebook/app/widget/live"
)

func main() {
	live.Run(library.New(), instruments.All())
}
