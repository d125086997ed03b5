package book

import (
	"bytes"
	_ "embed" // the names that a drawing may use
	"encoding/xml"
	"errors"
	"fmt"
	"html"
	"image"
	_ "image/jpeg" // the formats whose size is known
	_ "image/png"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
)

//go:embed svgnames.txt
var svgNames string

// figure loads the drawing or picture of a `:::figure`.
func (s *survey) figure(n *directive) {
	name := path.Clean(s.titleText(n))
	if n.title() == nil {
		s.problem(n, "a figure without a file", "write `:::figure figures/x.svg {#fig-x}`")
		return
	}
	switch path.Ext(name) {
	case ".png", ".jpg", ".jpeg":
		if n.attr("alt") == "" {
			s.problem(n, "a picture without a description", "add `{alt=\"what it shows\"}`")
		}
		if p := s.picture(n, name); p != nil {
			n.svg = p.html(n.attr("alt"))
		}
	case ".svg":
		data, err := fs.ReadFile(s.b.fsys, name)
		if err != nil {
			s.problem(n, "no file `"+name+"` in the content folder", "paths are relative to it: `figures/x.svg`")
			return
		}
		if n.svg, err = cleanSVG(data, n.id+"--"); err != nil {
			s.problem(n, "`"+name+"`: "+err.Error(), "")
		}
	default:
		s.problem(n, "a figure of an unknown kind: `"+name+"`", "use .svg, .png or .jpg")
	}
}

func (p *picture) html(alt string) string {
	return fmt.Sprintf(`<img src="%s" alt="%s" width="%d" height="%d" loading="lazy">`,
		html.EscapeString(p.url), html.EscapeString(alt), p.width, p.height)
}

// svgCleaner copies a drawing, letting through what svgnames.txt names and nothing else.
type svgCleaner struct {
	out        strings.Builder
	prefix     string // of every id, so that drawings can't meet in a page
	elements   map[string]bool
	attributes map[string]bool
	depth      int
	texts      map[string]int // characters in <title> and <desc> directly below the root
	within     string
}

// cleanSVG sanitises a drawing for use within a page: no scripts, styles or references to the outside, ids prefixed,
// and a name and a description for those who don't see it.
func cleanSVG(data []byte, prefix string) (string, error) {
	c := &svgCleaner{prefix: prefix, texts: map[string]int{}}
	c.elements, c.attributes = svgTables()
	dec := xml.NewDecoder(bytes.NewReader(data))
	for {
		tok, err := dec.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return "", err
		}
		if err := c.token(tok); err != nil {
			line, _ := dec.InputPos()
			return "", fmt.Errorf("line %d: %w", line, err)
		}
	}
	if c.out.Len() == 0 {
		return "", errors.New("the file is not one <svg>")
	}
	if c.texts["title"] == 0 || c.texts["desc"] == 0 {
		return "", errors.New("the drawing needs a <title> and a <desc> right below <svg>")
	}
	return strings.TrimSpace(c.out.String()), nil
}

// svgTables reads svgnames.txt.
func svgTables() (elements, attributes map[string]bool) {
	elements, attributes = map[string]bool{}, map[string]bool{}
	for line := range strings.Lines(svgNames) {
		kind, names, _ := strings.Cut(line, ":")
		for _, name := range strings.Fields(names) {
			if kind == "elements" {
				elements[name] = true
			} else if kind == "attributes" {
				attributes[name] = true
			}
		}
	}
	return elements, attributes
}

func (c *svgCleaner) token(tok xml.Token) error {
	switch t := tok.(type) {
	case xml.StartElement:
		return c.start(t)
	case xml.EndElement:
		c.depth--
		c.within = ""
		c.out.WriteString("</" + t.Name.Local + ">")
	case xml.CharData:
		if c.depth == 0 {
			return nil
		}
		if c.within != "" {
			c.texts[c.within] += len(bytes.TrimSpace(t))
		}
		c.out.WriteString(html.EscapeString(string(t)))
	case xml.Directive:
		return errors.New("a document type")
	}
	return nil
}

func (c *svgCleaner) start(t xml.StartElement) error {
	name := t.Name.Local
	if c.depth == 0 && (name != "svg" || c.out.Len() > 0) {
		return errors.New("the file is not one <svg>")
	}
	if !c.elements[name] || c.depth > 0 && name == "svg" {
		return fmt.Errorf("<%s> is not allowed in a drawing", name)
	}
	c.out.WriteString("<" + name)
	if c.depth == 0 {
		fmt.Fprintf(&c.out, ` role="img" aria-labelledby="%stitle %sdesc"`, c.prefix, c.prefix)
	}
	c.within = ""
	heads := c.depth == 1 && (name == "title" || name == "desc")
	if heads && c.texts[name] == 0 {
		c.within = name
		fmt.Fprintf(&c.out, ` id="%s%s"`, c.prefix, name)
	}
	if c.depth == 0 && !slices.ContainsFunc(t.Attr, func(a xml.Attr) bool { return a.Name.Local == "viewBox" }) {
		return errors.New("the drawing needs a viewBox")
	}
	for _, a := range t.Attr {
		if err := c.attribute(a, name, heads); err != nil {
			return err
		}
	}
	c.out.WriteString(">")
	c.depth++
	return nil
}

