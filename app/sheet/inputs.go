package sheet

import (
	"math"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/sheet/value"
	"github.com/scalebook/scalebook/app/spell"
)

// inputs makes the inputs of all `let` lines, and reports former names that lead to no input, or to two.
func (c *compiler) inputs() {
	was := " "
	for i, d := range c.defs[:len(c.sheet.Rows)] {
		if d.Kind != "input" || d.Unspecified {
			continue
		}
		in := &input.Input{Name: d.Name, Label: d.Label, Group: d.Group, Pos: d.Pos, Checked: d.Check != nil,
			Published: d.Published, Was: d.Was}
		for _, w := range d.Was {
			lower := strings.ToLower(w.Name)
			if row, ok := c.prog.byName[w.Name]; ok {
				c.errs.Add(w.Pos, phrase.New("sheet.defined-already", "name", w.Name, "line", c.defs[row].Pos.Line),
					phrase.New("sheet.leave-it-out"))
			} else if syntax.HasWord(was, lower) {
				c.errs.Add(w.Pos, phrase.New("syntax.given-twice", "word", w.Name), phrase.New("syntax.leave-one-out"))
			}
			was += lower + " "
		}
		if d.When != nil || c.follows(d) {
			c.follow(i, in, d)
			c.sheet.Inputs = append(c.sheet.Inputs, in)
			continue
		}
		if !c.declare(in, nil, d) {
			continue
		}
		c.sheet.Inputs = append(c.sheet.Inputs, in)
		s := &c.prog.slots[i]
		s.input, s.node.Bad, s.def.Type = in, false, in.Default.Type()
	}
}

// declare fills in the input that d declares: its default and its menu, and then what else stands in the line, as far
// as that suits the form of its control. w are the parts of it that follow other lines, nil if none does; of those only
// the types are known here, and settleInput puts the values of the author's state in.
func (c *compiler) declare(in *input.Input, w *follow, d *syntax.Definition) bool {
	if !c.begin(in, w, d) {
		return false
	}
	words := in.Form().Words()
	if words&input.Choices != 0 {
		if !c.several(in, w, d) {
			return false
		}
	} else if !c.noMenu(d) {
		return false
	}
	if words&input.Range == 0 {
		return c.noRange(in, d)
	}
	return c.numberInput(in, w, d) && c.stepper(in, d)
}

// begin finds the default and the menu.
func (c *compiler) begin(in *input.Input, w *follow, d *syntax.Definition) bool {
	switch {
	case isDocument(d):
		return c.document(in, d)
	case isChoice(d, c.env):
		return c.choice(in, d)
	case w != nil && w.menu > 0:
		return c.followMenu(in, w, d)
	case w != nil && (d.Of != nil || w.value == 0):
		e := d.Value
		if d.Of != nil {
			e = d.Of[0].Expr
		}
		c.errs.Add(e.Position(), phrase.New("sheet.choices-follow"), phrase.New("sheet.write-list-behind-of"))
		return false
	case d.First:
		return c.menu(in, d, nil)
	case !c.defaultOf(in, w, d):
		return false
	case d.Of != nil && in.Default.Kind != value.Bool:
		return c.menu(in, d, &in.Default)
	}
	switch typ := in.Default.Type(); typ.Kind {
	case value.Bool:
		in.Menu = switchMenu(c.env.Phrases)
	case value.DType:
		in.Menu = options(c.env.DTypes)
	case value.Rec:
		return c.entries(in, w, d)
	case value.List:
		if w != nil {
			typ = c.prog.slots[w.value].def.Type
		}
		c.errs.Add(d.Value.Position(),
			phrase.New("sheet.cannot-choose-whole", "code", syntax.Brief(d.Value), "type", typ),
			phrase.New("sheet.write-first-before-choose"))
		return false
	}
	return true
}

// defaultOf finds the default of an input, or an example of it where it follows other lines.
func (c *compiler) defaultOf(in *input.Input, w *follow, d *syntax.Definition) bool {
	if w != nil {
		in.Default = c.prog.slots[w.value].def.Type.Example()
		return true
	}
	if name, ok := d.Value.(*syntax.Name); ok && c.unknownWord(name) {
		return false
	}
	v, ok := c.constant(d.Value)
	if in.Default = v; !ok || v.Kind != value.Number {
		return ok
	}
	in.Unit = unitOf(d.Value, v.Num)
	syntax.Walk(d.Value, func(e syntax.Expr) {
		_, named := e.(*syntax.Name)
		in.Fact = in.Fact || named
	})
	return true
}

// entries makes those of the default's catalog the menu.
func (c *compiler) entries(in *input.Input, w *follow, d *syntax.Definition) bool {
	if w == nil {
		if !c.catalogEntry(in.Default, d) {
			return false
		}
		in.Menu = recordOptions(in.Default.Record.Type.Members)
		return true
	}
	kind := c.prog.slots[w.value].def.Type.Record
	if kind == nil || len(kind.Members) == 0 {
		c.errs.Add(d.Value.Position(), phrase.New("sheet.no-entry-catalog", "code", syntax.Brief(d.Value)),
			phrase.New("sheet.name-the-list"))
		return false
	}
	in.Menu = recordOptions(kind.Members)
	return true
}

