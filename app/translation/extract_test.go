package translation

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

const page = `---
title: "Rooflines"
subtitle: What it waits for
description: Two times.
kind: page
---

A paragraph of
two lines, with {{clock.T}}.[^a]

[^a]: A note.

## One division {#division}

- An item
  of a list

> A quote
> of two lines

| Head | {{clock.T}} |
|---|---|
| a cell | $x$ |

Term
: Its meaning.

:::problem Which is larger? {#p}
Think.

:::hint
A hint.
:::
:::

:::erratum A title {where="Part 1" printed="off by one"}
The right number.
:::

:::figure figures/a.svg {#fig-a}
The caption.
:::

` + "```sheet clock\n" + `title Two times # not this
let B = 240 token in 1..1k log "Tokens of a batch"
let m = "X=2" of "X=2" "in a row", "Y=2" "in a column" "Mesh"
hidden T = B * 2 "Time it takes" as "steps"
ask T "How long does it take?"
plot T over B "Time over tokens"
expect T = 480 token as "fact.of/nothing"
` + "```\n\n```python\nx = 1  # one step\n```\n"

const drawing = `<svg viewBox="0 0 1 1"><title>What it is</title><desc>How it looks</desc><text>peak rate <tspan>and slope</tspan></text><text>B</text></svg>`

func small() fstest.MapFS {
	return fstest.MapFS{"rooflines.md": {Data: []byte(page)}, "figures/a.svg": {Data: []byte(drawing)}}
}

func TestEveryKindOfTextIsExtracted(t *testing.T) {
	f, err := Extract(small(), "content")
	if err != nil {
		t.Fatal(err)
	}
	refs := map[string]string{}
	notes := map[string]string{}
	for _, m := range f.Messages {
		refs[m.ID], notes[m.ID] = m.Refs[0], strings.Join(m.Notes, "; ")
	}
	for text, ref := range map[string]string{
		"Rooflines": "content/rooflines.md:2", "What it waits for": "content/rooflines.md:3",
		"Two times.": "content/rooflines.md:4",
		"A paragraph of two lines, with {{clock.T}}.[^a]": "content/rooflines.md:8",
		"A note.": "content/rooflines.md:11", "One division": "content/rooflines.md:13",
		"An item of a list":    "content/rooflines.md:15",
		"A quote of two lines": "content/rooflines.md:18", "Head": "content/rooflines.md:21",
		"a cell": "content/rooflines.md:23",
		"Term":   "content/rooflines.md:25", "Its meaning.": "content/rooflines.md:26",
		"Which is larger?": "content/rooflines.md:28", "Think.": "content/rooflines.md:29",
		"A hint.": "content/rooflines.md:32",
		"A title": "content/rooflines.md:36", "Part 1": "content/rooflines.md:36",
		"off by one": "content/rooflines.md:36", "The right number.": "content/rooflines.md:37",
		"The caption.": "content/rooflines.md:41", "Two times": "content/rooflines.md:45",
		"Tokens of a batch": "content/rooflines.md:46", "in a row": "content/rooflines.md:47",
		"in a column": "content/rooflines.md:47", "Mesh": "content/rooflines.md:47",
		"Time it takes": "content/rooflines.md:48",
		"steps":         "content/rooflines.md:48", "How long does it take?": "content/rooflines.md:49",
		"Time over tokens": "content/rooflines.md:50",
		"one step":         "content/rooflines.md:55", "What it is": "content/figures/a.svg:1",
		"How it looks": "content/figures/a.svg:1",
		"peak rate":    "content/figures/a.svg:1", "and slope": "content/figures/a.svg:1",
	} {
		if refs[text] != ref {
			t.Errorf("%q stands at %q, want %q", text, refs[text], ref)
		}
	}
	for _, text := range []string{"{{clock.T}}", "$x$", "B", "X=2", "fact.of/nothing", "figures/a.svg", "not this"} {
		if refs[text] != "" && text != "not this" {
			t.Errorf("%q is a message", text)
		}
	}
	if got := notes["Tokens of a batch"]; got != "rooflines, sheet clock, label, in “One division”" {
		t.Errorf("translators read %q", got)
	}
	i := slices.IndexFunc(f.Messages, func(m *message) bool { return m.ID == "1 calculator" })
	if i < 0 || f.Messages[i].Plural != "{n} calculators" {
		t.Error("numbers of things have no plural")
	}
}

