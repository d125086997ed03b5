// Package syntax reads the text of a sheet: characters to tokens (lex.go), tokens to statements and
// expressions (parse.go, statements*.go), which make up a [Tree] (tree.go). It knows the words of the language
// and the units of its numbers, but neither names nor dimensions: what a tree means is checked by app/sheet.
//
// [Parse] reads a whole sheet, [ParseExpr] a single expression, and [Code] writes one back. Faults are [Error] values
// with place and remedy, collected in an [Errors]; one ends its statement only, so that a tree is of use also where
// there are some. Hostile text is bounded.
package syntax

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/spell"
)

// parser reads the tokens of a sheet. A fault ends the statement it is in: the parser reports the first one and skips
// to the statement's end.
type parser struct {
	toks   []Token
	nums   []quantity.Quantity
	i      int
	depth  int
	nodes  int // of this statement
	failed bool
	// factors is set where two operands side by side were probably meant as a product.
	factors bool
	errs    *Errors
}

// Broken stands where an expression could not be read; the fault is reported already.
type Broken struct{ Pos Pos }

// Position is where the node begins.
func (e *Broken) Position() Pos { return e.Pos }

// ParseExpr parses a single expression, such as the formula of a library function.
func ParseExpr(src string) (Expr, []*Error) {
	errs := &Errors{}
	lx := Lex(src, errs)
	p := &parser{toks: lx.Toks, nums: lx.nums, errs: errs, factors: true}
	e := p.expr()
	p.finish()
	return e, errs.Sorted()
}

func (p *parser) peek() *Token { return &p.toks[p.i] }

// take moves behind the next token, which stays where it is at the end of the text.
func (p *parser) take() *Token {
	t := &p.toks[p.i]
	if t.Kind != tokEOF {
		p.i++
	}
	return t
}

// accept takes the given operator or word if it is next.
func (p *parser) accept(text string) bool {
	if !p.peek().Is(text) {
		return false
	}
	if p.take(); text == "," {
		p.commaInNumber()
	}
	return true
}

// commaInNumber refuses the comma that was read if it may separate thousands as well as values: max(1,000, 2).
func (p *parser) commaInNumber() {
	if p.i < 2 {
		return
	}
	one, comma, next := &p.toks[p.i-2], &p.toks[p.i-1], p.peek()
	digits := next.Text[:len(next.Text)-len(strings.TrimLeft(next.Text, "0123456789"))]
	if one.Kind == TokNumber && next.Kind == TokNumber && one.End == comma.Off && comma.End == next.Off &&
		len(one.Text) <= 3 && one.Text[0] != '0' && strings.Trim(one.Text, "0123456789") == "" && len(digits) == 3 {
		p.fail(Pos{one.pos.Line, one.pos.Col, len(one.Text) + 4},
			phrase.New("syntax.comma-in-number", "text", one.Text+","+digits),
			phrase.New("syntax.write-comma", "one", one.Text+digits, "two", one.Text+", "+digits))
	}
}

// fail reports a fault of this statement, if it is the first one.
func (p *parser) fail(pos Pos, what, remedy *phrase.Phrase) Expr {
	if !p.failed {
		p.errs.Add(pos, what, remedy)
	}
	p.failed = true
	return &Broken{pos}
}

// unexpected reports the next token.
func (p *parser) unexpected(remedy *phrase.Phrase) Expr {
	t := p.peek()
	switch t.Kind {
	case TokBad:
		p.failed = true // reported by the lexer
	case tokEOF, TokEnd:
		t = &p.toks[max(0, p.i-1)]
		return p.fail(Pos{t.pos.Line, t.pos.Col + t.pos.Len, 1}, phrase.New("syntax.line-ends-too-early"), remedy)
	case TokString:
		return p.fail(t.pos, phrase.New("syntax.unexpected-text", "text", Quote(t.Text)), remedy)
	}
	if near := p.unitMeant(); near != nil {
		remedy = near
	}
	return p.fail(t.pos, phrase.New("syntax.unexpected", "text", Clip(t.Text)), remedy)
}

// span is the place from from to the token before the next one, as far as it is on one line.
func (p *parser) span(from Pos) Pos {
	last := p.toks[max(0, p.i-1)].pos
	if last.Line == from.Line {
		from.Len = max(from.Len, last.Col+last.Len-from.Col)
	}
	return from
}

