package translation

import (
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/po"
)

// identity is the language in which every message says what it says in English.
func identity(t *testing.T) *Language {
	t.Helper()
	file, err := Extract(os.DirFS("../../content"), "content")
	if err != nil {
		t.Fatal(err)
	}
	l := &Language{Code: "en", name: "en.po", byKey: map[string]*po.Message{}}
	for i, m := range file.Messages {
		m.Str, m.Line = []string{m.ID}, i+1
		if m.Plural != "" {
			m.Str = append(m.Str, m.Plural)
		}
		l.all = append(l.all, m)
		l.byKey[m.Key()] = m
	}
	return l
}

// What is put in the place of each text is found there again: no text runs into another, or makes another block.
func TestIdentityChangesNoText(t *testing.T) {
	content := os.DirFS("../../content")
	l := identity(t)
	c, err := l.Content(content, "content")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range c.Problems() {
		t.Error(p)
	}
	names, err := files(content)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		before, after := textsOf(t, content, name), textsOf(t, c, name)
		if len(before) != len(after) {
			t.Errorf("%s: %d texts became %d", name, len(before), len(after))
		}
		for i := range min(len(before), len(after)) {
			if before[i] != after[i] {
				t.Errorf("%s: %q became %q", name, before[i], after[i])
				break
			}
		}
	}
	if n := l.Count(); n.Missing+n.Fuzzy > 0 || n.All < 5000 {
		t.Error(n)
	}
}

func textsOf(t *testing.T, folder fs.FS, name string) (all []string) {
	t.Helper()
	src, err := fs.ReadFile(folder, name)
	if err != nil {
		t.Fatal(err)
	}
	spans, err := spansOf(name, src)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range spans {
		all = append(all, strings.Join([]string{s.text, s.role, s.notes[0]}, " | "))
	}
	return all
}
