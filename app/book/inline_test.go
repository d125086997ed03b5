package book

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/widget"
)

// The working of a sheet that stands in a sentence is folded away below the sentence, wherever the fence stands, and
// the twin in Markdown says the sentence with its numbers.
func TestInlineSheetIsBelowItsSentence(t *testing.T) {
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

// A line breaks between words, never between a number and its unit or another that it is multiplied by; ~ stands for
// the space that doesn't break.
func TestUnbroken(t *testing.T) {
	for text, want := range map[string]string{
		"an MFU of 45 %. How":           "an MFU of 45~%. How",
		"1.3 ms, then 2 GiB/s":          "1.3~ms, then 2~GiB/s",
		"in 40.0 days (or 9 hours)":     "in 40.0~days (or 9~hours)",
		"128 tokens of 8 chips":         "128 tokens of 8 chips",
		"each GPU; 32 of an H100. 3026": "each GPU; 32 of an H100. 3026",
		"chapter 2 says, 8 a, 3 ":       "chapter~2 says, 8 a, 3 ",
		"Llama 3 70B’s, Qwen 3 8B, 3B":  "Llama~3~70B’s, Qwen~3~8B, 3B",
		"16 × 16 × 4 of 4 × n":          "16~×~16~×~4 of 4~× n",
		"$4 an hour, v5 s, 7 TFLOP/s":   "$4 an hour, v5~s, 7~TFLOP/s",
	} {
		if got := strings.ReplaceAll(string(unbroken([]byte(text))), nbsp, "~"); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

// A box of the first four chapters shows a learner seven results at most; a chapter has eight boxes at most, those of
// problems and sentences aside. Tables of chips are no chapter.
func TestBoxesForLearners(t *testing.T) {
	env := widget.Env()
	for _, name := range strings.Fields("introduction rooflines rooflines-problems accelerators " +
		"accelerators-problems sharding sharding-problems collective-problems transformer transformer-attention " +
		"transformer-problems") {
		text, err := os.ReadFile("../../content/" + name + ".md")
		if err != nil {
			t.Fatal(err)
		}
		for _, source := range Sheets(name+".md", text) {
			s, errs := sheet.Compile(source.Text, env)
			if len(errs) > 0 {
				t.Fatal(source.ID, errs)
			}
			if n := results(s); n > 7 {
				t.Errorf("%s: %s shows %d results", name, source.ID, n)
			}
		}
		if n := framed(string(text)); n > 8 {
			t.Errorf("%s has %d boxes", name, n)
		}
	}
}

// A chapter has eight boxes at most, and two or three of them are heroes; where one chapter ends the book or begins it,
// and on pages that continue a chapter, fewer will do.
func TestHeroesOfChapters(t *testing.T) {
	least := map[string]int{
		"introduction": 1, "rooflines": 2, "accelerators": 2, "sharding": 2, "transformer": 2, "training": 2,
		"applied-training": 2, "inference": 2, "applied-inference": 2, "profiling": 2, "jax": 2, "conclusion": 1,
		"gpus": 2, "switches": 0, "transformer-attention": 0,
	}
	for name, least := range least {
		text, err := os.ReadFile("../../content/" + name + ".md")
		if err != nil {
			t.Fatal(err)
		}
		heroes := 0
		for line := range strings.Lines(string(text)) {
			line, _, _ = strings.Cut(strings.TrimSpace(line), " {")
			if strings.HasPrefix(line, "```sheet ") && strings.HasSuffix(line, " hero") {
				heroes++
			}
		}
		if heroes < least || heroes > 3 {
			t.Errorf("%s has %d heroes", name, heroes)
		}
		if n := framed(string(text)); n > 8 {
			t.Errorf("%s has %d boxes", name, n)
		}
	}
}

// results are the rows that a box shows besides its inputs, at its author's values.
func results(s *sheet.Sheet) (n int) {
	for _, row := range s.Eval(nil).Rows {
		if row.Def.Kind != "input" && !row.Def.Hidden && !row.Absent {
			n++
		}
	}
	return n
}

// framed counts the sheets of a text that stand in no problem, nor in its answer, nor in a sentence, and don't open it.
func framed(text string) (n int) {
	var blocks []string
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(strings.TrimSpace(line), " {")
		switch name, block := strings.CutPrefix(line, ":::"); {
		case block && name == "" && len(blocks) > 0:
			blocks = blocks[:len(blocks)-1]
		case block && name != "":
			blocks = append(blocks, strings.Fields(name)[0])
		case !strings.HasPrefix(line, "```sheet ") || strings.HasSuffix(line, " inline"), strings.HasSuffix(line,
			" opening"):
		case len(blocks) == 0 || blocks[0] != "problem" && blocks[0] != "answer":
			n++
		}
	}
	return n
}

// A number away from its question, in another problem or section, is shown; one in the prose beside it may be veiled
// until the reader has answered, and so may one in an erratum there, which explains the answer.
func TestNumbersAwayFromTheirQuestionAreShown(t *testing.T) {
	cfg := testConfig()
	cfg.RenderUnveiled = func(s *sheet.Sheet, r *sheet.Result, name string) string { return "TOLD" }
	cfg.RenderNumber = func(s *sheet.Sheet, r *sheet.Result, name string) string { return "PLAIN" }
	b, problems := Load(folder(t, map[string][]byte{
		"told.md": []byte(
			"---\ntitle: Told\n---\n\n```sheet s\ntitle S\nlet x = 3\ny = 2 * x \"Twice\"\nask y \"How " +
				"much?\"\n```\n\nOutside {{y}}.\n\n" +
				":::erratum Off {where=\"here\" printed=\"7\"}\nInside {{y}}, and\n\n- in a list *{{s.y}}*.\n:::\n\nAgain " +
				"{{s.y}}.\n\n:::problem Other {#other}\nIts text {{s.y}}.\n:::\n\n## Later\n\nTo keep {{s.y}}.\n",
		),
	}), cfg)
	for _, p := range problems {
		if strings.HasPrefix(p.String(), "told.md") {
			t.Error(p)
		}
	}
	i := slices.IndexFunc(b.Pages, func(p *Page) bool { return p.Title == "Told" })
	page := b.Pages[i]
	for _, want := range []string{"Outside PLAIN.", "Inside PLAIN, and", "<em>PLAIN</em>", "Again PLAIN.",
		"Its text TOLD.", "To keep TOLD."} {
		if !strings.Contains(page.HTML, want) {
			t.Errorf("lacks %s in %s", want, page.HTML)
		}
	}
}

// A link may carry settings for the sheets of the page that it leads to; they are tried when the book is built.
func TestLinkState(t *testing.T) {
	b, problems := Load(folder(t, map[string][]byte{
		"tool.md": []byte(
			"---\ntitle: Tool\n---\n\n```sheet chips\ntitle Chips\nlet dtype = bf16 of bf16, int8, fp8\nlet bars = rate of " +
				"rate, hbm\n```\n",
		),
		"from.md": []byte(
			"---\ntitle: From\n---\n\n[good](tool.md?chips.dtype=int8&chips.bars=hbm#chips) and " +
				"[bad](tool.md?chips.dtype=int7&chips.nothing=1) and [](tool.md?chips.dtype=int8)\n",
		),
	}), testConfig())
	var said []string
	for _, p := range problems {
		if strings.HasPrefix(p.String(), "from.md") {
			said = append(said, p.String())
		}
	}
	if len(said) != 2 || !strings.Contains(said[0], "nothing") || !strings.Contains(said[1], "int7") {
		t.Errorf("%q", said)
	}
	i := slices.IndexFunc(b.Pages, func(p *Page) bool { return p.Title == "From" })
	for _, want := range []string{`href="/base/tool/?chips.dtype=int8&amp;chips.bars=hbm#chips">good`,
		`href="/base/tool/?chips.dtype=int8">Tool`} {
		if !strings.Contains(b.Pages[i].HTML, want) {
			t.Errorf("lacks %s in %s", want, b.Pages[i].HTML)
		}
	}
}
