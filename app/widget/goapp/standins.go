package goapp

import "slices"

// Version is the version of go-app that all of this was checked with.
const Version = "v10.1.11"

// StandIns is the folder of the stand-ins, below the module's root.
const StandIns = "wasm/standin"

// mayImport may import a replaced package, because we know that it calls nothing of it in the browser, or nothing that
// the stand-in doesn't do: fmt prints to the console, and time asks whether a setting has its default.
var mayImport = []string{
	"fmt", "path/filepath", "time",
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
