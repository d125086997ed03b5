// Command print writes the book as it is carried away: scalebook.pdf, printed by Chromium, and scalebook.epub, for
// e-readers; those of a language that isn't English below its code.
//
//	go run ./app/print -out dist-print -site https://example.org -base /scalebook/ -date 2026-11-26
package main

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/scalebook/scalebook/app/paper"
	"github.com/scalebook/scalebook/app/site"
	"github.com/scalebook/scalebook/app/site/browser"
)

func main() {
	o := site.Options{Content: os.DirFS("content"), Web: os.DirFS("web"), Dir: "content"}
	out := flag.String("out", "dist-print", "the folder to write")
	langs := flag.String("langs", "en", "the languages, with commas: en,ru")
	flag.StringVar(&o.Base, "base", "/scalebook/", "the path of the site’s address")
	flag.StringVar(&o.Origin, "site", "", "the host that the site is on: https://example.org")
	flag.StringVar(&o.Day, "date", "", "the day of the edition: 2026-11-26")
	flag.Parse()
	if err := print(o, *out, strings.Split(*langs, ",")); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// print writes the books in these languages.
func print(o site.Options, out string, codes []string) error {
	volumes, err := site.Volumes(o, codes)
	if err != nil {
		return err
	}
	b, err := browser.Start(context.Background())
	if err != nil {
		return err
	}
	defer b.Close()
	for _, v := range volumes {
		book, err := paper.Bind(v)
		if err != nil {
			return err
		}
		folder := out
		if v.Code != "en" {
			folder = filepath.Join(out, v.Code)
		}
		if err := bound(b, book, folder); err != nil {
			return err
		}
	}
	return nil
}

// bound writes a book into a folder in both forms.
func bound(b *browser.Browser, book *paper.Book, folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	p := press{browser: b, book: book}
	for _, form := range []struct {
		name string
		make func() ([]byte, error)
	}{{site.PDFName, p.pdf}, {site.EPUBName, p.epub}} {
		began := time.Now()
		data, err := form.make()
		if err != nil {
			return err
		}
		name := filepath.Join(folder, form.name)
		if err := os.WriteFile(name, data, 0o644); err != nil {
			return err
		}
		fmt.Printf("%s: %.1f MB, in %v\n", name, float64(len(data))/1e6, time.Since(began).Round(time.Second))
	}
	return nil
}

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
			return nil, fmt.Errorf("the book was printed at %.0f %% of its size, because something in it is wider "+
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
