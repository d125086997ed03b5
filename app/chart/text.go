package chart

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text is measured with the advances of DejaVu Sans, the widest of the fonts that a reader may meet (the others are 5
// to 15 percent narrower): what is kept apart here stays apart in every one of them.

// narrow holds the advances, in thousandths of an em, of characters that differ much from their class.
var narrow = [128]int16{
	' ': 318, '!': 401, '"': 460, '#': 838, '$': 636, '%': 950, '&': 780, '\'': 275, '(': 390, ')': 390, '*': 500,
	'+': 838, ',': 318, '-': 361, '.': 318, '/': 337, ':': 337, ';': 337, '<': 838, '=': 838, '>': 838, '?': 531,
	'@': 1000, '[': 390, '\\': 337, ']': 390, '^': 838, '_': 500, '`': 500, '{': 636, '|': 337, '}': 636, '~': 838,
	'I': 295, 'J': 295, 'L': 557, 'M': 863, 'W': 989, 'O': 787, 'Q': 787, 'G': 775, 'N': 748, 'H': 752, 'D': 770, 'F': 575,
	'c': 550, 'f': 352, 'i': 278, 'j': 278, 'k': 579, 'l': 278, 'm': 974, 'r': 411, 's': 521, 't': 392, 'v': 592, 'w': 818,
	'x': 592, 'y': 592, 'z': 525,
}

// runeWidth is the advance of r in em.
func runeWidth(r rune) float64 {
	if r < 128 && narrow[r] != 0 {
		return float64(narrow[r]) / 1000
	}
	switch {
	case r < ' ' || r == 0x7f: // shown as the replacement character
		return 1.05
	case r >= '■' && r <= '★':
		return 0.95
	case r == '×' || r == '−' || r == '≈' || r == '≤' || r == '≥':
		return 0.838
	case r >= '⁰' && r <= '⁻' || r == '¹' || r == '²' || r == '³':
		return 0.45 // of a raised minus sign 0.53, which digits of 0.40 follow
	case unicode.IsUpper(r):
		return 0.7
	case unicode.Is(unicode.Mn, r):
		return 0
	case r >= 0x2e80:
		return 1.05
	case r == '\u00a0' || r == '\u202f' || r == '\u2009' || r == '·':
		return 0.32
	}
	return 0.64
}

// textWidth estimates the width of s in em.
func textWidth(s string) float64 {
	thousandths := 0 // integers add up the same in every order
	for _, r := range s {
		thousandths += int(runeWidth(r)*1000 + 0.5)
	}
	return float64(thousandths) / 1000
}

// shorten cuts s with an ellipsis so that it is at most em wide.
func shorten(s string, em float64) string {
	if textWidth(s) <= em {
		return s
	}
	em -= textWidth("…")
	for i, r := range s {
		if em -= runeWidth(r); em < 0 {
			return strings.TrimRight(s[:i], " ,;(") + "…"
		}
	}
	return s
}

// ident makes s fit for an id and for a reference to it.
func ident(s string) string {
	if s == "" {
		return "chart"
	}
	return strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || r == '.' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' {
			return r
		}
		return '-'
	}, s)
}

// Lower makes a label fit for the middle of a sentence: "Time to compute" becomes "time to compute", but "FLOPs",
// "T_math", "HBM bandwidth" and "B = 128" stay.
func Lower(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	rest := s[size:]
	word, _, _ := strings.Cut(rest, " ")
	if word == "" && rest != "" && first == 'A' { // the article
		return "a" + rest
	}
	for _, r := range word {
		if !unicode.IsLower(r) && r != '-' && r != ',' {
			return s
		}
	}
	if word == "" {
		return s
	}
	return string(unicode.ToLower(first)) + rest
}

// upper makes s fit for the beginning of a sentence.
func upper(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	word, _, _ := strings.Cut(s, " ")
	if strings.ContainsAny(word, "_0123456789") || utf8.RuneCountInString(word) < 2 && !strings.HasPrefix(s, "a ") {
		return s
	}
	return string(unicode.ToUpper(first)) + s[size:]
}
