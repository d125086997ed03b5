package config

import (
	"strings"

	"github.com/scalebook/scalebook/app/pasted"
	"github.com/scalebook/scalebook/app/phrase"
)

// fence is what code in Markdown begins and ends with.
const fence = "```"

// opening wants an object, and knows what people bring instead.
func (r *reader) opening() bool {
	const begins = "config.begins"
	if word, _, more := strings.Cut(r.src[r.pos:], "\n"); more && strings.HasPrefix(word, fence) && len(word) < 20 {
		r.fenced = true
		r.pos += len(word)
		r.space()
	}
	if i := strings.IndexByte(r.src[r.pos:], '{'); i > 0 && i < 100 {
		if word := strings.TrimSpace(r.src[r.pos : r.pos+i]); isName(word) && strings.HasSuffix(word, "Config") {
			r.pos += i // what Python prints of a configuration
		}
	}
	if i := embedded(r.src[r.pos:]); i > 0 {
		r.pos, r.prose = r.pos+i, true
	}
	switch {
	case r.pos == len(r.src):
		return r.refuse(r.pos, "config.empty", "config.give-config")
	case r.next() == '<':
		return r.refuse(r.pos, "config.web-page", "config.give-raw")
	case r.next() == '[' && (tomlSection(r.src[r.pos:]) || stamped(r.src[r.pos:])):
		r.refuse(r.pos, "config.no-object", begins)
		r.err.lines = true
		return false
	case r.next() == '[':
		return r.refuse(r.pos, "config.a-list-text", begins)
	case r.next() != '{':
		if !r.begins() {
			return false
		}
		if other := pasted.Other(r.src, "config", "empty"); other != nil {
			r.fail(r.pos, other, phrase.New("config.give-config"))
		} else {
			r.refuse(r.pos, "config.no-object", begins)
		}
		r.err.lines = true
		return false
	}
	return true
}

// tomlSection tells whether a text begins with a section of TOML: a name in brackets, alone on its line.
func tomlSection(s string) bool {
	line, _, _ := strings.Cut(s, "\n")
	name, is := strings.CutSuffix(strings.TrimSpace(uncomment(line)), "]")
	return is && isName(strings.TrimPrefix(name, "["))
}

// stamped tells whether a text begins with a line of a log: a time or a rank in brackets, then words.
func stamped(s string) bool {
	line, _, _ := strings.Cut(s, "\n")
	_, behind, closed := strings.Cut(line, "]")
	behind = strings.TrimSpace(behind)
	return closed && behind != "" && !strings.ContainsRune(",]}", rune(behind[0]))
}

// embedded is where an object begins behind a sentence, or behind a name and a sign: "config = {". It is 0 if a text
// has none, or if what stands before it may say something of a model.
func embedded(s string) int {
	i := strings.IndexByte(s, '{')
	if i < 1 || i > 1000 {
		return 0
	}
	if rest := strings.TrimLeft(s[i+1:], " \t\r\n"); rest == "" || !strings.ContainsRune(`"'/#`, rune(rest[0])) {
		return 0
	}
	before := s[:i]
	last := before[strings.LastIndexByte(before, '\n')+1:]
	name, assigned := strings.CutSuffix(strings.Trim(last, " \t"), "=")
	if said := len(last) < len(before) && strings.ContainsAny(before, "eaioEAIO"); strings.Trim(last, " \t") == "" &&
		!said ||
		strings.Trim(last, " \t") != "" && !(assigned && isName(strings.Trim(name, " \t"))) {
		return 0
	}
	for line := range strings.Lines(before[:len(before)-len(last)]) {
		if key, value, has := strings.Cut(line, ":"); has && isName(strings.TrimSpace(key)) ||
			strings.Contains(line, "=") ||
			has && strings.TrimSpace(value) != "" {
			return 0
		}
	}
	return i
}
