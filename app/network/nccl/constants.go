package nccl

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
)

// constantTable is what the tests reach, a family of devices a column. Shares of the wire inside a node are what
// nccl-tests print of the largest arrays; times are fitted to half of the published tables, see /measured/.
//
//go:embed constants.tsv
var constantTable string

// Constants are what the tests reach on a family of devices.
type Constants struct {
	Ring      float64 // share of the bound by a ring
	Tree      float64 // of that, by a chain up and down within a node
	NVLS      float64 // share of the bound with sums in the switches
	Wire      float64 // share of the network between nodes
	Start     float64 // seconds of a start
	Fill      float64 // of the start-ups of the steps, see [network.Piped]
	Far       float64 // seconds of a start with several nodes, once and again for each doubling of them
	FarFill   float64 // the same of the steps, for each doubling
	Low, High float64 // measured times over predicted: nine in ten lie between
}

// ConstantNames are the constants by their names in the table.
func ConstantNames() []string {
	return strings.Split("ring,tree,nvls,wire,start,fill,far,far_fill,low,high", ",")
}

// Field is a constant by its name; nil if there is none.
func (c *Constants) Field(name string) *float64 {
	at := slices.Index(ConstantNames(), name)
	if at < 0 {
		return nil
	}
	return [...]*float64{&c.Ring, &c.Tree, &c.NVLS, &c.Wire, &c.Start, &c.Fill, &c.Far, &c.FarFill, &c.Low, &c.High}[at]
}

// Families are the columns.
func Families() []string {
	head, _, _ := strings.Cut(constantTable, "\n")
	return strings.Split(head, "\t")[1:]
}

// ConstantsOf are the constants of a family.
func ConstantsOf(family string) *Constants {
	c := &Constants{}
	column := 1 + slices.Index(Families(), family)
	for line := range strings.Lines(constantTable) {
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if to := c.Field(cells[0]); to != nil {
			*to, _ = strconv.ParseFloat(cells[column], 64)
		}
	}
	return c
}
