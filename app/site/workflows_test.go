package site

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Every action of the workflows is named by the commit it stands at, and no workflow has more rights than its jobs ask
// for.
func TestWorkflowsArePinned(t *testing.T) {
	names, err := filepath.Glob("../../.github/workflows/*.yml")
	if err != nil || len(names) < 2 {
		t.Fatal(names, err)
	}
	uses := regexp.MustCompile(`(?m)^\s*-?\s*uses:\s*(.*)$`)
	pinned := regexp.MustCompile(`^[\w.-]+/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$`)
	for _, name := range names {
		text := read(t, name)
		if !strings.Contains(text, "\npermissions: {}\n") {
			t.Errorf("%s: a workflow must begin without rights", name)
		}
		for _, u := range uses.FindAllStringSubmatch(text, -1) {
			if !pinned.MatchString(u[1]) {
				t.Errorf("%s: %q is not pinned to a commit with its version beside it", name, u[1])
			}
		}
	}
}
