package syntax

import (
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/spell"
)

// Parse reads a whole sheet. What it returns is usable even after faults.
func Parse(src string, errs *Errors) *Tree {
	if len(src) > MaxSource {
		errs.Add(Pos{1, 1, 1}, phrase.New("syntax.sheet-too-long", "bytes", len(src)), phrase.New("syntax.sheet-limit"))
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
			errs.Add(p.peek().pos, phrase.New("syntax.too-many-statements"), phrase.New("syntax.statement-limit"))
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
		p.unexpected(phrase.New("syntax.line-begin"))
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
	case "group":
		p.groupStmt(t)
	case "let":
		p.letStmt(t)
	case "hidden":
		p.hiddenStmt(t)
	case "solve":
		p.solveStmt(t, false)
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
		p.fail(first.pos, phrase.New("syntax.line-begins", "word", Clip(first.Text)), phrase.New("syntax.did-you-mean",
			"name", near))
		return
	}
	p.fail(first.pos, phrase.New("syntax.line-begins", "word", Clip(first.Text)),
		phrase.New("syntax.write-step", "word", Clip(first.Text)))
}

func (p *parser) titleStmt(t *Tree, first *Token) {
	text := p.peek()
	switch {
	case text.Kind != TokText || text.Text == "":
		p.fail(first.pos, phrase.New("syntax.title-empty"), phrase.New("syntax.write-title"))
	case strings.HasPrefix(text.Text, "="):
		p.fail(first.pos, phrase.New("syntax.title-word-language"), phrase.New("syntax.choose-another-name"))
	case t.titleAt.Line != 0:
		p.fail(first.pos, phrase.New("syntax.title-twice", "line", t.titleAt.Line), phrase.New("syntax.one-title"))
	default:
		t.Title, t.titleAt = text.Text, first.pos
		p.tooLong(text)
	}
	p.take()
}

// groupStmt reads the heading of the inputs that follow it.
func (p *parser) groupStmt(t *Tree) {
	at := p.peek()
	title := p.label()
	if title == "" {
		p.fail(at.pos, phrase.New("syntax.group-empty"), phrase.New("syntax.write-group"))
		return
	}
	t.group = &Heading{Title: title, Folded: p.accept("folded")}
}

