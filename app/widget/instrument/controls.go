package instrument

import (
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/widget"
)

// What a reader can do to an instrument besides what they can do to a sheet; the Do of a widget.Act.
const (
	DoSet = "set" // a button that sets controls: On is "name=text", one a line
	DoAct = "act" // a button of the instrument's own
)

// control is a control with its label and what there is to say about it.
func (v *View) control(c *Control) *Node {
	switch {
	case c == nil || c.Hidden:
		return El("div", widget.Flag("hidden", true))
	case c.Kind == Many:
		return v.many(c)
	case c.Kind == Document:
		return v.document(c)
	case c.Kind == Step:
		return v.stepper(c)
	}
	n := v.View.Part("input:" + c.Name)
	if c.Help != "" {
		n.Kids = append(n.Kids, El("p", Class("help"), c.Help))
	}
	return n
}

// note is the line below a control that is no input of a sheet.
func (v *View) note(c *Control) *Node {
	n := El("p", Class("note"), At("id", v.ID(c.Name, "note")), At("translate", "no"))
	if why := v.wrong[c.Name]; why != "" {
		n.Kids = append(n.Kids, El("span", Class("error"), widget.Sentence(why)), widget.TextNode(" "))
	}
	if v.Changed(c.Name) {
		n.Kids = append(n.Kids, El("button", At("type", "button"), Class("undo"), widget.On("click", widget.DoUndo, c.Name),
			At("aria-label", "Undo: "+c.Label+" back to what it was"), "undo"))
	}
	return n
}

// many is a menu from which several are chosen.
func (v *View) many(c *Control) *Node {
	box := "input input-many"
	if v.Changed(c.Name) {
		box += " changed"
	}
	options := make([]sheet.Option, len(c.Options))
	for i, o := range c.Options {
		options[i] = sheet.Option{ID: o.ID, Name: o.Name, Group: o.Group}
	}
	several := widget.Several{ID: v.ID(c.Name), Name: c.Name, Label: c.Label, Chosen: list(v.ownText(c)), Options: options, Most: c.Most, Still: v.IsStill()}
	return El("div", Class(box), El("label", At("for", v.ID(c.Name)), El("span", Class("label-text"), c.Label)), several.Control(), v.note(c))
}

// document is a field for a long text.
func (v *View) document(c *Control) *Node {
	box := "input input-document"
	if v.Changed(c.Name) {
		box += " changed"
	}
	d := widget.DocumentField{ID: v.ID(c.Name), Name: c.Name, Label: c.Label, Accept: c.Accept, Wrong: v.wrong[c.Name] != ""}
	if v.IsStill() {
		d.Text = v.text(c.Name)
	}
	n := El("div", Class(box), El("label", At("for", v.ID(c.Name)), El("span", Class("label-text"), c.Label)), d.Controls(), v.note(c))
	if c.Help != "" {
		n.Kids = append(n.Kids, El("p", Class("help"), c.Help))
	}
	return n
}

// Add is the reader choosing one more for a Many.
func (v *View) Add(name, id string) {
	if c := v.find(name); c != nil && c.own() && id != widget.Nobody {
		_ = v.Set(name, strings.TrimPrefix(v.ownText(c)+","+id, ","))
	}
}

// Drop is the reader taking one out: "name id".
func (v *View) Drop(what string) {
	name, id, _ := strings.Cut(what, " ")
	c := v.find(name)
	if c == nil || !c.own() {
		return
	}
	var rest []string
	for _, x := range list(v.ownText(c)) {
		if x != id {
			rest = append(rest, x)
		}
	}
	_ = v.Set(name, strings.Join(rest, ","))
}

// Change is the reader pressing a button that sets controls: "name=text", one a line. A control whose text is empty goes
// back to its default.
func (v *View) Change(what string) {
	for _, line := range strings.Split(what, "\n") {
		name, text, _ := strings.Cut(line, "=")
		v.change(Change{name, text})
	}
}

func (v *View) change(x Change) {
	if c := v.find(x.Name); x.Text == "" && (c == nil || c.Kind != Text && !c.own()) {
		v.Undo(x.Name)
		return
	}
	_ = v.Set(x.Name, x.Text) // what is wrong stands beside the control
}

// Act is the reader pressing a button of the instrument's own.
func (v *View) Act(act string) {
	if f := v.of.Instrument.Act; f != nil {
		for _, x := range f(&State{v}, act) {
			v.change(x)
		}
		v.changes++ // it may also be something that the instrument keeps
	}
}

// Controls are all controls that may stand in the view now, and what they should hold.
func (v *View) Controls() []widget.Control {
	cs := v.View.Controls()
	for id, now := range v.choosers {
		cs = append(cs, widget.Control{ID: id, Value: now})
	}
	for i := range v.controls {
		c, value := &v.controls[i], ""
		switch c.Kind {
		case Many:
			value = widget.Nobody
		case Document:
			value = v.text(c.Name)
		case Step: // the stepper's field is its slider, and holds its number
			value = strconv.Itoa((&State{v}).Int(c.Name))
		default:
			continue
		}
		id := v.ID(c.Name)
		for j := range cs {
			if cs[j].ID == id {
				cs[j].Value = value
			}
		}
	}
	return cs
}

// Take takes over what a reader did to a control before there was a program: a Many's menu adds to it.
func (v *View) Take(name, text string) {
	if c := v.find(name); c != nil && c.Kind == Many {
		v.Add(name, text)
		return
	}
	_ = v.Set(name, text)
}

// Cap is how many bytes a Document holds.
func (v *View) Cap(name string) int {
	c := v.find(name)
	if c == nil {
		return 0
	}
	return c.most()
}
