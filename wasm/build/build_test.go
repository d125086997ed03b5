package build

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The budget of the browser's program, gzip -9: what a reader downloads once.
const budget = 1_600_000

func TestProgramIsSmallAndTheSameTwice(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the browser's program")
	}
	t.Chdir("../..")
	out := filepath.Join(t.TempDir(), "a.wasm")
	if err := Program(t.Context(), "", out); err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	var zipped bytes.Buffer
	w, _ := gzip.NewWriterLevel(&zipped, gzip.BestCompression)
	w.Write(program)
	w.Close()
	t.Logf("%d bytes, %d gzip -9", len(program), zipped.Len())
	if zipped.Len() > budget {
		t.Errorf("the program takes %d bytes, gzip -9; at most %d", zipped.Len(), budget)
	}
	if root, _ := os.Getwd(); bytes.Contains(program, []byte(root)) {
		t.Errorf("the program knows the folder it was compiled in: %s", root)
	}
}

// A package that uses what the browser doesn't have must fail the build, not the reader.
func TestStrayImportIsRefused(t *testing.T) {
	b := &builder{replaced: map[string]bool{"regexp": true}}
	err := b.stray([]part{
		{ImportPath: "regexp", Imports: []string{"strings"}},
		{ImportPath: "github.com/google/uuid", Imports: []string{"regexp"}},
		{ImportPath: "example.org/sheet", Imports: []string{"fmt", "regexp"}},
	})
	if err == nil || !strings.Contains(err.Error(), "example.org/sheet imports regexp") {
		t.Errorf("got %v", err)
	}
	if err := b.stray([]part{{ImportPath: "github.com/google/uuid", Imports: []string{"regexp"}}}); err != nil {
		t.Errorf("refused what is allowed: %v", err)
	}
}