func (c *svgCleaner) attribute(a xml.Attr, element string, heads bool) error {
	name, value := a.Name.Local, a.Value
	switch {
	case a.Name.Space == "xmlns" || name == "xmlns":
		return nil
	case a.Name.Space == "http://www.w3.org/1999/xlink" && name == "href":
	case a.Name.Space == "http://www.w3.org/XML/1998/namespace":
		return nil
	case a.Name.Space != "":
		return fmt.Errorf("the attribute %s:%s is not allowed in a drawing", a.Name.Space, name)
	}
	switch {
	case name == "role" || strings.HasPrefix(name, "aria-") || name == "id" && heads:
		return nil // the cleaner's own
	case name == "id":
		value = c.prefix + value
	case name == "href":
		local, ok := strings.CutPrefix(value, "#")
		if !ok {
			return errors.New("a reference to the outside: " + value)
		}
		value = "#" + c.prefix + local
	case !c.attributes[name]:
		return fmt.Errorf("the attribute %s of <%s> is not allowed in a drawing", name, element)
	case strings.ContainsAny(value, `\<`):
		return fmt.Errorf("the value of %s is not plain: %s", name, value)
	case strings.Contains(strings.ToLower(value), "url("):
		local, ok := strings.CutPrefix(value, "url(#")
		if !ok || strings.Count(value, "(") != 1 {
			return errors.New("a reference to the outside: " + value)
		}
		value = "url(#" + c.prefix + local
	}
	fmt.Fprintf(&c.out, ` %s="%s"`, name, html.EscapeString(value))
	return nil
}

// picture is an image file that a page shows as it is.
type picture struct {
	url           string
	width, height int
}

// image finds a picture in the content folder.
func (d *draft) image(n *ast.Image) {
	dest := string(unescape(n.Destination))
	name := path.Clean(dest)
	switch path.Ext(name) {
	case ".png", ".jpg", ".jpeg":
	default:
		d.problem(
			n,
			"an image of an unknown kind: "+dest,
			"use a .png or .jpg of the content folder; a drawing goes into a `:::figure x.svg`",
		)
		return
	}
	if d.plain(n) == "" {
		d.problem(n, "an image without a description", "write what it shows: `![two chips](...)`")
	}
	d.images[n] = d.picture(n, name)
}

// picture loads an image's size; nil if there is none.
func (d *draft) picture(n ast.Node, name string) *picture {
	data, err := fs.ReadFile(d.b.fsys, name)
	if err != nil {
		d.problem(n, "no file `"+name+"` in the content folder", "paths are relative to it: `figures/x.png`")
		return nil
	}
	cfg, _, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		d.problem(n, "`"+name+"` cannot be read: "+err.Error(), "save it again as .png or .jpg")
		return nil
	}
	d.files = append(d.files, name)
	return &picture{url: d.b.cfg.Base + name, width: cfg.Width, height: cfg.Height}
}

// card is a page in a list of the book's own pages. What it says of itself stands in its front matter.
type card struct {
	*Page
	beside []*Page // of a chapter: the pages that belong to it
	art    string  // of an instrument: its picture, an <svg>
}

// listing finds the pages of `:::chapters` and `:::instruments`, and loads their pictures.
func (s *survey) listing(n *directive) {
	for _, d := range s.b.drafts {
		switch p := d.page; {
		case n.name == "chapters" && p.Kind == Chapter:
			n.listed = append(n.listed, card{Page: p})
		case n.name == "chapters" && p.Kind == Plain && p.Number != "" && len(n.listed) > 0:
			if last := &n.listed[len(n.listed)-1]; last.Number == p.Number {
				last.beside = append(last.beside, p)
			}
		case n.name == "instruments" && p.Kind == Tool:
			n.listed = append(n.listed, card{Page: p, art: s.art(n, p)})
		}
	}
}

// art is the picture of a page; "" if it has none.
func (s *survey) art(n *directive, p *Page) string {
	if p.Picture == "" {
		return ""
	}
	data, err := fs.ReadFile(s.b.fsys, p.Picture)
	if err != nil {
		s.problem(n, "no file `"+p.Picture+"`, the picture of "+p.File, "paths are relative to the content folder")
		return ""
	}
	svg, err := cleanSVG(data, "art-"+p.Slug+"--")
	if err != nil {
		s.problem(n, "`"+p.Picture+"`: "+err.Error(), "")
	}
	return svg
}

// holds says what a chapter and the pages beside it have to work with.
func (l card) holds(d *draft) string {
	sheets, problems := len(l.Sheets), len(l.Exercises)
	for _, p := range l.beside {
		sheets, problems = sheets+len(p.Sheets), problems+len(p.Exercises)
	}
	if problems == 0 {
		return d.phrases().Count(sheets, "book.calculators")
	}
	return d.phrases().Count(sheets, "book.calculators") + ", " + d.phrases().Count(problems, "book.problems")
}

// listing prints chapters with their numbers, or instruments with their pictures.
func (p *printer) listing(n *directive) {
	class := "home-chapters"
	if n.name == "instruments" {
		class = "home-tools"
	}
	p.raw(`<ol class="` + class + `">` + "\n")
	for _, l := range n.listed {
		p.raw(`<li><a href="` + html.EscapeString(l.URL) + `">`)
		if n.name == "chapters" {
			p.raw(`<span class="contents-no">` + html.EscapeString(l.Number) + `</span>`)
		} else {
			p.raw(`<span class="tool-art" aria-hidden="true">` + l.art + `</span>`)
		}
		p.raw("<strong>")
		p.text(l.Title)
		p.raw("</strong> <span>")
		p.text(l.Subtitle)
		if n.name == "chapters" {
			p.raw(` <small>`)
			p.text(l.holds(p.d))
			p.raw("</small>")
		}
		p.raw("</span></a></li>\n")
	}
	p.raw("</ol>\n")
}

// listing is the same in Markdown.
func (t *twin) listing(n *directive) string {
	var lines []string
	for _, l := range n.listed {
		lines = append(lines, "- ["+escape(l.FullTitle())+"]("+t.origin+l.URL+"): "+escape(l.Subtitle))
	}
	return strings.Join(lines, "\n")
}
