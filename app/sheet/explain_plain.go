package sheet

import "strings"

// inPlain writes n as a line of text.
func inPlain(n notation) string {
	var b strings.Builder
	n.plain(&b)
	return b.String()
}

// plainWithin writes n, in parentheses if it is looser than least.
func plainWithin(b *strings.Builder, n notation, least rank) {
	if n.rank() >= least {
		n.plain(b)
		return
	}
	b.WriteByte('(')
	n.plain(b)
	b.WriteByte(')')
}

func (n *ntNumber) plain(b *strings.Builder) {
	if n.neg {
		b.WriteString("−")
	}
	b.WriteString(n.prefix)
	switch {
	case n.exp == "":
		b.WriteString(n.mantissa)
	case n.mantissa == "1":
		b.WriteString("10" + superscript(n.exp))
	default:
		b.WriteString(n.mantissa + "×10" + superscript(n.exp))
	}
	if n.unit != "" && n.unit[0] != '/' && n.unit[0] != '%' {
		b.WriteByte(' ')
	}
	b.WriteString(n.unit)
}

func (n *ntSymbol) plain(b *strings.Builder) {
	if n.called {
		b.WriteString(strings.ReplaceAll(n.base, " ", "_"))
	} else {
		b.WriteString(n.base)
	}
	if n.sub != "" {
		if !n.joined {
			b.WriteByte('_')
		}
		b.WriteString(strings.ReplaceAll(n.sub, " ", "_"))
	}
	if n.of != nil && !n.quiet {
		b.WriteString(" of ")
		plainWithin(b, n.of, rankAtom)
	}
}

func (n *ntWords) plain(b *strings.Builder) { b.WriteString(n.text) }

func (n *ntProduct) plain(b *strings.Builder) {
	for i, f := range n.factors {
		least := rankPower
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
func leadRank(f notation) rank {
	if _, ok := f.(*ntNumber); ok {
		return rankCases
	}
	return rankPower
}

func (n *ntQuotient) plain(b *strings.Builder) {
	if _, nested := n.over.(*ntQuotient); nested {
		plainWithin(b, n.over, rankPower)
	} else if x, ok := n.over.(*ntNumber); ok {
		x.plain(b)
	} else {
		plainWithin(b, n.over, rankProduct)
	}
	b.WriteString(" / ")
	plainWithin(b, n.under, rankPower)
}

func (n *ntSum) plain(b *strings.Builder) {
	for i, t := range n.terms {
		switch {
		case t.neg && i == 0:
			b.WriteString("−")
		case t.neg:
			b.WriteString(" − ")
		case i > 0:
			b.WriteString(" + ")
		}
		if i == 0 && !t.neg {
			plainWithin(b, t.x, rankSum)
			continue
		}
		plainWithin(b, t.x, rankProduct)
	}
}

func (n *ntPower) plain(b *strings.Builder) {
	plainWithin(b, n.base, rankAtom)
	if x, ok := n.exp.(*ntNumber); ok && x.unit == "" && x.exp == "" && isDigits(x.mantissa) {
		if x.neg {
			b.WriteString("⁻")
		}
		b.WriteString(superscript(x.mantissa))
		return
	}
	b.WriteByte('^')
	plainWithin(b, n.exp, rankAtom)
}

func (n *ntRoot) plain(b *strings.Builder) {
	if n.degree == 3 {
		b.WriteString("∛")
	} else {
		b.WriteString("√")
	}
	plainWithin(b, n.x, rankAtom)
}

func (n *ntAbs) plain(b *strings.Builder) {
	inner := inPlain(n.x)
	if strings.Contains(inner, "|") { // bars inside bars would leave open which is the end
		b.WriteString("abs(" + inner + ")")
		return
	}
	b.WriteString("|" + inner + "|")
}

func (n *ntApply) plain(b *strings.Builder) {
	head, of := n.head, notation(nil)
	if s, ok := head.(*ntSymbol); ok && s.of != nil && !s.quiet {
		head, of = &ntSymbol{base: s.base, sub: s.sub, called: s.called, joined: s.joined}, s.of
	}
	head.plain(b)
	b.WriteByte('(')
	for i, a := range n.args {
		if i > 0 {
			b.WriteString(", ")
		}
		plainWithin(b, a, rankOr)
	}
	b.WriteByte(')')
	if of != nil {
		b.WriteString(" of ")
		plainWithin(b, of, rankAtom)
	}
}

func (n *ntRelation) plain(b *strings.Builder) {
	for i, p := range n.parts {
		if i > 0 {
			b.WriteString(" " + n.op + " ")
		}
		plainWithin(b, p, n.level+1)
	}
}

func (n *ntNot) plain(b *strings.Builder) {
	b.WriteString("not ")
	plainWithin(b, n.x, rankSum)
}

func (n *ntCases) plain(b *strings.Builder) {
	for _, a := range n.arms {
		plainWithin(b, a.value, rankOr)
		b.WriteString(" if ")
		plainWithin(b, a.when, rankOr)
		b.WriteString(", ")
	}
	b.WriteString("else ")
	plainWithin(b, n.other, rankOr)
}

const superscripts = "⁰¹²³⁴⁵⁶⁷⁸⁹"

// superscript writes a whole number in raised digits.
func superscript(digits string) string {
	var b strings.Builder
	for _, c := range digits {
		if c == '-' || c == '−' {
			b.WriteString("⁻")
		} else if c >= '0' && c <= '9' {
			b.WriteRune([]rune(superscripts)[c-'0'])
		}
	}
	return b.String()
}

func isDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
