package sharding

import (
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/spell"
)

// Error is a fault in one of the texts that describe arrays on a mesh.
type Error struct {
	Where  string // which text: "notation", "sizes" or "mesh"
	Col    int    // 1-based, in characters; 0 if the fault is of the whole text
	Len    int    // of what is meant, in characters; 0 at the end of the text
	What   string // "mesh axis X is used twice in one array"
	Remedy string // what would be valid
}

// Error says where, what, and what would be valid: "notation, column 5: unknown dimension `L`; sizes are given for I,
// J".
func (e *Error) Error() string {
	s := e.Where
	if e.Col > 0 {
		s += ", column " + strconv.Itoa(e.Col)
	}
	s += ": " + e.What
	if e.Remedy == "" {
		return s
	}
	return s + "; " + e.Remedy
}

// span is a place in a text.
type span struct{ col, len int }

func (s span) fault(where, what, remedy string) *Error {
	return &Error{Where: where, Col: s.col, Len: s.len, What: what, Remedy: remedy}
}

// clip shortens hostile words before they are shown.
func clip(word string) string { return spell.Clip(word, 24) }

// quoted is a word as messages show it.
func quoted(word string) string { return "`" + clip(word) + "`" }

// listed is "X, Y, Z", or what stands for none.
func listed(names []string, none string) string {
	if len(names) == 0 {
		return none
	}
	return strings.Join(names, ", ")
}
