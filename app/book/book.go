// Package book turns a folder of Markdown chapters into pages.
//
// It works in these steps:
//
//  1. The front matter of each file says what page it makes (draft.go).
//  2. goldmark parses the rest; directives, live numbers, mathematics, citations and notes are small parsers of our
//     own beside its own (inline.go, directive.go).
//  3. A survey of each page in the order of its text numbers sections, figures, tables and problems, gives every
//     heading its id, and compiles the sheets (survey.go, sheets.go).
//  4. With all pages known, links, cross references, citations and numbers are resolved (resolve.go, cite.go).
//  5. Each page is printed as HTML, its mathematics as MathML, its figures as inline SVG (print*.go, inline.go,
//     figure.go).
//
// Whatever is wrong in a chapter is reported as a [Problem] with its place and what would be right; nothing panics, and
// the same files give the same bytes.
package book

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/sheet/value"
	"github.com/scalebook/scalebook/app/spell"
	"github.com/yuin/goldmark/ast"
)

// Config is what a book needs from the packages around it.
type Config struct {
	Base string     // where the site lives: "/" or "/scalebook/"
	Dir  string     // what to put before file names in problems: "content"
	Env  *value.Env // what sheets may name

	RenderSheet  func(s *sheet.Sheet) string                               // a whole calculator, in block position
	RenderNumber func(s *sheet.Sheet, r *sheet.Result, name string) string // one of its numbers, within a sentence

	// RenderInput is a number within a sentence that the reader can change.
	RenderInput func(s *sheet.Sheet, name string) string
	// RenderBelow is RenderNumber for a number below its sheet, where the steps of an answer wait with it. It may be
	// nil.
	RenderBelow func(s *sheet.Sheet, r *sheet.Result, name string) string
	// RenderUnveiled is RenderNumber for a number that hides no answer, since its question is elsewhere. It may be nil.
	RenderUnveiled func(s *sheet.Sheet, r *sheet.Result, name string) string
	// TwinSheet is a calculator in Markdown, for the twin of a page. It may be nil.
	TwinSheet func(s *sheet.Sheet) string
	// Known are the addresses below Base that the site makes itself, and that chapters may link to: "scratch/",
	// "feed.xml".
	Known []string
	// English says whether the block that begins at an offset of a file is still in English, where the book is in
	// another language; Source is that book in English, whose ids this one's pages have too. Both may be nil.
	English func(file string, offset int) bool
	Source  *Book
	// Reserved are the ids that the page's shell uses; no heading gets one of them.
	Reserved []string
}

// Book is a folder of chapters, ready to be put into pages.
type Book struct {
	Pages  []*Page   // the reading order first, then the rest by slug
	Errata []Erratum // of all pages, in their order
	Files  []string  // files of the content folder that pages show as they are (images), sorted
}

// Page is one page.
type Page struct {
	File        string // as it is in the folder: "rooflines.md"
	Kind        Kind
	Slug        string // "" for the home page
	URL         string // with the base path: "/scalebook/rooflines/"
	Title       string // plain text, as all texts of the front matter
	Subtitle    string
	Description string
	Also        string // other words for what the page has, for the search
	Authors     []string
	Day         string // of its last change, such as 2026-11-21; "" if it names none
	Picture     string // of an instrument: an SVG file of the content folder; "" if it has none
	Number      string // of a chapter: "1"
	Order       int

	HTML       string // the body, without the title
	TOC        []*Entry
	Sheets     []*sheet.Sheet // in the order of the page
	Exercises  []Exercise
	Sections   []Section
	References []Reference
	Errata     []Erratum
	Words      int
	Minutes    int // reading time, calculators tried
	Prev, Next *Page

	draft *draft // what it was made from
}

// Entry is a heading in the table of contents.
type Entry struct {
	ID, Number string
	Text       string // plain
	HTML       string // with code and mathematics, without links
	Sub        []*Entry
}

// Section is the plain text below one heading, for searching. The first section of a page has neither ID nor heading.
type Section struct{ ID, Heading, Text string }

// Exercise is a problem of a page.
type Exercise struct{ ID, Number, Title string }

// OnGPU says whether the page has examples on TPUs and on GPUs, of which its reader may choose.
func (p *Page) OnGPU() bool {
	return strings.Contains(p.HTML, " data-gpu=") || strings.Contains(p.HTML, ` on-gpu"`)
}

// ReadsFiles says whether a calculator of the page reads files of its reader.
func (p *Page) ReadsFiles() bool { return strings.Contains(p.HTML, "input-document") }

// FullTitle is how a page is called in links: "Chapter 1" has a number, other pages only their title.
func (p *Page) FullTitle() string {
	if p.Number == "" {
		return p.Title
	}
	return p.Number + ". " + p.Title
}

