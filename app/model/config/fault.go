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
	What   *phrase.Phrase // "hidden_size is -1"
	Remedy *phrase.Phrase // what would be valid
	lines  bool           // the text is no JSON, and may be lines

	uncached bool // what is not known does not change the cache of keys and values
}

// In is "3:14: what; what would be valid", in a language.
func (e *Error) In(l phrase.Phrases) string {
	return l.Say("config.at", "place", e.Pos.String(), "fault", e.fault())
}

// Error is the error in English.
func (e *Error) Error() string { return phrase.Unlinked(e.In(phrase.Phrases{})) }

func (e *Error) fault() phrase.Fault { return phrase.Fault{What: e.What, Remedy: e.Remedy} }

// Beside is the message for whoever wrote the text: where the fault is, what stands there, and what would be valid.
func (e *Error) Beside(text string) *phrase.Phrase {
	if said := excerpt(text, e.Pos); said != "" {
		return phrase.New("config.line-text", "line", e.Pos.Line, "column", e.Pos.Col, "text", said, "fault", e.fault())
	}
	return phrase.New("config.line", "line", e.Pos.Line, "column", e.Pos.Col, "fault", e.fault())
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
