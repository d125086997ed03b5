package instrument

import (
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/widget"
)

// The frame of a view names its parts: the head, the notices, each control, the parts of the instrument, and what a
// screen reader is told. Only parts whose fingerprint changes are built again.

// Frame is the inside of the section's body, with a hole for each part.
func (v *View) Frame() []*Node {
	v.build()
	frame := []*Node{{Part: "head:"}, {Part: "notices:"}}
	inputs := El("div", Class("inputs"))
	for i := range v.controls {
		if c := &v.controls[i]; !c.Placed {
			inputs.Kids = append(inputs.Kids, &Node{Part: "input:" + c.Name})
		}
	}
	if len(inputs.Kids) > 0 {
		frame = append(frame, inputs)
	}
	for _, p := range v.parts {
		frame = append(frame, &Node{Part: "part:" + p.Key})
	}
	return append(frame, &Node{Part: "status:"})
}

// build asks the instrument what it shows in the present state.
func (v *View) build() {
	if v.built == v.changes {
		return
	}
	s := &State{v}
	v.parts, v.values = nil, nil
	if f := v.of.Instrument.Values; f != nil {
		v.values = f(s)
	}
	if f := v.of.Instrument.View; f != nil {
		v.parts = f(s)
	}
	v.built = v.changes
}

// Part builds the part with this key.
func (v *View) Part(key string) *Node {
	kind, name, _ := strings.Cut(key, ":")
	switch kind {
	case "head":
		return v.head()
	case "input":
		return v.control(v.find(name))
	case "part":
		v.build()
		for _, p := range v.parts {
			if p.Key == name {
				return v.withStrip(p)
			}
		}
		return El("div")
	}
	return v.View.Part(key)
}

// Fingerprint says what the part depends on.
func (v *View) Fingerprint(key string) string {
	kind, name, _ := strings.Cut(key, ":")
	switch kind {
	case "head":
		return strconv.FormatBool(v.changed()) + v.Said() + strconv.FormatBool(v.Open("menu"))
	case "input":
		return v.inputPrint(v.find(name))
	case "part":
		v.build()
		for _, p := range v.parts {
			if p.Key == name && p.Uses != "" {
				return strconv.Itoa(v.turns) + v.playing + v.uses(p.Uses)
			}
		}
		return strconv.Itoa(v.turns) + "/" + strconv.Itoa(v.changes) + v.playing
	}
	return v.View.Fingerprint(key)
}

// inputPrint also covers what a Fit may change.
func (v *View) inputPrint(c *Control) string {
	if c == nil {
		return ""
	}
	print := v.uses(c.Name) + c.Label + "\x00" + strconv.FormatBool(c.Hidden)
	for _, o := range c.Options {
		print += "\x00" + o.ID + "\x00" + o.Name
	}
	if c.Kind == Step {
		return print + "\x00" + v.playing + strconv.Itoa(v.changes) // the name of a step may depend on anything
	}
	if in := v.Sheet.Input(c.Name); in != nil && c.Kind == Number {
		print += "\x00" + v.Value(in).String() + in.Default.String() + strconv.FormatFloat(in.Min, 'g', -1, 64) + strconv.FormatFloat(in.Max, 'g', -1, 64)
	}
	return print
}

// Fill is a copy of a frame with every part built.
func (v *View) Fill(nodes []*Node) []*Node { return widget.Fill(nodes, v.Part) }

// head is the title with what can be done to the whole.
func (v *View) head() *Node {
	return El("header", Class("sheet-head"),
		El(v.TitleTag(), Class("sheet-title"), At("id", v.of.ID+"-title"), v.of.Title),
		El("div", Class("sheet-tools"), At("role", "group"), At("aria-label", "This instrument"),
			widget.Tool("Reset", widget.DoReset, "", widget.Flag("disabled", !v.changed())),
			widget.Tool("Link", widget.DoCopy, "link", At("aria-label", "Copy a link with these settings")),
			El("details", Class("menu"), At("data-key", "menu"), widget.Flag("open", v.Open("menu")),
				widget.On("toggle", widget.DoToggle, "menu"), widget.On("keydown", widget.DoKey, "menu"),
				El("summary", Class("tool"), "Copy…"),
				El("div", Class("menu-list"),
					widget.Tool("Copy as text", widget.DoCopy, "text"),
					widget.Tool("Copy as Markdown", widget.DoCopy, "markdown"),
					widget.Tool("Copy tables as CSV", widget.DoCopy, "csv"),
					widget.Tool("Use this instrument", widget.DoCopy, "embed"))),
			El("span", Class("copied"), At("aria-hidden", "true"), v.Said())))
}

// Values are the named results as the page shows them.
func (v *View) Values() []widget.Shown {
	v.build()
	out := make([]widget.Shown, len(v.values))
	for i, x := range v.values {
		out[i] = widget.Shown{Name: x.Name, Text: x.Text, Data: x.Data}
	}
	return out
}

// Summary tells what was refused, where a stepper stands, and the main result.
func (v *View) Summary() string {
	s := &State{v}
	var said []string
	for i := range v.controls {
		c := &v.controls[i]
		if why := s.Refused(c.Name); why != "" {
			said = append(said, c.Label+": "+why)
		}
		if c.Kind == Step && !c.Hidden {
			said = append(said, v.stepText(c))
		}
	}
	for _, c := range v.cells {
		if why := s.Refused(c.Name); why != "" {
			said = append(said, c.Label+": "+why)
		}
	}
	if f := v.of.Instrument.Summary; f != nil {
		said = append(said, strings.TrimSuffix(f(s), "."))
	}
	return strings.Join(said, "; ") + "."
}
