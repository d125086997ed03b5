package training

import "strings"

// flow reads JSON, or what YAML and TOML have of it.
type flow struct {
	text string
	at   int
	out  *settingReader
}

func (f *flow) space() {
	for f.at < len(f.text) && strings.IndexByte(" \t\n,", f.text[f.at]) >= 0 {
		f.at++
	}
}

func (f *flow) next() byte {
	if f.at < len(f.text) {
		return f.text[f.at]
	}
	return 0
}

// value reads a value of a name: a list of words is one, an object or a list of objects are several with its name
// before theirs. It gives a word, and adds what else there is.
func (f *flow) value(name string, depth int) {
	if f.space(); depth > mostDepth {
		f.at = len(f.text)
		return
	}
	switch f.next() {
	case '{':
		f.object(name, depth)
	case '[':
		f.at++
		list, some := "", false
		for f.space(); f.next() != ']' && f.next() != 0; f.space() {
			if c := f.next(); c == '{' || c == '[' {
				f.value(name, depth+1)
				continue
			}
			if some {
				list += " "
			}
			before := f.at
			list, some = list+f.word(",]"), true
			if f.at == before {
				f.at++
			}
		}
		f.at++
		if !some { // no number, where one is asked for
			list = "[]"
		}
		if some || wholePart(partOf(name)) {
			f.out.add(name, list)
		}
	default:
		f.out.add(name, f.word(",}]"))
	}
}

func (f *flow) object(name string, depth int) {
	f.at++
	if f.space(); f.next() == '}' && wholePart(partOf(name)) {
		f.out.add(name, "{}")
	}
	if name != "" {
		name += "."
	}
	for f.space(); f.next() != '}' && f.next() != 0; f.space() {
		before := f.at
		key := f.word(":=,}")
		if f.skip(); f.next() == ':' || f.next() == '=' {
			f.at++
			f.value(name+key, depth+1)
		}
		if f.at == before {
			f.at++
		}
	}
	f.at++
}

func (f *flow) skip() {
	for f.next() == ' ' || f.next() == '\t' {
		f.at++
	}
}

// word reads a word up to one of the ends, or one in quotes.
func (f *flow) word(ends string) string {
	f.skip()
	if c := f.next(); c == '"' || c == '\'' {
		f.at++
		end := strings.IndexByte(f.text[f.at:], c)
		if end < 0 {
			end = len(f.text) - f.at
		}
		word := f.text[f.at : f.at+end]
		f.at = min(len(f.text), f.at+end+1)
		return word
	}
	end := strings.IndexAny(f.text[f.at:], ends)
	if end < 0 {
		end = len(f.text) - f.at
	}
	word := strings.TrimSpace(f.text[f.at : f.at+end])
	f.at += end
	return word
}
