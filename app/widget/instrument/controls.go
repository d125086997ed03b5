package instrument

import (
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/widget"
)

// What a reader can do to an instrument besides what they can do to a sheet; the Do of a widget.Act.
const (
	DoSet  = "set"     // a button that sets controls: On is "name=text", one a line
	DoAct  = "act"     // a button of the instrument's own
	DoAdd  = "add"     // chose one more for a Many: On is its name
	DoDrop = "drop"    // took one out: On is "name id"
	DoStep = "step"    // On is "name first", back, play, next or last
	DoKeys = "stepkey" // pressed a key in a stepper
	DoFile = "file"    // chose a file for a Document: On is its name
	DoOver = "over"    // dragged something over it
	DoLand = "land"    // let it fall there
	DoPick = "pick"    // clicked into a drawing: the nearest element with data-set says what to set
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

// nobody is the value of the menu of a Many while nothing is chosen in it.
const nobody = "+"

// many is a menu, which stays where it is while one thing after the other is chosen, and what has been chosen, each with a
// way out.
func (v *View) many(c *Control) *Node {
	box := "input input-many"
	if v.Changed(c.Name) {
		box += " changed"
	}
	chosen := list(v.ownText(c))
	pills := El("ul", Class("pills"), At("aria-label", c.Label))
	for _, id := range chosen {
		name := id
		if o := c.option(id); o != nil {
			name = o.Name
		}
		pills.Kids = append(pills.Kids, El("li", El("span", name),
			El("button", At("type", "button"), Class("drop"), At("aria-label", "Take out "+name), widget.On("click", DoDrop, c.Name+" "+id), "×")))
	}
	full := c.Most > 0 && len(chosen) >= c.Most
	first := "Add…"
	if full {
		first = "At most " + strconv.Itoa(c.Most)
	}
	menu := El("select", Class("field field-menu field-add"), At("id", v.ID(c.Name)), At("name", c.Name), At("aria-describedby", v.ID(c.Name, "note")),
		At("autocomplete", "off"), widget.Flag("disabled", full), widget.On("change", DoAdd, c.Name), El("option", At("value", nobody), first))
	if !v.IsStill() {
		v.others(menu, c, chosen)
	}
	return El("div", Class(box), El("label", At("for", v.ID(c.Name)), El("span", Class("label-text"), c.Label)),
		El("div", Class("control"), menu, pills), v.note(c))
}

// others adds the options that haven't been chosen, under their headings.
func (v *View) others(menu *Node, c *Control, chosen []string) {
	group, heading := menu, ""
	for _, o := range c.Options {
		if o.Group != heading {
			group, heading = menu, o.Group
			if heading != "" {
				group = El("optgroup", At("label", heading))
				menu.Kids = append(menu.Kids, group)
			}
		}
		taken := false
		for _, id := range chosen {
			taken = taken || id == o.ID
		}
		group.Kids = append(group.Kids, El("option", At("value", o.ID), widget.Flag("disabled", taken), o.Name))
	}
}

// document is a field for a long text, which a file can be chosen for or dropped into. It stays with the reader: nothing
// is sent anywhere.
func (v *View) document(c *Control) *Node {
	box := "input input-document"
	if v.Changed(c.Name) {
		box += " changed"
	}
	area := El("textarea", Class("field field-document"), At("id", v.ID(c.Name)), At("name", c.Name), At("rows", "6"), At("spellcheck", "false"),
		At("autocomplete", "off"), At("autocapitalize", "off"), At("aria-describedby", v.ID(c.Name, "note")),
		widget.On("input", widget.DoInput, c.Name), widget.On("dragover", DoOver, c.Name), widget.On("drop", DoLand, c.Name))
	if v.wrong[c.Name] != "" {
		area.Attrs = append(area.Attrs, widget.Attr{Name: "aria-invalid", Value: "true"})
	}
	if v.IsStill() {
		area.Kids = append(area.Kids, widget.TextNode(v.text(c.Name)))
	}
	file := El("input", At("type", "file"), Class("file"), At("id", v.ID(c.Name, "file")), At("aria-label", "Choose a file: "+c.Label), widget.On("change", DoFile, c.Name))
	if c.Accept != "" {
		file.Attrs = append(file.Attrs, widget.Attr{Name: "accept", Value: c.Accept})
	}
	n := El("div", Class(box), El("label", At("for", v.ID(c.Name)), El("span", Class("label-text"), c.Label)), area, El("div", Class("control"), file), v.note(c))
	if c.Help != "" {
		n.Kids = append(n.Kids, El("p", Class("help"), c.Help))
	}
	return n
}

// Add is the reader choosing one more for a Many.
func (v *View) Add(name, id string) {
	if c := v.find(name); c != nil && c.own() && id != nobody {
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
			value = nobody
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
