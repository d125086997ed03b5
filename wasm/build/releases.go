package build

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// release is what the passes that know Go's own tables must know of a release of Go. The zero value is an unknown one.
type release struct {
	name string // "go1.26"
	// Words of the module's description (struct moduledata in runtime/symtab.go).
	findfunctab int // where that table lies
	types       int // where the descriptions of types begin
	typesEnd    int // and where they end
	gofunc      int // where the data of functions begin
	// The last numbers of the versions that pages were opened with. Others may inline other functions where Go starts and
	// nothing can be left for later; there, all that could be called stays in the first module: 90 KB.
	tried []string
}

// releases are those whose pclntab and whose calls are known, and which the tests have run. RELEASES.md says how to add
// the next one.
var releases = []release{
	{name: "go1.26", findfunctab: 19, types: 37, typesEnd: 38, gofunc: 40, tried: []string{"7", "8"}},
	{name: "go1.27", findfunctab: 19, types: 37, typesEnd: 39, gofunc: 43, tried: []string{"3"}},
}

func (r release) known() bool { return r.name != "" }

// releaseOf is the release of a version of Go, such as "go1.26.8" or what a file VERSION holds.
func releaseOf(version string) release {
	version, _, _ = strings.Cut(version, "\n")
	for _, r := range releases {
		if rest, ok := strings.CutPrefix(version, r.name); ok && (rest == "" || rest[0] == '.' || rest[0] == '-') {
			return r
		}
	}
	return release{}
}

// isTried says whether pages were opened with a version of the release.
func (r release) isTried(version string) bool {
	version, _, _ = strings.Cut(version, "\n")
	patch, ok := strings.CutPrefix(version, r.name+".")
	return r.known() && ok && slices.Contains(r.tried, patch)
}

// Known are the folders of the Go installations of the last versions that were tried, one of each known release. Those
// that aren't here are fetched by Go.
func Known(ctx context.Context) (roots []string, err error) {
	for _, r := range releases {
		version := r.name + "." + r.tried[len(r.tried)-1]
		c := exec.CommandContext(ctx, "go", "env", "GOROOT")
		c.Env = append(os.Environ(), "GOTOOLCHAIN="+version)
		out, err := c.Output()
		if err != nil {
			return nil, fmt.Errorf("%s can't be fetched: %w", version, err)
		}
		roots = append(roots, strings.TrimSpace(string(out)))
	}
	return roots, nil
}

// known names the releases that are.
func known() string {
	var names []string
	for _, r := range releases {
		names = append(names, r.name)
	}
	return strings.Join(names, " and ")
}

// What the passes that need a known release saved when they were last measured, as parts of a program's download, and
// what stand-ins for packages of the standard library and our own flags saved.
const (
	strippedShare = 0.16
	standInShare  = 0.31
)

// leftOut is one line about what this release of Go is too new or too old for; empty if there is nothing.
func (b *builder) leftOut(program []byte) string {
	if b.release.known() && b.standIns {
		return ""
	}
	version, _, _ := strings.Cut(b.version, "\n")
	share, what := 0.0, version
	if !b.release.known() {
		share += strippedShare
		what += " isn't known here (only " + known() + "), so that the pclntab stays whole and the program in one piece"
	}
	if !b.standIns {
		share += standInShare
		what += ": nothing stands in for packages of the standard library: " + b.why
	}
	more := int(share / (1 - share) * float64(zipped(program)))
	return fmt.Sprintf("wasm/build: %s; the browser's program is correct, but about %d KB larger to download; see "+
		"wasm/build/RELEASES.md", what, more/1000)
}
