package main

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strings"
	"sync"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/scalebook/scalebook/app/book"
	"github.com/scalebook/scalebook/app/quantity"
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

// mostCount is the most devices, sequences, or tokens of a sequence.
const mostCount = 1 << 24

// aCount reads a number above 0 without a unit, such as 4M or 4M token.
func aCount(flag, text string) (float64, error) {
	q, err := quantity.Parse(text)
	switch {
	case err != nil:
		return 0, fmt.Errorf("%s: %v", flag, err)
	case !q.Dim.IsZero() || !(q.Value > 0) || q.IsPercent():
		return 0, fmt.Errorf("%s is %q; write a number above 0, such as 1024 or 4M", flag, text)
	}
	return q.Value, nil
}

// ofTokens is a number of tokens as somebody wrote it, with the word.
func ofTokens(text string) string {
	if strings.Contains(strings.ToLower(text), "tok") {
		return text
	}
	return text + " tokens"
}

// wholeCount reads a whole number within limits.
func wholeCount(flag, text string, least, most int) (int, error) {
	x, err := aCount(flag, strings.TrimSpace(text))
	if err != nil || x != math.Trunc(x) || x < float64(least) || x > float64(most) {
		return 0, fmt.Errorf("%s is %q; write a whole number from %d to %d", flag, text, least, most)
	}
	return int(x), nil
}
