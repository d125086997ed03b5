package serving

import "github.com/scalebook/scalebook/app/phrase"

// Error says what can't be, and what would be valid.
type Error struct{ What, Remedy *phrase.Phrase }

// Fault is e without a place.
func (e *Error) Fault() phrase.Fault { return phrase.Fault{What: e.What, Remedy: e.Remedy} }

// In is e in a language.
func (e *Error) In(l phrase.Phrases) string { return e.Fault().In(l) }

// Error is e in English.
func (e *Error) Error() string { return e.In(phrase.Phrases{}) }

// fault is an error with the remedy of this key.
func fault(what *phrase.Phrase, remedy string) *Error { return &Error{what, phrase.New(remedy)} }
