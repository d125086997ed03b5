package book

import (
	"html"
	"slices"
	"strings"

	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/widget"
	"github.com/scalebook/scalebook/app/widget/address"
	"github.com/yuin/goldmark/ast"
)

// resolve fills in what needs the sheets of all pages and the bibliography: numbers, mathematics, citations.
func (d *draft) resolve() {
	walk(d.doc, func(n ast.Node) bool {
		switch n := n.(type) {
		case *liveNode:
			d.live(n)
		case *mathNode:
			n.html = d.mathematics(n, &n.tex, n.display)
		case *mathBlock:
			n.html = d.mathematics(n, n.Lines(), true)
		}
		return true
	})
}

// live finds the row that a number in the prose shows. A sheet that doesn't compile has been reported, once is enough.
func (d *draft) live(n *liveNode) {
	if !isRowName(n.text) {
		d.problem(
			n,
			"`{{"+n.text+"}}` names no row of a sheet",
			"write `{{name}}` or `{{some-sheet.name}}`; `\\{{` writes the braces themselves",
		)
		return
	}
	s, name := n.above, n.text
	if id, rest, ok := strings.Cut(n.text, "."); ok {
		name = rest
		if d.b.broken[id] {
			return
		}
		if s = d.b.sheets[id]; s == nil {
			d.problem(n, "no sheet `"+id+"` in the book", suggest(id, d.b.sheetIDs(), "name one that is there"))
			return
		}
	} else if n.broken {
		return
	}
	if s == nil {
		d.problem(n, "`{{"+n.text+"}}` without a sheet above it", "name the sheet: `{{some-sheet."+n.text+"}}`")
		return
	}
	if s.Row(name) == nil {
		d.problem(n, "the sheet `"+s.ID+"` has no row `"+name+"`", d.suggestRow(s, name))
		return
	}
	r := d.b.results[s]()
	if _, err := r.Value(name); err != nil {
		d.problem(n, "`"+s.ID+"."+name+"` has no value: "+err.Error(), "show only what has one at the defaults")
		return
	}
	if n.input {
		d.liveInput(n, s, name)
		return
	}
	render := d.b.cfg.RenderNumber
	switch {
	case d.b.cfg.RenderUnveiled != nil && d.unveiled(n, s):
		render = d.b.cfg.RenderUnveiled
	case d.b.cfg.RenderBelow != nil && d.below(n, s):
		render = d.b.cfg.RenderBelow
	}
	n.html = render(s, r, name)
}

// below says whether a number stands in the text below its sheet, and in no hint or answer.
func (d *draft) below(n ast.Node, s *sheet.Sheet) bool {
	var before []ast.Node // the blocks above n, and those around it
	for at := n; at != nil; at = at.Parent() {
		if around, ok := at.(*directive); ok && (around.name == "hint" || around.name == "answer") {
			return false
		}
		for p := at.PreviousSibling(); p != nil; p = p.PreviousSibling() {
			before = append(before, p)
		}
	}
	for f, block := range d.sheets {
		if block.Sheet == s {
			for at := ast.Node(f); at != nil; at = at.Parent() {
				if slices.Contains(before, at) {
					return true
				}
			}
		}
	}
	return false
}

// unveiled says whether a number hides no answer: away from its question, on another page, in another section or in the
// text of another problem, where nobody could answer it. An erratum beside its question waits for the answer, too; the
// list of errata has its numbers as plain text.
func (d *draft) unveiled(n ast.Node, s *sheet.Sheet) bool {
	for f, block := range d.sheets {
		if block.Sheet == s {
			at := problemAround(n)
			return sectionOf(n) != sectionOf(f) || at != nil && at != problemAround(f)
		}
	}
	return true
}

// problemAround is the problem that n is part of, nil if there is none.
func problemAround(n ast.Node) ast.Node {
	for ; n != nil; n = n.Parent() {
		if around, ok := n.(*directive); ok && around.name == "problem" {
			return n
		}
	}
	return nil
}

// sectionOf is the heading that n's section of the page begins with, nil before the first.
func sectionOf(n ast.Node) ast.Node {
	for n.Parent() != nil && n.Parent().Kind() != ast.KindDocument {
		n = n.Parent()
	}
	for ; n != nil; n = n.PreviousSibling() {
		if h, ok := n.(*ast.Heading); ok && h.Level <= 2 {
			return n
		}
	}
	return nil
}

// liveInput is a number of the prose that the reader can change.
func (d *draft) liveInput(n *liveNode, s *sheet.Sheet, name string) {
	in := s.Input(name)
	if in == nil || in.Form() != input.NumberForm {
		d.problem(n, "`[["+n.text+"]]` is no number that a reader may change",
			"name a number behind `let`, or show it with `{{"+n.text+"}}`")
		return
	}
	if n.given != "" {
		st, err := s.Set(nil, name, n.given)
		if v, set := st[name]; err != nil || set && v.Num.Value != in.Default.Num.Value {
			d.problem(n, "`"+s.ID+"."+name+"` begins as "+in.Default.String()+", not as "+n.given,
				"write what the sheet says, or leave out the =")
			return
		}
	}
	n.html = d.b.cfg.RenderInput(s, name)
}

// suggestRow looks for the name in the other sheets of the page, and for a similar one in this sheet.
func (d *draft) suggestRow(s *sheet.Sheet, name string) string {
	for _, other := range d.page.Sheets {
		if other.Row(name) != nil {
			return "did you mean `{{" + other.ID + "." + name + "}}`?"
		}
	}
	var names []string
	for i := range s.Rows {
		names = append(names, s.Rows[i].Name)
	}
	return suggest(name, names, "its rows are "+strings.Join(names, ", "))
}

// sheetIDs are the ids of all sheets, by page and place.
func (b *builder) sheetIDs() []string {
	var ids []string
	for _, d := range b.drafts {
		for _, s := range d.page.Sheets {
			ids = append(ids, s.ID)
		}
	}
	return ids
}

// isRowName says whether s looks like `name` or `some-sheet.name`.
func isRowName(s string) bool {
	_, name, dotted := strings.Cut(s, ".")
	if !dotted {
		name = s
	}
	for i := range len(name) {
		if c := name[i]; !isLetter(c) && c != '_' && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return name != ""
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
	return strings.HasPrefix(dest, "https://") || strings.HasPrefix(dest, "http://") ||
		strings.HasPrefix(dest, "mailto:")
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
