package book

import (
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/widget"
)

// The working of a sheet that stands in a sentence is folded away below the sentence, wherever the fence stands, and
// the twin in Markdown says the sentence with its numbers.
func TestInlineSheetStandsBelowItsSentence(t *testing.T) {
	const chapter = "---\ntitle: One\n---\n\n```sheet wait inline\ntitle A wait\n" +
		"let B = 240 token in 1..1000 \"Tokens\"\nT = B * 2 s \"Time\"\n```\n\n" +
		"At [[B = 240]] it takes {{T}}.\n\nThe next paragraph.\n"
	cfg := testConfig()
	cfg.Env, cfg.RenderSheet, cfg.RenderNumber = widget.Env(), widget.Static, widget.Number
	cfg.RenderInput = widget.InText
	b, problems := Load(folder(t, map[string][]byte{"one.md": []byte(chapter)}), cfg)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	var page *Page
	for _, p := range b.Pages {
		if p.File == "one.md" {
			page = p
		}
	}
	field := strings.Index(page.HTML, `<span class="in-text" data-unit="tokens"><input`)
	fold, next := strings.Index(page.HTML, `<details class="behind"`), strings.Index(page.HTML, "The next paragraph")
	if field < 0 || fold < field || next < fold {
		t.Errorf("field at %d, fold at %d, next paragraph at %d of\n%s", field, fold, next, page.HTML)
	}
	if text := page.Markdown(""); !strings.Contains(text, "At 240 tokens it takes 8 min") {
		t.Errorf("the twin says\n%s", text)
	}
}

// A long word of code may go on in the next line where its parts are joined, a short one may not.
func TestLongCodeBreaksBetweenItsParts(t *testing.T) {
	const chapter = "---\ntitle: One\n---\n\nHere `plan_state_bytes(layers, n)` and `T_math`.\n"
	b, problems := Load(folder(t, map[string][]byte{"one.md": []byte(chapter)}), testConfig())
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	const want = "<code>plan_<wbr>state_<wbr>bytes(layers, n)</code> and <code>T_math</code>"
	for _, p := range b.Pages {
		if p.File == "one.md" && !strings.Contains(p.HTML, want) {
			t.Errorf("%s\nlacks %s", p.HTML, want)
		}
	}
}
