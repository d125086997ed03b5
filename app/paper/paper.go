// Package paper makes of the book what readers carry with them: one page of HTML that a browser prints, and a book for
// e-readers.
//
// Both have the same parts, and each part is made of the HTML of a page (paper.go): its calculators as they stand at
// their default values, without what only a screen has a use for (still.go), its problems without their answers, which
// stand at the end of the chapter (paper.go), and its links leading to parts (tree.go). paper.go sets all parts
// behind a cover and a table of contents, and epub.go packs them. pdf.go reads from a printed book on which page each
// part begins, for the table of contents of the next printing, and writes down what the file is.
//
// A note stands below the paragraph that refers to it (tree.go). It can't stand at the foot of the page: Chromium has
// no float: footnote, and tells where its pages end only once they are printed.
package paper

import (
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"strings"

	"github.com/scalebook/scalebook/app/book"
	"github.com/scalebook/scalebook/app/site"
	"golang.org/x/net/html"
)

// Book is a volume made ready.
type Book struct {
	site.Volume
	Parts []*Part // in reading order

	parts map[string]*Part // by the address of their page below the base: "rooflines/"
	ids   map[string]*Part // where each id stands
}

// Part is a page of the book, or the answers of a chapter.
type Part struct {
	ID    string // of its heading
	Level int    // 1 for a chapter, 2 for what belongs to one
	Kicker,
	Number, Title, Lede string // plain texts
	Body     *html.Node
	Headings []*Heading

	page *book.Page // nil for answers
}

// Heading is an entry of the contents below a part.
type Heading struct{ ID, Number, Text string }

// Bind makes the parts of a volume.
func Bind(v site.Volume) (*Book, error) {
	b := &Book{Volume: v, parts: map[string]*Part{}, ids: map[string]*Part{}}
	for _, c := range v.Chapters {
		whole := &chapter{book: b, title: c.FullTitle(), slug: c.Slug}
		for i, p := range append([]*book.Page{c.Page}, c.Beside...) {
			part, err := b.part(p, 1+min(i, 1))
			if err != nil {
				return nil, err
			}
			if i == 0 {
				part.Kicker = v.Phrases.Say("site.chapter", "number", p.Number)
			}
			whole.solve(part)
		}
		whole.end()
	}
	if err := b.others(v); err != nil {
		return nil, err
	}
	for _, p := range b.Parts {
		b.note(p)
		for _, n := range all(p.Body, func(n *html.Node) bool { return get(n, "id") != "" }) {
			b.ids[get(n, "id")] = p
		}
		b.ids[p.ID] = p
	}
	for _, p := range b.Parts {
		b.link(p)
		p.heads()
	}
	return b, nil
}

// others adds what is no chapter: the instruments together, and what the book says of words and of itself.
func (b *Book) others(v site.Volume) error {
	if len(v.Instruments) > 0 {
		b.Parts = append(b.Parts, &Part{
			ID: "instruments", Level: 1, Title: v.Phrases.Say("site.instruments"), Body: el("div"),
		})
	}
	for _, p := range append(v.Instruments[:len(v.Instruments):len(v.Instruments)], v.Glossary, v.About) {
		if p == nil {
			continue
		}
		level := 1
		if p.Kind == book.Tool {
			level = 2
		}
		if _, err := b.part(p, level); err != nil {
			return err
		}
	}
	return nil
}

// part makes the part of a page.
func (b *Book) part(p *book.Page, level int) (*Part, error) {
	body, err := parse(p.HTML)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.File, err)
	}
	at, _ := b.Under(p.URL)
	part := &Part{ID: cmp.Or(p.Slug, "home"), Level: level, Title: p.Title, Lede: p.Subtitle, Body: body, page: p}
	if level == 1 {
		part.Number = p.Number
	}
	static(body)
	own(body, part.ID)
	b.addressed(part)
	b.Parts, b.parts[at] = append(b.Parts, part), part
	return part, nil
}

// FullTitle is the title of a part behind its number.
func (p *Part) FullTitle() string {
	if p.Number == "" {
		return p.Title
	}
	return p.Number + ". " + p.Title
}

// heads finds the headings of a part for the contents.
func (p *Part) heads() {
	for _, n := range all(p.Body, tag("h2")) {
		if id := get(n, "id"); id != "" && !has(n, "problem-title") {
			h := &Heading{ID: id, Text: plain(n)}
			if no := first(n, class("secno")); no != nil {
				h.Number = plain(no)
				h.Text = strings.TrimSpace(strings.TrimPrefix(h.Text, h.Number))
			}
			p.Headings = append(p.Headings, h)
		}
	}
}

//go:embed print.tmpl
var printText string

//go:embed print.css
var printStyle string

// Width and Height are those of the paper, in pixels of a browser.
const Width, Height = 794, 1123

// sheet is what the template of the printed book sees.
type sheet struct {
	*Book
	Pages map[string]int // on which page an id stands, as far as it is known
}

// Printable is the whole book as one page of HTML, for a browser to print. Pages says on which page of paper each id
// stands, as Destinations reads it from an earlier printing; without it the contents have no numbers.
func (b *Book) Printable(pages map[string]int) (string, error) {
	t, err := template.New("print").Parse(printText)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	err = t.Execute(&out, sheet{b, pages})
	return out.String(), err
}

// About is what the printed book says of itself.
func (b *Book) About() About {
	return About{
		Title: b.Home.Title + ": " + b.Home.Subtitle, Author: b.Authors(), Subject: b.Home.Description,
		Keywords: b.Say("paper.keywords"), Day: b.Day,
	}
}

// Authors are those of the book, as its feed names them.
func (b *Book) Authors() string { return b.Say("paper.authors", "book", b.Home.Title) }

// The methods below are the template's words.

