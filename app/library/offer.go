package library

import (
	"strings"

	"github.com/scalebook/scalebook/app/sheet/value"
)

// offered is a function as it is declared. It takes parameters with their types, and gives one: a unit, text, switch,
// dtype, a record of any record type or of one that is named, or a list of them. A parameter without a type is a plain
// number.
type offered struct {
	Name, Takes, Gives, Doc string
	Work                    int
	Call                    func(a []value.Value) (value.Value, error)
	Begin                   func(a []value.Value) value.Task // of long work, which Call does at once if it isn't given
	Stream                  func() value.Fed                 // the same, of a text that comes in pieces
}

// register adds functions to env, which has their record types.
func register(env *value.Env, source string, functions []offered) {
	for _, d := range functions {
		f := &value.Func{Name: d.Name, Params: paramsOf(env, d.Takes), Result: typeOf(env, d.Gives), Work: d.Work,
			Doc: d.Doc, Source: source, Call: d.Call, Begin: d.Begin, Stream: d.Stream}
		if f.Call == nil {
			f.Call = atOnce(f.Begin)
		}
		env.Funcs[f.Name] = f
	}
}

// paramsOf reads parameters: a name and its type, separated by commas.
func paramsOf(env *value.Env, takes string) []value.Param {
	var all []value.Param
	for part := range strings.SplitSeq(takes, ", ") {
		if name, what, _ := strings.Cut(part, " "); name != "" {
			all = append(all, param(name, typeOf(env, what)))
		}
	}
	return all
}

// typeOf is the type of these words.
func typeOf(env *value.Env, words string) value.Type {
	if of, list := strings.CutPrefix(words, "list "); list {
		return value.ListOf(typeOf(env, of))
	}
	switch kin := kinNamed(env, words); {
	case kin != nil:
		return kinType(kin)
	case words == "dtype":
		return dtype
	case words == "record":
		return value.Type{Kind: value.Rec}
	}
	return fieldType(words)
}

// newKin is a record type of records that env has from then on, with the fields that the table has of it; types has
// those of records and lists.
func newKin(env *value.Env, name string, types map[string]value.Type) *value.RecordType {
	kin := withFields(value.RecordType{Name: name}, types)
	env.RecordTypes = append(env.RecordTypes, kin)
	return kin
}
