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
		folder := out
		if v.Code != "en" {
			folder = filepath.Join(out, v.Code)
		}
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return err
		}
		book, err := paper.Bind(v)
		if err != nil {
			return err
		}
		began := time.Now()
		pdf, err := printed(b, book)
		if err != nil {
			return err
		}
		name := filepath.Join(folder, "scalebook.pdf")
		if err := os.WriteFile(name, pdf, 0o644); err != nil {
			return err
		}
		fmt.Printf("%s: %d KB, in %v\n", name, len(pdf)/1000, time.Since(began).Round(time.Second))
	}
	return nil
}

// most is how often a book is printed until its contents name the pages on which its parts stand.
const most = 4

// printed prints a book.
func printed(b *browser.Browser, book *paper.Book) ([]byte, error) {
	dir, err := os.MkdirTemp("", "scalebook-print-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "book.html")
	var pages map[string]int
	for range most {
		text, err := book.Printable(pages)
		if err != nil {
			return nil, err
		}
		if os.Getenv("KEEP_HTML") != "" {
			os.WriteFile(os.Getenv("KEEP_HTML"), []byte(text), 0o644)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			return nil, err
		}
		pdf, err := once(b, name)
		if err != nil {
			return nil, err
		}
		now, err := paper.Destinations(pdf)
		if err != nil {
			return nil, err
		}
		if maps.Equal(now, pages) {
			return paper.Finish(pdf, book.About())
		}
		pages = now
	}
	return nil, fmt.Errorf("the pages of the contents still change after %d printings", most)
}

// once prints a file.
func once(b *browser.Browser, name string) ([]byte, error) {
	t, err := b.Tab(browser.Options{})
	if err != nil {
		return nil, err
	}
	defer t.Close()
	if err := t.Go((&url.URL{Scheme: "file", Path: filepath.ToSlash(name)}).String()); err != nil {
		return nil, err
	}
	return t.Bound()
}
