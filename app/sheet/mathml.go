package sheet

import (
	"strings"
	"unicode/utf8"
)

// This file writes notation as MathML Core: mrow, mi, mn, mo, mfrac, msup, msub, msqrt, mroot, mtable, mtext.

// mathML writes n as the inside of a math element.
func mathML(n notation) string {
	var b strings.Builder
	mathRow(&b, n, rankCases)
	return b.String()
}

// Marks between pieces. The invisible ones tell a screen reader what juxtaposition means.
const (
	moTimes = `<mo lspace="0.1em" rspace="0.1em">` + "\u2062</mo>"
	moDot   = "<mo>⋅</mo>"
	moApply = "<mo>\u2061</mo>"
	moMinus = "<mo>−</mo>"
	moNeg   = `<mo form="prefix">−</mo>`
)

var mathEscapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#39;")

// escapeMath makes text safe as the content of an element.
func escapeMath(text string) string {
	return mathEscapes.Replace(strings.ToValidUTF8(strings.Map(xmlRune, text), "\ufffd"))
}

// xmlRune drops what XML cannot hold.
func xmlRune(r rune) rune {
	if r < ' ' && r != '\t' || r == '\ufffe' || r == '\uffff' {
		return -1
	}
	return r
}

// mathElement writes <tag>text</tag>.
func mathElement(b *strings.Builder, tag, text string) {
	b.WriteString("<" + tag + ">" + escapeMath(text) + "</" + tag + ">")
}

// mathRow writes n as exactly one element, so that it can be a part of a fraction or a script.
func mathRow(b *strings.Builder, n notation, least rank) {
	if n.rank() < least || isElement(n) {
		mathFenced(b, n, least)
		return
	}
	b.WriteString("<mrow>")
	n.mathml(b)
	b.WriteString("</mrow>")
}

// isElement tells whether n, written down, is a single element.
func isElement(n notation) bool {
	switch x := n.(type) {
	case *ntNumber:
		return !x.neg && x.prefix == "" && x.exp == "" && x.unit == ""
	case *ntSymbol, *ntWords, *ntQuotient, *ntPower, *ntRoot, *ntAbs, *ntApply, *ntCases:
		return true
	}
	return false
}

// mathFenced writes n, in parentheses if it is looser than least.
func mathFenced(b *strings.Builder, n notation, least rank) {
	if n.rank() >= least {
		n.mathml(b)
		return
	}
	b.WriteString("<mrow><mo>(</mo>")
	n.mathml(b)
	b.WriteString("<mo>)</mo></mrow>")
}

func (n *ntNumber) mathml(b *strings.Builder) {
	if n.neg {
		b.WriteString(moNeg)
	}
	if n.prefix != "" {
		mathElement(b, "mtext", n.prefix)
	}
	if n.exp == "" || n.mantissa != "1" {
		mathElement(b, "mn", n.mantissa)
	}
	if n.exp != "" {
		if n.mantissa != "1" {
			b.WriteString("<mo>×</mo>")
		}
		b.WriteString("<msup><mn>10</mn>")
		mathElement(b, "mn", strings.Replace(n.exp, "-", "−", 1))
		b.WriteString("</msup>")
	}
	switch {
	case n.unit == "":
	case n.unit[0] == '/', n.unit[0] == '%':
		mathElement(b, "mtext", n.unit)
	default:
		mathElement(b, "mtext", "\u00a0"+n.unit)
	}
}

// mathName writes a name: one letter slants, as variables do, more stand upright, as words do.
func mathName(b *strings.Builder, name string) {
	if strings.Contains(name, " ") {
		mathElement(b, "mtext", name)
		return
	}
	mathElement(b, "mi", name)
}

// mathScript writes a subscript: always upright.
func mathScript(b *strings.Builder, text string) {
	switch {
	case isDigits(text):
		mathElement(b, "mn", text)
	case strings.Contains(text, " "):
		mathElement(b, "mtext", text)
	case utf8.RuneCountInString(text) == 1:
		b.WriteString(`<mi mathvariant="normal">` + escapeMath(text) + "</mi>")
	default:
		mathElement(b, "mi", text)
	}
}

func (n *ntSymbol) mathml(b *strings.Builder) {
	if n.sub == "" && n.of == nil {
		mathName(b, n.base)
		return
	}
	b.WriteString("<msub>")
	mathName(b, n.base)
	switch {
	case n.of == nil:
		mathScript(b, n.sub)
	case n.sub == "":
		mathRow(b, n.of, rankCases)
	default:
		b.WriteString("<mrow>")
		mathScript(b, n.sub)
		b.WriteString("<mo>,</mo>")
		n.of.mathml(b)
		b.WriteString("</mrow>")
	}
	b.WriteString("</msub>")
}

