package tex

import (
	_ "embed" // the tables
	"strings"
)

// alphabets are the places of the mathematical letters in Unicode: of A, of a, and of 0 (0 for none).
var alphabets = map[string][3]rune{
	`\mathbf`:     {0x1D400, 0x1D41A, 0x1D7CE},
	`\boldsymbol`: {0x1D468, 0x1D482, 0x1D7CE},
	`\bm`:         {0x1D468, 0x1D482, 0x1D7CE},
	`\mathcal`:    {0x1D49C, 0x1D4B6, 0},
	`\mathbb`:     {0x1D538, 0x1D552, 0x1D7D8},
	`\mathsf`:     {0x1D5A0, 0x1D5BA, 0x1D7E2},
	`\mathtt`:     {0x1D670, 0x1D68A, 0x1D7F6},
}

// older are the letters that Unicode had before it had the alphabets.
var older = map[rune]rune{
	0x1D49D: 'ℬ', 0x1D4A0: 'ℰ', 0x1D4A1: 'ℱ', 0x1D4A3: 'ℋ', 0x1D4A4: 'ℐ', 0x1D4A7: 'ℒ', 0x1D4A8: 'ℳ', 0x1D4AD: 'ℛ',
	0x1D4BA: 'ℯ', 0x1D4BC: 'ℊ', 0x1D4C4: 'ℴ',
	0x1D53A: 'ℂ', 0x1D53F: 'ℍ', 0x1D545: 'ℕ', 0x1D547: 'ℙ', 0x1D548: 'ℚ', 0x1D549: 'ℝ', 0x1D551: 'ℤ',
}

// words are how commands set a whole word: the class that says so to the style sheet.
var words = map[string]string{
	`\text`: "", `\textrm`: "", `\mathrm`: "", `\textnormal`: "", `\textbf`: "m-bold", `\mathbf`: "m-bold",
	`\textit`: "m-italic", `\mathit`: "m-italic", `\texttt`: "m-mono", `\mathtt`: "m-mono", `\textsf`: "m-sans",
	`\mathsf`: "m-sans",
}

// lettering translates the commands that choose how letters look; nil if t is none of them.
func (p *parser) lettering(t token) *node {
	switch t.text {
	case `\operatorname`:
		limits := p.accept("*")
		name, at := p.raw(t)
		return functionName(p.plainText(name, at), limits)
	}
	class, isWord := words[t.text]
	_, isAlphabet := alphabets[t.text]
	if !isWord && !isAlphabet {
		return nil
	}
	if isAlphabet {
		if n := p.alphabet(t); n != nil {
			return n
		}
	}
	if !isWord {
		fail(
			p.peek().offset,
			"give it letters and digits one by one",
			"`%s` of something else than letters and digits",
			t.text,
		)
	}
	s, at := p.raw(t)
	text := p.plainText(s, at)
	if text == "" {
		fail(t.offset, "write one", "`%s` without a text", t.text)
	}
	n := leaf("mtext", text)
	if strings.HasPrefix(t.text, `\math`) && !strings.Contains(text, "\u00a0") {
		n.tag = "mi"
		if len([]rune(text)) == 1 && t.text != `\mathit` {
			n.with("mathvariant", "normal")
		}
	}
	if class != "" {
		n.with("class", class)
	}
	return n
}

// alphabet sets single letters and digits in one of Unicode's alphabets; nil, having read nothing, if there is more.
// Words are set with a class instead: the alphabets are spaced for single letters.
func (p *parser) alphabet(t token) *node {
	start := p.at
	chars := []token{p.next()}
	if chars[0].text == "{" {
		chars = chars[:0]
		for p.peek().text != "}" && p.peek().text != "" {
			chars = append(chars, p.next())
		}
		p.next()
	}
	_, isWord := words[t.text]
	if len(chars) == 0 || isWord && len(chars) > 1 {
		p.at = start
		return nil
	}
	var b strings.Builder
	for _, c := range chars {
		r := styled(alphabets[t.text], c.text)
		if r == 0 {
			p.at = start
			return nil
		}
		b.WriteRune(r)
	}
	if isDigit(chars[0].text[0]) {
		return leaf("mn", b.String())
	}
	return leaf("mi", b.String())
}

