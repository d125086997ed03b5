package library

import (
	"cmp"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestOriginalProblems: each problem that the original numbers is checked by an expect of a sheet, but for one that
// asks for a program. Two facts are called otherwise than their problems.
func TestOriginalProblems(t *testing.T) {
	files, err := filepath.Glob("../../content/*.md")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	var book strings.Builder
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		book.Write(text)
	}
	const program = "sharding.q8"
	called := map[string]string{"gpus.q5.1": "gpus.tp.b200", "jax.p4": "jax.p3"}
	for number, p := range originalParts() {
		if p.number != number {
			t.Errorf("part %d stands in place %d", p.number, number)
		}
		for _, problem := range p.problems {
			fact := cmp.Or(called[p.facts+problem], p.facts+problem)
			checks := regexp.MustCompile(` as "` + regexp.QuoteMeta(fact) + `[a-z]?[./]`)
			if checked := checks.MatchString(book.String()); checked == (fact == program) {
				t.Errorf("%s is checked: %v", fact, checked)
			}
		}
		for _, open := range p.open {
			if !slices.Contains(p.problems, open) {
				t.Errorf("part %d has no problem %s", number, open)
			}
		}
	}
}
