package site

import (
	"net/url"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/site/browser"
)

// A section is discussed where the sources of the book are: the link beside its heading carries its text, or what of it
// is selected, short enough for an address. Without a repository there is no such link.
func TestDiscussASection(t *testing.T) {
	t.Parallel()
	const link = `document.getElementById("second-section").parentNode.querySelector(".discuss-this")`
	p := tab(t, browser.Options{Width: 390, Height: 700})
	// aimed is the address once the link has the focus.
	aimed := func() url.Values {
		t.Helper()
		p.run(link + `.blur(); ` + link + `.focus()`)
		to, err := url.Parse(p.text(link + `.href`))
		if err != nil || to.Host != "github.com" || to.Path != "/owner/name/issues/new" {
			t.Fatalf("it leads to %v, %v", to, err)
		}
		if n := len(to.String()); n > 8000 {
			t.Errorf("an address of %d bytes", n)
		}
		return to.Query()
	}
	home := servingFiles(t, onHost(t, testBook))
	p.open(home + "one/")
	p.soon("a link beside the heading", `!!`+link)
	if got := p.text(link + `.getAttribute("aria-label")`); got != "Discuss “1.2 Second section”" {
		t.Errorf("it is called %q", got)
	}
	p.run(`document.getElementById("second-section").parentNode.insertAdjacentHTML("afterend",
		"<ul><li>" + "слово ".repeat(200) + "<math><mfrac><mi>a</mi><mi>b</mi></mfrac></math></ul><p>The last.</p>")`)
	asked := aimed()
	if got := asked.Get("title"); got != "1. One chapter: 1.2 Second section" {
		t.Errorf("the title is %q", got)
	}
	body := asked.Get("body")
	for _, want := range []string{"> - слово слово", "слово …\n", home + "one/#second-section\n"} {
		if !strings.Contains(body, want) {
			t.Errorf("the text lacks %q: %s", want, body)
		}
	}
	if strings.Contains(body, "The last.") {
		t.Errorf("what is cut off goes on: %s", body)
	}
	p.run(`document.querySelector("main li:has(mfrac)").firstChild.data = "It is "`)
	body = aimed().Get("body")
	if !strings.HasPrefix(body, "> - It is a/b\n>\n> The last.\n>\n> The answer is 5.\n>\n> Words that fill a "+
		"chapter") ||
		strings.Contains(body, "Square and one") {
		t.Errorf("the text without the calculator is %s", body)
	}
	p.run(`getSelection().selectAllChildren(document.querySelector("main li:has(mfrac) + p, ul:has(mfrac) + p"))`)
	if got := aimed().Get("body"); !strings.HasPrefix(got, "> The last.\n\n") {
		t.Errorf("with a sentence selected the text is %q", got)
	}
	if got := p.text(`[...document.querySelectorAll(".heading")].filter(e => {
		const [a, b] = [".permalink", ".discuss-this"].map(s => e.querySelector(s).getBoundingClientRect());
		return a.right > b.left && b.right > a.left }).map(e => e.textContent).join()`); got != "" {
		t.Errorf("the two links of a heading stand on each other: %s", got)
	}
	p.open(serving(t, testBook, 0) + "one/")
	p.soon("scripts", `document.documentElement.dataset.book !== undefined`)
	if got := p.text(`String(document.querySelector(".discuss, .discuss-this"))`); got != "null" {
		t.Errorf("a discussion without a repository: %s", got)
	}
}
