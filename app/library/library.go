// Package library offers the domain to sheets: the accelerators, the dtypes and the laws of the estimation packages.
// It is the only package that knows both sides, so that app/sheet knows no chip and app/roofline no sheet.
package library

import (
	_ "embed"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/network"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/roofline"
	"github.com/scalebook/scalebook/app/serving"
	"github.com/scalebook/scalebook/app/sheet/value"
	"github.com/scalebook/scalebook/app/training"
)

// New is an environment with the functions, records and units that the book offers to its sheets; figure.Register adds
// the figures. Sheets compiled in it may be used from several goroutines; building it takes a fraction of a
// millisecond, so nobody needs to keep one in a global.
func New() *value.Env {
	env := NewLazy()
	env.Whole()
	return env
}

// NewLazy is an environment that has the dtypes and the accelerators, and the rest once a sheet names something of it.
// A page whose first sheet names nothing more comes to life about 8 ms sooner.
func NewLazy() *value.Env {
	env := &value.Env{Values: map[string]value.Value{}, Funcs: map[string]*value.Func{}}
	addDTypes(env)
	addAccelerators(env, value.RecordType{Name: "accelerator"}, catalogs()[0])
	addAccelerators(env, value.RecordType{Name: "accelerator of the original"}, catalogs()[1])
	env.RecordTypes[1].Like = env.RecordTypes[0]
	env.Some = func(name string) bool { return addLaw(env, Laws(), name) }
	env.Rest = []value.Part{
		{Add: func() { addModelling(env) }},
		{Add: func() { addLaws(env, Laws()); addMore(env) }},
		{Add: func() { addPlanners(env) }, Values: []string{"no_model"}},
		{Add: func() { addReaders(env) }, Values: []string{}},
	}
	return env
}

// addModelling offers networks and models.
func addModelling(env *value.Env) {
	addNetworks(env)
	addFits(env)
	addModels(env, model.Catalog())
	addShardings(env)
	addEinsums(env)
	addLists(env)
}

// addMore offers, with the laws, what chapters need of the rest.
func addMore(env *value.Env) {
	addCatalogs(env)
	addSlices(env)
	addComparison(env)
	addProducts(env)
	addMachines(env)
	addLayers(env)
	addModelTables(env)
	addHolding(env)
	addPlays(env)
	addStarted(env)
	addSchemes(env)
	addOriginalProblems(env)
}

// Laws are the laws of all packages.
func Laws() []law.Law {
	return slices.Concat(roofline.Laws(), network.Laws(), model.Laws(), training.Laws(), serving.Laws())
}

// dtypeValue is a dtype as a sheet knows it.
func dtypeValue(name string, bits float64) value.Value {
	return value.Value{Kind: value.DType, Text: name, Bits: bits}
}

// addDTypes offers the number formats, widest first. tf32 takes 4 bytes in memory; only its arithmetic is narrower. The
// scales of nvfp4 (8 bits for 16 numbers) and mxfp4 (8 bits for 32) count with their numbers.
func addDTypes(env *value.Env) {
	for _, d := range []value.Value{
		dtypeValue("fp32", 32), dtypeValue("tf32", 32), dtypeValue("bf16", 16), dtypeValue("fp16", 16),
		dtypeValue("fp8", 8), dtypeValue("int8", 8), dtypeValue("fp6", 6), dtypeValue("nvfp4", 4.5),
		dtypeValue("mxfp4", 4.25), dtypeValue("fp4", 4), dtypeValue("int4", 4),
	} {
		env.Values[d.Text] = d
		env.DTypes = append(env.DTypes, d)
	}
}

// funcDecl is a function as it is declared. It takes parameters as a law does, and gives what one may take: a unit,
// text, switch, dtype, a record of any record type or of one that is named, or a list of them.
type funcDecl struct {
	Name, Takes, Gives, Doc string
	Work                    int
	Call                    func(a []value.Value) (value.Value, error)
	Begin                   func(a []value.Value) value.Task // of long work, which Call does at once if it isn't given
	Stream                  func() value.Fed                 // the same, of a text that comes in pieces
}

