package syntax

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/spell"
)

// Pos is a place in a sheet's text: 1-based line and column (in runes), and the length of what is meant.
type Pos struct{ Line, Col, Len int }

// Error is a fault in a sheet's text.
type Error struct {
	Pos    Pos
	What   *phrase.Phrase // "unknown name `hbm_bandwith`"
	Remedy *phrase.Phrase // "did you mean `hbm_bandwidth`?"
}

// Error says where, what, and what would be valid: "3:7: unknown name `x`; did you mean `y`?".
func (e *Error) Error() string {
	return e.In(phrase.Phrases{})
}

// In is the error in a language.
func (e *Error) In(l phrase.Phrases) string {
	return strconv.Itoa(e.Pos.Line) + ":" + strconv.Itoa(e.Pos.Col) + ": " + e.Fault().In(l)
}

// Fault is the error without its place.
func (e *Error) Fault() phrase.Fault { return phrase.Fault{What: e.What, Remedy: e.Remedy} }

// Message is the error in English, without its place.
func (e *Error) Message() string { return e.Fault().Error() }

// Diagnostics writes errors as the command does, `file:line:col: what; what would be valid`. firstLine is the line of
// the file on which the sheet's text begins (1 for a file that is one sheet), indent how many columns were cut off
// before each of its lines.
func Diagnostics(file string, firstLine, indent int, errs []*Error) []string {
	lines := make([]string, len(errs))
	for i, e := range errs {
		lines[i] = file + ":" + strconv.Itoa(e.Pos.Line+firstLine-1) + ":" + strconv.Itoa(e.Pos.Col+indent) + ": " +
			e.Message()
	}
	return lines
}

// Errors collects the faults of a sheet, the first maxErrors of them.
type Errors struct{ List []*Error }

// Full tells whether more faults would be dropped, and need not be looked into.
func (l *Errors) Full() bool { return len(l.List) >= MaxErrors }

// Add reports a fault, unless one at the same place is known already.
func (l *Errors) Add(pos Pos, what, remedy *phrase.Phrase) {
	if l.Full() {
		return
	}
	for _, e := range l.List {
		if e.Pos.Line == pos.Line && e.Pos.Col == pos.Col {
			return
		}
	}
	l.List = append(l.List, &Error{Pos: pos, What: what, Remedy: remedy})
}

// Sorted is the faults in the order of the text.
func (l *Errors) Sorted() []*Error {
	slices.SortStableFunc(l.List, func(a, b *Error) int {
		return cmp.Or(cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Col, b.Pos.Col))
	})
	return l.List
}

// DidYouMean is the remedy for an unknown word.
func DidYouMean(word string, names []string, otherwise *phrase.Phrase) *phrase.Phrase {
	if near := spell.Meant(word, names); near != "" {
		return phrase.New("sheet.did-you-mean", "name", near)
	}
	return otherwise
}

// OneOf lists names: "a, b or c", at most twelve of them.
func OneOf(names []string) any {
	const most = 12
	switch {
	case len(names) == 0:
		return phrase.New("sheet.nothing")
	case len(names) > most:
		return strings.Join(names[:most], ", ") + ", ..."
	}
	return phrase.Or(names)
}

// Clip shortens what is quoted in a message.
func Clip(text string) string { return spell.Clip(text, 40) }

// Quote is text in the quotes of the language.
func Quote(text string) string { return `"` + Clip(text) + `"` }

// Brief is an expression as its author wrote it, shortened for a message.
func Brief(e Expr) string { return Clip(Code(e)) }

// Limits keep hostile text harmless; no honest sheet comes near them. Each has a message of its own.
const (
	MaxSource     = 64 << 10 // bytes of a sheet
	maxStatements = 400
	maxDepth      = 64   // parentheses, calls, signs and powers inside each other
	maxNodes      = 1000 // operands and operators of one statement
	maxName       = 64   // bytes of a name
	maxLabel      = 500  // bytes of a label, question, title or caption
	MaxCurves     = 12   // of a plot, and values of a `for`
	MaxColumns    = 16   // of a table
	MaxValues     = 200  // of a table's input, and choices of a menu
	MaxErrors     = 20   // reported at once
)
