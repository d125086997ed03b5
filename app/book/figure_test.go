package book

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// drawing wraps the inside of a sound drawing.
func drawing(inside string) string {
	return `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 1 1">` +
		`<title>T</title><desc>D</desc>` + inside + `</svg>`
}

func TestCleanSVGRefuses(t *testing.T) {
	for _, c := range []struct{ svg, want string }{
		{drawing(`<script>x</script>`), "<script>"},
		{drawing(`<style>x</style>`), "<style>"},
		{drawing(`<foreignObject/>`), "<foreignObject>"},
		{drawing(`<image href="x.png"/>`), "<image>"},
		{drawing(`<a href="https://x.org"/>`), "<a>"},
		{drawing(`<animate/>`), "<animate>"},
		{drawing(`<svg/>`), "<svg>"},
		{drawing(`<path onclick="x"/>`), "onclick"},
		{drawing(`<path style="fill:red"/>`), "style"},
		{drawing(`<path fill="url(https://x.org/#a)"/>`), "outside"},
		{drawing(`<path fill="URL(#a)"/>`), "outside"},
		{drawing(`<path fill="url(#a) url(#b)"/>`), "outside"},
		{drawing(`<path fill="u\72l(//x.org)"/>`), "not plain"},
		{drawing(`<use href="x.svg#a"/>`), "outside"},
		{drawing(`<use xlink:href="data:x"/>`), "outside"},
		{drawing(`<path xml:base="//x" q:r="s" xmlns:q="urn:q"/>`), "not allowed"},
		{drawing(`&unknown;`), "entity"},
		{"<!DOCTYPE svg>" + drawing(""), "document type"},
		{drawing(""), ""},
		{strings.Replace(drawing(""), "<desc>D</desc>", "", 1), "<desc>"},
		{strings.Replace(drawing(""), "<title>T</title>", "<title> </title>", 1), "<title>"},
		{strings.Replace(drawing(""), ` viewBox="0 0 1 1"`, "", 1), "viewBox"},
		{`<p>x</p>`, "not one <svg>"},
		{drawing("") + drawing(""), "not one <svg>"},
		{`<svg viewBox="0 0 1 1"><title>T</title><desc>D</desc>`, "EOF"},
		{``, "not one <svg>"},
	} {
		_, err := cleanSVG([]byte(c.svg), "f--")
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.svg, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: error %v, want %s", c.svg, err, c.want)
		}
	}
}

// TestCleanSVGIDs checks that ids and what refers to them get the same prefix.
func TestCleanSVGIDs(t *testing.T) {
	out, err := cleanSVG(
		[]byte(
			drawing(
				`<g id="a"><title id="b">inner</title></g><use xlink:href="#a"/><path clip-path="url(#a)" class="x &quot;"/>`,
			),
		),
		"f--",
	)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`role="img" aria-labelledby="f--title f--desc"`, `<title id="f--title">T</title>`, `<desc id="f--desc">`,
		`<g id="f--a"><title id="f--b">`,
		`<use href="#f--a">`, `clip-path="url(#f--a)"`, `class="x &#34;"`,
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %s in %s", want, out)
		}
	}
	wellFormed(t, out)
}

func FuzzSVG(f *testing.F) {
	f.Add(drawing(`<path d="M0 0" fill="url(#a)"/>`))
	f.Add(drawing(`<![CDATA[<script>]]><!-- --><?x y?>`))
	f.Fuzz(func(t *testing.T, src string) {
		if out, err := cleanSVG([]byte(src), "f--"); err == nil {
			if err := checkHTML(out); err != nil && !strings.Contains(err.Error(), "two ids") {
				t.Errorf("%v: %s", err, out)
			}
		}
	})
}

// On a phone of 390 pixels, where a figure is 358 wide, its letters are 11 pixels and more; indices may be smaller.
func TestLettersOfFiguresOnAPhone(t *testing.T) {
	style, err := os.ReadFile("../../web/figures.css")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`@media \(max-width: 30rem\) \{\s.* font-size: ([\d.]+)px`).FindSubmatch(style)
	if found == nil {
		t.Fatal("letters of phones are not in the style")
	}
	letters, _ := strconv.ParseFloat(string(found[1]), 64)
	figures, _ := filepath.Glob("../../content/figures/*.svg")
	seen := 0
	for _, name := range figures {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		found := regexp.MustCompile(`class="fig" viewBox="\S+ \S+ (\S+) `).FindSubmatch(text)
		if found == nil {
			continue // a picture without words
		}
		seen++
		wide, _ := strconv.ParseFloat(string(found[1]), 64)
		if px := letters * 358 / wide; px < 11 {
			t.Errorf("%s has letters of %.2f pixels", filepath.Base(name), px)
		}
	}
	if seen < 10 {
		t.Errorf("only %d figures were found", seen)
	}
}

// TestListing: the first page lists chapters with what they and the pages beside them hold, and instruments with their
// pictures; what a page is called stands only in its front matter.
func TestListing(t *testing.T) {
	page := func(front, body string) []byte { return []byte("---\n" + front + "\n---\n\n" + body) }
	sheet := func(id string) string { return "```sheet " + id + "\ntitle A box\nlet n = 2\n```\n" }
	problem := "\n:::problem One {#problem-one}\nWhy?\n:::\n"
	files := map[string][]byte{
		"index.md":      page("title: Home", ":::chapters\n:::\n\n:::instruments\n:::\n"),
		"one.md":        page("title: First & best\nsubtitle: What it is\nkind: chapter\nnumber: 1", sheet("a")),
		"more.md":       page("title: More\nnumber: 1", sheet("b")+problem),
		"two.md":        page("title: Second\nkind: chapter\nnumber: 2", sheet("c")),
		"tool.md":       page("title: A tool\nkind: instrument\norder: 200\npicture: figures/t.svg", sheet("d")),
		"figures/t.svg": []byte(drawing("")),
	}
	b, problems := Load(folder(t, files), testConfig())
	for _, p := range problems {
		t.Error(p)
	}
	home := b.Page("")
	for _, want := range []string{
		`<strong>First &amp; best</strong> <span>What it is <small>2 calculators, 1 problem</small>`,
		`<strong>Second</strong> <span> <small>1 calculator</small>`,
		`<span class="tool-art" aria-hidden="true"><svg role="img" aria-labelledby="art-tool--title art-tool--desc"`,
	} {
		if !strings.Contains(home.HTML, want) {
			t.Errorf("the list has no %s:\n%s", want, home.HTML)
		}
	}
	if strings.Index(home.HTML, "First") > strings.Index(home.HTML, "Second") || strings.Contains(home.HTML, "More") {
		t.Error("the chapters are not in their order, or a page beside one is listed by itself")
	}
	if twin := home.Markdown(""); !strings.Contains(twin, "- [1. First &amp; best](/base/one/): What it is") {
		t.Errorf("the Markdown twin lists no chapters:\n%s", twin)
	}
	delete(files, "figures/t.svg")
	if _, problems = Load(folder(t, files), testConfig()); len(problems) != 1 {
		t.Errorf("a missing picture gives %v", problems)
	}
}
