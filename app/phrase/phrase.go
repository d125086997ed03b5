// Package phrase is what the machinery tells readers: its labels, messages and errors, as whole sentences with named
// gaps, one file for each language.
//
// A line of a language's file is a key, a tab, and a sentence:
//
//	sheet.cannot-add	cannot add `{left}`, {type}, to `{right}`, {other}
//
// Who speaks names the key and fills the gaps. Where the language is known, [Phrases.Say] gives the text; where it is
// not, as deep in the language of sheets, [New] gives a [Phrase], which is also an error, and which is put into words
// at the edge: by the command, or by the widget.
//
// The keys stand in order, so that a sentence is found by halving, without reading the file first: the program in the
// browser starts no later for it. What only the site and the command say in English stands in en.site.txt, and in no
// program for the browser; there, the sentences of en.txt come in parts (see wasm/build/sentences.go).
package phrase

// Phrase is a sentence that is not yet in words: its key, and what fills its gaps. It is an error too, in English as
// long as nobody asks for another language. A nil one says nothing.
type Phrase struct {
	Key     string
	Gaps    []any // names and values in turn
	number  int
	counted bool
}

// Speaker is what can say itself in a language: a phrase, an error with its place and remedy.
type Speaker interface{ In(Phrases) string }

// New is a phrase; its gaps are names and values in turn.
func New(key string, gaps ...any) *Phrase { return &Phrase{Key: key, Gaps: gaps} }

// Count is a phrase about n things, a whole sentence for each number: key.one, key.other. It fills the gap {n}.
func Count(n int, key string, gaps ...any) *Phrase {
	return &Phrase{Key: key, Gaps: append([]any{"n", n}, gaps...), number: n, counted: true}
}

// In is the phrase in a language.
func (p *Phrase) In(l Phrases) string {
	switch {
	case p == nil:
		return ""
	case p.counted && l.lines != "":
		return l.count(p)
	case p.counted && p.number == 1:
		return l.Say(p.Key+".one", p.Gaps...)
	case p.counted:
		return l.Say(p.Key+".other", p.Gaps...)
	}
	return l.Say(p.Key, p.Gaps...)
}

// String is the phrase in English.
func (p *Phrase) String() string { return p.In(Phrases{}) }

// Error is the phrase in English.
func (p *Phrase) Error() string { return p.In(Phrases{}) }

// Fault is what is wrong, and what would be right if that is known.
type Fault struct{ What, Remedy *Phrase }

// In is the fault in a language: "what; remedy".
func (f Fault) In(l Phrases) string {
	if f.Remedy == nil {
		return f.What.In(l)
	}
	return l.Text(Clauses([]*Phrase{f.What, f.Remedy}))
}

// Error is the fault in English.
func (f Fault) Error() string { return f.In(Phrases{}) }

// List is things that are named one after the other.
type List struct {
	Items      []any
	next, last string // the keys of the sentences that add an item, and the last one
}

// And is "a, b and c".
func And[T any](items []T) List { return List{anys(items), "list.comma", "list.and"} }

// Or is "a, b or c".
func Or[T any](items []T) List { return List{anys(items), "list.comma", "list.or"} }

// Commas is "a, b, c".
func Commas[T any](items []T) List { return List{anys(items), "list.comma", "list.comma"} }

// Clauses is "a; b; c".
func Clauses[T any](items []T) List { return List{anys(items), "list.semicolon", "list.semicolon"} }

// Sentences is "A. B. C.", each item a sentence or more with its period; what is empty is left out.
func Sentences(items ...any) List {
	x := List{next: "list.sentence", last: "list.sentence"}
	for _, item := range items {
		if item != nil && item != "" {
			x.Items = append(x.Items, item)
		}
	}
	return x
}

// In is the list in a language.
func (x List) In(l Phrases) string {
	if len(x.Items) == 0 {
		return ""
	}
	last := len(x.Items) - 1
	text := l.Text(x.Items[0])
	for i, item := range x.Items[1:] {
		key := x.next
		if i+1 == last {
			key = x.last
		}
		text = l.Say(key, "list", text, "next", item)
	}
	return text
}

// String is the list in English.
func (x List) String() string { return x.In(Phrases{}) }

func anys[T any](items []T) []any {
	all := make([]any, len(items))
	for i, item := range items {
		all[i] = item
	}
	return all
}
