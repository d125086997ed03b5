package notation

import (
	"strings"
	"unicode/utf8"
)

// This file writes notation as MathML Core: mrow, mi, mn, mo, mfrac, msup, msub, msqrt, mroot, mtable, mtext.

// MathML writes n as the inside of a math element.
func MathML(n Piece) string {
	var b strings.Builder
	MathRow(&b, n, RankCases)
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

// MathRow writes n as exactly one element, so that it can be a part of a fraction or a script.
func MathRow(b *strings.Builder, n Piece, least Rank) {
	if n.rank() < least || isElement(n) {
		mathFenced(b, n, least)
		return
	}
	b.WriteString("<mrow>")
	n.mathml(b)
	b.WriteString("</mrow>")
}

// isElement tells whether n, written down, is a single element.
func isElement(n Piece) bool {
	switch x := n.(type) {
	case *Number:
		return !x.Neg && x.Prefix == "" && x.Exp == "" && x.Unit == ""
	case *Quotient:
		return !x.Slash
	case *Symbol, *Words, *Power, *Root, *Abs, *Apply, *Cases:
		return true
	}
	return false
}

// mathFenced writes n, in parentheses if it is looser than least.
func mathFenced(b *strings.Builder, n Piece, least Rank) {
	if n.rank() >= least {
		n.mathml(b)
		return
	}
	b.WriteString("<mrow><mo>(</mo>")
	n.mathml(b)
	b.WriteString("<mo>)</mo></mrow>")
}

func (n *Number) mathml(b *strings.Builder) {
	if n.Neg {
		b.WriteString(moNeg)
	}
	if n.Prefix != "" {
		mathElement(b, "mtext", n.Prefix)
	}
	if n.Exp == "" || n.Mantissa != "1" {
		mathElement(b, "mn", n.Mantissa)
	}
	if n.Exp != "" {
		if n.Mantissa != "1" {
			b.WriteString("<mo>×</mo>")
		}
		b.WriteString("<msup><mn>10</mn>")
		mathElement(b, "mn", strings.Replace(n.Exp, "-", "−", 1))
		b.WriteString("</msup>")
	}
	switch {
	case n.Unit == "":
	case n.Unit[0] == '/':
		mathElement(b, "mtext", n.Unit)
	default:
		mathElement(b, "mtext", "\u00a0"+n.Unit)
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
	case IsDigits(text):
		mathElement(b, "mn", text)
	case strings.Contains(text, " "):
		mathElement(b, "mtext", text)
	case utf8.RuneCountInString(text) == 1:
		b.WriteString(`<mi mathvariant="normal">` + escapeMath(text) + "</mi>")
	default:
		mathElement(b, "mi", text)
	}
}

func (n *Symbol) mathml(b *strings.Builder) {
	switch {
	case n.Code:
		b.WriteString(`<mtext class="code-name">` + escapeMath(n.Base) + "</mtext>")
		return
	case n.Sub == "" && (n.Of == nil || n.Quiet):
		mathName(b, n.Base)
		return
	}
	b.WriteString("<msub>")
	mathName(b, n.Base)
	switch {
	case n.Of == nil || n.Quiet:
		mathScript(b, n.Sub)
	case n.Sub == "":
		MathRow(b, n.Of, RankCases)
	default:
		b.WriteString("<mrow>")
		mathScript(b, n.Sub)
		b.WriteString("<mo>,</mo>")
		n.Of.mathml(b)
		b.WriteString("</mrow>")
	}
	b.WriteString("</msub>")
}

func (n *Words) mathml(b *strings.Builder) {
	if utf8.RuneCountInString(n.Text) == 1 {
		mathElement(b, "mtext", n.Text)
		return
	}
	mathName(b, n.Text)
}

func (n *Product) mathml(b *strings.Builder) {
	for i, f := range n.Factors {
		least := RankPower
		switch {
		case i > 0 && n.dottedMath(i):
			b.WriteString(moDot)
		case i > 0:
			b.WriteString(moTimes)
		default:
			least = leadRank(f)
		}
		if _, fraction := f.(*Quotient); fraction {
			least = RankProduct
		}
		mathFenced(b, f, least)
	}
}

// dottedMath is dotted, but for what a fraction bar keeps apart. Two bars in a row would read as one.
func (n *Product) dottedMath(i int) bool {
	a, b := n.Factors[i-1], n.Factors[i]
	over, before := a.(*Quotient)
	under, after := b.(*Quotient)
	if before && over.Slash || after && under.Slash {
		return true
	}
	if before != after {
		return n.Dots || named(a) || named(b)
	}
	return before || n.dotted(i)
}

func (n *Quotient) mathml(b *strings.Builder) {
	if n.Slash {
		mathFenced(b, n.Over, RankProduct)
		b.WriteString("<mo>/</mo>")
		mathFenced(b, n.Under, RankPower)
		return
	}
	b.WriteString("<mfrac>")
	MathRow(b, inLine(n.Over), RankCases)
	MathRow(b, inLine(n.Under), RankCases)
	b.WriteString("</mfrac>")
}

func (n *Sum) mathml(b *strings.Builder) {
	for i, t := range n.Terms {
		switch {
		case t.Neg && i == 0:
			b.WriteString(moNeg)
		case t.Neg:
			b.WriteString(moMinus)
		case i > 0:
			b.WriteString("<mo>+</mo>")
		}
		if i == 0 && !t.Neg {
			mathFenced(b, t.X, RankSum)
			continue
		}
		mathFenced(b, t.X, RankProduct)
	}
}

func (n *Power) mathml(b *strings.Builder) {
	b.WriteString("<msup>")
	MathRow(b, n.Base, RankAtom)
	MathRow(b, inLine(n.Exp), RankCases)
	b.WriteString("</msup>")
}

func (n *Root) mathml(b *strings.Builder) {
	if n.Degree == 3 {
		b.WriteString("<mroot>")
		MathRow(b, n.X, RankCases)
		b.WriteString("<mn>3</mn></mroot>")
		return
	}
	b.WriteString("<msqrt>")
	n.X.mathml(b)
	b.WriteString("</msqrt>")
}

func (n *Abs) mathml(b *strings.Builder) {
	b.WriteString(`<mrow><mo form="prefix">|</mo>`)
	n.X.mathml(b)
	b.WriteString(`<mo form="postfix">|</mo></mrow>`)
}

func (n *Apply) mathml(b *strings.Builder) {
	if n.Subscript {
		b.WriteString("<msub>")
		MathRow(b, n.Head, RankAtom)
		MathRow(b, n.Args[0], RankAtom)
		b.WriteString("</msub>")
		return
	}
	b.WriteString("<mrow>")
	n.Head.mathml(b)
	b.WriteString(moApply + "<mrow><mo>(</mo>")
	for i, a := range n.Args {
		if i > 0 {
			b.WriteString("<mo>,</mo>")
		}
		mathFenced(b, a, RankOr)
	}
	b.WriteString("<mo>)</mo></mrow></mrow>")
}

func (n *Relation) mathml(b *strings.Builder) {
	for i, p := range n.Parts {
		if i > 0 {
			if n.Level < RankRelation {
				mathElement(b, "mtext", "\u00a0"+n.Op+"\u00a0")
			} else {
				mathElement(b, "mo", n.Op)
			}
		}
		mathFenced(b, p, n.Level+1)
	}
}

func (n *Not) mathml(b *strings.Builder) {
	mathElement(b, "mtext", "not\u00a0")
	mathFenced(b, n.X, RankSum)
}

// The class lets a style sheet align the cells to the left, which MathML Core leaves to CSS.
func (n *Cases) mathml(b *strings.Builder) {
	b.WriteString(`<mrow><mo form="prefix">{</mo><mtable class="cases">`)
	for _, a := range n.Arms {
		b.WriteString("<mtr><mtd>")
		mathFenced(b, a.Value, RankOr)
		b.WriteString("</mtd><mtd><mtext>if\u00a0</mtext>")
		mathFenced(b, a.When, RankOr)
		b.WriteString("</mtd></mtr>")
	}
	b.WriteString("<mtr><mtd>")
	mathFenced(b, n.Other, RankOr)
	b.WriteString("</mtd><mtd><mtext>otherwise</mtext></mtd></mtr></mtable></mrow>")
}