// node counts the parts of a statement.
func (p *parser) node(e Expr) Expr {
	if p.nodes++; p.nodes > maxNodes {
		return p.fail(e.Position(), phrase.New("syntax.statement-too-long"), phrase.New("syntax.split-statement"))
	}
	return e
}

// nested calls f one level deeper.
func (p *parser) nested(f func() Expr) Expr {
	if p.depth >= maxDepth {
		return p.fail(p.peek().pos, phrase.New("syntax.nested-too-deeply"), phrase.New("syntax.split-nesting"))
	}
	p.depth++
	e := f()
	p.depth--
	return e
}

// acceptOf takes the next token if it is one of ops.
func (p *parser) acceptOf(ops []string) string {
	for _, op := range ops {
		if p.accept(op) {
			return op
		}
	}
	return ""
}

// finish takes the end of a statement, and everything up to it that does not belong there.
func (p *parser) finish() {
	if t := p.peek(); t.Kind != TokEnd && t.Kind != tokEOF {
		p.unexpected(p.joinRemedy(phrase.New("syntax.line-end")))
	}
	for t := p.take(); t.Kind != TokEnd && t.Kind != tokEOF; {
		t = p.take()
	}
	p.failed, p.factors, p.depth, p.nodes = false, false, 0, 0
}

// joinRemedy is the remedy where two operands stand side by side: 2 x, (a) (b).
func (p *parser) joinRemedy(otherwise *phrase.Phrase) *phrase.Phrase {
	if whole := p.grouped(); whole != "" {
		return phrase.New("syntax.write-sign", "sign", whole)
	}
	if p.i == 0 || !p.factors && p.depth == 0 {
		return otherwise
	}
	last, t := &p.toks[p.i-1], p.peek()
	if last.Kind == TokNumber && t.Kind == TokName && !IsReserved(t.Text) {
		return phrase.New("syntax.write-times-or-unit")
	}
	operand := last.Kind == TokNumber || last.Kind == TokName || last.Is(")")
	if operand && (t.Kind == TokNumber || t.Kind == TokName && !IsReserved(t.Text) || t.Is("(")) {
		return phrase.New("syntax.write-times")
	}
	return otherwise
}

// grouped is a number as the language writes it, of which the next token is the comma, or the digits behind the space,
// that somebody writes in it: 1,000, 1 000 or 3,5. It is empty where there is none.
func (p *parser) grouped() string {
	if p.i == 0 || p.toks[p.i-1].Kind != TokNumber {
		return ""
	}
	whole, comma := p.toks[p.i-1].Text, p.peek().Is(",")
	end := p.toks[p.i-1].pos
	for i := p.i; i < len(p.toks); i++ {
		if comma && p.toks[i].Is(",") {
			i++
		}
		if i >= len(p.toks) || p.toks[i].Kind != TokNumber || p.toks[i].pos.Col != end.Col+end.Len+1 {
			break
		}
		digits, unit, has := strings.Cut(p.toks[i].Text, " ")
		switch plain := strings.Trim(whole+digits, "0123456789") == "" && whole != "0"; {
		case plain && len(digits) == 3:
			whole += digits
		case comma && i == p.i+1 && !strings.Contains(whole, "."):
			return whole + "." + digits
		default:
			return ""
		}
		if end = p.toks[i].pos; has && unit != "" {
			break
		}
	}
	if whole == p.toks[p.i-1].Text {
		return ""
	}
	return whole
}

// unitMeant is the remedy for a word behind a number that is nearly a unit; nil for any other.
func (p *parser) unitMeant() *phrase.Phrase {
	if t := p.peek(); p.i > 0 && p.toks[p.i-1].Kind == TokNumber && t.Kind == TokName && !IsReserved(t.Text) {
		return quantity.Near(t.Text)
	}
	return nil
}

func (p *parser) expr() Expr { return p.leftAssoc(p.conjunction, "or") }

func (p *parser) conjunction() Expr { return p.leftAssoc(p.negation, "and") }

func (p *parser) sum() Expr { return p.leftAssoc(p.product, "+", "-") }

func (p *parser) product() Expr { return p.leftAssoc(p.unary, "*", "/") }

// leftAssoc reads operands joined by any of ops, from left to right.
func (p *parser) leftAssoc(operand func() Expr, ops ...string) Expr {
	x := operand()
	for {
		op := p.acceptOf(ops)
		if op == "" || p.failed {
			return x
		}
		y := operand()
		x = p.node(&Binary{Pos: p.span(x.Position()), Op: op, X: x, Y: y})
	}
}

