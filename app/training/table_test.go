package training

import (
	"strings"
	"testing"
)

// checkLines holds every line of the constants' table to its form.
func checkLines(t *testing.T) {
	t.Helper()
	seen := map[string]bool{}
	var s Stack
	for line := range strings.Lines(constantTable) {
		cells := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if len(cells) != 4 || cells[3] == "" {
			t.Errorf("%q has not four cells", line)
			continue
		}
		if key := cells[0] + " " + cells[1]; seen[key] {
			t.Errorf("%s stands twice", key)
		} else {
			seen[key] = true
		}
		if cells[1] != "doubt" && cells[1] != "like" && cells[1] != "years" && !strings.HasPrefix(cells[1], "reach.") &&
			s.constant(cells[1]) == nil {
			t.Errorf("nothing reads %s", cells[1])
		}
	}
}
