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

	"github.com/scalebook/scalebook/app/widget"
	"github.com/scalebook/scalebook/app/widget/address"
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

// resolveLinks checks every link, rewrites those within the book, and finds texts for those that have none.
func (d *draft) resolveLinks() {
	walk(d.doc, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Link:
			d.link(n)
		case *ast.Image:
			d.image(n)
		case *ast.AutoLink:
			if n.AutoLinkType == ast.AutoLinkURL && !external(string(n.URL(d.src))) {
				d.problem(n, "a link of an unknown kind: "+string(n.URL(d.src)), "write https://...")
			}
		}
		return true
	})
}

// external says whether an address leaves the site.
func external(dest string) bool {
	return strings.HasPrefix(dest, "https://") || strings.HasPrefix(dest, "http://") || strings.HasPrefix(dest, "mailto:")
}

// link resolves one link. One that leads nowhere loses its destination, and is printed as its text.
func (d *draft) link(n *ast.Link) {
	dest := string(unescape(n.Destination))
	n.Destination = []byte(dest)
	if term, ok := strings.CutPrefix(dest, "?"); ok {
		d.term(n, term)
		return
	}
	if external(dest) {
		if n.FirstChild() == nil {
			d.problem(n, "a link without a text", "write `[text]("+dest+")` or `<"+dest+">`")
		}
		return
	}
	file, fragment, _ := strings.Cut(dest, "#")
	file, query, asked := strings.Cut(file, "?")
	to, url, ok := d.pageOf(file)
	if !ok {
		d.problem(
			n,
			"no page `"+file+"`",
			suggest(file, d.b.addresses(), "link to a chapter (`rooflines.md`), or `https://...`"),
		)
		n.Destination = nil
		return
	}
	if asked {
		d.linkState(n, query)
		url += "?" + query
	}
	if fragment != "" {
		url += "#" + fragment
	}
	n.Destination = []byte(url)
	switch {
	case to == nil:
		if n.FirstChild() == nil {
			d.problem(n, "a link without a text", "write one")
		}
	case fragment != "":
		d.linkFragment(n, to, fragment)
	case n.FirstChild() == nil:
		d.labels[n] = strings.Replace(html.EscapeString(to.page.FullTitle()), ". ", "."+nbsp, 1)
	}
}

// linkState checks what a link sets in the sheets of the page it leads to.
func (d *draft) linkState(n *ast.Link, query string) {
	ps, _, problems := address.Decode(query)
	seen := map[string]bool{}
	for _, p := range ps {
		if s := d.b.sheets[p.Sheet]; s != nil && !seen[p.Sheet] {
			seen[p.Sheet] = true
			problems = append(problems, widget.Check(s, ps)...)
		}
	}
	for _, what := range problems {
		d.problem(n, what.String(), "set what the calculator has, as its own link does")
	}
}

// pageOf finds the page of a link; to is nil for what the site makes itself.
func (d *draft) pageOf(file string) (to *draft, url string, ok bool) {
	if file == "" {
		return d, "", true
	}
	local := strings.TrimPrefix(strings.TrimPrefix(file, "./"), "/")
	for _, other := range d.b.drafts {
		if local == other.name ||
			strings.TrimSuffix(local, "/") == other.page.Slug && (local == "" || strings.HasSuffix(local, "/")) {
			return other, other.page.URL, true
		}
	}
	if slices.Contains(d.b.cfg.Known, local) {
		return nil, d.b.cfg.Base + local, true
	}
	return nil, "", false
}

// addresses are what a link may name.
func (b *builder) addresses() []string {
	var out []string
	for _, d := range b.drafts {
		out = append(out, d.name, "/"+d.page.Slug+"/")
	}
	for _, known := range b.cfg.Known {
		out = append(out, "/"+known)
	}
	return out
}

// linkFragment checks where in a page a link leads, and finds its text.
func (d *draft) linkFragment(n *ast.Link, to *draft, fragment string) {
	t := to.targets[fragment]
	if t == nil || t.label == "" && t.heading == nil {
		d.problem(
			n,
			"nothing has the id `"+fragment+"` in "+to.name,
			suggest(fragment, to.ids(), "see the headings and `{#id}`s of that page"),
		)
		return
	}
	if n.FirstChild() != nil {
		return
	}
	switch {
	case t.heading != nil:
		d.labels[n] = to.inlineHTML(t.heading)
	case t.title != nil:
		d.labels[n] = to.inlineHTML(t.title)
	default:
		d.labels[n] = html.EscapeString(t.label)
	}
}

// ids are the ids of a page that may be linked to, sorted.
func (d *draft) ids() []string {
	var ids []string
	for id, t := range d.targets {
		if t.label != "" || t.heading != nil {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
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