// switchMenu is what a switch can be.
func switchMenu(l phrase.Phrases) []input.Option {
	on, off := value.Value{Kind: value.Bool, Bool: true}, value.Value{Kind: value.Bool}
	return []input.Option{{ID: "on", Name: on.In(l), Value: on}, {ID: "off", Name: off.In(l), Value: off}}
}

// unknownWord reports a default that is a word without meaning: the author probably had a choice in mind.
func (c *compiler) unknownWord(e *syntax.Name) bool {
	_, inEnv := c.env.Value(e.Name)
	_, inSheet := c.prog.byName[e.Name]
	if inEnv || inSheet || e.Name == "pi" || spell.Meant(e.Name, value.Names(c.env.Values)) != "" {
		return false
	}
	c.errs.Add(e.Pos, phrase.New("sheet.unknown-name", "name", e.Name),
		phrase.New("sheet.name-choices", "name", e.Name))
	return true
}

// isChoice tells whether d is a choice among words: its default is a text, or a word that means nothing else, and
// what stands behind `of` is more than a list.
func isChoice(d *syntax.Definition, env *value.Env) bool {
	text, ok := word(d.Value)
	if !ok || d.Of == nil || d.First {
		return false
	}
	if _, isName := d.Value.(*syntax.Name); isName {
		if _, known := env.Value(text); known || text == "pi" {
			return false
		}
	}
	only, isWord := word(d.Of[0].Expr)
	return len(d.Of) > 1 || isWord && only == text
}

// word is the text that e is as a choice: a bare word or a text.
func word(e syntax.Expr) (string, bool) {
	switch e := e.(type) {
	case *syntax.Str:
		return e.Text, true
	case *syntax.Name:
		return e.Name, true
	}
	return "", false
}

// noMenu reports `of` where there is nothing to choose.
func (c *compiler) noMenu(d *syntax.Definition) bool {
	switch {
	case d.Of != nil:
		c.errs.Add(d.OfAt, phrase.New("sheet.of-is-for-menus"), phrase.New("sheet.leave-it-out"))
	case d.Others != nil:
		c.errs.Add(d.Others[0].Position(), phrase.New("sheet.several-values-need-menu"),
			phrase.New("sheet.write-choices"))
	case d.Most != nil:
		c.errs.Add(d.Most.Position(), phrase.New("sheet.most-needs-menu"),
			phrase.New("sheet.write-choices-or-not"))
	default:
		return true
	}
	return false
}

// noRange reports `in`, `log`, `step`, `play` and `strip` where there is no number, or one of a menu.
func (c *compiler) noRange(in *input.Input, d *syntax.Definition) bool {
	is := phrase.New("sheet.is", "input", in.Name, "type", in.Default.Type())
	if in.Default.Kind == value.Number {
		is = phrase.New("sheet.is-a-menu", "input", in.Name)
	}
	switch {
	case d.Low != nil:
		c.errs.Add(d.InAt, phrase.New("sheet.range-needs-number", "is", is), phrase.New("sheet.leave-out-in"))
	case d.Log:
		c.errs.Add(d.LogAt, phrase.New("sheet.log-needs-number", "is", is), phrase.New("sheet.leave-it-out"))
	case d.Step != nil:
		c.errs.Add(d.Step.Position(), phrase.New("sheet.step-needs-number", "is", is), phrase.New("sheet.leave-it-out"))
	case d.Play:
		c.errs.Add(d.PlayAt, phrase.New("sheet.play-needs-number", "is", is), phrase.New("sheet.leave-it-out"))
	case d.Strip != nil:
		c.errs.Add(d.Strip[0].Position(), phrase.New("sheet.strip-needs-number", "is", is),
			phrase.New("sheet.leave-it-out"))
	default:
		return true
	}
	return false
}

// numberInput fills in range, scale and grid, and the values of a strip.
func (c *compiler) numberInput(in *input.Input, w *follow, d *syntax.Definition) bool {
	in.Ranged, in.Log = d.Low != nil, d.Log
	if w != nil {
		return c.followRange(in, w) && c.logScale(in, d, false)
	}
	ok := true
	for _, part := range [...]struct {
		expr syntax.Expr
		to   *float64
	}{{d.Low, &in.Min}, {d.High, &in.Max}, {d.Step, &in.Step}} {
		if part.expr != nil {
			x, good := c.number(in, part.expr)
			*part.to, ok = x, ok && good
		}
	}
	if !ok {
		return false
	}
	part, fault := limits{in.Min, in.Max, in.Step, in.Ranged, d.Step != nil}.fault()
	if fault == nil && in.Ranged && in.Min == in.Max {
		part, fault = "range", emptyRange()
	}
	if fault != nil {
		c.errs.Add(partAt(d, part), fault.What, fault.Remedy)
		return false
	}
	if !c.logScale(in, d, true) {
		return false
	}
	if err := in.Accepts(in.Default.Num); err != nil {
		c.errs.Add(d.Value.Position(), phrase.New("sheet.default-fault", "fault", err.What), err.Remedy)
		return false
	}
	for _, e := range d.Strip {
		v, ok := c.value(in, e)
		if !ok {
			return false
		}
		in.Strip = append(in.Strip, v)
	}
	return true
}

