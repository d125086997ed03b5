package startlog

import (
	"strings"

	"github.com/scalebook/scalebook/app/shell"
)

// The most of a text that is taken for commands, and how often variables in it are looked up.
const (
	mostShell   = 1 << 18
	mostLookups = 300
)

// script is a text as a shell takes it: without remarks, and with variables as the text itself sets them. Those that it
// does not set stay, and those behind the last that may be looked up.
func script(text string) string {
	if len(text) > mostShell {
		return text
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimLeft(line, " \t"), "#") {
			line = "\n"
		} else if at := strings.Index(line, " # "); at >= 0 {
			line = line[:at] + "\n"
		}
		b.WriteString(line)
	}
	text = strings.ReplaceAll(b.String(), "$$", "$") // as docker compose escapes it
	left := mostLookups
	var known func(string) string
	known = func(name string) string {
		if left--; left < 0 {
			return ""
		}
		return shell.Expand(assigned(text, name), func(other string) string {
			if other == name { // TP=${TP:-8}
				return ""
			}
			return known(other)
		})
	}
	return shell.Expand(text, known)
}

// closing is where the bracket closes in which a text begins.
func closing(text string) int {
	deep := 0
	for i := range len(text) {
		switch text[i] {
		case '{':
			deep++
		case '}':
			if deep--; deep < 0 {
				return i
			}
		}
	}
	return len(text)
}

// assigned is the value that a text gives a variable, as a shell or YAML does; "" if none.
func assigned(text, name string) string {
	if name == "" || name[0] <= '9' {
		return ""
	}
	for from := 0; ; {
		i := strings.Index(text[from:], name)
		if i < 0 {
			return ""
		}
		at := from + i
		from = at + len(name)
		rest, set := strings.CutPrefix(text[from:], "=")
		if !set {
			rest, set = strings.CutPrefix(text[from:], ": ")
		}
		if !set || at > 0 && strings.IndexByte(" \t\n\"'", text[at-1]) < 0 {
			continue
		}
		ends := " \t\r\n;"
		if strings.HasPrefix(rest, "\"") || strings.HasPrefix(rest, "'") {
			ends, rest = rest[:1]+"\n", rest[1:]
		}
		end := strings.IndexAny(rest, ends)
		if end < 0 {
			end = len(rest)
		}
		if value := rest[:min(end, 200)]; value != "" && value[0] != '(' {
			return value
		}
	}
}
