package book

import "strings"

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
