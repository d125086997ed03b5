package translation

import (
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/book"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/po"
)

// Phrases is what the machinery says in the language, as a file of package phrase: English where there is no
// translation. The problems are translations that lost or made up a gap.
func (l *Language) Phrases() (file string, problems []book.Problem) {
	lines := []string{
		"site.lang\t" + l.Code, phrase.FormsKey + "\t" + l.forms(),
	}
	for _, english := range phrase.English() {
		for line := range strings.Lines(english.Lines) {
			key, text, _ := strings.Cut(strings.TrimRight(line, "\n"), "\t")
			switch {
			case key == "site.lang" || strings.HasSuffix(key, ".other") && phrase.Counted(key):
			case strings.HasSuffix(key, ".one") && phrase.Counted(key):
				forms, faults := l.counted(key, text)
				lines, problems = append(lines, forms...), append(problems, faults...)
			default:
				str, at := l.of(text)
				if str == "" {
					continue
				}
				if what, remedy := check(text, str, sentence); what != "" {
					problems = append(problems, l.fault(at, what, remedy))
					continue
				}
				lines = append(lines, key+"\t"+strings.ReplaceAll(str, "\n", " "))
			}
		}
	}
	slices.SortFunc(lines, func(a, b string) int {
		keyA, _, _ := strings.Cut(a, "\t")
		keyB, _, _ := strings.Cut(b, "\t")
		return strings.Compare(keyA, keyB)
	})
	return strings.Join(lines, "\n") + "\n", problems
}

// forms is the rule of plural forms as a table: see phrase.FormsKey.
func (l *Language) forms() string {
	var b strings.Builder
	for n := range phrase.FormsCounted {
		b.WriteString(strconv.Itoa(l.Plurals.Form(n)))
	}
	return b.String()
}

// counted are the lines of a sentence about a number of things: key.one, and by form key.0, key.1, ...
func (l *Language) counted(key, one string) (lines []string, problems []book.Problem) {
	m := l.byKey[one]
	if m == nil || m.Plural == "" {
		m = l.byKey[po.Key("count", one)]
	}
	if m == nil || m.Plural == "" || !m.Translated() {
		return nil, nil
	}
	if len(m.Str) != l.Plurals.Forms {
		return nil, []book.Problem{l.fault(m.Line, "the message has "+strconv.Itoa(len(m.Str))+" forms, the language "+
			strconv.Itoa(l.Plurals.Forms), "write msgstr[0] and so on, as Plural-Forms of the header says")}
	}
	base := strings.TrimSuffix(key, ".one")
	for i, str := range m.Str {
		id := m.Plural
		if l.single(i) && !strings.Contains(str, "{n}") {
			id = m.ID
		}
		if what, remedy := check(id, str, sentence); what != "" {
			problems = append(problems, l.fault(m.Line, "form "+strconv.Itoa(i)+": "+what, remedy))
			continue
		}
		lines = append(lines, base+"."+strconv.Itoa(i)+"\t"+strings.ReplaceAll(str, "\n", " "))
	}
	if len(problems) > 0 {
		return nil, problems
	}
	return lines, nil
}

// single says whether a form is that of one number only, which it may then name.
func (l *Language) single(form int) bool {
	found := 0
	for n := range phrase.FormsCounted {
		if l.Plurals.Form(n) == form {
			found++
		}
	}
	return found == 1
}
