package library

import (
	"slices"
	"strings"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/value"
)

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

// comparedKin declares a chip as a line of a comparison; the rates of all formats are its last columns.
func comparedKin() *value.RecordType {
	kin := withFields(value.RecordType{Name: "compared chip"}, map[string]value.Type{
		"per_joule":  {Kind: value.Number, Dim: quantity.Dim{quantity.FLOP: 1, quantity.Joule: -1}},
		"per_dollar": {Kind: value.Number, Dim: quantity.Dim{quantity.FLOP: 1, quantity.Dollar: -1}},
	})
	for _, f := range hardware.Fields() {
		if format, ok := strings.CutPrefix(f.Name, peakField); ok {
			kin.Fields = append(kin.Fields, value.Field{Name: "flops_" + format, Label: format, Type: flopRate})
		}
	}
	return kin
}

// columnField is the field of a compared chip for a column.
func columnField(compared *value.RecordType, name string) value.Field {
	i := slices.IndexFunc(compared.Fields, func(f value.Field) bool { return f.Name == name })
	return compared.Fields[i]
}
