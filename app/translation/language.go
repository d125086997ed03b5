package translation

import (
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/book"
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
