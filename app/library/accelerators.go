package library

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/network"
	"github.com/scalebook/scalebook/app/network/play"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// Fields of the catalog whose name says a dtype are methods in a sheet: chip.flops(int8), chip.matmul_measured(bf16).
const (
	peakField     = "flops."
	measuredField = "matmul_measured."
)

// catalogs are the accelerators as the project knows them, and as the original book does. They are read once, and
// shared: treat them as immutable.
var catalogs = sync.OnceValue(func() []*hardware.Accelerators {
	return []*hardware.Accelerators{hardware.Catalog(), original(hardware.Catalog())}
})

// original are the accelerators as the tables of the original book have them: original.v5e reads HBM at 810 GB/s. With
// them a sheet works a problem as it was printed.
func original(catalog *hardware.Accelerators) *hardware.Accelerators {
	o := &hardware.Accelerators{}
	for _, a := range catalog.All {
		if !a.Says("hbm_bandwidth", "book-tpus", "book-gpus") {
			continue
		}
		as := a.As("book-tpus", "book-gpus")
		_, member, _ := strings.Cut(a.ID, ".")
		as.ID, as.Name = "original."+member, english(phrase.New("library.original", "chip", a.Name))
		as.Group = english(phrase.New("library.as-printed"))
		o.All = append(o.All, as)
	}
	return o
}

// addAccelerators offers every accelerator of a catalog by its family, tpu.v5e, and all of them as one record type, so
// that a menu offers them all.
func addAccelerators(env *value.Env, of value.RecordType, catalog *hardware.Accelerators) {
	rt := &of
	for _, f := range hardware.Fields() {
		if !strings.Contains(f.Name, ".") {
			rt.Fields = append(
				rt.Fields,
				value.Field{Name: f.Name, Label: f.Label, Type: value.Type{Kind: value.Number, Dim: *f.Dim}},
			)
		}
	}
	rt.Fields = append(rt.Fields, withFields(value.RecordType{Name: "accelerator"}, nil).Fields...)
	rt.Methods = acceleratorMethods(rt)
	rt.Constants = constantsOf
	rt.Amend = func(r *value.Record, own map[string]quantity.Quantity) *value.Record {
		return record(chipOf(r).With(own), rt)
	}
	for _, a := range catalog.All {
		r := record(a, rt)
		rt.Members = append(rt.Members, r)
		addMember(env, value.RecordType{Name: "family of accelerators"}, r)
	}
	env.RecordTypes = append(env.RecordTypes, rt)
}

// addMember makes an entry of a catalog, such as tpu.v5e, a field of the record of its family.
func addMember(env *value.Env, family value.RecordType, r *value.Record) {
	name, member, _ := strings.Cut(r.ID, ".")
	if _, ok := env.Values[name]; !ok {
		env.Values[name] = value.Value{Kind: value.Rec, Record: &value.Record{ID: name, Name: name, Type: &family,
			Fields: map[string]value.Value{}}}
	}
	env.Values[name].Record.Fields[member] = value.Value{Kind: value.Rec, Record: r}
}

// chipOf is the accelerator behind a record of one.
func chipOf(r *value.Record) *hardware.Accelerator {
	a, _ := r.Of.(*hardware.Accelerator)
	return a
}

// inFormulas is the name of a chip without how it is mounted, what memory it has and its second name: "H100" for "H100
// SXM 80 GB". One of the original's stays known as such.
func inFormulas(a *hardware.Accelerator) string {
	name, as := a.Name, ""
	if i := strings.LastIndex(name, " ("); i > 0 && strings.HasPrefix(a.ID, "original.") {
		name, as = name[:i], name[i:]
	}
	name, _, _ = strings.Cut(name, " SXM")
	name, _, _ = strings.Cut(name, " (")
	return name + as
}

// record is a as a sheet sees it.
func record(a *hardware.Accelerator, rt *value.RecordType) *value.Record {
	r := &value.Record{ID: a.ID, Name: a.Name, Short: inFormulas(a), Group: a.Group, Type: rt, Of: a,
		Read:  sync.OnceValue(func() map[string]value.Value { return acceleratorFields(a) }),
		Noted: func(field string) any { return note(a, field) }}
	if name, ok := strings.CutSuffix(a.Name, english(phrase.New("library.original", "chip", ""))); ok {
		r.Phrase = phrase.New("library.original", "chip", name)
	}
	return r
}

// acceleratorFields are what a record of a has. A constant that the catalog lacks is a field that the record lacks.
func acceleratorFields(a *hardware.Accelerator) map[string]value.Value {
	fields := map[string]value.Value{
		"name":   {Kind: value.Text, Text: a.Name},
		"vendor": {Kind: value.Text, Text: a.Vendor},
		"year":   {Kind: value.Number, Num: quantity.Quantity{Value: float64(a.Year)}},
	}
	if a.Interconnect != "" {
		fields["interconnect"] = value.Value{Kind: value.Text, Text: a.Interconnect}
	}
	for _, f := range a.Facts() {
		if !strings.Contains(f.Field, ".") {
			fields[f.Field] = value.Value{Kind: value.Number, Num: f.Constant.Value}
		}
	}
	return fields
}

