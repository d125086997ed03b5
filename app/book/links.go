package book

import (
	"bytes"
	"html"
	"image"
	_ "image/jpeg" // the formats whose size is known
	_ "image/png"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/scalebook/scalebook/app/widget"
	"github.com/scalebook/scalebook/app/widget/address"
	"github.com/yuin/goldmark/ast"
)

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
