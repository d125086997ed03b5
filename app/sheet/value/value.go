// Package value is what sheets compute with: numbers with their dimension, texts, switches, dtypes, records of a
// catalog and lists; their types, and what a type promises. An [Env] is all that a sheet may name without defining it;
// it comes from the package that knows a domain.
package value

import (
	"slices"
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
)

// Kind is the kind of a value.
type Kind uint8

// The kinds of value a sheet computes with.
const (
	Number Kind = iota
	Text
	Bool
	DType
	Rec
	List
)

func (k Kind) String() string {
	return [...]string{"number", "text", "bool", "dtype", "record", "list"}[k]
}

// Value is one value of a sheet. Only the field that its Kind names is set.
type Value struct {
	Kind Kind
	Num  quantity.Quantity
	Text string // of a Text, or the name of a DType
	// of a Text: the phrase that says it in the language of a reader; nil for a text that is the same in all
	Phrase any
	Bool   bool
	Bits   float64 // of a DType
	Record *Record
	List   []Value // entries of one type
}

// Record is an entry of a catalog, such as an accelerator, or what a function returns as several values.
type Record struct {
	ID     string // as a sheet names it: "tpu.v5e"; empty for computed records
	Name   string // as a reader knows it: "TPU v5e"
	Phrase any    // the phrase that says the name in the language of a reader; nil for one that is the same in all
	Short  string // as a formula writes it, if that is not Name: "H100"
	Group  string // menu heading: "Google TPU"
	Type   *RecordType
	Fields map[string]Value        // by field name; a field may be missing. Read them through All.
	Read   func() map[string]Value // its Fields, where they are worked out when somebody first asks; else nil
	Of     any                     // of a computed record: what is behind it, for what takes it back; else nil
	From   any                     // of a computed record: what it was computed from, to know it again by ==; or nil
	// Noted gives source and doubts of a field, for the reader: a text or a phrase. It is called when somebody asks;
	// nil if there are none.
	Noted func(field string) any
	// Lacks gives what stands in the place of a field that is missing, a word or two or a phrase of them: "not known";
	// nil for the usual.
	Lacks func(field string) any
}

// RecordType is what makes records interchangeable: the fields and methods that each of them has, and the catalog
// itself.
type RecordType struct {
	Name   string // "accelerator"
	Fields []Field
	// Methods are called with the record as first argument: chip.flops(int8). Their Params begin with the record, or
	// leave it out (a first parameter that is a record is taken to be it).
	Methods map[string]*Func
	Members []*Record // in menu order; empty for computed records
	// Like is the record type whose fields and methods these records have too, so that both may stand in one menu; nil
	// if there is none. Their methods look up a record in the catalog of its own record type.
	Like *RecordType
	// Constants are the numbers of an entry of the catalog that a reader may change; Amend is the entry with some of
	// them changed, by name. Both are nil if there are none.
	Constants func(r *Record) []Constant
	Amend     func(r *Record, own map[string]quantity.Quantity) *Record
	// Named makes a record like the given one from what a reader wrote, where a list of such records holds only the
	// usual ones of many: a slice of the same chip by another shape. Nil where lists are complete.
	Named func(like *Record, text string) (*Record, error)
}

// Field declares a field of a record type.
type Field struct {
	Name  string
	Label string // "HBM bandwidth"
	Over  string // what its number counts: "chip"; empty if nothing
	Type  Type
	Was   string // its name of an earlier edition, which sheets that somebody keeps may have; empty if it had no other
}

// Type is what the dimension checker knows of a value before it is computed.
type Type struct {
	Kind   Kind
	Dim    quantity.Dim // of a Number
	Record *RecordType  // of a Rec
	Of     *Type        // of a List: what its entries are; nil if that isn't known, as of an empty one
}

// Param is one parameter of a function.
type Param struct {
	Name     string
	Type     Type
	AnyDim   bool // of a Number: every dimension will do
	Optional bool
	Default  Value // of an Optional one
}

// Func is a function that sheets may call.
type Func struct {
	Name     string
	Params   []Param
	Variadic bool // the last parameter may repeat
	Doc      string
	Formula  string // the body in sheet notation over the parameters: "2 FLOP * B * D * F"; empty if it has none
	Source   string // where the formula comes from
	Instead  string // of a function of an earlier edition: what a sheet has for it today
	// Result is the type of what Call returns. Where it depends on the arguments, ResultOf says how and Result is
	// unused.
	Result   Type
	ResultOf func(args []Type) (Type, error)
	// Work is what a call takes, in operations on bare numbers (2 or 3 ns each), if it is far more than a formula
	// takes: plots and searches that would call it too often stop instead of stalling the page.
	Work int
	// Begin begins the same work as Call in steps, where it takes longer than a moment: Call equals running the task to
	// its end. Work then counts only where plots, tables and searches call it.
	Begin func(args []Value) Task
	// Stream begins the same work with a text that comes in pieces, if it can: the text is the only argument.
	Stream func() Fed
	// Call computes. It may rely on arguments of the declared kinds and dimensions; an error says why there is no
	// value.
	Call func(args []Value) (Value, error)
}