// note is the provenance of a field of a, or of what a method gives for a dtype: "flops(bf16)". "note" is about all of
// a.
func note(a *hardware.Accelerator, field string) any {
	if field == "note" {
		return phrase.Name(a.Note)
	}
	if method, dtype, ok := strings.Cut(strings.TrimSuffix(field, ")"), "("); ok {
		field = method + "." + dtype
	}
	c, err := a.Get(field)
	if err != nil {
		return ""
	}
	return provenance(c)
}

// provenance says where a constant comes from, in what doubt it stands, and what others say.
func provenance(c hardware.Constant) any {
	said := []any{cite(c)}
	for _, remark := range []string{c.Note, c.Doubt} {
		if remark != "" {
			said = append(said, phrase.Name(remark))
		}
	}
	for _, o := range c.Others {
		said = append(said, phrase.New("library.also", "value", o.Value, "source", cite(o)))
	}
	return phrase.Clauses(said)
}

// cite is the source of c with its date, if it has one.
func cite(c hardware.Constant) string {
	return dated(c.Source.Title, c.Date)
}

// dated is a source with its date, if it has one.
func dated(title, date string) string {
	if date == "" {
		return title
	}
	return english(phrase.Commas([]string{title, date}))
}

// acceleratorMethods are what sheets may ask of a chip for a dtype.
func acceleratorMethods(rt *value.RecordType) map[string]*value.Func {
	chip := value.Param{Name: "chip", Type: typeOfRecord(rt)}
	format := value.Param{Name: "dtype", Type: dtype}
	find := func(a []value.Value, prefix string) (quantity.Quantity, error) {
		chip := chipOf(a[0].Record)
		if prefix == peakField {
			c, err := chip.Peak(a[1].Text)
			return c.Value, err
		}
		c, err := chip.Get(prefix + a[1].Text)
		return c.Value, err
	}
	method := func(f value.Func, prefix string) *value.Func {
		f.Params, f.Source, f.Result = []value.Param{chip, format}, law.Catalog, flopRate
		f.Call = func(a []value.Value) (value.Value, error) {
			q, err := find(a, prefix)
			return value.Value{Kind: value.Number, Num: q}, err
		}
		return &f
	}
	return map[string]*value.Func{
		"flops": method(value.Func{Name: "peak",
			Doc: "Dense peak rate of the matrix units for a dtype, multiply and add counted as two."}, peakField),
		"matmul_measured": method(value.Func{Name: "matmul_measured",
			Doc: "Rate measured for a large matmul in a dtype."}, measuredField),
		"ridge": {Name: "ridge", Params: []value.Param{chip, format}, Source: law.Williams, Result: intensity,
			Doc: "Intensity at which the chip’s HBM keeps up with its matrix units.",
			Call: func(a []value.Value) (value.Value, error) {
				peak, err := find(a, peakField)
				w, ok := a[0].Record.All()["hbm_bandwidth"]
				if err == nil && !ok {
					err = phrase.Fault{
						What: phrase.New("hardware.no-constant", "constant", "HBM bandwidth", "chip",
							a[0].Record.Name),
						Remedy: phrase.New("hardware.own-number"),
					}
				}
				return value.Value{Kind: value.Number, Num: peak.Div(w.Num)}, err
			}},
	}
}

