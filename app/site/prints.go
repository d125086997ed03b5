package site

import (
	"errors"
	"html/template"
	"maps"
	"sync"

	"github.com/scalebook/scalebook/app/book"
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/widget"
)

// prints are the calculators of a book as HTML, each printed once: most stand alone as they stand in their page. The
// zero value is empty; it may be used by several goroutines.
type prints struct {
	all sync.Map // *sheet.Sheet -> func() string
}

// sheet is a calculator as HTML.
func (p *prints) sheet(s *sheet.Sheet) string {
	once, _ := p.all.LoadOrStore(s, sync.OnceValue(func() string { return widget.Printed(s) }))
	return once.(func() string)()
}

// alone are all calculators of a book as they stand alone.
func (p *prints) alone(b *book.Book) map[*sheet.Sheet]template.HTML {
	out := map[*sheet.Sheet]template.HTML{}
	for _, page := range b.Pages {
		for _, s := range page.Sheets {
			out[s] = template.HTML(p.sheet(unfolded(s)))
		}
	}
	return out
}

// unfolded is a sheet as it stands where there is no sentence around it.
func unfolded(s *sheet.Sheet) *sheet.Sheet {
	if s.Size != sheet.Inline {
		return s
	}
	alone := *s
	alone.Size = ""
	return &alone
}

// each lets add make the files of each of these pages, several pages at a time.
func (f Files) each(pages []*book.Page, add func(own Files, p *book.Page) error) error {
	var all sync.WaitGroup
	var lock sync.Mutex
	var errs []error
	for _, p := range pages {
		all.Go(func() {
			own := Files{}
			err := add(own, p)
			lock.Lock()
			defer lock.Unlock()
			maps.Copy(f, own)
			errs = append(errs, err)
		})
	}
	all.Wait()
	return errors.Join(errs...)
}
