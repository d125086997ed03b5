package config

import (
	"strconv"
	"unicode/utf8"
)

// MaxBytes is how long a text may be. The largest real configurations have some 200 KB.
const MaxBytes = 1 << 20

// What else a text may have at the most. Real ones have five levels and a few hundred values.
const (
	maxDepth  = 64
	maxValues = 100_000
	maxNumber = 400 // characters of one number
)

// kind is what a JSON value is.
type kind uint8

const (
	null kind = iota
	boolean
	number
	text
	list
	object
	strange // NaN, Infinity, -Infinity: Python writes them, though JSON has no such numbers
)

// value is a JSON value and where it stands.
type value struct {
	kind  kind
	at    int     // byte offset in the text
	text  string  // "true" or "false", a number as it is written, a text without its escapes
	items []value // of a list or an object
	names []name  // of an object, in step with items; each only once
}

// name is a field's name and where it stands.
type name struct {
	text string
	at   int
}

// field finds a field of an object; nil if it has none of that name.
func (v *value) field(wanted string) *value {
	for i := range v.names {
		if v.names[i].text == wanted {
			return &v.items[i]
		}
	}
	return nil
}

// double is a name that an object has twice.
type double struct {
	name      string
	first, at int
}

// reader reads a text from its start to its end, once.
type reader struct {
	src     string
	pos     int
	depth   int
	values  int
	doubles []double
}

// readJSON reads one JSON object. Like Python it takes NaN and Infinity, and of a name given twice the later value.
func readJSON(src string) (value, []double, *Error) {
	if err := readable(src); err != nil {
		return value{}, nil, err
	}
	r := reader{src: src}
	if len(src) >= 3 && src[:3] == "\xef\xbb\xbf" {
		r.pos = 3 // a byte order mark
	}
	r.space()
	if err := r.opening(); err != nil {
		return value{}, nil, err
	}
	v, err := r.value()
	if err != nil {
		return value{}, nil, err
	}
	if r.space(); r.pos < len(src) {
		return value{}, nil, r.fail(r.pos, "there is more after the end of the object", "end the text at its last }")
	}
	return v, r.doubles, nil
}

// readable refuses what is too long, or no text in UTF-8.
func readable(src string) *Error {
	switch {
	case len(src) > MaxBytes:
		return &Error{Pos{1, 1}, "the text has more than " + strconv.Itoa(MaxBytes) + " bytes",
			"a config.json has a few thousand"}
	case len(src) >= 2 && (src[:2] == "\xff\xfe" || src[:2] == "\xfe\xff" || src[0] == 0 || src[1] == 0):
		return &Error{Pos{1, 1}, "the text is in UTF-16 or UTF-32", "save it as UTF-8"}
	}
	for i := 0; i < len(src); {
		c, n := utf8.DecodeRuneInString(src[i:])
		if c == utf8.RuneError && n == 1 {
			return &Error{position(src, i), "a byte that is no UTF-8", "save the text as UTF-8"}
		}
		i += n
	}
	return nil
}

// opening wants an object, and knows what people bring instead.
func (r *reader) opening() *Error {
	if r.pos == len(r.src) {
		return r.fail(r.pos, "the text is empty", `give the config.json of a model, like {"model_type": "llama", ...}`)
	}
	switch r.src[r.pos] {
	case '{':
		return nil
	case '<':
		return r.fail(r.pos, "this is a web page", "give the config.json itself: the raw file, which begins with {")
	case '[':
		return r.fail(r.pos, "this is a list", "a config.json is one object, which begins with {")
	}
	return r.fail(r.pos, "this is no JSON object", "a config.json begins with {")
}

func (r *reader) fail(at int, what, remedy string) *Error {
	return &Error{position(r.src, at), what, remedy}
}

func (r *reader) space() {
	for r.pos < len(r.src) {
		switch r.src[r.pos] {
		case ' ', '\t', '\n', '\r':
			r.pos++
		default:
			return
		}
	}
}

// next is the byte to be read next; 0 at the end.
func (r *reader) next() byte {
	if r.pos < len(r.src) {
		return r.src[r.pos]
	}
	return 0
}

// value reads any value.
func (r *reader) value() (value, *Error) {
	if r.values++; r.values > maxValues {
		return value{}, r.fail(r.pos, "there are more than "+strconv.Itoa(maxValues)+" values", "a config.json has a few hundred")
	}
	at := r.pos
	switch c := r.next(); {
	case c == '{':
		return r.nested(object)
	case c == '[':
		return r.nested(list)
	case c == '"':
		s, err := r.text()
		return value{kind: text, at: at, text: s}, err
	case c == '-' || '0' <= c && c <= '9':
		return r.number()
	}
	return r.word()
}

// nested reads an object or a list, and keeps count of the depth.
func (r *reader) nested(k kind) (value, *Error) {
	if r.depth++; r.depth > maxDepth {
		return value{}, r.fail(r.pos, "the text nests deeper than "+strconv.Itoa(maxDepth)+" levels", "a config.json has a handful")
	}
	defer func() { r.depth-- }()
	v := value{kind: k, at: r.pos}
	closing, read := byte(']'), r.item
	if k == object {
		closing, read = '}', r.member()
	}
	r.pos++
	if r.space(); r.next() == closing {
		r.pos++
		return v, nil
	}
	for {
		if err := read(&v); err != nil {
			return value{}, err
		}
		if done, err := r.more(&v, closing); done || err != nil {
			return v, err
		}
	}
}

// more reads what stands after an item: a comma, or the end.
func (r *reader) more(v *value, closing byte) (done bool, err *Error) {
	r.space()
	switch r.next() {
	case closing:
		r.pos++
		return true, nil
	case ',':
		comma := r.pos
		r.pos++
		if r.space(); r.next() == closing {
			return false, r.fail(comma, "a comma before "+string(closing), "leave it out")
		}
		return false, nil
	}
	if r.pos == len(r.src) {
		return false, r.fail(r.pos, "the text ends within what begins at "+position(r.src, v.at).String(), "it is cut off: give the whole file")
	}
	return false, r.fail(r.pos, "unexpected "+r.shown(), "write , or "+string(closing)+" here")
}

// item reads a list's next item.
func (r *reader) item(v *value) *Error {
	item, err := r.value()
	v.items = append(v.items, item)
	return err
}

// member is a function that reads an object's next field. It remembers the names.
func (r *reader) member() func(*value) *Error {
	seen := map[string]int{}
	return func(v *value) *Error {
		at := r.pos
		if r.next() != '"' {
			return r.noName()
		}
		s, err := r.text()
		if err != nil {
			return err
		}
		if r.space(); r.next() != ':' {
			return r.fail(r.pos, "no colon after the name "+quote(s), `write "name": value`)
		}
		r.pos++
		r.space()
		item, err := r.value()
		if err != nil {
			return err
		}
		if i, twice := seen[s]; twice {
			r.doubles = append(r.doubles, double{s, v.names[i].at, at})
			v.names[i].at, v.items[i] = at, item
			return nil
		}
		seen[s] = len(v.names)
		v.names = append(v.names, name{s, at})
		v.items = append(v.items, item)
		return nil
	}
}

func (r *reader) noName() *Error {
	switch r.next() {
	case 0:
		return r.fail(r.pos, "the text ends where a name should stand", "it is cut off: give the whole file")
	case '\'':
		return r.fail(r.pos, "a name in single quotes", `this is Python, not JSON; write "name"`)
	case '/', '#':
		return r.fail(r.pos, "a comment", "JSON has none; leave it out")
	}
	return r.fail(r.pos, "unexpected "+r.shown(), `write a name in double quotes here, "hidden_size"`)
}
