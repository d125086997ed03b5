package site

import (
	"bytes"
	_ "embed" // the templates of the pages that the site makes itself
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"maps"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/scalebook/scalebook/app/book"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/site/data"
	"github.com/scalebook/scalebook/app/site/feed"
	"github.com/scalebook/scalebook/app/site/search"
	"github.com/scalebook/scalebook/app/translation"
)

//go:embed find.tmpl
var findText string

// own are the addresses below the base that the site makes itself and that chapters may link to.
var own = append([]string{"search/", "errata/", "scratch/", "feed.xml", "sitemap.xml", "robots.txt", "llms.txt",
	wholeName, licencesName}, data.Names()...)

// wholeName is the whole book as one text.
const wholeName = "llms-full.txt"

// indexAsset adds the index of the search to what the browser gets, if it gets the program that reads it.
func (a *assets) indexAsset(b *book.Book, l phrase.Phrases) error {
	if a.urls["search.js"] == "" {
		return nil
	}
	index := search.New(b, a.base, l)
	index.Inflect(l.Sentence("site.lang"))
	data, err := index.JSON()
	if err == nil {
		a.add("search.json", data)
	}
	return err
}

// ownPages are the pages of search and errata.
func (s *shell) ownPages(files Files) error {
	for _, p := range []struct{ at, kind, title, about string }{
		{"search/", "search", s.text("site.search"), s.text("site.search-about")},
		{"errata/", "errata", s.text("site.errata"), s.text("site.errata-about")},
	} {
		name := p.at + "index.html"
		if files[name] != nil {
			return fmt.Errorf(
				"a chapter has the address %s%s, which the site needs for itself; give it another `slug`",
				s.base,
				p.at,
			)
		}
		v := view{At: p.at, Title: p.title + " · " + s.Name(), Heading: p.title, Describe: p.about, URL: s.base + p.at}
		if err := s.page(files, name, p.kind, v); err != nil {
			return err
		}
	}
	return nil
}

// Terms is the index of the terms that the book explains, for readers who don't know yet what to search for.
func (v view) Terms() []search.Letter {
	if p, _ := v.book.Glossary(""); p != nil {
		return search.Letters(p.HTML)
	}
	return nil
}

// Explained is where a term is explained.
func (v view) Explained(fragment string) string {
	p, _ := v.book.Glossary("")
	return p.URL + "#" + fragment
}

// machines adds what is read by programs: feeds, the catalogs, and the twin of each page in plain Markdown.
func (s *shell) machines(files Files) error {
	about := feed.Site{
		Origin: s.origin,
		Day:    s.day,
		Base:   s.base,
		Name:   s.Name(),
		Pages:  s.book.Pages,
		Others: []string{s.base + "errata/", s.base + "scratch/"},

		Programs: []feed.File{{Name: wholeName, About: "The whole book, all pages one after another."}},
	}
	for _, d := range data.About() {
		about.Programs = append(about.Programs, feed.File(d))
	}
	var err error
	if files["sitemap.xml"], err = about.Sitemap(); err != nil {
		return err
	}
	if files[feedName], err = about.Atom(); err != nil {
		return err
	}
	files["robots.txt"], files["llms.txt"] = about.Robots(), about.Guide()
	published, err := data.Files(s.book, s.origin)
	if err != nil {
		return err
	}
	maps.Copy(files, published)
	twin := func(p *book.Page) string { return strings.TrimPrefix(p.URL, s.base) + "index.md" }
	err = files.each(s.book.Pages, func(files Files, p *book.Page) error {
		files[twin(p)] = []byte(p.Markdown(s.origin))
		return nil
	})
	var whole []byte
	for _, p := range s.book.Pages {
		whole = append(append(whole, files[twin(p)]...), '\n')
	}
	files[wholeName] = whole
	return err
}

// publishing checks what Options say of where the site will be.
func (o Options) publishing() error {
	if o.Origin != "" {
		u, err := url.Parse(o.Origin)
		if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.String() != u.Scheme+"://"+
			u.Host {
			return fmt.Errorf(
				"the site %q is no origin; write something like https://example.org, and put the path into the base",
				o.Origin,
			)
		}
	}
	if o.Repository != "" {
		if u, err := url.Parse(o.Repository); err != nil || u.Scheme != "https" || u.Host == "" || u.RawQuery != "" ||
			u.Fragment != "" {
			return fmt.Errorf(
				"the repository %q is no address; write something like https://github.com/owner/name or "+
					"https://github.com/owner/name/tree/main",
				o.Repository,
			)
		}
	}
	if o.Day != "" {
		if _, err := time.Parse(time.DateOnly, o.Day); err != nil {
			return fmt.Errorf("the date %q is none; write it as 2026-11-21", o.Day)
		}
	}
	return nil
}

// The methods below are words of the templates.

// Absolute is an address of the site with its origin, "" where that isn't known.
func (s *shell) Absolute(url string) string {
	if s.origin == "" || url == "" {
		return ""
	}
	return s.origin + url
}

