package instrument

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/widget"
)

// View is an instrument in front of a reader. It belongs to one goroutine. What it has in common with a sheet's view is
// that view's: fields, menus and sliders, notices, folds.
type View struct {
	*widget.View
	of       *Placed
	base     []Control         // as the instrument and the author of the place have them
	controls []Control         // fitted to the state
	cells    []Control         // those that have been named so far
	kept     map[string]string // texts of the controls that are no inputs of a sheet, where they aren't the default
	typed    map[string]string // what the reader wrote there, be it refused
	wrong    map[string]string // why it was refused
	editions map[string]int    // of a Document: the change that its text is of
	good     map[string]string // of the others: the last text that was taken
	choosers map[string]string // what the Choosers show, by id
	playing  string            // the stepper that plays
	strip    string            // in a strip of steps: which this is
	changes  int               // counts changes of what is set
	turns    int               // counts folds opened and closed
	parts    []Part
	values   []Value
	built    int // the number of changes that parts and values are of
}

// View is the instrument as its author placed it.
func (p *Placed) View() *View {
	v := &View{of: p, kept: map[string]string{}, typed: map[string]string{}, wrong: map[string]string{}, editions: map[string]int{}, good: map[string]string{}, built: -1}
	s := &sheet.Sheet{ID: p.ID, Title: p.Title}
	v.View = widget.Inputs(s)
	if p.Instrument.Controls != nil {
		v.controls = p.Instrument.Controls()
	}
	v.adopt()
	return v
}

// adopt applies the settings of the place: they become the defaults.
func (v *View) adopt() {
	for i := range v.controls {
		c := &v.controls[i]
		v.begin(c)
		v.base = append(v.base, *c)
		v.Sheet.Rows = append(v.Sheet.Rows, sheet.RowDef{Name: c.Name, Label: c.Label, Kind: "input"})
		v.Sheet.Inputs = append(v.Sheet.Inputs, c.input())
		v.fitOne(i)
	}
	for _, s := range v.of.Settings {
		v.find(s.Name) // cells
	}
}

// begin lets a control begin with what the author of the place has set; a bare number goes on meaning what it meant.
func (v *View) begin(c *Control) {
	if text, ok := v.of.setting(c.Name); ok {
		c.Unit, c.Default = cmp.Or(c.Unit, c.Default), text
	}
}

// fit adapts all controls to the state, in their order.
func (v *View) fit() {
	for i := range v.controls {
		if v.controls[i].Fit != nil {
			v.fitOne(i)
		}
	}
}

// fitOne adapts one control. What the reader has set stays as far as it still can be.
func (v *View) fitOne(i int) {
	c := &v.controls[i]
	if c.Fit != nil {
		*c = v.base[i]
		c.Fit(&State{v}, c)
		v.Sheet.Rows[i].Label = c.Label
		v.Sheet.Inputs[i] = c.input()
	}
	switch {
	case c.own():
		if text, ok := v.typed[c.Name]; ok {
			v.setOwn(c, text)
		}
	case v.View.Changed(c.Name):
		text := v.View.Text(v.Sheet.Inputs[i])
		if c.Kind == Step {
			text = v.clamped(i, text)
		}
		v.again(c, text)
	}
}

// again takes a text again, now that the control may be another. One that is refused leaves the last good value, if that
// still is one.
func (v *View) again(c *Control, text string) {
	err := v.setInput(c, text)
	if err == nil {
		return
	}
	v.State = v.State.Without(c.Name)
	if good, ok := v.good[c.Name]; ok {
		if v.setInput(c, good) != nil {
			delete(v.good, c.Name)
		}
		v.Refuse(c.Name, text, err)
	}
}

// clamped is the text of a step that there is.
func (v *View) clamped(i int, text string) string {
	in := v.Sheet.Inputs[i]
	if now := v.Value(in).Num.Value; now > in.Max {
		return widget.FieldText(number(quantity.Quantity{Value: in.Max}).Num, in.Unit)
	}
	return text
}

// find is the control of that name, nil if there is none.
func (v *View) find(name string) *Control {
	for i := range v.controls {
		if v.controls[i].Name == name {
			return &v.controls[i]
		}
	}
	for i := range v.cells {
		if v.cells[i].Name == name {
			return &v.cells[i]
		}
	}
	return v.newCell(name)
}

// newCell takes in a control that an instrument has besides its list.
func (v *View) newCell(name string) *Control {
	if v.of.Instrument.Cell == nil {
		return nil
	}
	c, ok := v.of.Instrument.Cell(name)
	if !ok || c.own() || c.Kind == Step {
		return nil
	}
	c.Name, c.Placed = name, true
	v.begin(&c)
	v.cells = append(v.cells, c)
	v.Sheet.Rows = append(v.Sheet.Rows, sheet.RowDef{Name: name, Label: c.Label, Kind: "input"})
	v.Sheet.Inputs = append(v.Sheet.Inputs, c.input())
	return &v.cells[len(v.cells)-1]
}

// Set is the reader setting a control to a text. One that can't be taken is kept, with the reason beside it, and the last
// good value stays.
func (v *View) Set(name, text string) error {
	c := v.find(name)
	if c == nil {
		return v.unknown()
	}
	var err error
	switch {
	case c.own():
		err = v.setOwn(c, text)
	default:
		if err = v.setInput(c, text); err == nil {
			v.good[name] = text
		}
	}
	v.changes++
	v.fit()
	if err == nil {
		v.then(c)
	}
	return err
}

