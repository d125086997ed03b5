package library

import (
	"math"
	"slices"
	"strings"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// addComparison offers chips side by side: a record for each, with a field for each column.
func addComparison(env *value.Env) {
	compared, column := comparedType(), withFields(value.RecordType{Name: "column"}, nil)
	chips := param("chips", listType(env.RecordTypes[0]))
	for _, f := range []*value.Func{
		{Name: "compare_chips", Params: []value.Param{chips, param("dtype", dtype)},
			Doc: "Each chip as a line of a comparison: its constants, and what a byte, a joule and a dollar buy " +
				"in a format.",
			Result: listType(compared),
			Call: func(a []value.Value) (value.Value, error) {
				var all []*value.Record
				for _, chip := range a[0].List {
					all = append(all, comparedChip(chip.Record, a[1].Text, compared))
				}
				return recordList(all), nil
			}},
		{Name: "chip_columns", Doc: "What chips are compared by, in numbers.",
			Result: listType(column),
			Call: func([]value.Value) (value.Value, error) {
				return recordList(columnRecords(compared, column)), nil
			}},
		{Name: "shared_dtypes", Params: []value.Param{chips}, Result: value.ListOf(dtype),
			Doc: "The number formats of which one of the chips has a rate, widest first; all formats if there are no " +
				"chips.",
			Call: func(a []value.Value) (value.Value, error) {
				return dtypesOf(env, a[0].List), nil
			}},
	} {
		f.Source = law.Catalog
		env.Funcs[f.Name] = f
	}
}

// dtypesOf are the formats that any of the chips has a rate for.
func dtypesOf(env *value.Env, chips []value.Value) value.Value {
	all := value.Value{Kind: value.List}
	for _, d := range env.DTypes {
		known := len(chips) == 0
		for _, chip := range chips {
			known = known || chipOf(chip.Record).Has(peakField+d.Text)
		}
		if known {
			all.List = append(all.List, d)
		}
	}
	return all
}

// columnRecords are the columns of numbers as entries of a menu.
func columnRecords(compared, rt *value.RecordType) []*value.Record {
	var all []*value.Record
	for _, c := range chipColumns() {
		field := columnField(compared, c.name)
		if field.Type.Kind != value.Number {
			continue
		}
		r := newRecord(rt, field.Label)
		r.ID, r.Group = strings.Replace(c.name, "flops_", peakField, 1), english(phrase.New(c.table))
		r.say("name", c.name)
		r.say("about", phrase.New("library.column-about", "table", phrase.New(c.table), "column",
			phrase.Name(field.Label)))
		all = append(all, r.Record)
	}
	return all
}

// comparedChip is a chip as a line of a comparison. What nobody knows is missing.
func comparedChip(r *value.Record, dtype string, rt *value.RecordType) *value.Record {
	line := &value.Record{ID: r.ID, Name: r.Name, Type: rt, Fields: map[string]value.Value{"name": words(r.Name)}}
	c := chipLine{chipOf(r), dtype}
	for _, col := range chipColumns() {
		if v, ok := c.value(&col); ok {
			line.Fields[col.name] = v
		}
	}
	line.Lacks = func(field string) any {
		if c.hasNone(field) {
			return phrase.New("library.none")
		}
		return phrase.New("library.not-known")
	}
	return line
}

// chipLine is a chip as it is compared in a format.
type chipLine struct {
	*hardware.Accelerator
	dtype string
}

// hasNone tells whether a chip lacks a part, or a rate, as far as is documented; else nobody has written it down.
func (c chipLine) hasNone(field string) bool {
	switch field {
	case "vmem_bandwidth", "i_vmem", "ici_link_bandwidth", "i_link":
		return c.Interconnect != "ICI"
	}
	return strings.HasPrefix(field, "flops_")
}

// value is what a column says of the chip.
func (c chipLine) value(col *chipColumn) (value.Value, bool) {
	switch col.of {
	case "near_kind":
		return words(c.nearKind()), c.near() != ""
	case "scaleup_over":
		return words(c.scaleUpOver()), !math.IsNaN(c.number("scaleup").Value)
	}
	q := c.number(col.of)
	if col.per != "" {
		q = q.Div(c.number(col.per))
		q.Label = quantity.Label{}
	}
	return quantityValue(q), q.IsFinite()
}

// number is a constant of the chip, or what is made of several; NaN if nobody knows it.
func (c chipLine) number(name string) quantity.Quantity {
	switch name {
	case "flops":
		return c.constant(peakField + c.dtype)
	case "near":
		return c.constant(c.near())
	case "domain":
		return quantity.Quantity{Value: c.first("pod_chips", "node_size").Value}
	case "scaleup":
		if c.Has("scaleup_bandwidth") {
			return c.constant("scaleup_bandwidth")
		}
		w := c.constant("ici_link_bandwidth")
		w.Value *= c.constant("ici_links").Value
		return w
	}
	return c.constant(name)
}

// first is the first of the constants that the chip has.
func (c chipLine) first(fields ...string) quantity.Quantity {
	for _, f := range fields {
		if c.Has(f) {
			return c.constant(f)
		}
	}
	return quantity.Quantity{Value: math.NaN()}
}

// near is the constant that says how large the memory on the chip is; "" if none is known.
func (c chipLine) near() string {
	for _, f := range []string{"vmem", "sbuf", "l2"} {
		if c.Has(f) {
			return f
		}
	}
	return ""
}

func (c chipLine) constant(field string) quantity.Quantity {
	k, err := c.Get(field)
	if err != nil {
		return quantity.Quantity{Value: math.NaN()}
	}
	return k.Value
}

// nearKind says what lies between HBM and the matrix units, and what there is besides.
func (c chipLine) nearKind() string {
	sm := c.constant("sm_memory")
	switch {
	case c.near() != "l2":
		return strings.ToUpper(c.near())
	case c.Has("sms") && sm.IsFinite():
		sm.Value *= c.constant("sms").Value
		return english(phrase.New("library.l-two-and-sms", "size", sm))
	}
	return "L2"
}

// scaleUpOver says what joins the chips.
func (c chipLine) scaleUpOver() string {
	if c.Interconnect == "ICI" && c.Has("ici_links") {
		return english(phrase.New("library.ici-links", "n", quantity.Quantity{Value: c.constant("ici_links").Value}))
	}
	return c.Interconnect
}

// chipColumn is something that chips are compared by: a constant, or a quantity made of some, for each unit of another.
// Its label and unit stand in the table of fields.
type chipColumn struct{ table, name, of, per string }

// The tables of a comparison, by what they are called.
const (
	memoryTable  = "library.table-memory"
	ratesTable   = "library.table-rates"
	linksTable   = "library.table-links"
	demandsTable = "library.table-demands"
	costsTable   = "library.table-costs"
)

// chipColumns are all of them, table by table. The first is what a comparison draws unless its reader wants another.
func chipColumns() []chipColumn {
	all := []chipColumn{
		{memoryTable, "hbm_bandwidth", "hbm_bandwidth", ""},
		{memoryTable, "hbm", "hbm", ""},
		{memoryTable, "sweep", "hbm", "hbm_bandwidth"},
		{memoryTable, "near", "near", ""},
		{memoryTable, "near_kind", "near_kind", ""},
		{memoryTable, "vmem_bandwidth", "vmem_bandwidth", ""},
		{linksTable, "scaleup", "scaleup", ""},
		{linksTable, "scaleup_over", "scaleup_over", ""},
		{linksTable, "ici_link_bandwidth", "ici_link_bandwidth", ""},
		{linksTable, "pcie_bandwidth", "pcie_bandwidth", ""},
		{linksTable, "network_bandwidth", "network_bandwidth", ""},
		{linksTable, "domain", "domain", ""},
		{demandsTable, "i_hbm", "flops", "hbm_bandwidth"},
		{demandsTable, "i_vmem", "flops", "vmem_bandwidth"},
		{demandsTable, "i_scaleup", "flops", "scaleup"},
		{demandsTable, "i_link", "flops", "ici_link_bandwidth"},
		{demandsTable, "i_pcie", "flops", "pcie_bandwidth"},
		{demandsTable, "i_dcn", "flops", "network_bandwidth"},
		{costsTable, "power", "power", ""},
		{costsTable, "per_joule", "flops", "power"},
		{costsTable, "price", "price", ""},
		{costsTable, "ownership", "ownership", ""},
		{costsTable, "per_dollar", "flops", "price"},
	}
	for _, f := range hardware.Fields() {
		if format, ok := strings.CutPrefix(f.Name, peakField); ok {
			all = append(all, chipColumn{ratesTable, "flops_" + format, f.Name, ""})
		}
	}
	return all
}

// comparedType declares a chip as a line of a comparison; the rates of all formats are its last columns.
func comparedType() *value.RecordType {
	rt := withFields(value.RecordType{Name: "compared chip"}, map[string]value.Type{
		"per_joule":  {Kind: value.Number, Dim: quantity.Dim{quantity.FLOP: 1, quantity.Joule: -1}},
		"per_dollar": {Kind: value.Number, Dim: quantity.Dim{quantity.FLOP: 1, quantity.Dollar: -1}},
	})
	for _, f := range hardware.Fields() {
		if format, ok := strings.CutPrefix(f.Name, peakField); ok {
			rt.Fields = append(rt.Fields, value.Field{Name: "flops_" + format, Label: format, Type: flopRate})
		}
	}
	return rt
}

// columnField is the field of a compared chip for a column.
func columnField(compared *value.RecordType, name string) value.Field {
	i := slices.IndexFunc(compared.Fields, func(f value.Field) bool { return f.Name == name })
	return compared.Fields[i]
}