// addCatalogs offers what a menu may be made of: the chips that have certain constants, and the formats of a chip.
func addCatalogs(env *value.Env) {
	chips := env.RecordTypes[0]
	chip := typeOfRecord(chips)
	env.Funcs["accelerators_with"] = &value.Func{
		Name: "accelerators_with", Params: []value.Param{param("fields",
			text)}, Result: value.ListOf(chip), Source: law.Catalog,
		Doc: "The accelerators of which all these constants are known: accelerators_with(\"vmem hbm_bandwidth " +
			"flops.bf16\").",
		Call: func(a []value.Value) (value.Value, error) {
			var all []*value.Record
			for _, r := range chips.Members {
				if has(r, a[0].Text) {
					all = append(all, r)
				}
			}
			return recordList(all), nil
		},
	}
	env.Funcs["chip_dtypes"] = &value.Func{
		Name: "chip_dtypes", Params: []value.Param{param("chip", chip)}, Result: value.ListOf(dtype),
		Source: law.Catalog,
		Doc:    "The number formats of which the peak rate of a chip is known, widest first.",
		Call: func(a []value.Value) (value.Value, error) {
			known := a[0].Record.Of.(*hardware.Accelerator).DTypes()
			v := value.Value{Kind: value.List}
			for _, d := range env.DTypes {
				if slices.Contains(known, d.Text) {
					v.List = append(v.List, d)
				}
			}
			return v, nil
		},
	}
	env.Funcs["usual_shape"] = &value.Func{
		Name: "usual_shape", Params: []value.Param{param("chip", chip)}, Result: text, Source: law.GooglePages,
		Doc: "The shape of a slice to begin with: \"4x4\", or \"4x4x4\" where pods have three axes.",
		Call: func(a []value.Value) (value.Value, error) {
			rule, ok := network.RuleFor(a[0].Record.Of.(*hardware.Accelerator))
			if ok && rule.Dims == 3 {
				return words("4x4x4"), nil
			}
			return words("4x4"), nil
		},
	}
	env.Funcs["sharp"] = &value.Func{
		Name: "sharp", Params: []value.Param{param("chip", chip)}, Result: flag, Source: "NVIDIA’s pages on NVSwitch",
		Doc: "Whether the switches of the device’s nodes can add up (SHARP).",
		Call: func(a []value.Value) (value.Value, error) {
			return value.Value{Kind: value.Bool, Bool: play.Sharp(a[0].Record.Of.(*hardware.Accelerator))}, nil
		},
	}
}

// has tells whether a chip has all these constants.
func has(r *value.Record, fields string) bool {
	for field := range strings.FieldsSeq(fields) {
		if !r.Of.(*hardware.Accelerator).Has(field) {
			return false
		}
	}
	return true
}

// addHolding offers how many chips of each kind hold so many bytes: memory alone, shared evenly.
func addHolding(env *value.Env) {
	rt := withFields(value.RecordType{Name: "chips needed"}, nil)
	chips := env.RecordTypes[0]
	env.Funcs["chips_needed"] = &value.Func{
		Name: "chips_needed", Params: []value.Param{param("size", bytes)}, Variadic: true,
		Result: listType(rt), Source: "bytes over HBM, rounded up", Work: 1 << 10,
		Doc: "For each accelerator, how many of it have the memory for each of up to four sizes.",
		Call: func(a []value.Value) (value.Value, error) {
			var all []*value.Record
			for _, chip := range chips.Members {
				all = append(all, neededRecord(rt, chip, a))
			}
			return recordList(all), nil
		},
	}
	env.Funcs["chips_alone"] = &value.Func{
		Name: "chips_alone", Params: []value.Param{param("size", bytes)}, Result: text,
		Source: "bytes over HBM, rounded up", Work: 1 << 10,
		Doc: "The accelerators of which one has the memory for so many bytes; if there is none, how many it takes.",
		Call: func(a []value.Value) (value.Value, error) {
			return spoken(alone(chips.Members, a[0].Num.Value)), nil
		},
	}
}

// neededRecord is a line about one chip.
func neededRecord(rt *value.RecordType, chip *value.Record, sizes []value.Value) *value.Record {
	r := newRecord(rt, chip.Name)
	r.ID = chip.ID
	r.say("name", chip.Name)
	hbm, ok := memoryOf(chip)
	if !ok {
		return r.Record
	}
	r.num("hbm", hbm)
	for i, size := range sizes[:min(len(sizes), 4)] {
		r.num("need"+strconv.Itoa(i+1), neededChips(size.Num.Value, hbm))
	}
	return r.Record
}

// neededChips is how many chips of so much memory hold so many bytes.
func neededChips(size, hbm float64) float64 { return max(1, math.Ceil(size/hbm)) }

func memoryOf(chip *value.Record) (float64, bool) {
	k, err := chip.Of.(*hardware.Accelerator).Get("hbm")
	return k.Value.Value, err == nil && k.Value.Value > 0
}

// alone names the chips of which one is enough, or the fewest that are.
func alone(chips []*value.Record, size float64) any {
	var holds []string
	fewest, best := math.Inf(1), ""
	for _, chip := range chips {
		hbm, ok := memoryOf(chip)
		if !ok {
			continue
		}
		n := neededChips(size, hbm)
		if n == 1 {
			holds = append(holds, chip.Name)
		}
		if n < fewest {
			fewest, best = n, chip.Name
		}
	}
	switch {
	case len(holds) == len(chips):
		return phrase.New("library.every-chip")
	case len(holds) > 3:
		return phrase.New("library.chips-of-all", "n", len(holds), "all", len(chips))
	case len(holds) > 0:
		return phrase.Clauses(holds)
	case best == "":
		return phrase.New("library.no-known-memory")
	}
	n := quantity.Grouped(strconv.FormatFloat(fewest, 'f', -1, 64))
	return phrase.New("library.fewest-chips", "n", n, "chip", best)
}
