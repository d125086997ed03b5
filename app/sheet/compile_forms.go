package sheet

import (
	"math"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/quantity"
)

// Several choices, steppers and documents.

// several makes an input whose author chose several values one whose value is a list.
func (c *compiler) several(in *Input, d *definition) bool {
	if d.others == nil && d.most == nil {
		return true
	}
	if len(in.Menu) == 0 {
		return c.noMenu(d)
	}
	list := []Value{in.Default}
	for _, e := range d.others {
		v, ok := c.menuValue(in, e)
		if !ok {
			return false
		}
		if _, twice := find(list, v); twice {
			c.errs.add(e.Position(), "`"+clip(codeText(e))+"` is chosen twice", "leave one out")
			return false
		}
		list = append(list, v)
	}
	for _, o := range in.Menu {
		if strings.Contains(o.ID, ",") {
			c.errs.add(d.ofAt, "`"+clip(o.ID)+"` has a comma, which stands between several choices", "choose another word for it")
			return false
		}
	}
	in.form, in.Default = SeveralForm, Value{Kind: List, List: list}
	return c.mostOf(in, d)
}

// mostOf reads `most 6`.
func (c *compiler) mostOf(in *Input, d *definition) bool {
	in.Most = len(in.Menu)
	if d.most == nil {
		return true
	}
	v, ok := c.constant(d.most)
	switch {
	case !ok:
		return false
	case v.Kind != Number || !v.Num.Dim.IsZero() || v.Num.Value != math.Trunc(v.Num.Value) || v.Num.Value < 1 || v.Num.Value > maxValues:
		c.errs.add(d.most.Position(), "`"+clip(codeText(d.most))+"` is no number of choices", "write a whole number from 1 to 200")
		return false
	case len(in.Default.List) > int(v.Num.Value):
		c.errs.add(d.most.Position(), strconv.Itoa(len(in.Default.List))+" are chosen already", "allow as many, or choose fewer")
		return false
	}
	in.Most = int(v.Num.Value)
	return true
}

// stepper reads `play` and `strip` of a number that has its range and step already.
func (c *compiler) stepper(in *Input, d *definition) bool {
	switch {
	case !d.play && d.strip == nil:
		return true
	case !d.play:
		c.errs.add(d.strip[0].Position(), "`strip` is for steppers", "write `play` too, or leave it out")
		return false
	case d.low == nil || d.step == nil || d.log:
		c.errs.add(d.playAt, "a stepper needs a range and a step", "write `in 0..8 step 1 play`")
		return false
	}
	in.form, in.Pace = StepForm, defaultPace
	if d.pace == nil {
		return true
	}
	v, ok := c.constant(d.pace)
	if !ok {
		return false
	}
	seconds := v.Num.Value
	if v.Kind != Number || v.Num.Dim != (quantity.Dim{quantity.Second: 1}) || !(seconds >= 0.1 && seconds <= 10) {
		c.errs.add(d.pace.Position(), "`"+clip(codeText(d.pace))+"` is no pace", "write how long a step stays, from 100 ms to 10 s")
		return false
	}
	in.Pace = int(math.Round(seconds * 1000))
	return true
}

// strip reads the values of `strip` in a stepper that follows no other line.
func (c *compiler) strip(in *Input, d *definition) bool {
	for _, e := range d.strip {
		v, ok := c.value(in, e)
		if !ok {
			return false
		}
		in.Strip = append(in.Strip, v)
	}
	return true
}

// isDocument tells whether d is `document`, or `document(".json", 256 KiB)`.
func (d *definition) isDocument() bool {
	switch e := d.value.(type) {
	case *Name:
		return e.Name == "document"
	case *Call:
		return e.Recv == nil && e.Func == "document"
	}
	return false
}

// document reads what a document takes: the names of its files, and its length.
func (c *compiler) document(in *Input, d *definition) bool {
	in.form, in.Default, in.Cap = DocumentForm, Value{Kind: Text}, documentBytes
	call, ok := d.value.(*Call)
	if !ok {
		return true
	}
	for _, e := range call.Args {
		v, ok := c.constant(e)
		switch {
		case !ok:
			return false
		case v.Kind == Text && strings.HasPrefix(v.Text, ".") && in.Accept == "":
			in.Accept = v.Text
		case v.Kind == Number && v.Num.Dim == (quantity.Dim{quantity.Byte: 1}) && v.Num.Value >= 1 && v.Num.Value <= maxDocument:
			in.Cap = int(v.Num.Value)
		default:
			c.errs.add(e.Position(), "`"+clip(codeText(e))+"` says nothing of a document",
				"write the end of its files' names and its greatest length, up to 4 MiB: `document(\".json\", 256 KiB)`")
			return false
		}
	}
	return true
}
