package sheet

// letOptions are what a `let` says besides its name, its first value and its label.
type letOptions struct {
	others    []Expr // the values behind the first: several are chosen
	first     bool   // `first of xs`: the default is what the list begins with
	inAt      Pos
	low, high Expr // its range, or nil
	logAt     Pos
	log       bool
	step      Expr
	ofAt      Pos
	of        []choice
	most      Expr // how many may be chosen
	playAt    Pos
	play      bool
	pace      Expr // how long playing rests on a step, or nil
	strip     []Expr
}

// choice is one of what stands behind `of`: what it is, and the name and the heading to show it under.
type choice struct {
	Expr
	name, group string
}

func (p *parser) letStmt(t *tree) {
	const example = `let B = 256 token in 1..16384 log "Tokens in the batch"`
	d := &definition{kind: "input"}
	d.ident = p.defined("B")
	p.expect("=", example)
	if !p.failed {
		p.letValues(d)
	}
	for !p.failed && p.letOption(d) {
	}
	d.label = p.label()
	d.when = p.when()
	if t := p.peek(); t.kind == tokName && !p.failed {
		p.unexpected("`in a..b`, `log`, `step n`, `of a, b`, `most n`, `play`, `strip a, b`, a label or `when condition` may follow")
	}
	p.end()
	p.file(t, d)
}

// letValues reads the default: a value, several with commas between them, or `first of xs`, whose list is the menu.
func (p *parser) letValues(d *definition) {
	if t := p.peek(); t.is("first") && p.toks[p.i+1].is("of") {
		p.take()
		d.first, d.value = true, &Name{Pos: t.pos, Name: t.text}
		return
	}
	d.value = p.sum()
	if p.accept(",") {
		d.others = p.list("choices")
	}
}

// letOption reads one of the options of a `let`.
func (p *parser) letOption(d *definition) bool {
	t := p.peek()
	switch {
	case p.accept("in"):
		p.once(t, d.low != nil)
		d.inAt = t.pos
		d.low, d.high = p.interval("in 1..16384")
	case p.accept("log"):
		p.once(t, d.log)
		d.log, d.logAt = true, t.pos
	case p.accept("step"):
		p.once(t, d.step != nil)
		d.step = p.sum()
	case p.accept("of"):
		p.once(t, d.of != nil)
		d.ofAt, d.of = t.pos, p.choices()
	case p.accept("most"):
		p.once(t, d.most != nil)
		d.most = p.sum()
	default:
		return p.stepperOption(d)
	}
	return true
}

// stepperOption reads `play`, with or without a pace, or `strip a, b, c`.
func (p *parser) stepperOption(d *definition) bool {
	t := p.peek()
	switch {
	case p.accept("play"):
		p.once(t, d.play)
		d.play, d.playAt = true, t.pos
		if p.peek().kind == tokNumber {
			d.pace = p.sum()
		}
	case p.accept("strip"):
		p.once(t, d.strip != nil)
		d.strip = p.list("values")
	default:
		return false
	}
	return true
}

// choices reads what stands behind `of`: values with commas between them, each perhaps with a name to show. A text behind
// the last one is its name if another choice has one too, and the label of the input otherwise.
func (p *parser) choices() []choice {
	var list []choice
	named, group := false, ""
	for !p.failed {
		if p.peek().is("under") && p.toks[p.i+1].kind == tokString {
			p.take()
			group = p.label()
		}
		at := p.peek().pos
		c := choice{Expr: p.sum(), group: group}
		if p.peek().kind == tokString && !p.failed && (named || p.toks[p.i+1].is(",")) {
			c.name, named = p.label(), true
		}
		list = append(list, c)
		if len(list) > maxValues {
			p.fail(at, "too many choices", "at most 200")
		}
		if !p.accept(",") {
			break
		}
	}
	return list
}