// A translation takes the place of its text, whatever stands around it; a fuzzy or missing one leaves English, and says
// so of blocks.
func TestContentIsTranslated(t *testing.T) {
	l := language(t, `msgid "A paragraph of two lines, with {{clock.T}}.[^a]"
msgstr "Абзац: {{clock.T}}.[^a]"

msgid "A quote of two lines"
msgstr "Цитата"

msgid "Tokens of a batch"
msgstr "Токены \"пакета\""

#, fuzzy
msgid "An item of a list"
msgstr "Нечто"

msgid "peak rate"
msgstr "пик < всего"
`)
	c, err := l.Content(small(), "content")
	if err != nil {
		t.Fatal(err)
	}
	got := textIn(t, c, "rooflines.md")
	for _, want := range []string{
		"\nАбзац: {{clock.T}}.[^a]\n\n[^a]: A note.\n", "\n> Цитата\n\n| Head", `log "Токены \"пакета\""` + "\n",
		"- An item\n  of a list\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if svg := textIn(t, c, "figures/a.svg"); !strings.Contains(svg, "<text>пик &lt; всего <tspan>") {
		t.Error(svg)
	}
	for text, want := range map[string]bool{"An item": true, "A note.": true, "Абзац": false, "Цитата": false} {
		if c.English("rooflines.md", strings.Index(got, text)) != want {
			t.Errorf("%q: is it English?", text)
		}
	}
	if n := c.Pages()["rooflines.md"]; n.Fuzzy != 1 || n.All-n.Missing-n.Fuzzy != 3 {
		t.Errorf("%+v", n)
	}
}

// A lost placeholder is reported at the message, and what else is wrong in a page at the translation that is there.
func TestFaultsNameTheFileOfTheLanguage(t *testing.T) {
	l := language(t, `msgid "A paragraph of two lines, with {{clock.T}}.[^a]"
msgstr "Абзац.[^a]"
`)
	c, err := l.Content(small(), "content")
	if err != nil {
		t.Fatal(err)
	}
	p := c.Problems()
	if len(p) != 1 || !strings.HasPrefix(p[0].String(), "content/po/ru.po:6:1: the translation lacks `{{clock.T}}`") {
		t.Error(p)
	}
}