func (p *parser) negation() Expr {
	t := p.peek()
	if !p.accept("not") {
		return p.comparison()
	}
	x := p.nested(p.negation)
	return p.node(&Unary{Pos: p.span(t.pos), Op: "not", X: x})
}

var comparisons = []string{"<=", ">=", "==", "!=", "<", ">", "="}

func (p *parser) comparison() Expr {
	x := p.sum()
	op := p.acceptOf(comparisons)
	if op == "" || p.failed {
		return x
	}
	y := p.sum()
	if t := p.peek(); p.acceptOf(comparisons) != "" {
		return p.fail(t.pos, phrase.New("syntax.comparisons-do-not-chain"), phrase.New("syntax.write-b-and-b"))
	}
	return p.node(&Binary{Pos: p.span(x.Position()), Op: op, X: x, Y: y})
}

// unary reads a sign, which binds less than a power: -x^2 is -(x^2).
func (p *parser) unary() Expr {
	t := p.peek()
	switch {
	case p.accept("-"):
		x := p.nested(p.unary)
		return p.node(&Unary{Pos: p.span(t.pos), Op: "-", X: x})
	case p.accept("+"):
		return p.nested(p.unary)
	}
	return p.power()
}

// power reads x^y, from right to left: x^y^z is x^(y^z).
func (p *parser) power() Expr {
	x := p.postfix()
	if p.failed || !p.accept("^") {
		return x
	}
	y := p.nested(p.unary)
	return p.node(&Binary{Pos: p.span(x.Position()), Op: "^", X: x, Y: y})
}

// postfix reads x.field and x.method(args).
func (p *parser) postfix() Expr {
	x := p.primary()
	for !p.failed && p.accept(".") {
		t := p.peek()
		if t.Kind != TokName {
			return p.unexpected(phrase.New("syntax.field-missing"))
		}
		p.take()
		if p.peek().Is("(") {
			args := p.args(t.Text)
			x = p.node(&Call{Pos: p.span(x.Position()), Recv: x, Func: t.Text, Args: args})
			continue
		}
		x = p.node(&Member{Pos: p.span(x.Position()), X: x, Field: t.Text})
	}
	return x
}

func (p *parser) primary() Expr {
	t := p.peek()
	switch {
	case t.Kind == TokNumber:
		p.take()
		return p.node(&Lit{Pos: t.pos, Q: p.nums[t.num], Text: t.Text})
	case t.Kind == TokString:
		p.take()
		return p.node(&Str{Pos: t.pos, Text: t.Text})
	case t.Is("("):
		return p.group()
	case t.Kind != TokName:
		return p.unexpected(phrase.New("syntax.value-missing"))
	case t.Text == "on", t.Text == "true", t.Text == "off", t.Text == "false":
		p.take()
		return p.node(&Switch{Pos: t.pos, On: t.Text == "on" || t.Text == "true"})
	case IsReserved(t.Text):
		return p.fail(t.pos, phrase.New("syntax.reserved", "word", t.Text), phrase.New("syntax.value-missing"))
	}
	p.take()
	if p.peek().Is("(") {
		args := p.args(t.Text)
		return p.node(&Call{Pos: p.span(t.pos), Func: t.Text, Args: args})
	}
	if t.Text == "first" && p.accept("of") {
		xs := p.nested(p.postfix)
		return p.node(&Call{Pos: p.span(t.pos), Func: t.Text, Args: []Expr{xs}})
	}
	return p.node(&Name{Pos: t.pos, Name: t.Text})
}

func (p *parser) group() Expr {
	open := p.take()
	x := p.nested(p.expr)
	if p.failed {
		return x
	}
	if !p.accept(")") {
		return p.unclosed(open)
	}
	return p.node(&Group{Pos: p.span(open.pos), X: x})
}

// unclosed reports a parenthesis at its opening, or what stands in the way of its end.
func (p *parser) unclosed(open *Token) Expr {
	if t := p.peek(); t.Kind == TokEnd || t.Kind == tokEOF {
		return p.fail(open.pos, phrase.New("syntax.parenthesis-not-closed"), phrase.New("syntax.add-missing"))
	}
	return p.unexpected(p.joinRemedy(phrase.New("syntax.parenthesis-missing")))
}

