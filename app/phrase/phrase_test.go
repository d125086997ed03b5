package phrase

import (
	"slices"
	"strings"
	"testing"
)

func TestSay(t *testing.T) {
	french := Read("widget.no-table\tIl n’y a pas de tableau : {why}.\n")
	for _, c := range []struct{ got, want string }{
		{Phrases{}.Say("widget.no-table", "why", New("browser.copied")), "There is no table: Copied.."},
		{french.Say("widget.no-table", "why", "{x}"), "Il n’y a pas de tableau : {x}."},
		{french.Say("widget.reset"), "Reset"}, // what a language lacks is said in English
		{french.Say("nobody.knows"), "nobody.knows"},
		{New("list.or", "list", 1, "next", And([]string{"b", "c", "d"})).Error(), "1 or b, c and d"},
		{Phrases{}.Text(Sentences("A.", "", nil, "B.")), "A. B."},
		{Phrases{}.Text(Or([]string{"b"})) + Phrases{}.Text(Or([]int(nil))) + (*Phrase)(nil).String(), "b"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

func TestCount(t *testing.T) {
	language := Read("x.cells.one\tone cell{end}\nx.cells.other\t{n} cells{end}\n")
	for n, want := range map[int]string{0: "0 cells!", 1: "one cell!", 2: "2 cells!"} {
		if got := language.Count(n, "x.cells", "end", "!"); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}

func TestFind(t *testing.T) {
	for _, file := range []string{"", "a.a\t1\n", "a.a\t1\na.b\t2\n", "a\t0\na-b\t1\na.b\t2\nb\t3", english,
		englishSite} {
		var keys []string
		for line := range strings.Lines(file) {
			key, want, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
			if got, ok := find(file, key); !ok || got != want {
				t.Errorf("%s is %q, want %q", key, got, want)
			}
			if _, ok := find(file, key+"~"); ok {
				t.Errorf("%s~ is found", key)
			}
			keys = append(keys, key)
		}
		if !slices.IsSorted(keys) || len(slices.Compact(keys)) != strings.Count(file, "\t") {
			t.Errorf("the keys are not in order, each once: %.300q", keys)
		}
	}
}

func TestGap(t *testing.T) {
	for _, c := range [][4]string{
		{"a {b} c", "a ", "b", " c"}, {"{b}", "", "b", ""}, {"", "", "", ""}, {"a {", "a {", "", ""},
		{"{}{", "{}{", "", ""},
		{`{"x": {B}} {y}`, `{"x": {B}} `, "y", ""}, {"{{x}}", "{", "x", "}"},
	} {
		if before, name, after := Gap(c[0]); [3]string{before, name, after} != [3]string(c[1:]) {
			t.Errorf("%q: %q, %q, %q", c[0], before, name, after)
		}
	}
}

func BenchmarkSay(b *testing.B) {
	for b.Loop() {
		Phrases{}.Say("widget.no-table", "why", "there are no entries")
	}
}

// A word has its translation, of a name with parts each part its own; English stays as it is.
func TestWords(t *testing.T) {
	l := Read("=a, b\tв целом\n=kept aside\tотложенные\n=open loop\tразомкнутый цикл\n")
	for text, want := range map[string]string{
		"kept aside": "отложенные", "open loop, kept aside": "разомкнутый цикл, отложенные", "a, b": "в целом",
		"vLLM: open loop": "vLLM: разомкнутый цикл", "unknown": "unknown", "": "",
	} {
		if got := l.Word(text); got != want {
			t.Errorf("%q is %q, not %q", text, got, want)
		}
		if got := (Phrases{}).Word(text); got != text {
			t.Errorf("%q is %q in English", text, got)
		}
	}
	if got := New(WordKey+"It has {n}.", "n", 2).String(); got != "It has 2." {
		t.Errorf("a sentence of data, in English: %q", got)
	}
}
