package sheet

import "strconv"

// The statements that define nothing: ask, plot, table, figure, expect.

func (p *parser) askStmt(t *tree) {
	a := askStmt{ident: p.name("the name of a step")}
	if q := p.peek(); !p.failed && q.kind != tokString {
		p.unexpected(`a question in quotes should stand here, as in ` + "`ask T \"How long does it take?\"`")
	}
	a.question = p.label()
	p.end()
	if !p.failed {
		t.asks = append(t.asks, a)
	}
}

func (p *parser) plotStmt(t *tree, pos Pos) {
	s := plotStmt{y: p.names("the name of a step or an input", maxCurves)}
	p.expect("over", "plot T_math, T_comms over B")
	if !p.failed {
		s.over = p.name("an input")
	}
	for !p.failed && p.plotOption(&s) {
	}
	s.caption = p.label()
	s.when = p.when()
	s.pos = p.span(pos)
	p.end()
	if !p.failed {
		t.plots = append(t.plots, s)
	}
}

// plotOption reads one of `in a..b`, `for z = a, b`, `log`, `linear`, `mark m1, m2`.
func (p *parser) plotOption(s *plotStmt) bool {
	t := p.peek()
	switch {
	case p.accept("in"):
		p.once(t, s.low != nil)
		s.low, s.high = p.interval("over B in 1..4096")
	case p.accept("for"):
		p.once(t, s.vary != nil)
		s.vary = &assign{ident: p.name("an input")}
		if p.accept("=") {
			s.vary.values = p.list("values")
		}
	case p.accept("log"), p.accept("linear"):
		p.once(t, s.log != nil)
		log := t.text == "log"
		s.log = &log
	case p.accept("mark"):
		p.once(t, s.marks != nil)
		s.marks = p.names("the name of a step or an input", maxCurves)
	default:
		return false
	}
	return true
}

func (p *parser) tableStmt(t *tree, pos Pos) {
	s := tableStmt{columns: p.names("the name of a step or an input", maxColumns)}
	if s.list = p.showsList(len(s.columns)); s.list {
		for !p.failed && p.listOption(&s) {
		}
	} else {
		p.over(&s)
	}
	s.caption = p.label()
	s.when = p.when()
	s.pos = p.span(pos)
	p.end()
	if !p.failed {
		t.tables = append(t.tables, s)
	}
}

// over reads over B = 1, 64, 256.
func (p *parser) over(s *tableStmt) {
	p.expect("over", "table T_lower, bound over B = 1, 64, 256")
	if !p.failed {
		s.over.ident = p.name("an input")
	}
	if !p.failed && p.accept("=") {
		s.over.values = p.list("values")
	}
}

// showsList tells whether a table of so many names goes on as one of a list does.
func (p *parser) showsList(names int) bool {
	t := p.peek()
	end := t.kind == tokEnd || t.kind == tokEOF || t.kind == tokString
	return names == 1 && !p.failed && (end || t.is("show") || t.is("by") || t.is("top") || t.is("when"))
}

// listOption reads one of `show a, b`, `by a desc`, `top 20`.
func (p *parser) listOption(s *tableStmt) bool {
	t := p.peek()
	switch {
	case p.accept("show"):
		p.once(t, s.show != nil)
		s.show = p.fields()
	case p.accept("by"):
		p.once(t, s.by.Name != "")
		s.by = p.field()
		s.desc = !p.failed && p.accept("desc")
	case p.accept("top"):
		p.once(t, s.top != nil)
		s.top = p.sum()
	default:
		return false
	}
	return true
}

// field reads the name of a field, which may be a word of the language, such as title.
func (p *parser) field() ident {
	t := p.peek()
	if t.kind != tokName {
		p.unexpected("the name of a field should stand here")
		return ident{Pos: t.pos}
	}
	p.take()
	return ident{t.text, t.pos}
}

// fields reads the names of fields separated by commas.
func (p *parser) fields() []ident {
	var names []ident
	for !p.failed {
		f := p.field()
		names = append(names, f)
		if len(names) > maxColumns {
			p.fail(f.Pos, "too many columns", "at most "+strconv.Itoa(maxColumns)+"; use several tables")
		}
		if !p.accept(",") {
			break
		}
	}
	return names
}

// figureStmt reads figure torus(s, step) "caption".
func (p *parser) figureStmt(t *tree, pos Pos) {
	s := figureStmt{name: p.name("the name of a figure")}
	switch {
	case p.failed:
	case p.peek().is("("):
		s.args = p.args(s.name.Name)
	default:
		p.unexpected("its values should stand here, as in `figure torus(s, t) \"caption\"`")
	}
	s.caption = p.label()
	s.when = p.when()
	s.pos = p.span(pos)
	p.end()
	if !p.failed {
		t.figures = append(t.figures, s)
	}
}

// expectSigns are what an `expect` may compare with.
var expectSigns = []string{"=", "<=", ">=", "<", ">"}

func (p *parser) expectStmt(t *tree, pos Pos) {
	s := expectStmt{name: p.name("the name of a step or an input")}
	if !p.failed {
		s.op = p.acceptOf(expectSigns)
	}
	if !p.failed && s.op == "" {
		p.unexpected("`=`, `<`, `<=`, `>` or `>=` should stand here, as in `expect T_math = 87.2 us within 0.1%`")
	}
	if !p.failed {
		s.want = p.sum()
	}
	for !p.failed && p.expectOption(&s) {
	}
	s.pos = p.span(pos)
	p.end()
	if !p.failed {
		t.expects = append(t.expects, s)
	}
}

// expectOption reads one of `within 1%`, `at B = 128, chip = tpu.v5e`, `as "fact/field"`.
func (p *parser) expectOption(s *expectStmt) bool {
	t := p.peek()
	switch {
	case p.accept("within"):
		p.once(t, s.within != nil)
		s.within = p.sum()
	case p.accept("at"):
		p.once(t, s.at != nil)
		s.at = p.assigns()
	case p.accept("as"):
		p.once(t, s.fact != "")
		if p.peek().kind != tokString {
			p.unexpected("the fact's name in quotes should stand here, as in `as \"roofline.q1.d/t_math_us\"`")
		}
		s.fact = p.label()
	default:
		return false
	}
	return true
}

// assigns reads B = 128, chip = tpu.v5e.
func (p *parser) assigns() []assign {
	var list []assign
	for !p.failed {
		a := assign{ident: p.name("an input")}
		p.expect("=", "at B = 128, chip = tpu.v5e")
		if p.failed {
			break
		}
		a.values = []Expr{p.sum()}
		list = append(list, a)
		if !p.accept(",") {
			break
		}
	}
	return list
}
