package main

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"sync"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/scalebook/scalebook/app/book"
)

// asText refuses bytes that are no text in UTF-8. The error says where and why, for the file that is shown so.
func asText(data []byte, shown string) error {
	line, col, what, remedy := book.Foreign(data)
	if what == "" {
		return nil
	}
	return fmt.Errorf("%s:%d:%d: %s; %s", shown, line, col, what, remedy)
}

// few lists the first of many names: "a, b, c and 12 more".
func few(names []string) string {
	const most = 10
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

// printed is what is written where a terminal may show it. Texts of strangers may hold characters that act on a
// terminal or hide what stands there: they are written as \u001b, as JSON writes them too.
type printed struct {
	to   io.Writer
	mu   sync.Mutex
	rest []byte // the beginning of a character
}

// Write writes all but a character that is not whole.
func (w *printed) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	text := append(w.rest, p...)
	w.rest = nil
	if n := whole(text); n < len(text) {
		w.rest, text = bytes.Clone(text[n:]), text[:n]
	}
	_, err := w.to.Write(escaped(text))
	return len(p), err
}

// whole is how many bytes of text are whole characters, or none at all.
func whole(text []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if at := len(text) - n; utf8.RuneStart(text[at]) {
			if !utf8.FullRune(text[at:]) {
				return at
			}
			break
		}
	}
	return len(text)
}

// flush writes what is left of a character that never became whole.
func (w *printed) flush() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.to.Write(escaped(w.rest))
	w.rest = nil
}

// escaped is text with its unseen characters written as escapes.
func escaped(text []byte) []byte {
	if !bytes.ContainsFunc(text, unseen) {
		return text
	}
	out := make([]byte, 0, len(text)+16)
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		switch {
		case r == utf8.RuneError && n == 1:
			out = fmt.Appendf(out, `\x%02x`, text[0])
		case unseen(r) && r != utf8.RuneError:
			for _, unit := range utf16.Encode([]rune{r}) {
				out = fmt.Appendf(out, `\u%04x`, unit)
			}
		default:
			out = append(out, text[:n]...)
		}
		text = text[n:]
	}
	return out
}

// unseen tells whether a character is a control, or one that changes how others are shown. Joiners and soft hyphens
// belong to words; a byte that is no text at all comes as U+FFFD.
func unseen(r rune) bool {
	switch r {
	case '\n', '\t', '\u00ad', '\u200c', '\u200d':
		return false
	case utf8.RuneError:
		return true
	}
	return r < ' ' || r >= 0x7f && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}
