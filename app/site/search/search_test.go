package search

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/scalebook/scalebook/app/book"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/widget"
)

const chapter = `---
title: First
subtitle: A lede
description: What it is about.
also: other words, for the page
kind: chapter
number: 1
---

Before any heading.

## Heading & more

Prose with {{s.b}} and "quotes" & $x^2$.

` + "```sheet s" + `
title The calculator
let a = 3 s "Time given"
b = a * 2 "Twice {a}"
ask b "How long?"
table b over a = 1 s, 2 s "A caption"
` + "```" + `

Term
:   What it means.
:   *Also* a name, another name.

:::problem Count them {#problem-count}
How many?
:::
`

func load(t *testing.T) *Index {
	t.Helper()
	b, problems := book.Load(fstest.MapFS{"first.md": {Data: []byte(chapter)}}, book.Config{
		Base: "/b/", Env: widget.Env(), RenderSheet: widget.Static, RenderNumber: widget.Number,
	})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return New(b, "/b/", phrase.Phrases{})
}

func TestIndexHoldsWhatCanBeFound(t *testing.T) {
	x := load(t)
	if want := [][2]string{{"1. First", "first/"}}; !slices.Equal(x.Pages, want) {
		t.Errorf("pages %q", x.Pages)
	}
	for _, want := range []Entry{
		{0, Page, "", "First", "A lede What it is about. Before any heading.", "other words, for the page"},
		{0, Problem, "problem-count", "Problem 1.1. Count them", "", ""},
		{0, Sheet, "s", "The calculator", "How long? · Time given · Twice 3 s · A caption", ""},
		{0, Term, "heading-more", "Term", "What it means.", "Also a name, another name."},
	} {
		if !slices.Contains(x.Entries, want) {
			t.Errorf("no %+v in\n%+v", want, x.Entries)
		}
	}
	i := slices.IndexFunc(x.Entries, func(e Entry) bool { return e.Kind == Section })
	if s := x.Entries[i]; s.Fragment != "heading-more" || s.Heading != "Heading & more" ||
		!strings.Contains(s.Text, "Prose with 6 s and") {
		t.Errorf("section %+v", s)
	}
}

func TestIndexIsTheSameEachTime(t *testing.T) {
	one, err := load(t).JSON()
	if err != nil {
		t.Fatal(err)
	}
	two, _ := load(t).JSON()
	if !bytes.Equal(one, two) ||
		!bytes.HasPrefix(one, []byte(`{"pages":[["1. First","first/"]],"entries":[[0,0,"","First",`)) {
		t.Errorf("%s\n%s", one, two)
	}
}

// What is asked for in another case is found by the stem.
func TestRussianWordsHaveStems(t *testing.T) {
	x := load(t)
	x.Entries = append(x.Entries, Entry{Text: "Пропускная способность ускорителя; ещё два ускорителя с HBM"})
	if x.Inflect("en"); x.Stems != nil {
		t.Error("English has stems:", x.Stems)
	}
	x.Inflect("ru")
	for _, word := range []string{"ускорителями", "пропускной", "способностью"} {
		if !slices.ContainsFunc(x.Stems, func(stem string) bool {
			return strings.HasPrefix(word, stem) && len(word)-len(stem) <= 10 // five letters
		}) {
			t.Errorf("no stem of %s in %q", word, x.Stems)
		}
	}
	if slices.Contains(x.Stems, "hbm") {
		t.Error("a name has a stem:", x.Stems)
	}
}
