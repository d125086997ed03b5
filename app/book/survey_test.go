package book

import (
	"strings"
	"testing"
)

func glossaryBook(t *testing.T, chapter string) (*Book, []Problem) {
	t.Helper()
	return Load(folder(t, map[string][]byte{
		"x.md": []byte("---\ntitle: X\n---\n\n" + chapter + "\n"),
		"glossary.md": []byte(
			"---\ntitle: Terms\n---\n\nRidge point\n:   Where the roof bends.\n\nBatch\n:   What is done [at " +
				"once](?ridge-point).\n",
		),
	}), testConfig())
}

// A term leads to its definition, by its own words, in the plural, or by name.
func TestTerms(t *testing.T) {
	b, problems := glossaryBook(t, "A [ridge point](?), of [many *batches*](?batch).")
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	url := b.Page("glossary").URL
	for _, want := range []string{`<a href="` + url + `#ridge-point">ridge point</a>`,
		`<a href="` + url + `#batch">many <em>batches</em></a>`} {
		if got := b.Page("x").HTML; !strings.Contains(got, want) {
			t.Errorf("no %s in %s", want, got)
		}
	}
	for _, want := range []string{`<dt id="ridge-point">Ridge point</dt>`, `<a href="#ridge-point">at once</a>`} {
		if got := b.Page("glossary").HTML; !strings.Contains(got, want) {
			t.Errorf("no %s in %s", want, got)
		}
	}
	if b, _ = glossaryBook(t, "Two [Ridge Points](?)."); !strings.Contains(
		b.Page("x").HTML,
		`#ridge-point">Ridge Points</a>`,
	) {
		t.Error("the plural does not lead to the term")
	}
}

// What is wrong with a term is said where it stands.
func TestTermProblems(t *testing.T) {
	for chapter, want := range map[string]string{
		"A [roof](?).":                         "no term `roof`",
		"A [batch](?rigde-point).":             "ridge-point",
		"A [batch](?) and a [batch](?).":       "explained above",
		"An empty [](?batch).":                 "without a text",
		"## A [batch](?) in a heading":         "a link in a heading",
		"See [it](glossary.md#ridge-pointed).": "nothing has the id",
	} {
		_, problems := glossaryBook(t, chapter)
		if len(problems) != 1 || problems[0].File != "x.md" || problems[0].Line == 0 ||
			!strings.Contains(problems[0].Error(), want) {
			t.Errorf("%s: %v, want one that says %q", chapter, problems, want)
		}
	}
	_, problems := Load(
		folder(t, map[string][]byte{"x.md": []byte("---\ntitle: X\n---\n\nA [batch](?).\n")}),
		testConfig(),
	)
	if len(problems) != 1 || !strings.Contains(problems[0].Error(), "no glossary") {
		t.Error(problems)
	}
}
