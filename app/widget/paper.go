package widget

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/widget/address"
)

// A formula is typed as on paper, in a chat, or in TeX: 2BDF/C, 2·B·D·F ÷ C, \frac{2 B D F}{C}. A sheet has one way.

// paperSigns are signs on paper and words of TeX, and what a sheet has for them; silentSigns say nothing in a sheet.
const (
	paperSigns = ` ×:* ·:* ⋅:* ∙:* ∗:* ÷:/ ⁄:/ ∕:/ −:- –:- ‒:- [:( ]:) {:( }:) √:sqrt π:pi ½:0.5 ¼:0.25 ¾:0.75 ` +
		`\cdot:* \times:* \div:/ \max:max \min:min \log:log \ln:ln \sqrt:sqrt \pi:pi \ge:>= \le:<= `
	silentSigns = ` \left \right \, \; \! \: \quad \text \mathrm \mathit \rm \operatorname \displaystyle `
)

// formulaWriter puts a formula into the words of the sheet language.
type formulaWriter struct {
	row     func(name string) bool // whether the sheet has a row of that name
	symbols []string
	out     []string // words and signs
	calls   []bool   // for each open parenthesis, whether it holds arguments
}

// paper is a formula that a reader wrote, as a sheet has it. What isn't understood stays as it is, for the sheet to
// name.
func (w *formulaWriter) paper(text string) string {
	text = strings.Trim(strings.TrimRight(strings.TrimSpace(text), ".,;"), "$ ")
	text = strings.NewReplacer(`\_`, "_", "_{", "_\x00", "**", "^", `\dfrac`, `\frac`, `\tfrac`, `\frac`,
		`\lbrace`, "{", `\rbrace`, "}", `~`, " ").Replace(text)
	text = subscripts(fractionsOf(text))
	for text != "" {
		text = text[w.next(text):]
	}
	return strings.Join(strings.Fields(strings.Join(w.out, "")), " ")
}

// subscripts joins B_{crit} to the name B_crit.
func subscripts(text string) string {
	for {
		before, rest, ok := strings.Cut(text, "_\x00")
		if !ok {
			return text
		}
		inside, after := group("{" + rest)
		text = before + "_" + strings.NewReplacer(`\text`, "", `\mathrm`, "", " ", "", "{", "", "}",
			"").Replace(inside) + after
	}
}

// fractionsOf writes \frac{a}{b} as ((a)/(b)).
func fractionsOf(text string) string {
	for range 20 {
		i := strings.LastIndex(text, `\frac`)
		if i < 0 {
			return text
		}
		over, rest := group(text[i+len(`\frac`):])
		under, rest := group(rest)
		text = text[:i] + " ((" + over + ")/(" + under + "))" + rest
	}
	return text
}

// group is what stands in the braces at the beginning of text, or its first character, and what follows.
func group(text string) (inside, rest string) {
	text = strings.TrimLeft(text, " ")
	if !strings.HasPrefix(text, "{") {
		_, n := utf8.DecodeRuneInString(text)
		return text[:n], text[n:]
	}
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return text[1:i], text[i+1:]
			}
		}
	}
	return text[1:], ""
}

// next writes what text begins with, and returns how many bytes that is.
func (w *formulaWriter) next(text string) int {
	r, size := utf8.DecodeRuneInString(text)
	switch {
	case '0' <= r && r <= '9' || r == '.' && len(text) > 1 && isDigit(text[1]):
		n := w.numberLength(text)
		w.factor()
		w.out = append(w.out, strings.ReplaceAll(text[:n], ",", "."))
		return n
	case r == '_' || letter(r):
		n := strings.IndexFunc(text, func(r rune) bool { return !address.WordRune(r) && !letter(r) && r != '.' })
		if n < 0 {
			n = len(text)
		}
		n = len(strings.TrimRight(text[:n], "."))
		w.name(text[:n])
		return n
	case r == '\\':
		n := 1 + len(text[1:]) - len(strings.TrimLeft(text[1:], "abcdefghijklmnopqrstuvwxyz"))
		if n == 1 {
			n = min(2, len(text))
		}
		w.sign(text[:n])
		return n
	}
	if raised, n := quantity.Lowered(text); n > 0 {
		w.out = append(w.out, "^"+raised)
		return n
	}
	w.sign(text[:size])
	return size
}

