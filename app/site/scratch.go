package site

import (
	"embed"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"strings"

	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/widget"
	"github.com/scalebook/scalebook/app/widget/address"
)

//go:embed scratch.tmpl
var scratchText string

//go:embed scratch/*.sheet
var scratchSheets embed.FS

// scratch is what the page of the scratch pad begins with.
type scratch struct {
	Text     string        // of the sheet that the page shows
	Most     int           // how many bytes a text may have
	Sheet    template.HTML // that sheet, printed
	Examples []example     // in the order of their file names
}

// example is a sheet to start from.
type example struct{ Title, Text string }

// padPage adds the page of the scratch pad, if the browser gets its script.
func (s *shell) padPage(files Files) error {
	const at = "scratch/"
	if s.Asset("pad.js") == "" {
		return nil
	}
	pad, err := newScratch()
	if err != nil {
		return err
	}
	if files[at+"index.html"] != nil {
		return fmt.Errorf(
			"a chapter has the address %s%s, which the site needs for itself; give it another `slug`",
			s.base,
			at,
		)
	}
	return s.page(files, at+"index.html", "scratch", view{
		At: at, Title: s.text("site.scratch-pad") + " · " + s.Name(), Heading: s.text("site.scratch-pad"), URL: s.base + at,
		Scratch:  pad,
		Describe: s.text("site.pad-about"),
	})
}

// newScratch compiles the examples. The page shows the first.
func newScratch() (*scratch, error) {
	names, err := fs.Glob(scratchSheets, "scratch/*.sheet")
	if err != nil {
		return nil, err
	}
	env := widget.Env()
	pad := &scratch{Most: address.MaxPadText}
	for _, name := range names {
		data, err := scratchSheets.ReadFile(name)
		if err != nil {
			return nil, err
		}
		s, errs := sheet.Compile(string(data), env)
		if len(errs) > 0 {
			return nil, errors.New(strings.Join(syntax.Diagnostics(name, 1, 0, errs), "\n"))
		}
		if pad.Text == "" {
			s.ID = address.PadID
			pad.Text, pad.Sheet = string(data), template.HTML(widget.Printed(s))
		}
		pad.Examples = append(pad.Examples, example{s.Title, string(data)})
	}
	return pad, nil
}

// LanguagePage is the address of the reference of the sheet language, "" if the book has none.
func (s *shell) LanguagePage() string {
	if p := s.book.Page("language"); p != nil {
		return p.URL
	}
	return ""
}
