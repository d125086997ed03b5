package sheet

import "strings"

// This file is mathematics as it stands on paper, before anyone decides with which marks to write it: explain_set.go
// makes it from expressions, explain_plain.go and mathml.go write it down.

// notation is a piece of a formula.
type notation interface {
	// rank says how tightly the piece holds together; a looser one needs parentheses inside a tighter one.
	rank() rank
	plain(b *strings.Builder)
	mathml(b *strings.Builder)
}

// rank orders the pieces from loose to tight.
type rank uint8

const (
	rankCases rank = iota
	rankOr
	rankAnd
	rankNot
	rankRelation
	rankSum
	rankProduct
	rankPower
	rankAtom
)

type (
	// ntNumber is a number with its unit, if it shows one.
	ntNumber struct {
		neg      bool
		mantissa string // "1,024", "8.1"
		exp      string // of ten: "11", "-4"; empty for none
		unit     string // "GB/s"; with a leading slash it is written against the number
		prefix   string // "$"
		value    float64
	}
	// ntSymbol is the name of a quantity. A base of one letter is slanted, a longer one upright.
	ntSymbol struct {
		base   string
		sub    string   // subscript, as words
		of     notation // whose it is: the chip of its HBM bandwidth; nil if that goes without saying
		quiet  bool     // of needs no mention in plain text
		called bool     // it names a function: plain text joins its words by underscores
		joined bool     // plain text writes the subscript against the base: W1
	}
	// ntWords is a text, a dtype or the name of a record.
	ntWords struct{ text string }
	// ntProduct has two factors or more.
	ntProduct struct {
		factors []notation
		dots    bool // a sign between all of them, as between numbers
	}
	// ntQuotient is over divided by under.
	ntQuotient struct{ over, under notation }
	// ntSum has one term or more; a single one is negative.
	ntSum struct{ terms []ntTerm }
	// ntTerm is a term of a sum.
	ntTerm struct {
		neg bool
		x   notation
	}
	// ntPower is base to the power exp.
	ntPower struct{ base, exp notation }
	// ntRoot is the square root, or the cube root.
	ntRoot struct {
		degree int
		x      notation
	}
	// ntAbs is the absolute value.
	ntAbs struct{ x notation }
	// ntApply is a function of arguments.
	ntApply struct {
		head      notation
		args      []notation
		subscript bool // MathML writes the argument below: bytes of int8
	}
	// ntRelation joins two or more pieces by a comparison, `and` or `or`.
	ntRelation struct {
		op    string // as it is printed
		parts []notation
		level rank
	}
	// ntNot is a negated condition.
	ntNot struct{ x notation }
	// ntCases is the value of the first arm whose condition holds, or else other.
	ntCases struct {
		arms  []ntArm
		other notation
	}
	// ntArm is one case.
	ntArm struct{ value, when notation }
)

func (n *ntNumber) rank() rank {
	switch {
	case n.neg:
		return rankSum
	case n.exp != "" || n.unit != "" || n.prefix != "":
		return rankPower
	}
	return rankAtom
}

func (n *ntSymbol) rank() rank {
	if strings.Contains(n.base, " ") {
		return rankPower
	}
	return rankAtom
}

func (n *ntWords) rank() rank    { return rankAtom }
func (n *ntProduct) rank() rank  { return rankProduct }
func (n *ntQuotient) rank() rank { return rankProduct }
func (n *ntSum) rank() rank      { return rankSum }
func (n *ntPower) rank() rank    { return rankPower }
func (n *ntRoot) rank() rank     { return rankPower }
func (n *ntAbs) rank() rank      { return rankAtom }
func (n *ntApply) rank() rank    { return rankAtom }
func (n *ntRelation) rank() rank { return n.level }
func (n *ntNot) rank() rank      { return rankNot }
func (n *ntCases) rank() rank    { return rankCases }

// startsWithDigit tells whether n, written down, would run into a number before it.
func startsWithDigit(n notation) bool {
	switch x := n.(type) {
	case *ntNumber:
		return !x.neg
	case *ntPower:
		return startsWithDigit(x.base)
	case *ntProduct:
		return startsWithDigit(x.factors[0])
	case *ntQuotient:
		return startsWithDigit(x.over)
	}
	return false
}

// wordy tells whether n ends or begins in words that would run together with a neighbour.
func wordy(n notation) bool {
	switch x := n.(type) {
	case *ntNumber:
		return x.unit != "" || x.exp != ""
	case *ntSymbol:
		return strings.Contains(x.base, " ") || x.of != nil && !x.quiet
	case *ntApply:
		return wordy(x.head)
	case *ntWords:
		return true
	}
	return false
}

// dotted tells whether a product sign is needed before factor i.
func (n *ntProduct) dotted(i int) bool {
	a, b := n.factors[i-1], n.factors[i]
	return n.dots || startsWithDigit(b) || wordy(a) || wordy(b)
}
