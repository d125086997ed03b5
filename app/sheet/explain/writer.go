// Package explain writes expressions down as a worked answer has them: in symbols, with numbers in the place of names,
// and opened as the laws that they call. A [Writer] makes mathematics of an expression, or code that computes the same.
// It knows rows by their definitions and values alone.
package explain

import (
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
var relations = map[string]string{"<": "<", "<=": "≤", ">": ">", ">=": "≥", "=": "=", "==": "=", "!=": "≠"}

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
		Op:    relations[e.Op],
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
