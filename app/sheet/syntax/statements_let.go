package syntax

import "github.com/scalebook/scalebook/app/phrase"

// LetOptions are what a `let` says besides its name, its first value and its label.
type LetOptions struct {
	Others    []Expr // the values behind the first: several are chosen
	First     bool   // `first of xs`: the default is what the list begins with
	InAt      Pos
	Low, High Expr // its range, or nil
	LogAt     Pos
	Log       bool
	Step      Expr
	OfAt      Pos
	Of        []Choice
	Most      Expr // how many may be chosen
	PlayAt    Pos
	Play      bool
	Pace      Expr // how long playing rests on a step, or nil
	Strip     []Expr
	Check     Expr // a text that says why a value is refused, or nil
}

// Choice is one of what stands behind `of`: what it is, and the name and the heading to show it under.
type Choice struct {
	Expr
	Name, Group string
}

func (p *parser) letStmt(t *Tree) {
	const example = `let B = 256 token in 1..16384 log "Tokens in the batch"`
	d := &Definition{Kind: "input"}
	d.Ident = p.defined("B")
	p.expect("=", example)
	if !p.failed {
		p.letValues(d)
	}
	for !p.failed && p.letOption(d) {
	}
	d.Label = p.label()
	d.When = p.when()
	if t := p.peek(); t.Kind == TokName && !p.failed {
		p.unexpected(phrase.New("syntax.let-options"))
	}
	p.end()
	p.file(t, d)
}

// letValues reads the default: a value, several with commas between them, or `first of xs`, whose list is the menu.
func (p *parser) letValues(d *Definition) {
	if t := p.peek(); t.Is("first") && p.toks[p.i+1].Is("of") {
		p.take()
		d.First, d.Value = true, &Name{Pos: t.pos, Name: t.Text}
		return
	}
	d.Value = p.sum()
	if p.accept(",") {
		d.Others = p.list(phrase.New("syntax.too-many-choices"))
	}
}

// letOption reads one of the options of a `let`.
func (p *parser) letOption(d *Definition) bool {
	t := p.peek()
	switch {
	case p.accept("in"):
		p.once(t, d.Low != nil)
		d.InAt = t.pos
		d.Low, d.High = p.interval("in 1..16384")
	case p.accept("log"):
		p.once(t, d.Log)
		d.Log, d.LogAt = true, t.pos
	case p.accept("step"):
		p.once(t, d.Step != nil)
		d.Step = p.sum()
	case p.accept("of"):
		p.once(t, d.Of != nil)
		d.OfAt, d.Of = t.pos, p.choices()
	case p.accept("most"):
		p.once(t, d.Most != nil)
		d.Most = p.sum()
	case p.accept("check"):
		p.once(t, d.Check != nil)
		d.Check = p.expr()
	default:
		return p.stepperOption(d)
	}
	return true
}

// stepperOption reads `play`, with or without a pace, or `strip a, b, c`.
func (p *parser) stepperOption(d *Definition) bool {
	t := p.peek()
	switch {
	case p.accept("play"):
		p.once(t, d.Play)
		d.Play, d.PlayAt = true, t.pos
		if p.peek().Kind == TokNumber {
			d.Pace = p.sum()
		}
	case p.accept("strip"):
		p.once(t, d.Strip != nil)
		d.Strip = p.list(phrase.New("syntax.too-many-values"))
	default:
		return false
	}
	return true
}

// choices reads what stands behind `of`: values with commas between them, each perhaps with a name to show. A text
// behind the last one is its name if another choice has one too, and the label of the input otherwise.
func (p *parser) choices() []Choice {
	var list []Choice
	named, group := false, ""
	for !p.failed {
		if p.peek().Is("under") && p.toks[p.i+1].Kind == TokString {
			p.take()
			group = p.label()
		}
		at := p.peek().pos
		c := Choice{Expr: p.sum(), Group: group}
		if p.peek().Kind == TokString && !p.failed && (named || p.toks[p.i+1].Is(",")) {
			c.Name, named = p.label(), true
		}
		list = append(list, c)
		if len(list) > MaxValues {
			p.fail(at, phrase.New("syntax.too-many-choices"), phrase.New("syntax.at-most-200"))
		}
		if !p.accept(",") {
			break
		}
	}
	return list
}
