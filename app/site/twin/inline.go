package twin

import (
	"strings"

	"golang.org/x/net/html"
)

// inlines is what stands within n, as one line.
func (w *writer) inlines(n *html.Node) string {
	var b strings.Builder
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		b.WriteString(w.inline(c))
	}
	return b.String()
}

// inline is one inline node.
func (w *writer) inline(n *html.Node) string {
	switch n.Type {
	case html.TextNode:
		return escape(folded(n.Data))
	case html.ElementNode:
	default:
		return ""
	}
	switch n.Data {
	case "em", "i":
		return around("*", w.inlines(n))
	case "strong", "b":
		return around("**", w.inlines(n))
	case "code":
		return codeSpan(plain(n))
	case "br":
		return "  \n"
	case "a":
		return w.link(n)
	case "img":
		return "![" + escape(attr(n, "alt")) + "](" + w.address(attr(n, "src")) + ")"
	case "svg":
		return drawing(n)
	case "math":
		if attr(n, "display") == "block" {
			return "$$" + TeX(n) + "$$"
		}
		return "$" + TeX(n) + "$"
	case "sup":
		if has(n, "note-ref") {
			return "[^" + strings.TrimSpace(plain(n)) + "]"
		}
	case "span":
		switch {
		case has(n, "sidenote"):
			w.note(n)
			return ""
		case has(n, "sr-only"):
			return ""
		case has(n, "problem-no"):
			return w.inlines(n) + "."
		case has(n, "box-kind") && n.NextSibling != nil:
			return w.inlines(n) + ":"
		}
	case "template", "button", "input", "select", "script":
		return ""
	}
	return w.inlines(n)
}

// note keeps a note for the end of the page.
func (w *writer) note(n *html.Node) {
	var text []string
	no := ""
	for c := range n.ChildNodes() {
		switch {
		case has(c, "sidenote-no"):
			no = strings.TrimSpace(plain(c))
		case has(c, "sidenote-par"):
			text = append(text, strings.TrimSpace(w.inlines(c)))
		}
	}
	w.notes = append(w.notes, "[^"+no+"]: "+strings.Join(text, "\n\n    "))
}

// link is a link to where it led. One that only points at its own place says nothing here.
func (w *writer) link(n *html.Node) string {
	if has(n, "permalink") || has(n, "note-back") {
		return ""
	}
	text := strings.TrimSpace(w.inlines(n))
	href := attr(n, "href")
	if href == "" || text == "" {
		return text
	}
	return "[" + text + "](" + w.address(href) + ")"
}

// address is where an address of the page leads from elsewhere.
func (w *writer) address(href string) string {
	switch {
	case strings.HasPrefix(href, "#"):
		href = w.origin + w.page.URL + href
	case strings.HasPrefix(href, "/"):
		href = w.origin + href
	}
	return strings.NewReplacer(" ", "%20", "(", "%28", ")", "%29", "<", "%3C", ">", "%3E").Replace(href)
}

// drawing is a picture in words: its title and its description.
func drawing(n *html.Node) string {
	var parts []string
	for c := range n.ChildNodes() {
		if c.Data == "title" || c.Data == "desc" {
			text := strings.TrimSpace(folded(plain(c)))
			if text != "" && !strings.HasSuffix(text, ".") {
				text += "."
			}
			parts = append(parts, escape(text))
		}
	}
	return strings.TrimSpace(strings.Join(parts, " "))
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

// codeSpan is a piece of code; its fence is longer than any in it.
func codeSpan(text string) string {
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") {
		text = " " + text + " "
	}
	return fence + text + fence
}

// folded makes every run of spaces and line ends one space.
func folded(s string) string {
	words := strings.Join(strings.Fields(s), " ")
	if words == "" {
		if s != "" {
			return " "
		}
		return ""
	}
	if strings.ContainsRune(" \n\t", rune(s[0])) {
		words = " " + words
	}
	if strings.ContainsRune(" \n\t", rune(s[len(s)-1])) {
		words += " "
	}
	return words
}

var escaper = strings.NewReplacer(`\`, `\\`, "*", `\*`, "_", `\_`, "`", "\\`", "[", `\[`, "]", `\]`, "<", "&lt;", "&", "&amp;", "$", `\$`, "~", `\~`)

// escape keeps a text from being read as marks.
func escape(s string) string { return escaper.Replace(s) }

// guard keeps a paragraph from being read as a heading, a list or a quotation because of how it begins.
func guard(s string) string {
	if s == "" {
		return s
	}
	if strings.ContainsRune("#>+-=|:", rune(s[0])) {
		return `\` + s
	}
	digits := strings.TrimLeft(s, "0123456789")
	if len(digits) < len(s) && digits != "" && (digits[0] == '.' || digits[0] == ')') && (len(digits) == 1 || digits[1] == ' ') {
		return s[:len(s)-len(digits)] + `\` + digits
	}
	return s
}
