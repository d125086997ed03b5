package library

import (
	"slices"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/sheet/value"
	"github.com/scalebook/scalebook/app/training"
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

// What speaks against a plan is said in the language of who reads it, with the part of the step that takes longer.
func TestVerdictInALanguage(t *testing.T) {
	s, errs := sheet.Compile(`job = training_job(llama3.8b, gpu.h100, 8 chip, 65536 token, 8192 token, bf16,
  usual_software(gpu.h100))
search = training_search(job, off, 0, 0)
plans = training_plans(search)
`, New())
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	work := &sheet.Tasks{}
	r := s.With(work).Eval(nil)
	for work.Step() {
		r = s.With(work).Eval(nil)
	}
	plans, err := r.Value("plans")
	if err != nil || len(plans.List) < 2 {
		t.Fatalf("%v, %v", plans, err)
	}
	lines := []string{"training.equal\tравен: {part}", "training.slower\tмедленнее: {part}"}
	for _, part := range (&training.Time{}).Parts() {
		lines = append(lines, phrase.WordKey+part.Name+"\tчасть")
	}
	slices.Sort(lines)
	l := phrase.Read(strings.Join(lines, "\n") + "\n")
	why := plans.List[1].Record.Fields["why"]
	if got := why.In(l); got != "равен: часть" && got != "медленнее: часть" {
		t.Errorf("it says %q, in English %q", got, why.Text)
	}
}
