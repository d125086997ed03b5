package sheet

import (
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/sheet/value"
	"github.com/scalebook/scalebook/app/spell"
)

// inputs makes the inputs of all `let` lines.
func (c *compiler) inputs() {
	for i, d := range c.defs[:len(c.sheet.Rows)] {
		if d.Kind != "input" || d.Unspecified {
			continue
		}
		in := &input.Input{Name: d.Name, Label: d.Label, Pos: d.Pos, Checked: d.Check != nil}
		if c.reads(d) {
			c.follow(i, in, d)
			c.sheet.Inputs = append(c.sheet.Inputs, in)
			continue
		}
		if !c.let(in, d) {
			continue
		}
		c.sheet.Inputs = append(c.sheet.Inputs, in)
		s := &c.prog.slots[i]
		s.input, s.node.Bad, s.def.Type = in, false, in.Default.Type()
	}
}

// let fills in the input that d declares.
func (c *compiler) let(in *input.Input, d *syntax.Definition) bool {
	switch {
	case isDocument(d):
		return c.document(in, d) && c.noMenu(d) && c.noRange(in, d)
	case isChoice(d, c.env):
		return c.choice(in, d) && c.several(in, d) && c.noRange(in, d)
	case d.First:
		return c.menu(in, d, nil) && c.several(in, d) && c.noRange(in, d)
	}
	if name, ok := d.Value.(*syntax.Name); ok && c.unknownWord(name) {
		return false
	}
	v, ok := c.constant(d.Value)
	if !ok {
		return false
	}
	in.Default = v
	if v.Kind == value.Number {
		in.Unit = unitOf(d.Value, v.Num)
		syntax.Walk(d.Value, func(e syntax.Expr) {
			_, named := e.(*syntax.Name)
			in.Fact = in.Fact || named
		})
	}
	switch {
	case d.Of != nil && v.Kind != value.Bool:
		return c.menu(in, d, &v) && c.several(in, d) && c.noRange(in, d)
	case v.Kind == value.Rec:
		if !c.catalogEntry(v, d) {
			return false
		}
		in.Menu = recordOptions(v.Record.Kin.Members)
	case v.Kind == value.DType:
		in.Menu = options(c.env.DTypes)
	case v.Kind == value.Number:
		return c.noMenu(d) && c.numberInput(in, d) && c.stepper(in, d) && c.strip(in, d)
	case v.Kind == value.Bool:
		in.Menu = switchMenu()
		return c.noMenu(d) && c.noRange(in, d)
	case v.Kind == value.List:
		c.errs.Add(d.Value.Position(),
			phrase.New("sheet.cannot-choose-whole", "code", syntax.Brief(d.Value), "type", v.Type()),
			phrase.New("sheet.write-first-before-choose"))
		return false
	}
	return c.several(in, d) && c.noRange(in, d)
}

// switchMenu is what a switch can be.
func switchMenu() []input.Option {
	return []input.Option{{ID: "on", Name: "on", Value: value.Value{Kind: value.Bool, Bool: true}},
		{ID: "off", Name: "off", Value: value.Value{Kind: value.Bool}}}
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
		c.errs.Add(d.Strip[0].Position(), phrase.New("sheet.strip-needs-number", "is", is), phrase.New("sheet.leave-it-out"))
	default:
		return true
	}
	return false
}
