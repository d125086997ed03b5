package site

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"regexp"
	"slices"
	"strings"

	"github.com/scalebook/scalebook/app/answer"
	"github.com/scalebook/scalebook/app/book"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet"
)

//go:embed shell.tmpl
var shellText string

// shell is what stands around every page.
type shell struct {
	base    string
	assets  *assets
	book    *book.Book
	tmpl    *template.Template
	phrases phrase.Phrases
	alone   map[*sheet.Sheet]template.HTML // the calculators as they stand alone
	version string                         // of the whole site: a hash of its pages and assets
	offline bool                           // pages start the worker
	tongues []Tongue                       // the languages that pages lead to; none if there is one
	books   Files                          // to take along: printed, and for e-readers

	origin, repository, day string // see Options
}

// view is what the template sees.
type view struct {
	*shell
	Page     *book.Page // nil on pages that the site makes itself
	At       string     // the place below the base of pages that the site makes itself: "errata/"
	Heading  string     // of such pages
	Title    string     // of the window
	Describe string
	URL      string
	Body     template.HTML
	Alone    bool     // an embed page
	Units    string   // of the numbers of its calculator, as JSON
	Scratch  *scratch // of the page of the scratch pad
}

// Asks counts the questions that the calculators of the page ask.
func (v view) Asks() (n int) {
	if v.Page == nil {
		return 0
	}
	for _, s := range v.Page.Sheets {
		n += len(s.Asks)
	}
	return n
}

func newShell(base string, a *assets, b *book.Book, l phrase.Phrases) *shell {
	return &shell{
		base:    base,
		phrases: l,
		assets:  a,
		book:    b,
		tmpl:    template.Must(template.New("shell").Parse(shellText + findText + scratchText)),
	}
}

// files are the pages. They are made twice: what they say is their version, and that stands in their footers.
func (s *shell) files() (Files, error) {
	files, err := s.pages()
	if err != nil {
		return nil, err
	}
	s.version = stamp(files, s.assets.files)
	if files, err = s.pages(); err != nil {
		return nil, err
	}
	return files, s.machines(files)
}

// stamp is a hash of files.
func stamp(all ...Files) string {
	h := sha256.New()
	for _, files := range all {
		for _, name := range files.Names() {
			sum := sha256.Sum256(files[name])
			h.Write([]byte(name + "\x00"))
			h.Write(sum[:])
		}
	}
	return hex.EncodeToString(h.Sum(nil))[:12]
}

// pages executes the template for every page.
func (s *shell) pages() (Files, error) {
	files := Files{}
	if err := files.each(s.book.Pages, s.bookPage); err != nil {
		return nil, err
	}
	if err := errors.Join(s.ownPages(files), s.padPage(files)); err != nil {
		return nil, err
	}
	return files, s.page(
		files,
		"404.html",
		"missing",
		view{Title: s.text("site.no-page"), Describe: s.text("site.no-page-here")},
	)
}

// bookPage executes the templates for a page of the book, and for each of its calculators alone.
func (s *shell) bookPage(files Files, p *book.Page) error {
	kind := "chapter"
	if p.Kind == book.Home {
		kind = "home"
	}
	v := view{Page: p, Title: s.windowTitle(p), Describe: p.Description, URL: p.URL, Body: template.HTML(p.HTML)}
	if err := s.page(files, strings.TrimPrefix(p.URL, s.base)+"index.html", kind, v); err != nil {
		return err
	}
	for _, sh := range p.Sheets {
		v := view{
			Page: p, Alone: true, Title: sh.Title, URL: p.URL + "#" + sh.ID, Body: s.alone[sh],
			Describe: s.text("site.calculator-from", "page", p.Title), Units: unitsOf(sh),
		}
		if err := s.page(files, "embed/"+sh.ID+"/index.html", "embed", v); err != nil {
			return err
		}
	}
	return nil
}

