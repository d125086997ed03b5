package book

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// directiveKind is what may be written about one kind of directive, and how it is called on the page.
type directiveKind struct {
	name  string
	label string   // printed before or instead of a title
	attrs []string // besides the id
	count string   // what it is counted as: "Figure" gives "Figure 1.2"
}

// directiveKinds are all directives.
var directiveKinds = []directiveKind{
	{name: "note", label: "Note"},
	{name: "takeaway", label: "Takeaway"},
	{name: "warning", label: "Warning"},
	{name: "try", label: "Try it"},
	{name: "erratum", label: "Erratum", attrs: []string{"where", "printed", "edition", "as"}},
	{name: "problem", count: "Problem"},
	{name: "hint", label: "Hint"},
	{name: "answer", label: "Answer"},
	{name: "figure", count: "Figure", attrs: []string{"alt"}},
	{name: "table", count: "Table"},
	{name: "margin"},
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
		s.targets[n.id] = &target{label: kind.count + " " + n.number}
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
			s.problemAt(a.offset, "`:::"+n.name+"` takes no attribute `"+a.name+"`", suggest(a.name, kind.attrs, "only `{#id}`"))
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
