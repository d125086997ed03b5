package sheet

import (
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/expr"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// A label, a caption or a question may name inputs in braces: "{chip} reaches" is "TPU v5e reaches" until the reader
// chooses another chip.

// Label is what a row is called in a state: its label with the present values of the inputs it names, or else its name.
func (s *Sheet) Label(st input.State, name string) string {
	row := s.Row(name)
	if row == nil || row.Label == "" {
		return name
	}
	return s.fill(st, row.Label)
}

// LabelOver is the label at the head of a column whose lines differ in the input over: where it names that input, what
// the input is called stands in the place of a value that holds for one line only.
func (s *Sheet) LabelOver(st input.State, name, over string) string {
	row := s.Row(name)
	if row == nil || row.Label == "" {
		return name
	}
	return s.fillOver(st, row.Label, over)
}

// Filled is a caption with the present values of the inputs it names.
func (s *Sheet) Filled(st input.State, caption string) string { return s.fill(st, caption) }

// fill puts the values of inputs in the place of their names in braces.
func (s *Sheet) fill(st input.State, label string) string { return s.fillOver(st, label, "") }

// fillOver is fill, but puts what the input over is called in the place of its value.
func (s *Sheet) fillOver(st input.State, label, over string) string {
	if !strings.Contains(label, "{") {
		return label
	}
	var b strings.Builder
	for {
		before, name, after, ok := cutBraces(label)
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		if in := s.Input(name); in != nil && name == over {
			b.WriteString(s.bare(name))
		} else if in != nil {
			b.WriteString(s.present(st, in).String())
		}
		label = after
	}
}

// bare is what a row is called, values left out.
func (s *Sheet) bare(name string) string {
	if row := s.Row(name); row.Label != "" && !strings.Contains(row.Label, "{") {
		return row.Label
	}
	return name
}

// cutBraces cuts a label around its first name in braces.
func cutBraces(label string) (before, name, after string, ok bool) {
	before, rest, ok := strings.Cut(label, "{")
	if !ok {
		return label, "", "", false
	}
	name, after, ok = strings.Cut(rest, "}")
	if !ok {
		return label, "", "", false
	}
	return before, name, after, true
}

// countAs makes n print what as says that it counts.
func (c *compiler) countAs(n *expr.Node, as *syntax.Counted) {
	if as == nil || n.Bad {
		return
	}
	if n.Type.Kind != value.Number || !n.Type.Dim.IsZero() {
		c.errs.Add(as.At, phrase.New("sheet.as-needs-plain", "type", n.Type), phrase.New("sheet.leave-it-out"))
		return
	}
	label, err := quantity.CountLabel(as.Noun)
	if fault, ok := err.(*quantity.Error); ok {
		c.errs.Add(as.At, fault.What, fault.Remedy)
		return
	}
	*n = n.Counted(label)
}

// checkLabels reports names in the braces of labels and captions that are no inputs.
func (c *compiler) checkLabels() {
	for _, d := range c.tree.Defs {
		c.checkBraces(d.Pos, phrase.New("sheet.the-label-of", "row", d.Name), d.Label)
	}
	for _, a := range c.tree.Asks {
		c.checkBraces(a.Pos, phrase.New("sheet.the-question"), a.Question)
	}
	for _, t := range c.sheet.Tables {
		c.checkBraces(t.Pos, phrase.New("sheet.the-caption"), t.Caption)
	}
	for _, f := range c.sheet.Figures {
		c.checkBraces(f.Pos, phrase.New("sheet.the-caption"), f.Caption)
	}
	for _, p := range c.sheet.Plots {
		c.checkBraces(p.Pos, phrase.New("sheet.the-caption"), p.Caption)
	}
}

func (c *compiler) checkBraces(pos Pos, what *phrase.Phrase, text string) {
	for {
		_, name, after, ok := cutBraces(text)
		if !ok {
			return
		}
		if c.sheet.Input(name) == nil {
			c.errs.Add(pos, phrase.New("sheet.names-no-input", "what", what, "name", syntax.Clip(name)),
				phrase.New("sheet.put-input-in-braces"))
		}
		text = after
	}
}