// tooLong reports a text beyond maxLabel.
func (p *parser) tooLong(t *Token) {
	if len(t.Text) > maxLabel {
		p.fail(t.pos, phrase.New("syntax.text-too-long"), phrase.New("syntax.text-limit"))
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

// name reads a name; missing says which one should stand here.
func (p *parser) name(missing *phrase.Phrase) Ident {
	t := p.peek()
	if t.Kind != TokName || IsReserved(t.Text) {
		p.unexpected(missing)
		return Ident{Pos: t.pos}
	}
	p.take()
	return Ident{t.Text, t.pos}
}

// defined reads the name that a statement defines.
func (p *parser) defined(example string) Ident {
	t := p.peek()
	if t.Kind == TokName && isTaken(t.Text) {
		p.fail(t.pos, phrase.New("syntax.reserved", "word", t.Text), phrase.New("syntax.choose-another-name"))
		return Ident{Pos: t.pos}
	}
	return p.name(phrase.New("syntax.name-such-as", "example", example))
}

// expect takes the given operator or word, or reports that it is missing.
func (p *parser) expect(text, remedy string) {
	if !p.failed && !p.accept(text) {
		p.unexpected(phrase.New("syntax.should-stand", "text", text, "example", remedy))
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
	if isTaken(name.Text) {
		p.fail(name.pos, phrase.New("syntax.reserved", "word", name.Text), phrase.New("syntax.choose-another-name"))
		d.Name = ""
	}
	p.take()
	p.stepBody(t, d)
}

// hiddenStmt reads a step that is worked out and not shown.
func (p *parser) hiddenStmt(t *Tree) {
	if p.peek().Is("solve") {
		p.take()
		p.solveStmt(t, true)
		return
	}
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
		p.unexpected(phrase.New("syntax.counted-noun"))
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
		p.fail(t.pos, phrase.New("syntax.text-stands-behind-condition"), phrase.New("syntax.write-before-when"))
	}
	return e
}

// end reports anything that is left of the statement.
func (p *parser) end() {
	if t := p.peek(); t.Kind != TokEnd && t.Kind != tokEOF {
		p.unexpected(p.joinRemedy(phrase.New("syntax.line-end")))
	}
}

// once reports an option that is given twice.
func (p *parser) once(t *Token, given bool) {
	if given {
		p.fail(t.pos, phrase.New("syntax.given-twice", "word", t.Text), phrase.New("syntax.leave-one-out"))
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
func (p *parser) list(tooMany *phrase.Phrase) []Expr {
	var values []Expr
	for !p.failed {
		at := p.peek().pos
		values = append(values, p.sum())
		if len(values) > MaxValues {
			p.fail(at, tooMany, phrase.New("syntax.at-most-200"))
		}
		if !p.accept(",") {
			break
		}
	}
	return values
}

// names reads names separated by commas, at most most of them.
func (p *parser) names(missing *phrase.Phrase, most int) []Ident {
	return p.separated(func() Ident { return p.name(missing) }, most, phrase.New("syntax.too-many-names"),
		phrase.New("syntax.name-list-limit", "most", most))
}

// separated reads what stands between commas, at most most of it.
func (p *parser) separated(one func() Ident, most int, tooMany, limit *phrase.Phrase) []Ident {
	var names []Ident
	for !p.failed {
		n := one()
		names = append(names, n)
		if len(names) > most {
			p.fail(n.Pos, tooMany, limit)
		}
		if !p.accept(",") {
			break
		}
	}
	return names
}

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
	Published bool // somebody published the default
	Was       []Ident
}

// Choice is one of what stands behind `of`: what it is, and the name and the heading to show it under.
type Choice struct {
	Expr
	Name, Group string
}

func (p *parser) letStmt(t *Tree) {
	const example = `let B = 256 token in 1..16384 log "Tokens in the batch"`
	d := &Definition{Kind: "input", Group: t.group}
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
	case p.accept("published"):
		p.once(t, d.Published)
		d.Published = true
	case p.accept("was"):
		d.Was = append(d.Was, p.defined("n"))
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

// Goal is what a `solve` looks for.
type Goal uint8

const (
	GoalMeeting  Goal = iota // the first value of the input at which both sides are equal
	GoalAll                  // all of them, as a list
	GoalLeast                // where the left side is least; there is no right one
	GoalGreatest             // where it is greatest
)

func (p *parser) solveStmt(t *Tree, hidden bool) {
	const example = "solve B_crit: B where T_math = T_comms"
	d := &Definition{Kind: "solve", Hidden: hidden}
	p.factors = true
	if p.peek().Is("all") && p.toks[p.i+1].Kind == TokName {
		p.take()
		d.Goal = GoalAll
	}
	d.Ident = p.defined("B_crit")
	p.expect(":", example)
	if !p.failed {
		d.Input = p.name(phrase.New("syntax.input-to-solve-for"))
	}
	p.expect("where", example)
	if !p.failed {
		d.Value = p.sum()
	}
	p.solveGoal(d)
	d.Label = p.label()
	d.When = p.when()
	p.end()
	p.file(t, d)
}

// solveGoal reads what the left side of a solve should be: `= right`, `is least` or `is greatest`.
func (p *parser) solveGoal(d *Definition) {
	is := p.peek()
	switch {
	case p.failed:
	case p.accept("="):
		d.Right = p.sum()
	case !p.accept("is"):
		p.unexpected(phrase.New("syntax.solve-goal"))
	case d.Goal == GoalAll:
		p.fail(is.pos, phrase.New("syntax.all-needs-equals"), phrase.New("syntax.leave-out-all"))
	case p.accept("least"):
		d.Goal = GoalLeast
	case p.accept("greatest"):
		d.Goal = GoalGreatest
	default:
		p.unexpected(phrase.New("syntax.solve-extreme"))
	}
}
