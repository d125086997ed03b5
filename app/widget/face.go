package widget

import (
	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet"
)

// This file is what the views that are no sheets take from those that are: app/widget/instrument.

// Inputs is a view of inputs alone, which nothing is computed from here: the fields, menus, sliders and switches of a
// sheet, with all that their reader may do. The sheet needs only ID, Title, Inputs, and a row with the label of each.
func Inputs(s *sheet.Sheet) *View {
	return &View{
		Sheet: s, Result: &sheet.Result{Sheet: s}, bare: true,
		typed: map[string]string{}, errs: map[string]string{}, open: map[string]bool{}, kept: map[string]bool{}, fields: map[string]string{}, plots: map[int]*drawnPlot{},
	}
}

// Still says that the view is for a page before its scripts.
func (v *View) Still() { v.still = true }

// IsStill says whether it is.
func (v *View) IsStill() bool { return v.still }

// Kept says whether the fold with this key holds what was printed.
func (v *View) Kept(key string) bool { return v.asPrinted(key) }

// Refuse keeps a text that can't be taken beside the last good value, with the reason.
func (v *View) Refuse(name, text string, err error) {
	v.typed[name], v.errs[name] = text, err.Error()
	v.rev++
}

// Refused is why an input's text was refused, "" if it wasn't.
func (v *View) Refused(name string) string { return v.errs[name] }

// ID is the id of an element that belongs to a name of this view.
func (v *View) ID(name string, suffix ...string) string { return v.id(name, suffix...) }

// Revision counts the changes of the state.
func (v *View) Revision() int { return v.rev }

// Said is what was last said beside the menu.
func (v *View) Said() string { return v.copied }

// Problem is how a reader is told of a part of the address that can't be taken.
func Problem(name, text string, err error) *phrase.Phrase {
	return phrase.New("widget.address-refused", "name", name, "text", clip(text), "why", err)
}

// Sentence is a message that begins like a sentence and ends like one.
func Sentence(s string) string { return sentence(s) }

// Field is the control of an input alone, for a table whose head has its label: it is called label.
func (v *View) Field(in *sheet.Input, label string) *Node {
	box := "cell"
	if v.Changed(in.Name) {
		box += " changed"
	}
	parts := append([]any{attr("type", "text"), class("field"), attr("aria-label", label)}, v.common(in)...)
	parts = append(parts, attr("inputmode", "decimal"), attr("autocomplete", "off"), attr("autocapitalize", "off"),
		attr("spellcheck", "false"), attr("size", "9"), attr("value", v.Text(in)),
		on("input", DoInput, in.Name), on("keydown", DoKey, in.Name))
	return el("div", class(box), el("input", parts...), v.note(in))
}

// FieldText is the text of q for a field in which a bare number means so many of unit.
func FieldText(q, unit quantity.Quantity) string { return numberText(q, unit) }

// El is an element; what follows the tag is attributes, events, children, lists of children and texts. nil is left out.
func El(tag string, parts ...any) *Node { return markup.El(tag, parts...) }

// Text is a text.
func TextNode(s string) *Node { return markup.Text(s) }

// RawNode is trusted HTML: one element, made by us and never by a reader.
func RawNode(html string) *Node { return markup.Raw(html) }

// At is an attribute, for El.
func At(name, value string) any { return attr(name, value) }

// Flag is an attribute without a value, there only if it holds.
func Flag(name string, holds bool) any { return bare(name, holds) }

// On is an event and what it does, for El.
func On(event, do, what string) any { return on(event, do, what) }

// Tool is a button of a head.
func Tool(label, do, what string, more ...any) *Node { return tool(label, do, what, more...) }

// CSVField is a text as a field of CSV. One that a spreadsheet could take for a formula begins with an apostrophe.
func CSVField(s string) string { return csvField(guarded(s)) }
