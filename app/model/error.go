package model

import "github.com/scalebook/scalebook/app/phrase"

// Error says what is wrong with a model or a question to it, and what would be right.
type Error struct {
	Field        string // of Model, "MoE.PerToken"; empty if the fault is of no single one
	What, Remedy *phrase.Phrase
}

// refuse is an error of a field in sentences without gaps, by their keys.
func refuse(field, what, remedy string) *Error {
	return &Error{field, phrase.New(what), phrase.New(remedy)}
}

// Subject is what is wrong, and with which field.
func (e *Error) Subject() *phrase.Phrase {
	if e.Field == "" {
		return e.What
	}
	return phrase.New("model.in-field", "field", e.Field, "fault", e.What)
}

// In is the error in a language, in one line.
func (e *Error) In(l phrase.Phrases) string {
	return phrase.Fault{What: e.Subject(), Remedy: e.Remedy}.In(l)
}

// Error is the error in English.
func (e *Error) Error() string { return e.In(phrase.Phrases{}) }
