package book

import (
	_ "embed" // the accents
	"strings"
)

// accents.txt: a line holds a TeX accent, its combining character, the letters that carry it, and the same letters
// bare.
//
//go:embed accents.txt
var accents string

// bibSymbols are the TeX commands for letters and signs that names and titles use.
var bibSymbols = map[string]string{
	"ss": "ß", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "aa": "å", "AA": "Å", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł",
	"i": "i", "j": "j", "&": "&", "%": "%", "$": "$", "#": "#", "_": "_", "{": "{", "}": "}", " ": " ", "-": "", "/": "",
	"textendash": "–", "textemdash": "—", "textquoteright": "’", "ldots": "…", "dots": "…", "LaTeX": "LaTeX", "TeX": "TeX",
	"times": "×", "textbackslash": "\\", "textasciitilde": "~",
}

// texText turns the TeX of a bibliography into text: accents, dashes, quotes; braces vanish.
// In names, braces keep words together: their spaces become unbreakable ones.
func texText(s string, names bool) string {
	var b strings.Builder
	depth := 0
	for i := 0; i < len(s); {
		switch {
		case names && depth > 0 && s[i] == ' ':
			b.WriteString("\u00a0")
			i++
		case s[i] == '\\' && i+1 < len(s):
			i = texCommand(&b, s, i+1)
		case s[i] == '{':
			depth++
			i++
		case s[i] == '}':
			depth--
			i++
		case s[i] == '$':
			i++
		case s[i] == '~':
			b.WriteString("\u00a0")
			i++
		case strings.HasPrefix(s[i:], "---"):
			b.WriteString("—")
			i += 3
		case strings.HasPrefix(s[i:], "--"):
			b.WriteString("–")
			i += 2
		case strings.HasPrefix(s[i:], "``"):
			b.WriteString("“")
			i += 2
		case strings.HasPrefix(s[i:], "''"):
			b.WriteString("”")
			i += 2
		default:
			b.WriteByte(s[i])
			i++
		}
	}
	return b.String()
}

// texCommand writes the command whose name begins at i and returns where it ends.
func texCommand(b *strings.Builder, s string, i int) int {
	name := s[i : i+1]
	if isLetter(s[i]) {
		name = leadingName([]byte(s[i:]))
		name, _, _ = strings.Cut(name, "-")
	}
	end := i + len(name)
	if accent := accentOf(name); accent != nil {
		if next := accented(b, s, end, accent); next > end {
			return next
		}
	}
	if sign, ok := bibSymbols[name]; ok {
		b.WriteString(sign)
	}
	for isLetter(name[0]) && end < len(s) && s[end] == ' ' {
		end++
	}
	return end
}

// accentOf finds the line of accents.txt for a TeX accent: nil if name is none.
func accentOf(name string) []string {
	for line := range strings.Lines(accents) {
		if f := strings.Fields(line); len(f) == 4 && f[0] == name {
			return f
		}
	}
	return nil
}

// accented writes the letter behind an accent with its mark and returns where that ends; i if there is no letter.
func accented(b *strings.Builder, s string, i int, accent []string) int {
	j, open := i, 0
	for j < len(s) && (s[j] == '{' || s[j] == ' ' || s[j] == '\\') {
		if s[j] == '{' {
			open++
		}
		j++
	}
	if j >= len(s) || !isLetter(s[j]) {
		return i
	}
	if k := strings.IndexByte(accent[3], s[j]); k >= 0 {
		b.WriteRune([]rune(accent[2])[k])
	} else {
		b.WriteString(s[j:j+1] + accent[1])
	}
	for j++; open > 0 && j < len(s) && s[j] == '}'; j++ {
		open--
	}
	return j
}