// unitsOf are the base units of the numbers of a sheet by name, as JSON: what a page around learns of them.
func unitsOf(sh *sheet.Sheet) string {
	text, err := json.Marshal(answer.Units(sh))
	if err != nil {
		panic(err) // texts only: can't fail
	}
	return string(text)
}

// page executes one template.
func (s *shell) page(files Files, name, kind string, v view) error {
	v.shell = s
	var b bytes.Buffer
	if err := s.tmpl.ExecuteTemplate(&b, kind, v); err != nil {
		return err
	}
	files[name] = b.Bytes()
	return nil
}

// The methods below are the template's words.

// Base is the base path.
func (s *shell) Base() string { return s.base }

// Theme is the script that every page holds.
func (s *shell) Theme() template.JS { return template.JS(s.assets.theme) }

// ThemeHash is how the page's policy names that script.
func (s *shell) ThemeHash() string {
	sum := sha256.Sum256(s.assets.theme)
	return base64.StdEncoding.EncodeToString(sum[:])
}

// Asset is the address of a file in web, "" for one that isn't there.
func (s *shell) Asset(name string) string { return s.assets.urls[name] }

// Offline says whether pages start the worker.
func (s *shell) Offline() bool { return s.offline }

// Version stands for all that the site says.
func (s *shell) Version() string { return s.version }

// Name is the title of the book: that of its home page.
func (s *shell) Name() string {
	if home := s.book.Page(""); home != nil {
		return home.Title
	}
	return "Scalebook"
}

func (s *shell) windowTitle(p *book.Page) string {
	if p.Kind == book.Home {
		return p.Title
	}
	return p.Title + " · " + s.Name()
}

// Checks is the number of expects on the page.
func (v view) Checks() int {
	n := 0
	if v.Page != nil {
		for _, sh := range v.Page.Sheets {
			n += len(sh.Expects)
		}
	}
	return n
}

// Wide says whether the page is that of an instrument, which may take the space of the margin.
func (v view) Wide() bool { return v.Page != nil && v.Page.Kind == book.Tool }

// draws says whether a sheet of the page has a figure.
func (v view) draws() bool {
	return v.Scratch != nil ||
		v.Page != nil && slices.ContainsFunc(v.Page.Sheets, func(s *sheet.Sheet) bool { return len(s.Figures) > 0 })
}

// Styles are the style sheets that the page needs besides the book's: those of its figures.
func (v view) Styles() []string {
	var urls []string
	if url := v.Asset(drawingStyle); url != "" && v.draws() {
		urls = append(urls, url)
	}
	return urls
}

// IsHome says whether this is the first page.
func (v view) IsHome() bool { return v.Page != nil && v.Page.Kind == book.Home }

// Current says whether the contents stand on page p.
func (v view) Current(p *book.Page) bool { return v.Page == p }

// HTML marks text of the book as the HTML that it is.
func (v view) HTML(text string) template.HTML { return template.HTML(text) }

// call is where a script begins to name a sentence: phrase("site.saved").
var call = regexp.MustCompile(`\bphrase\("([a-z]+\.[a-z0-9-]+)"`)

// whole is a call that names a sentence without gaps, as a style sheet does.
var whole = regexp.MustCompile(call.String() + `\)`)

// spoken puts the sentences of a language into a script that names them: phrase("site.saved", { name }) becomes a text
// with the value of name in its gap. So a script has no table to load, and says nothing twice.
func spoken(script []byte, l phrase.Phrases) ([]byte, error) {
	var out bytes.Buffer
	for {
		at := call.FindSubmatchIndex(script)
		if at == nil {
			out.Write(script)
			return out.Bytes(), nil
		}
		key := string(script[at[2]:at[3]])
		values, n := arguments(string(script[at[1]:]))
		text, err := literal(l.Sentence(key), values)
		if n == 0 || err != nil || l.Sentence(key) == key {
			return nil, fmt.Errorf("a script names the sentence %s with other gaps than it has, or there is none (%v)",
				key, err)
		}
		out.Write(script[:at[0]])
		out.WriteString(text)
		script = script[at[1]+n:]
	}
}

