package site

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/scalebook/scalebook/app/site/browser"
)

// How calculators look in pages of other sites: as in the book, in the colours of the page around.

// A calculator looks the same in the book and in a page whose style is hostile.
func TestEmbedElementLooksAsInTheBook(t *testing.T) {
	t.Parallel()
	book := serving(t, testBook, 0)
	look := func(p *page, root string) string {
		return p.text(fmt.Sprintf(`JSON.stringify([...%s.querySelectorAll(
				".sheet-title, .sheet-tools, .field, .slider, .row-label, output, .sheet :is(table, svg), .inputs label"
			)].map(e => {
				const c = getComputedStyle(e);
				return [e.className.baseVal ?? e.className, ...["display", "color", "fontSize", "fontFamily", "lineHeight",
					"width", "height", "letterSpacing", "textTransform", "textAlign", "boxSizing", "fontVariantNumeric"]
					.map(k => c[k])].join("|")
			}), null, 1)`, root))
	}
	frame := tab(t, browser.Options{}).open(book + "embed/alpha/").wake()
	width := frame.number(`document.querySelector("section.sheet").getBoundingClientRect().width`)
	want := look(frame, "document")
	host := hosted(
		t,
		fmt.Sprintf(
			`%s%s<script async src="%sembed.js"></script><style>scalebook-sheet { width: %vpx }</style>`+
				`<scalebook-sheet name="alpha"></scalebook-sheet>`,
			hostHead, hostStart, book, width+16,
		),
	)
	p := tab(t, browser.Options{}).open(host)
	p.live(1)
	if got := look(p, `document.querySelector("scalebook-sheet").shadowRoot`); got != want {
		g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
		for i := range w {
			if i < len(g) && g[i] != w[i] {
				t.Errorf("in the book   %s\nin the page   %s", w[i], g[i])
			}
		}
		if len(g) != len(w) {
			t.Errorf("%d elements, want %d", len(g), len(w))
		}
	}
}

// Colours follow the page around, or the attribute.
func TestEmbedElementTheme(t *testing.T) {
	t.Parallel()
	book := serving(t, testBook, 0)
	around := func(scheme string) string {
		return hosted(
			t,
			`<!doctype html><style>html { color-scheme: `+scheme+` }</style><script async src="`+book+`embed.js"></script>
			<scalebook-sheet name="beta"></scalebook-sheet><scalebook-sheet name="beta" theme="dark"></scalebook-sheet>`,
		)
	}
	dark := func(p *page, n int) bool {
		return p.is(
			`(c => (c[0] + c[1] + c[2]) / 3 < 80)(getComputedStyle(` + inside(
				n,
				"book-html",
			) + `).backgroundColor.match(/[\d.]+/g).map(Number))`,
		)
	}
	p := tab(t, browser.Options{})
	for _, c := range []struct {
		scheme   string
		prefers  bool
		followed bool
	}{{"normal", true, false}, {"light", true, false}, {"dark", false, true}, {"light dark", true, true}} {
		p.check(p.See(browser.Options{Dark: c.prefers}))
		p.open(around(c.scheme))
		p.live(2)
		if got := dark(p, 0); got != c.followed {
			t.Errorf("color-scheme %s, reader prefers dark %v: dark is %v", c.scheme, c.prefers, got)
		}
		if !dark(p, 1) {
			t.Errorf(`color-scheme %s: theme="dark" is not dark`, c.scheme)
		}
		p.run(`document.querySelectorAll("scalebook-sheet")[1].setAttribute("theme", "light")`)
		if dark(p, 1) {
			t.Errorf(`color-scheme %s: theme="light" is dark`, c.scheme)
		}
	}
}

// A page says in many ways that it is dark, also after the element is there; its fonts and its accent are the
// element's.
func TestEmbedElementFollowsItsHost(t *testing.T) {
	t.Parallel()
	book := serving(t, testBook, 0)
	p := tab(t, browser.Options{}).open(hosted(t, `<!doctype html><html><body>
		<script async src="`+book+`embed.js"></script>
		<style>scalebook-sheet { --scalebook-font: "Courier New", monospace; --scalebook-accent: rgb(1, 2, 3) }</style>
		<div id="around"><scalebook-sheet name="beta" x="3"></scalebook-sheet></div>`))
	p.live(1)
	dark := func() bool {
		return p.is(`(c => (c[0] + c[1] + c[2]) / 3 < 80)(getComputedStyle(` + inside(0, "book-html") + `).backgroundColor
			.match(/[\d.]+/g).map(Number))`)
	}
	const own = "rgb(23, 22, 20)" // the paper of the book's own dark
	for _, c := range [][3]string{
		{`root.dataset.theme = "dark"`, `delete root.dataset.theme`, own},
		{`root.setAttribute("data-color-mode", "dark")`, `root.removeAttribute("data-color-mode")`, own},
		{`root.classList.add("dark")`, `root.classList.remove("dark")`, own},
		{`document.body.setAttribute("style", "background: #101418")`, `document.body.removeAttribute("style")`,
			"rgb(16, 20, 24)"},
		{`root.style.background = "rgb(10, 10, 40)"`, `root.style.background = ""`, "rgb(10, 10, 40)"},
		{`root.style.background = "rgb(90, 90, 90)"`, `root.style.background = ""`, own}, // too light to read on
		{`root.style.cssText = "background: #111; --scalebook-paper: #000"`, `root.style.cssText = ""`, "rgb(0, 0, 0)"},
	} {
		for i, want := range []bool{true, false} {
			p.run(`const root = document.documentElement; ` + c[i])
			time.Sleep(50 * time.Millisecond)
			if got := dark(); got != want {
				t.Errorf("after %s: dark is %v", c[i], got)
			}
			if paper := p.text(`getComputedStyle(` + inside(0, "book-html") + `).backgroundColor`); want && paper != c[2] {
				t.Errorf("after %s: the paper is %s, want %s", c[i], paper, c[2])
			}
		}
	}
	font := p.text(`getComputedStyle(` + inside(0, ".row-label") + `).fontFamily`)
	if !strings.Contains(font, "Courier New") {
		t.Errorf("the font is %s", font)
	}
	if got := p.text(`getComputedStyle(` + inside(0, ".ask") + `).borderInlineStartColor`); got != "rgb(1, 2, 3)" {
		t.Errorf("the accent is %s", got)
	}
	if p.is(inside(0, ".changed, .undo")) {
		t.Error("the host's value is shown as the reader's edit")
	}
}

// An element may show inputs and plot alone.
func TestEmbedElementShowsPlotAlone(t *testing.T) {
	t.Parallel()
	book := serving(t, testBook, 0)
	p := tab(t, browser.Options{}).open(hosted(t, `<!doctype html><script async src="`+book+`embed.js"></script>
		<scalebook-sheet name="alpha" show="plot"></scalebook-sheet>`))
	p.live(1)
	if p.is(inside(0, ".row")+`.checkVisibility()`) || p.is(inside(0, ".grid")+`.checkVisibility()`) {
		t.Error("the rows are there")
	}
	if !p.is(inside(0, ".plot svg")+`.checkVisibility()`) || !p.is(inside(0, ".inputs")+`.checkVisibility()`) {
		t.Error("the plot or the inputs are gone")
	}
}