// register adds functions to env, which has their record types.
func register(env *value.Env, source string, functions []funcDecl) {
	for _, d := range functions {
		f := &value.Func{Name: d.Name, Params: Params(env, d.Takes), Result: typeOf(env, d.Gives), Work: d.Work,
			Doc: d.Doc, Source: source, Call: d.Call, Begin: d.Begin, Stream: d.Stream}
		if f.Call == nil {
			f.Call = atOnce(f.Begin)
		}
		env.Funcs[f.Name] = f
	}
}

// Params are parameters as laws, functions and figures write them; see [law.Params]. A record whose type env lacks is
// one of no type.
func Params(env *value.Env, takes string) []value.Param {
	if takes == "" {
		return nil
	}
	read := law.Params(takes)
	all := make([]value.Param, len(read))
	for i := range read {
		all[i] = lawParam(env, &read[i])
	}
	return all
}

// recordParam is the type of a parameter that is a record, or a list of them.
func recordParam(env *value.Env, words string) value.Type {
	if of, list := strings.CutPrefix(words, "list "); list {
		return value.ListOf(recordParam(env, of))
	}
	if rt := env.RecordType(words); rt != nil {
		return typeOfRecord(rt)
	}
	for _, f := range env.Funcs { // of records that functions give, some types stand in no catalog
		t := f.Result
		if t.Kind == value.List {
			t = *t.Of
		}
		if t.Kind == value.Rec && t.Record != nil && t.Record.Name == words {
			return t
		}
	}
	return value.Type{Kind: value.Rec}
}

// typeOf is the type of these words.
func typeOf(env *value.Env, words string) value.Type {
	if of, list := strings.CutPrefix(words, "list "); list {
		return value.ListOf(typeOf(env, of))
	}
	switch rt := env.RecordType(words); {
	case rt != nil:
		return typeOfRecord(rt)
	case words == "dtype":
		return dtype
	case words == "record":
		return value.Type{Kind: value.Rec}
	}
	return fieldType(words)
}

// newRecordType is a record type that env has from then on, with the fields that the table has of it; types has those
// of records and lists.
func newRecordType(env *value.Env, name string, types map[string]value.Type) *value.RecordType {
	rt := withFields(value.RecordType{Name: name}, types)
	env.RecordTypes = append(env.RecordTypes, rt)
	return rt
}

// remembered is work that is done already: a view of a sheet keeps it until its arguments change.
type remembered struct {
	v   value.Value
	err error
}

func (remembered) Step() bool                    { return false }
func (remembered) Progress() float64             { return 1 }
func (r remembered) Value() (value.Value, error) { return r.v, r.err }

// once is work that is done when it begins, so that a view keeps the record until its arguments change.
func once(call func([]value.Value) (value.Value, error)) func([]value.Value) value.Task {
	return func(a []value.Value) value.Task {
		v, err := call(a)
		return remembered{v, err}
	}
}

// atOnce is long work that is run to its end when it is called.
func atOnce(begin func([]value.Value) value.Task) func([]value.Value) (value.Value, error) {
	return func(a []value.Value) (value.Value, error) {
		t := begin(a)
		for t.Step() {
		}
		return t.Value()
	}
}

// The types of parameters and results.
var (
	plain     = value.Type{Kind: value.Number}
	flops     = number(quantity.FLOPs(1).Quantity())
	bytes     = number(quantity.Bytes(1).Quantity())
	seconds   = number(quantity.Seconds(1).Quantity())
	flopRate  = number(quantity.FLOPRate(1).Quantity())
	bandwidth = number(quantity.Bandwidth(1).Quantity())
	intensity = number(quantity.Intensity(1).Quantity())
	dtype     = value.Type{Kind: value.DType}
	text      = value.Type{Kind: value.Text}
	flag      = value.Type{Kind: value.Bool} // yes or no
)

