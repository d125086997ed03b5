package book

import (
	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
)

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
