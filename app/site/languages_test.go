package site

import (
	"encoding/json"
	"io/fs"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/scalebook/scalebook/app/book"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/po"
	"github.com/scalebook/scalebook/app/site/browser"
	"github.com/scalebook/scalebook/app/translation"
	"golang.org/x/net/html"
)

// stub is the site of two pages, and of as much Chinese.
func stub(t *testing.T, languages ...string) Files {
	t.Helper()
	o := Options{
		Content: os.DirFS("testdata/languages"), Web: os.DirFS("../../web"), Base: "/b/", Dir: "content",
		Program: []byte("program"), Exec: []byte("exec"), Offline: true,
	}
	files, _, err := RenderIn(o, languages)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// A language is a file: no line of Go knows Chinese.
func TestAStubOfChinese(t *testing.T) {
	files := stub(t, "en", "zh")
	page := string(files["zh/clocks/index.html"])
	for what, want := range map[string]string{
		"its language":                       `<html lang="zh"`,
		"its title":                          "<h1>两个时间</h1>",
		"the English address":                `<h2 id="compute">`,
		"a heading in its words":             "计算时间</h2>",
		"a number in the sentence":           `6 s</data>，然后等待它的存储器。</p>`,
		"a paragraph that is not translated": `<p lang="en">This paragraph has no translation.</p>`,
		"a heading that is not":              `<h2 id="not-yet" lang="en">`,
		"a label":                            "芯片",
		"the machinery":                      "跳到正文",
		"the sentences of its program":       ` data-phrases="/b/zh/assets/phrases.`,
		"the way to English":                 `<a class="page-language" href="/b/clocks/" lang="en" hreflang="en">English</a>`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s: %s", what, want)
		}
	}
	var manifest struct{ Lang, Scope string }
	err := json.Unmarshal(files["zh/manifest.webmanifest"], &manifest)
	if err != nil || manifest.Lang != "zh" || manifest.Scope != "/b/zh/" {
		t.Error("the manifest:", manifest, err)
	}
	for name, data := range files {
		index := strings.HasPrefix(name, "zh/assets/search.") && strings.HasSuffix(name, ".json")
		if index && !strings.Contains(string(data), "存储器") {
			t.Error("the search doesn’t know Chinese")
		}
	}
}

// A page in English is the same, whether other languages are built or not: one that is hardly translated isn't offered.
func TestEnglishStaysAsItIs(t *testing.T) {
	alone, both := stub(t, "en"), stub(t, "en", "zh")
	for name, data := range alone {
		if string(both[name]) != string(data) {
			t.Errorf("%s changed", name)
		}
	}
}

func TestALanguageThatIsNotThereIsNamed(t *testing.T) {
	_, _, err := RenderIn(Options{Content: os.DirFS("testdata/languages"), Dir: "content"}, []string{"xx"})
	if err == nil || err.Error() != "no translation content/po/xx.po; there are zh, en" {
		t.Error(err)
	}
}

