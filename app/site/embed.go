package site

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"maps"
	"strings"
	"sync"

	"github.com/scalebook/scalebook/app/book"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/translation"
	"github.com/scalebook/scalebook/app/widget"
	"github.com/scalebook/scalebook/app/widget/address"
)

// The scripts that other sites load, by names that never change: pages that embed a calculator outlive many editions.
// What belongs to one edition they take from the calculator's own page, embed/ID/.
var stable = []string{"embed.js", "embed-use.js"}

// embedding adds what other sites load: the scripts of stable names, and the style for a calculator in a shadow root.
func (a *assets) embedding(web fs.FS, l phrase.Phrases) error {
	for _, name := range stable {
		data, err := scriptIn(web, name, l)
		if err != nil {
			return fmt.Errorf("pages that embed calculators need a script that can't be had: %w", err)
		}
		a.files[name] = data
	}
	var style bytes.Buffer
	for _, name := range []string{"tokens.css", "book.css", "sheet.css", "tables.css", "chart.css", "figures.css",
		drawingStyle,
		"embed/shadow.css"} {
		data, err := styleIn(web, name, l)
		if err != nil {
			return fmt.Errorf("embedded calculators are drawn with a style sheet that can't be had: %w", err)
		}
		style.Write(shadowed(data))
	}
	a.add("embed.css", append([]byte("book-html { all: initial }\n"), style.Bytes()...))
	return nil
}

// shadowed is a style sheet of the book for use in a shadow root. There an element <book-html> stands for the root of
// the page, and --rem for the length that the page around may have made another: a rem in a condition never depends on
// that and stays.
func shadowed(css []byte) []byte {
	var out []byte
	for start := 0; start < len(css); {
		end := start + segment(css[start:])
		part := string(css[start:end])
		switch {
		case !strings.HasSuffix(part, "{"):
			part = rems(part)
		case !strings.HasPrefix(strings.TrimSpace(part), "@"):
			part = selectors(part)
		}
		out = append(out, part...)
		start = end
	}
	return out
}

// segment is the length of the piece that css begins with: up to a brace or a semicolon, which belongs to it.
func segment(css []byte) int {
	var quote byte
	for i := 0; i < len(css); i++ {
		switch c := css[i]; {
		case c == '\\':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '{' || c == '}' || c == ';':
			return i + 1
		}
	}
	return len(css)
}

// selectors replaces the root of a page in selectors, by an element of the same weight where the selector was one.
func selectors(text string) string {
	return words(strings.ReplaceAll(text, ":root", "html"), func(word string) string {
		if word == "html" {
			return "book-html"
		}
		return word
	})
}

// rems replaces lengths in rem.
func rems(text string) string {
	return words(text, func(word string) string {
		number, ok := strings.CutSuffix(word, "rem")
		if !ok || number == "" || strings.Trim(number, "+-.0123456789") != "" {
			return word
		}
		return "calc(" + number + " * var(--rem))"
	})
}

// words applies f to each word of a piece of CSS: names, and numbers with their units. Texts in quotes stay.
func words(text string, f func(string) string) string {
	var out strings.Builder
	for i := 0; i < len(text); {
		if q := text[i]; q == '"' || q == '\'' {
			end := strings.IndexByte(text[i+1:], q)
			if end < 0 {
				out.WriteString(text[i:])
				break
			}
			out.WriteString(text[i : i+end+2])
			i += end + 2
			continue
		}
		n := i
		for n < len(text) && wordByte(text[n]) {
			n++
		}
		if n == i {
			out.WriteByte(text[i])
			i++
			continue
		}
		out.WriteString(f(text[i:n]))
		i = n
	}
	return out.String()
}

func wordByte(c byte) bool {
	return c >= 0x80 || strings.IndexByte("-+._#", c) >= 0 || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' ||
		'A' <= c && c <= 'Z'
}

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
	pad, err := newScratch(s.phrases)
	if err != nil {
		return err
	}
	if files[at+"index.html"] != nil {
		return fmt.Errorf("a chapter has the address %s%s, which the site needs for itself; give it another `slug`",
			s.base, at)
	}
	return s.page(files, at+"index.html", "scratch", view{
		At: at, URL: s.base + at, Scratch: pad, Describe: s.text("site.pad-about"),
		Title: s.text("site.scratch-pad") + " · " + s.Name(), Heading: s.text("site.scratch-pad"),
	})
}

// newScratch compiles the examples, whose titles and labels are in the language of the site. The page shows the first.
func newScratch(l phrase.Phrases) (*scratch, error) {
	names, err := fs.Glob(scratchSheets, "scratch/*.sheet")
	if err != nil {
		return nil, err
	}
	env := widget.Env()
	env.Phrases = l
	pad := &scratch{Most: address.MaxPadText}
	for _, name := range names {
		data, err := scratchSheets.ReadFile(name)
		if err != nil {
			return nil, err
		}
		text := translation.InWords(string(data), l.Word)
		s, errs := sheet.Compile(text, env)
		if len(errs) > 0 {
			return nil, errors.New(strings.Join(syntax.Diagnostics(name, 1, 0, errs), "\n"))
		}
		if pad.Text == "" {
			s.ID = address.PadID
			pad.Text, pad.Sheet = text, template.HTML(widget.Printed(s))
		}
		pad.Examples = append(pad.Examples, example{s.Title, text})
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