// number is the type of numbers of q's dimension.
func number(q quantity.Quantity) value.Type { return value.Type{Kind: value.Number, Dim: q.Dim} }

// param is a parameter of the given type.
func param(name string, t value.Type) value.Param { return value.Param{Name: name, Type: t} }

// count is a parameter that is a plain number.
func count(name string) value.Param { return param(name, plain) }

// fieldTable is the fields of records: record type, field, type, what it counts, label, and its name of an earlier
// edition, if it had another. A formula prints a field by its label as far as the first comma.
//
//go:embed fields.tsv
var fieldTable string

// fieldRows are the rows of the table by record type, whose rows stand together.
var fieldRows = sync.OnceValue(func() map[string]string {
	rows := make(map[string]string, 100)
	for start, at := 0, 0; at < len(fieldTable); {
		name, _, _ := strings.Cut(fieldTable[at:], "\t")
		at += strings.IndexByte(fieldTable[at:], '\n') + 1
		if !strings.HasPrefix(fieldTable[at:], name+"\t") {
			rows[name], start = fieldTable[start:at], at
		}
	}
	return rows
})

// withFields gives a record type the fields that the table has of it, and their types; types has those of records and
// lists.
func withFields(of value.RecordType, types map[string]value.Type) *value.RecordType {
	rt := &of
	rt.Methods = map[string]*value.Func{}
	for row := range strings.Lines(fieldRows()[of.Name]) {
		c := strings.SplitN(strings.TrimSuffix(row, "\n"), "\t", 6)[1:]
		typ, ok := types[c[0]]
		if !ok {
			typ = fieldType(c[1])
		}
		was := ""
		if len(c) > 4 {
			was = c[4]
		}
		rt.Fields = append(rt.Fields, value.Field{Name: c[0], Label: c[3], Over: c[2], Type: typ, Was: was})
	}
	return rt
}

// typeOfRecord is the type of a record of a record type.
func typeOfRecord(rt *value.RecordType) value.Type { return value.Type{Kind: value.Rec, Record: rt} }

// listType is the type of a list of such records.
func listType(rt *value.RecordType) value.Type { return value.ListOf(typeOfRecord(rt)) }

func fieldType(name string) value.Type {
	switch name {
	case "switch":
		return value.Type{Kind: value.Bool}
	case "text":
		return text
	}
	dim, _ := law.Unit(name)
	return value.Type{Kind: value.Number, Dim: dim}
}

// recordBuilder is a record to which fields are added, each with the dimension that its record type declares.
type recordBuilder struct{ *value.Record }

// newRecord is a record of a record type, called by a text or a phrase.
func newRecord(rt *value.RecordType, name any) recordBuilder {
	fields := make(map[string]value.Value, len(rt.Fields))
	return recordBuilder{&value.Record{Name: english(name), Phrase: phrased(name), Type: rt, Fields: fields}}
}

// english is a phrase for programs; readers get it in their language, which nobody knows when a record is made.
func english(said any) string { return phrase.Phrases{}.Text(said) }

// phrased is what is said, where it is not the same in all languages.
func phrased(said any) any {
	if _, ok := said.(string); ok {
		return nil
	}
	return said
}

// spoken is a text, or a phrase.
func spoken(said any) value.Value {
	return value.Value{Kind: value.Text, Text: english(said), Phrase: phrased(said)}
}

// num sets a number, in base units; 0 of a count that nobody knows is left out by its caller.
func (r recordBuilder) num(name string, x float64) {
	q := quantity.Quantity{Value: x}
	for i := range r.Type.Fields {
		if f := &r.Type.Fields[i]; f.Name == name {
			q.Dim, q.Label.Over = f.Type.Dim, f.Over
		}
	}
	r.Fields[name] = value.Value{Kind: value.Number, Num: q}
}

