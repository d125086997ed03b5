package book

import (
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
)

// The nodes that our own parsers make. What the survey and the resolution find out is kept in them.
var (
	kindDirective = ast.NewNodeKind("Directive")
	kindTitle     = ast.NewNodeKind("DirectiveTitle")
	kindMathBlock = ast.NewNodeKind("MathBlock")
	kindMath      = ast.NewNodeKind("Math")
	kindLive      = ast.NewNodeKind("Live")
	kindCite      = ast.NewNodeKind("Cite")
	kindNoteRef   = ast.NewNodeKind("NoteRef")
)

// directive is `:::name Title {#id key="value"}` with what stands up to the closing colons.
type directive struct {
	ast.BaseBlock
	name   string
	attrs  []attr
	colons int
	closed bool
	number string // of a figure, table or problem: "1.2"
	id     string
	level  int // of the heading that a problem's title is
	svg    string
	listed []card // of chapters and instruments
}

// attr is one attribute; the id is named "#" and a class ".".
type attr struct {
	name, value string
	offset      int
}

func (n *directive) Kind() ast.NodeKind         { return kindDirective }
func (n *directive) Dump(src []byte, level int) { ast.DumpHelper(n, src, level, nil, nil) }
func (n *directive) attr(name string) string {
	for _, a := range n.attrs {
		if a.name == name {
			return a.value
		}
	}
	return ""
}

// title returns the directive's title, or nil.
func (n *directive) title() *titleNode {
	t, _ := n.FirstChild().(*titleNode)
	return t
}

// titleNode holds the inline text of a directive's first line; it is always the first child.
type titleNode struct{ ast.BaseBlock }

func (n *titleNode) Kind() ast.NodeKind         { return kindTitle }
func (n *titleNode) Dump(src []byte, level int) { ast.DumpHelper(n, src, level, nil, nil) }

// mathBlock is `$$ ... $$` in block position; its lines are the TeX between the marks.
type mathBlock struct {
	ast.BaseBlock
	closed bool
	html   string
}

func (n *mathBlock) Kind() ast.NodeKind         { return kindMathBlock }
func (n *mathBlock) IsRaw() bool                { return true }
func (n *mathBlock) Dump(src []byte, level int) { ast.DumpHelper(n, src, level, nil, nil) }

// mathNode is `$...$`, or `$$...$$` within a paragraph.
type mathNode struct {
	ast.BaseInline
	tex     text.Segments
	display bool
	html    string
}

func (n *mathNode) Kind() ast.NodeKind         { return kindMath }
func (n *mathNode) Dump(src []byte, level int) { ast.DumpHelper(n, src, level, nil, nil) }

// liveNode is `{{name}}` or `{{sheet.name}}`, and `[[name]]` or `[[sheet.name = 240]]` for a number that readers
// change.
type liveNode struct {
	ast.BaseInline
	text   string       // between the braces, up to an =
	input  bool         // it can be changed
	given  string       // what stands behind the =
	above  *sheet.Sheet // the nearest sheet above, if any
	broken bool         // that sheet does not compile
	html   string
}

func (n *liveNode) Kind() ast.NodeKind         { return kindLive }
func (n *liveNode) Dump(src []byte, level int) { ast.DumpHelper(n, src, level, nil, nil) }

// citeNode is `[@key; @other, p. 3]`.
type citeNode struct {
	ast.BaseInline
	items []citeItem
}

// citeItem is one work of a citation, and where in it.
type citeItem struct {
	key, locator string
	offset       int
}

func (n *citeNode) Kind() ast.NodeKind         { return kindCite }
func (n *citeNode) Dump(src []byte, level int) { ast.DumpHelper(n, src, level, nil, nil) }

// noteRef is `[^label]`. The first reference to a note takes the note's paragraphs as its children.
type noteRef struct {
	ast.BaseInline
	label  string
	number int
	nth    int  // 0 for the first reference, which carries the note
	after  bool // the note is printed after the block that holds the reference, not within it
}

func (n *noteRef) Kind() ast.NodeKind         { return kindNoteRef }
func (n *noteRef) Dump(src []byte, level int) { ast.DumpHelper(n, src, level, nil, nil) }

// attachNotes moves the text of every note to its first reference and numbers the references.
func (d *draft) attachNotes() {
	notes, labels := d.takeNotes()
	used := map[string]int{} // number of each note in use
	times := map[string]int{}
	walk(d.doc, func(n ast.Node) bool {
		ref, ok := n.(*noteRef)
		if !ok {
			return true
		}
		note := notes[ref.label]
		if note == nil {
			d.problem(ref, "no note `[^"+ref.label+"]`", suggest(ref.label, labels, "define it: `[^"+ref.label+"]: ...`"))
			return false
		}
		if used[ref.label] == 0 {
			used[ref.label] = len(used) + 1
			for c := note.FirstChild(); c != nil; c = note.FirstChild() {
				ref.AppendChild(ref, c)
			}
		}
		ref.number, ref.nth = used[ref.label], times[ref.label]
		times[ref.label]++
		return true
	})
	for _, label := range labels {
		if used[label] == 0 && notes[label].FirstChild() != nil {
			d.problem(notes[label], "the note `[^"+label+"]` is never used", "refer to it, or take it out")
		}
	}
}

// takeNotes removes the notes from where they were written.
func (d *draft) takeNotes() (notes map[string]*east.Footnote, labels []string) {
	notes = map[string]*east.Footnote{}
	var lists []ast.Node
	walk(d.doc, func(n ast.Node) bool {
		if n.Kind() == east.KindFootnoteList {
			lists = append(lists, n)
			return false
		}
		return true
	})
	for _, list := range lists {
		for c := list.FirstChild(); c != nil; c = c.NextSibling() {
			note := c.(*east.Footnote)
			label := string(note.Ref)
			if notes[label] != nil {
				d.problem(note, "a second note `[^"+label+"]`", "give it another label")
				continue
			}
			d.checkNote(note)
			notes[label] = note
			labels = append(labels, label)
		}
		list.Parent().RemoveChild(list.Parent(), list)
	}
	return notes, labels
}

// checkNote allows what can stand within a line: paragraphs.
func (d *draft) checkNote(note *east.Footnote) {
	if note.FirstChild() == nil {
		d.problem(note, "an empty note", "write its text behind the colon")
	}
	for c := note.FirstChild(); c != nil; c = c.NextSibling() {
		if c.Kind() != ast.KindParagraph && c.Kind() != ast.KindTextBlock {
			d.problem(c, "a note holds paragraphs only", "use a `:::margin` for more")
			note.RemoveChild(note, c)
			return
		}
	}
}
