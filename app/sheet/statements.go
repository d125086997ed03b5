package sheet

import (
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/spell"
)

// parse reads a whole sheet. What it returns is usable even after faults.
func parse(src string, errs *errorList) *tree {
	if len(src) > maxSource {
		errs.add(Pos{1, 1, 1}, "this sheet is too long: "+strconv.Itoa(len(src))+" bytes", "a sheet has at most 65536 bytes; split it")
		return &tree{}
	}
	lx := lex(src, errs)
	p := &parser{toks: lx.toks, nums: lx.nums, errs: errs}
	t := &tree{}
	for n := 0; p.peek().kind != tokEOF; {
		if p.peek().kind == tokEnd {
			p.take()
			continue
		}
		if n++; n > maxStatements {
			errs.add(p.peek().pos, "this sheet has too many statements", "at most 400; split it")
			break
		}
		p.statement(t)
		p.finish()
	}
	return t
}

// statement reads one statement up to its end, and files it.
func (p *parser) statement(t *tree) {
	first := p.peek()
	if first.kind != tokName {
		p.unexpected("a line begins with a name or a word such as let, solve, plot")
		return
	}
	p.take()
	if p.peek().is("=") {
		p.stepStmt(t, first)
		return
	}
	switch first.text {
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
func (p *parser) unknownStatement(first *token) {
	near := spell.Meant(first.text, strings.Fields(statementWords))
	if near != "" {
		p.fail(first.pos, "a line cannot begin with `"+brief(first.text)+"`", "did you mean `"+near+"`?")
		return
	}
	p.fail(first.pos, "a line cannot begin with `"+brief(first.text)+"`",
		"write `"+brief(first.text)+" = ...` for a step, or begin with title, let, hidden, solve, ask, plot, table, figure or expect")
}

func (p *parser) titleStmt(t *tree, first *token) {
	text := p.peek()
	switch {
	case text.kind != tokText || text.text == "":
		p.fail(first.pos, "this title is empty", "write `title An int8 matmul on one chip`")
	case strings.HasPrefix(text.text, "="):
		p.fail(first.pos, "`title` is a word of the language", "choose another name")
	case t.titleAt.Line != 0:
		p.fail(first.pos, "there is a title in line "+strconv.Itoa(t.titleAt.Line)+" already", "a sheet has one title")
	default:
		t.title, t.titleAt = text.text, first.pos
		p.tooLong(text)
	}
	p.take()
}

// tooLong reports a text beyond maxLabel.
func (p *parser) tooLong(t *token) {
	if len(t.text) > maxLabel {
		p.fail(t.pos, "this text is too long", "at most 500 bytes")
	}
}

// label reads the text that a statement may end with.
func (p *parser) label() string {
	t := p.peek()
	if t.kind != tokString || p.failed {
		return ""
	}
	p.tooLong(t)
	p.take()
	return t.text
}

// name reads a name; what says what it names.
func (p *parser) name(what string) ident {
	t := p.peek()
	if t.kind != tokName || isReserved(t.text) {
		p.unexpected(what + " should stand here")
		return ident{Pos: t.pos}
	}
	p.take()
	return ident{t.text, t.pos}
}

// defined reads the name that a statement defines.
func (p *parser) defined(example string) ident {
	t := p.peek()
	if t.kind == tokName && contains(reservedWords, t.text) {
		p.fail(t.pos, "`"+t.text+"` is a word of the language", "choose another name")
		return ident{Pos: t.pos}
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
func (p *parser) file(t *tree, d *definition) {
	d.unspecified = p.failed
	if d.Name != "" {
		t.defs = append(t.defs, d)
	}
}

func (p *parser) stepStmt(t *tree, name *token) {
	d := &definition{ident: ident{name.text, name.pos}, kind: "step"}
	if contains(reservedWords, name.text) {
		p.fail(name.pos, "`"+name.text+"` is a word of the language", "choose another name")
		d.Name = ""
	}
	p.take()
	p.stepBody(t, d)
}

// hiddenStmt reads a step that is worked out and not shown.
func (p *parser) hiddenStmt(t *tree) {
	d := &definition{kind: "step", hidden: true}
	d.ident = p.defined("check")
	p.expect("=", `hidden check = T_math + T_comms - T`)
	p.stepBody(t, d)
}

// stepBody reads what follows the = of a step.
func (p *parser) stepBody(t *tree, d *definition) {
	p.factors = true
	if !p.failed {
		d.value = p.expr()
	}
	d.label = p.label()
	p.counted(d)
	d.when = p.when()
	p.end()
	p.file(t, d)
}

// counted reads what the number of a step counts, as in `as "GPUs"`.
func (p *parser) counted(d *definition) {
	if p.failed || !p.accept("as") {
		return
	}
	text := p.peek()
	if text.kind != tokString {
		p.unexpected("what it counts, in quotes, should stand here, as in `as \"GPUs\"`")
		return
	}
	p.take()
	d.as = &counted{noun: text.text, at: text.pos}
}

// when reads the condition that a statement may end with; nil if there is none.
func (p *parser) when() Expr {
	if p.failed || !p.accept("when") {
		return nil
	}
	e := p.expr()
	if t := p.peek(); t.kind == tokString && !p.failed {
		p.fail(t.pos, "this text stands behind the condition", "write it before `when`")
	}
	return e
}

// end reports anything that is left of the statement.
func (p *parser) end() {
	if t := p.peek(); t.kind != tokEnd && t.kind != tokEOF {
		p.unexpected(p.joinRemedy("the line should end here"))
	}
}

// once reports an option that is given twice.
func (p *parser) once(t *token, given bool) {
	if given {
		p.fail(t.pos, "`"+t.text+"` is given twice", "leave one out")
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
		if len(values) > maxValues {
			p.fail(at, "too many "+what, "at most 200")
		}
		if !p.accept(",") {
			break
		}
	}
	return values
}

// names reads names separated by commas, at most most of them.
func (p *parser) names(what string, most int) []ident {
	var names []ident
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
