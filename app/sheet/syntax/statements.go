package syntax

import (
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/spell"
)

// Parse reads a whole sheet. What it returns is usable even after faults.
func Parse(src string, errs *Errors) *Tree {
	if len(src) > MaxSource {
		errs.Add(Pos{1, 1, 1}, "this sheet is too long: "+strconv.Itoa(len(src))+" bytes", "a sheet has at most 65536 bytes; split it")
		return &Tree{}
	}
	lx := Lex(src, errs)
	p := &parser{toks: lx.Toks, nums: lx.nums, errs: errs}
	t := &Tree{}
	for n := 0; p.peek().Kind != tokEOF; {
		if p.peek().Kind == TokEnd {
			p.take()
			continue
		}
		if n++; n > maxStatements {
			errs.Add(p.peek().pos, "this sheet has too many statements", "at most 400; split it")
			break
		}
		p.statement(t)
		p.finish()
	}
	return t
}

// statement reads one statement up to its end, and files it.
func (p *parser) statement(t *Tree) {
	first := p.peek()
	if first.Kind != TokName {
		p.unexpected("a line begins with a name or a word such as let, solve, plot")
		return
	}
	p.take()
	if p.peek().Is("=") {
		p.stepStmt(t, first)
		return
	}
	switch first.Text {
	case "title":
		p.titleStmt(t, first)
	case "let":
		p.letStmt(t)
	case "hidden":
		p.hiddenStmt(t)
	case "solve":
		p.solveStmt(t)
	case "ask":
		p.askStmt(t)
	case "plot":
		p.plotStmt(t, first.pos)
	case "table":
		p.tableStmt(t, first.pos)
	case "figure":
		p.figureStmt(t, first.pos)
	case "expect":
		p.expectStmt(t, first.pos)
	default:
		p.i--
		p.unknownStatement(first)
	}
}

// unknownStatement reports a line that begins with a name, but is no step.
func (p *parser) unknownStatement(first *Token) {
	near := spell.Meant(first.Text, strings.Fields(StatementWords))
	if near != "" {
		p.fail(first.pos, "a line cannot begin with `"+brief(first.Text)+"`", "did you mean `"+near+"`?")
		return
	}
	p.fail(first.pos, "a line cannot begin with `"+brief(first.Text)+"`",
		"write `"+brief(first.Text)+" = ...` for a step, or begin with title, let, hidden, solve, ask, plot, table, figure or expect")
}

func (p *parser) titleStmt(t *Tree, first *Token) {
	text := p.peek()
	switch {
	case text.Kind != TokText || text.Text == "":
		p.fail(first.pos, "this title is empty", "write `title An int8 matmul on one chip`")
	case strings.HasPrefix(text.Text, "="):
		p.fail(first.pos, "`title` is a word of the language", "choose another name")
	case t.titleAt.Line != 0:
		p.fail(first.pos, "there is a title in line "+strconv.Itoa(t.titleAt.Line)+" already", "a sheet has one title")
	default:
		t.Title, t.titleAt = text.Text, first.pos
		p.tooLong(text)
	}
	p.take()
}

// tooLong reports a text beyond maxLabel.
func (p *parser) tooLong(t *Token) {
	if len(t.Text) > maxLabel {
		p.fail(t.pos, "this text is too long", "at most 500 bytes")
	}
}

// label reads the text that a statement may end with.
func (p *parser) label() string {
	t := p.peek()
	if t.Kind != TokString || p.failed {
		return ""
	}
	p.tooLong(t)
	p.take()
	return t.Text
}

// name reads a name; what says what it names.
func (p *parser) name(what string) Ident {
	t := p.peek()
	if t.Kind != TokName || IsReserved(t.Text) {
		p.unexpected(what + " should stand here")
		return Ident{Pos: t.pos}
	}
	p.take()
	return Ident{t.Text, t.pos}
}

