package library

import (
	"strings"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet"
)

// chipColumn is something that chips are compared by: a constant, or a quantity made of some, for each unit of another.
type chipColumn struct{ table, name, label, of, per string }

// The tables of a comparison.
const (
	memoryTable  = "Memory"
	ratesTable   = "Dense peak rates"
	linksTable   = "Links and networks, one way, of a whole device"
	demandsTable = "FLOP per byte that keeps the matrix units busy"
	costsTable   = "Power and price"
)

// chipColumns are all of them, table by table. The first is what a comparison draws unless its reader wants another.
func chipColumns() []chipColumn {
	all := []chipColumn{
		{memoryTable, "hbm_bandwidth", "HBM bandwidth", "hbm_bandwidth", ""},
		{memoryTable, "hbm", "HBM", "hbm", ""},
		{memoryTable, "sweep", "Time to read all of it", "hbm", "hbm_bandwidth"},
		{memoryTable, "near", "On-chip memory", "near", ""},
		{memoryTable, "near_kind", "Kind", "near_kind", ""},
		{memoryTable, "vmem_bandwidth", "VMEM bandwidth", "vmem_bandwidth", ""},
		{linksTable, "scaleup", "Scale-up network", "scaleup", ""},
		{linksTable, "scaleup_over", "Over", "scaleup_over", ""},
		{linksTable, "ici_link_bandwidth", "One ICI link", "ici_link_bandwidth", ""},
		{linksTable, "pcie_bandwidth", "PCIe", "pcie_bandwidth", ""},
		{linksTable, "network_bandwidth", "Data-centre network", "network_bandwidth", ""},
		{linksTable, "domain", "Devices joined by the scale-up network", "domain", ""},
		{demandsTable, "i_hbm", "HBM", "flops", "hbm_bandwidth"},
		{demandsTable, "i_vmem", "VMEM", "flops", "vmem_bandwidth"},
		{demandsTable, "i_scaleup", "Scale-up network", "flops", "scaleup"},
		{demandsTable, "i_link", "One ICI link", "flops", "ici_link_bandwidth"},
		{demandsTable, "i_pcie", "PCIe", "flops", "pcie_bandwidth"},
		{demandsTable, "i_dcn", "Data-centre network", "flops", "network_bandwidth"},
		{costsTable, "power", "Power", "power", ""},
		{costsTable, "per_joule", "FLOP per joule", "flops", "power"},
		{costsTable, "price", "Price", "price", ""},
		{costsTable, "ownership", "Cost of ownership, estimated", "ownership", ""},
		{costsTable, "per_dollar", "FLOP per dollar", "flops", "price"},
	}
	for _, f := range hardware.Fields() {
		if format, ok := strings.CutPrefix(f.Name, peakField); ok {
			all = append(all, chipColumn{ratesTable, "flops_" + format, format, f.Name, ""})
		}
	}
	return all
}

// typ is what the column's values are.
func (c *chipColumn) typ() sheet.Type {
	switch c.of {
	case "near_kind", "scaleup_over":
		return text
	}
	dim := dimOf(c.of)
	if c.per != "" {
		dim = quantity.Quantity{Dim: dim}.Div(quantity.Quantity{Value: 1, Dim: dimOf(c.per)}).Dim
	}
	return sheet.Type{Kind: sheet.Number, Dim: dim}
}

// dimOf is the dimension of a constant, or of what is made of several.
func dimOf(name string) quantity.Dim {
	switch name {
	case "flops":
		name = peakField + "bf16"
	case "near":
		name = "l2"
	case "scaleup":
		name = "scaleup_bandwidth"
	}
	f, _ := hardware.FieldNamed(name)
	return f.Dim
}
