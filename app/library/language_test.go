package library

import (
	"testing"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// A text that a function makes of a phrase, and a record that one names, are said in the language of who reads them.
func TestPhrasesAsValues(t *testing.T) {
	l := phrase.Read("library.none\tничего\n")
	said := spoken(phrase.New("library.none"))
	if said.Text != "none" || said.In(l) != "ничего" || said.In(phrase.Phrases{}) != "none" {
		t.Errorf("%q, %q", said.Text, said.In(l))
	}
	r := newRecord(&value.RecordType{Name: "x"}, phrase.New("library.none"))
	if r.Name != "none" || r.value().In(l) != "ничего" {
		t.Errorf("%q, %q", r.Name, r.value().In(l))
	}
	if own := spoken("H100"); own.Said != nil || own.In(l) != "H100" {
		t.Errorf("%v", own)
	}
}
