// Command print writes the book as it is carried away: scalebook.pdf, printed by Chromium, and scalebook.epub, for
// e-readers; those of a language that isn't English below its code.
//
//	go run ./app/print -out dist-print -site https://example.org -base /scalebook/ -date 2026-11-26
package main

import (
	"context"
	"flag"
	"fmt"
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
