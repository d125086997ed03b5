package sharding

import (
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/spell"
)

// Error is a fault in one of the texts that describe arrays on a mesh.
type Error struct {
	Where  string         // which text: "notation", "sizes" or "mesh"
	Col    int            // 1-based, in characters; 0 if the fault is of the whole text
	Len    int            // of what is meant, in characters; 0 at the end of the text
	What   *phrase.Phrase // "mesh axis X is used twice in one array"
	Remedy *phrase.Phrase // what would be valid
}

// Fault is what is wrong and what would be valid, without the place.
func (e *Error) Fault() phrase.Fault { return phrase.Fault{What: e.What, Remedy: e.Remedy} }

// In says where, what, and what would be valid: "notation, column 5: unknown dimension `L`; sizes are given for I, J".
func (e *Error) In(l phrase.Phrases) string {
	if e.Col > 0 {
		return l.Say("sharding.at-column", "where", e.Where, "column", e.Col, "fault", e.Fault())
	}
	return l.Say("sharding.at", "where", e.Where, "fault", e.Fault())
}

// Error is the fault in English.
func (e *Error) Error() string { return e.In(phrase.Phrases{}) }

// span is a place in a text.
type span struct{ col, len int }

func (s span) fault(where string, what, remedy *phrase.Phrase) *Error {
	return &Error{Where: where, Col: s.col, Len: s.len, What: what, Remedy: remedy}
}

// clip shortens hostile words before they are shown.
func clip(word string) string { return spell.Clip(word, 24) }

// quoted is a word as messages show it.
func quoted(word string) string { return "`" + clip(word) + "`" }

// upTo is the remedy for too many of something.
func upTo(most int) *phrase.Phrase { return phrase.New("sharding.up-to", "most", most) }

// shortName is the remedy for a name that is too long.
func shortName() *phrase.Phrase { return phrase.New("sharding.short-name", "most", maxName) }

// Limits keep hostile text harmless; no honest array comes near them. Each has a message of its own.
const (
	maxText  = 500     // characters of a text
	maxDims  = 8       // of an array, and indices of an einsum
	maxAxes  = 6       // of a mesh
	maxName  = 16      // characters of a name
	maxSize  = 1e12    // of a dimension
	maxChips = 1 << 24 // of a mesh
)
