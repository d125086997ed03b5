// Package po reads and writes the files of GNU gettext in which translators work: messages with their references,
// comments for translators, flags, contexts and plural forms.
//
// [Parse] takes what msgmerge, Poedit and Weblate write. A fault names its line and what would be right. [File.Write]
// is read back as the same file. [Plurals] is the rule of a language's plural forms, as the header gives it in C.
//
// It is used when the book is built; no program for the browser carries it. The readers of PO that others keep drop
// what a translator needs (references and comments), or want a newer Go than the book does.
package po

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// Message is one entry.
type Message struct {
	Context string
	ID      string
	Plural  string   // msgid_plural; empty if the entry has one form
	Str     []string // by plural form; one if there is no plural

	Comments []string // of translators: lines behind `# `
	Notes    []string // for translators: lines behind `#. `
	Refs     []string // content/rooflines.md:12
	Flags    []string // fuzzy, no-wrap
	Obsolete bool     // `#~`: kept, no longer used

	Line int // of its msgid in the file that was read
}

// Key is what a message is found by: its context and its text.
func (m *Message) Key() string { return Key(m.Context, m.ID) }

// Key joins a context and a text, as gettext's own files do.
func Key(context, id string) string {
	if context == "" {
		return id
	}
	return context + "\x04" + id
}

// Fuzzy says whether the translation belongs to an earlier text.
func (m *Message) Fuzzy() bool { return slices.Contains(m.Flags, "fuzzy") }

// Translated says whether every form is there and belongs to this text.
func (m *Message) Translated() bool {
	return !m.Fuzzy() && len(m.Str) > 0 && !slices.Contains(m.Str, "")
}

// Text is the text of a key.
func Text(key string) string {
	if _, text, ok := strings.Cut(key, "\x04"); ok {
		return text
	}
	return key
}

// File is the messages of a file in their order, the header apart.
type File struct {
	Header   []string // `Language: ru`, line by line
	Comments []string // above the header
	Messages []*Message
}