func letter(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || 'α' <= r && r <= 'ω' && r != 'π' || 'А' <= r && r <= 'я'
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// numberLength is how long the number is that text begins with. A comma between arguments is none in a number.
func (w *formulaWriter) numberLength(text string) (n int) {
	inCall := slices.Contains(w.calls, true)
	for n < len(text) && (isDigit(text[n]) || n+1 < len(text) && isDigit(text[n+1]) && (text[n] == '.' ||
		text[n] == ',' && !inCall)) {
		n++
	}
	if n+1 < len(text) && text[n]|0x20 == 'e' { // 3e8, 3e-8
		m := n + 1
		if text[m] == '-' || text[m] == '+' {
			m++
		}
		digits := len(text[m:]) - len(strings.TrimLeft(text[m:], "0123456789"))
		if digits > 0 {
			n = m + digits
		}
	}
	return n
}

// sign writes an operator, or what TeX has for one.
func (w *formulaWriter) sign(sign string) {
	if means := syntax.WordFor(paperSigns, sign); means != "" {
		if sign = means; isDigit(sign[0]) || letter(rune(sign[0])) {
			w.factor()
		}
	} else if syntax.HasWord(silentSigns, sign) {
		return
	}
	switch sign {
	case "(":
		call := false
		if n := len(w.out); n > 0 && letter(rune(w.out[n-1][0])) {
			word := w.out[n-1]
			call = strings.Contains(word, ".") || !w.row(word) && !slices.Contains(w.symbols, word)
		}
		if !call {
			w.factor()
		}
		w.calls = append(w.calls, call)
	case ")":
		if n := len(w.calls); n > 0 {
			w.calls = w.calls[:n-1]
		}
	}
	w.out = append(w.out, sign)
}

// factor writes the sign of a product where a factor follows another.
func (w *formulaWriter) factor() {
	for i := len(w.out) - 1; i >= 0; i-- {
		switch last := w.out[i]; {
		case strings.TrimSpace(last) == "":
			continue
		case last == "and", last == "or", last == "not", last == "of":
			return
		case last == ")", wordByte(last[len(last)-1]):
			w.out = append(w.out, "*")
		}
		return
	}
}

// name writes a name: one of the sheet, or several symbols that stand beside each other. Behind a number a unit stands
// without the sign of a product, unless a symbol is called the same.
func (w *formulaWriter) name(word string) {
	names := []string{word}
	switch times := len(word) - len(strings.TrimLeft(word, "xX")); {
	case w.row(word), strings.Contains(word, "."), w.unit(word):
	case times == 1 && strings.Trim(word[1:], "0123456789") == "" && len(w.out) > 0:
		w.out = append(w.out, "*")
		if names = names[:0]; len(word) > 1 {
			w.out = append(w.out, word[1:])
		}
	default:
		if split := w.split(word); split != nil {
			names = split
		}
	}
	for _, name := range names {
		symbol := slices.Contains(w.symbols, name)
		if !slices.Contains([]string{"and", "or", "not", "of"}, name) && (symbol || !w.unit(name)) {
			w.factor()
		}
		if n := len(w.out); symbol && n > 0 && (w.out[n-1] == "*" || w.out[n-1] == "/") {
			w.out[n-1] = " " + w.out[n-1] + " " // 2 FLOP*W would be a unit
		}
		w.out = append(w.out, name)
	}
}

// unit tells whether a word stands for a unit where it is.
func (w *formulaWriter) unit(word string) bool {
	is, err := quantity.UnitOf("1 " + word)
	return err == nil && is != (quantity.Quantity{Value: 1}) && len(w.out) > 0
}

// split is the symbols that a word is made of, without regard to case where that leaves no doubt; nil if it isn't.
func (w *formulaWriter) split(word string) []string {
	if word == "" {
		return []string{}
	}
	for n := len(word); n > 0 && len(word) <= 24; n-- {
		name := word[:n]
		if !slices.Contains(w.symbols, name) {
			if name = w.otherCase(name); name == "" || n < len(word) {
				continue
			}
		}
		if rest := w.split(word[n:]); rest != nil {
			return append([]string{name}, rest...)
		}
	}
	return nil
}

// otherCase is the one symbol that differs from name only in case.
func (w *formulaWriter) otherCase(name string) (found string) {
	for _, s := range w.symbols {
		if strings.EqualFold(s, name) {
			if found != "" {
				return ""
			}
			found = s
		}
	}
	return found
}
