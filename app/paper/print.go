package paper

import (
	_ "embed"
	"fmt"
	"html/template"
	"strings"

	"golang.org/x/net/html"
)

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
			fmt.Fprintf(&heads, "@page part%d { @top-left { content: %q } @top-right { content: %q } }\n",
				i, b.Home.Title, p.FullTitle())
		}
		fmt.Fprintf(&heads, "#part%d { page: part%d }\n", i, chapter)
	}
	return template.CSS(string(b.Style) + printStyle + heads.String())
}

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

// Page is the page on which an id stands, "" if that isn't known yet.
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
