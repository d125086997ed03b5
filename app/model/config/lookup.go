package config

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
)

// roleValue is what there is about a role: a field of the file, or what to assume.
type roleValue struct {
	*role
	path    string // of the field, or of the one that is missing; empty if files never say
	field   *value // nil if the file does not say
	assumed string // what holds then
	family  bool   // it is the family's default, not the general one
	format  bool   // it is the format's
	unless  bool   // a flag that the field says the contrary of
	words   string // for which texts a flag is on, parted by |; empty if the field is true or false
}

// What stands for a fallback where there is none: of what a family may know, and of what every file says. Only files
// that nest their language model leave the latter to the family.
const (
	needed    = "!"
	essential = "!!"
)

// find looks a role up in the file, and otherwise in the tables.
func (r *reading) find(name string) *roleValue {
	f := &roleValue{role: r.tables.role(name)}
	f.assumed = f.fallback
	names := f.names
	s, has := r.family.setting(name)
	own, owns := r.format.setting(name)
	if has {
		f.family, f.assumed = s.value != f.fallback, s.value
		if s.fixed && !(owns && r.has(own.names)) {
			return f
		}
		if s.names != nil {
			names = s.names
		}
	}
	if owns {
		if own.value != "" && (!r.byName || own.value[0] == needed[0]) {
			f.family, f.format, f.assumed = false, own.value != f.fallback, own.value
		}
		if own.fixed {
			return f
		}
		if own.names != nil && (r.has(own.names) || !r.has(names)) {
			names = own.names
		}
	}
	if r.is("gguf") {
		if s, has := r.family.setting("gguf." + name); has {
			f.assumed, f.family, f.format = s.value, false, true // as its published files have what GGUF doesn't say
		}
	}
	for _, n := range names {
		r.look(f, n)
	}
	if f.field == nil && len(names) > 0 {
		r.lookElsewhere(f)
	}
	if f.path == "" && len(names) > 0 {
		f.path = r.prefix + field0(names[0])
	}
	if f.field != nil && f.field.kind == null {
		f.null(r)
	}
	return f
}

// has tells whether the file has a field of one of these names.
func (r *reading) has(names []string) bool {
	for _, n := range names {
		if v := within(r.inner, field0(n)); v != nil && v.kind != null {
			return true
		}
	}
	return false
}

// lookElsewhere looks a role up by the names that other families and formats have for it: what a file says under a name
// that is known is never replaced by an assumption.
func (r *reading) lookElsewhere(f *roleValue) {
	for i := range r.inner.names {
		n := r.inner.names[i].text
		as := r.tables.owners[n]
		if n == "qk_head_dim" && !r.is("megatron") { // elsewhere it is the size with the rotary part
			continue
		}
		if as.role == f.name && r.inner.items[i].kind != null {
			r.look(f, as.name)
			return
		}
	}
}

// look looks at one name of a role. A second name must say the same as the first.
func (r *reading) look(f *roleValue, n string) {
	as := n
	n = field0(n)
	v, path := within(r.inner, n), r.prefix+n
	around, prefix := r.around()
	if v == nil && f.name == "vocab" {
		if v, path = within(around, n), prefix+n; v == nil {
			v, path = within(r.outer, n), n
		}
	}
	if f.name == "tied" && around.field(n) != nil {
		r.look1(f, as, around.field(n), prefix+n) // what holds for the whole model counts, as in transformers
	}
	if v != nil {
		r.look1(f, as, v, path)
	}
	if object, _, nested := strings.Cut(n, "."); nested {
		r.used[r.prefix+object+"."] = true // what else it holds is accounted for field by field
	}
}

// around is the object in which that of the language model stands, and its path; nothing if that is the file.
func (r *reading) around() (*value, string) {
	if r.prefix == "" || r.is("gguf") {
		return &value{}, ""
	}
	prefix := strings.TrimSuffix(r.prefix, ".")
	prefix = prefix[:strings.LastIndexByte(prefix, '.')+1]
	if prefix == "" {
		return r.outer, ""
	}
	if v := within(r.outer, strings.TrimSuffix(prefix, ".")); v != nil {
		return v, prefix
	}
	return r.outer, ""
}

