package widget

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/sheet"
)

// A reader types into the field of a table: the lines that have all the words stay, their number is said, and what was
// ranked and exported before follows.
func TestFilter(t *testing.T) {
	const src = "all = training_optimizers()\ntable all show name, state, flops by state top 5 \"Optimizers\"\n"
	s, errs := sheet.Compile(src, Env())
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	s.ID = "o"
	v := New(s)
	id := v.filterID(0)
	lines := func() []string {
		var names []string
		for _, line := range find(parse(t, HTML(v.table(0))), "th", "scope", "row") {
			names = append(names, said(line))
		}
		return names
	}
	all := v.list(0).all
	if all < filtered || len(lines()) != 5 || !strings.Contains(HTML(v.table(0)), `id="`+id+`"`) {
		t.Fatalf("%d entries, lines %q", all, lines())
	}
	v.SetFilter(id, "ADAM")
	found := lines()
	lacks := func(s string) bool { return !strings.Contains(strings.ToLower(s), "adam") }
	if len(found) < 2 || slices.ContainsFunc(found, lacks) {
		t.Errorf("adam finds %q", found)
	}
	match := v.say("widget.list-match", "n", len(found), "all", all)
	if html := HTML(v.table(0)); !strings.Contains(html, `role="status">`+match+"<") {
		t.Errorf("nothing says %q", match)
	}
	if csv := v.Export("csv"); strings.Contains(csv, "Lion") {
		t.Errorf("the export has what is filtered out:\n%s", csv)
	}
	v.SetFilter(id, "adam 8-bit nothing-like-this")
	if got := lines(); len(got) > 0 {
		t.Errorf("no entry has all words, but %q stand there", got)
	}
	v.SetFilter(id, " ")
	if got := lines(); len(got) != 5 {
		t.Errorf("without words %q stand there", got)
	}
}

// A setting is a word as a whole, once it has a value; other words are found within others.
func TestFilterWords(t *testing.T) {
	const line = "5.27 s 48 % dp=128 tp=16 pp=8 zero=2 compute-bound"
	for word, want := range map[string]bool{"tp=": true, "tp=1": false, "tp=16": true, "p=8": false, "pp=8": true,
		"bound": true, "5.2": true, "cp": false, "cp=1": true, "cp=2": false} {
		if hasWord(line, word) != want {
			t.Errorf("%s in %q: %s", word, line, strconv.FormatBool(!want))
		}
	}
	const layout = "2 × tp2 pp16 343 1715"
	for word, want := range map[string]bool{"tp=1": false, "tp=2": true, "pp=1": false, "pp=16": true, "ep=1": true,
		"ep=8": false, "tp=": false, "tp2": true} {
		if hasWord(layout, word) != want {
			t.Errorf("%s in %q: %s", word, layout, strconv.FormatBool(!want))
		}
	}
	if hasWord("adam 8-bit 343", "tp=1") {
		t.Error("a line without settings has tp=1")
	}
}

// A table that can be seen at a glance has no field.
func TestShortTableHasNoFilter(t *testing.T) {
	v := waysView(t, waysSource)
	if n := len(find(parse(t, HTML(v.table(0))), "input", "type", "search")); n != 0 {
		t.Errorf("%d fields", n)
	}
}
