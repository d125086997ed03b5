package instrument

import (
	"math"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/chart"
	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/widget"
)

// El is an element; what follows the tag is attributes, events, children, lists of children and texts. nil is left out.
func El(tag string, parts ...any) *Node { return widget.El(tag, parts...) }

// At is an attribute, for El.
func At(name, value string) any { return widget.At(name, value) }

// Class is the attribute class, for El.
func Class(c string) any { return widget.At("class", c) }

// SVG is a drawing of our own making: one <svg> element with role="img", a <title> and a <desc>, and classes for its
// colours, of which web/chart.css and web/figures.css have a set. Texts in it must have gone through Escape.
func SVG(svg string) *Node { return widget.RawNode(svg) }

// Escape is a text as it stands in SVG or HTML.
func Escape(s string) string { return markup.Escape(s) }

// Control is the node of a control that is Placed.
func (s *State) Control(name string) *Node {
	c := s.v.find(name)
	if c == nil {
		return nil
	}
	return El("div", Class("placed"), s.v.control(c))
}

// Field is the field of a Number that is Placed, alone: label says what it is for those who don't see the table around it.
func (s *State) Field(name, label string) *Node {
	c := s.v.find(name)
	if c == nil || c.Kind != Number {
		return nil
	}
	return s.v.View.Field(s.v.Sheet.Input(name), label)
}

// Button sets controls when it is pressed.
func (s *State) Button(label string, changes ...Change) *Node {
	var what []string
	for _, x := range changes {
		what = append(what, x.Name+"="+x.Text)
	}
	return widget.Tool(label, DoSet, strings.Join(what, "\n"))
}

// ActButton asks the instrument's Act.
func (s *State) ActButton(label, act string) *Node { return widget.Tool(label, DoAct, act) }

// Stage holds drawings that the reader may point at: a click on an element with data-set="name=text" in them sets that
// control. There must be another way for the keyboard.
func (s *State) Stage(nodes ...*Node) *Node {
	return El("div", Class("stage"), widget.On("click", widget.DoPick, ""), nodes)
}

// Output is a named result: one of Values.
func (s *State) Output(name string) *Node {
	s.v.build()
	for _, x := range s.v.values {
		if x.Name == name {
			return El("output", Class("row-value"), At("data-name", name), At("data-value", x.Data), At("aria-live", "off"), At("translate", "no"), x.Text)
		}
	}
	return nil
}

// Row is a line of an answer: what a named result is called, how it comes about, and the result.
func (s *State) Row(name, how string) *Node {
	s.v.build()
	label := name
	for _, x := range s.v.values {
		if x.Name == name && x.Label != "" {
			label = x.Label
		}
	}
	return El("div", Class("result"), El("span", Class("row-label"), label), El("span", Class("result-how"), how), s.Output(name))
}

// Of is a Value that is a number with a unit. One that isn't finite has no value.
func Of(name, label string, q quantity.Quantity) Value {
	if !q.IsFinite() {
		return Value{Name: name, Label: label, Text: "no value"}
	}
	return Value{Name: name, Label: label, Text: q.String(), Data: strconv.FormatFloat(q.Value, 'g', -1, 64)}
}

// Fold is something to open. Its inside is built only when somebody sees it: opened, or on a page before its scripts,
// where it is left out if lean holds, to keep the page light. As long as printed holds it is what the page printed, and
// has no controls.
func (s *State) Fold(key, summary string, lean bool, inside func(printed bool) []*Node) *Node {
	key = "fold-" + key
	printed := s.v.Kept(key)
	box := El("details", Class("more"), At("data-key", key), widget.Flag("open", s.v.Open(key)), widget.On("toggle", widget.DoToggle, key), El("summary", summary))
	if s.v.strip == "" && (printed && !lean || !printed && s.v.Open(key)) {
		box.Kids = append(box.Kids, El("div", Class("more-body"), inside(printed)))
	}
	return box
}

// Words is a fold whose inside is always there, but on a page before its scripts if lean holds: what a drawing shows, as a
// table, for those who don't see it and for copies.
func (s *State) Words(key, summary string, lean bool, inside func() *Node) *Node {
	key = "fold-" + key
	box := El("details", Class("more"), At("data-key", key), widget.Flag("open", s.v.Open(key)), widget.On("toggle", widget.DoToggle, key), El("summary", summary))
	if !lean || !s.v.Kept(key) {
		box.Kids = append(box.Kids, El("div", Class("more-body"), inside()))
	}
	return box
}

// Note is a remark in small letters: where a number comes from, what is left out.
func Note(text string) *Node { return El("p", Class("remark"), text) }

// None stands where there is no value; why is said to those who ask.
func None(text, why string) *Node {
	n := El("span", Class("none"), text)
	if why != "" {
		n.Attrs = append(n.Attrs, widget.Attr{Name: "title", Value: why})
	}
	return n
}

// Bars draws a value for each category: bars, or dots if log holds. What is not finite or, with log, not positive says
// "no value". The drawing brings its own words for those who don't see it.
func (s *State) Bars(key, title, label string, names []string, values []float64, log bool, format func(float64) string) *Node {
	p := chart.Plot{
		ID: s.ID(key), Title: title, X: chart.Axis{Categories: names},
		Y:      chart.Axis{Label: label, Log: log, Format: format},
		Series: []chart.Series{{Name: label, Y: values, Dots: log}},
	}
	return El("figure", Class("plot"), El("div", Class("chart-box"), widget.RawNode(p.SVG())), El("figcaption", title))
}

// In is a function that prints base units of a dimension, for Bars.
func In(like quantity.Quantity) func(float64) string {
	return func(x float64) string {
		like.Value = x
		return like.String()
	}
}

// Finite says whether x can be shown.
func Finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// Capital is a text that begins with a capital letter.
func Capital(s string) string {
	if s != "" && 'a' <= s[0] && s[0] <= 'z' {
		return string(s[0]-'a'+'A') + s[1:]
	}
	return s
}