// Page returns the page of that slug, or nil.
func (b *Book) Page(slug string) *Page {
	for _, p := range b.Pages {
		if p.Slug == slug {
			return p
		}
	}
	return nil
}

// file returns the page of that file, or nil.
func (b *Book) file(name string) *Page {
	if b == nil {
		return nil
	}
	for _, p := range b.Pages {
		if p.File == name {
			return p
		}
	}
	return nil
}

// Result is what a sheet of the page has at its defaults.
func (p *Page) Result(s *sheet.Sheet) *sheet.Result { return p.draft.b.results[s]() }

// builder is a book under way.
type builder struct {
	cfg      Config
	fsys     fs.FS
	drafts   []*draft
	problems []Problem
	bib      *bibliography
	sheets   map[string]*sheet.Sheet               // all of the book, by id
	owner    map[*sheet.Sheet]*draft               // the page of each
	fences   map[string]string                     // where each stands, by id: file:line:col
	results  map[*sheet.Sheet]func() *sheet.Result // at the defaults, evaluated when first asked for
	broken   map[string]bool                       // ids of sheets that do not compile
	counts   map[string]map[string]int             // by chapter: figures, tables and problems so far
}

// Load reads the chapters (*.md) and references.bib of a folder. The book is as complete as the problems allow.
func Load(fsys fs.FS, cfg Config) (*Book, []Problem) {
	b := &builder{
		cfg: cfg, fsys: fsys,
		sheets: map[string]*sheet.Sheet{}, owner: map[*sheet.Sheet]*draft{}, fences: map[string]string{},
		results: map[*sheet.Sheet]func() *sheet.Result{}, broken: map[string]bool{},
		counts: map[string]map[string]int{},
	}
	if b.cfg.Base == "" {
		b.cfg.Base = "/"
	}
	b.bib = b.readBibliography()
	b.readDrafts()
	b.order()
	b.each((*draft).compile)
	for _, d := range b.drafts {
		d.survey()
	}
	b.each((*draft).resolve)
	b.each((*draft).resolveLinks)
	b.each((*draft).print)
	book := &Book{}
	for _, d := range b.drafts {
		book.Pages = append(book.Pages, d.page)
		book.Errata = append(book.Errata, d.page.Errata...)
		book.Files = append(book.Files, d.files...)
		b.problems = append(b.problems, d.problems...)
	}
	slices.Sort(book.Files)
	book.Files = slices.Compact(book.Files)
	return book, sortProblems(b.problems)
}

// each does a step of the work on all pages, several at a time: a step may read other pages, but writes to its own.
func (b *builder) each(step func(d *draft)) {
	var all sync.WaitGroup
	for _, d := range b.drafts {
		all.Go(func() { step(d) })
	}
	all.Wait()
}

// readDrafts parses all chapters.
func (b *builder) readDrafts() {
	names, err := fs.Glob(b.fsys, "*.md")
	if err == nil && len(names) == 0 {
		err = errors.New("no chapters (*.md)")
	}
	if err != nil {
		b.problems = append(
			b.problems,
			Problem{File: cmp.Or(b.cfg.Dir, "."), What: err.Error(), Remedy: "give the folder of the chapters"},
		)
	}
	for _, name := range names {
		src, err := fs.ReadFile(b.fsys, name)
		if err != nil {
			b.problems = append(b.problems, Problem{File: b.path(name), What: err.Error()})
			continue
		}
		b.drafts = append(b.drafts, b.newDraft(name, src))
	}
}

// path is a file name as problems print it.
func (b *builder) path(name string) string {
	if b.cfg.Dir == "" {
		return name
	}
	return strings.TrimSuffix(b.cfg.Dir, "/") + "/" + name
}

