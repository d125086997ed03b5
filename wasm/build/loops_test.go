package build

import (
	"slices"
	"strings"
	"testing"
)

// Loops over iterators of strings become loops over slices; others stay, and so does what isn't Go.
func TestSlicedText(t *testing.T) {
	const begin = "package p\n\nimport \"strings\"\n\nfunc f(s string) {\n"
	for given, want := range map[string]string{
		`for x := range strings.SplitSeq(s, ",") { g(x) }`: `for _, x := range strings.Split(s, ",") { g(x) }`,
		`for x := range strings.FieldsSeq(s) { g(x) }`:     `for _, x := range strings.Fields(s) { g(x) }`,
		`for x = range strings.SplitAfterSeq(s, ",") {}`:   `for _, x = range strings.SplitAfter(s, ",") {}`,
		`for range strings.FieldsSeq(s) {}`:                `for range strings.Fields(s) {}`,
		`for x := range strings.Lines(g("()")) {}`:         `for _, x := range withoutLast(strings.SplitAfter(g("()"), "\n")) {}`,
		`for x := range maps.Keys(m) {}`:                   `for x := range maps.Keys(m) {}`,
		`for x := range other.Lines(s) {}`:                 `for x := range other.Lines(s) {}`,
		`for x := range strings.Lines(s) { for y := range strings.FieldsSeq(x) {} }`: `for _, x := range ` +
			`withoutLast(strings.SplitAfter(s, "\n")) { for _, y := range strings.Fields(x) {} }`,
		`seq := strings.Lines(s)`: `seq := strings.Lines(s)`,
	} {
		got, pkg, lines := slicedText([]byte(begin + given + "\n}\n"))
		if string(got) != begin+want+"\n}\n" || pkg != "p" || lines != strings.Contains(want, "withoutLast(") {
			t.Errorf("%s became %s (%s, %t), want %s", given, got[len(begin):], pkg, lines, want)
		}
	}
	if got, _, _ := slicedText([]byte("no Go")); string(got) != "no Go" {
		t.Errorf("%q", got)
	}
}

// The slices hold what the iterators give.
func TestSlicesAreAsIterators(t *testing.T) {
	for _, s := range []string{"", "\n", "a", "a\n", "a\nb", "\n\n", " a  b\t\n", ",a,,b,", "é\u00a0b"} {
		got, want := withoutLast(strings.SplitAfter(s, "\n")), slices.Collect(strings.Lines(s))
		if !slices.Equal(got, want) {
			t.Errorf("lines of %q: %q, want %q", s, got, want)
		}
		if got, want := strings.Split(s, ","), slices.Collect(strings.SplitSeq(s, ",")); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
		if got, want := strings.SplitAfter(s, ","), slices.Collect(strings.SplitAfterSeq(s, ",")); !slices.Equal(got,
			want) {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
		if got, want := strings.Fields(s), slices.Collect(strings.FieldsSeq(s)); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
}