// defined reads the name that a statement defines.
func (p *parser) defined(example string) Ident {
	t := p.peek()
	if t.Kind == TokName && HasWord(ReservedWords, t.Text) {
		p.fail(t.pos, "`"+t.Text+"` is a word of the language", "choose another name")
		return Ident{Pos: t.pos}
	}
	return p.name("a name, such as " + example + ",")
}

// expect takes the given operator or word, or reports that it is missing.
func (p *parser) expect(text, remedy string) {
	if !p.failed && !p.accept(text) {
		p.unexpected("`" + text + "` should stand here, as in `" + remedy + "`")
	}
}

// file adds d, also if it could not be read to its end: its name is known then, and uses of it are no faults.
func (p *parser) file(t *Tree, d *Definition) {
	d.Unspecified = p.failed
	if d.Name != "" {
		t.Defs = append(t.Defs, d)
	}
}

func (p *parser) stepStmt(t *Tree, name *Token) {
	d := &Definition{Ident: Ident{name.Text, name.pos}, Kind: "step"}
	if HasWord(ReservedWords, name.Text) {
		p.fail(name.pos, "`"+name.Text+"` is a word of the language", "choose another name")
		d.Name = ""
	}
	p.take()
	p.stepBody(t, d)
}

// hiddenStmt reads a step that is worked out and not shown.
func (p *parser) hiddenStmt(t *Tree) {
	d := &Definition{Kind: "step", Hidden: true}
	d.Ident = p.defined("check")
	p.expect("=", `hidden check = T_math + T_comms - T`)
	p.stepBody(t, d)
}

// stepBody reads what follows the = of a step.
func (p *parser) stepBody(t *Tree, d *Definition) {
	p.factors = true
	if !p.failed {
		d.Value = p.expr()
	}
	d.Label = p.label()
	p.counted(d)
	d.When = p.when()
	p.end()
	p.file(t, d)
}

// counted reads what the number of a step counts, as in `as "GPUs"`.
func (p *parser) counted(d *Definition) {
	if p.failed || !p.accept("as") {
		return
	}
	text := p.peek()
	if text.Kind != TokString {
		p.unexpected("what it counts, in quotes, should stand here, as in `as \"GPUs\"`")
		return
	}
	p.take()
	d.As = &Counted{Noun: text.Text, At: text.pos}
}

// when reads the condition that a statement may end with; nil if there is none.
func (p *parser) when() Expr {
	if p.failed || !p.accept("when") {
		return nil
	}
	e := p.expr()
	if t := p.peek(); t.Kind == TokString && !p.failed {
		p.fail(t.pos, "this text stands behind the condition", "write it before `when`")
	}
	return e
}

// end reports anything that is left of the statement.
func (p *parser) end() {
	if t := p.peek(); t.Kind != TokEnd && t.Kind != tokEOF {
		p.unexpected(p.joinRemedy("the line should end here"))
	}
}

// once reports an option that is given twice.
func (p *parser) once(t *Token, given bool) {
	if given {
		p.fail(t.pos, "`"+t.Text+"` is given twice", "leave one out")
	}
}

// interval reads a..b.
func (p *parser) interval(example string) (low, high Expr) {
	if p.failed {
		return nil, nil
	}
	low = p.sum()
	p.expect("..", example)
	if p.failed {
		return low, nil
	}
	return low, p.sum()
}

// list reads values separated by commas.
func (p *parser) list(what string) []Expr {
	var values []Expr
	for !p.failed {
		at := p.peek().pos
		values = append(values, p.sum())
		if len(values) > MaxValues {
			p.fail(at, "too many "+what, "at most 200")
		}
		if !p.accept(",") {
			break
		}
	}
	return values
}

// names reads names separated by commas, at most most of them.
func (p *parser) names(what string, most int) []Ident {
	var names []Ident
	for !p.failed {
		n := p.name(what)
		names = append(names, n)
		if len(names) > most {
			p.fail(n.Pos, "too many names", "at most "+strconv.Itoa(most)+"; use several statements")
		}
		if !p.accept(",") {
			break
		}
	}
	return names
}
