package expr

import (
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// whyOf is why(x), the reason why x has no value, as a sentence; empty if it has one.
func (c *Checker) whyOf(e *syntax.Call, args []Node) Node {
	x := &args[0]
	return Node{Expr: e, Type: value.Type{Kind: value.Text}, val: func(f *Frame) (value.Value, bool) {
		v := value.Value{Kind: value.Text}
		if _, ok := x.value(f); ok {
			return v, true
		}
		r := reason{f.Err}
		f.Err = nil
		v.Text, v.Phrase = r.In(phrase.Phrases{}), r
		return v, true
	}}
}

// reason is why there is no value, as a sentence.
type reason struct{ err error }

// In is the sentence in a language, about what is wrong and not about the rows between.
func (r reason) In(l phrase.Phrases) string {
	for need := (*needError)(nil); errors.As(r.err, &need); {
		r.err = need.why
	}
	if r.err == nil {
		r.err = phrase.New("sheet.this-has-no-value")
	}
	text := l.Text(r.err)
	first, n := utf8.DecodeRuneInString(text)
	text = string(unicode.ToUpper(first)) + text[n:]
	if !strings.HasSuffix(text, ".") && !strings.HasSuffix(text, "?") {
		text += "."
	}
	return text
}
