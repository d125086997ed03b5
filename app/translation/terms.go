package translation

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"

	"github.com/scalebook/scalebook/app/book"
)

// term is a term of the field and what a language calls it.
type term struct {
	english *regexp.Regexp // as a word, in singular or plural
	name    string
	forms   [][]string // the stems of the words of each that may stand for it
}

// readTerms reads a file of terms: English, a tab, stems, a tab, a note.
func readTerms(name string, src []byte) (all []term, err error) {
	n := 0
	for line := range bytes.Lines(src) {
		n++
		text := strings.TrimRight(string(line), "\r\n")
		if text == "" || text[0] == '#' {
			continue
		}
		parts := strings.Split(text, "\t")
		if len(parts) < 2 || parts[0] == "" || parts[1] == "" {
			return nil, fmt.Errorf("%s:%d: no term; write the English one, a tab, its translation, a tab, a note", name, n)
		}
		const edge = `[^\pL\pN-]`
		t := term{name: parts[0], english: regexp.MustCompile(
			`(?i)(?:^|` + edge + `)` + regexp.QuoteMeta(parts[0]) + `s?(?:$|` + edge + `)`)}
		for form := range strings.SplitSeq(parts[1], "|") {
			t.forms = append(t.forms, strings.Fields(strings.ToLower(form)))
		}
		all = append(all, t)
	}
	return all, nil
}

// Terms are translations that call a term of the field otherwise than the file of terms beside the language's file:
// ru.terms.tsv. There may be no such file.
func (l *Language) Terms(folder fs.FS, file string) ([]book.Problem, error) {
	src, err := fs.ReadFile(folder, file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	terms, err := readTerms(path.Join(path.Dir(l.name), path.Base(file)), src)
	if err != nil {
		return nil, err
	}
	var problems []book.Problem
	for _, m := range l.byKey {
		if !m.Translated() || m.Plural != "" || m.Str[0] == m.ID {
			continue
		}
		english, said := book.Words(m.ID), strings.ToLower(book.Words(m.Str[0]))
		for _, t := range longest(terms, english) {
			if !t.in(said) {
				what := fmt.Sprintf("“%s” is not called as %s calls it", t.name, path.Base(file))
				problems = append(problems, l.fault(m.Line, what,
					"say it with "+t.stems()+", or add the word to that file"))
			}
		}
	}
	return problems, nil
}

// longest are the terms of a text, without those that are only part of a longer one: "bandwidth" in "bus bandwidth".
func longest(terms []term, text string) (found []term) {
	for _, t := range terms {
		if t.english.MatchString(text) {
			found = append(found, t)
		}
	}
	var out []term
	for _, t := range found {
		part := false
		for _, other := range found {
			part = part || other.name != t.name && strings.Contains(strings.ToLower(other.name), strings.ToLower(t.name))
		}
		if !part {
			out = append(out, t)
		}
	}
	return out
}

// in says whether a text in small letters has all stems of one of the forms.
func (t term) in(text string) bool {
	for _, form := range t.forms {
		all := true
		for _, stem := range form {
			all = all && strings.Contains(text, stem)
		}
		if all {
			return true
		}
	}
	return false
}

// stems are the forms as a message names them.
func (t term) stems() string {
	var out []string
	for _, form := range t.forms {
		out = append(out, "“"+strings.Join(form, "… ")+"…”")
	}
	return strings.Join(out, " or ")
}
