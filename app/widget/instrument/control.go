package instrument

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet"
)

// own says whether the control is no input of a sheet, so that View keeps its text itself.
func (c *Control) own() bool { return c.Kind == Many || c.Kind == Document }

// input is the control as an input of a sheet, which knows how to read what a person types. Whatever of the control can't
// be read is left out; Faults reports it.
func (c *Control) input() *sheet.Input {
	in := &sheet.Input{Name: c.Name, Label: c.Label}
	switch c.Kind {
	case Menu:
		in.Default = sheet.Value{Kind: sheet.Text, Text: c.Default}
		for _, o := range c.Options {
			in.Menu = append(in.Menu, sheet.Option{ID: o.ID, Name: o.Name, Group: o.Group, Value: sheet.Value{Kind: sheet.Text, Text: o.ID}})
		}
		if len(c.Options) > 0 && in.Option(c.Default) == nil {
			in.Default.Text = c.Options[0].ID
		}
	case Switch:
		in.Default = sheet.Value{Kind: sheet.Bool, Bool: c.Default == "on"}
	case Number, Step:
		c.number(in)
	default:
		in.Default = sheet.Value{Kind: sheet.Text, Text: c.Default}
	}
	return in
}

func (c *Control) number(in *sheet.Input) {
	if c.Kind == Step {
		in.Ranged, in.Max, in.Step, in.Unit = true, float64(max(0, c.Steps-1)), 1, quantity.Quantity{Value: 1}
		n, _ := strconv.Atoi(c.Default)
		in.Default = number(quantity.Quantity{Value: math.Max(0, math.Min(float64(n), in.Max))})
		return
	}
	unit := c.Unit
	if unit == "" {
		unit = c.Default
	}
	in.Unit, _ = quantity.UnitOf(unit)
	if in.Unit.Value == 0 {
		in.Unit.Value = 1
	}
	q, _ := quantity.ParseLike(c.Default, in.Unit)
	in.Default = number(q)
	low, errLow := quantity.ParseLike(c.Min, in.Unit)
	high, errHigh := quantity.ParseLike(c.Max, in.Unit)
	if c.Min != "" && c.Max != "" && errLow == nil && errHigh == nil {
		in.Ranged, in.Min, in.Max, in.Log = true, low.Value, high.Value, c.Log
	}
	if c.Whole {
		in.Step = in.Unit.Value
	}
}

func number(q quantity.Quantity) sheet.Value { return sheet.Value{Kind: sheet.Number, Num: q} }

// option is the choice of that id, or nil.
func (c *Control) option(id string) *Option {
	for i := range c.Options {
		if c.Options[i].ID == id {
			return &c.Options[i]
		}
	}
	return nil
}

// check reads a text for a control that is no input of a sheet, and returns it as it is kept.
func (c *Control) check(text string) (string, error) {
	if c.Kind == Many {
		return c.checkMany(text)
	}
	switch most := c.most(); {
	case len(text) > most:
		return "", errors.New("this is too long; give at most " + strconv.Itoa(most>>10) + " KiB of text")
	case !utf8.ValidString(text) || strings.ContainsRune(text, 0):
		return "", errors.New("this is no text; choose a text file in UTF-8")
	}
	return text, nil
}

// most is the most bytes that a Document holds.
func (c *Control) most() int {
	if c.Cap > 0 {
		return c.Cap
	}
	return 256 << 10
}

func (c *Control) checkMany(text string) (string, error) {
	var ids []string
	for _, part := range strings.Split(text, ",") {
		id := strings.TrimSpace(part)
		switch {
		case id == "" || slices.Contains(ids, id):
		case c.option(id) == nil:
			return "", c.noSuch(id)
		default:
			ids = append(ids, id)
		}
	}
	if c.Most > 0 && len(ids) > c.Most {
		return "", errors.New("these are " + strconv.Itoa(len(ids)) + "; choose at most " + strconv.Itoa(c.Most))
	}
	return strings.Join(ids, ","), nil
}

// noSuch says what a menu says of a choice that it doesn't have.
func (c *Control) noSuch(id string) error {
	one := Control{Name: c.Name, Kind: Menu, Options: c.Options}
	_, err := (&sheet.Sheet{Inputs: []*sheet.Input{one.input()}}).Set(nil, c.Name, id)
	if err == nil { // by its name, or in other letters
		return errors.New("write the choice as its id; the menu does")
	}
	return err
}

// list are the ids of a Many's text.
func list(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, ",")
}
