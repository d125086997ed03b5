package sheet

import (
	"strings"

	"github.com/scalebook/scalebook/app/spell"
)

// statementWords begin a statement; reservedWords may not be names. Others (hidden, log, step, mark, ...) are words of the
// language in their place only.
const (
	statementWords = " title let hidden solve ask plot table figure expect "
	reservedWords  = " title let solve ask plot table expect and or not on off true false in of over for where within at as when pi "
)

func isStatementWord(word string) bool { return contains(statementWords, word) }

func isReserved(word string) bool { return word != "pi" && contains(reservedWords, word) }

func contains(words, word string) bool { return strings.Contains(words, " "+word+" ") }

// brief shortens what is quoted in a message.
func brief(text string) string { return spell.Clip(text, 40) }

// quoted is text in the quotes of the language.
func quoted(text string) string { return `"` + brief(text) + `"` }

// onOff is a switch as a sheet writes it.
func onOff(b bool) string {
	if b {
		return "on"
	}
	return "off"
}
