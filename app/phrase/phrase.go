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
