package site

import (
	"bytes"
	"errors"
	"io/fs"
	"strings"

	"github.com/scalebook/scalebook/app/book"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/translation"
)

// What the printed book and that for e-readers are called.
const (
	PDFName  = "scalebook.pdf"
	EPUBName = "scalebook.epub"
)

// Volume is the book in one language with all that it takes to print it as a whole; see package paper.
type Volume struct {
	Code    string // of the language: "en"
	Phrases phrase.Phrases
	Origin  string // of the site, "" where that isn't known
	Base    string // of the language's pages
	Day     string // of the edition, "" if it isn't known

	Home        *book.Page
	Chapters    []Bound      // in reading order
	Instruments []*book.Page // the pages of instruments
	Glossary    *book.Page   // nil if there is none
	About       *book.Page   // nil if there is none

	Style []byte // of all pages, and of figures
	Mark  []byte // the book's mark, as SVG
}

// Bound is a chapter with the pages that belong to it.
type Bound struct {
	*book.Page
	Beside []*book.Page
}

// Volumes reads the book in the languages of these codes, for print.
func Volumes(o Options, codes []string) ([]Volume, error) {
	if err := errors.Join(o.settled(), o.publishing()); err != nil {
		return nil, err
	}
	english, err := load(o, &prints{})
	if err != nil {
		return nil, err
	}
	var all []Volume
	for _, code := range codes {
		in, b := o, english
		if code != sourceCode {
			l, err := readLanguage(o, code)
			if err != nil {
				return nil, err
			}
			if in, err = o.in(l, english); err != nil {
				return nil, err
			}
			if b, err = load(in, &prints{}); err != nil {
				return nil, err
			}
		}
		v, err := bind(in, code, b)
		if err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	return all, nil
}

// bind puts a book and its style together.
func bind(o Options, code string, b *book.Book) (Volume, error) {
	s := &shell{book: b}
	v := Volume{
		Code: code, Phrases: o.Phrases, Origin: o.Origin, Base: o.Base, Day: o.Day,
		Home: b.Page(""), Instruments: s.Instruments(), Glossary: b.Page("glossary"), About: b.Page("about"),
	}
	if v.Home == nil {
		return v, errors.New(o.Dir + ": no page of the kind home; its title is that of the book")
	}
	for _, c := range s.Chapters() {
		v.Chapters = append(v.Chapters, Bound(c))
	}
	style, err := styleSheet(o.Web, o.Phrases)
	if err != nil {
		return v, err
	}
	drawings, err := styleIn(o.Web, drawingStyle, o.Phrases)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	v.Style = bytes.Join([][]byte{style, drawings}, nil)
	if err == nil {
		v.Mark, err = fs.ReadFile(o.Web, "icons/mark.svg")
	}
	return v, err
}

// Address is where a page of the volume is on the web, "" where that isn't known.
func (v Volume) Address(url string) string {
	if v.Origin == "" {
		return ""
	}
	return v.Origin + url
}

// Under is an address below the language's home page: "rooflines/".
func (v Volume) Under(url string) (path string, ok bool) { return strings.CutPrefix(url, v.Base) }

// in are the options of the book in another language.
func (o Options) in(l *translation.Language, source *book.Book) (Options, error) {
	content, err := l.Content(o.Content, o.Dir)
	if err != nil {
		return o, err
	}
	said, problems := l.Phrases()
	if err := inOrder(append(problems, content.Problems()...)); err != nil {
		return o, err
	}
	o.Content, o.Base = content, o.Base+l.Code+"/"
	o.Phrases, o.said, o.lang = phrase.Read(said), said, l.Code
	o.source, o.translated = source, content
	return o, nil
}
