package library

import (
	_ "embed"
	"strings"

	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet"
)

// networkFieldTable is the fields of the records that functions give: kin, field, type, what it counts, label.
//
//go:embed network_fields.tsv
var networkFieldTable string

// networkKin declares the fields of a kin of the table; chips is the kin of its chip, if it has one.
func networkKin(name string, chips *sheet.Kin) *sheet.Kin {
	kin := &sheet.Kin{Name: name, Methods: map[string]*sheet.Func{}}
	rows, first := strings.CutPrefix(networkFieldTable, name+"\t") // those of a kin stand together
	if !first {
		_, rows, _ = strings.Cut(networkFieldTable, "\n"+name+"\t")
	}
	for rows != "" {
		row, rest, _ := strings.Cut(rows, "\n")
		c := strings.SplitN(row, "\t", 4)
		kin.Fields = append(kin.Fields, sheet.Field{Name: c[0], Label: c[3], Over: c[2], Type: fieldType(c[1], chips)})
		if rows, _ = strings.CutPrefix(rest, name+"\t"); len(rows) == len(rest) {
			break
		}
	}
	return kin
}

func fieldType(name string, chips *sheet.Kin) sheet.Type {
	switch name {
	case "switch":
		return sheet.Type{Kind: sheet.Bool}
	case "text":
		return text
	case "chip":
		return sheet.Type{Kind: sheet.Rec, Kin: chips}
	}
	dim, _ := law.Unit(name)
	return sheet.Type{Kind: sheet.Number, Dim: dim}
}

// filling is a record to which fields are added, each with the dimension that its kin declares.
type filling struct{ *sheet.Record }

func fill(kin *sheet.Kin, name string) filling {
	return filling{&sheet.Record{Name: name, Kin: kin, Fields: make(map[string]sheet.Value, len(kin.Fields))}}
}

// num sets a number, in base units; 0 of a count that nobody knows is left out by its caller.
func (r filling) num(name string, x float64) {
	q := quantity.Quantity{Value: x}
	for i := range r.Kin.Fields {
		if f := &r.Kin.Fields[i]; f.Name == name {
			q.Dim, q.Label.Over = f.Type.Dim, f.Over
		}
	}
	r.Fields[name] = sheet.Value{Kind: sheet.Number, Num: q}
}

func (r filling) say(name, words string) {
	r.Fields[name] = sheet.Value{Kind: sheet.Text, Text: words}
}

func (r filling) flag(name string, on bool) {
	r.Fields[name] = sheet.Value{Kind: sheet.Bool, Bool: on}
}

func (r filling) value() sheet.Value { return sheet.Value{Kind: sheet.Rec, Record: r.Record} }

// get is a number of a record.
func get(r *sheet.Record, name string) float64 { return r.Fields[name].Num.Value }
