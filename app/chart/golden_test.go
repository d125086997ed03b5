package chart

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the goldens")

// TestGolden holds the drawings and their words to what was looked at and found good.
func TestGolden(t *testing.T) {
	for _, p := range examples() {
		header, rows := p.Twin()
		words := []string{p.Summary(), "", strings.Join(header, " | ")}
		for _, r := range rows {
			words = append(words, strings.Join(r, " | "))
		}
		golden(t, p.ID+".svg", p.SVG()+"\n")
		golden(t, p.ID+".txt", strings.Join(words, "\n")+"\n")
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v; write it with: go test ./app/chart -update", err)
	}
	if got != string(want) {
		t.Errorf("%s differs; look at it, then: go test ./app/chart -update\n%s", name, got)
	}
}