// look1 takes a value for a role, the first that there is.
func (r *reading) look1(f *roleValue, as string, v *value, path string) {
	if f.field == nil || f.field.kind == null {
		if f.field != nil {
			r.understood(f.path, phrase.New("config.null-counts", "field", clean(path)))
		}
		f.field, f.path, f.unless = v, path, as[0] == '~'
		_, f.words, _ = strings.Cut(as, "=")
	} else if v.kind == null || v.kind == f.field.kind && v.text == f.field.text {
		r.understood(path, phrase.New("config.same", "field", clean(f.path)))
	} else {
		note(&r.Doubts, path, phrase.New("config.differ", "value", v.shown(), "field", clean(f.path),
			"other", f.field.shown()))
	}
	r.used[path] = true
}

// null is what null in the file means: what holds in general, or else what the family assumes.
func (f *roleValue) null(r *reading) {
	f.field = nil
	if f.fallback == needed || f.fallback == essential {
		return
	}
	f.assumed, f.family = f.fallback, false
	if f.meaning != "" {
		r.understood(f.path, phrase.New("config.null-means", "role", f.label, "meaning", f.meaning))
	} else {
		r.understood(f.path, phrase.New("config.null-usual", "role", f.label))
	}
	f.path = "" // nothing is missing
}

// within is a field by its path: "attn_config.kv_n_heads".
func within(v *value, path string) *value {
	for v != nil {
		n, rest, deeper := strings.Cut(path, ".")
		if v = v.field(n); !deeper {
			return v
		}
		path = rest
	}
	return nil
}

// assume reports what holds for a role of which the file says nothing. It is false if nothing holds.
func (r *reading) assume(f *roleValue) bool {
	if f.assumed == needed || f.assumed == essential || f.fallback == essential && r.prefix == "" {
		r.lack(
			r.inner,
			phrase.New("config.no-field", "field", first(f.path, f.label), "role", f.label),
			phrase.New("config.add-field", "name", strconv.Quote(last(f.path)), "example", f.example()),
		)
		return false
	}
	if f.path != "" && (f.family || f.format || f.alwaysReported) {
		note(&r.Missing, f.path, r.assumption(f))
	}
	return true
}

// assumption is "assumed heads of keys and values: 8, as in transformers' MistralConfig".
func (r *reading) assumption(f *roleValue) *phrase.Phrase {
	what := f.say(f.assumed)
	switch {
	case f.kind == "flag" && f.assumed == "on":
		what = asIs(f.label)
	case f.kind == "flag" && f.assumed != f.fallback:
		what = f.say(yes(false))
	case f.kind == "flag":
		what = asIs(f.meaning)
	case f.assumed == f.fallback && f.meaning != "":
		what = r.meant(f)
	}
	if f.format {
		return phrase.New("config.assumed-format", "what", what, "format", r.format.title)
	}
	if f.family && r.family.class != "" {
		return phrase.New("config.assumed-as", "what", what, "class", r.family.class+"Config")
	}
	return phrase.New("config.assumed", "what", what)
}

// meant is what a role's fallback means, with the number that it comes to where that takes a look at other fields.
func (r *reading) meant(f *roleValue) *phrase.Phrase {
	m, n := &r.Model, 0
	switch {
	case f.name == "kv_heads":
		n = m.Heads
	case f.name == "head_size" && m.Heads > 0 && m.Width%m.Heads == 0:
		n = m.Width / m.Heads
	default:
		return phrase.New("config.set", "role", f.label, "value", f.meaning)
	}
	return phrase.New("config.set-number", "role", f.label, "meaning", f.meaning, "n", n)
}

// example is a value that a role may have.
func (f *roleValue) example() any {
	if f.assumed != needed && f.assumed != essential {
		return f.assumed
	}
	return phrase.New("config.a-whole", "least", plainNumber(max(f.least, 1)), "most", plainNumber(f.most))
}

// last is the last name of a path.
func last(path string) string { return path[strings.LastIndexByte(path, '.')+1:] }

// count is a role that is a whole number.
func (r *reading) count(name string) int {
	f := r.find(name)
	if f.field == nil {
		if !r.assume(f) {
			return 0
		}
		n, _ := strconv.Atoi(f.assumed)
		return n
	}
	v := f.field.same()
	if _, err := strconv.Atoi(v.text); err == nil && v.kind == text && r.format != nil { // in quotes
		v = &value{kind: number, text: v.text, at: v.at}
	}
	if v.kind == list && len(v.items) == 2 && modal(name) {
		if second, ok := r.whole(v.items[1], clean(f.path), f.least, f.most); ok {
			r.seeing[name] = second
		}
		v = v.items[0]
	}
	if v.kind == list && len(v.items) == 0 && v.text != "" {
		r.fail(v, f.is(), phrase.New("config.cut-off"))
	}
	n, ok := r.whole(v, clean(f.path), f.least, f.most)
	if ok {
		r.understood(f.path, f.say(strconv.Itoa(n)))
	}
	return n
}

