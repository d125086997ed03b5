package syntax

import (
	"strings"
)

// StatementWords begin a statement; ReservedWords may not be names, but for nameWords: where those have a meaning, no
// name could stand. Others (hidden, log, step, mark, ...) are words of the language in their place only.
const (
	StatementWords = " title let hidden solve ask plot table figure expect "
	ReservedWords  = " title let solve ask plot table expect and or not on off true false in of over for where within " +
		"at as when pi "
	nameWords = " over at "
)

func isStatementWord(word string) bool { return HasWord(StatementWords, word) }

// IsReserved tells whether a word can stand for no value.
func IsReserved(word string) bool { return word != "pi" && isTaken(word) }

// isTaken tells whether no row can have that name.
func isTaken(word string) bool { return HasWord(ReservedWords, word) && !HasWord(nameWords, word) }

// HasWord tells whether word is one of words, which have a space before and behind each.
func HasWord(words, word string) bool { return strings.Contains(words, " "+word+" ") }

// OnOff is a switch as a sheet writes it.
func OnOff(b bool) string {
	if b {
		return "on"
	}
	return "off"
}
