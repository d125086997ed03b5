// Package translation makes the book of another language from the book in English and a file of sentences.
//
// [Extract] gathers every sentence that a reader sees as messages of gettext (extract.go): the blocks of the chapters,
// the labels of sheets, the texts of drawings, and what the machinery says. The verb `messages` writes them into
// content/po/scalebook.pot and has msgmerge bring the file of each language up to it.
//
// [Read] reads such a file and holds each translation to its English (check.go): formulas, code, live numbers, links
// and numbers are kept, or the build fails at the line of the file. [Language.Content] is the content folder with the
// sentences of the language in the place of the English ones (below). A sheet is not copied: only what it says
// changes, and its names, values and expectations are those of the one sheet.
package translation

import (
	"bytes"
	"fmt"
	"html"
	"io/fs"
	"path"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing/fstest"

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

// Content is a content folder in a language.
type Content struct {
	fs.FS
	language *Language
	dir      string
	files    map[string]*translated
}

// translated is a file in the language.
type translated struct {
	english []int    // where a block begins that is still in English
	lines   []origin // by line: where it comes from
	counts  Count    // of its messages
	faults  []book.Problem
}

// origin is where a line of a translated file comes from: a line of the English one and, if a translation begins in it,
// one of the language's file.
type origin struct{ english, po int }

// Content is the folder with the sentences of the language; dir is how problems name it.
func (l *Language) Content(content fs.FS, dir string) (*Content, error) {
	c := &Content{language: l, dir: dir, files: map[string]*translated{}}
	over := fstest.MapFS{}
	err := eachFile(content, dir, func(name string, src []byte, spans []span) {
		out, t := l.apply(src, spans, strings.HasSuffix(name, ".svg"))
		c.files[name] = t
		over[name] = &fstest.MapFile{Data: out}
	})
	if err != nil {
		return nil, err
	}
	c.FS = layered{over, content}
	return c, nil
}

// layered is a folder whose files hide those of another.
type layered struct {
	over  fstest.MapFS
	under fs.FS
}

func (l layered) Open(name string) (fs.File, error) {
	if _, there := l.over[name]; there {
		return l.over.Open(name)
	}
	return l.under.Open(name)
}

// ReadDir lists the folder below: the one above has no files of its own.
func (l layered) ReadDir(name string) ([]fs.DirEntry, error) { return fs.ReadDir(l.under, name) }

// apply puts translations in the place of the texts of a file.
func (l *Language) apply(src []byte, spans []span, drawing bool) ([]byte, *translated) {
	t := &translated{}
	slices.SortFunc(spans, func(a, b span) int { return a.from - b.from })
	var out bytes.Buffer
	at := 0
	line := 1
	put := func(text []byte, po int) {
		if out.Len() == 0 {
			t.lines = append(t.lines, origin{english: 1})
		}
		if po > 0 {
			t.lines[len(t.lines)-1].po = po
		}
		for _, c := range text {
			if c == '\n' {
				t.lines = append(t.lines, origin{})
			}
		}
		out.Write(text)
	}
	copyTo := func(to int) {
		for _, part := range bytes.SplitAfter(src[at:to], []byte("\n")) {
			put(part, 0)
			if bytes.HasSuffix(part, []byte("\n")) {
				line++
				t.lines[len(t.lines)-1].english = line
			}
		}
		at = to
	}
	for _, s := range spans {
		t.counts.All++
		copyTo(s.from)
		str, poLine := l.of(s.text)
		switch m := l.byKey[s.text]; {
		case m != nil && m.Fuzzy():
			t.counts.Fuzzy++
		case str == "":
			t.counts.Missing++
		}
		if str != "" {
			if what, remedy := check(s.text, str, s.kind); what != "" {
				t.faults = append(t.faults, l.fault(poLine, what, remedy))
				str = ""
			}
		}
		if str == "" {
			if s.block {
				t.english = append(t.english, out.Len())
			}
			copyTo(s.to)
			continue
		}
		put([]byte(written(s, str, drawing)), poLine)
		line += bytes.Count(src[at:s.to], []byte("\n"))
		at = s.to
	}
	copyTo(len(src))
	return out.Bytes(), t
}

// written is a translation as it stands in its file.
func written(s span, str string, drawing bool) string {
	switch {
	case drawing:
		return html.EscapeString(str)
	case s.quoted:
		return strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(str)
	}
	return str
}

// English says whether the block at an offset of a file is still in English.
func (c *Content) English(file string, offset int) bool {
	t := c.files[file]
	if t == nil {
		return false
	}
	i := sort.SearchInts(t.english, offset)
	return i < len(t.english) && t.english[i] == offset
}

// Problems are what is wrong with the translations of the folder.
func (c *Content) Problems() (all []book.Problem) {
	for _, t := range c.files {
		all = append(all, t.faults...)
	}
	slices.SortFunc(all, func(a, b book.Problem) int {
		if a.Line != b.Line {
			return a.Line - b.Line
		}
		return strings.Compare(a.What, b.What)
	})
	return slices.Compact(all)
}

// Place is a problem of a translated file at its place: in the language's file, if a translation stands on its line.
func (c *Content) Place(p book.Problem) book.Problem {
	t := c.files[strings.TrimPrefix(p.File, c.dir+"/")]
	if t == nil || p.Line < 1 || p.Line > len(t.lines) {
		return p
	}
	from := t.lines[p.Line-1]
	if from.po == 0 {
		if from.english > 0 {
			p.Line = from.english
		}
		return p
	}
	p.What += fmt.Sprintf(" (the translation of %s:%d)", p.File, from.english)
	p.File, p.Line, p.Col = c.language.name, from.po, 1
	return p
}

// Pages are how far the translation of each file is.
func (c *Content) Pages() map[string]Count {
	out := map[string]Count{}
	for name, t := range c.files {
		out[name] = t.counts
	}
	return out
}
