package twin

import (
	"strings"

	"golang.org/x/net/html"
)

// TeX is a formula of MathML as TeX. It knows what the book's own translator writes, and shows the text of anything else.
func TeX(n *html.Node) string { return strings.Join(strings.Fields(tex(n)), " ") }

// scripts are the elements whose children are a base and what is set at it.
var scripts = map[string][2]string{
	"msub": {"_"}, "msup": {"^"}, "msubsup": {"_", "^"},
	"munder": {"_"}, "mover": {"^"}, "munderover": {"_", "^"},
}

// tex is one node.
func tex(n *html.Node) string {
	if n.Type == html.TextNode {
		return texText(n.Data)
	}
	kids := children(n)
	switch n.Data {
	case "mi":
		return name(plain(n))
	case "mo":
		return operator(strings.TrimSpace(plain(n)))
	case "mtext", "ms":
		return `\text{` + texText(plain(n)) + `}`
	case "mspace":
		return `\ `
	case "mphantom", "annotation", "annotation-xml":
		return ""
	case "mfrac":
		if len(kids) == 2 {
			return `\frac{` + tex(kids[0]) + `}{` + tex(kids[1]) + `}`
		}
	case "mroot":
		if len(kids) == 2 {
			return `\sqrt[` + tex(kids[1]) + `]{` + tex(kids[0]) + `}`
		}
	case "msqrt":
		return `\sqrt{` + all(kids) + `}`
	case "mtable":
		return matrix(kids)
	}
	if marks, ok := scripts[n.Data]; ok && len(kids) >= 2 {
		return script(n.Data, marks, kids)
	}
	return all(kids)
}

func children(n *html.Node) []*html.Node {
	var out []*html.Node
	for c := range n.ChildNodes() {
		if c.Type == html.ElementNode || strings.TrimSpace(c.Data) != "" {
			out = append(out, c)
		}
	}
	return out
}

func all(kids []*html.Node) string {
	var b strings.Builder
	for _, k := range kids {
		b.WriteString(tex(k))
	}
	return b.String()
}

// accents are what stands over a letter as part of it.
var accents = map[string]string{"^": "hat", "ˆ": "hat", "‾": "bar", "¯": "bar", "~": "tilde", "˜": "tilde", "→": "vec", "˙": "dot", "¨": "ddot", "ˇ": "check", "_": "underline", "_̲": "underline"}

// script is a base with what is set below, above, or at its corners.
func script(kind string, marks [2]string, kids []*html.Node) string {
	base := tex(kids[0])
	if strings.HasPrefix(kind, "mu") || kind == "mover" {
		over := strings.TrimSpace(plain(kids[1]))
		if accent, ok := accents[over]; ok && len(kids) == 2 {
			return `\` + accent + `{` + base + `}`
		}
		if brace, ok := map[string]string{"⏞": `\overbrace`, "⏟": `\underbrace`}[over]; ok && len(kids) == 2 {
			return brace + `{` + base + `}`
		}
	}
	out := group(base)
	for i, k := range kids[1:] {
		if i < len(marks) && marks[i] != "" {
			out += marks[i] + group(tex(k))
		}
	}
	return out
}

// group puts braces around what is more than one sign.
func group(s string) string {
	s = strings.TrimSpace(s)
	if len([]rune(s)) == 1 || command(s) || strings.HasPrefix(s, `\`) && !strings.ContainsAny(s[1:], `\ _^+-=`) && strings.HasSuffix(s, "}") && strings.Count(s, "{") == 1 {
		return s
	}
	return "{" + s + "}"
}

// command says whether s is one command without arguments: \sum.
func command(s string) bool {
	return len(s) > 1 && s[0] == '\\' && strings.Trim(s[1:], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

func matrix(rows []*html.Node) string {
	var lines []string
	for _, r := range rows {
		var cells []string
		for _, c := range children(r) {
			cells = append(cells, strings.TrimSpace(tex(c)))
		}
		lines = append(lines, strings.Join(cells, " & "))
	}
	return `\begin{matrix} ` + strings.Join(lines, ` \\ `) + ` \end{matrix}`
}

// name is an identifier: a letter, or upright if it is a word.
func name(s string) string {
	s = strings.TrimSpace(s)
	if len([]rune(s)) <= 1 {
		return texText(s)
	}
	return `\mathrm{` + texText(s) + `}`
}

// operators are the signs that TeX has other letters for. Invisible ones leave a space.
var operators = map[string]string{"⁢": " ", "⁡": "", "⁣": " ", "−": "-", "⋅": `\cdot `, "·": `\cdot `, "×": `\times `, "≤": `\le `, "≥": `\ge `, "∑": `\sum`, "∏": `\prod`, "→": `\to `, "≈": `\approx `}

func operator(s string) string {
	if t, ok := operators[s]; ok {
		return t
	}
	if len([]rune(s)) > 1 && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" {
		return `\operatorname{` + s + `}`
	}
	if s == "=" || s == "+" || s == "<" || s == ">" {
		return " " + s + " "
	}
	return texText(s)
}

var texEscaper = strings.NewReplacer(`\`, `\backslash `, "{", `\{`, "}", `\}`, "$", `\$`, "%", `\%`, "&", `\&`, "#", `\#`, "_", `\_`, " ", " ")

func texText(s string) string { return texEscaper.Replace(s) }
