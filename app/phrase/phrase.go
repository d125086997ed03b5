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

import (
	_ "embed" // the sentences in English
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

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

// Recovered is what a panic said, of whoever recovered from it.
func Recovered(fault any) string {
	switch said := fault.(type) {
	case error:
		return said.Error()
	case interface{ String() string }:
		return said.String()
	case string:
		return said
	}
	return "panic"
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
func (f Fault) Error() string { return Unlinked(f.In(Phrases{})) }

// Unlinked is a message without its links: [“Reading profiles”](profiling/) is “Reading profiles”.
func Unlinked(message string) string {
	before, rest, _ := strings.Cut(message, "[“")
	title, after, found := strings.Cut(rest, "](")
	_, behind, closed := strings.Cut(after, ")")
	if !found || !closed {
		return message
	}
	return before + "“" + title + Unlinked(behind)
}

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

//go:embed en.txt
var english string

// Phrases is what is said in one language. The zero value speaks English.
type Phrases struct {
	lines string // of the language's file; empty for English
}

// Read is the language of a file. What it lacks is said in English.
func Read(file string) Phrases { return Phrases{lines: file} }

// FormsKey is the key of the line that says which form of a sentence a number of things takes in a language: for 0, 1,
// 2, ... things a digit each, FormsCounted of them. A larger number takes the form of its last two digits above 100.
// A sentence with forms stands in the language's file as key.0, key.1, ...
const (
	FormsKey     = "phrase.forms"
	FormsCounted = 200
)

// count is a sentence about a number of things, in the form that it takes; in English where the language has none.
func (l Phrases) count(p *Phrase) string {
	if forms, ok := find(l.lines, FormsKey); ok && len(forms) == FormsCounted {
		n := max(p.number, 0)
		if n >= FormsCounted/2 {
			n = n%(FormsCounted/2) + FormsCounted/2
		}
		key := p.Key + "." + forms[n:n+1]
		if _, ok := find(l.lines, key); ok {
			return l.Say(key, p.Gaps...)
		}
	}
	if p.number == 1 {
		return l.Say(p.Key+".one", p.Gaps...)
	}
	return l.Say(p.Key+".other", p.Gaps...)
}

// Say is a sentence, its gaps filled: each is a name and a value, as [Phrases.Text] says it.
func (l Phrases) Say(key string, gaps ...any) string {
	sentence := l.Sentence(key)
	if len(gaps) == 0 {
		return sentence
	}
	var b strings.Builder
	for sentence != "" {
		before, name, after := Gap(sentence)
		b.WriteString(before)
		if name != "" {
			b.WriteString(l.Text(filling(name, gaps)))
		}
		sentence = after
	}
	return b.String()
}

// Count is the sentence about n things: key.one if they are one, else key.other. It fills the gap {n}.
func (l Phrases) Count(n int, key string, gaps ...any) string { return l.Text(Count(n, key, gaps...)) }

// Text puts a value into words: a text as it is, a whole number, a phrase, whatever says itself in a language.
func (l Phrases) Text(x any) string {
	switch x := x.(type) {
	case nil:
		return ""
	case string:
		return x
	case int:
		return strconv.Itoa(x)
	case Speaker:
		return x.In(l)
	case error:
		return x.Error()
	case interface{ String() string }:
		return x.String()
	}
	return "?"
}

// Sentence is the sentence of a key, its gaps open: in this language, in English, or at worst the key.
func (l Phrases) Sentence(key string) string {
	for _, lines := range [...]string{l.lines, english} {
		if s, ok := find(lines, key); ok {
			return s
		}
	}
	if s, ok := later(key); ok {
		return s
	}
	return strings.TrimPrefix(key, WordKey)
}

// Word is what this language calls a text that a sheet or a drawing has made, such as a kind of work: the text itself
// where it has no word for it. Of a name with parts, each part has its own: "closed loop, apart".
func (l Phrases) Word(text string) string {
	if l.lines == "" || text == "" {
		return text
	}
	if s, ok := find(l.lines, WordKey+text); ok {
		return s
	}
	for _, between := range [...]string{": ", ", "} {
		if before, after, ok := strings.Cut(text, between); ok {
			return l.Word(before) + between + l.Word(after)
		}
	}
	return text
}

// WordKey is what the key of a word begins with in the file of a language.
const WordKey = "="

// Label is a label that stands in a gap of a phrase, in the words of the reader's language.
type Label string

// In is the label in a language, as it stands inside a sentence.
func (n Label) In(l Phrases) string { return MidSentence(l.Word(string(n))) }

// filling is the value of a gap.
func filling(name string, gaps []any) any {
	for i := 0; i+1 < len(gaps); i += 2 {
		if gaps[i] == name {
			return gaps[i+1]
		}
	}
	return "{" + name + "}"
}

// Capital is a text that begins like a sentence.
func Capital(text string) string {
	if text == "" {
		return ""
	}
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}

// MidSentence is a label as it stands inside a sentence: "Time to compute" becomes "time to compute", "HBM bandwidth"
// and "ZeRO stage" stay.
func MidSentence(label string) string {
	first, n := utf8.DecodeRuneInString(label)
	second, _ := utf8.DecodeRuneInString(label[n:])
	word, _, _ := strings.Cut(label[n:], " ")
	if unicode.IsUpper(first) && (unicode.IsLower(second) || second == ' ') &&
		!strings.ContainsFunc(word, unicode.IsUpper) {
		return string(unicode.ToLower(first)) + label[n:]
	}
	return label
}

// Lines is a file of sentences with its name.
type Lines struct{ Name, Lines string }

// English is all that is said in English, for translators.
func English() []Lines {
	return []Lines{{"app/phrase/en.txt", english}, {"app/phrase/en.site.txt", englishSite}}
}

// Counted says whether a key is a sentence for a number of things: key.one or key.other, of which there are both.
func Counted(key string) bool {
	base := strings.TrimSuffix(strings.TrimSuffix(key, ".one"), ".other")
	if base == key {
		return false
	}
	_, one := find(english, base+".one")
	_, other := find(english, base+".other")
	if !one {
		_, one = find(englishSite, base+".one")
		_, other = find(englishSite, base+".other")
	}
	return one && other
}

// find is the sentence of a key in a file whose keys stand in order.
func find(lines, key string) (string, bool) {
	for lines != "" {
		from := strings.LastIndexByte(lines[:len(lines)/2], '\n') + 1
		line, after, _ := strings.Cut(lines[from:], "\n")
		k, sentence, _ := strings.Cut(line, "\t")
		switch strings.Compare(key, k) {
		case 0:
			return sentence, true
		case -1:
			lines = lines[:from]
		default:
			lines = after
		}
	}
	return "", false
}

// Gap is what stands before the first gap of a sentence, its name without the braces, and what stands behind it. A
// brace that begins no name is a brace.
func Gap(sentence string) (before, name, after string) {
	for from := 0; ; {
		open := strings.IndexByte(sentence[from:], '{')
		if open < 0 {
			return sentence, "", ""
		}
		open += from
		end := open + 1
		for end < len(sentence) && 'a' <= sentence[end] && sentence[end] <= 'z' {
			end++
		}
		if end > open+1 && end < len(sentence) && sentence[end] == '}' {
			return sentence[:open], sentence[open+1 : end], sentence[end+1:]
		}
		from = open + 1
	}
}

// Printable is a text from a stranger, fit for a page: at most so many characters, and none that can't be seen.
func Printable(s string, most int) string {
	var out strings.Builder
	for _, c := range s {
		if most--; most < 0 {
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

// Name is a name that stands in a gap of a phrase, in the words of the reader's language: see [Phrases.Word].
type Name string

// In is the name in a language.
func (n Name) In(l Phrases) string { return l.Word(string(n)) }
