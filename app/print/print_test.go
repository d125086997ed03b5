package main

import (
	"context"
	"flag"
	"os"
	"slices"
	"testing"

	"github.com/scalebook/scalebook/app/paper"
	"github.com/scalebook/scalebook/app/site"
	"github.com/scalebook/scalebook/app/site/browser"
)

var (
	whole = flag.Bool("whole", false, "print the whole book, not one chapter")
	lang  = flag.String("lang", "en", "in this language")
)

// volume is the book, or one chapter of it and an instrument.
func volume(t *testing.T) site.Volume {
	t.Helper()
	all, err := site.Volumes(site.Options{
		Content: os.DirFS("../../content"), Web: os.DirFS("../../web"), Dir: "content", Base: "/b/",
		Origin: "https://example.org", Day: "2026-11-26",
	}, []string{*lang})
	if err != nil {
		t.Fatal(err)
	}
	v := all[0]
	if !*whole {
		v.Chapters, v.Instruments, v.Glossary = v.Chapters[:1], v.Instruments[:1], nil
	}
	return v
}

// textWidth is how wide the text is on paper, in pixels.
const textWidth = 619

// A chapter is printed: its contents name the right pages, nothing is cut off at the edge, no control is left, and each
// calculator says its address.
func TestPrintedChapter(t *testing.T) {
	if testing.Short() {
		t.Skip("drives a browser")
	}
	t.Parallel()
	b, err := browser.StartForTests(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	book, err := paper.Bind(volume(t))
	if err != nil {
		t.Fatal(err)
	}
	p := &press{browser: b, book: book}
	pdf, err := p.pdf()
	if err != nil {
		t.Fatal(err)
	}
	if *whole {
		again, err := p.pdf()
		if err != nil || !slices.Equal(pdf, again) {
			t.Errorf("printed again it has other bytes (%v)", err)
		}
	}
	if name := os.Getenv("KEEP_PDF"); name != "" {
		if err := os.WriteFile(name, pdf, 0o644); err != nil {
			t.Error(err)
		}
	}
	t.Run("pages", func(t *testing.T) { checkPages(t, book, readPages(t, pdf), p.pages) })
	if _, err := paper.Destinations(pdf); err == nil {
		t.Error("a packed PDF is read as if it weren't")
	}
	tab, err := p.page(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer tab.Close()
	if err := tab.See(browser.Options{Width: textWidth, Height: 900}); err != nil {
		t.Fatal(err)
	}
	if err := tab.Paper(); err != nil {
		t.Fatal(err)
	}
	for what, script := range map[string]string{
		"is cut off": `[...document.querySelectorAll("main article *")].filter(e => !e.closest("svg, math") &&
			e.checkVisibility() && (e.getBoundingClientRect().right > innerWidth + 1 ||
			e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 0 && getComputedStyle(e).overflowX !== "visible"))
			.map(e => e.tagName + "." + e.className + " in " + e.closest("[id]").id).join("; ")`,
		"formula is cut off": `[...document.querySelectorAll("main article :is(math, svg)")].filter(e =>
			e.getBoundingClientRect().right > innerWidth + 1).map(e => e.closest("[id]").id).join("; ")`,
		"is a control": `[...document.querySelectorAll("button, input, select, textarea, summary, template")]
			.map(e => e.outerHTML.slice(0, 80)).join("; ")`,
		"has no place on the web": `[...document.querySelectorAll(".sheet")].filter(e =>
			!e.querySelector(".sheet-link a .qr")).map(e => e.id).join("; ")`,
		"has no value": `[...document.querySelectorAll(".given-value, .step-value")].filter(e => !e.textContent.trim())
			.map(e => e.parentNode.textContent + " in " + e.closest("[id]").id).join("; ")`,
		"is a formula of no size": `[...document.querySelectorAll("main math")].filter(e => e.textContent.trim() &&
			e.checkVisibility() && !(e.getBoundingClientRect().width > 2 && e.getBoundingClientRect().height > 2))
			.map(e => e.textContent + " in " + e.closest("[id]").id).join("; ")`,
		"is a picture without labels": `[...document.querySelectorAll("main :is(.plot, .drawing) svg")].filter(e =>
			e.checkVisibility() && !e.querySelector("text")).map(e => e.closest("[id]").id).join("; ")`,
		"moves, and no two prints would be the same": `[...document.querySelectorAll("body, body *")].filter(e =>
			getComputedStyle(e).animationName !== "none" || getComputedStyle(e).transitionProperty !== "none" &&
			getComputedStyle(e).transitionDuration !== "0s").map(e => e.outerHTML.slice(0, 80)).join("; ")`,
		"leads nowhere": `[...document.querySelectorAll("a[href^='#']")].filter(e =>
			!document.getElementById(e.getAttribute("href").slice(1))).map(e => e.outerHTML).join("; ")`,
	} {
		if got, err := browser.Eval[string](tab, script); err != nil || got != "" {
			t.Errorf("%s: %s (%v)", what, got, err)
		}
	}
}
