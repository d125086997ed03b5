// Package notation is mathematics as it stands on paper, before anyone decides with which marks to write it. A formula
// is made of pieces (notation.go), and written down as plain text (plain.go) or as MathML (mathml.go), with parentheses
// where a looser piece stands inside a tighter one. It knows no sheets: app/sheet makes pieces from expressions.
package notation

import (
	"strings"
	"unicode/utf8"
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