// modal tells whether a role may be given for text and for pictures, a list of two (ERNIE 4.5 VL).
func modal(role string) bool {
	switch role {
	case "experts", "top_k", "expert_ff", "shared", "first_dense", "last_expert", "expert_step":
		return true
	}
	return false
}

// same is the one number of a list that gives every layer the same; any other value is itself.
func (v *value) same() *value {
	if v.kind != list || len(v.items) < 2 {
		return v
	}
	for _, item := range v.items {
		if item.kind != number || item.text != v.items[0].text {
			return v
		}
	}
	return v.items[0]
}

// whole is a value that must be a whole number within a range; who is its field, or what it is otherwise.
func (r *reading) whole(v *value, who any, least, most float64) (int, bool) {
	x, err := strconv.ParseFloat(v.text, 64)
	if v.kind != number || err != nil || x != math.Trunc(x) || x < least || x > most {
		remedy := phrase.New("config.whole", "least", plainNumber(least), "most", plainNumber(most))
		if strings.HasPrefix(v.text, "$") {
			remedy = phrase.New("config.of-script", "remedy", remedy)
		}
		r.fail(v, phrase.New("config.is", "field", who, "value", v.shown()), remedy)
		return 0, false
	}
	return int(x), true
}

// flag is a role that is on or off.
func (r *reading) flag(name string) bool {
	f := r.find(name)
	if f.field == nil {
		return r.assume(f) && f.assumed == "on"
	}
	on := f.field.text == "true"
	if f.words != "" {
		on = slices.Contains(strings.Split(f.words, "|"), f.field.text)
	} else if f.field.kind != boolean {
		r.fail(f.field, f.is(), phrase.New("config.true-false"))
		return false
	}
	on = on != f.unless
	r.understood(f.path, phrase.New("config.set", "role", f.label, "value", yes(on)))
	return on
}

// constant is a role that only the tables know.
func (r *reading) constant(name string) string { return r.find(name).assumed }

// norm is the kind of norms: as the format's files name it, "RMSNorm", or as the tables say.
func (r *reading) norm() string {
	f := r.find("norm")
	if f.field == nil || f.field.kind != text {
		if f.format {
			r.assume(f)
		}
		return f.assumed
	}
	kind := "layer"
	if strings.Contains(strings.ToLower(f.field.text), "rms") {
		kind = "rms"
	}
	r.understood(f.path, f.trait(kind))
	return kind
}

// list is a role that is a list with an entry for each layer, or any number of entries if n is negative. It is nil if
// there is none.
func (r *reading) list(name string, n int) *value {
	f := r.find(name)
	if f.field == nil {
		return nil
	}
	if f.field.kind != list {
		r.fail(f.field, f.is(), phrase.New("config.write-list"))
		return nil
	}
	if len(f.field.items) == 0 {
		r.understood(f.path, phrase.New("config.none-named", "role", f.label))
		return nil
	}
	if n >= 0 && len(f.field.items) < n {
		r.fail(
			f.field,
			phrase.New("config.few-entries", "field", clean(f.path), "n", len(f.field.items), "layers", layersText(n)),
			phrase.New("config.each-layer"),
		)
		return nil
	}
	r.understood(f.path, phrase.New("config.one-by-one", "role", f.label))
	return f.field
}

// is says what the field holds.
func (f *roleValue) is() *phrase.Phrase {
	return phrase.New("config.is", "field", clean(f.path), "value", f.field.shown())
}

func yes(on bool) *phrase.Phrase {
	if on {
		return phrase.New("config.yes")
	}
	return phrase.New("config.no")
}

// plainNumber writes a whole number in full.
func plainNumber(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// shown is a value as a message names it.
func (v *value) shown() any {
	switch v.kind {
	case null:
		return "null"
	case text:
		return phrase.New("config.the-text", "text", quote(v.text))
	case list:
		return phrase.New("config.a-list")
	case object:
		return phrase.New("config.an-object")
	}
	return clean(v.text)
}