// made is a language in which every message of a folder is what make says.
func made(t *testing.T, content fs.FS, make func(m *po.Message) string) *translation.Language {
	t.Helper()
	f, err := translation.Extract(content, "content")
	if err != nil {
		t.Fatal(err)
	}
	f.Header = []string{"Language: xx", "Plural-Forms: nplurals=2; plural=n != 1;"}
	for _, m := range f.Messages {
		m.Str = []string{make(m)}
		if m.Plural != "" {
			m.Str = append(m.Str, make(&po.Message{ID: m.Plural, Notes: m.Notes}))
		}
	}
	var b strings.Builder
	if err := f.Write(&b); err != nil {
		t.Fatal(err)
	}
	l, err := translation.Read(fstest.MapFS{"po/xx.po": {Data: []byte(b.String())}}, "po/xx.po", "content")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// in is the book in a language.
func in(t *testing.T, l *translation.Language, content fs.FS) *book.Book {
	t.Helper()
	english, err := load(Options{Content: content, Base: "/"}, &prints{})
	if err != nil {
		t.Fatal(err)
	}
	translated, err := l.Content(content, "content")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range translated.Problems() {
		t.Error(p)
	}
	said, problems := l.Phrases()
	for _, p := range problems {
		t.Error(p)
	}
	b, err := load(Options{
		Content: translated, Base: "/", Phrases: phrase.Read(said), source: english, translated: translated,
	}, &prints{})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// A translation into the same words makes the same pages: nothing is lost on the way.
func TestTheSameWordsMakeTheSamePages(t *testing.T) {
	if testing.Short() {
		t.Skip("prints the book twice")
	}
	content := os.DirFS("../../content")
	want, err := load(Options{Content: content, Base: "/"}, &prints{})
	if err != nil {
		t.Fatal(err)
	}
	got := in(t, made(t, content, func(m *po.Message) string { return m.ID }), content)
	spaces := func(s string) string { return strings.Join(strings.Fields(s), " ") }
	for i, p := range want.Pages {
		a, b := spaces(p.HTML), spaces(got.Pages[i].HTML)
		if a == b {
			continue
		}
		at := 0
		for at < min(len(a), len(b)) && a[at] == b[at] {
			at++
		}
		from := max(0, at-80)
		t.Errorf("%s: %q became %q", p.File, a[from:min(len(a), at+80)], b[from:min(len(b), at+80)])
	}
}

// Where every message is a word that nobody knows, no English is left in the prose of the book: nothing was forgotten.
func TestNoProseIsForgotten(t *testing.T) {
	if testing.Short() {
		t.Skip("prints the book twice")
	}
	content := os.DirFS("../../content")
	b := in(t, made(t, content, blank), content)
	for _, p := range b.Pages {
		doc, err := html.Parse(strings.NewReader(p.HTML))
		if err != nil {
			t.Fatal(err)
		}
		forgotten(doc, func(text string) { t.Errorf("%s: %q is no message", p.File, text) })
	}
}

// blank is a translation of a message that keeps what it must and says nothing.
func blank(m *po.Message) string {
	if where := m.Notes[0]; !strings.HasPrefix(where, "machinery") && !strings.Contains(where, ", sheet ") {
		keep, _ := book.Inline(m.ID)
		if strings.Contains(where, ", printed") || strings.Contains(where, ", where") { // no Markdown
			keep = book.Numerals(m.ID)
		}
		for i, one := range keep {
			if rest, link := strings.CutPrefix(one, "[]("); link {
				keep[i] = "[ж](" + rest
			}
		}
		return strings.TrimSpace("ж " + strings.Join(keep, " "))
	}
	parts := strings.Split(m.ID, "|")
	for i, part := range parts {
		var keep []string
		for rest := part; rest != ""; {
			before, name, after := phrase.Gap(rest)
			if keep = append(keep, book.Numerals(before)...); name != "" {
				keep = append(keep, "{"+name+"}")
			}
			rest = after
		}
		parts[i] = " ж " + strings.Join(keep, " ") + " "
	}
	return strings.TrimSpace(strings.Join(parts, "|"))
}

// forgotten tells what a page says in English, besides names, code, numbers, formulas and what a calculator works out.
func forgotten(n *html.Node, report func(string)) {
	if n.Type == html.TextNode && translation.Translatable(n.Data) {
		report(strings.TrimSpace(n.Data))
	}
	if n.Type == html.ElementNode {
		switch n.Data {
		case "math", "code", "pre", "data", "output", "template", "option", "cite":
			return
		}
		for _, a := range n.Attr {
			first, _, _ := strings.Cut(strings.TrimSpace(a.Val), " ")
			if a.Key == "class" && strings.Contains(" references cite sheet sheet-errors in-text ", " "+first+" ") {
				return
			}
		}
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		forgotten(c, report)
	}
}

// The way to another language leads to the section that is being read, with the numbers of the reader; from the top of
// a page, to its top.
func TestLanguageSwitchKeepsThePlace(t *testing.T) {
	t.Parallel()
	s := &Server{}
	s.Show("/b/", stub(t, "en", "zh"))
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	home := server.URL + "/b/"
	p := tab(t, browser.Options{Width: 390, Height: 700})
	there := func(what, address string) {
		t.Helper()
		p.run(`document.querySelector(".page-language").click()`)
		p.soon(what, `document.documentElement.lang === "en" && location.href === "`+home+address+`"`)
	}
	p.open(home + "zh/clocks/?clock.n=5")
	there("the top", "clocks/?clock.n=5")
	p.open(home + "zh/clocks/?clock.n=5")
	p.run(`document.body.style.paddingBottom = "2000px"; document.getElementById("clock").scrollIntoView()`)
	there("the calculator", "clocks/?clock.n=5#clock")
	p.open(home + "zh/clocks/?clock.n=5")
	p.run(`document.getElementById("clock").style.marginTop = "2000px"
		document.getElementById("not-yet").scrollIntoView()`)
	there("the section", "clocks/?clock.n=5#not-yet")
}

func TestSpoken(t *testing.T) {
	l := phrase.Read("site.a\tIt`s ${X} \\ {name}, {n}.\nsite.b\tB\n")
	for script, want := range map[string]string{
		`f(phrase("site.b"))`:                          "f(`B`)",
		`phrase("site.a", { name, n: x.y("q") });`:     "`It\\`s \\${X} \\\\ ${name}, ${x.y(\"q\")}.`;",
		`phrase("site.b") + phrase("site.b")`:          "`B` + `B`",
		`phrases("site.b"); aphrase("site.b")`:         `phrases("site.b"); aphrase("site.b")`,
		`phrase("site.b", {name})`:                     "",
		`phrase("site.nobody")`:                        "",
		`phrase("site.a", { name })`:                   "",
		`phrase("site.b", { name })`:                   "",
		`phrase("site.a", { name, n, more: "x" + y })`: "",
	} {
		if got, err := spoken([]byte(script), l); string(got) != want || (err == nil) != (want != "") {
			t.Errorf("%s became %s (%v), want %s", script, got, err, want)
		}
	}
}

func TestWorded(t *testing.T) {
	l := phrase.Read("site.a\tA \"b\" \\ c.\nsite.b\tB {x}\n")
	for css, want := range map[string]string{
		`a::after { content: phrase("site.a"); }`: `a::after { content: "A \"b\" \\ c."; }`,
		`a { content: "phrase"; }`:                `a { content: "phrase"; }`,
		`a { content: phrase("site.b"); }`:        "",
		`a { content: phrase("site.nobody"); }`:   "",
	} {
		if got, err := worded([]byte(css), l); err == nil && string(got) != want || (err == nil) != (want != "") {
			t.Errorf("%s became %s (%v), want %s", css, got, err, want)
		}
	}
}