// Figure is a drawing that sheets may ask for, as far as this package is concerned: its name and what it takes.
type Figure struct {
	Name     string
	Params   []Param
	Variadic bool // the last parameter may repeat
	Doc      string
}

// Env is everything a sheet may name that it does not define: package library makes one. Value, Func, Method and
// Figure look a name up.
type Env struct {
	Values      map[string]Value // "bf16": a dtype; "tpu": a Rec whose Fields are its members, so that tpu.v5e resolves
	Funcs       map[string]*Func // by name; the arithmetic ones (max, if, sqrt, ...) are built in and need not be here
	RecordTypes []*RecordType    // the catalogs, for menus
	DTypes      []Value          // in menu order
	// Figures are the drawings there are, by name.
	Figures map[string]*Figure
	// Phrases is the language in which sheets speak to readers.
	Phrases phrase.Phrases
	// Some adds the function or the figure of that name alone, and says whether it could: what needs nothing of the
	// rest. It may be nil.
	Some func(name string) bool
	// Rest adds what an environment still lacks, part by part, for when a sheet names something that it doesn't have.
	// Until nothing is left it belongs to one goroutine. Record types that are like one that is there are there too.
	Rest []Part
}

// Part is a part of an environment that isn't there yet.
type Part struct {
	Add func()
	// Values are those that come with it; nil if that isn't known before. Most names that are asked for are words of a
	// choice and no values, and shall not bring what has none.
	Values []string
}

// All are the fields of r, by name.
func (r *Record) All() map[string]Value {
	if r.Read != nil {
		return r.Read()
	}
	return r.Fields
}

// Note says in a language where a field of r comes from, and in what doubt it stands; empty if nobody knows.
func (r *Record) Note(l phrase.Phrases, field string) string {
	if r.Noted == nil {
		return ""
	}
	return l.Text(r.Noted(field))
}

// Task is long work under way: a search that takes more than a moment. It is done in steps, each far shorter than a
// frame of the page, and tells at any time what it has found so far.
type Task interface {
	Step() (more bool)     // does a piece, and says whether there is one left
	Progress() float64     // how much is done, from 0 to 1
	Value() (Value, error) // what is found so far; once nothing is left, what Call gives
}

// Fed is a task whose text comes piece by piece: after each piece it steps as far as it can. Close says that all have
// come. A task with a method Enough() bool may have had all that counts before that.
type Fed interface {
	Task
	Feed(piece string)
	Close()
}

// Shared is a task that others can share, who have started it with the same arguments: processes, or a browser's
// workers.
type Shared interface {
	Task
	Lend() (piece string)               // a piece for somebody else, empty if there is none left to give
	Do(piece string) (found string)     // does a piece of somebody else's, as Take reads it
	Take(piece, found string) (ok bool) // adds what was found in a piece; false if it can't be read
	Back(piece string)                  // takes a piece back that nobody does any more
}

// Constant is a number of an entry of a catalog that a reader may change.
type Constant struct {
	Name, Label string // "flops.bf16", "dense bf16 rate"
	Reading            // the one in use
	Others      []Reading
	Least, Most quantity.Quantity // what it may be; both are zero if it may be any positive number
}

// Reading is what a source says of a constant.
type Reading struct {
	Text   string // "819 GB/s"
	Value  quantity.Quantity
	Source string
	Note   string // what it means more exactly
	Doubt  string // why it may be otherwise; empty where nobody says so
}

// Key is what addresses and states call a constant of r: tpu_v5e__flops_bf16.
func (r *Record) Key(constant string) string {
	return underscored(r.ID) + keyed + underscored(constant)
}

const keyed = "__" // between the entry and its constant

func underscored(s string) string { return strings.ReplaceAll(s, ".", "_") }

// Constant finds a constant by its key among the entries of env's catalogs; nil if there is none.
func (env *Env) Constant(key string) (*Record, *Constant) {
	entry, _, ok := strings.Cut(key, keyed)
	if !ok {
		return nil, nil
	}
	for {
		if r, c := env.constant(entry, key); r != nil || !env.more() {
			return r, c
		}
	}
}

// constant finds a constant among the catalogs that are there.
func (env *Env) constant(entry, key string) (*Record, *Constant) {
	for _, rt := range env.RecordTypes {
		if rt.Constants == nil {
			continue
		}
		for _, r := range rt.Members {
			if underscored(r.ID) != entry {
				continue
			}
			all := rt.Constants(r)
			if i := slices.IndexFunc(all, func(c Constant) bool { return r.Key(c.Name) == key }); i >= 0 {
				return r, &all[i]
			}
		}
	}
	return nil, nil
}

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
			err = phrase.New("sheet.failed", "function", fn.Name, "fault", phrase.Recovered(fault))
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

// Frozen is env for what was compiled in it: it has what is there and what can be had alone, and adds no part of the
// rest when a name isn't found.
func (env *Env) Frozen() *Env {
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

// RecordType is the record type of that name; nil if env has none.
func (env *Env) RecordType(name string) *RecordType {
	for _, rt := range env.RecordTypes {
		if rt.Name == name {
			return rt
		}
	}
	return nil
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
func (env *Env) Method(rt *RecordType, name string) *Func {
	for rt.Method(name) == nil && env.more() {
	}
	return rt.Method(name)
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
