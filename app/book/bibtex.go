package book

import (
	"fmt"
	"strings"
)

// bibEntry is one entry of a BibTeX file: fields are by lower-case name, their TeX already turned into text.
type bibEntry struct {
	kind, key string
	fields    map[string]string
	line      int
}

// bibFault is what is wrong in a BibTeX file.
type bibFault struct {
	line, col    int
	what, remedy string
}

// bibParser reads BibTeX: entries, @string, @comment, @preamble, values in braces, quotes or digits, joined by #.
type bibParser struct {
	src     string
	at      int
	strings map[string]string
	entries []*bibEntry
	faults  []bibFault
}

const months = "January February March April May June July August September October November December"

// parseBib reads a whole file. After a fault it goes on at the next entry.
func parseBib(src string) ([]*bibEntry, []bibFault) {
	p := &bibParser{src: src, strings: map[string]string{}}
	for _, month := range strings.Fields(months) {
		p.strings[strings.ToLower(month[:3])] = month
	}
	for {
		next := strings.IndexByte(p.src[p.at:], '@')
		if next < 0 {
			return p.entries, p.faults
		}
		p.at += next + 1
		if err := p.entry(); err != nil {
			p.faults = append(p.faults, *err)
		}
	}
}

func (p *bibParser) fault(what, remedy string) *bibFault {
	before := p.src[:min(p.at, len(p.src))]
	line := strings.Count(before, "\n") + 1
	col := len([]rune(before[strings.LastIndexByte(before, '\n')+1:])) + 1
	return &bibFault{line, col, what, remedy}
}

func (p *bibParser) space() {
	for p.at < len(p.src) && strings.IndexByte(" \t\r\n", p.src[p.at]) >= 0 {
		p.at++
	}
}

func (p *bibParser) peek() byte {
	if p.at < len(p.src) {
		return p.src[p.at]
	}
	return 0
}

// word reads up to a character that has a meaning.
func (p *bibParser) word() string {
	start := p.at
	for p.at < len(p.src) && strings.IndexByte(" \t\r\n{}(),=\"#%@", p.src[p.at]) < 0 {
		p.at++
	}
	return p.src[start:p.at]
}

// entry reads what follows an @.
func (p *bibParser) entry() *bibFault {
	line := strings.Count(p.src[:p.at], "\n") + 1
	kind := strings.ToLower(p.word())
	p.space()
	open := p.peek()
	if kind == "" || open != '{' && open != '(' {
		return p.fault("`@"+kind+"` without a brace", "write `@article{key, ...}`")
	}
	p.at++
	closing := byte('}')
	if open == '(' {
		closing = ')'
	}
	switch kind {
	case "comment", "preamble":
		p.at--
		if open == '(' {
			return p.fault("@"+kind+" in parentheses", "use braces")
		}
		_, err := p.braced()
		return err
	case "string":
		return p.fields(closing, func(name, value string) *bibFault {
			p.strings[name] = value
			return nil
		})
	}
	return p.work(kind, line, closing)
}

// work reads the key and the fields of an entry.
func (p *bibParser) work(kind string, line int, closing byte) *bibFault {
	p.space()
	e := &bibEntry{kind: kind, key: p.word(), fields: map[string]string{}, line: line}
	if e.key == "" {
		return p.fault("an entry without a key", "write `@"+kind+"{some-key, ...}`")
	}
	p.space()
	if p.peek() == ',' {
		p.at++
	} else if p.peek() != closing {
		return p.fault("no comma behind the key `"+e.key+"`", "write `@"+kind+"{"+e.key+", ...}`")
	}
	err := p.fields(closing, func(name, value string) *bibFault {
		if _, twice := e.fields[name]; twice {
			return p.fault("`"+name+"` given twice in `"+e.key+"`", "keep one")
		}
		e.fields[name] = texText(value, name == "author" || name == "editor")
		return nil
	})
	if err == nil {
		p.entries = append(p.entries, e)
	}
	return err
}

// fields reads `name = value, ...` up to the closing mark.
func (p *bibParser) fields(closing byte, set func(name, value string) *bibFault) *bibFault {
	for {
		p.space()
		if p.peek() == closing {
			p.at++
			return nil
		}
		name := strings.ToLower(p.word())
		p.space()
		if name == "" || p.peek() != '=' {
			return p.fault(
				"no `name = value`",
				"write `year = {2025}`, with a comma between fields, and close the entry with "+string(closing),
			)
		}
		p.at++
		value, err := p.value()
		if err != nil {
			return err
		}
		if err := set(name, value); err != nil {
			return err
		}
		p.space()
		switch p.peek() {
		case ',':
			p.at++
		case closing:
		default:
			return p.fault("no comma behind `"+name+"`", "separate fields by commas, and close the entry with "+
				string(closing))
		}
	}
}

// value reads pieces joined by # and returns their TeX.
func (p *bibParser) value() (string, *bibFault) {
	var out strings.Builder
	for {
		p.space()
		piece, err := p.piece()
		if err != nil {
			return "", err
		}
		out.WriteString(piece)
		p.space()
		if p.peek() != '#' {
			return strings.Join(strings.Fields(out.String()), " "), nil
		}
		p.at++
	}
}

func (p *bibParser) piece() (string, *bibFault) {
	switch c := p.peek(); {
	case c == '{':
		return p.braced()
	case c == '"':
		return p.quoted()
	}
	w := p.word()
	if w == "" {
		return "", p.fault("no value", "write `{...}`, `\"...\"` or a number")
	}
	if strings.Trim(w, "0123456789") == "" {
		return w, nil
	}
	s, ok := p.strings[strings.ToLower(w)]
	if !ok {
		return "", p.fault("unknown @string `"+w+"`", fmt.Sprintf("define it, or write `{%s}`", w))
	}
	return s, nil
}

// braced reads `{...}` and returns the inside.
func (p *bibParser) braced() (string, *bibFault) {
	start, depth := p.at, 0
	for i := p.at; i < len(p.src); i++ {
		switch p.src[i] {
		case '\\':
			i++
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				p.at = i + 1
				return p.src[start+1 : i], nil
			}
		}
	}
	err := p.fault("a `{` that is never closed", "add `}`")
	p.at = start + 1
	return "", err
}

// quoted reads `"..."`; a quote within braces does not end it.
func (p *bibParser) quoted() (string, *bibFault) {
	start, depth := p.at, 0
	for i := p.at + 1; i < len(p.src); i++ {
		switch c := p.src[i]; {
		case c == '\\':
			i++
		case c == '{':
			depth++
		case c == '}':
			depth--
		case c == '"' && depth <= 0:
			p.at = i + 1
			return p.src[start+1 : i], nil
		}
	}
	err := p.fault("a quote that is never closed", "add `\"`")
	p.at = start + 1
	return "", err
}
