package book

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestParseBib(t *testing.T) {
	entries, faults := parseBib(`
This text outside of entries is a comment.
@comment{ignored {even} nested}
@preamble{"\newcommand{\x}{y}"}
@string(acm = "Association of " # {Machinery})
@Article(one, Title = "A {Quoted "title"}", author = {M{\"u}ller, Karl and {The {Big} Lab} and {\O}rsted}, year = 1999, month = jan # "~1", journal = acm,)
@misc{two,
  title = {Stra\ss e, na\"ive, {\'e}t\'{e}, \v{S}, G\"{o}del, \c c, caf\'e --- ok, 1--2, ` + "``" + `q''},
}`)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	if len(entries) != 2 {
		t.Fatal(len(entries), "entries")
	}
	one, two := entries[0], entries[1]
	for _, c := range []struct{ got, want string }{
		{one.kind, "article"},
		{one.key, "one"},
		{one.fields["title"], `A Quoted "title"`},
		{one.fields["journal"], "Association of Machinery"},
		{one.fields["month"], "January\u00a01"},
		{one.fields["year"], "1999"},
		{one.authors(), "Karl Müller, The Big Lab, and Ørsted"},
		{one.short(), "Müller et al."},
		{two.fields["title"], "Straße, naïve, été, Š, Gödel, ç, café — ok, 1–2, “q”"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
	if one.line != 6 || two.line != 7 {
		t.Errorf("lines %d and %d", one.line, two.line)
	}
}

func TestParseBibFaults(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"@", "1:2: `@` without a brace"},
		{"\n@article", "2:9: `@article` without a brace"},
		{"@article{}", "1:10: an entry without a key"},
		{"@article{a b}", "1:12: no comma behind the key `a`"},
		{"@article{a, title}", "1:18: no `name = value`"},
		{"@article{a, title = }", "1:21: no value"},
		{"@article{a, title = {x}", "1:24: no comma behind `title`"},
		{"@article{a,\n title = {x\n}", "3:2: no comma behind `title`"},
		{"@article{a,\n title = {x", "2:10: a `{` that is never closed"},
		{"@article{a, title = \"x}", "1:21: a quote that is never closed"},
		{"@article{a, title = {x} year = 1}", "1:25: no comma behind `title`"},
		{"@article{a, title = {x}, title = {y}}", "1:37: `title` given twice in `a`"},
		{"@article{a, title = nowhere}", "1:28: unknown @string `nowhere`"},
		{"@comment(x)", "1:9: @comment in parentheses"},
	} {
		_, faults := parseBib(c.src)
		if len(faults) == 0 {
			t.Errorf("%q: no fault", c.src)
			continue
		}
		f := faults[0]
		if got := (Problem{"", f.line, f.col, f.what, ""}).String(); got != ":"+c.want {
			t.Errorf("%q:\n got %s\nwant :%s", c.src, got, c.want)
		}
	}
}

// TestBibFaults holds what an entry lacks to being said, and the page to citing the others nevertheless.
func TestBibFaults(t *testing.T) {
	bib := `@misc{good, title = {T}, author = {A. B}, year = 2000}
@misc{good, title = {T}, author = {A. B}}
@misc{no--key, title = {T}, author = {A. B}}
@misc{untitled, author = {A. B}}
@misc{unwritten, title = {T}}
@misc{bad-url, title = {T}, author = {A. B}, url = {javascript:alert(1)}}
@misc{bad-doi, title = {T}, author = {A. B}, doi = {hello}}
@misc{broken`
	page := "---\ntitle: X\n---\n\n[@good]\n"
	b, problems := Load(folder(t, map[string][]byte{"references.bib": []byte(bib), "x.md": []byte(page)}), testConfig())
	want := []string{
		"second entry",
		"`no--key` is not one",
		"no title",
		"no author",
		"url of `bad-url`",
		"doi of `bad-doi`",
		"no comma",
	}
	if len(problems) != len(want) {
		t.Error(problems)
	}
	for i, p := range problems {
		if p.File != "references.bib" || p.Line != i+2 || !strings.Contains(p.What, want[i]) {
			t.Errorf("problem %d: %v, want line %d, %s", i, p, i+2, want[i])
		}
	}
	if refs := b.Page("x").References; len(refs) != 1 || !strings.HasPrefix(refs[0].HTML, "A. B (2000).") {
		t.Error(refs)
	}
}

// FuzzBib checks that whatever parses can be formatted, with nothing left unescaped, and that faults have a place.
func FuzzBib(f *testing.F) {
	f.Add("@article{a, title = {T {\\\"o} <b>}, author = \"A and {B C} and others\", year = 1999, doi = {10.1/x}}")
	f.Add("@string{x = \"y\"} @misc(k, title = x # {z}, author = {\\'e}, url = {https://x.org/?a=\"><script>})")
	f.Add("@comment{} @preamble{{}} @a{b,c=jan}")
	f.Fuzz(func(t *testing.T, src string) {
		entries, faults := parseBib(src)
		for _, fault := range faults {
			if fault.line < 1 || fault.col < 1 || fault.line > strings.Count(src, "\n")+1 {
				t.Errorf("%q: fault at %d:%d", src, fault.line, fault.col)
			}
		}
		empty := &bibliography{}
		for _, e := range entries {
			if what, _ := e.fault(empty); what != "" {
				continue
			}
			out := e.format("2000")
			if err := checkHTML(out); err != nil && utf8.ValidString(src) {
				t.Errorf("%q: %v in %s", src, err, out)
			}
		}
	})
}