// order sorts the pages into reading order, links neighbours, and finds two pages of one address.
func (b *builder) order() {
	slices.SortStableFunc(b.drafts, func(x, y *draft) int {
		return cmp.Or(
			-compareBool(x.ordered, y.ordered),
			cmp.Compare(x.page.Order, y.page.Order),
			-compareBool(
				x.page.Kind == Home,
				y.page.Kind == Home,
			),
			-compareBool(x.page.Kind == Chapter, y.page.Kind == Chapter),
			cmp.Compare(x.page.Slug, y.page.Slug),
		)
	})
	slugs := map[string]*draft{}
	var last *Page
	for _, d := range b.drafts {
		if other := slugs[d.page.Slug]; other != nil {
			d.problemAt(0, "the same address as "+other.name+": `"+d.page.Slug+"`", "give one of them another `slug`")
		}
		slugs[d.page.Slug] = d
		d.page.URL = b.cfg.Base
		if d.page.Slug != "" {
			d.page.URL += d.page.Slug + "/"
		}
		if !d.ordered {
			continue
		}
		if d.page.Prev = last; last != nil {
			last.Next = d.page
		}
		last = d.page
	}
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// readingTime is the minutes that so many words take, at 220 a minute, and so many calculators, at two minutes each.
func readingTime(words, sheets int) int { return (words+219)/220 + 2*sheets }

func numbered(chapter string, n int) string {
	if chapter == "" {
		return strconv.Itoa(n)
	}
	return chapter + "." + strconv.Itoa(n)
}

// phrases are what the book says in its language.
func (d *draft) phrases() phrase.Phrases {
	if d.b.cfg.Env == nil {
		return phrase.Phrases{}
	}
	return d.b.cfg.Env.Phrases
}

// say is a sentence of the book in its language.
func (d *draft) say(key string, gaps ...any) string { return d.phrases().Say(key, gaps...) }

// inEnglish says whether a block is still in English in a book of another language.
func (d *draft) inEnglish(n ast.Node) bool {
	if d.b.cfg.English == nil || n.Type() != ast.TypeBlock || n.Lines() == nil || n.Lines().Len() == 0 {
		return false
	}
	line := n.Lines().At(0)
	text := d.src[line.Start:line.Stop]
	return d.b.cfg.English(d.name, line.Start+len(text)-len(bytes.TrimLeft(text, " \t")))
}

// tongue marks the element that is being opened as English, if its block is.
func (p *printer) tongue(n ast.Node) {
	if p.d.inEnglish(n) {
		p.attribute("lang", "en")
	}
}

// titleText prints the title of a directive.
func (p *printer) titleText(t *titleNode) {
	if p.d.inEnglish(t) {
		p.wrap(`<span lang="en">`, t, "</span>")
		return
	}
	p.children(t)
}

// Problem is a fault in a chapter or in the bibliography: where it is, what it is, and what would be valid.
type Problem struct {
	File      string
	Line, Col int // 1-based; Col counts characters. Line 0 means the file as a whole.
	What      string
	Remedy    string
}

// String prints the problem as `file:line:col: what; remedy`.
func (p Problem) String() string {
	s := p.File
	if p.Line > 0 {
		s += fmt.Sprintf(":%d:%d", p.Line, max(p.Col, 1))
	}
	s += ": " + p.What
	if p.Remedy != "" {
		s += "; " + p.Remedy
	}
	return s
}

// Error makes a Problem an error.
func (p Problem) Error() string { return p.String() }

// sortProblems orders problems by place and drops repetitions, so that two runs report alike.
func sortProblems(ps []Problem) []Problem {
	slices.SortStableFunc(ps, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col))
	})
	return slices.Compact(ps)
}

// suggest returns a remedy naming the candidate that name was probably meant to be, or fallback when none is near.
func suggest(name string, candidates []string, fallback string) string {
	if near := spell.Meant(name, candidates); near != "" {
		return phrase.Phrases{}.Say("sheet.did-you-mean", "name", near)
	}
	return fallback
}

// Foreign says why bytes are not a text in UTF-8, and what to do: in which encoding they are, or where the first NUL
// stands, which no text has. What is empty for a text in UTF-8.
func Foreign(src []byte) (line, col int, what, remedy string) {
	if name := Encoding(src); name != "" {
		return 1, 1, "this text is in " + name, "save it as UTF-8"
	}
	at := bytes.IndexByte(src, 0)
	if at < 0 {
		return 0, 0, "", ""
	}
	before := src[:at]
	line, col = 1+bytes.Count(before, []byte("\n")), 1+len(bytes.Runes(before[bytes.LastIndexByte(before, '\n')+1:]))
	return line, col, fmt.Sprintf("byte %d is NUL, which no text has", at+1), "take it out, or name a file that is text"
}

// Encoding is the name of the encoding that bytes are in, if it is one with a mark at its beginning or one whose every
// other byte is mostly NUL, as of English in UTF-16; else "".
func Encoding(src []byte) string {
	for _, e := range [...]struct{ mark, name string }{
		{"\xff\xfe\x00\x00", "UTF-32"}, {"\x00\x00\xfe\xff", "UTF-32"}, {"\xff\xfe", "UTF-16"}, {"\xfe\xff", "UTF-16"},
	} {
		if bytes.HasPrefix(src, []byte(e.mark)) {
			return e.name
		}
	}
	const looked = 512
	src = src[:min(len(src), looked)]
	var nul [2]int
	for i, c := range src {
		if c == 0 {
			nul[i%2]++
		}
	}
	if few, many := min(nul[0], nul[1]), max(nul[0], nul[1]); len(src) >= 4 && few == 0 && many*3 >= len(src) {
		return "UTF-16"
	}
	return ""
}
