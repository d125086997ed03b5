package translation

import (
	"io/fs"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/scalebook/scalebook/app/phrase"
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
	file, err := Extract(content, "content")
	if err != nil {
		t.Fatal(err)
	}
	if n := l.Count(file); n.Missing+n.Fuzzy > 0 || n.All < 5000 {
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

type message = po.Message

func reading(file string) phrase.Phrases { return phrase.Read(file) }

// language is Russian with these messages.
func language(t *testing.T, messages string) *Language {
	t.Helper()
	head := "msgid \"\"\nmsgstr \"\"\n\"Language: ru\\n\"\n\"Plural-Forms: nplurals=3; " +
		"plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);\\n\"\n\n"
	l, err := Read(fstest.MapFS{"po/ru.po": {Data: []byte(head + messages)}}, "po/ru.po", "content")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func textIn(t *testing.T, folder fs.FS, name string) string {
	t.Helper()
	src, err := fs.ReadFile(folder, name)
	if err != nil {
		t.Fatal(err)
	}
	return string(src)
}

// Signs that the book reads as others shift no translation.
func TestStrangeSignsShiftNothing(t *testing.T) {
	l := language(t, "msgid \"Second text.\"\nmsgstr \"Второй текст.\"\n")
	content := fstest.MapFS{"a.md": {Data: []byte("\ufeff`\x00`\r\rSecond text.\r\n\r\nThird.\r")}}
	c, err := l.Content(content, "content")
	if err != nil {
		t.Fatal(err)
	}
	got, err := fs.ReadFile(c, "a.md")
	if want := "`\ufffd`\n\nВторой текст.\n\nThird.\n"; err != nil || string(got) != want {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
}