// Say is a sentence of the book's language.
func (b *Book) Say(key string, gaps ...any) string { return b.Phrases.Say(key, gaps...) }

// URL is where the book is on the web, "" where that isn't known.
func (b *Book) URL() string { return b.Address(b.Base) }

// Code is that address for a phone's camera.
func (b *Book) Code() template.HTML {
	if picture := picture(b.URL()); b.URL() != "" && picture != nil {
		return rendered(picture)
	}
	return ""
}

// Logo is the book's mark.
func (b *Book) Logo() template.HTML { return template.HTML(b.Mark) }

// Styles are all styles of the printed book: the site's, what is otherwise on paper, and a head for each chapter.
func (b *Book) Styles() template.CSS {
	var heads strings.Builder
	chapter := 0
	for i, p := range b.Parts {
		if !p.Level2() {
			chapter = i
			fmt.Fprintf(&heads, "@page part%d { @top-left { content: %s } @top-right { content: %s } }\n",
				i, quoted(b.Home.Title), quoted(p.FullTitle()))
		}
		fmt.Fprintf(&heads, "#part%d { page: part%d }\n", i, chapter)
	}
	return template.CSS(string(b.Style) + printStyle + heads.String())
}

// quoted is a text as a style sheet has it.
func quoted(text string) string { return `"` + inQuotes.Replace(text) + `"` }

var inQuotes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "<", `\3c `)

// Level2 says whether a part belongs to a chapter.
func (p *Part) Level2() bool { return p.Level > 1 }

// HTML is the part's text. That of a part that belongs to a chapter has its headings a level lower.
func (p *Part) HTML() template.HTML {
	body := copied(p.Body)
	if p.Level2() {
		for _, n := range all(body, tag("h2", "h3", "h4")) {
			rename(n, "h"+string(n.Data[1]+1))
		}
	}
	return rendered(body)
}

// Page is the page on which an id stands. Until that is known, it is as wide as one.
func (s sheet) Page(id string) string {
	if n := s.Pages[id]; n > 0 {
		return fmt.Sprint(n)
	}
	return "000"
}

// Text is a part's text with the pages to which its problems lead.
func (s sheet) Text(p *Part) template.HTML {
	body := copied(p.Body)
	for _, n := range all(body, class("to-page")) {
		page := " (" + s.Say("paper.page", "number", s.Page(strings.TrimPrefix(get(n, "href"), "#"))) + ")"
		n.Parent.InsertBefore(words(page), n.NextSibling)
	}
	p = &Part{Level: p.Level, Body: body}
	return p.HTML()
}

// rendered is a tree as HTML.
func rendered(n *html.Node) template.HTML {
	var b strings.Builder
	if err := html.Render(&b, n); err != nil {
		return template.HTML(template.HTMLEscapeString(err.Error())) // a strings.Builder doesn't fail
	}
	return template.HTML(b.String())
}

// chapter gathers what stands at the end of a chapter.
type chapter struct {
	book           *Book
	title, slug    string
	hints, answers *html.Node
}

// solve takes hints, answers and the calculators that have them out of the problems of a part. Links lead there and
// back.
func (c *chapter) solve(p *Part) {
	for _, problem := range all(p.Body, class("problem")) {
		id, title := get(problem, "id"), first(problem, class("problem-title"))
		if title == nil || id == "" {
			continue
		}
		leads := el("p", "class", "leads")
		for _, kind := range []string{"hint", "answer"} {
			label := c.take(problem, title, kind)
			if label == "" {
				continue
			}
			if leads.FirstChild != nil {
				with(leads, words(" · "))
			}
			with(leads, with(el("a", "class", "to-page", "href", "#"+id+"--"+kind), words(label)))
		}
		if leads.FirstChild != nil {
			with(problem, leads)
		}
	}
}

// take moves the hints of a problem, or its answers, to the end of the chapter, and gives what they are called: "Hint";
// "" if there are none.
func (c *chapter) take(problem, title *html.Node, kind string) (label string) {
	nodes := all(problem, func(n *html.Node) bool { return taken(n, kind) && above(n, taking(kind)) == nil })
	for _, n := range nodes {
		if t := first(n, class("fold-title")); has(n, kind) && t != nil {
			label, _, _ = strings.Cut(plain(t), ":")
			remove(t)
		}
	}
	if label == "" {
		return ""
	}
	id := get(problem, "id")
	back := with(el("p", "class", "solved-title"), move(el("a", "href", "#"+id), copied(title)))
	c.add(kind, with(with(el("div", "class", "solved", "id", id+"--"+kind), back), nodes...))
	return label
}

// taken says whether a node of a problem goes to the hints, or to the answers: there go its calculators too.
func taken(n *html.Node, kind string) bool {
	return has(n, kind) || kind == "answer" && has(n, "sheet")
}

func taking(kind string) func(*html.Node) bool {
	return func(n *html.Node) bool { return taken(n, kind) }
}

// add puts a hint or an answer at the end of its list.
func (c *chapter) add(kind string, item *html.Node) {
	list := &c.hints
	if kind == "answer" {
		list = &c.answers
	}
	if *list == nil {
		*list = el("div", "class", "solutions")
	}
	with(*list, item)
}

// end adds the parts with the chapter's hints and answers to the book.
func (c *chapter) end() {
	for _, part := range []struct {
		kind, key string
		list      *html.Node
	}{{"hints", "paper.hints", c.hints}, {"answers", "paper.answers", c.answers}} {
		if part.list == nil {
			continue
		}
		c.book.Parts = append(c.book.Parts, &Part{
			ID: c.slug + "--" + part.kind, Level: 2, Title: c.book.Phrases.Say(part.key, "chapter", c.title),
			Body: with(el("div"), part.list),
		})
	}
}
