package widget

import (
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet"
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
		attr("autocomplete", "off"), attr("autocapitalize", "off"), attr("aria-describedby", d.ID+"--note"),
		on("input", DoInput, d.Name), on("dragover", DoOver, d.Name), on("drop", DoLand, d.Name))
	if d.Wrong {
		area.Attrs = append(area.Attrs, Attr{Name: "aria-invalid", Value: "true"})
	}
	if d.Text != "" {
		area.Add(text(d.Text))
	}
	file := el("input", attr("type", "file"), class("file"), attr("id", d.ID+"--file"),
		attr("aria-label", d.Phrases.Say("widget.choose-file", "label", d.Label)), on("change", DoFile, d.Name))
	if d.Accept != "" {
		file.Attrs = append(file.Attrs, Attr{Name: "accept", Value: d.Accept})
	}
	return []*Node{area, el("div", class("control"), file)}
}

// documentControl is the control of a document.
func (v *View) documentControl(in *sheet.Input) []*Node {
	return DocumentField{ID: v.id(in.Name), Name: in.Name, Label: v.called(in.Name), Accept: in.Accept,
		Wrong: v.errs[in.Name] != "", Phrases: v.phrases()}.Controls()
}

// Cap is how many bytes a document holds, 0 for anything else.
func (v *View) Cap(name string) int {
	if in := v.fitted(name); in != nil {
		return in.Cap
	}
	return 0
}
