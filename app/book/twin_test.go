package book

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/scalebook/scalebook/app/golden"
	"github.com/scalebook/scalebook/app/widget"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"golang.org/x/net/html"
)

const twinChapter = `---
title: First
subtitle: A lede
kind: chapter
number: 1
---

It takes {{s.b}}, at \$2 an hour_or_so and 3 * 4.[^n] See [below](#more), [](#problem-count) and [Go](https://go.dev).

[^n]: A note with ` + "`code`" + ` and $x_1$.

$$T_\text{math} = \frac{2BDF}{P} \le \sqrt{\hat a^2} \times \sum_{i=1}^{N} x_i$$

## More

- one
- two

  with more

3. three
4. *four*

` + "```go" + `
a := "` + "`" + `"
` + "```" + `

| a | b \| c |
|---|--:|
| 1 | *2* |

` + "```sheet s" + `
title The calculator
let a = 3 s in 1 s..10 s "Time given"
b = a * 2 "Twice the time"
ask b "How long?"
plot b over a "Always twice"
table b over a = 1 s, 2 s "Two times"
` + "```" + `

:::warning Mind the *gap*
Do.
:::

:::problem Count them {#problem-count}
How many?

:::hint
Two at a time.
:::

:::answer
{{b}}, not less.
:::
:::

Term
:   What it means.
`

func loadChapter(t testing.TB, text string) *Page {
	t.Helper()
	b, problems := Load(fstest.MapFS{"first.md": {Data: []byte(text)}}, Config{
		Base: "/b/", Env: widget.Env(), RenderSheet: widget.Static, RenderNumber: widget.Number, TwinSheet: widget.Twin,
		RenderInput: widget.InText,
	})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return b.Pages[0]
}

func TestTwinGolden(t *testing.T) {
	got := loadChapter(t, twinChapter).Markdown("https://example.org")
	golden.Check(t, "testdata/twin/chapter.md", got)
}

// The real book's pages, read as Markdown again, say the numbers of their prose and calculators, and hold no HTML.
func TestTwinsSayWhatThePageSays(t *testing.T) {
	b, problems := Load(os.DirFS("../../content"), Config{
		Base: "/", Env: widget.Env(), RenderSheet: widget.Static, RenderNumber: widget.Number, TwinSheet: widget.Twin,
		RenderInput: widget.InText,
		Known: []string{"errata/", "search/", "scratch/", "data/chips.json", "data/models.json", "data/errata.json",
			"data/glossary.json", "data/facts.json", "data/results.json", "data/measured.json", "llms.txt",
			"llms-full.txt", "licences.txt"},
	})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	for _, p := range b.Pages {
		text := p.Markdown("")
		for _, tag := range []string{"<p", "<div", "<span", "<math", "<section", "<data", "{{", "NaN", "%!"} {
			outside := withoutCode(text)
			if strings.Contains(outside, tag) {
				at := strings.Index(outside, tag)
				t.Errorf("%s: %q in the twin: %s", p.File, tag, outside[max(0, at-60):min(len(outside), at+60)])
			}
		}
		read := strings.ReplaceAll(text, `\`, "") // as a reader of Markdown sees it
		for _, s := range p.Sheets {
			r := s.Eval(nil)
			for i := range r.Rows {
				if row := &r.Rows[i]; row.Err == nil && !row.Absent && !row.Def.Hidden &&
					!strings.Contains(read, row.Text()) {
					t.Errorf("%s: %s.%s = %s is not in the twin", p.File, s.ID, row.Def.Name, row.Text())
				}
			}
		}
	}
}

// withoutCode leaves out what stands in fences and in code spans.
func withoutCode(text string) string {
	var b strings.Builder
	fenced := false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimLeft(line, "> "), "```") {
			fenced = !fenced
			continue
		}
		if fenced {
			continue
		}
		for i, part := range strings.Split(line, "`") {
			if i%2 == 0 {
				b.WriteString(part)
			}
		}
	}
	return b.String()
}

// Whatever a text holds, its escaped form is read as that text.
func FuzzEscape(f *testing.F) {
	for _, s := range []string{"a*b*", "# x", "1. y", "[a](b)", "<b>", "`c`", "a_b_c", `\`, "| a |", "- z", "~~~",
		"&amp;",
		"12) q", "=== x", "![a](b)", "http://x.y", "$1"} {
		f.Add(s)
	}
	md := goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough))
	f.Fuzz(func(t *testing.T, s string) {
		s = strings.Join(strings.Fields(strings.ToValidUTF8(strings.Map(printable, s), "")), " ")
		if s == "" {
			return
		}
		var out strings.Builder
		if err := md.Convert([]byte(guard(escape(s))), &out); err != nil {
			t.Fatal(err)
		}
		doc, err := html.Parse(strings.NewReader(out.String()))
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.TrimSpace(textOf(doc)); got != s {
			t.Errorf("%q is written %q and read as %q", s, guard(escape(s)), got)
		}
	})
}

// printable drops control characters, which no page has.
func printable(r rune) rune {
	if r < ' ' || r == 0x7f || r == 0xfffd || r == 0 {
		return -1
	}
	return r
}

// textOf is the text of an HTML tree.
func textOf(n *html.Node) string {
	var b strings.Builder
	for c := range n.Descendants() {
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
		}
	}
	return b.String()
}

// Several hints of a problem are numbered, and one alone isn't: so each has a name of its own.
func TestHintsAreNumbered(t *testing.T) {
	const head = "---\ntitle: A\nkind: chapter\nnumber: 1\ndescription: D.\n---\n\n## One\n\n"
	const problem = ":::problem Count them {#problem-count}\nHow " +
		"many?\n\n:::hint\nA.\n:::\n\n%s:::answer\nC.\n:::\n:::\n"
	for more, want := range map[string]string{"": "Hint<", ":::hint\nB.\n:::\n\n": "Hint 1<"} {
		got := loadChapter(t, head+strings.Replace(problem, "%s", more, 1)).HTML
		if !strings.Contains(got, "<summary>"+want) || strings.Contains(got, "<summary>Hint 2<") != (more != "") {
			t.Errorf("it is not called %s: %s", want, got)
		}
	}
}
