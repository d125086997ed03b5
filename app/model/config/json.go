package config

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/scalebook/scalebook/app/phrase"
)

// MaxBytes is how long a text may be. The largest real configurations, which list what is not quantised, have 3 MB.
const MaxBytes = 4 << 20

// What else a text may have at the most. Real ones have five levels and a few hundred values.
const (
	maxDepth  = 64
	maxValues = 100_000 // that are kept
	maxLong   = 10_000  // that are kept before those of long fields are not
	maxNumber = 400     // characters of one number
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
	at    int      // byte offset in the text
	text  string   // "true" or "false", a number as it is written, a text without its escapes
	items []*value // of a list or an object
	names []name   // of an object, in step with items; each only once
	n     int      // items of a list that are not kept
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
			return v.items[i]
		}
	}
	return nil
}

// double is a name that an object has twice, or that a script sets twice.
type double struct {
	name      string
	first, at int
	script    bool
}

// reader reads a text from its start to its end, once. Its methods give nil or nothing after a fault.
type reader struct {
	src     string
	pos     int
	depth   int
	values  int
	skims   int // long fields that are open
	fenced  bool
	prose   bool // the object stands between sentences, or is given to a name
	doubles []double
	err     *Error // the first fault
}

// readJSON reads one JSON object. Like Python it takes NaN and Infinity, and of a name given twice the later value.
// What means the same in Python or YAML is read too: texts in single quotes, True and None, comments, a comma before an
// end.
func readJSON(src string) (*value, []double, *Error) {
	r := &reader{src: src}
	if !r.readable() {
		return nil, nil, r.err
	}
	if strings.HasPrefix(src, "\xef\xbb\xbf") {
		r.pos = 3 // a byte order mark
	}
	r.space()
	if !r.opening() {
		return nil, nil, r.err
	}
	v := r.value()
	if v != nil {
		if r.space(); r.fenced && strings.HasPrefix(src[r.pos:], fence) {
			r.pos += len(fence)
			r.space()
		}
		if rest := src[r.pos:]; strings.HasPrefix(rest, "{") {
			r.refuse(r.pos, "config.second-object", "config.one-object")
		} else if rest != "" && (!r.prose || strings.ContainsAny(rest, "{}")) {
			r.refuse(r.pos, "config.after-end", "config.end-there")
		}
	}
	return v, r.doubles, r.err
}

// fail reports a fault. It returns false, so that whoever finds one can.
func (r *reader) fail(at int, what, remedy *phrase.Phrase) bool {
	if r.err == nil {
		r.err = &Error{Pos: position(r.src, at), What: what, Remedy: remedy}
	}
	return false
}

// refuse reports a fault in sentences without gaps, by their keys.
func (r *reader) refuse(at int, what, remedy string) bool {
	return r.fail(at, phrase.New(what), phrase.New(remedy))
}

// cut reports that the text is not whole.
func (r *reader) cut(at int, what *phrase.Phrase) bool {
	return r.fail(at, what, phrase.New("config.cut-off"))
}

// readable refuses what is too long, or no text in UTF-8.
func (r *reader) readable() bool {
	src := r.src
	switch {
	case len(src) > MaxBytes:
		return r.fail(0, phrase.New("config.long", "most", MaxBytes), phrase.New("config.few-thousand"))
	case len(src) >= 2 && (src[:2] == "\xff\xfe" || src[:2] == "\xfe\xff" || src[0] == 0 || src[1] == 0):
		return r.refuse(0, "config.wide-text", "config.save-it")
	}
	if utf8.ValidString(src) {
		return true
	}
	for i := 0; i < len(src); {
		c, n := utf8.DecodeRuneInString(src[i:])
		if c == utf8.RuneError && n == 1 {
			return r.refuse(i, "config.bad-byte", "config.save-text")
		}
		i += n
	}
	return true
}

// readText reads a JSON object, or what lines say that are no JSON.
func readText(src string) (*value, []double, *Error) {
	root, doubles, err := readJSON(src)
	if err == nil || err.What == nil || err.Pos.Line == 0 {
		return root, doubles, err
	}
	if r := (reader{src: src}); err.lines && r.readable() {
		if root, doubles := readLines(src); root != nil {
			return root, doubles, nil
		}
		if !r.holds() {
			return root, doubles, r.err
		}
	}
	return root, doubles, err
}

