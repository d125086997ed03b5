package book

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/widget"
)

// Every question of the book can be asked again with other numbers, ten times over, each time with another answer than
// before; but for some whose answer no number changes, as they say.
func TestEveryQuestionAgain(t *testing.T) {
	fixed := []string{"shape", "same-question", "line-or-ring", "q-a2a", "q-dollar", "q-b200", "q-heads", "own-rack"}
	questions(t, func(s *sheet.Sheet, name string) {
		v, sets := widget.New(s), map[string]bool{}
		for range 10 {
			before := v.Tell(name).Verdict
			said := v.Renew(name)
			if after := v.Tell(name).Verdict; after == before && !slices.Contains(fixed, s.ID) {
				t.Errorf("%s: %s: %s", s.ID, said, after)
			}
			sets[said] = true
		}
		if still := len(sets) == 1; still != slices.Contains(fixed, s.ID) {
			t.Errorf("%s: %d sets of numbers: %v", s.ID, len(sets), sets)
		}
	})
}

// questions are all that the sheets of the book ask, but for those that take long.
func questions(t *testing.T, each func(s *sheet.Sheet, name string)) {
	t.Helper()
	sheets(t, func(s *sheet.Sheet) {
		for ; len(s.Asks) > 0; s.Asks = s.Asks[1:] {
			each(s, s.Asks[0].Name)
		}
	})
}

// sheets are those of the book that its pages print, but for those that take long.
func sheets(t *testing.T, each func(*sheet.Sheet)) {
	t.Helper()
	files, err := filepath.Glob("../../content/*.md")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	env := widget.Env()
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, source := range Sheets(file, text) {
			if source.Mode != "sheet" {
				continue
			}
			s, errs := sheet.Compile(source.Text, env)
			if len(errs) > 0 {
				t.Fatal(source.ID, errs)
			}
			if s.ID = source.ID; !s.Long() {
				each(s)
			}
		}
	}
}