// args reads the arguments of a call of name, the parenthesis being next.
func (p *parser) args(name string) []Expr {
	open := p.take()
	var args []Expr
	if p.accept(")") {
		return nil
	}
	for !p.failed {
		args = append(args, p.nested(p.expr))
		if p.failed || p.accept(")") {
			break
		}
		if !p.accept(",") {
			p.unclosed(open)
		}
	}
	return args
}

// Pos is a place in a sheet's text: 1-based line and column (in runes), and the length of what is meant.
type Pos struct{ Line, Col, Len int }

// Error is a fault in a sheet's text.
type Error struct {
	Pos    Pos
	What   *phrase.Phrase // "unknown name `hbm_bandwith`"
	Remedy *phrase.Phrase // "did you mean `hbm_bandwidth`?"
}

// Error says where, what, and what would be valid: "3:7: unknown name `x`; did you mean `y`?".
func (e *Error) Error() string {
	return e.In(phrase.Phrases{})
}

// In is the error in a language.
func (e *Error) In(l phrase.Phrases) string {
	return strconv.Itoa(e.Pos.Line) + ":" + strconv.Itoa(e.Pos.Col) + ": " + e.Fault().In(l)
}

// Fault is the error without its place.
func (e *Error) Fault() phrase.Fault { return phrase.Fault{What: e.What, Remedy: e.Remedy} }

// Message is the error in English, without its place.
func (e *Error) Message() string { return e.Fault().Error() }

// Diagnostics writes errors as the command does, `file:line:col: what; what would be valid`. firstLine is the line of
// the file on which the sheet's text begins (1 for a file that is one sheet), indent how many columns were cut off
// before each of its lines.
func Diagnostics(file string, firstLine, indent int, errs []*Error) []string {
	lines := make([]string, len(errs))
	for i, e := range errs {
		lines[i] = file + ":" + strconv.Itoa(e.Pos.Line+firstLine-1) + ":" + strconv.Itoa(e.Pos.Col+indent) + ": " +
			e.Message()
	}
	return lines
}

// Errors collects the faults of a sheet, the first maxErrors of them.
type Errors struct{ List []*Error }

// Full tells whether more faults would be dropped, and need not be looked into.
func (l *Errors) Full() bool { return len(l.List) >= MaxErrors }

// Add reports a fault, unless one at the same place is known already.
func (l *Errors) Add(pos Pos, what, remedy *phrase.Phrase) {
	if l.Full() {
		return
	}
	for _, e := range l.List {
		if e.Pos.Line == pos.Line && e.Pos.Col == pos.Col {
			return
		}
	}
	l.List = append(l.List, &Error{Pos: pos, What: what, Remedy: remedy})
}

// Sorted is the faults in the order of the text.
func (l *Errors) Sorted() []*Error {
	slices.SortStableFunc(l.List, func(a, b *Error) int {
		return cmp.Or(cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Col, b.Pos.Col))
	})
	return l.List
}

// DidYouMean is the remedy for an unknown word.
func DidYouMean(word string, names []string, otherwise *phrase.Phrase) *phrase.Phrase {
	if near := spell.Meant(word, names); near != "" {
		return phrase.New("sheet.did-you-mean", "name", near)
	}
	return otherwise
}

// OneOf lists names: "a, b or c", at most twelve of them.
func OneOf(names []string) any {
	const most = 12
	switch {
	case len(names) == 0:
		return phrase.New("sheet.nothing")
	case len(names) > most:
		return strings.Join(names[:most], ", ") + ", ..."
	}
	return phrase.Or(names)
}

// Clip shortens what is quoted in a message.
func Clip(text string) string { return spell.Clip(text, 40) }

// Quote is text in the quotes of the language.
func Quote(text string) string { return `"` + Clip(text) + `"` }

// Brief is an expression as its author wrote it, shortened for a message.
func Brief(e Expr) string { return Clip(Code(e)) }

// Limits keep hostile text harmless; no honest sheet comes near them. Each has a message of its own.
const (
	MaxSource     = 64 << 10 // bytes of a sheet
	maxStatements = 400
	maxDepth      = 64   // parentheses, calls, signs and powers inside each other
	maxNodes      = 1000 // operands and operators of one statement
	maxName       = 64   // bytes of a name
	maxLabel      = 500  // bytes of a label, question, title or caption
	MaxCurves     = 12   // of a plot, and values of a `for`
	MaxColumns    = 16   // of a table
	MaxValues     = 200  // of a table's input, and choices of a menu
	MaxErrors     = 20   // reported at once
)
