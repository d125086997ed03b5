package po

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

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
