package quantity

import "github.com/scalebook/scalebook/app/phrase"

// Base is one of the five base units every dimension is made of.
type Base uint8

// The base units.
const (
	FLOP Base = iota
	Byte
	Second
	Dollar
	Joule
	numBases
)

// Dim is a dimension: the exponent of each base unit. The zero Dim is a plain number.
type Dim [numBases]int8

// Label says what a count counts ("token", "chip"); it is shown, carried along, and never enforced.
// Over and Under are singular nouns: token per chip is {"token", "chip"}. Where a product has left several in one
// place, "layer*token", nothing is shown until the others have cancelled.
type Label struct{ Over, Under string }

// Quantity is a number with a dimension. The zero value is the plain number 0.
type Quantity struct {
	Value  float64 // in base units
	Dim    Dim
	Label  Label
	Binary bool // prints bytes as KiB, MiB, ... because whoever wrote it did
}

// Error says what is wrong with a text or an operation, and what would be valid.
type Error struct {
	Offset int            // byte offset in the parsed text
	What   *phrase.Phrase // "unknown unit GiBs"
	Remedy *phrase.Phrase // "write GiB or GiB/s"
}

// In says it in a language: "what; remedy".
func (e *Error) In(l phrase.Phrases) string {
	return phrase.Fault{What: e.What, Remedy: e.Remedy}.In(l)
}

func (e *Error) Error() string { return e.In(phrase.Phrases{}) }
