package explain

import (
	"math"
	"strings"
	"unicode/utf8"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/notation"
	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// ValueNote is a value as a formula shows it.
func ValueNote(v value.Value) notation.Piece {
	switch v.Kind {
	case value.Number:
		return amountNote(v.Num)
	case value.Bool:
		return textNote(syntax.OnOff(v.Bool))
	case value.Rec:
		return &notation.Words{Text: v.Record.Brief()}
	case value.List:
		return &notation.Words{Text: value.ListText(phrase.Phrases{}, v.List)}
	}
	return textNote(v.Text)
}

// longText is the longest text that a formula repeats beside its numbers; a longer one is called by its name.
const longText = 24

// long tells whether a formula calls a value by its name, since its text would say less.
func long(v value.Value) bool {
	return v.Kind == value.Text && utf8.RuneCountInString(v.Text) > longText
}

// amountNote is a quantity as pages print it, in pieces.
func amountNote(q quantity.Quantity) *notation.Number {
	number, unit := q.TypedParts(3)
	n := &notation.Number{Value: q.Value, Unit: unit}
	number, n.Neg = strings.CutPrefix(number, "-")
	if strings.HasPrefix(number, "$") {
		n.Prefix, number = "$", number[1:]
	}
	n.Mantissa, n.Exp, _ = strings.Cut(number, "e")
	if digits := syntax.WordFor(magnitudes, n.Unit); digits != "" { // 70 B among units would be bytes
		n.Exp, n.Unit = digits, ""
	}
	return n
}

// literal is a number as its author wrote it, with its unit.
func (t *Writer) literal(e *syntax.Lit) *notation.Number {
	if e.Text == "" {
		return amountNote(e.Q)
	}
	n := &notation.Number{Value: e.Q.Value}
	text := strings.ReplaceAll(e.Text, "_", "")
	if strings.HasPrefix(text, "$") {
		n.Prefix, text = "$", text[1:]
	}
	if strings.HasPrefix(text, ".") {
		text = "0" + text
	}
	end := numeralLength(text)
	n.Unit = strings.TrimSpace(text[end:])
	n.Mantissa, n.Exp, _ = strings.Cut(strings.ToLower(text[:end]), "e")
	n.Exp = strings.TrimPrefix(n.Exp, "+")
	if digits := syntax.WordFor(magnitudes, n.Unit); digits != "" && n.Exp == "" && math.Abs(e.Q.Value) >= 1000 {
		n.Exp, n.Unit = digits, ""
	}
	n.Mantissa = thousands(n.Mantissa)
	n.Unit = strings.Replace(n.Unit, "us", "µs", 1)
	n.Unit = counted(n, e.Q)
	return n
}

// counted is the unit of n, the literal of q, with what it counts in the plural where there are several: "tokens" of
// 4M token, "requests/s" of 5 request/s.
func counted(n *notation.Number, q quantity.Quantity) string {
	word, per, rate := strings.Cut(n.Unit, "/")
	one := q.Value == 1 || q.Value == -1
	if rate {
		per, one = "/"+per, n.Mantissa == "1" && n.Exp == ""
	}
	switch {
	case one || word == "":
	case n.Unit == "byte":
		return "bytes"
	case word == q.Label.Over && (rate || q.Dim.IsZero()):
		_, word = quantity.Quantity{Value: 2, Label: quantity.Label{Over: word}}.Parts()
	}
	return word + per
}

// magnitudes are the suffixes of plain numbers.
const magnitudes = " k:3 K:3 M:6 B:9 T:12 "

// numeralLength is how much of text is digits, point and exponent.
func numeralLength(text string) int {
	i := 0
	for i < len(text) {
		c := text[i]
		switch {
		case c >= '0' && c <= '9' || c == '.':
			i++
		case (c == 'e' || c == 'E') && i+1 < len(text) && strings.ContainsRune("0123456789+-", rune(text[i+1])):
			i += 2
		default:
			return i
		}
	}
	return i
}

// thousands separates the thousands of a long whole number.
func thousands(digits string) string {
	if !notation.IsDigits(digits) || len(digits) <= 4 {
		return digits
	}
	return quantity.Grouped(digits)
}

// bare is a literal as a factor among others: its unit goes without saying where it is only there to give the product
// its dimension (2 FLOP, 1 byte), and stays where it carries an amount (16 GiB, 45 GB/s, 5 s).
func (t *Writer) bare(e *syntax.Lit) *notation.Number {
	n := t.literal(e)
	if n.Unit == "" || n.Prefix != "" {
		return n
	}
	if e.Q.Value != 1 {
		d := e.Q.Dim
		if d[quantity.Second] != 0 || d[quantity.Dollar] != 0 || d[quantity.Joule] != 0 {
			return n
		}
	}
	unit, err := quantity.UnitOf(e.Text)
	if err != nil || unit.Value != 1 || n.Unit == "%" {
		return n
	}
	size, _, _ := strings.Cut(n.Unit, " ")
	if digits := syntax.WordFor(magnitudes, size); digits != "" { // 1M token
		if n.Exp != "" {
			return n
		}
		n.Exp = digits
	}
	n.Unit = ""
	return n
}

// isZero tells whether e is a literal 0, which needs no unit among a function's arguments.
func isZero(e syntax.Expr) bool {
	lit, ok := syntax.Ungroup(e).(*syntax.Lit)
	return ok && lit.Q.Value == 0
}

// Code is e in the language of sheets: as its author wrote it, or with values in place of the names. Reading it back
// gives the same value.
func (t *Writer) Code(e syntax.Expr) string {
	var b strings.Builder
	t.writeCode(&b, e, 0)
	return b.String()
}

// How tightly the operators of the language bind.
const (
	levelOr = 1 + iota
	levelAnd
	levelNot
	levelRelation
	levelSum
	levelProduct
	levelNeg
	levelPower
	levelAtom
)

func operatorLevel(op string) int {
	switch op {
	case "or":
		return levelOr
	case "and":
		return levelAnd
	case "+", "-":
		return levelSum
	case "*", "/":
		return levelProduct
	case "^":
		return levelPower
	}
	return levelRelation
}

func codeLevel(e syntax.Expr) int {
	switch e := e.(type) {
	case *syntax.Binary:
		return operatorLevel(e.Op)
	case *syntax.Unary:
		if e.Op == "-" {
			return levelNeg
		}
		return levelNot
	}
	return levelAtom
}

// writeCode writes e, in parentheses if it binds less than least.
func (t *Writer) writeCode(b *strings.Builder, e syntax.Expr, least int) {
	if codeLevel(e) < least {
		b.WriteByte('(')
		defer b.WriteByte(')')
	}
	switch e := e.(type) {
	case *syntax.Lit:
		t.litCode(b, e, least)
	case *syntax.Str:
		b.WriteString(textCode(e.Text))
	case *syntax.Switch:
		b.WriteString(syntax.OnOff(e.On))
	case *syntax.Name:
		t.nameCode(b, e, least)
	case *syntax.Member:
		t.writeCode(b, e.X, levelAtom)
		b.WriteString("." + e.Field)
	case *syntax.Call:
		t.callCode(b, e)
	case *syntax.Group:
		b.WriteByte('(')
		t.writeCode(b, e.X, 0)
		b.WriteByte(')')
	case *syntax.Unary:
		t.unaryCode(b, e)
	case *syntax.Binary:
		t.binaryCode(b, e)
	}
}

func (t *Writer) unaryCode(b *strings.Builder, e *syntax.Unary) {
	if e.Op == "not" {
		b.WriteString("not ")
		t.writeCode(b, e.X, levelNot)
		return
	}
	b.WriteString("-")
	t.writeCode(b, e.X, levelNeg)
}

func (t *Writer) binaryCode(b *strings.Builder, e *syntax.Binary) {
	level := operatorLevel(e.Op)
	switch {
	case e.Op == "^":
		t.writeCode(b, e.X, level+1)
		b.WriteByte('^')
		t.writeCode(b, e.Y, levelNeg)
		return
	case level == levelRelation:
		t.writeCode(b, e.X, level+1)
	default:
		t.writeCode(b, e.X, level)
	}
	b.WriteString(" " + e.Op + " ")
	t.writeCode(b, e.Y, level+1)
}

func (t *Writer) callCode(b *strings.Builder, e *syntax.Call) {
	if e.Recv != nil {
		t.writeCode(b, e.Recv, levelAtom)
		b.WriteByte('.')
	}
	b.WriteString(e.Func + "(")
	for i, a := range e.Args {
		if i > 0 {
			b.WriteString(", ")
		}
		t.writeCode(b, a, 0)
	}
	b.WriteByte(')')
}

// litCode writes a literal; one with a unit is kept apart from a power, which would go to the unit.
func (t *Writer) litCode(b *strings.Builder, e *syntax.Lit, least int) {
	text := e.Text
	if text == "" {
		text = e.Q.Exact()
	}
	if strings.HasPrefix(text, ".") {
		text = "0" + text
	}
	wrapCode(b, text, least)
}

func wrapCode(b *strings.Builder, text string, least int) {
	if least > levelPower && strings.ContainsAny(text, " /*") || strings.HasPrefix(text, "-") && least > 0 {
		text = "(" + text + ")"
	}
	b.WriteString(text)
}

// nameCode writes a name, or its value.
func (t *Writer) nameCode(b *strings.Builder, e *syntax.Name, least int) {
	if t.Values != nil {
		if v, ok := t.Values(e.Name); ok {
			if code := CodeOf(v); code != "" {
				wrapCode(b, code, least)
				return
			}
		}
	}
	b.WriteString(e.Name)
}

// CodeOf is a value as a sheet would write it; empty if it has no such form.
func CodeOf(v value.Value) string {
	switch v.Kind {
	case value.Number:
		return v.Num.Exact()
	case value.Text:
		return textCode(v.Text)
	case value.Bool:
		return syntax.OnOff(v.Bool)
	case value.DType:
		return v.Text
	}
	if v.Record != nil {
		return v.Record.ID
	}
	return ""
}

func textCode(text string) string { return `"` + text + `"` }
