package value

import (
	"fmt"
	"slices"

	"github.com/scalebook/scalebook/app/phrase"
)

// Arguments are the parameters of f as a call writes them: those of a method leave out the record it belongs to.
func (f *Func) Arguments(method bool) []Param {
	if method && len(f.Params) > 0 && f.Params[0].Type.Kind == Rec {
		return f.Params[1:]
	}
	return f.Params
}

// ForRecord is the method of that name that r's own type has, or f, which is that of a record type like it.
func (f *Func) ForRecord(r *Record, name string) *Func {
	if r != nil && r.Type.Method(name) != nil {
		return r.Type.Method(name)
	}
	return f
}

// Guarded calls fn and turns a panic into an error: one faulty function leaves the other rows alone.
func Guarded(fn *Func, args []Value) (v Value, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = phrase.New("sheet.failed", "function", fn.Name, "fault", fmt.Sprint(fault))
		}
	}()
	if fn.Call == nil {
		return Value{}, phrase.New("sheet.cannot-computed", "function", fn.Name)
	}
	return fn.Call(args)
}

// Fits tells whether a value of type t may stand where p is declared.
func (p *Param) Fits(t Type) bool {
	switch {
	case p.Type.Kind != t.Kind:
		return false
	case t.Kind == Number:
		return p.AnyDim || p.Type.Dim == t.Dim
	case t.Kind == Rec:
		return p.Type.Record == nil || p.Type.Record.Root() == t.Record.Root()
	case t.Kind == List:
		return p.Type.Of == nil || SameType(p.Type, t)
	}
	return true
}

// Whole sees to it that an environment has all that it will ever have, and says whether something was added.
func (env *Env) Whole() (added bool) {
	env.Some = nil
	for env.more() {
		added = true
	}
	return added
}

// Settled is env for what was compiled in it: it has what is there and what can be had alone, and adds no part of the
// rest when a name isn't found.
func (env *Env) Settled() *Env {
	if env == nil {
		return nil
	}
	e := *env
	e.Rest = nil
	return &e
}

// more adds the next part of the rest, if there is one.
func (env *Env) more() bool {
	if len(env.Rest) == 0 {
		return false
	}
	next := env.Rest[0]
	env.Rest = env.Rest[1:]
	next.Add()
	return true
}

// add adds what has that name alone, if that can be.
func (env *Env) add(name string) {
	if env.Some != nil {
		env.Some(name)
	}
}

// Value is what a name stands for.
func (env *Env) Value(name string) (Value, bool) {
	v, ok := env.Values[name]
	for !ok && env.awaits(name) && env.more() {
		v, ok = env.Values[name]
	}
	return v, ok
}

// awaits tells whether a part that isn't there yet may have the value of that name.
func (env *Env) awaits(name string) bool {
	for i := range env.Rest {
		if p := &env.Rest[i]; p.Values == nil || slices.Contains(p.Values, name) {
			return true
		}
	}
	return false
}

// Func is the function of that name, or nil.
func (env *Env) Func(name string) *Func {
	if env.Funcs[name] == nil {
		env.add(name)
	}
	for env.Funcs[name] == nil && env.more() {
	}
	return env.Funcs[name]
}

// Method is the method of that name that records of a record type have, or nil.
func (env *Env) Method(kin *RecordType, name string) *Func {
	for kin.Method(name) == nil && env.more() {
	}
	return kin.Method(name)
}

// Figure is the drawing of that name, or nil. Once the types of what it takes are there it can be had alone.
func (env *Env) Figure(name string) *Figure {
	for env.Figures[name] == nil {
		if env.add(name); env.Figures[name] == nil && !env.more() {
			break
		}
	}
	return env.Figures[name]
}
