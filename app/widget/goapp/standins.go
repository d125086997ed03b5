package goapp

import (
	"fmt"
	"slices"
	"strings"
)

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

// Stray finds packages of the program that would call a stand-in and get nothing: imports are those of each package,
// replaced the packages that are.
func Stray(imports map[string][]string, replaced map[string]bool) error {
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
	if len(wrong) == 0 {
		return nil
	}
	slices.Sort(wrong)
	return fmt.Errorf("%s; the browser's program has a stand-in for it that does nothing (%s): do without, or take the "+
		"stand-in away", strings.Join(wrong, ", "), StandIns)
}
