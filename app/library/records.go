package library

import (
	_ "embed"
	"slices"
	"strings"

	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// fieldTable is the fields of records: record type, field, type, what it counts, label. A formula prints a field by its
// label as far as the first comma.
//
//go:embed fields.tsv
var fieldTable string

// withFields gives a record type the fields that the table has of it, and their types; types has those of records and
// lists.
func withFields(of value.RecordType, types map[string]value.Type) *value.RecordType {
	kin, name := &of, of.Name
	kin.Methods = map[string]*value.Func{}
	rows, first := strings.CutPrefix(fieldTable, name+"\t") // those of a record type stand together
	if !first {
		_, rows, _ = strings.Cut(fieldTable, "\n"+name+"\t")
	}
	for rows != "" {
		row, rest, _ := strings.Cut(rows, "\n")
		c := strings.SplitN(row, "\t", 4)
		typ, ok := types[c[0]]
		if !ok {
			typ = fieldType(c[1])
		}
		kin.Fields = append(kin.Fields, value.Field{Name: c[0], Label: c[3], Over: c[2], Type: typ})
		if rows, _ = strings.CutPrefix(rest, name+"\t"); len(rows) == len(rest) {
			break
		}
	}
	return kin
}

// kinType is the type of a record of a record type.
func kinType(kin *value.RecordType) value.Type { return value.Type{Kind: value.Rec, Record: kin} }

// listType is the type of a list of such records.
func listType(kin *value.RecordType) value.Type { return value.ListOf(kinType(kin)) }

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

// filling is a record to which fields are added, each with the dimension that its record type declares.
type filling struct{ *value.Record }

// newRecord is a record of a record type, called by a text or a phrase.
func newRecord(kin *value.RecordType, name any) filling {
	fields := make(map[string]value.Value, len(kin.Fields))
	return filling{&value.Record{Name: english(name), Type: kin, Fields: fields}}
}

// english is a phrase as records hold it: they are made before anybody knows who reads them.
func english(said any) string { return phrase.Phrases{}.Text(said) }

// num sets a number, in base units; 0 of a count that nobody knows is left out by its caller.
func (r filling) num(name string, x float64) {
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
func (r filling) nums(numbers []named) {
	for _, n := range numbers {
		r.num(n.Name, n.Value)
	}
}

// set sets numbers, to fields whose names commas part; those that the record type lacks are left out.
func (r filling) set(names string, numbers ...float64) {
	for i, name := range strings.Split(names, ",") {
		if slices.ContainsFunc(r.Type.Fields, func(f value.Field) bool { return f.Name == name }) {
			r.num(name, numbers[i])
		}
	}
}

// say sets a text, or a phrase.
func (r filling) say(name string, said any) {
	r.Fields[name] = value.Value{Kind: value.Text, Text: english(said)}
}

func (r filling) flag(name string, on bool) {
	r.Fields[name] = value.Value{Kind: value.Bool, Bool: on}
}

func (r filling) value() value.Value { return value.Value{Kind: value.Rec, Record: r.Record} }

// get is a number of a record.
func get(r *value.Record, name string) float64 { return r.Fields[name].Num.Value }
