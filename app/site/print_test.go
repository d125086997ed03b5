package site

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/site/browser"
)

// paperWidth is that of the text on A4 with the browser's margins, letterWidth that on Letter, in CSS pixels.
const paperWidth, letterWidth = 718, 740

// offPaper names what would be cut off at the edge of the paper.
const offPaper = `[...document.querySelectorAll(
		"main :is(table, pre, .math, svg, .sheet, p), .sheet .field")].filter(e => e.checkVisibility() &&
		(e.getBoundingClientRect().right > innerWidth + 1 || e.scrollWidth > e.clientWidth + 1 &&
			e.clientWidth > 0 && getComputedStyle(e).overflowX !== "visible"))
	.map(e => e.tagName + "#" + (e.closest("[id]")?.id)).join()`

var pdfPage = regexp.MustCompile(`/Type\s*/Page\b`)

// A printed page has every result and every input as the reader left it, the name of each calculator's link, and
// nothing that would be cut off at the edge.
func TestPaper(t *testing.T) {
	t.Parallel()
	for book, some := range map[string][]string{testBook: {"one/"},
		realBook: {"", "rooflines/", "language/", "about/", "errata/"}} {
		home, screen := serving(t, book, 0), browser.Options{Width: paperWidth, Height: 1000}
		p := tab(t, screen)
		for _, path := range some {
			p.check(p.See(screen)) // and no paper
			p.open(home + path)
			if book == testBook {
				p.wake()
				p.retype("beta", "x", "3")
				p.waitOut("beta", "y", 10)
				p.run(`document.activeElement.blur()`)
			}
			pdf, err := p.PDF(browser.A4)
			p.check(err)
			p.check(p.Paper())
			if dir := os.Getenv("KEEP_PDF"); dir != "" {
				if err := os.WriteFile(fmt.Sprintf("%s/%s.pdf", dir, strings.ReplaceAll(path+"index", "/", "-")), pdf,
					0o644); err != nil {
					t.Error(err)
				}
			}
			if !bytes.HasPrefix(pdf, []byte("%PDF-")) || len(pdf) < 20_000 || len(pdfPage.FindAll(pdf, -1)) < 1 {
				t.Errorf("/%s: a PDF of %d bytes and %d pages", path, len(pdf), len(pdfPage.FindAll(pdf, -1)))
			}
			for what, script := range map[string]string{
				"can't be seen": `[...document.querySelectorAll("main output[data-name], main data.live, .sheet .field[name]")]
					.filter(e => !e.matches(".field-add, .field-document") &&
						!e.closest("details:not([open]):not(.answer):not(.hint) > :not(summary)") &&
						!(e.checkVisibility({visibilityProperty: true, opacityProperty: true}) &&
							(e.value ?? e.textContent).trim())).map(e => e.dataset.name || e.name).join()`,
				"is cut off": offPaper,
				"is on paper, where nobody can press it": `[...document.querySelectorAll(
						"button:not(.sorter), .slider, .page-search, nav, .skip")]
					.filter(e => e.checkVisibility()).map(e => e.tagName + "." + e.className).join()`,
				"is set letter by letter": `[...document.querySelectorAll(".input label")].filter(e => e.checkVisibility() &&
						e.getBoundingClientRect().height > 4 * parseFloat(getComputedStyle(e).lineHeight))
					.map(e => e.textContent).join()`,
				"doesn't name its link": `[...document.querySelectorAll("section.sheet")].filter(e => {
						const said = getComputedStyle(e, "::before").content;
						return !said.includes("#") || !said.includes(e.id) }).map(e => e.id).join()`,
			} {
				if got := p.text(script); got != "" {
					t.Errorf("/%s: %s: %s", path, what, got)
				}
			}
			p.check(p.See(browser.Options{Width: letterWidth, Height: 1000}))
			p.check(p.Paper())
			if got := p.text(offPaper); got != "" {
				t.Errorf("/%s: on Letter is cut off: %s", path, got)
			}
			if book == testBook &&
				p.text(
					`document.querySelector("#beta [name=x]").value + " "
						+ document.querySelector("#beta output[data-name=y]").textContent`,
				) != "3 10" {
				t.Error("the paper doesn't have what the reader typed")
			}
		}
	}
}
