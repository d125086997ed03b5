package book

import (
	"html"
	"slices"
	"strings"
	"time"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
	"github.com/yuin/goldmark/ast"
)

// highlight prints code as HTML, each token in a span of chroma's short class. Unknown languages stay plain.
func highlight(language, code string) string {
	var lexer chroma.Lexer
	switch language {
	case "":
	case "sheet":
		return highlightSheet(code)
	default:
		lexer = lexers.Get(language)
	}
	if lexer == nil {
		return html.EscapeString(code)
	}
	tokens, err := stableTokens(time.Now, func() ([]chroma.Token, error) {
		return chroma.Tokenise(chroma.Coalesce(lexer), nil, code)
	})
	if err != nil {
		return html.EscapeString(code)
	}
	var b strings.Builder
	for _, t := range tokens {
		span(&b, tokenClass(t.Type), t.Value)
	}
	return b.String()
}

// maxReadings is how often code is read at most.
const maxReadings = 4

// patience is well below the quarter of a second that chroma gives a pattern.
const patience = 100 * time.Millisecond

// stableTokens reads code, and again while some of it fits no pattern or the reading took long. chroma gives a pattern
// a quarter of a second of wall time, and takes what took longer for no match: one pause of a busy machine would colour
// a word as a fault, or as what a later pattern makes of it.
func stableTokens(now func() time.Time, read func() ([]chroma.Token, error)) (tokens []chroma.Token, err error) {
	fault := func(t chroma.Token) bool { return t.Type == chroma.Error }
	for range maxReadings {
		started := now()
		if tokens, err = read(); err != nil || now().Sub(started) < patience && !slices.ContainsFunc(tokens, fault) {
			break
		}
	}
	return tokens, err
}

// language is the first word behind a code fence.
func (d *draft) language(n *ast.FencedCodeBlock) string {
	if n.Info == nil {
		return ""
	}
	return leadingName(n.Info.Segment.Value(d.src))
}

// knownLanguage says whether code of that language can be coloured, or is plain on purpose.
func knownLanguage(language string) bool {
	return language == "" || language == "sheet" || lexers.Get(language) != nil
}

// tokenClass is chroma's class for a type of token, or for the nearest type above it that has one.
func tokenClass(t chroma.TokenType) string {
	for _, t := range []chroma.TokenType{t, t.SubCategory(), t.Category()} {
		if class, ok := chroma.StandardTypes[t]; ok {
			return class
		}
	}
	return ""
}

// span writes a token; without a class it stays bare.
func span(b *strings.Builder, class, text string) {
	if class == "" || strings.TrimSpace(text) == "" {
		b.WriteString(html.EscapeString(text))
		return
	}
	b.WriteString(`<span class="` + class + `">` + html.EscapeString(text) + `</span>`)
}

// highlightSheet colours the sheet language: comments, texts, numbers with their units, keywords, calls.
func highlightSheet(code string) string {
	var b strings.Builder
	for len(code) > 0 {
		class, n := sheetToken(code)
		if rest, ok := strings.CutPrefix(code, "title "); ok && class == "k" {
			span(&b, "k", "title")
			b.WriteByte(' ')
			class, n, code = "s", lineEnd(rest), rest
		}
		span(&b, class, code[:n])
		code = code[n:]
	}
	return b.String()
}

// sheetWords are the words that begin or join a statement.
const sheetWords = " title group folded let in log linear step of solve where ask plot table over for mark expect " +
	"within at as and or not on off "

// sheetToken measures the first token and gives its class.
func sheetToken(s string) (class string, n int) {
	switch c := s[0]; {
	case c == '#':
		return "c", lineEnd(s)
	case c == '"':
		if end := strings.IndexByte(s[1:], '"'); end >= 0 && end+1 < lineEnd(s) {
			return "s", end + 2
		}
		return "s", lineEnd(s)
	case c >= '0' && c <= '9':
		return "m", numberEnd(s)
	case c == '$' && len(s) > 1 && s[1] >= '0' && s[1] <= '9':
		return "m", 1 + numberEnd(s[1:])
	case isLetter(c) || c == '_':
		n = nameEnd(s)
		switch {
		case strings.Contains(sheetWords, " "+s[:n]+" "):
			return "k", n
		case n < len(s) && s[n] == '(':
			return "nf", n
		}
		return "n", n
	case c >= 0x80 || c == ' ' || c == '\n' || c == '\t':
		for n = 1; n < len(s) && (s[n] >= 0x80 && c >= 0x80 || s[n] == c); n++ {
		}
		return "", n
	}
	if strings.HasPrefix(s, "..") {
		return "o", 2
	}
	return "o", 1
}

func lineEnd(s string) int {
	if i := strings.IndexByte(s, '\n'); i >= 0 {
		return i
	}
	return len(s)
}

func nameEnd(s string) int {
	n := 1
	for n < len(s) && (isLetter(s[n]) || s[n] == '_' || s[n] >= '0' && s[n] <= '9' || memberAt(s[n:])) {
		n++
	}
	return n
}

// memberAt tells whether s goes on with a field whose name begins with a digit: the `.70b` of llama3.70b.
func memberAt(s string) bool { return len(s) > 1 && s[0] == '.' && s[1] >= '0' && s[1] <= '9' }

// numberEnd measures a number with the unit behind it: `8.1e11 byte/s`, `2^30`'s 2, `70B`.
func numberEnd(s string) int {
	n := 1
	for n < len(s) && (s[n] >= '0' && s[n] <= '9' || s[n] == '_' || s[n] == '.' && n+1 < len(s) && s[n+1] >= '0' &&
		s[n+1] <= '9') {
		n++
	}
	if n+1 < len(s) && (s[n] == 'e' || s[n] == 'E') {
		m := n + 1
		if s[m] == '-' || s[m] == '+' {
			m++
		}
		if m < len(s) && s[m] >= '0' && s[m] <= '9' {
			for n = m; n < len(s) && s[n] >= '0' && s[n] <= '9'; n++ {
			}
		}
	}
	return unitEnd(s, n)
}

// unitEnd adds the unit that follows a number, attached or after one space.
func unitEnd(s string, n int) int {
	m := n
	if m+1 < len(s) && (s[m] == ' ' || s[m] == '/' && isLetter(s[m+1])) { // `2.1/hour` behind a $
		m++
	}
	if m >= len(s) || !isLetter(s[m]) && s[m] != '%' {
		return n
	}
	if s[m] == '%' {
		return m + 1
	}
	if word := s[m : m+nameEnd(s[m:])]; m > n && strings.Contains(sheetWords, " "+word+" ") {
		return n
	}
	for m < len(s) && (isLetter(s[m]) || s[m] >= '0' && s[m] <= '9' || s[m] == '_' ||
		strings.IndexByte("/*^", s[m]) >= 0 && m+1 < len(s) && (isLetter(s[m+1]) || s[m] == '^')) {
		m++
	}
	return m
}