// limits are the range and the step of an input, as they are written or as other lines make them.
type limits struct {
	low, high, step float64
	ranged, stepped bool
}

// fault says what is wrong with them, and with which part of the line. Other lines may leave a range of one value.
func (l limits) fault() (part string, fault *syntax.Error) {
	switch {
	case l.ranged && !(l.low <= l.high):
		return "range", emptyRange()
	case math.IsInf(l.high-l.low, 0):
		return "range", &syntax.Error{What: phrase.New("sheet.range-too-wide"),
			Remedy: phrase.New("sheet.write-closer-ends")}
	case l.stepped && !(l.step > 0):
		return "step", &syntax.Error{What: phrase.New("sheet.step-above-zero"), Remedy: phrase.New("sheet.write-step")}
	}
	return "", nil
}

func emptyRange() *syntax.Error {
	return &syntax.Error{What: phrase.New("sheet.range-empty"), Remedy: phrase.New("sheet.write-smaller-first")}
}

// logScale reports `log` without a range above zero, as far as the range is known.
func (c *compiler) logScale(in *input.Input, d *syntax.Definition, known bool) bool {
	if !d.Log || in.Ranged && (in.Min > 0 || !known) {
		return true
	}
	c.errs.Add(d.LogAt, phrase.New("sheet.log-needs-range"), phrase.New("sheet.write-log"))
	return false
}

// unitOf is the unit in which an author wrote the default q.
func unitOf(e syntax.Expr, q quantity.Quantity) quantity.Quantity {
	for {
		switch x := e.(type) {
		case *syntax.Group:
			e = x.X
			continue
		case *syntax.Unary:
			e = x.X
			continue
		case *syntax.Lit:
			if u, err := quantity.UnitOf(x.Text); err == nil && u.Dim == q.Dim {
				return u
			}
		}
		return printedUnit(q)
	}
}

// printedUnit is the unit in which q prints: of a computed default, the one that a reader sees.
func printedUnit(q quantity.Quantity) quantity.Quantity {
	_, unit := q.Parts()
	if u, err := quantity.UnitOf("1 " + unit); err == nil && u.Dim == q.Dim && u.Value > 0 {
		return u
	}
	q.Value = 1
	return q
}

// number is a constant of in's dimension, in base units. A bare one counts in the unit of its default.
func (c *compiler) number(in *input.Input, e syntax.Expr) (float64, bool) {
	v, ok := c.constant(e)
	if !ok {
		return 0, false
	}
	inUnit, ok := c.isLike(in, e, v.Type(), v.Num.Label == quantity.Label{})
	if !inUnit || !ok {
		return v.Num.Value, ok
	}
	q, err := quantity.ParseLike(strconv.FormatFloat(v.Num.Value, 'g', -1, 64), in.Unit)
	return q.Value, err == nil
}

// isLike checks that a part of in's line is a number like in, or a bare one, which counts in the unit of in.
func (c *compiler) isLike(in *input.Input, e syntax.Expr, typ value.Type, bare bool) (inUnit, ok bool) {
	switch like := in.Default.Num; {
	case typ.Kind != value.Number:
		c.errs.Add(e.Position(), phrase.New("sheet.value-should-be", "code", syntax.Brief(e), "type", typ, "wanted",
			in.Default.Type()), phrase.New("sheet.write-number"))
	case typ.Dim == like.Dim:
		return false, true
	case typ.Dim.IsZero() && bare:
		return true, true
	default:
		c.errs.Add(e.Position(), phrase.New("sheet.is-but-input", "code", syntax.Brief(e), "type", typ, "input",
			in.Name, "othertype", in.Default.Type()), dimRemedy(like.Dim))
	}
	return false, false
}

// dimRemedy is the remedy where a number of another dimension stands.
func dimRemedy(d quantity.Dim) *phrase.Phrase {
	if d.IsZero() {
		return phrase.New("sheet.give-plain-number")
	}
	return phrase.New("sheet.give-dim", "word", d.Words(), "unit", d.String())
}

// Several choices, steppers and documents.

// several makes an input whose author chose several values one whose value is a list.
func (c *compiler) several(in *input.Input, w *follow, d *syntax.Definition) bool {
	switch {
	case d.Others == nil && d.Most == nil:
		return true
	case w != nil && w.menu > 0:
		return c.followSeveral(in, d)
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

// stepper reads `play` of a number that has its range and step already.
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
