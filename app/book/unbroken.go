package book

import (
	"bytes"

	"github.com/scalebook/scalebook/app/quantity"
)

// nbsp is a space at which no line breaks.
const nbsp = "\u00a0"

// unbroken keeps a number and its unit on one line, "40 %", "1.3 ms", the sides of a slice, "16 × 20", the name of a
// model, "Llama 3 70B", and what is numbered with its number.
func unbroken(s []byte) []byte {
	var out []byte
	from := 0
	for i := 1; i < len(s); i++ {
		if s[i] != ' ' || !joins(s[:i], s[i+1:]) {
			continue
		}
		out = append(append(out, s[from:i]...), nbsp...)
		from = i + 1
	}
	return append(out, s[from:]...)
}

// joins says whether a space keeps what stands before and after it together.
func joins(before, after []byte) bool {
	number := len(after) > 0 && isDigit(after[0])
	if isDigit(before[len(before)-1]) {
		return bytes.HasPrefix(after, []byte("× ")) || isUnit(wordOf(after)) ||
			number && bytes.HasPrefix(bytes.TrimLeft(after, "0123456789."), []byte("B"))
	}
	word := before[bytes.LastIndexByte(before, ' ')+1:]
	name := len(word) > 1 && 'A' <= word[0] && word[0] <= 'Z' && isLetter(before[len(before)-1]) ||
		string(word) == "chapter"
	return number && (name || bytes.HasSuffix(before, []byte("×")))
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// wordOf is the word that s begins with, without the punctuation behind it.
func wordOf(s []byte) string {
	word, _, _ := bytes.Cut(s, []byte(" "))
	return string(bytes.TrimRight(word, ".,;:!?)”’\"'"))
}

// isUnit says whether a word is a unit of a dimension or a percent sign; "tokens" may stand on the next line.
func isUnit(word string) bool {
	if word == "%" {
		return true
	}
	if word == "" || len(word) > 10 {
		return false
	}
	one, err := quantity.UnitOf("1 " + word)
	return err == nil && one.Dim != quantity.Dim{}
}
