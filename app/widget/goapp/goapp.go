// Package goapp holds all that is done so that go-app, which was made for pages that it renders whole, dispatches the
// events of calculators in a page that is complete without it. It was read and checked with the version of go-app that
// [Version] names; a test fails where go.mod names another one, or where the lines of go-app that the tricks rest on
// have changed.
//
// In the browser (start.go), while [Start] runs, which is one task, so that no other script sees any of it:
//
//  1. The body is lent: go-app takes an empty element that is in no page for the document's body, because it inserts an
//     element of its own there, for which Chromium would style the whole page anew (36 ms on /rooflines/).
//  2. The storage is hidden: go-app looks through all keys of localStorage, which belongs to every site of the origin,
//     and doesn't survive that a frame may not use it. web/modules.js gives no other script a turn meanwhile.
//  3. Handlers on the window (onclick, onpopstate, onresize) are put back: pages have ordinary links, which go-app
//     would follow in its own way.
//  4. Its functions on the window (goappNav and others) go: nobody calls them, and the page may be somebody else's.
//  5. The element that the address names is deaf to scrollIntoView until go-app has finished its start: it would scroll
//     to the fragment again, away from where the reader is.
//
// When the program is compiled (the table below and the folder wasm/standin, used by package wasm/build):
//
//  6. Stand-ins for packages of the standard library. The go-app module compiles its web server, its ciphers and its
//     random identifiers into every program. The linker can't leave them out, because their packages are initialised
//     when the program starts: half a megabyte, compressed, for each reader. The build therefore sees, through
//     `go build -overlay`, the files of wasm/standin in the places of the real ones. Each declares only what go-app and
//     its uuid module mention, and panics or fails when it is called. A file whose name begins with instead_ takes the
//     place of that file alone: the rest of packages slices and time is the real one.
//  7. Whoever else imports a package that is replaced whole is refused ([Stray]): its calls would do nothing.
//
// Not used at all: go-app's page generator, service worker, loader, manifest and styles; see app/site and web.
package goapp

import "slices"

// Version is the version of go-app that all of this was checked with.
const Version = "v10.1.11"

// StandIns is the folder of the stand-ins, below the module's root.
const StandIns = "wasm/standin"

// mayImport may import a replaced package, because we know that it calls nothing of it in the browser, or nothing that
// the stand-in doesn't do: hex says what is wrong with a text, and time asks whether a setting has its default.
var mayImport = []string{
	"encoding/hex", "path/filepath", "time",
	"github.com/maxence-charriere/go-app/v10/pkg/app",
	"github.com/maxence-charriere/go-app/v10/pkg/errors",
	"github.com/google/uuid",
}

// Stray are the imports, "package imports other", of packages that would call a stand-in and get nothing: imports are
// those of each package, replaced the packages that are.
func Stray(imports map[string][]string, replaced map[string]bool) []string {
	var wrong []string
	for path, imported := range imports {
		if replaced[path] || slices.Contains(mayImport, path) {
			continue
		}
		for _, other := range imported {
			if replaced[other] {
				wrong = append(wrong, path+" imports "+other)
			}
		}
	}
	slices.Sort(wrong)
	return wrong
}