// styled is a letter or digit in an alphabet, 0 if the alphabet has none for it.
func styled(alphabet [3]rune, s string) rune {
	if strings.HasPrefix(s, `\`) { // bold Greek
		_, char := symbol(s[1:])
		r := []rune(char + " ")[0]
		switch {
		case alphabet[0] == 0x1D468 && r >= 'α' && r <= 'ω':
			return 0x1D736 + r - 'α'
		case alphabet[0] == 0x1D468 && r >= 'Α' && r <= 'Ω':
			return 0x1D71C + r - 'Α'
		}
		return 0
	}
	if len(s) != 1 {
		return 0
	}
	var r rune
	switch c := s[0]; {
	case c >= 'A' && c <= 'Z':
		r = alphabet[0] + rune(c-'A')
	case c >= 'a' && c <= 'z':
		r = alphabet[1] + rune(c-'a')
	case isDigit(c) && alphabet[2] != 0:
		return alphabet[2] + rune(c-'0')
	default:
		return 0
	}
	if old, ok := older[r]; ok {
		return old
	}
	return r
}

// plainText reads the text in \text{...}: backslashed signs become themselves, spaces are kept.
func (p *parser) plainText(s string, offset int) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\' && i+1 < len(s) && strings.IndexByte(`#$%&_{} ,`, s[i+1]) >= 0:
			i++
			if s[i] == ' ' || s[i] == ',' {
				b.WriteString("\u00a0")
			} else {
				b.WriteByte(s[i])
			}
		case c == '\\' || c == '$':
			fail(offset+i, "close the text before it", "a formula within a text")
		case c == '{' || c == '}':
		case c == '~' || c == ' ' || c == '\n' || c == '\t':
			if !strings.HasSuffix(b.String(), "\u00a0") {
				b.WriteString("\u00a0") // plain spaces at the edges would vanish
			}
		case c == '-' && i+1 < len(s) && s[i+1] == '-':
			b.WriteString("–")
			i++
		case c == '\'':
			b.WriteString("’")
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

//go:embed symbols.txt
var symbolTable string

//go:embed functions.txt
var functionTable string

// sign is an entry of symbols.txt.
type sign struct{ kind, char string }

// The tables, read once: symbols by command, by character, and functions by name (true: their index goes below).
var (
	symbols    = readSymbols(symbolTable, 1)
	characters = readSymbols(symbolTable, 2)
	functions  = readFunctions(functionTable)
)

// readSymbols reads symbols.txt, keyed by command (1) or by character (2).
func readSymbols(table string, key int) map[string]sign {
	out := map[string]sign{}
	for line := range strings.Lines(table) {
		f := strings.Fields(line)
		if len(f) == 0 || f[0] == "#" {
			continue
		}
		for i := 1; i+1 < len(f); i += 2 {
			if name := f[i+key-1]; out[name].kind == "" {
				out[name] = sign{f[0], f[i+1]}
			}
		}
	}
	return out
}

// readFunctions reads functions.txt.
func readFunctions(table string) map[string]bool {
	out := map[string]bool{}
	limits := false
	for line := range strings.Lines(table) {
		if line[0] == '#' {
			continue
		}
		for _, name := range strings.Fields(line) {
			out[name] = limits
		}
		limits = true
	}
	return out
}

// symbol finds a command in symbols.txt.
func symbol(name string) (kind, char string) {
	s := symbols[name]
	return s.kind, s.char
}

// symbolNode makes the element of a symbol; nil for an unknown kind.
func symbolNode(kind, char string) *node {
	switch kind {
	case "letter":
		return leaf("mi", char)
	case "upright", "sign":
		return leaf("mi", char, "mathvariant", "normal")
	case "op":
		return op(char)
	case "big":
		n := op(char, "movablelimits", "true")
		n.limits = true
		return n
	case "integral":
		return op(char)
	case "open":
		n := op(char, "stretchy", "false")
		n.class = opening
		return n
	case "close", "fence":
		n := op(char, "stretchy", "false", "lspace", "0", "rspace", "0")
		n.class = closing
		return n
	}
	return nil
}

// unicodeAtom finds a character that was typed instead of its command.
func unicodeAtom(char string) *node {
	if s := characters[char]; char[0] >= 0x80 {
		return symbolNode(s.kind, s.char)
	}
	return nil
}

// functionNode makes the element of \log and its like; nil if name is none.
func functionNode(name string) *node {
	limits, ok := functions[name]
	if !ok {
		return nil
	}
	return functionName(name, limits)
}

func functionName(name string, limits bool) *node {
	switch name { // written as two words
	case "argmax", "argmin", "limsup", "liminf":
		name = name[:3] + "\u2009" + name[3:]
	}
	n := leaf("mo", name)
	n.class, n.limits = function, limits
	if limits {
		n.with("movablelimits", "true")
	}
	return n
}
