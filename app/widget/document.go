package widget

import (
	"slices"
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// DocumentField is a field for a long text, which a file can be chosen for or dropped into. It stays with the reader:
// nothing is sent anywhere.
type DocumentField struct {
	ID, Name, Label string
	Accept          string // the names of files that suit, as a file chooser takes them
	Text            string // what a page before its scripts shows
	Wrong           bool   // the text was refused
	Phrases         phrase.Phrases
}

// Controls are the field and the button for a file.
func (d DocumentField) Controls() []*Node {
	area := el("textarea", class("field field-document"), attr("id", d.ID), attr("name", d.Name), attr("rows", "6"),
		attr("spellcheck", "false"),
		attr("autocomplete", "off"), attr("autocapitalize", "off"), attr("aria-label", d.Label),
		attr("aria-describedby", d.ID+"--note"), on("input", DoInput, d.Name), on("paste", DoPaste, d.Name))
	if d.Wrong {
		area.Attrs = append(area.Attrs, Attr{Name: "aria-invalid", Value: "true"})
	}
	if d.Text != "" {
		area.Add(text(d.Text))
	}
	file := el("input", attr("type", "file"), class("file"), attr("id", d.ID+"--file"),
		attr("aria-label", d.Phrases.Say("widget.choose-file", "label", d.Label)), on("change", DoFile, d.Name))
	if d.Accept != "" {
		file.Attrs = append(file.Attrs, Attr{Name: "accept", Value: strings.ReplaceAll(d.Accept, " ", ",")})
	}
	return []*Node{area, el("div", class("control"), file)}
}

// documentControl is a fold with the field of a document. A file may be dropped on the closed fold too, so what there
// is to say stands below it.
type documentControl struct{ unadorned }

func (documentControl) node(v *View, in *input.Input) *Node {
	key := documentKey(in.Name)
	field := DocumentField{ID: v.id(in.Name), Name: in.Name, Label: v.called(in.Name), Accept: in.Accept,
		Wrong: v.errs[in.Name] != "", Phrases: v.phrases()}
	kind := "input input-document"
	if v.Changed(in.Name) {
		kind += " changed"
	}
	return el("div", class(kind), on("dragover", DoOver, in.Name), on("drop", DoLand, in.Name),
		el("details", class("more"), attr("data-key", key), bare("open", v.open[key]), on("toggle", DoToggle, key),
			el("summary", field.Label),
			el("div", class("more-body"), el("p", class("help"), v.say("widget.document-help")), field.Controls())),
		v.note(in))
}

// holds is the field, which shows no text that is too long for it.
func (documentControl) holds(v *View, in *input.Input) []Control {
	shown := v.Text(in)
	if len(shown) > LongDocument || v.shortened(in) > 0 {
		shown = ""
	}
	return []Control{{ID: v.id(in.Name), Value: shown}}
}

func (documentControl) remark(v *View, in *input.Input, _ string) []*Node {
	return []*Node{el("span", class("echo"), spoken(v.documentNote(in)))}
}

func (documentControl) shows(v *View, _ *input.Input, _ value.Value) string {
	return v.say("widget.document-kept")
}

// LongDocument is how many bytes a text may have that its field shows. A browser stands still over a longer one.
const LongDocument = 256 << 10

// documentNote says what came of a text, which is the row that is called as the document and `_read`, and how long the
// text is if its field does not show it.
func (v *state) documentNote(in *input.Input) string {
	if read, err := v.Result.Value(in.Name + "_read"); err == nil && read.Kind == value.Text {
		return v.lengthNote(in) + sentence(read.In(v.phrases())) + " "
	}
	return v.lengthNote(in)
}

func (v *state) lengthNote(in *input.Input) string {
	if size := v.shortened(in); size > 0 {
		return v.say("widget.document-shortened", "size", max(1, size>>10)) + " · "
	}
	size := len(v.Text(in))
	if size <= LongDocument {
		return ""
	}
	return v.say("widget.document-long", "size", size>>10) + " · "
}

func documentKey(name string) string { return partKey("document", name) }

// change evaluates the sheet with another value of an input. Where a document gives another input another default, that
// one begins anew with it: what was read is shown at once.
func (v *state) change(changed string, st input.State) {
	was := map[string]value.Value{}
	from := v.Sheet.Input(changed)
	for name := range v.typed {
		in := v.fitted(name)
		if from != nil && from.Form() == input.DocumentForm && slices.Contains(in.Follows, changed) {
			was[name] = in.Default
		}
	}
	v.adopt(st)
	for name, before := range was {
		if !v.fitted(name).Default.Equal(before) {
			delete(v.typed, name)
			delete(v.errs, name)
			st = st.Without(name)
		}
	}
	if len(st) < len(v.State) {
		v.adopt(st)
	}
}

// given is the default of an input that follows a document of the reader's. An address carries no document, so it
// carries what came of it.
func (v *evaluated) given(in *input.Input) (text string, ok bool) {
	reads := func(name string) bool {
		_, given := v.State[name]
		return given && v.Sheet.Input(name).Form() == input.DocumentForm
	}
	if !slices.ContainsFunc(in.Follows, reads) || in.Default.Equal(v.Sheet.Input(in.Name).Default) {
		return "", false
	}
	return fieldText(in, in.Default), true
}

// Cap is how many bytes a document holds, 0 for anything else.
func (v *evaluated) Cap(name string) int {
	if in := v.fitted(name); in != nil {
		return in.Cap
	}
	return 0
}

// Document is what the reader gave a document to hold: its text, and how many bytes it stands for, 0 if it is whole.
type Document struct {
	Name, Label, Text string
	Size              int
}

// Documents are all documents of the sheet; what the reader gave nothing has no text.
func (v *state) Documents() (docs []Document) {
	for _, own := range v.Sheet.Inputs {
		if own.Form() == input.DocumentForm {
			in := v.fitted(own.Name)
			docs = append(docs, Document{in.Name, v.called(in.Name), v.typed[in.Name], v.shortened(in)})
		}
	}
	return docs
}

// Recall gives a document again what it held.
func (v *state) Recall(d Document) {
	if d.Size > 0 {
		_ = v.Shorten(d.Name, d.Text, d.Size) // refused as it was before
	} else {
		_ = v.Set(d.Name, d.Text)
	}
}

// A long document may be put in short before the sheet gets it, beside the page. The view shows how far that has come,
// and then keeps the short text in the place of the long one.

// shortText is what a document holds in the place of a text of so many bytes.
type shortText struct {
	text string
	size int
}

// Shortens is what puts a long text for a document in short, nil if nothing does.
func (v *evaluated) Shortens(name string) *value.Func {
	if in := v.fitted(name); in != nil {
		return in.Shortens
	}
	return nil
}

// Reading shows how much of a long text for a document is read; HasRead ends that.
func (v *state) Reading(name string, done float64) { v.reading[name] = done }

func (v *state) HasRead(name string) { delete(v.reading, name) }

// Shorten sets a document to what stands for a text of so many bytes.
func (v *state) Shorten(name, text string, size int) error {
	v.short[name] = shortText{text, size}
	return v.Set(name, text)
}

// Empty takes away what a document holds, and with it all that was shown of it: another text is on its way.
func (v *state) Empty(name string) {
	delete(v.short, name)
	if v.Changed(name) || v.errs[name] != "" {
		v.Undo(name)
	}
}

// Refuse says why what a reader gave for an input is not taken. Its value stays.
func (v *state) Refuse(name, why string) {
	if _, ok := v.typed[name]; !ok {
		v.typed[name] = ""
	}
	v.errs[name] = why
	v.rev++
}

// shortened is how many bytes the text had that stands in a document in short, 0 if none does.
func (v *state) shortened(in *input.Input) int {
	if s, ok := v.short[in.Name]; ok && s.text == v.Text(in) {
		return s.size
	}
	return 0
}

// readingRows say how far long texts are read, as rows of long work.
func (v *state) readingRows() []*Node {
	var rows []*Node
	for _, in := range v.Sheet.Inputs {
		if done, ok := v.reading[in.Name]; ok {
			rows = append(rows, v.taskRow(in.Name, done,
				v.say("widget.task-working", "done", quantity.Percent(done, 0)), v.say("widget.task-cancel")))
		}
	}
	return rows
}
