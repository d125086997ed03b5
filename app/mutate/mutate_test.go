package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestMutations: each change can be made in the code as it is, and changes it.
func TestMutations(t *testing.T) {
	all, err := mutations(table)
	if err != nil || len(all) < 40 {
		t.Fatal(len(all), err)
	}
	seen := map[string]bool{}
	for _, m := range all {
		text, err := os.ReadFile(filepath.Join("..", m.file))
		if err != nil {
			t.Fatal(err)
		}
		if changed, err := m.change(string(text)); err != nil {
			t.Error(err)
		} else if changed == string(text) || seen[m.String()] {
			t.Errorf("%s changes nothing, or stands twice", m)
		}
		seen[m.String()] = true
	}
}

// TestTable: what isn't a change is refused, with the place.
func TestTable(t *testing.T) {
	if _, err := mutations("a.go\tname\told\n"); err == nil || !strings.Contains(err.Error(), "3 cells") {
		t.Error(err)
	}
	all, err := mutations("a.go\tn\tx\\n\ty\n")
	if err != nil || all[0].old != "x\n" {
		t.Fatal(all, err)
	}
	if text, err := all[0].change("1x\n2"); err != nil || text != "1y2" {
		t.Error(text, err)
	}
	if _, err := all[0].change("x\nx\n"); err == nil || !strings.Contains(err.Error(), "2 times") {
		t.Error(err)
	}
}