func TestPluralForms(t *testing.T) {
	l := language(t, `msgid "1 calculator"
msgid_plural "{n} calculators"
msgstr[0] "{n} калькулятор"
msgstr[1] "{n} калькулятора"
msgstr[2] "{n} калькуляторов"

msgid "1 problem"
msgid_plural "{n} problems"
msgstr[0] "задача"
msgstr[1] "{n} задачи"
msgstr[2] "{n} задач"
`)
	said, problems := l.Phrases()
	if len(problems) != 1 || !strings.Contains(problems[0].String(), "form 0: the translation lacks `{n}`") {
		t.Error("21 has the form of 1 in Russian, so it needs its number:", problems)
	}
	for n, want := range map[int]string{
		1: "1 калькулятор", 3: "3 калькулятора", 5: "5 калькуляторов", 11: "11 калькуляторов", 21: "21 калькулятор",
		112: "112 калькуляторов", 1002: "1002 калькулятора",
	} {
		if got := reading(said).Count(n, "book.calculators"); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := reading(said).Count(21, "book.problems"); got != "21 problems" {
		t.Errorf("without a translation it is said in English, by its rule: %q", got)
	}
}

// Texts with words are messages, however short the words; names, numbers and formulas are none.
func TestTranslatable(t *testing.T) {
	for text, want := range map[string]bool{
		"On GPUs": true, "An SM": true, "Of VMEM": true, "time": true, "So": true, "GPUs": false, "H100 SXM": false,
		"8 × 8": false, "TP": false, "Op": false,
	} {
		if translatable(text, plain) != want {
			t.Errorf("%q is for translators: %v", text, !want)
		}
	}
}

// What the machinery says by the word that a sheet counts by is a message of its own: behind a number a language may
// need another form.
func TestNounBehindANumber(t *testing.T) {
	folder := fstest.MapFS{"a.md": {Data: []byte("---\ntitle: A\nkind: page\n---\n\n```sheet s\ntitle S\n" +
		"let x = 2 \"How many\" as \"links\"\n```\n")}}
	f, err := Extract(folder, "content")
	if err != nil {
		t.Fatal(err)
	}
	places := map[string]string{}
	for _, m := range f.Messages {
		if m.ID == "links" {
			places[m.Context] = strings.Join(m.Notes, "; ")
		}
	}
	if len(places) != 2 || !strings.Contains(places[""], nounRole) ||
		!strings.Contains(places[alone], "machinery: figure.ring-links") {
		t.Errorf("the messages are %q", places)
	}
	l := language(t, "msgid \"links\"\nmsgstr \"лин.\"\n\nmsgctxt \""+alone+"\"\nmsgid \"links\"\nmsgstr \"линии\"\n")
	said, problems := l.Phrases()
	if got := reading(said).Say("figure.ring-links"); got != "линии" || len(problems) > 0 {
		t.Errorf("it says %q, %v", got, problems)
	}
	l = language(t, "msgid \"links\"\nmsgstr \"линии\"\n")
	said, _ = l.Phrases()
	if got := reading(said).Say("figure.ring-links"); got != "линии" {
		t.Errorf("with one message for both it says %q", got)
	}
}

// The list of words holds what the program's data or its sheets still say, each once.
func TestWordsAreStillSaid(t *testing.T) {
	var said strings.Builder
	for _, root := range []string{"../../app", "../../content"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || strings.HasSuffix(path, "_test.go") ||
				!slices.Contains([]string{".go", ".tsv", ".md", ".txt", ".sheet"}, filepath.Ext(path)) {
				return err
			}
			if info, err := d.Info(); err != nil || info.Size() > 1<<20 || strings.Contains(path, "testdata") {
				return err
			}
			if filepath.Base(path) == WordsFile {
				return nil
			}
			src, err := os.ReadFile(path)
			said.Write(src)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	seen := map[string]bool{}
	for _, w := range shownWords(os.DirFS("../../content"), "po/"+WordsFile) {
		word := w.text
		if seen[word] {
			t.Errorf("%q twice", word)
		}
		seen[word] = true
		if !strings.Contains(said.String(), strings.Replace(word, "{dtype}", "a dtype", 1)) {
			t.Errorf("nothing says %q any more", word)
		}
	}
	if len(seen) == 0 {
		t.Error("no words")
	}
}

// A few words that a sheet chooses between stand in the list of words: as a sentence they have a message of their own.
// Rows that are hidden and that no sentence shows stay as they are.
func TestShortAnswersAreWords(t *testing.T) {
	// the last is of an example of the language
	words := map[string]bool{"": true, "HBM": true, "fp8": true, "odd": true}
	for _, w := range shownWords(os.DirFS("../../content"), "po/"+WordsFile) {
		words[w.text] = true
	}
	names, err := filepath.Glob("../../content/*.md")
	if err != nil || len(names) == 0 {
		t.Fatal(err, "no pages")
	}
	row := regexp.MustCompile(`(?m)^(?:hidden )?[a-z_A-Z0-9]+ = if\(.*(?:\n[ \t].*)*`)
	result := regexp.MustCompile(`,\s*"([^"]*)"`)
	found := 0
	for _, name := range names {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range row.FindAllString(string(src), -1) {
			fields := strings.Fields(strings.TrimPrefix(line, "hidden "))
			inProse := regexp.MustCompile(`\{\{(?:[\w-]+\.)?` + regexp.QuoteMeta(fields[0]) + `\}\}`)
			if strings.HasPrefix(line, "hidden ") && !inProse.Match(src) {
				continue
			}
			for _, m := range result.FindAllStringSubmatch(line, -1) {
				if isSentence(m[1]) {
					continue
				}
				found++
				if !words[m[1]] {
					t.Errorf("%s: %s: %q is not in %s", name, strings.Fields(line)[0], m[1], WordsFile)
				}
			}
		}
	}
	if found < 20 {
		t.Errorf("only %d were looked at", found)
	}
}

// What a reader sees of a sheet is put into other words, with its quotation marks escaped; values stay.
func TestASheetInOtherWords(t *testing.T) {
	const src = "title Two chips\nlet d = bf16 \"Number \\\"format\\\"\"\nx = if(d = bf16, \"a\", \"b\") # \"none\"\n"
	const want = "title TWO CHIPS\nlet d = bf16 \"NUMBER \\\"FORMAT\\\"\"\nx = if(d = bf16, \"a\", \"b\") # \"none\"\n"
	if got := InWords(src, strings.ToUpper); got != want {
		t.Errorf("%s", got)
	}
}
