package syntax

import "strings"

// Code writes e in the notation of sheets, for messages.
func Code(e Expr) string {
	var b strings.Builder
	writeCode(&b, e)
	return b.String()
}

// Enough is how much of an expression a message needs.
const Enough = 200

func writeCode(b *strings.Builder, e Expr) {
	if b.Len() > Enough {
		return
	}
	switch e := e.(type) {
	case *Lit:
		b.WriteString(e.Text)
	case *Str:
		b.WriteString(Quote(e.Text))
	case *Switch:
		b.WriteString(OnOff(e.On))
	case *Name:
		b.WriteString(e.Name)
	case *Member:
		writeCode(b, e.X)
		b.WriteString("." + e.Field)
	case *Call:
		writeCall(b, e)
	case *Unary:
		b.WriteString(e.Op)
		if e.Op == "not" {
			b.WriteByte(' ')
		}
		writeCode(b, e.X)
	case *Binary:
		writeBinary(b, e)
	case *Group:
		b.WriteByte('(')
		writeCode(b, e.X)
		b.WriteByte(')')
	}
}

func writeCall(b *strings.Builder, e *Call) {
	if e.Recv != nil {
		writeCode(b, e.Recv)
		b.WriteByte('.')
	}
	b.WriteString(e.Func + "(")
	for i, arg := range e.Args {
		if i > 0 {
			b.WriteString(", ")
		}
		writeCode(b, arg)
	}
	b.WriteByte(')')
}

func writeBinary(b *strings.Builder, e *Binary) {
	writeCode(b, e.X)
	if e.Op == "^" {
		b.WriteByte('^')
	} else {
		b.WriteString(" " + e.Op + " ")
	}
	writeCode(b, e.Y)
}