// arguments are the values behind the key of a call, by the names of their gaps, and how long the rest of the call is.
func arguments(rest string) (values map[string]string, n int) {
	if strings.HasPrefix(rest, ")") {
		return nil, 1
	}
	inner, _, ok := strings.Cut(rest, " })")
	inner, opened := strings.CutPrefix(inner, ", { ")
	if !ok || !opened {
		return nil, 0
	}
	values = map[string]string{}
	for pair := range strings.SplitSeq(inner, ", ") {
		name, value, named := strings.Cut(pair, ": ")
		if !named {
			value = name
		}
		values[name] = value
	}
	return values, len(", { ") + len(inner) + len(" })")
}

// literal is a sentence as a script writes a text.
func literal(sentence string, values map[string]string) (string, error) {
	escape := strings.NewReplacer("\\", `\\`, "`", "\\`", "${", `\${`)
	text, filled := "`", 0
	for rest := sentence; rest != ""; {
		before, name, after := phrase.Gap(rest)
		text += escape.Replace(before)
		if value, ok := values[name]; ok {
			text += "${" + value + "}"
			filled++
		} else if name != "" {
			return "", fmt.Errorf("nothing fills the gap %s", name)
		}
		rest = after
	}
	if filled != len(values) {
		return "", fmt.Errorf("%d values for %d gaps", len(values), filled)
	}
	return text + "`", nil
}

// worded puts the sentences of a language into a style sheet that names them: content: phrase("site.printed") becomes a
// text in quotes.
func worded(css []byte, l phrase.Phrases) (out []byte, err error) {
	quotes := strings.NewReplacer(`\`, `\\`, `"`, `\"`)
	out = whole.ReplaceAllFunc(css, func(found []byte) []byte {
		key := string(whole.FindSubmatch(found)[1])
		sentence := l.Sentence(key)
		if _, gap, _ := phrase.Gap(sentence); sentence == key || gap != "" {
			err = fmt.Errorf("a style sheet names the sentence %s, which has a gap, or there is none", key)
		}
		return []byte(`"` + quotes.Replace(sentence) + `"`)
	})
	return out, err
}

// Say is a sentence of the shell; a gap filled with HTML stays HTML.
func (s *shell) Say(key string, gaps ...any) template.HTML {
	var b strings.Builder
	for rest := s.phrases.Sentence(key); rest != ""; {
		before, name, after := phrase.Gap(rest)
		b.WriteString(template.HTMLEscapeString(before))
		for i := 0; i+1 < len(gaps); i += 2 {
			if value, isHTML := gaps[i+1].(template.HTML); gaps[i] == name && isHTML {
				b.WriteString(string(value))
			} else if gaps[i] == name {
				b.WriteString(template.HTMLEscapeString(s.phrases.Text(gaps[i+1])))
			}
		}
		rest = after
	}
	return template.HTML(b.String())
}

// text is a sentence of the shell that is not HTML: of a window's title, of a description.
func (s *shell) text(key string, gaps ...any) string { return s.phrases.Say(key, gaps...) }

// Link is a sentence that leads somewhere.
func (s *shell) Link(address, key string, gaps ...any) template.HTML {
	return template.HTML(`<a href="`+template.HTMLEscapeString(address)+`">`) + s.Say(key, gaps...) + `</a>`
}

// Tag is a text as an element: code, em.
func (s *shell) Tag(tag string, text any) template.HTML {
	open, closing := template.HTML("<"+tag+">"), template.HTML("</"+tag+">")
	if html, ok := text.(template.HTML); ok {
		return open + html + closing
	}
	return open + template.HTML(template.HTMLEscapeString(s.phrases.Text(text))) + closing
}

// TopLink leads from a calculator alone to its page, out of any frame.
func (v view) TopLink() template.HTML {
	return template.HTML(`<a href="` + template.HTMLEscapeString(v.URL) + `" target="_top">` +
		template.HTMLEscapeString(v.Page.Title) + `</a>`)
}
