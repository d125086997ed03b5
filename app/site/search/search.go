// Package search makes the index that the browser searches: everything that the book says, as text, with where it
// stands.
//
// A book is small enough that reading through all of it takes a browser a few milliseconds, so the index is no more
// than the text, and the program that reads it (web/search.js) decides what a match is.
package search

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"github.com/kljensen/snowball"
	"github.com/scalebook/scalebook/app/book"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet"
	"golang.org/x/net/html"
)

// The kinds of entries, best first for equal words.
const (
	Page    = 0 // a page itself: its title, what it is about and its first lines
	Section = 1 // a heading and the prose below it
	Problem = 2 // a problem, by its title
	Sheet   = 3 // a calculator: its title, its labels and what it asks
	Term    = 4 // a term and its definition
)

// Index is what the browser gets.
type Index struct {
	Pages   [][2]string `json:"pages"`           // title, and address below the base path
	Entries []Entry     `json:"entries"`         // in the order of the book
	Stems   []string    `json:"stems,omitempty"` // of a language with endings: see Inflect

	phrases phrase.Phrases
}

// Entry is something that can be found.
type Entry struct {
	Page     int    // its place in Index.Pages
	Kind     int    // Page, Section, ...
	Fragment string // of its address, without #; may be empty
	Heading  string // what it is called
	Text     string // what it says
	Also     string // other names of a term or a page, which are as good as its own
}

// MarshalJSON writes an entry without the names of its fields.
func (e Entry) MarshalJSON() ([]byte, error) {
	fields := []any{e.Page, e.Kind, e.Fragment, e.Heading, e.Text, e.Also}
	if e.Also == "" {
		fields = fields[:5]
	}
	return json.Marshal(fields)
}

// New is the index of a book that lives at the base path.
func New(b *book.Book, base string, l phrase.Phrases) *Index {
	x := &Index{phrases: l}
	for i, p := range b.Pages {
		x.Pages = append(x.Pages, [2]string{p.FullTitle(), strings.TrimPrefix(p.URL, base)})
		x.page(i, p)
	}
	return x
}

// JSON is the index as a file; equal books give equal bytes.
func (x *Index) JSON() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(x)
	return b.Bytes(), err
}

func (x *Index) add(page, kind int, fragment, heading string, text ...string) {
	words := strings.Fields(strings.Join(text, " "))
	x.Entries = append(x.Entries, Entry{Page: page, Kind: kind, Fragment: fragment, Heading: heading,
		Text: strings.Join(words, " ")})
}

func (x *Index) page(i int, p *book.Page) {
	sections := p.Sections
	first := ""
	if len(sections) > 0 && sections[0].ID == "" {
		first, sections = sections[0].Text, sections[1:]
	}
	x.add(i, Page, "", p.Title, p.Subtitle, p.Description, first)
	x.Entries[len(x.Entries)-1].Also = p.Also
	for _, s := range sections {
		x.add(i, Section, s.ID, s.Heading, s.Text)
	}
	for _, e := range p.Exercises {
		title := x.phrases.Say("book.problem", "number", e.Number)
		if e.Title != "" {
			title += ". " + e.Title
		}
		x.add(i, Problem, e.ID, title)
	}
	for _, s := range p.Sheets {
		x.add(i, Sheet, s.ID, s.Title, labels(s)...)
	}
	x.terms(i, p)
}

// labels are what a calculator calls its rows, plots, tables and questions.
func labels(s *sheet.Sheet) []string {
	var out []string
	say := func(text string) {
		if text != "" {
			out = append(out, text, "·")
		}
	}
	for _, a := range s.Asks {
		say(s.Filled(nil, a.Question))
	}
	for i := range s.Rows {
		if s.Rows[i].Label != "" {
			say(s.Label(nil, s.Rows[i].Name))
		}
	}
	for _, p := range s.Plots {
		say(p.Caption)
	}
	for _, t := range s.Tables {
		say(t.Caption)
	}
	if len(out) > 0 {
		out = out[:len(out)-1]
	}
	return out
}

// terms adds the terms of definition lists. A term without an id of its own is found at the last heading above it.
func (x *Index) terms(page int, p *book.Page) {
	if !strings.Contains(p.HTML, "<dt") {
		return // few pages have any, and parsing takes longest
	}
	doc, err := html.Parse(strings.NewReader(p.HTML))
	if err != nil {
		return // only a reader can fail, and this one doesn't
	}
	headings := map[string]bool{}
	for _, s := range p.Sections {
		headings[s.ID] = true
	}
	heading := ""
	for n := range doc.Descendants() {
		switch n.Data {
		case "h2", "h3", "h4", "h5", "h6":
			if id := attr(n, "id"); headings[id] {
				heading = id
			}
		case "dt":
			if inSheet(n) {
				continue // what a calculator lists, such as the constants of a chip, is no term of the book
			}
			text, also := definitions(n)
			x.add(page, Term, cmp.Or(attr(n, "id"), heading), textOf(n), text)
			x.Entries[len(x.Entries)-1].Also = also
		}
	}
}

// inSheet says whether a node is part of a calculator.
func inSheet(n *html.Node) bool {
	for a := range n.Ancestors() {
		if attr(a, "data-sheet") != "" {
			return true
		}
	}
	return false
}

// definitions are the first text that follows a term, and its other names: a description that begins with emphasis, as
// in `*Also* rematerialization, activation checkpointing.`
func definitions(dt *html.Node) (text, also string) {
	for n := dt.NextSibling; n != nil && n.Data != "dt"; n = n.NextSibling {
		switch {
		case n.Type != html.ElementNode || n.Data != "dd":
		case beginsWithEmphasis(n):
			also = textOf(n)
		case text == "":
			text = textOf(n)
		}
	}
	return text, also
}

func beginsWithEmphasis(n *html.Node) bool {
	for c := range n.Descendants() {
		switch {
		case c.Type == html.TextNode && strings.TrimSpace(c.Data) != "":
			return false
		case c.Data == "em":
			return true
		}
	}
	return false
}

func attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func textOf(n *html.Node) string {
	var b strings.Builder
	for c := range n.Descendants() {
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// inflected are the languages whose words end differently from sentence to sentence, with what Snowball calls them. In
// English, what begins alike is found without.
var inflected = map[string]string{
	"es": "spanish", "fr": "french", "hu": "hungarian", "no": "norwegian", "ru": "russian", "sv": "swedish",
}

// Inflect adds the stems of all words of the index, if its language has endings: the browser looks for words that begin
// with the stem of what was asked for.
func (x *Index) Inflect(language string) {
	name := inflected[language]
	if name == "" {
		return
	}
	seen := map[string]bool{}
	for _, e := range x.Entries {
		for word := range strings.FieldsFuncSeq(e.Heading+" "+e.Text,
			func(r rune) bool { return !unicode.IsLetter(r) }) {
			if word[0] < 0x80 && language == "ru" {
				continue // a name, which has no endings
			}
			stem, err := snowball.Stem(word, name, true)
			if err == nil && len([]rune(stem)) >= shortest {
				seen[folded.Replace(stem)] = true
			}
		}
	}
	for stem := range seen {
		x.Stems = append(x.Stems, stem)
	}
	slices.Sort(x.Stems)
}

// shortest is the least number of letters of a stem that is looked for in the place of a word.
const shortest = 3

// folded makes letters with marks equal to those without, and z to s, as web/search.js does.
var folded = strings.NewReplacer("ё", "е", "й", "и", "z", "s")
