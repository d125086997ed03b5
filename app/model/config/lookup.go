package config

import (
	"math"
	"strconv"
	"strings"
)

// found is what there is about a role: a field of the file, or what to assume.
type found struct {
	*role
	path    string // of the field, or of the one that is missing; empty if files never say
	field   *value // nil if the file does not say
	assumed string // what holds then
	family  bool   // it is the family's default, not the general one
}

// What stands for a fallback where there is none: of what a family may know, and of what every file says. Only files
// that nest their language model leave the latter to the family.
const (
	needed    = "!"
	essential = "!!"
)

// find looks a role up in the file, and otherwise in the tables.
func (r *reading) find(name string) *found {
	f := &found{role: r.tables.role(name)}
	f.assumed = f.fallback
	names := f.names
	s, has := r.family.setting(name)
	if has {
		f.family, f.assumed = s.value != f.fallback, s.value
		if s.fixed {
			return f
		}
		if s.names != nil {
			names = s.names
		}
	}
	for _, n := range names {
		r.look(f, n)
	}
	if f.path == "" && len(names) > 0 {
		f.path = r.prefix + names[0]
	}
	if f.field != nil && f.field.kind == null {
		f.null(r)
	}
	return f
}

// look looks at one name of a role. A second name must say the same as the first.
func (r *reading) look(f *found, n string) {
	v, path := within(r.inner, n), r.prefix+n
	if v == nil && (f.name == "tied" || f.name == "vocab") {
		v, path = within(r.outer, n), n
	}
	if object, _, nested := strings.Cut(n, "."); nested {
		r.used[r.prefix+object+"."] = true // what else it holds is accounted for field by field
	}
	if v == nil {
		return
	}
	if f.field == nil || f.field.kind == null {
		if f.field != nil {
			r.understood(f.path, "null: "+clean(path)+" counts")
		}
		f.field, f.path = v, path
	} else if v.kind == null || v.kind == f.field.kind && v.text == f.field.text {
		r.understood(path, "says the same as "+clean(f.path))
	} else {
		note(&r.Doubts, path, "says "+clean(v.shown())+", but "+clean(f.path)+" says "+clean(f.field.shown())+", which "+
			"counts")
	}
	r.used[path] = true
}

// null is what null in the file means: what holds in general, or else what the family assumes.
func (f *found) null(r *reading) {
	f.field = nil
	if f.fallback == needed || f.fallback == essential {
		return
	}
	f.assumed, f.family = f.fallback, false
	if f.meaning != "" {
		r.understood(f.path, f.label+": null, which means "+f.meaning)
	} else {
		r.understood(f.path, f.label+": null, which means what is usual")
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
func (r *reading) assume(f *found) bool {
	if f.assumed == needed || f.assumed == essential || f.fallback == essential && r.prefix == "" {
		r.lack(
			r.inner,
			"there is no "+first(f.path, f.label)+", the "+f.label,
			"write "+strconv.Quote(last(f.path))+": "+f.example(),
		)
		return false
	}
	if f.path != "" && (f.family || f.always) {
		note(&r.Missing, f.path, r.assumption(f))
	}
	return true
}

// assumption is "assumed heads of keys and values: 8, as in transformers' MistralConfig".
func (r *reading) assumption(f *found) string {
	said := "assumed " + f.say(f.assumed)
	switch {
	case f.kind == "flag" && f.assumed == "on":
		said = "assumed " + f.label
	case f.kind == "flag" && f.assumed != f.fallback:
		said = "assumed " + f.say(yes(false))
	case f.kind == "flag":
		said = "assumed " + f.meaning
	case f.assumed == f.fallback && f.meaning != "":
		said = "assumed " + f.label + ": " + f.meaning + r.meant(f.name)
	}
	if f.family && r.family.class != "" {
		said += ", as in transformers' " + r.family.class
	}
	return said
}

// meant is the number that an assumption comes to, where that takes a look at other fields.
func (r *reading) meant(role string) string {
	m := &r.Model
	switch {
	case role == "kv_heads":
		return ", " + strconv.Itoa(m.Heads)
	case role == "head_size" && m.Heads > 0 && m.Width%m.Heads == 0:
		return ", " + strconv.Itoa(m.Width/m.Heads)
	}
	return ""
}

// example is a value that a role may have.
func (f *found) example() string {
	if f.assumed != needed && f.assumed != essential {
		return f.assumed
	}
	return "a whole number from " + plainNumber(max(f.least, 1)) + " to " + plainNumber(f.most)
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
	n, ok := r.whole(f.field.same(), f.path, f.least, f.most)
	if ok {
		r.understood(f.path, f.say(strconv.Itoa(n)))
	}
	return n
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

// whole is a value that must be a whole number within a range.
func (r *reading) whole(v *value, path string, least, most float64) (int, bool) {
	valid := "write a whole number from " + plainNumber(least) + " to " + plainNumber(most)
	if v.kind != number {
		r.fail(v, clean(path)+" is "+v.shown(), valid)
		return 0, false
	}
	x, err := strconv.ParseFloat(v.text, 64)
	if err != nil || x != math.Trunc(x) || x < least || x > most {
		r.fail(v, clean(path)+" is "+clean(v.text), valid)
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
	if f.field.kind != boolean {
		r.fail(f.field, clean(f.path)+" is "+f.field.shown(), "write true or false")
		return false
	}
	on := f.field.text == "true"
	r.understood(f.path, f.label+": "+yes(on))
	return on
}

// constant is a role that only the tables know.
func (r *reading) constant(name string) string { return r.find(name).assumed }

// list is a role that is a list with an entry for each layer, or any number of entries if n is negative. It is nil if
// there is none.
func (r *reading) list(name string, n int) *value {
	f := r.find(name)
	if f.field == nil {
		return nil
	}
	if f.field.kind != list {
		r.fail(f.field, clean(f.path)+" is "+f.field.shown(), "write a list, [...], or null")
		return nil
	}
	if len(f.field.items) == 0 {
		r.understood(f.path, f.label+": none are named")
		return nil
	}
	if n >= 0 && len(f.field.items) < n {
		r.fail(
			f.field,
			clean(f.path)+" has "+strconv.Itoa(len(f.field.items))+" entries for "+plural(n, "layer"),
			"write one for each layer",
		)
		return nil
	}
	r.understood(f.path, f.label+", one by one")
	return f.field
}

func yes(on bool) string {
	if on {
		return "yes"
	}
	return "no"
}

// plainNumber writes a whole number in full.
func plainNumber(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// shown is a value as a message names it.
func (v *value) shown() string {
	switch v.kind {
	case null:
		return "null"
	case text:
		return "the text " + quote(v.text)
	case list:
		return "a list"
	case object:
		return "an object"
	}
	return clean(v.text)
}
