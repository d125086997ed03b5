// Package golden holds what tests print to files that somebody has read and found right. Only tests import it.
//
// A test calls [Check]. After a wanted change `go test ./app/chart -update` writes the files of a package anew, and
// `make update` those of all packages; the difference is then read like any other change.
package golden

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files anew")

// Update tells whether the test is to write its files anew, for a test that doesn't compare text with [Check].
func Update() bool { return *update }

// Check reports where got differs from the file, a path below the folder of the test's package. With -update it writes
// the file instead.
func Check(t testing.TB, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v; write it with -update", err)
	}
	if got != string(want) {
		t.Errorf("%s differs; read the difference, and if it is wanted, run the test with -update\n%s", file,
			difference(got, string(want)))
	}
}

// difference names the first line in which two texts differ.
func difference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			at := same(g[i], w[i])
			return fmt.Sprintf("line %d\n got: %s\nwant: %s", i+1, near(g[i], at), near(w[i], at))
		}
	}
	return fmt.Sprintf("got %d lines, want %d", len(g), len(w))
}

// same is how many bytes two lines begin with alike.
func same(a, b string) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	return min(len(a), len(b))
}

// near is a line, or of a long one what stands around a place: lines of drawings have thousands of letters.
func near(line string, at int) string {
	const side = 100
	from, to := max(0, at-side), min(len(line), at+side)
	if len(line) <= 2*side {
		return line
	}
	return strings.ToValidUTF8(fmt.Sprintf("… %s … (from byte %d)", line[from:to], from), "")
}
