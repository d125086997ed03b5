package build

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// The youngest programs stay, and everything else that lies in the cache.
func TestPrune(t *testing.T) {
	folder := t.TempDir()
	begin := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range kept + 3 {
		name := filepath.Join(folder, fmt.Sprintf("wasm-%02d.wasm", kept+3-i)) // the youngest has the first name
		if err := os.WriteFile(name, nil, 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(name, begin, begin.Add(time.Duration(i)*time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	other := filepath.Join(folder, "axe.js")
	if err := os.WriteFile(other, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	prune(folder)
	left, _ := filepath.Glob(filepath.Join(folder, "*"))
	if len(left) != kept+1 || !exists(other) {
		t.Fatalf("left are %v", left)
	}
	for i := 1; i <= kept; i++ {
		if !exists(filepath.Join(folder, fmt.Sprintf("wasm-%02d.wasm", i))) {
			t.Errorf("program %d, one of the youngest, is gone", i)
		}
	}
}
