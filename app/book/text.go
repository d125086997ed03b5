package book

import (
	"bytes"
	"strings"

	"github.com/scalebook/scalebook/app/quantity"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/util"
	"golang.org/x/net/html"
)

// plain is the text of a node without any marks: for ids, labels and searching.
func (d *draft) plain(n ast.Node) string {
	var b strings.Builder
	d.writePlain(&b, n)
	return strings.Join(strings.Fields(b.String()), " ")
}

func (d *draft) writePlain(b *strings.Builder, n ast.Node) {
	switch n := n.(type) {
	case *ast.Text:
		b.Write(unescape(n.Segment.Value(d.src)))
		if n.SoftLineBreak() || n.HardLineBreak() {
			b.WriteByte(' ')
		}
		return
	case *ast.String:
		b.Write(n.Value)
		return
	case *ast.AutoLink:
		b.Write(n.Label(d.src))
		return
	case *liveNode:
		b.WriteString(stripTags(n.html))
		return
	case *mathNode:
		b.WriteString(plainTeX(string(n.tex.Value(d.src))))
		return
	case *ast.CodeSpan:
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			if t, ok := c.(*ast.Text); ok {
				b.Write(t.Segment.Value(d.src))
			}
		}
		return
	case *citeNode:
		p := &printer{d: d, bare: true}
		p.citation(n)
		b.WriteString(stripTags(p.b.String()))
		return
	case *noteRef, *ast.RawHTML, *ast.HTMLBlock:
		return
	case *ast.Link:
		if n.FirstChild() == nil {
			b.WriteString(stripTags(d.labels[n]))
		}
	case *ast.FencedCodeBlock, *ast.CodeBlock, *mathBlock:
		return
	}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		d.writePlain(b, c)
		if c.Type() == ast.TypeBlock {
			b.WriteByte(' ')
		}
	}
}

// unescape resolves backslashes and entities as goldmark does when it prints text.
func unescape(b []byte) []byte {
	return util.UnescapePunctuations(util.ResolveEntityNames(util.ResolveNumericReferences(b)))
}

// stripTags is the text of an HTML fragment.
func stripTags(s string) string {
	if !strings.ContainsAny(s, "<&") {
		return s
	}
	var b strings.Builder
	z := html.NewTokenizer(strings.NewReader(s))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return b.String()
		case html.TextToken:
			b.Write(z.Text())
		}
	}
}

// plainTeX keeps the letters of a formula: T_math for T_\text{math}. Tables of formulas say nothing in a line.
func plainTeX(tex string) string {
	if strings.Contains(tex, `\begin`) {
		return ""
	}
	var b strings.Builder
	for i := 0; i < len(tex); i++ {
		switch c := tex[i]; {
		case c == '\\' && i+1 < len(tex):
			name := leadingName([]byte(tex[i+1:]))
			if i += max(len(name), 1); !strings.HasPrefix(name, "text") && !strings.HasPrefix(name, "math") {
				b.WriteByte(' ')
			}
		case c != '{' && c != '}':
			b.WriteByte(c)
		}
	}
	return b.String()
}

// unmarked are the characters of Markdown that would be read as marks, each with what stands for itself.
func unmarked() *strings.Replacer {
	return strings.NewReplacer(
		`\`,
		`\\`,
		"*",
		`\*`,
		"_",
		`\_`,
		"`",
		"\\`",
		"[",
		`\[`,
		"]",
		`\]`,
		"<",
		"&lt;",
		"&",
		"&amp;",
		"$",
		`\$`,
		"~",
		`\~`,
	)
}

// escape keeps a text from being read as marks.
func escape(s string) string { return unmarked().Replace(s) }

// guard keeps a paragraph from being read as a heading, a list or a quotation because of how it begins.
func guard(s string) string {
	if s == "" {
		return s
	}
	if strings.ContainsRune("#>+-=|:", rune(s[0])) {
		return `\` + s
	}
	digits := strings.TrimLeft(s, "0123456789")
	if len(digits) < len(s) && digits != "" && (digits[0] == '.' || digits[0] == ')') &&
		(len(digits) == 1 || digits[1] == ' ') {
		return s[:len(s)-len(digits)] + `\` + digits
	}
	return s
}

// codeSpan is a piece of code; its fence is longer than any in it.
func codeSpan(text string) string {
	fence := fenceFor(text, "`")
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") {
		text = " " + text + " "
	}
	return fence + text + fence
}

// codeBlock is a fenced block; its fence is longer than any in it.
func codeBlock(language, text string) string {
	fence := fenceFor(text, "```")
	return fence + language + "\n" + strings.TrimSuffix(text, "\n") + "\n" + fence
}

// fenceFor is a fence that is longer than any in a text.
func fenceFor(text, fence string) string {
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence
}

// quote sets a mark before every line.
func quote(text string) string {
	return "> " + strings.ReplaceAll(strings.ReplaceAll(text, "\n", "\n> "), "> \n", ">\n")
}

// indent moves every line but the first to the right.
func indent(text string, by int) string {
	return strings.ReplaceAll(
		strings.ReplaceAll(text, "\n", "\n"+strings.Repeat(" ", by)),
		strings.Repeat(" ", by)+"\n",
		"\n",
	)
}

// around sets marks around a text, leaving outer spaces outside.
func around(mark, text string) string {
	inner := strings.TrimSpace(text)
	if inner == "" {
		return text
	}
	at := strings.Index(text, inner)
	return text[:at] + mark + inner + mark + text[at+len(inner):]
}

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
