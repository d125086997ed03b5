package main

import (
	"bytes"
	"encoding/xml"
	"os/exec"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/paper"
)

// sheetOfPaper is a page as pdftotext reads it.
type sheetOfPaper struct {
	Width  float64 `xml:"width,attr"`
	Height float64 `xml:"height,attr"`
	Words  []struct {
		Top    float64 `xml:"yMin,attr"`
		Bottom float64 `xml:"yMax,attr"`
		Left   float64 `xml:"xMin,attr"`
		Right  float64 `xml:"xMax,attr"`
		Text   string  `xml:",chardata"`
	} `xml:"word"`
}

// The margins of print.css, in points.
const (
	above = 22 / 25.4 * 72
	below = 19 / 25.4 * 72
	aside = 23 / 25.4 * 72
)

// head is what stands above the text: the title of its chapter.
func (s *sheetOfPaper) head() string {
	var all []string
	for _, w := range s.Words {
		if w.Bottom < above {
			all = append(all, w.Text)
		}
	}
	return strings.Join(all, " ")
}

// full is how far down a page is written on.
func (s *sheetOfPaper) full() float64 {
	last := above
	for _, w := range s.Words {
		if w.Bottom < s.Height-below {
			last = max(last, w.Bottom)
		}
	}
	return (last - above) / (s.Height - above - below)
}

// text is all of a page without spaces, which a PDF has where it likes.
func (s *sheetOfPaper) text() string {
	var b strings.Builder
	for _, w := range s.Words {
		b.WriteString(w.Text)
	}
	return b.String()
}

// readPages reads the pages of a PDF; the test is skipped where there is no pdftotext.
func readPages(t *testing.T, pdf []byte) []sheetOfPaper {
	t.Helper()
	name, err := exec.LookPath("pdftotext")
	if err != nil {
		t.Skip("reads the PDF with pdftotext, which isn’t here (Debian: poppler-utils)")
	}
	c := exec.Command(name, "-bbox", "-", "-")
	c.Stdin = bytes.NewReader(pdf)
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Pages []sheetOfPaper `xml:"body>doc>page"`
	}
	d := xml.NewDecoder(bytes.NewReader(out))
	d.Strict, d.Entity = false, xml.HTMLEntity
	if err := d.Decode(&doc); err != nil || len(doc.Pages) == 0 {
		t.Fatalf("%d pages, %v", len(doc.Pages), err)
	}
	return doc.Pages
}

// ofFormulas says whether a sign is one of formulas, whose order a PDF doesn't keep.
func ofFormulas(r rune) bool { return r >= 0x2000 && !strings.ContainsRune("–—’“”„…", r) }

// checkPages holds what a printed book must be, page by page: no text in the margins, none nearly empty, none half
// empty but the last of a chapter, and each heading of the contents on the page that they name.
func checkPages(t *testing.T, book *paper.Book, pages []sheetOfPaper, at map[string]int) {
	t.Helper()
	const nearlyEmpty, halfEmpty = 0.1, 0.45
	ends := map[int]bool{1: true, len(pages): true} // the cover is its own
	for i := range pages[1:] {
		ends[i+1] = ends[i+1] || pages[i].head() != pages[i+1].head()
	}
	for i := 1; i < len(pages); i++ {
		p := &pages[i]
		if full := p.full(); full < nearlyEmpty || full < halfEmpty && !ends[i+1] {
			t.Errorf("page %d, of %q, is written on for %.0f %% of its height", i+1, p.head(), 100*full)
		}
		for _, w := range p.Words {
			if w.Left < aside-1 || w.Right > p.Width-aside+1 {
				t.Errorf("page %d: %q stands in the margin, at %.0f to %.0f points", i+1, w.Text, w.Left, w.Right)
			}
		}
	}
	squeeze := func(text string) string {
		return strings.NewReplacer(" ", "", "\u00a0", "", "\u00ad", "").Replace(text)
	}
	look := func(id, heading string) {
		n := at[id]
		if n < 1 || n > len(pages) || !strings.Contains(pages[n-1].text(), squeeze(heading)) {
			t.Errorf("%q isn’t on page %d, as the contents say", heading, n)
		}
	}
	for _, p := range book.Parts {
		look(p.ID, p.Title)
		if p.Level2() {
			continue
		}
		for _, h := range p.Headings {
			if !strings.ContainsFunc(h.Text, ofFormulas) {
				look(h.ID, h.Text)
			}
		}
	}
}