// then makes the changes that follow from one.
func (v *View) then(c *Control) {
	if c == nil || c.Then == nil {
		return
	}
	for _, x := range c.Then(&State{v}) {
		if x.Name != c.Name {
			v.change(x)
		}
	}
}

func (v *View) setInput(c *Control, text string) error {
	if c.Check != nil && text != c.Default {
		if err := c.Check(&State{v}, text); err != nil {
			v.Refuse(c.Name, text, err)
			return err
		}
	}
	return v.View.Set(c.Name, text)
}

func (v *View) setOwn(c *Control, text string) error {
	v.changes++
	v.editions[c.Name] = v.changes
	kept, err := c.check(text)
	if err == nil && c.Check != nil && kept != c.Default {
		err = c.Check(&State{v}, kept)
	}
	delete(v.wrong, c.Name)
	if err != nil {
		v.typed[c.Name], v.wrong[c.Name] = text, err.Error()
		return err
	}
	if kept == c.Default {
		delete(v.typed, c.Name)
		delete(v.kept, c.Name)
		return nil
	}
	v.typed[c.Name], v.kept[c.Name] = kept, kept
	return nil
}

// unknown says which controls there are.
func (v *View) unknown() error {
	var names []string
	for _, c := range v.controls {
		if c.Kind != Document {
			names = append(names, c.Name)
		}
	}
	if len(names) == 0 {
		return errors.New("there is nothing to set here")
	}
	return errors.New("there is no such thing to set here; there are " + strings.Join(names, ", "))
}

// ownText is the good text of a control that is no input of a sheet.
func (v *View) ownText(c *Control) string {
	if text, ok := v.kept[c.Name]; ok {
		return text
	}
	return c.Default
}

// text is what stands in a control.
func (v *View) text(name string) string {
	c := v.find(name)
	switch {
	case c == nil:
		return ""
	case !c.own():
		return v.View.Text(v.Sheet.Input(name))
	}
	if text, ok := v.typed[name]; ok {
		return text
	}
	return c.Default
}

// Undo puts a control back to its default.
func (v *View) Undo(name string) {
	v.View.Undo(name)
	for _, m := range []map[string]string{v.typed, v.kept, v.wrong, v.good} {
		delete(m, name)
	}
	v.changes++
	v.editions[name] = v.changes
	v.fit()
	v.then(v.find(name))
}

// Reset puts all back.
func (v *View) Reset() {
	for _, m := range []map[string]string{v.typed, v.kept, v.wrong, v.good} {
		clear(m)
	}
	v.playing = ""
	v.View.Reset()
	v.changes++
	for name := range v.editions {
		v.editions[name] = v.changes
	}
	v.fit()
}

// Changed says whether the reader changed the control, be it only to a text that can't be read.
func (v *View) Changed(name string) bool {
	_, ok := v.typed[name]
	return ok || v.View.Changed(name)
}

// changed says whether the reader changed anything.
func (v *View) changed() bool {
	for _, in := range v.Sheet.Inputs {
		if v.Changed(in.Name) {
			return true
		}
	}
	return false
}

// Params is what the address carries: the changed controls that hold something good, but no documents.
func (v *View) Params() []widget.Param {
	var ps []widget.Param
	for _, p := range v.View.Params() {
		if _, other := v.State[p.Name]; other { // what only says the default in other words is left out
			ps = append(ps, p)
		}
	}
	for _, c := range v.controls {
		if text, ok := v.kept[c.Name]; ok && c.Kind == Many {
			ps = append(ps, widget.Param{Sheet: v.of.ID, Name: c.Name, Text: text})
		}
	}
	return ps
}

// Apply sets controls from the parameters of an address that are meant for this view, and returns, for the reader, what
// can't be taken. An address is in the order of names; here it is that of the controls, as what one may be set to can
// follow from those above it.
func (v *View) Apply(ps []widget.Param) (problems []*phrase.Phrase) {
	for _, p := range v.inOrder(ps) {
		if p.Sheet != v.of.ID {
			continue
		}
		c, err := v.find(p.Name), error(nil)
		if c != nil && c.Kind == Document {
			err = errors.New("texts of this length aren't carried by addresses; paste it here")
		} else {
			err = v.Set(p.Name, p.Text)
		}
		if err != nil {
			problems = append(problems, widget.Problem(p.Name, p.Text, err))
			if c != nil {
				v.Undo(p.Name)
			}
		}
	}
	return problems
}

// inOrder are parameters in the order of the controls that they set; the others follow.
func (v *View) inOrder(ps []widget.Param) []widget.Param {
	ordered, rest := make([]widget.Param, 0, len(ps)), slices.Clone(ps)
	for i := range v.controls {
		for j := 0; j < len(rest); {
			if rest[j].Name != v.controls[i].Name {
				j++
				continue
			}
			ordered, rest = append(ordered, rest[j]), slices.Delete(rest, j, j+1)
		}
	}
	return append(ordered, rest...)
}

// Toggle opens or closes a fold.
func (v *View) Toggle(key string, open bool) {
	v.View.Toggle(key, open)
	v.turns++
}

// OpenedBefore notes a fold that the reader opened before there was a program.
func (v *View) OpenedBefore(key string) {
	v.View.OpenedBefore(key)
	v.turns++
}