func (n *ntWords) mathml(b *strings.Builder) {
	if utf8.RuneCountInString(n.text) == 1 {
		mathElement(b, "mtext", n.text)
		return
	}
	mathName(b, n.text)
}

func (n *ntProduct) mathml(b *strings.Builder) {
	for i, f := range n.factors {
		least := rankPower
		switch {
		case i > 0 && n.dottedMath(i):
			b.WriteString(moDot)
		case i > 0:
			b.WriteString(moTimes)
		default:
			least = leadRank(f)
		}
		if _, fraction := f.(*ntQuotient); fraction {
			least = rankProduct
		}
		mathFenced(b, f, least)
	}
}

// dottedMath is dotted, but for what a fraction bar keeps apart.
func (n *ntProduct) dottedMath(i int) bool {
	a, b := n.factors[i-1], n.factors[i]
	_, before := a.(*ntQuotient)
	_, after := b.(*ntQuotient)
	if before || after {
		return n.dots || wordy(a) || wordy(b)
	}
	return n.dotted(i)
}

func (n *ntQuotient) mathml(b *strings.Builder) {
	b.WriteString("<mfrac>")
	mathRow(b, n.over, rankCases)
	mathRow(b, n.under, rankCases)
	b.WriteString("</mfrac>")
}

func (n *ntSum) mathml(b *strings.Builder) {
	for i, t := range n.terms {
		switch {
		case t.neg && i == 0:
			b.WriteString(moNeg)
		case t.neg:
			b.WriteString(moMinus)
		case i > 0:
			b.WriteString("<mo>+</mo>")
		}
		if i == 0 && !t.neg {
			mathFenced(b, t.x, rankSum)
			continue
		}
		mathFenced(b, t.x, rankProduct)
	}
}

func (n *ntPower) mathml(b *strings.Builder) {
	b.WriteString("<msup>")
	mathRow(b, n.base, rankAtom)
	mathRow(b, n.exp, rankCases)
	b.WriteString("</msup>")
}

func (n *ntRoot) mathml(b *strings.Builder) {
	if n.degree == 3 {
		b.WriteString("<mroot>")
		mathRow(b, n.x, rankCases)
		b.WriteString("<mn>3</mn></mroot>")
		return
	}
	b.WriteString("<msqrt>")
	n.x.mathml(b)
	b.WriteString("</msqrt>")
}

func (n *ntAbs) mathml(b *strings.Builder) {
	b.WriteString(`<mrow><mo form="prefix">|</mo>`)
	n.x.mathml(b)
	b.WriteString(`<mo form="postfix">|</mo></mrow>`)
}

func (n *ntApply) mathml(b *strings.Builder) {
	if n.subscript {
		b.WriteString("<msub>")
		mathRow(b, n.head, rankAtom)
		mathRow(b, n.args[0], rankAtom)
		b.WriteString("</msub>")
		return
	}
	b.WriteString("<mrow>")
	n.head.mathml(b)
	b.WriteString(moApply + "<mrow><mo>(</mo>")
	for i, a := range n.args {
		if i > 0 {
			b.WriteString("<mo>,</mo>")
		}
		mathFenced(b, a, rankOr)
	}
	b.WriteString("<mo>)</mo></mrow></mrow>")
}

func (n *ntRelation) mathml(b *strings.Builder) {
	for i, p := range n.parts {
		if i > 0 {
			if n.level < rankRelation {
				mathElement(b, "mtext", "\u00a0"+n.op+"\u00a0")
			} else {
				mathElement(b, "mo", n.op)
			}
		}
		mathFenced(b, p, n.level+1)
	}
}

func (n *ntNot) mathml(b *strings.Builder) {
	mathElement(b, "mtext", "not\u00a0")
	mathFenced(b, n.x, rankSum)
}

// The class lets a style sheet align the cells to the left, which MathML Core leaves to CSS.
func (n *ntCases) mathml(b *strings.Builder) {
	b.WriteString(`<mrow><mo form="prefix">{</mo><mtable class="cases">`)
	for _, a := range n.arms {
		b.WriteString("<mtr><mtd>")
		mathFenced(b, a.value, rankOr)
		b.WriteString("</mtd><mtd><mtext>if\u00a0</mtext>")
		mathFenced(b, a.when, rankOr)
		b.WriteString("</mtd></mtr>")
	}
	b.WriteString("<mtr><mtd>")
	mathFenced(b, n.other, rankOr)
	b.WriteString("</mtd><mtd><mtext>otherwise</mtext></mtd></mtr></mtable></mrow>")
}
