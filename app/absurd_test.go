package main

import (
	"os"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/book"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/widget"
)

// What a planner says in the sentences of its page is a sentence whatever a reader sets, also where no plan fits and
// where what they typed is no plan: never a dash, and nothing that isn't finite. Each line of the files is a state.
func TestPlannersSpeakInAbsurdStates(t *testing.T) {
	for id, rows := range map[string]string{"training": "answer opened beside", "serving": "answer"} {
		name := "../content/" + id + "-planner.md"
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var planner *sheet.Sheet
		for _, src := range book.Sheets(name, text) {
			if src.ID == id {
				s, errs := sheet.Compile(src.Text, widget.Env())
				if len(errs) > 0 {
					t.Fatal(errs[0])
				}
				planner = s
			}
		}
		states, err := os.ReadFile("testdata/absurd-" + id + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for state := range strings.Lines(string(states)) {
			state = strings.TrimSpace(state)
			v := widget.New(planner)
			for set := range strings.SplitSeq(state, " ; ") {
				input, value, _ := strings.Cut(set, "=")
				_ = v.Set(input, value) // what is refused says so at its field
			}
			for row := range strings.FieldsSeq(rows) {
				said, err := v.Result.Value(row)
				text := said.In(phrase.Phrases{})
				answer := row == "answer" && !strings.HasSuffix(text, ".")
				if err != nil || text == "" || answer || strings.Contains(text, "no value") ||
					strings.Contains(text, "NaN") || strings.Contains(text, "Inf ") {
					t.Errorf("%s: %s: %s says %q, %v", id, state, row, text, err)
				}
			}
			n++
		}
		if n < 30 {
			t.Errorf("%s: only %d states", id, n)
		}
	}
}
