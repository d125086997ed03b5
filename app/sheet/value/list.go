package value

import (
	"slices"
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
)

// ListOf is the type of lists whose entries are of type t.
func ListOf(t Type) Type { return Type{Kind: List, Of: &t} }

// maxNamed is how many entries of a list its text names.
const maxNamed = 6

// ListText names the entries of a list: all of a short one, the first few of a longer one.
func ListText(list []Value) string {
	var b strings.Builder
	for i, v := range list[:min(len(list), maxNamed)] {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(v.String())
	}
	switch more := len(list) - maxNamed; {
	case len(list) == 0:
		return phrase.New("sheet.list-none").String()
	case more > 0:
		return phrase.New("sheet.list-more", "list", b.String(), "n", more).String()
	}
	return b.String()
}

// listWords says what a list holds: "a list of records (accelerator)".
func (t Type) listWords() *phrase.Phrase {
	if t.Of == nil {
		return phrase.New("sheet.a-list")
	}
	switch t.Of.Kind {
	case Number:
		return phrase.New("sheet.list-of-numbers", "dim", dimText(t.Of.Dim))
	case Rec:
		if t.Of.Record != nil && t.Of.Record.Name != "" {
			return phrase.New("sheet.list-of-records", "kin", t.Of.Record.Name)
		}
		return phrase.New("sheet.list-of-any-records")
	}
	return phrase.New("sheet.list-of", "type", t.Of)
}

// same tells whether a and b are one record, or were computed from the same.
func (a *Record) same(b *Record) bool {
	return a == b || a != nil && b != nil && a.From != nil && a.From == b.From && a.Type == b.Type
}

// Same tells whether v and w are one and the same value, not only alike: records with one ID that were worked out at
// different times may differ in what they hold.
func (v Value) Same(w Value) bool {
	switch {
	case v.Kind != w.Kind:
		return false
	case v.Kind == Rec:
		return v.Record.same(w.Record)
	case v.Kind == List:
		return slices.EqualFunc(v.List, w.List, Value.Same)
	case v.Kind == Number:
		return v.Num == w.Num
	}
	return v.Equal(w)
}

// ShortText is a text in a line of its own: the beginning of a document.
func ShortText(text string) string {
	const most = 200
	if len(text) <= most && !strings.Contains(text, "\n") {
		return text
	}
	line := strings.Join(strings.Fields(text[:min(len(text), most)]), " ")
	return strings.ToValidUTF8(line, "") + "…"
}
