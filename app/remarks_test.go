package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/sharding/setup"
	"github.com/scalebook/scalebook/app/sheet/value"
	"github.com/scalebook/scalebook/app/training"
	"github.com/scalebook/scalebook/app/translation"
	"github.com/scalebook/scalebook/app/widget"
)

// recordTypes are the records that functions and rows of the language take and give, and those within them.
func recordTypes(env *value.Env) []*value.RecordType {
	var all []*value.RecordType
	var visit func(t value.Type)
	visit = func(t value.Type) {
		if t.Of != nil {
			visit(*t.Of)
		}
		if t.Record == nil || slices.Contains(all, t.Record) {
			return
		}
		all = append(all, t.Record)
		for _, f := range t.Record.Fields {
			visit(f.Type)
		}
	}
	for _, f := range env.Funcs {
		visit(f.Result)
		for _, p := range f.Params {
			visit(p.Type)
		}
	}
	return all
}

// remarks are what the catalogs, labels of fields, the examples of the laboratory and those of the scratch pad say in
// words, by place.
func remarks(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	word := regexp.MustCompile(`[a-z]{2}`)
	add := func(where string, texts ...string) {
		for _, text := range texts {
			if strings.Contains(text, " ") && word.MatchString(text) {
				all[text] = where
			}
		}
	}
	for _, f := range hardware.Fields() {
		add("hardware.Fields", f.Label)
	}
	for _, kind := range recordTypes(widget.Env()) {
		for _, f := range kind.Fields {
			if label := string(value.FieldLabel(kind, f.Name)); word.MatchString(label) {
				all[label] = kind.Name + "." + f.Name
			}
		}
	}
	for _, kind := range recordTypes(widget.Env()) {
		for name, f := range kind.Methods {
			if what, _, _ := strings.Cut(strings.TrimSuffix(f.Doc, "."), ","); strings.Contains(what, "a dtype") {
				all[strings.Replace(what, "a dtype", "{dtype}", 1)] = kind.Name + "." + name
			}
		}
	}
	for _, a := range hardware.Catalog().All {
		add(a.ID, a.Note)
		for _, f := range a.Facts() {
			add(a.ID+" "+f.Field, f.Doubt, f.Note)
			for _, o := range f.Others {
				add(a.ID+" "+f.Field, o.Doubt)
			}
		}
	}
	for _, k := range model.Catalog().All {
		add(k.ID, k.Note)
	}
	for _, name := range training.Stacks() {
		s, err := training.StackNamed(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range s.Facts() {
			add(name+" "+f.Name, f.Source)
		}
	}
	for _, x := range setup.Examples() {
		add(x.ID, x.Group, x.Name)
	}
	files, err := filepath.Glob("site/scratch/*.sheet")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		translation.InWords(string(src), func(text string) string {
			all[text] = file
			return text
		})
	}
	return all
}

// What the program's data says in words is a message for translators: a line of content/po/words.txt.
func TestRemarksAreWords(t *testing.T) {
	src, err := os.ReadFile("../content/po/words.txt")
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for line := range strings.Lines(string(src)) {
		text, _, _ := strings.Cut(strings.TrimSpace(line), "\t")
		known[text] = true
	}
	all := remarks(t)
	for text, where := range all {
		if !known[text] {
			t.Errorf("%s: %q is not in content/po/words.txt", where, text)
		}
	}
	if len(all) < 200 {
		t.Errorf("only %d remarks were looked at", len(all))
	}
}
