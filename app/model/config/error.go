package config

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Pos is a place in the text: line and column from 1, columns in characters.
type Pos struct{ Line, Col int }

// String is "3:14".
func (p Pos) String() string { return strconv.Itoa(p.Line) + ":" + strconv.Itoa(p.Col) }

// Error says why a text gives no model.
type Error struct {
	Pos    Pos
	What   string // "hidden_size is -1"
	Remedy string // what would be valid
}

// Error is "3:14: what; what would be valid".
func (e *Error) Error() string { return e.Pos.String() + ": " + e.What + "; " + e.Remedy }

// position is the place of a byte offset.
func position(src string, at int) Pos {
	before := src[:at]
	line := strings.LastIndexByte(before, '\n') + 1
	return Pos{strings.Count(before, "\n") + 1, utf8.RuneCountInString(strings.TrimPrefix(before[line:], "\ufeff")) + 1}
}

// maxShown is how many characters of a text from the file a message repeats.
const maxShown = 60

// clean makes a text from the file fit to be shown.
func clean(s string) string { return Printable(s, maxShown) }

// Printable is at most the first most characters of a text, with a replacement for each that doesn't print.
func Printable(s string, most int) string {
	var out strings.Builder
	n := 0
	for _, c := range s {
		if n++; n > most {
			out.WriteRune('…')
			break
		}
		if !strconv.IsPrint(c) {
			c = '\ufffd'
		}
		out.WriteRune(c)
	}
	return out.String()
}

// quote is a text from the file, cleaned, in quotation marks.
func quote(s string) string { return `"` + clean(s) + `"` }
