package notation

import (
	"strings"

	"github.com/scalebook/scalebook/app/quantity"
)

// Plain writes n as a line of text.
func Plain(n Piece) string {
	var b strings.Builder
	n.plain(&b)
	return b.String()
}

// plainWithin writes n, in parentheses if it is looser than least.
func plainWithin(b *strings.Builder, n Piece, least Rank) {
	if n.rank() >= least {
		n.plain(b)
		return
	}
	b.WriteByte('(')
	n.plain(b)
	b.WriteByte(')')
}

func (n *Number) plain(b *strings.Builder) {
	if n.Neg {
		b.WriteString("−")
	}
	b.WriteString(n.Prefix)
	switch {
	case n.Exp == "":
		b.WriteString(n.Mantissa)
	case n.Mantissa == "1":
		b.WriteString("10" + quantity.Superscript(n.Exp))
	default:
		b.WriteString(n.Mantissa + "×10" + quantity.Superscript(n.Exp))
	}
	if n.Unit != "" && n.Unit[0] != '/' {
		b.WriteByte(' ')
	}
	b.WriteString(n.Unit)
}

func (n *Symbol) plain(b *strings.Builder) {
	if n.Called {
		b.WriteString(strings.ReplaceAll(n.Base, " ", "_"))
	} else {
		b.WriteString(n.Base)
	}
	if n.Sub != "" {
		if !n.Joined {
			b.WriteByte('_')
		}
		b.WriteString(strings.ReplaceAll(n.Sub, " ", "_"))
	}
	if n.Of != nil && !n.Quiet {
		b.WriteString(" of ")
		plainWithin(b, n.Of, RankAtom)
	}
}

func (n *Words) plain(b *strings.Builder) { b.WriteString(n.Text) }

func (n *Product) plain(b *strings.Builder) {
	for i, f := range n.Factors {
		least := RankPower
		switch {
		case i > 0 && n.dotted(i):
			b.WriteString(" · ")
		case i > 0:
			b.WriteByte(' ')
		default:
			least = leadRank(f)
		}
		plainWithin(b, f, least)
	}
}

// leadRank is the least rank of a first factor: a negative number needs no parentheses there.
func leadRank(f Piece) Rank {
	if _, ok := f.(*Number); ok {
		return RankCases
	}
	return RankPower
}

func (n *Quotient) plain(b *strings.Builder) {
	if _, nested := n.Over.(*Quotient); nested {
		plainWithin(b, n.Over, RankPower)
	} else if x, ok := n.Over.(*Number); ok {
		x.plain(b)
	} else {
		plainWithin(b, n.Over, RankProduct)
	}
	b.WriteString(" / ")
	plainWithin(b, n.Under, RankPower)
}

func (n *Sum) plain(b *strings.Builder) {
	for i, t := range n.Terms {
		switch {
		case t.Neg && i == 0:
			b.WriteString("−")
		case t.Neg:
			b.WriteString(" − ")
		case i > 0:
			b.WriteString(" + ")
		}
		if i == 0 && !t.Neg {
			plainWithin(b, t.X, RankSum)
			continue
		}
		plainWithin(b, t.X, RankProduct)
	}
}

func (n *Power) plain(b *strings.Builder) {
	plainWithin(b, n.Base, RankAtom)
	if x, ok := n.Exp.(*Number); ok && x.Unit == "" && x.Exp == "" && IsDigits(x.Mantissa) {
		if x.Neg {
			b.WriteString("⁻")
		}
		b.WriteString(quantity.Superscript(x.Mantissa))
		return
	}
	b.WriteByte('^')
	plainWithin(b, n.Exp, RankAtom)
}

func (n *Root) plain(b *strings.Builder) {
	if n.Degree == 3 {
		b.WriteString("∛")
	} else {
		b.WriteString("√")
	}
	plainWithin(b, n.X, RankAtom)
}

func (n *Abs) plain(b *strings.Builder) {
	inner := Plain(n.X)
	if strings.Contains(inner, "|") { // bars inside bars would leave open which is the end
		b.WriteString("abs(" + inner + ")")
		return
	}
	b.WriteString("|" + inner + "|")
}

func (n *Apply) plain(b *strings.Builder) {
	head, of := n.Head, Piece(nil)
	if s, ok := head.(*Symbol); ok && s.Of != nil && !s.Quiet {
		head, of = &Symbol{Base: s.Base, Sub: s.Sub, Called: s.Called, Joined: s.Joined}, s.Of
	}
	head.plain(b)
	b.WriteByte('(')
	for i, a := range n.Args {
		if i > 0 {
			b.WriteString(", ")
		}
		plainWithin(b, a, RankOr)
	}
	b.WriteByte(')')
	if of != nil {
		b.WriteString(" of ")
		plainWithin(b, of, RankAtom)
	}
}

func (n *Relation) plain(b *strings.Builder) {
	for i, p := range n.Parts {
		if i > 0 {
			b.WriteString(" " + n.Op + " ")
		}
		plainWithin(b, p, n.Level+1)
	}
}

func (n *Not) plain(b *strings.Builder) {
	b.WriteString("not ")
	plainWithin(b, n.X, RankSum)
}

func (n *Cases) plain(b *strings.Builder) {
	for _, a := range n.Arms {
		plainWithin(b, a.Value, RankOr)
		b.WriteString(" if ")
		plainWithin(b, a.When, RankOr)
		b.WriteString(", ")
	}
	b.WriteString("else ")
	plainWithin(b, n.Other, RankOr)
}

func IsDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
