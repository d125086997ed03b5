package syntax

import "github.com/scalebook/scalebook/app/phrase"

// The statements that define nothing: ask, plot, table, figure, expect.

// askStmt reads ask B_crit "question", ask B_crit in C, W "question", ask bound of "compute", "memory" "question", and
// ask T over B "question".
func (p *parser) askStmt(t *Tree) {
	a := Ask{Ident: p.name(phrase.New("syntax.name-of-step"))}
	switch {
	case p.failed:
	case p.accept("in"):
		a.Symbols = p.names(phrase.New("syntax.name-of-row"), MaxColumns)
	case p.accept("of"):
		a.Choices = p.list(phrase.New("syntax.too-many-values"))
	case p.accept("over"):
		over := p.name(phrase.New("syntax.name-of-input"))
		a.Over = &over
	}
	if q := p.peek(); !p.failed && q.Kind != TokString {
		p.unexpected(phrase.New("syntax.question-missing"))
	}
	a.Question = p.label()
	p.end()
	if !p.failed {
		t.Asks = append(t.Asks, a)
	}
}

func (p *parser) plotStmt(t *Tree, pos Pos) {
	s := Plot{Y: p.names(phrase.New("syntax.name-of-row"), MaxCurves)}
	p.expect("over", "plot T_math, T_comms over B")
	if !p.failed {
		s.Over = p.name(phrase.New("syntax.name-of-input"))
	}
	for !p.failed && p.plotOption(&s) {
	}
	s.Caption = p.label()
	s.When = p.when()
	s.Pos = p.span(pos)
	p.end()
	if !p.failed {
		t.Plots = append(t.Plots, s)
	}
}

// plotOption reads one of `in a..b`, `for z = a, b`, `log`, `linear`, `mark m1, m2`.
func (p *parser) plotOption(s *Plot) bool {
	t := p.peek()
	switch {
	case p.accept("in"):
		p.once(t, s.Low != nil)
		s.Low, s.High = p.interval("over B in 1..4096")
	case p.accept("for"):
		p.once(t, s.Vary != nil)
		s.Vary = &Assign{Ident: p.name(phrase.New("syntax.name-of-input"))}
		if p.accept("=") {
			s.Vary.Values = p.list(phrase.New("syntax.too-many-values"))
		}
	case p.accept("log"), p.accept("linear"):
		p.once(t, s.Log != nil)
		log := t.Text == "log"
		s.Log = &log
	case p.accept("mark"):
		p.once(t, s.Marks != nil)
		s.Marks = p.names(phrase.New("syntax.name-of-row"), MaxCurves)
	default:
		return false
	}
	return true
}

func (p *parser) tableStmt(t *Tree, pos Pos) {
	s := Table{Columns: p.names(phrase.New("syntax.name-of-row"), MaxColumns)}
	if s.List = p.showsList(len(s.Columns)); s.List {
		for !p.failed && p.listOption(&s) {
		}
	} else {
		p.over(&s)
	}
	s.Caption = p.label()
	s.When = p.when()
	s.Pos = p.span(pos)
	p.end()
	if !p.failed {
		t.Tables = append(t.Tables, s)
	}
}

// over reads over B = 1, 64, 256.
func (p *parser) over(s *Table) {
	p.expect("over", "table T_lower, bound over B = 1, 64, 256")
	if !p.failed {
		s.Over.Ident = p.name(phrase.New("syntax.name-of-input"))
	}
	if !p.failed && p.accept("=") {
		s.Over.Values = p.list(phrase.New("syntax.too-many-values"))
	}
}

// showsList tells whether a table of so many names goes on as one of a list does.
func (p *parser) showsList(names int) bool {
	t := p.peek()
	end := t.Kind == TokEnd || t.Kind == tokEOF || t.Kind == TokString
	return names == 1 && !p.failed && (end || t.Is("show") || t.Is("by") || t.Is("top") || t.Is("when"))
}

// listOption reads one of `show a, b`, `by a desc`, `top 20`.
func (p *parser) listOption(s *Table) bool {
	t := p.peek()
	switch {
	case p.accept("show"):
		p.once(t, s.Show != nil)
		s.Show = p.fields()
	case p.accept("by"):
		p.once(t, s.By.Name != "")
		s.By = p.field()
		s.Desc = !p.failed && p.accept("desc")
	case p.accept("top"):
		p.once(t, s.Top != nil)
		s.Top = p.sum()
	default:
		return false
	}
	return true
}

// field reads the name of a field, which may be a word of the language, such as title.
func (p *parser) field() Ident {
	t := p.peek()
	if t.Kind != TokName {
		p.unexpected(phrase.New("syntax.name-of-field"))
		return Ident{Pos: t.pos}
	}
	p.take()
	return Ident{t.Text, t.pos}
}

// fields reads the names of fields separated by commas.
func (p *parser) fields() []Ident {
	return p.separated(p.field, MaxColumns, phrase.New("syntax.too-many-columns"),
		phrase.New("syntax.column-limit", "most", MaxColumns))
}

// figureStmt reads figure torus(s, step) "caption".
func (p *parser) figureStmt(t *Tree, pos Pos) {
	s := Figure{Name: p.name(phrase.New("syntax.name-of-figure"))}
	switch {
	case p.failed:
	case p.peek().Is("("):
		s.Args = p.args(s.Name.Name)
	default:
		p.unexpected(phrase.New("syntax.figure-values"))
	}
	s.Caption = p.label()
	s.When = p.when()
	s.Pos = p.span(pos)
	p.end()
	if !p.failed {
		t.Figures = append(t.Figures, s)
	}
}

// expectSigns are what an `expect` may compare with.
var expectSigns = []string{"=", "<=", ">=", "<", ">"}

func (p *parser) expectStmt(t *Tree, pos Pos) {
	s := Expect{Name: p.name(phrase.New("syntax.name-of-row"))}
	if !p.failed {
		s.Op = p.acceptOf(expectSigns)
	}
	if !p.failed && s.Op == "" {
		p.unexpected(phrase.New("syntax.expect-sign"))
	}
	if !p.failed {
		s.Want = p.sum()
	}
	for !p.failed && p.expectOption(&s) {
	}
	s.Pos = p.span(pos)
	p.end()
	if !p.failed {
		t.Expects = append(t.Expects, s)
	}
}

// expectOption reads one of `within 1%`, `at B = 128, chip = tpu.v5e`, `as "fact/field"`.
func (p *parser) expectOption(s *Expect) bool {
	t := p.peek()
	switch {
	case p.accept("within"):
		p.once(t, s.Within != nil)
		s.Within = p.sum()
	case p.accept("at"):
		p.once(t, s.At != nil)
		s.At = p.assigns()
	case p.accept("as"):
		p.once(t, s.Fact != "")
		if p.peek().Kind != TokString {
			p.unexpected(phrase.New("syntax.fact-name"))
		}
		s.Fact = p.label()
	default:
		return false
	}
	return true
}

// assigns reads B = 128, chip = tpu.v5e.
func (p *parser) assigns() []Assign {
	var list []Assign
	for !p.failed {
		a := Assign{Ident: p.name(phrase.New("syntax.name-of-input"))}
		p.expect("=", "at B = 128, chip = tpu.v5e")
		if p.failed {
			break
		}
		a.Values = []Expr{p.sum()}
		list = append(list, a)
		if !p.accept(",") {
			break
		}
	}
	return list
}
