package translation

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/scalebook/scalebook/app/book"
	"github.com/scalebook/scalebook/app/phrase"
)

// keeps are what a text holds that its translation must hold too, sorted, and, in Markdown, what blocks it makes.
func keeps(text string, k kind) (all []string, blocks string) {
	switch k {
	case markdown:
		return book.Inline(text)
	case label, sentence:
		bare := ""
		for text != "" {
			before, name, after := phrase.Gap(text)
			if name != "" {
				all = append(all, "{"+name+"}")
			}
			bare, text = bare+before+" ", after
		}
		text = bare
	case plain:
	}
	all = append(all, book.Numerals(text)...)
	slices.Sort(all)
	return all, ""
}

// check says what a translation has lost or made up, and what to do; "" if nothing.
func check(id, str string, k kind) (what, remedy string) {
	want, blocks := keeps(id, k)
	got, made := keeps(str, k)
	if strings.ContainsAny(str, "\n") && k != sentence {
		return "the translation has more than one line", "write it in one; an empty line makes no paragraph here"
	}
	missing, unknown := differ(want, got), differ(got, want)
	missing, unknown = samePlurals(missing, unknown)
	switch {
	case len(missing) > 0 && len(unknown) > 0:
		return fmt.Sprintf("the translation lacks %s and has %s, which the English hasn’t", named(missing),
			named(unknown)), "keep them as they are in the English; their order may change" + terms(missing)
	case len(missing) > 0:
		return "the translation lacks " + named(missing), "keep what the English has; its order may change" +
			terms(missing)
	case len(unknown) > 0:
		return "the translation has " + named(unknown) + ", which the English hasn’t",
			"take it out, or write what the English has"
	case blocks != made:
		return fmt.Sprintf("the translation is %s, where the English is %s", or(made, "nothing"),
			or(blocks, "nothing")), "let it begin with a word; a backslash before #, -, + or 1. keeps it text"
	case k != plain && bars(id) != bars(str):
		return "the translation has another number of |, which parts the cells of tables and the words of a list",
			`write \| for the sign itself`
	}
	return "", ""
}

// samePlurals takes out terms of the glossary that are only named in the plural on one side.
func samePlurals(missing, unknown []string) ([]string, []string) {
	for i := 0; i < len(missing); i++ {
		at := slices.IndexFunc(unknown, func(x string) bool {
			return strings.HasPrefix(x, "[](?") && singular(x) == singular(missing[i])
		})
		if at >= 0 {
			missing, unknown = slices.Delete(slices.Clone(missing), i, i+1), slices.Delete(slices.Clone(unknown), at,
				at+1)
			i--
		}
	}
	return missing, unknown
}

// singular is a term of the glossary without the s of its plural.
func singular(term string) string { return strings.TrimSuffix(strings.TrimSuffix(term, ")"), "s") }

func or(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// bars counts the | that no backslash precedes.
func bars(s string) int { return strings.Count(s, "|") - strings.Count(s, `\|`) }

// differ is what is in a more often than in b; both are sorted.
func differ(a, b []string) (out []string) {
	for len(a) > 0 {
		switch {
		case len(b) == 0 || a[0] < b[0]:
			out = append(out, a[0])
			a = a[1:]
		case a[0] == b[0]:
			a, b = a[1:], b[1:]
		default:
			b = b[1:]
		}
	}
	return out
}

func named(all []string) string {
	const most = 5
	var out []string
	for _, one := range all[:min(len(all), most)] {
		if !strings.HasPrefix(one, "`") {
			one = "`" + one + "`"
		}
		out = append(out, one)
	}
	if len(all) > most {
		out = append(out, "more")
	}
	return strings.Join(out, ", ")
}

// terms helps with a link to the glossary, which is by the English term where the text is another.
func terms(missing []string) string {
	for _, m := range missing {
		if term, ok := strings.CutPrefix(m, "[](?"); ok {
			return "; a term of the glossary is written [its translation](?" + term
		}
	}
	return ""
}

// Translatable says whether a text of a page has words to translate.
func Translatable(text string) bool { return translatable(text, plain) }

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
			return nil, fmt.Errorf("%s:%d: no term; write the English one, a tab, its translation, a tab, a note", name,
				n)
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
			part = part || other.name != t.name && strings.Contains(strings.ToLower(other.name),
				strings.ToLower(t.name))
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