// Field is what the header says of a name, such as Language.
func (f *File) Field(name string) string {
	for _, line := range f.Header {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.EqualFold(strings.TrimSpace(key), name) {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// Error is a fault in a file.
type Error struct {
	Line         int
	What, Remedy string
}

func (e *Error) Error() string { return fmt.Sprintf("%d: %s; %s", e.Line, e.What, e.Remedy) }

// Parse reads a file. It stops at the first fault.
func Parse(src string) (*File, error) {
	p := &parser{file: &File{}, seen: map[string]int{}}
	src = strings.TrimPrefix(src, "\ufeff")
	n := 0
	for line := range strings.Lines(src) {
		n++
		p.line = n
		if err := p.read(strings.TrimRight(line, "\r\n")); err != nil {
			return nil, err
		}
	}
	p.line++
	if err := p.end(); err != nil {
		return nil, err
	}
	return p.file, nil
}

// parser reads a file line by line.
type parser struct {
	file  *File
	m     *Message
	hasID bool    // m has a msgid
	into  *string // what a continued string goes on
	line  int
	seen  map[string]int // the line of each message
}

func (p *parser) fail(what, remedy string) error { return &Error{p.line, what, remedy} }

func (p *parser) message() *Message {
	if p.m == nil {
		p.m = &Message{}
	}
	return p.m
}

func (p *parser) read(line string) error {
	text := strings.TrimSpace(line)
	if old, ok := strings.CutPrefix(text, "#~"); ok {
		if strings.HasPrefix(old, "|") {
			return nil
		}
		if text = strings.TrimSpace(old); text == "" {
			return nil
		}
		if err := p.beginIf(strings.HasPrefix(text, "msgctxt") || strings.HasPrefix(text, "msgid ")); err != nil {
			return err
		}
		p.message().Obsolete = true
	}
	switch {
	case text == "":
		return p.end()
	case text[0] == '#':
		return p.comment(text)
	case text[0] == '"':
		if p.into == nil {
			return p.fail("a string that continues nothing", "write msgid or msgstr before it")
		}
		return p.add(p.into, text)
	}
	return p.keyword(text)
}

// beginIf ends the message before, if a new one begins and the one before is complete.
func (p *parser) beginIf(begins bool) error {
	if begins && p.hasID && p.m != nil && len(p.m.Str) > 0 {
		return p.end()
	}
	return nil
}

func (p *parser) comment(text string) error {
	if err := p.beginIf(true); err != nil {
		return err
	}
	m := p.message()
	p.into = nil
	body := func(n int) string { return strings.TrimSpace(text[n:]) }
	switch {
	case strings.HasPrefix(text, "#."):
		m.Notes = append(m.Notes, body(2))
	case strings.HasPrefix(text, "#:"):
		m.Refs = append(m.Refs, strings.Fields(text[2:])...)
	case strings.HasPrefix(text, "#,"):
		for flag := range strings.SplitSeq(text[2:], ",") {
			if flag = strings.TrimSpace(flag); flag != "" {
				m.Flags = append(m.Flags, flag)
			}
		}
	case strings.HasPrefix(text, "#|"): // the text that a fuzzy translation belonged to
	default:
		m.Comments = append(m.Comments, body(1))
	}
	return nil
}

func (p *parser) keyword(text string) error {
	word, rest, _ := strings.Cut(text, " ")
	rest = strings.TrimSpace(rest)
	if err := p.beginIf(word == "msgctxt" || word == "msgid"); err != nil {
		return err
	}
	m := p.message()
	switch {
	case word == "msgctxt" && !p.hasID:
		p.into = &m.Context
	case word == "msgid" && !p.hasID:
		p.into, p.hasID, m.Line = &m.ID, true, p.line
	case word == "msgid_plural" && p.hasID && len(m.Str) == 0:
		p.into = &m.Plural
	case word == "msgstr" && p.hasID && len(m.Str) == 0:
		m.Str = append(m.Str, "")
		p.into = &m.Str[0]
	case p.hasID && word == fmt.Sprintf("msgstr[%d]", len(m.Str)) && len(m.Str) < mostForms:
		m.Str = append(m.Str, "")
		p.into = &m.Str[len(m.Str)-1]
	default:
		return p.fail("`"+clip(word)+"` can't stand here",
			"a message is msgctxt, msgid, msgid_plural, msgstr, in this order")
	}
	return p.add(p.into, rest)
}

// mostForms is more plural forms than any language has.
const mostForms = 10

// end files the message that was read.
func (p *parser) end() error {
	m := p.m
	hasID := p.hasID
	p.m, p.into, p.hasID = nil, nil, false
	switch {
	case m == nil || m.Obsolete && !hasID:
		return nil
	case !hasID && (m.Context != "" || len(m.Str) > 0):
		return p.fail("a message without a msgid", "write msgid \"...\"")
	case !hasID:
		return nil // comments that stand alone
	case len(m.Str) == 0:
		return p.fail("a message without a msgstr", "write msgstr \"\" behind its msgid")
	case len(m.Str) > 1 && m.Plural == "":
		return p.fail("forms of a message without a msgid_plural", "write msgid_plural \"...\" behind its msgid")
	case m.ID == "" && m.Context == "":
		if len(p.file.Messages) > 0 || p.file.Header != nil {
			return &Error{m.Line, "an empty msgid, which only the header has", "move the header to the beginning"}
		}
		p.file.Header = strings.Split(strings.TrimSuffix(m.Str[0], "\n"), "\n")
		p.file.Comments = m.Comments
		return nil
	}
	if !m.Obsolete {
		if at := p.seen[m.Key()]; at > 0 {
			return &Error{m.Line, fmt.Sprintf("the message of line %d again", at), "keep one of them"}
		}
		p.seen[m.Key()] = m.Line
	}
	p.file.Messages = append(p.file.Messages, m)
	return nil
}

// add reads a quoted string and appends it.
func (p *parser) add(to *string, text string) error {
	if len(text) < 2 || text[0] != '"' || text[len(text)-1] != '"' {
		return p.fail("a text that isn't in quotation marks", `write "..." on one line`)
	}
	var b strings.Builder
	for body := text[1 : len(text)-1]; body != ""; {
		c := body[0]
		body = body[1:]
		switch {
		case c == '"':
			return p.fail("a quotation mark inside a text", `write \" for the mark itself`)
		case c != '\\':
			b.WriteByte(c)
			continue
		case body == "":
			return p.fail("a text that ends with a backslash", `write \\ for the backslash itself`)
		}
		i := strings.IndexByte(escaped, body[0])
		if i < 0 {
			return p.fail("an escape that isn't one: \\"+clip(body), `write \n, \t, \" or \\`)
		}
		b.WriteByte(escapes[i])
		body = body[1:]
	}
	*to += b.String()
	return nil
}

// What stands behind a backslash, and what it means.
const (
	escaped = `nt"\rabfv`
	escapes = "\n\t\"\\\r\a\b\f\v"
)

// clip is the beginning of a text, for a message.
func clip(s string) string {
	const most = 20
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}

// Write writes the file as Parse reads it.
func (f *File) Write(w io.Writer) error {
	var b strings.Builder
	lines(&b, "#", f.Comments)
	header := ""
	for _, line := range f.Header {
		header += line + "\n"
	}
	b.WriteString("msgid \"\"\n")
	text(&b, "msgstr", header)
	for _, m := range f.Messages {
		b.WriteByte('\n')
		m.write(&b)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (m *Message) write(b *strings.Builder) {
	lines(b, "#", m.Comments)
	lines(b, "#.", m.Notes)
	refs(b, m.Refs)
	if len(m.Flags) > 0 {
		b.WriteString("#, " + strings.Join(m.Flags, ", ") + "\n")
	}
	old := ""
	if m.Obsolete {
		old = "#~ "
	}
	if m.Context != "" {
		text(b, old+"msgctxt", m.Context)
	}
	text(b, old+"msgid", m.ID)
	if m.Plural == "" {
		text(b, old+"msgstr", slices.Concat(m.Str, []string{""})[0])
		return
	}
	text(b, old+"msgid_plural", m.Plural)
	for i, s := range m.Str {
		text(b, fmt.Sprintf("%smsgstr[%d]", old, i), s)
	}
}

func lines(b *strings.Builder, mark string, all []string) {
	for _, line := range all {
		b.WriteString(strings.TrimRight(mark+" "+line, " ") + "\n")
	}
}

// width is where lines are broken.
const width = 120

// refs writes references, several a line.
func refs(b *strings.Builder, all []string) {
	at := 0
	for _, r := range all {
		if at > 0 && at+1+len(r) > width {
			b.WriteByte('\n')
			at = 0
		}
		if at == 0 {
			b.WriteString("#:")
			at = 2
		}
		b.WriteString(" " + r)
		at += 1 + len(r)
	}
	if at > 0 {
		b.WriteByte('\n')
	}
}

// text writes a keyword and its text, broken at spaces if it is long.
func text(b *strings.Builder, word, s string) {
	old := ""
	if strings.HasPrefix(word, "#~") {
		old = "#~ "
	}
	quoted := quote(s)
	if len(word)+3+utf8.RuneCountInString(quoted) <= width && !strings.Contains(strings.TrimSuffix(s, "\n"), "\n") {
		b.WriteString(word + ` "` + quoted + "\"\n")
		return
	}
	b.WriteString(word + " \"\"\n")
	for part := range strings.SplitAfterSeq(s, "\n") {
		for _, line := range wrap(quote(part), width-2-len(old)) {
			b.WriteString(old + `"` + line + "\"\n")
		}
	}
}

// wrap breaks a text behind spaces.
func wrap(s string, most int) (out []string) {
	line, n := "", 0
	for word := range strings.SplitAfterSeq(s, " ") {
		w := utf8.RuneCountInString(word)
		if n > 0 && n+w > most {
			out = append(out, line)
			line, n = "", 0
		}
		line, n = line+word, n+w
	}
	if line != "" {
		out = append(out, line)
	}
	return out
}

// quote escapes a text.
func quote(s string) string {
	var b strings.Builder
	for i := range len(s) {
		if at := strings.IndexByte(escapes, s[i]); at >= 0 {
			b.WriteString(`\` + escaped[at:at+1])
			continue
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
