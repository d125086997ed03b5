package config

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/scalebook/scalebook/app/phrase"
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

// In is the message for whoever wrote the text: where the fault is, what stands there, and what would be valid.
func (e *Error) In(text string) string {
	where := "line " + strconv.Itoa(e.Pos.Line) + ", column " + strconv.Itoa(e.Pos.Col)
	if said := excerpt(text, e.Pos); said != "" {
		where += ", at “" + said + "”"
	}
	return where + ": " + e.What + "; " + e.Remedy
}

// excerpt is what stands at a place of a text: a line, or of a long one what follows the place.
func excerpt(text string, at Pos) string {
	for range at.Line - 1 {
		_, text, _ = strings.Cut(text, "\n")
	}
	line, _, _ := strings.Cut(text, "\n")
	const most = 40
	if len(line) > most {
		skipped := 1
		for i := range line {
			if skipped == at.Col {
				line = line[i:]
				break
			}
			skipped++
		}
	}
	if line = phrase.Printable(strings.TrimSpace(line), most); utf8.RuneCountInString(line) < 3 {
		return ""
	}
	return line
}

// position is the place of a byte offset.
func position(src string, at int) Pos {
	before := src[:at]
	line := strings.LastIndexByte(before, '\n') + 1
	return Pos{strings.Count(before, "\n") + 1, utf8.RuneCountInString(strings.TrimPrefix(before[line:], "\ufeff")) + 1}
}

// maxShown is how many characters of a text from the file a message repeats.
const maxShown = 60

// clean makes a text from the file fit to be shown.
func clean(s string) string { return phrase.Printable(s, maxShown) }

// quote is a text from the file, cleaned, in quotation marks.
func quote(s string) string { return `"` + clean(s) + `"` }
