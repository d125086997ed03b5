package explain

import (
	"strings"

	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// Code is e in the language of sheets: as its author wrote it, or with values in place of the names. Reading it back
// gives the same value.
func (t *Writer) Code(e syntax.Expr) string {
	var b strings.Builder
	t.writeCode(&b, e, 0)
	return b.String()
}

// How tightly the operators of the language bind.
var codeLevels = map[string]int{
	"or": 1, "and": 2, "not": 3, "<": 4, "<=": 4, ">": 4, ">=": 4, "=": 4, "==": 4, "!=": 4,
	"+": 5, "-": 5, "*": 6, "/": 6, "neg": 7, "^": 8, "atom": 9,
}

func codeLevel(e syntax.Expr) int {
	switch e := e.(type) {
	case *syntax.Binary:
		return codeLevels[e.Op]
	case *syntax.Unary:
		if e.Op == "-" {
			return codeLevels["neg"]
		}
		return codeLevels[e.Op]
	}
	return codeLevels["atom"]
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
		t.writeCode(b, e.X, codeLevels["atom"])
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
		t.writeCode(b, e.X, codeLevels["not"])
		return
	}
	b.WriteString("-")
	t.writeCode(b, e.X, codeLevels["neg"])
}

func (t *Writer) binaryCode(b *strings.Builder, e *syntax.Binary) {
	level := codeLevels[e.Op]
	switch {
	case e.Op == "^":
		t.writeCode(b, e.X, level+1)
		b.WriteByte('^')
		t.writeCode(b, e.Y, codeLevels["neg"])
		return
	case level == codeLevels["="]:
		t.writeCode(b, e.X, level+1)
	default:
		t.writeCode(b, e.X, level)
	}
	b.WriteString(" " + e.Op + " ")
	t.writeCode(b, e.Y, level+1)
}

func (t *Writer) callCode(b *strings.Builder, e *syntax.Call) {
	if e.Recv != nil {
		t.writeCode(b, e.Recv, codeLevels["atom"])
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
	if least > codeLevels["^"] && strings.ContainsAny(text, " /*") || strings.HasPrefix(text, "-") && least > 0 {
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
