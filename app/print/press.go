package main

import (
	"fmt"
	"maps"
	"net/url"
	"os"
	"path/filepath"

	"github.com/scalebook/scalebook/app/paper"
	"github.com/scalebook/scalebook/app/site/browser"
)

// press prints a book by a browser.
type press struct {
	browser *browser.Browser
	book    *paper.Book

	pages map[string]int // on which page each id stands
	drawn []string       // the pictures, as they were printed
	cover []byte         // the first page, as a picture
}

// most is how often a book is printed until its contents name the pages on which its parts stand.
const most = 4

// unshrunk is how large a pixel is on paper, in points, where nothing made the browser print all of the book smaller.
const unshrunk = 0.75

// pdf prints the book, and again until its contents are right.
func (p *press) pdf() ([]byte, error) {
	p.pages = nil
	for range most {
		pdf, err := p.once(p.pages)
		if err != nil {
			return nil, err
		}
		now, err := paper.Destinations(pdf)
		if err != nil {
			return nil, err
		}
		scale, err := paper.Scale(pdf)
		if err != nil {
			return nil, err
		}
		if scale < 0.999*unshrunk {
			return nil, fmt.Errorf("Chromium printed the book at %.0f %% of its size, because something in it is wider "+
				"than the paper; app/paper/print.css must let that wrap, or be narrower", 100*scale/unshrunk)
		}
		if maps.Equal(now, p.pages) {
			return paper.Finish(pdf, p.book.About())
		}
		p.pages = now
	}
	return nil, fmt.Errorf("the pages of the contents still change after %d printings", most)
}

// once prints the book with these pages in its contents. The first time its pictures are kept too.
func (p *press) once(pages map[string]int) ([]byte, error) {
	t, err := p.page(pages)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	if p.drawn == nil {
		if err := p.keep(t); err != nil {
			return nil, err
		}
	}
	return t.Bound()
}

// page opens the book as one page. Close it.
func (p *press) page(pages map[string]int) (*browser.Tab, error) {
	text, err := p.book.Printable(pages)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "scalebook-print-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "book.html")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		return nil, err
	}
	t, err := p.browser.Tab(browser.Options{Width: paper.Width, Height: paper.Height})
	if err != nil {
		return nil, err
	}
	if err := t.Go((&url.URL{Scheme: "file", Path: filepath.ToSlash(name)}).String()); err != nil {
		t.Close()
		return nil, err
	}
	return t, nil
}

// keep keeps what a book for e-readers has of the printed one: its pictures and its cover.
func (p *press) keep(t *browser.Tab) (err error) {
	if err = t.Paper(); err != nil {
		return err
	}
	if p.cover, err = t.Shot(); err != nil {
		return err
	}
	p.drawn, err = browser.Eval[[]string](t, paper.Drawings)
	return err
}

// epub packs the book with the pictures as they were printed.
func (p *press) epub() ([]byte, error) {
	if err := p.book.Draw(p.drawn); err != nil {
		return nil, err
	}
	return p.book.EPUB(p.cover)
}