// named is a number by the name of its field.
type named struct {
	Name  string
	Value float64
}

// nums sets several numbers.
func (r recordBuilder) nums(numbers []named) {
	for _, n := range numbers {
		r.num(n.Name, n.Value)
	}
}

// set sets numbers, to fields whose names commas part; those that the record type lacks are left out.
func (r recordBuilder) set(names string, numbers ...float64) {
	for i, name := range strings.Split(names, ",") {
		if slices.ContainsFunc(r.Type.Fields, func(f value.Field) bool { return f.Name == name }) {
			r.num(name, numbers[i])
		}
	}
}

// say sets a text, or a phrase.
func (r recordBuilder) say(name string, said any) {
	r.Fields[name] = spoken(said)
}

// called is the name of r, for a column of its own.
func (r recordBuilder) called() any {
	if r.Phrase != nil {
		return r.Phrase
	}
	return r.Name
}

func (r recordBuilder) flag(name string, on bool) {
	r.Fields[name] = value.Value{Kind: value.Bool, Bool: on}
}

func (r recordBuilder) value() value.Value { return value.Value{Kind: value.Rec, Record: r.Record} }

// get is a number of a record.
func get(r *value.Record, name string) float64 { return r.Fields[name].Num.Value }

// mostDivided bounds the numbers whose divisors are listed: a prime takes as many trials as half its root.
const mostDivided = 1 << 24

// addLists offers the catalogs as lists, and lists of numbers.
func addLists(env *value.Env) {
	for i, name := range []string{"accelerators", "original_accelerators", "models"} {
		env.Values[name] = recordList(env.RecordTypes[i].Members)
	}
	env.Values["dtypes"] = value.Value{Kind: value.List, List: env.DTypes}
	env.Funcs["divisors"] = &value.Func{
		Name: "divisors", Params: []value.Param{count("n")}, Result: value.ListOf(plain), Source: law.Counted,
		Doc:  "The whole numbers that divide n without remainder, the least first: divisors(12) is 1, 2, 3, 4, 6, 12.",
		Work: 200, Call: divisors,
	}
}

// recordList is a list of records, such as a catalog.
func recordList(records []*value.Record) value.Value {
	list := make([]value.Value, len(records))
	for i, r := range records {
		list[i] = value.Value{Kind: value.Rec, Record: r}
	}
	return value.Value{Kind: value.List, List: list}
}

// divisors lists the divisors of a whole number, with its label.
func divisors(a []value.Value) (value.Value, error) {
	q := a[0].Num
	if x := q.Value; !(x >= 1 && x <= mostDivided) || x != math.Trunc(x) {
		return value.Value{}, phrase.Fault{
			What:   phrase.New("library.argument-is", "name", "n", "value", strconv.FormatFloat(x, 'g', -1, 64)),
			Remedy: phrase.New("library.give-whole-from-to", "low", 1, "high", mostDivided)}
	}
	list := []int{1}
	for _, power := range primePowers(int(q.Value)) {
		for _, d := range list {
			for k := power.prime; ; k *= power.prime {
				list = append(list, d*k)
				if k == power.whole {
					break
				}
			}
		}
	}
	slices.Sort(list)
	values := make([]value.Value, len(list))
	for i, d := range list {
		values[i] = quantityValue(quantity.Quantity{Value: float64(d), Label: q.Label})
	}
	return value.Value{Kind: value.List, List: values}, nil
}

// primePower is a prime and the highest power of it that divides a number.
type primePower struct{ prime, whole int }

// primePowers are the powers of primes whose product is n.
func primePowers(n int) []primePower {
	var powers []primePower
	for p := 2; n > 1; p += 1 + p&1 {
		if p*p > n {
			p = n
		}
		power := primePower{p, 1}
		for n%p == 0 {
			power.whole, n = power.whole*p, n/p
		}
		if power.whole > 1 {
			powers = append(powers, power)
		}
	}
	return powers
}
