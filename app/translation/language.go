// Package translation makes the book of another language from the book in English and a file of sentences.
//
// [Extract] gathers every sentence that a reader sees as messages of gettext (extract.go): the blocks of the chapters,
// the labels of sheets, the texts of drawings, and what the machinery says. The verb `messages` writes them into
// content/po/scalebook.pot and has msgmerge bring the file of each language up to it.
//
// [Read] reads such a file and holds each translation to its English (check.go): formulas, code, live numbers, links
// and numbers are kept, or the build fails at the line of the file. [Language.Content] is the content folder with the
// sentences of the language in the place of the English ones (content.go). A sheet is not copied: only what it says
// changes, and its names, values and expectations are those of the one sheet.
package translation

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/book"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/po"
	"github.com/scalebook/scalebook/app/quantity"
)

// Language is the sentences of one language.
type Language struct {
	Code    string // "ru"
	Name    string // as it calls itself: "Русский"
	Plurals po.Plurals
	name    string // of the file: content/po/ru.po
	byKey   map[string]*po.Message
	words   []word // see WordsFile
}

// Read reads the file of a language from a folder, called dir in problems.
func Read(folder fs.FS, name, dir string) (*Language, error) {
	src, err := fs.ReadFile(folder, name)
	if err != nil {
		return nil, err
	}
	shown := path.Join(dir, name)
	file, err := po.Parse(string(src))
	if err != nil {
		return nil, fmt.Errorf("%s:%w", shown, err)
	}
	l := &Language{name: shown, byKey: map[string]*po.Message{}, Code: file.Field("Language")}
	if l.Code == "" {
		l.Code = strings.TrimSuffix(path.Base(name), ".po")
	}
	l.Name = file.Field("X-Language-Name")
	if l.Name == "" {
		l.Name = l.Code
	}
	if l.Plurals, err = po.ReadPlurals(file.Field("Plural-Forms")); err != nil {
		return nil, fmt.Errorf("%s:1: %w; the header of gettext’s manual for this language will do", shown, err)
	}
	l.words = shownWords(folder, path.Join(path.Dir(name), WordsFile))
	for _, m := range file.Messages {
		if m.Obsolete {
			continue
		}
		l.byKey[m.Key()] = m
	}
	return l, nil
}

// Count is how far a translation is.
type Count struct {
	Code                string
	All, Missing, Fuzzy int
}

// Count is how many of these messages, as [Extract] finds them, the language has.
func (l *Language) Count(of *po.File) Count {
	c := Count{Code: l.Code, All: len(of.Messages)}
	for _, message := range of.Messages {
		switch m := l.byKey[message.Key()]; {
		case m == nil:
			c.Missing++
		case m.Fuzzy():
			c.Fuzzy++
		case !m.Translated():
			c.Missing++
		}
	}
	return c
}

// String is "ru: 12 of 5,400 messages untranslated, 0 fuzzy".
func (c Count) String() string {
	grouped := func(n int) string { return quantity.Grouped(strconv.Itoa(n)) }
	return fmt.Sprintf("%s: %s of %s messages untranslated, %s fuzzy", c.Code,
		grouped(c.Missing), grouped(c.All), grouped(c.Fuzzy))
}

// Share is how much of the language is translated, from 0 to 1.
func (c Count) Share() float64 {
	if c.All == 0 {
		return 0
	}
	return float64(c.All-c.Missing-c.Fuzzy) / float64(c.All)
}

// of is the translation of a text, and the line of its message; "" if there is none that holds.
func (l *Language) of(id string) (str string, line int) {
	m := l.byKey[id]
	if m == nil || m.Plural != "" || !m.Translated() {
		return "", 0
	}
	return m.Str[0], m.Line
}

// fault is what is wrong with a translation.
func (l *Language) fault(line int, what, remedy string) book.Problem {
	return book.Problem{File: l.name, Line: line, Col: 1, What: what, Remedy: remedy}
}

// Phrases is what the machinery says in the language, as a file of package phrase: English where there is no
// translation. The problems are translations that lost or made up a gap.
func (l *Language) Phrases() (file string, problems []book.Problem) {
	lines := []string{
		"site.lang\t" + l.Code, phrase.FormsKey + "\t" + l.forms(),
	}
	say := func(key, id string) {
		str, at := l.of(id)
		if str == "" {
			return
		}
		if what, remedy := check(po.Text(id), str, sentence); what != "" {
			problems = append(problems, l.fault(at, what, remedy))
			return
		}
		lines = append(lines, key+"\t"+strings.ReplaceAll(str, "\n", " "))
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
				if str, _ := l.of(po.Key(alone, text)); str != "" {
					text = po.Key(alone, text)
				}
				say(key, text)
			}
		}
	}
	for _, w := range l.words {
		say(phrase.WordKey+w.text, po.Key(w.context, w.text))
	}
	slices.SortFunc(lines, func(a, b string) int {
		keyA, _, _ := strings.Cut(a, "\t")
		keyB, _, _ := strings.Cut(b, "\t")
		return strings.Compare(keyA, keyB)
	})
	return strings.Join(lines, "\n") + "\n", problems
}

// WordsFile is the file beside those of the languages that lists what tables, menus and drawings show of the program's
// data, a text a line: kinds of work, parts of a memory, heads of columns. It has no names of chips, models and
// software. Behind a tab stands a context, where the same text is said elsewhere and means something else there.
const WordsFile = "words.txt"

// word is a line of WordsFile.
type word struct{ text, context string }

// shownWords are those of a file; there may be none.
func shownWords(folder fs.FS, name string) (all []word) {
	src, err := fs.ReadFile(folder, name)
	if err != nil {
		return nil
	}
	for line := range strings.Lines(string(src)) {
		if line = strings.TrimSpace(line); line != "" {
			text, context, _ := strings.Cut(line, "\t")
			all = append(all, word{text, context})
		}
	}
	return all
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