// Twin is the address of the page as plain Markdown.
func (v view) Twin() string {
	if v.Page == nil || v.Alone {
		return ""
	}
	return v.Page.URL + "index.md"
}

// Suggest is where a change of the page can be suggested, "" if there is no known repository.
func (v view) Suggest() string {
	if v.repository == "" || v.Page == nil {
		return ""
	}
	_, branch, ok := strings.Cut(v.repository, "/tree/")
	if !ok {
		branch = "main"
	}
	return v.sources() + "/edit/" + branch + "/content/" + v.Page.File
}

// Discuss is where a discussion of the page starts, "" if there is no known repository. A script makes of it one of
// a section, with the section quoted.
func (v view) Discuss() string {
	if v.repository == "" || v.Page == nil {
		return ""
	}
	return v.sources() + "/issues/new?" + url.Values{"title": {v.Page.FullTitle()}}.Encode()
}

// sources is the address of the repository.
func (v view) sources() string {
	repository, _, _ := strings.Cut(v.repository, "/tree/")
	return strings.TrimSuffix(repository, "/")
}

// Errata are all errata of the book, in the order of their chapters.
func (s *shell) Errata() []book.Erratum { return s.book.Errata }

// Place is the address of an erratum in its chapter.
func (s *shell) Place(e book.Erratum) string { return e.Page.URL + "#" + e.Anchor }

// Right is what the erratum says.
func (s *shell) Right(e book.Erratum) template.HTML { return template.HTML(e.HTML) }

// Bound is a chapter with the pages that belong to it: its problems and tables, in reading order.
type Bound struct {
	*book.Page
	Beside []*book.Page
}

// Here says whether p is the chapter or a page that belongs to it.
func (c Bound) Here(p *book.Page) bool { return c.Page == p || slices.Contains(c.Beside, p) }

// Chapters are the chapters, in reading order.
func (s *shell) Chapters() []Bound {
	var list []Bound
	for _, p := range s.book.Pages {
		switch {
		case p.Kind == book.Chapter:
			list = append(list, Bound{Page: p})
		case belongs(list, p):
			last := &list[len(list)-1]
			last.Beside = append(last.Beside, p)
		}
	}
	return list
}

// belongs says whether p is a page of the last chapter: it has the chapter's number, or its place.
func belongs(list []Bound, p *book.Page) bool {
	if len(list) == 0 || p.Kind != book.Plain {
		return false
	}
	chapter := list[len(list)-1].Number
	return p.Number == chapter || p.Number == "" && strconv.Itoa(p.Order) == chapter
}

// Instruments are the pages of instruments.
func (s *shell) Instruments() []*book.Page {
	return s.others(func(p *book.Page) bool { return p.Kind == book.Tool })
}

// Reference is what belongs to no chapter and is no instrument.
func (s *shell) Reference() []*book.Page {
	return s.others(func(p *book.Page) bool { return p.Kind == book.Plain })
}

// others are the pages outside the chapters that want takes, in reading order.
func (s *shell) others(want func(*book.Page) bool) []*book.Page {
	taken := map[*book.Page]bool{}
	for _, e := range s.Chapters() {
		for _, p := range e.Beside {
			taken[p] = true
		}
	}
	var list []*book.Page
	for _, p := range s.book.Pages {
		if !taken[p] && want(p) {
			list = append(list, p)
		}
	}
	return list
}

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

// Volumes reads the book in the languages of these codes, for print.
func Volumes(o Options, codes []string) ([]Volume, error) {
	if err := errors.Join(o.checkBase(), o.publishing()); err != nil {
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
		Home: b.Page(""), Chapters: s.Chapters(), Instruments: s.Instruments(),
		Glossary: b.Page("glossary"), About: b.Page("about"),
	}
	if v.Home == nil {
		return v, errors.New(o.Dir + ": no page of the kind home; its title is that of the book")
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

// booksFrom are the printed book and that for e-readers, as app/print wrote them, in the language of the site; none
// where they weren't written.
func (o Options) booksFrom() (Files, error) {
	files := Files{}
	if o.Books == nil {
		return files, nil
	}
	for _, name := range []string{PDFName, EPUBName} {
		data, err := fs.ReadFile(o.Books, path.Join(o.lang, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		files[name] = data
	}
	return files, nil
}

// Books are links to the printed book and that for e-readers, with their sizes; "" if there are none.
func (s *shell) Books() template.HTML {
	var links []string
	for _, name := range []string{PDFName, EPUBName} {
		if data := s.books[name]; data != nil {
			links = append(links, fmt.Sprintf(`<a href="%s">%s</a>, %.1f MB`, template.HTMLEscapeString(s.base+name),
				strings.ToUpper(strings.TrimPrefix(path.Ext(name), ".")), float64(len(data))/1e6))
		}
	}
	if len(links) == 0 {
		return ""
	}
	return s.Say("site.take-along", "files", template.HTML(strings.Join(links, " · ")))
}
