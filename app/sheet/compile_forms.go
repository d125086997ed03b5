package sheet

import (
	"math"
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// Several choices, steppers and documents.

// several makes an input whose author chose several values one whose value is a list.
func (c *compiler) several(in *input.Input, d *syntax.Definition) bool {
	if d.Others == nil && d.Most == nil {
		return true
	}
	if len(in.Menu) == 0 {
		return c.noMenu(d)
	}
	list := []value.Value{in.Default}
	for _, e := range d.Others {
		v, ok := c.menuValue(in, e)
		if !ok {
			return false
		}
		if _, twice := input.Find(list, v); twice {
			c.errs.Add(e.Position(), phrase.New("sheet.chosen-twice", "code", syntax.Brief(e)),
				phrase.New("sheet.leave-one-out"))
			return false
		}
		list = append(list, v)
	}
	for _, o := range in.Menu {
		if strings.Contains(o.ID, ",") {
			c.errs.Add(d.OfAt, phrase.New("sheet.has-comma", "id", syntax.Clip(o.ID)),
				phrase.New("sheet.choose-another-word"))
			return false
		}
	}
	in.Control, in.Default = input.SeveralForm, value.Value{Kind: value.List, List: list}
	return c.mostOf(in, d)
}

// mostOf reads `most 6`.
func (c *compiler) mostOf(in *input.Input, d *syntax.Definition) bool {
	in.Most = len(in.Menu)
	if d.Most == nil {
		return true
	}
	v, ok := c.constant(d.Most)
	switch {
	case !ok:
		return false
	case v.Kind != value.Number || !v.Num.Dim.IsZero() || v.Num.Value != math.Trunc(v.Num.Value) || v.Num.Value < 1 ||
		v.Num.Value > syntax.MaxValues:
		c.errs.Add(d.Most.Position(), phrase.New("sheet.no-number-of-choices", "code", syntax.Brief(d.Most)),
			phrase.New("sheet.write-number-of-choices"))
		return false
	case len(in.Default.List) > int(v.Num.Value):
		c.errs.Add(d.Most.Position(), phrase.New("sheet.too-many-chosen", "n", len(in.Default.List)),
			phrase.New("sheet.allow-many-or-choose"))
		return false
	}
	in.Most = int(v.Num.Value)
	return true
}

// stepper reads `play` and `strip` of a number that has its range and step already.
func (c *compiler) stepper(in *input.Input, d *syntax.Definition) bool {
	switch {
	case !d.Play && d.Strip == nil:
		return true
	case !d.Play:
		c.errs.Add(d.Strip[0].Position(), phrase.New("sheet.strip-steppers"), phrase.New("sheet.write-play-too"))
		return false
	case d.Low == nil || d.Step == nil || d.Log:
		c.errs.Add(d.PlayAt, phrase.New("sheet.stepper-needs-range"), phrase.New("sheet.write-step-play"))
		return false
	}
	in.Control, in.Pace = input.StepForm, defaultPace
	if d.Pace == nil {
		return true
	}
	v, ok := c.constant(d.Pace)
	if !ok {
		return false
	}
	seconds := v.Num.Value
	if v.Kind != value.Number || v.Num.Dim != (quantity.Dim{quantity.Second: 1}) || !(seconds >= 0.1 && seconds <= 10) {
		c.errs.Add(d.Pace.Position(), phrase.New("sheet.no-pace", "code", syntax.Brief(d.Pace)),
			phrase.New("sheet.write-pace"))
		return false
	}
	in.Pace = int(math.Round(seconds * 1000))
	return true
}

// strip reads the values of `strip` in a stepper that follows no other line.
func (c *compiler) strip(in *input.Input, d *syntax.Definition) bool {
	for _, e := range d.Strip {
		v, ok := c.value(in, e)
		if !ok {
			return false
		}
		in.Strip = append(in.Strip, v)
	}
	return true
}

// isDocument tells whether d is `document`, or `document(".json", 256 KiB)`.
func isDocument(d *syntax.Definition) bool {
	switch e := d.Value.(type) {
	case *syntax.Name:
		return e.Name == "document"
	case *syntax.Call:
		return e.Recv == nil && e.Func == "document"
	}
	return false
}

// document reads what a document takes: the names of its files, and its length.
func (c *compiler) document(in *input.Input, d *syntax.Definition) bool {
	in.Control, in.Default, in.Cap = input.DocumentForm, value.Value{Kind: value.Text}, documentBytes
	call, ok := d.Value.(*syntax.Call)
	if !ok {
		return true
	}
	var long syntax.Expr
	for _, e := range call.Args {
		if name, ok := e.(*syntax.Name); ok && c.env.Func(name.Name) != nil && in.Reads == nil && in.Shortens == nil {
			if !c.reader(in, name) {
				return false
			}
			continue
		}
		v, ok := c.constant(e)
		switch {
		case !ok:
			return false
		case v.Kind == value.Text && strings.HasPrefix(v.Text, ".") && in.Accept == "":
			in.Accept = v.Text
		case v.Kind == value.Number && v.Num.Dim == (quantity.Dim{quantity.Byte: 1}) && v.Num.Value >= 1 &&
			v.Num.Value <= maxStreamed:
			in.Cap, long = int(v.Num.Value), e
		default:
			return c.noLength(e)
		}
	}
	if in.Cap > maxDocument && (in.Shortens == nil || in.Shortens.Stream == nil) {
		return c.noLength(long)
	}
	return true
}

// noLength says that an argument of document says nothing of it.
func (c *compiler) noLength(e syntax.Expr) bool {
	c.errs.Add(e.Position(), phrase.New("sheet.says-nothing-document", "code", syntax.Brief(e)),
		phrase.New("sheet.write-document"))
	return false
}

// reader gives a document the function of that name, if it reads a text: one that begins work and ends with a text
// shortens it.
func (c *compiler) reader(in *input.Input, name *syntax.Name) bool {
	fn := c.env.Func(name.Name)
	if len(fn.Params) != 1 || fn.Params[0].Type.Kind != value.Text {
		c.errs.Add(name.Pos, phrase.New("sheet.no-function-reads-text", "name", syntax.Clip(name.Name)),
			phrase.New("sheet.name-reader"))
		return false
	}
	if fn.Begin != nil && fn.Result.Kind == value.Text {
		in.Shortens = fn
	} else {
		in.Reads = fn
	}
	return true
}
