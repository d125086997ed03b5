package syntax

import (
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/spell"
)

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
