// Package explain writes expressions down as a worked answer has them: in symbols, with numbers in the place of names,
// and opened as the laws that they call. A [Writer] makes mathematics of an expression, or code that computes the same.
// It knows rows by their definitions and values alone.
package explain

import (
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/sheet/expr"
	"github.com/scalebook/scalebook/app/sheet/notation"
	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// Format says for which eye a formula is written.
type Format uint8

// The formats of a formula.
const (
	Plain  Format = iota // 2 B D F / peak(int8)
	MathML               // the inside of a <math> element, without the element itself
	Code                 // as the sheet's author wrote it
)

// Writer turns expressions into notation. Without values it keeps the symbols; with them it puts the reader's numbers
// in their place.
type Writer struct {
	Env    *value.Env
	Rows   []expr.RowDef                         // of the sheet that the expressions are of, or none
	Values func(name string) (value.Value, bool) // nil: symbols
}

// row is the row of that name, or nil.
func (t *Writer) row(name string) *expr.RowDef {
	for i := range t.Rows {
		if t.Rows[i].Name == name {
			return &t.Rows[i]
		}
	}
	return nil
}

// Write is e in the given format.
func (t *Writer) Write(e syntax.Expr, f Format) string {
	if f == Code {
		return t.Code(e)
	}
	return written(t.Piece(e), f)
}

// Brief is e without the arguments of a call that has a long line of them, and whether there is such a call.
func (t *Writer) Brief(e syntax.Expr, f Format) (text string, cut bool) {
	whole := t.Piece(e)
	brief := notation.Brief(whole)
	return written(brief, f), brief != whole
}

// written is a piece of a formula for readers.
func written(p notation.Piece, f Format) string {
	if f == MathML {
		return notation.MathML(p)
	}
	return notation.Plain(p)
}

// Piece is e as notation, standing alone.
func (t *Writer) Piece(e syntax.Expr) notation.Piece {
	switch e := e.(type) {
	case *syntax.Lit:
		return t.literal(e)
	case *syntax.Str:
		return textNote(e.Text)
	case *syntax.Switch:
		return textNote(syntax.OnOff(e.On))
	case *syntax.Name:
		return t.Name(e.Name)
	case *syntax.Member:
		return t.member(e)
	case *syntax.Call:
		return t.call(e)
	case *syntax.Group:
		return t.Piece(e.X)
	case *syntax.Unary:
		if e.Op == "not" {
			return &notation.Not{X: t.Piece(e.X)}
		}
		if lit, ok := syntax.Ungroup(e.X).(*syntax.Lit); ok {
			n := t.literal(lit)
			n.Neg = !n.Neg
			return n
		}
		return t.sum(e)
	case *syntax.Binary:
		return t.binary(e)
	}
	return &notation.Symbol{Base: "?"}
}

// textNote is a text as a formula shows it: in quotes where it is more than one word.
func textNote(text string) notation.Piece {
	text = value.ShortText(text)
	if text == "" || strings.ContainsAny(text, " ,()") {
		return &notation.Words{Text: "“" + text + "”"}
	}
	return &notation.Words{Text: text}
}

// relations are the comparisons as they are printed.
const relations = " <:< <=:≤ >:> >=:≥ =:= ==:= !=:≠ "

func (t *Writer) binary(e *syntax.Binary) notation.Piece {
	switch e.Op {
	case "+", "-":
		return t.sum(e)
	case "*", "/":
		return t.product(e)
	case "^":
		return &notation.Power{Base: t.Piece(e.X), Exp: t.Piece(e.Y)}
	case "and", "or":
		level := notation.RankAnd
		if e.Op == "or" {
			level = notation.RankOr
		}
		return &notation.Relation{Op: e.Op, Parts: t.chain(e, e.Op), Level: level}
	}
	return &notation.Relation{
		Op:    syntax.WordFor(relations, e.Op),
		Parts: []notation.Piece{t.Piece(e.X), t.Piece(e.Y)},
		Level: notation.RankRelation,
	}
}

// chain are the operands of a row of the same word: a and b and c.
func (t *Writer) chain(e syntax.Expr, op string) []notation.Piece {
	if b, ok := syntax.Ungroup(e).(*syntax.Binary); ok && b.Op == op {
		return append(t.chain(b.X, op), t.chain(b.Y, op)...)
	}
	return []notation.Piece{t.Piece(e)}
}

// sum collects the terms of a row of + and -.
func (t *Writer) sum(e syntax.Expr) notation.Piece {
	var terms []notation.Term
	t.terms(e, false, &terms)
	if len(terms) == 1 && !terms[0].Neg {
		return terms[0].X
	}
	return &notation.Sum{Terms: terms}
}

func (t *Writer) terms(e syntax.Expr, neg bool, out *[]notation.Term) {
	inner := syntax.Ungroup(e)
	_, grouped := e.(*syntax.Group)
	switch x := inner.(type) {
	case *syntax.Binary:
		if (x.Op == "+" || x.Op == "-") && !(grouped && neg) {
			t.terms(x.X, neg, out)
			t.terms(x.Y, x.Op == "-", out)
			return
		}
	case *syntax.Unary:
		if _, number := syntax.Ungroup(x.X).(*syntax.Lit); x.Op == "-" && len(*out) == 0 && !neg && !number {
			t.terms(x.X, true, out)
			return
		}
	}
	n := t.Piece(e)
	if s, ok := n.(*notation.Sum); ok && !neg && len(*out) == 0 {
		*out = append(*out, s.Terms...)
		return
	}
	*out = append(*out, notation.Term{Neg: neg, X: n})
}

// factorList is those above and below the line of a row of * and /.
type factorList struct{ over, under []syntax.Expr }

// split collects the factors of e. A parenthesis around a product is none of the reader's business; one around a
// quotient keeps it together.
func (f *factorList) split(e syntax.Expr, below bool) {
	b, ok := e.(*syntax.Binary)
	if g, is := e.(*syntax.Group); is && onlyProducts(g) {
		b, ok = syntax.Ungroup(g).(*syntax.Binary)
	}
	if !ok || b.Op != "*" && b.Op != "/" {
		if below {
			f.under = append(f.under, e)
		} else {
			f.over = append(f.over, e)
		}
		return
	}
	f.split(b.X, below)
	f.split(b.Y, below != (b.Op == "/"))
}

// onlyProducts tells whether e is a product without a quotient in its row.
func onlyProducts(e syntax.Expr) bool {
	b, ok := syntax.Ungroup(e).(*syntax.Binary)
	if !ok {
		return true
	}
	switch b.Op {
	case "*":
		return (!isRow(b.X) || onlyProducts(b.X)) && (!isRow(b.Y) || onlyProducts(b.Y))
	case "/":
		return false
	}
	return true
}

// isRow tells whether e is a product or quotient.
func isRow(e syntax.Expr) bool {
	b, ok := syntax.Ungroup(e).(*syntax.Binary)
	return ok && (b.Op == "*" || b.Op == "/")
}

// product sets a row of * and /: factors side by side, what is divided by under one line.
func (t *Writer) product(e *syntax.Binary) notation.Piece {
	var f factorList
	f.split(e, false)
	neg := false
	alone := len(f.over)+len(f.under) < 2
	over, under := t.side(f.over, alone, &neg), t.side(f.under, alone, nil)
	out := t.productOf(over)
	if len(under) > 0 {
		out = &notation.Quotient{Over: out, Under: t.productOf(under)}
	}
	if neg {
		return &notation.Sum{Terms: []notation.Term{{Neg: true, X: out}}}
	}
	return out
}

// side sets the factors on one side of the line. Without values, plain numbers come first and a 1 vanishes; the sign
// of the first factor moves out through neg.
func (t *Writer) side(es []syntax.Expr, alone bool, neg *bool) []notation.Piece {
	var numbers, rest []notation.Piece
	for i, e := range es {
		if u, ok := syntax.Ungroup(e).(*syntax.Unary); ok && u.Op == "-" && i == 0 && neg != nil {
			*neg, e = true, u.X
		}
		n := t.Piece(e)
		if lit, ok := syntax.Ungroup(e).(*syntax.Lit); ok && !alone && t.Values == nil {
			x := t.bare(lit)
			if n = x; x.Unit == "" && x.Prefix == "" {
				if x.Value != 1 {
					numbers = append(numbers, n)
				}
				continue
			}
		}
		if p, ok := n.(*notation.Product); ok {
			rest = append(rest, p.Factors...)
			continue
		}
		rest = append(rest, n)
	}
	if t.Values == nil {
		rest = squared(rest)
	}
	return append(numbers, rest...)
}

// squared writes factors that repeat as a power: D D is D².
func squared(fs []notation.Piece) []notation.Piece {
	texts, counts, out := []string{}, []int{}, fs[:0:0]
	for _, f := range fs {
		text := notation.Plain(f)
		i := slices.Index(texts, text)
		if _, number := f.(*notation.Number); number || i < 0 {
			texts, counts, out = append(texts, text), append(counts, 1), append(out, f)
			continue
		}
		counts[i]++
	}
	for i, n := range counts {
		if n > 1 {
			out[i] = &notation.Power{Base: out[i], Exp: &notation.Number{Mantissa: strconv.Itoa(n), Value: float64(n)}}
		}
	}
	return out
}

// productOf is the product of factors; 1 if there are none.
func (t *Writer) productOf(fs []notation.Piece) notation.Piece {
	switch len(fs) {
	case 0:
		return &notation.Number{Mantissa: "1", Value: 1}
	case 1:
		return fs[0]
	}
	return &notation.Product{Factors: fs, Dots: t.Values != nil}
}

// Binding are the operands of a call of max, min or if that have the value of the whole, with the values of t.
func (t *Writer) Binding(call *syntax.Call, whole value.Value) []syntax.Expr {
	switch {
	case (call.Func == "max" || call.Func == "min") && len(call.Args) > 1:
		return t.equal(call.Args, whole)
	case call.Func == "if" && len(call.Args) == 3:
		c, err := expr.Eval(t.Env, call.Args[0], t.Values)
		if err != nil || c.Kind != value.Bool {
			return nil
		}
		chosen := call.Args[2]
		if c.Bool {
			chosen = call.Args[1]
		}
		if inner, ok := syntax.Ungroup(chosen).(*syntax.Call); ok && inner.Recv == nil {
			if deeper := t.Binding(inner, whole); deeper != nil {
				return deeper
			}
		}
		return []syntax.Expr{chosen}
	}
	return nil
}

// equal are those of args that have the value of the whole; a max or min among them is opened.
func (t *Writer) equal(args []syntax.Expr, whole value.Value) (out []syntax.Expr) {
	for _, a := range args {
		v, err := expr.Eval(t.Env, a, t.Values)
		if err != nil || v.Kind != value.Number || v.Num.Value != whole.Num.Value {
			continue
		}
		if inner, ok := syntax.Ungroup(a).(*syntax.Call); ok && inner.Recv == nil {
			if deeper := t.Binding(inner, whole); deeper != nil {
				out = append(out, deeper...)
				continue
			}
		}
		out = append(out, a)
	}
	return out
}
