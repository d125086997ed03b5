package sheet

import (
	"slices"
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/spell"
)

// nearest is the name that word was probably meant to be, or "".
func nearest(word string, names []string) string { return spell.Meant(word, names) }

// didYouMean is the remedy for an unknown word.
func didYouMean(word string, names []string, otherwise *phrase.Phrase) *phrase.Phrase {
	if near := spell.Meant(word, names); near != "" {
		return phrase.New("sheet.did-you-mean", "name", near)
	}
	return otherwise
}

// keys are the keys of m in order.
func keys[V any](m map[string]V) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// oneOf lists names: "a, b or c", at most twelve of them.
func oneOf(names []string) any {
	const most = 12
	switch {
	case len(names) == 0:
		return phrase.New("sheet.nothing")
	case len(names) > most:
		return strings.Join(names[:most], ", ") + ", ..."
	}
	return phrase.Or(names)
}

// clip shortens what is quoted in a message.
func clip(text string) string { return spell.Clip(text, 40) }

// quote is text in the quotes of the language.
func quote(text string) string { return `"` + clip(text) + `"` }

// brief is an expression as its author wrote it, shortened for a message.
func brief(e syntax.Expr) string { return clip(syntax.Code(e)) }
