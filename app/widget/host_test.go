package widget

import (
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/widget/address"
)

// What the page around gives is where a reader starts from, no edit of theirs.
func TestHostsValuesAreDefaults(t *testing.T) {
	s := written(t, "own", "let n = 2 in 1..99 \"N\"\nlet m = 3 in 1..99 \"M\"\nx = n * m\n")
	v := New(s)
	given := []address.Param{{Sheet: s.ID, Name: "n", Text: "5"}, {Sheet: s.ID, Name: "m", Text: "cat"}}
	if problems := v.Host(given); len(problems) != 1 {
		t.Fatalf("problems: %v", problems)
	}
	is := func(when, want string, changed bool) {
		t.Helper()
		if got := v.rowText(v.row("x")); got != want || v.Changed("n") != changed {
			t.Errorf("%s: x = %s, changed %v; want %s, %v", when, got, v.Changed("n"), want, changed)
		}
	}
	is("given", "15", false)
	if html := HTML(v.input(s.Input("n"))); strings.Contains(html, "changed") || strings.Contains(html, "undo") {
		t.Errorf("the host's value is shown as an edit: %s", html)
	}
	v.Set("n", "2") // the author's
	is("typed", "6", true)
	if html := HTML(v.input(s.Input("n"))); !strings.Contains(html, "was 5") {
		t.Errorf("the way back is not to the host's value: %s", html)
	}
	v.Undo("n")
	is("undone", "15", false)
	v.Set("n", "7")
	v.Set("n", "5")
	is("typed back", "15", false)
	v.Set("n", "7")
	v.Reset()
	is("reset", "15", false)
	if got := address.Encode(v.Params()); got != s.ID+".n=5" {
		t.Errorf("a link carries %s", got)
	}
}
