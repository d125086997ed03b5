package book

import (
	"bytes"
	"html"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// directiveParser reads `:::name Title {#id key="value"}` up to a line of as many colons.
type directiveParser struct{}

func (directiveParser) Trigger() []byte { return []byte{':'} }

func (directiveParser) Open(_ ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, segment := reader.PeekLine()
	at := pc.BlockOffset()
	if at < 0 {
		return nil, parser.NoChildren
	}
	colons := countColons(line[at:])
	rest := line[at+colons:]
	name := leadingName(rest)
	if colons < 3 || name == "" {
		return nil, parser.NoChildren
	}
	n := &directive{name: name, colons: colons}
	base := segment.Start - segment.Padding + at + colons + len(name) // where the title begins in the source
	title := bytes.TrimRight(rest[len(name):], " \t\n")
	title, n.attrs = cutAttrs(title, base)
	trimmed := bytes.TrimLeft(title, " \t")
	if len(trimmed) > 0 {
		t := &titleNode{}
		start := base + len(title) - len(trimmed)
		t.Lines().Append(text.NewSegment(start, start+len(bytes.TrimRight(trimmed, " \t"))))
		t.SetPos(start)
		n.AppendChild(n, t)
	}
	reader.AdvanceToEOL()
	return n, parser.HasChildren
}

func (directiveParser) Continue(node ast.Node, reader text.Reader, pc parser.Context) parser.State {
	line, _ := reader.PeekLine()
	w, at := util.IndentWidth(line, reader.LineOffset())
	if w > 3 || at >= len(line) || line[at] != ':' {
		return parser.Continue | parser.HasChildren
	}
	colons := countColons(line[at:])
	if !util.IsBlank(line[at+colons:]) || !closes(node.(*directive), colons, pc.OpenedBlocks()) {
		return parser.Continue | parser.HasChildren
	}
	node.(*directive).closed = true
	reader.AdvanceToEOL()
	return parser.Close
}

// closes says whether a line of that many colons ends d: it must match, and nothing inside may claim it first.
func closes(d *directive, colons int, open []parser.Block) bool {
	if d.colons != colons {
		return false
	}
	inside := false
	for _, b := range open {
		if b.Node == d {
			inside = true
			continue
		}
		if !inside {
			continue
		}
		switch n := b.Node.(type) {
		case *directive:
			if n.colons == colons {
				return false
			}
		case *ast.FencedCodeBlock, *mathBlock:
			return false
		}
	}
	return true
}

func (directiveParser) Close(ast.Node, text.Reader, parser.Context) {}
func (directiveParser) CanInterruptParagraph() bool                 { return true }
func (directiveParser) CanAcceptIndentedLine() bool                 { return false }

func countColons(b []byte) int {
	n := 0
	for n < len(b) && b[n] == ':' {
		n++
	}
	return n
}

// leadingName returns the letters at the start of b.
func leadingName(b []byte) string {
	i := 0
	for i < len(b) && (isLetter(b[i]) || i > 0 && b[i] == '-') {
		i++
	}
	return string(b[:i])
}

// cutAttrs splits a trailing `{...}` off line; what isn't well-formed stays in the line.
// base is the offset of line in the source.
func cutAttrs(line []byte, base int) ([]byte, []attr) {
	if !bytes.HasSuffix(line, []byte("}")) || bytes.HasSuffix(line, []byte("}}")) {
		return line, nil
	}
	open := bytes.LastIndexByte(line, '{')
	if open < 0 || open > 0 && line[open-1] == '{' {
		return line, nil
	}
	attrs, ok := parseAttrs(string(line[open+1:len(line)-1]), base+open+1)
	if !ok {
		return line, nil
	}
	return line[:open], attrs
}

// parseAttrs reads `#id .class key=value key="some words"`.
func parseAttrs(s string, offset int) ([]attr, bool) {
	var out []attr
	for i := 0; ; {
		for i < len(s) && s[i] == ' ' {
			i++
		}
		if i == len(s) {
			return out, len(out) > 0
		}
		a := attr{offset: offset + i}
		if s[i] == '#' || s[i] == '.' {
			a.name = s[i : i+1]
			i++
		} else {
			a.name = leadingName([]byte(s[i:]))
			i += len(a.name)
			if a.name == "" || i == len(s) || s[i] != '=' {
				return nil, false
			}
			i++
		}
		if i < len(s) && s[i] == '"' {
			end := strings.IndexByte(s[i+1:], '"')
			if end < 0 {
				return nil, false
			}
			a.value, i = s[i+1:i+1+end], i+end+2
		} else {
			end := strings.IndexByte(s[i:]+" ", ' ')
			a.value, i = s[i:i+end], i+end
		}
		out = append(out, a)
	}
}

// directiveKind is what may be written about one kind of directive, and how it is called on the page.
type directiveKind struct {
	name  string
	label string   // the sentence that is printed before or instead of a title
	attrs []string // besides the id
	count string   // the sentence that it is counted by: "Figure 1.2"
}

// directiveKinds are all directives.
var directiveKinds = []directiveKind{
	{name: "note", label: "book.note"},
	{name: "takeaway", label: "book.takeaway"},
	{name: "warning", label: "book.warning"},
	{name: "try", label: "book.try"},
	{name: "erratum", label: "book.erratum", attrs: []string{"where", "printed", "edition", "as"}},
	{name: "problem", count: "book.problem"},
	{name: "hint", label: "book.hint"},
	{name: "answer", label: "book.answer"},
	{name: "figure", count: "book.figure", attrs: []string{"alt"}},
	{name: "table", count: "book.table-number"},
	{name: "margin", attrs: []string{"for"}},
	{name: "chapters"},
	{name: "instruments"},
}

func directiveNames() []string {
	var names []string
	for _, k := range directiveKinds {
		names = append(names, k.name)
	}
	return names
}

// kindOf returns what is known of a directive of that name.
func kindOf(name string) (directiveKind, bool) {
	i := slices.IndexFunc(directiveKinds, func(k directiveKind) bool { return k.name == name })
	if i < 0 {
		return directiveKind{}, false
	}
	return directiveKinds[i], true
}

// directive checks a directive and numbers it.
func (s *survey) directive(n *directive) {
	kind, ok := kindOf(n.name)
	if !ok {
		s.problem(
			n,
			"unknown directive `:::"+n.name+"`",
			suggest(n.name, directiveNames(), "known are "+strings.Join(directiveNames(), ", ")),
		)
		return
	}
	if !n.closed {
		s.problem(n, "`:::"+n.name+"` is never closed", "add a line of "+strings.Repeat(":", min(n.colons, 20)))
	}
	s.directiveAttrs(n, kind)
	n.level = min(s.level+1, 6)
	if kind.count != "" {
		s.counts[kind.count]++
		n.number = numbered(s.page.Number, s.counts[kind.count])
		s.nameDirective(n, slugWords(kind.name, s.titleText(n), n.number))
		s.targets[n.id] = &target{label: s.say(kind.count, "number", n.number)}
	}
	switch n.name {
	case "figure":
		s.figure(n)
	case "erratum":
		s.erratum(n)
	case "problem":
		s.page.Exercises = append(s.page.Exercises, Exercise{n.id, n.number, s.titleText(n)})
	case "chapters", "instruments":
		s.listing(n)
	case "table", "note", "takeaway", "warning", "try", "hint", "answer", "margin":
	}
}

// directiveAttrs reports attributes that mean nothing here.
func (s *survey) directiveAttrs(n *directive, kind directiveKind) {
	for _, a := range n.attrs {
		if a.name != "#" && !slices.Contains(kind.attrs, a.name) {
			s.problemAt(a.offset, "`:::"+n.name+"` takes no attribute `"+a.name+"`",
				suggest(a.name, kind.attrs, "only `{#id}`"))
		}
	}
}

// nameDirective gives a directive an id if its author has not.
func (s *survey) nameDirective(n *directive, words string) {
	if n.id == "" {
		n.id = s.freeID(words, n.name)
	}
}

// slugWords picks the words of a made-up id: the title if there is one, or the number.
func slugWords(kind, title, number string) string {
	if kind == "figure" {
		title = strings.TrimSuffix(title[strings.LastIndexByte(title, '/')+1:], ".svg")
		kind = "fig"
	}
	if title == "" {
		title = number
	}
	return kind + " " + title
}

// titleText is the title of a directive as its author wrote it, without marks.
func (d *draft) titleText(n *directive) string {
	t := n.title()
	if t == nil {
		return ""
	}
	if n.name == "figure" { // a path, not a text
		seg := t.Lines().At(0)
		return strings.ToValidUTF8(string(seg.Value(d.src)), string(utf8.RuneError))
	}
	return d.plain(t)
}

// Erratum says where the original book is wrong.
type Erratum struct {
	Page           *Page
	Anchor         string // its id in the page
	Title          string // plain text; may be empty
	Where, Printed string // in the original; plain text
	Edition        string // of the original, and when it was mended, if it was
	HTML           string // what is right, as a block
}

// ID is the erratum's id on the page that collects them.
func (e Erratum) ID() string { return listed(e.Page, e.Anchor) }

// listed is the id that an erratum of a page has where all are listed.
func listed(p *Page, anchor string) string { return p.Slug + "-" + anchor }

// marked says whether only a mark stands in the text, which leads to the list of errata.
func (n *directive) marked() bool { return n.name == "erratum" && n.attr("as") == "mark" }

// erratum checks an erratum and names it.
func (s *survey) erratum(n *directive) {
	s.nameDirective(n, "erratum "+n.attr("where"))
	s.targets[n.id] = &target{label: s.say("book.erratum")}
	if n.attr("where") == "" || n.attr("printed") == "" {
		s.problem(n, "an erratum that does not say what it corrects", "add `{where=\"Section 2\" printed=\"16 B\"}`")
	}
	if n.attr("as") != "" && !n.marked() {
		s.problem(n, "an erratum can't stand as `"+n.attr("as")+"`", "write `as=\"mark\"`, or leave it out")
	}
	if n.marked() && n.title() == nil {
		s.problem(n, "a mark of an erratum needs a title", "write `:::erratum Rounding too early {as=\"mark\" ...}`")
	}
	if inner := onlyInPage(n); n.marked() && inner != nil {
		s.problem(inner, "the body of this erratum stands on the page of errata, which has no calculators or notes",
			"move it out of the erratum, or take away `as=\"mark\"`")
	}
}

// onlyInPage finds a node that can't be shown outside of its page.
func onlyInPage(n ast.Node) (found ast.Node) {
	walk(n, func(c ast.Node) bool {
		switch c.(type) {
		case *ast.FencedCodeBlock, *noteRef:
			found = c
		}
		return found == nil
	})
	return found
}

// erratum prints what the original says and what is right, or a mark of it, and hands it to the book's list.
func (p *printer) erratum(n *directive) {
	if n.marked() {
		p.erratumMark(n)
	} else {
		p.erratumBox(n)
	}
	body := &printer{d: p.d, bare: true}
	body.children(n)
	p.d.page.Errata = append(p.d.page.Errata, Erratum{
		Page: p.d.page, Anchor: n.id, Title: p.d.titleText(n), Where: n.attr("where"),
		Printed: string(unbroken([]byte(n.attr("printed")))), Edition: p.d.edition(n), HTML: body.b.String(),
	})
}

// edition is the edition of the original that an erratum speaks of.
func (d *draft) edition(n *directive) string {
	if e := n.attr("edition"); e != "" {
		return e
	}
	return d.say("book.edition-read")
}

// erratumBox prints an erratum in full.
func (p *printer) erratumBox(n *directive) {
	p.open("div", "callout callout-erratum", n)
	p.raw(` role="note">` + "\n")
	p.title(n, "p", "callout-title", "book.erratum")
	p.raw(`<p class="erratum-printed">`)
	p.text(p.d.say("site.original-prints", "text", string(unbroken([]byte(n.attr("printed"))))))
	p.raw(` <span class="erratum-where">(`)
	p.text(n.attr("where") + ", " + p.d.edition(n))
	p.raw(")</span></p>\n")
	p.children(n)
	p.raw("</div>\n")
}

// erratumMark prints a line beside the text that leads to the erratum in the list.
func (p *printer) erratumMark(n *directive) {
	p.open("p", "erratum-mark", n)
	href := p.d.b.cfg.Base + "errata/#" + listed(p.d.page, n.id)
	p.raw(` role="note"><a href="` + html.EscapeString(href) + `"><span class="box-kind">`)
	p.text(p.d.say("book.erratum"))
	p.raw(`</span> `)
	if t := n.title(); t != nil {
		p.children(t)
	}
	p.raw("</a></p>\n")
}
