// Package notation is mathematics as it stands on paper, before anyone decides with which marks to write it. A formula
// is made of pieces, and written down as plain text (notation.go) or as MathML (mathml.go), with parentheses where a
// looser piece stands inside a tighter one. It knows no sheets: app/sheet makes pieces from expressions.
package notation

import (
	"strings"
	"unicode/utf8"

	"github.com/scalebook/scalebook/app/quantity"
)

// Piece is a piece of a formula.
type Piece interface {
	// rank says how tightly the piece holds together; a looser one needs parentheses inside a tighter one.
	rank() Rank
	plain(b *strings.Builder)
	mathml(b *strings.Builder)
}

// Rank orders the pieces from loose to tight.
type Rank uint8

const (
	RankCases Rank = iota
	RankOr
	RankAnd
	RankNot
	RankRelation
	RankSum
	RankProduct
	RankPower
	RankAtom
)

type (
	// Number is a number with its unit, if it shows one.
	Number struct {
		Neg      bool
		Mantissa string // "1,024", "8.1"
		Exp      string // of ten: "11", "-4"; empty for none
		Unit     string // "GB/s"; with a leading slash it is written against the number
		Prefix   string // "$"
		Value    float64
	}
	// Symbol is the name of a quantity. A base of one letter is slanted, a longer one upright.
	Symbol struct {
		Base   string
		Sub    string // subscript, as words
		Of     Piece  // whose it is: the chip of its HBM bandwidth; nil if that goes without saying
		Quiet  bool   // of needs no mention
		Called bool   // it names a function: plain text joins its words by underscores
		Code   bool   // it is a name of the program, such as so_far: set as code, as it is written there
		Joined bool   // plain text writes the subscript against the base: W1
	}
	// Words is a text, a dtype or the name of a record.
	Words struct{ Text string }
	// Product has two factors or more.
	Product struct {
		Factors []Piece
		Dots    bool // a sign between all of them, as between numbers
	}
	// Quotient is over divided by under.
	Quotient struct {
		Over, Under Piece
		Slash       bool // MathML writes it in the line, as plain text does
	}
	// Sum has one term or more; a single one is negative.
	Sum struct{ Terms []Term }
	// Term is a term of a sum.
	Term struct {
		Neg bool
		X   Piece
	}
	// Power is base to the power exp.
	Power struct{ Base, Exp Piece }
	// Root is the square root, or the cube root.
	Root struct {
		Degree int
		X      Piece
	}
	// Abs is the absolute value.
	Abs struct{ X Piece }
	// Apply is a function of arguments.
	Apply struct {
		Head      Piece
		Args      []Piece
		Subscript bool // MathML writes the argument below: bytes of int8
	}
	// Relation joins two or more pieces by a comparison, `and` or `or`.
	Relation struct {
		Op    string // as it is printed
		Parts []Piece
		Level Rank
	}
	// Not is a negated condition.
	Not struct{ X Piece }
	// Cases is the value of the first arm whose condition holds, or else other.
	Cases struct {
		Arms  []Arm
		Other Piece
	}
	// Arm is one case.
	Arm struct{ Value, When Piece }
)

func (n *Number) rank() Rank {
	switch {
	case n.Neg:
		return RankSum
	case n.Exp != "" || n.Unit != "" || n.Prefix != "":
		return RankPower
	}
	return RankAtom
}

func (n *Symbol) rank() Rank {
	if strings.Contains(n.Base, " ") {
		return RankPower
	}
	return RankAtom
}

func (n *Words) rank() Rank    { return RankAtom }
func (n *Product) rank() Rank  { return RankProduct }
func (n *Quotient) rank() Rank { return RankProduct }
func (n *Sum) rank() Rank      { return RankSum }
func (n *Power) rank() Rank    { return RankPower }
func (n *Root) rank() Rank     { return RankPower }
func (n *Abs) rank() Rank      { return RankAtom }
func (n *Apply) rank() Rank    { return RankAtom }
func (n *Relation) rank() Rank { return n.Level }
func (n *Not) rank() Rank      { return RankNot }
func (n *Cases) rank() Rank    { return RankCases }

// startsWithDigit tells whether n, written down, would run into a number before it.
func startsWithDigit(n Piece) bool {
	switch x := n.(type) {
	case *Number:
		return !x.Neg
	case *Power:
		return startsWithDigit(x.Base)
	case *Product:
		return startsWithDigit(x.Factors[0])
	case *Quotient:
		return startsWithDigit(x.Over)
	}
	return false
}

// wordy tells whether n ends or begins in words that would run together with a neighbour.
func wordy(n Piece) bool {
	switch x := n.(type) {
	case *Number:
		return x.Unit != "" || x.Exp != ""
	case *Symbol:
		return x.Code || strings.Contains(x.Base, " ") || x.Of != nil && !x.Quiet
	case *Apply:
		return wordy(x.Head)
	case *Words:
		return true
	}
	return false
}

// named tells whether n is a name of several letters or a function, which a neighbour would lengthen: alus clock.
func named(n Piece) bool {
	switch x := n.(type) {
	case *Symbol:
		return utf8.RuneCountInString(x.Base) > 1
	case *Apply:
		return named(x.Head)
	case *Power:
		return named(x.Base)
	}
	return wordy(n)
}

// dotted tells whether a product sign is needed before factor i. A number may stand right before a name.
func (n *Product) dotted(i int) bool {
	a, b := n.Factors[i-1], n.Factors[i]
	_, number := a.(*Number)
	return n.Dots || startsWithDigit(b) || wordy(b) || named(a) || named(b) && !number
}

// Brief is a formula in which a call with a long line of arguments shows none: `time(…)`. Where there is no such call
// it is the formula itself.
func Brief(p Piece) Piece {
	switch x := p.(type) {
	case *Apply:
		if lengthy(x) {
			return &Apply{Head: x.Head, Args: []Piece{&Words{"…"}}}
		}
	case *Product:
		if all, short := briefly(x.Factors); short {
			return &Product{Factors: all, Dots: x.Dots}
		}
	}
	return p
}

// lengthy tells whether nobody would read the arguments of a call in passing.
func lengthy(x *Apply) bool {
	const most, wide = 4, 60 // arguments, and characters of the whole
	return len(x.Args) > most && utf8.RuneCountInString(Plain(x)) > wide
}

// briefly is pieces in brief, and whether one of them got shorter.
func briefly(pieces []Piece) (all []Piece, short bool) {
	for _, p := range pieces {
		b := Brief(p)
		all, short = append(all, b), short || b != p
	}
	return all, short
}

// inLine is a formula without fraction bars: a fraction in another one, or in an exponent, would be too small to read.
func inLine(p Piece) Piece {
	switch x := p.(type) {
	case *Quotient:
		return &Quotient{Over: inLine(x.Over), Under: inLine(x.Under), Slash: true}
	case *Product:
		return &Product{Factors: allInLine(x.Factors), Dots: x.Dots}
	case *Sum:
		terms := make([]Term, len(x.Terms))
		for i, t := range x.Terms {
			terms[i] = Term{Neg: t.Neg, X: inLine(t.X)}
		}
		return &Sum{Terms: terms}
	case *Apply:
		return &Apply{Head: x.Head, Args: allInLine(x.Args), Subscript: x.Subscript}
	}
	return p
}

func allInLine(pieces []Piece) []Piece {
	all := make([]Piece, len(pieces))
	for i, p := range pieces {
		all[i] = inLine(p)
	}
	return all
}

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