func (r *reader) space() {
	for r.pos < len(r.src) {
		switch r.src[r.pos] {
		case ' ', '\t', '\n', '\r':
			r.pos++
		case '/', '#': // a comment
			comment, _, _ := strings.Cut(r.src[r.pos:], "\n")
			if inner, is := strings.CutPrefix(r.src[r.pos:], "/*"); is {
				inner, _, _ = strings.Cut(inner, "*/")
				comment = r.src[r.pos:min(len(r.src), r.pos+len("/**/")+len(inner))]
			}
			r.pos += len(comment)
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
func (r *reader) value() *value {
	if r.skims > 0 && r.values > maxLong {
		return r.skim()
	}
	if r.values++; r.values > maxValues {
		r.fail(r.pos, phrase.New("config.many-values", "most", maxValues), phrase.New("config.few-hundred"))
		return nil
	}
	v := &value{at: r.pos}
	good := false
	switch c := r.next(); {
	case c == '{':
		v.kind = object
		good = r.nested(v, '}')
	case c == '[':
		v.kind = list
		good = r.nested(v, ']')
	case r.quoted():
		v.kind = text
		v.text, good = r.text()
	case c == '-' || '0' <= c && c <= '9':
		v.kind = number
		good = r.number(v)
	default:
		good = r.word(v)
	}
	if !good {
		return nil
	}
	return v
}

// nested reads an object or a list, and keeps count of the depth.
func (r *reader) nested(v *value, closing byte) bool {
	if r.depth++; r.depth > maxDepth {
		return r.fail(r.pos, phrase.New("config.deep", "most", maxDepth), phrase.New("config.handful"))
	}
	var seen map[string]int
	if v.kind == object {
		seen = map[string]int{}
	}
	r.pos++
	if r.space(); r.next() != closing {
		for more := true; more; {
			if v.kind == object && !r.member(v, seen) || v.kind == list && !r.item(v) || !r.more(v, closing, &more) {
				return false
			}
		}
	} else {
		r.pos++
	}
	r.depth--
	return true
}

// more reads what stands after an item: a comma, or the end.
func (r *reader) more(v *value, closing byte, more *bool) bool {
	r.space()
	switch r.next() {
	case closing:
		r.pos++
		*more = false
		return true
	case ',':
		r.pos++
		if r.space(); r.next() == closing {
			r.pos++
			*more = false
		}
		return true
	}
	if r.pos == len(r.src) {
		return r.cut(r.pos, phrase.New("config.ends-in", "place", position(r.src, v.at)))
	}
	return r.fail(r.pos, r.unexpected(), phrase.New("config.comma-or", "sign", string(closing)))
}

// item reads a list's next item.
func (r *reader) item(v *value) bool {
	item := r.value()
	if item != &skimmed {
		v.items = append(v.items, item)
	} else {
		v.n++
	}
	return item != nil
}

// skimmed stands for a value that was read and is not kept.
var skimmed value

// skim reads a value that is not kept.
func (r *reader) skim() *value {
	v, good := value{at: r.pos}, false
	switch c := r.next(); {
	case c == '{':
		v.kind = object
		good = r.nested(&v, '}')
	case c == '[':
		v.kind = list
		good = r.nested(&v, ']')
	case r.quoted():
		_, good = r.text()
	case c == '-' || '0' <= c && c <= '9':
		good = r.number(&v)
	default:
		good = r.word(&v)
	}
	if !good {
		return nil
	}
	return &skimmed
}

// long are the fields that may be long, and of which nothing is needed, or how many there are.
func long(name string) bool {
	switch name {
	case "quantization_config", "compression_config", "quantization", "weight_map", "value", "tokenizer.ggml.tokens",
		"tokenizer.ggml.token_type", "tokenizer.ggml.merges", "tokenizer.ggml.scores":
		return true
	}
	return false
}

// member reads an object's next field. Seen has the names before it.
func (r *reader) member(v *value, seen map[string]int) bool {
	at := r.pos
	if !r.quoted() {
		return r.noName()
	}
	s, good := r.text()
	if !good {
		return false
	}
	if r.space(); r.next() != ':' {
		return r.fail(r.pos, phrase.New("config.no-colon", "name", quote(s)), phrase.New("config.write-colon"))
	}
	r.pos++
	r.space()
	item := r.valueOf(s)
	if item == nil || item == &skimmed {
		return item != nil
	}
	if i, twice := seen[s]; twice {
		r.doubles = append(r.doubles, double{s, v.names[i].at, at, false})
		v.names[i].at, v.items[i] = at, item
		return true
	}
	seen[s] = len(v.names)
	v.names = append(v.names, name{s, at})
	v.items = append(v.items, item)
	return true
}

// valueOf is the value of a field. Of a long one only the first values are kept, and how many items it has.
func (r *reader) valueOf(name string) *value {
	if !long(name) {
		return r.value()
	}
	r.skims++
	v := r.value()
	r.skims--
	if v != nil && v.kind == list && v.n > 0 {
		v.text = strconv.Itoa(len(v.items) + v.n)
	}
	return v
}

func (r *reader) noName() bool {
	if r.pos == len(r.src) {
		return r.cut(r.pos, phrase.New("config.ends-name"))
	}
	return r.fail(r.pos, r.unexpected(), phrase.New("config.write-name"))
}

// unexpected says what the character to be read next is.
func (r *reader) unexpected() *phrase.Phrase {
	if r.pos == len(r.src) {
		return phrase.New("config.unexpected", "text", phrase.New("config.end"))
	}
	c, _ := utf8.DecodeRuneInString(r.src[r.pos:])
	return phrase.New("config.unexpected", "text", quote(string(c)))
}
