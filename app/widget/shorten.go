package widget

import (
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// A long document may be put in short before the sheet gets it, beside the page. The view shows how far that has come,
// and then keeps the short text in the place of the long one.

// shortText is what a document holds in the place of a text of so many bytes.
type shortText struct {
	text string
	size int
}

// Shortens is what puts a long text for a document in short, nil if nothing does.
func (v *View) Shortens(name string) *value.Func {
	if in := v.fitted(name); in != nil {
		return in.Shortens
	}
	return nil
}

// Reading shows how much of a long text for a document is read; HasRead ends that.
func (v *View) Reading(name string, done float64) { v.reading[name] = done }

func (v *View) HasRead(name string) { delete(v.reading, name) }

// Shorten sets a document to what stands for a text of so many bytes.
func (v *View) Shorten(name, text string, size int) error {
	v.short[name] = shortText{text, size}
	return v.Set(name, text)
}

// Empty takes away what a document holds, and with it all that was shown of it: another text is on its way.
func (v *View) Empty(name string) {
	delete(v.short, name)
	if v.Changed(name) || v.errs[name] != "" {
		v.Undo(name)
	}
}

// Refuse says why what a reader gave for an input is not taken. Its value stays.
func (v *View) Refuse(name, why string) {
	if _, ok := v.typed[name]; !ok {
		v.typed[name] = ""
	}
	v.errs[name] = why
	v.rev++
}

// shortened is how many bytes the text had that stands in a document in short, 0 if none does.
func (v *View) shortened(in *input.Input) int {
	if s, ok := v.short[in.Name]; ok && s.text == v.Text(in) {
		return s.size
	}
	return 0
}

// readingRows say how far long texts are read, as rows of long work.
func (v *View) readingRows() []*Node {
	var rows []*Node
	for _, in := range v.Sheet.Inputs {
		if done, ok := v.reading[in.Name]; ok {
			rows = append(rows, v.taskRow(in.Name, done, v.say("widget.task-working", "done", quantity.Percent(done, 0)),
				v.say("widget.task-cancel")))
		}
	}
	return rows
}

func (v *View) readingFingerprint() string {
	s := ""
	for _, in := range v.Sheet.Inputs {
		if done, ok := v.reading[in.Name]; ok {
			s += in.Name + " " + quantity.Percent(done, 0) + "\n"
		}
	}
	return s
}
