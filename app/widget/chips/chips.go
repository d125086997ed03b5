// Package chips is two instruments over the catalog of accelerators: a comparison of chips (chips.go, columns.go,
// sources.go), and the slice of a TPU pod (slice.go, torus.go).
package chips

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/widget/instrument"
)

// New is the comparison of chips: what each does a second, remembers and hands on, and the arithmetic intensity that
// follows.
func New() *instrument.Instrument {
	return &instrument.Instrument{
		ID: "chips", Title: "Compare chips", Style: "instrument-chips.css",
		About:    "Accelerators side by side: peak rates, memories, links, power and price, the arithmetic intensity that each tier demands, every constant with its source.",
		Controls: controls, Cell: cell, View: view, Values: values, Summary: summary,
	}
}

// most is how many chips can be compared at once.
const most = 6

func controls() []instrument.Control {
	return []instrument.Control{
		{Name: "chips", Label: "Chips", Kind: instrument.Many, Default: "tpu.v5e,tpu.v5p,tpu.v7x,gpu.h100,gpu.b200", Options: options(nil), Most: most},
		{Name: "dtype", Label: "Number format", Kind: instrument.Menu, Default: "bf16", Options: dtypes(nil), Fit: func(s *instrument.State, c *instrument.Control) {
			if c.Options = dtypes(s.List("chips")); len(c.Options) == 0 {
				c.Options = dtypes(nil)
			}
		}},
		{Name: "bars", Label: "Drawn below", Kind: instrument.Menu, Default: "hbm_bandwidth", Options: drawable()},
		{Name: "sort", Label: "Order of the lines", Kind: instrument.Text, Placed: true},
	}
}

// options are the chips of the catalog for a menu, those that fit.
func options(fits func(*hardware.Accelerator) bool) []instrument.Option {
	var all []instrument.Option
	for _, a := range hardware.Catalog().All {
		if fits == nil || fits(a) {
			all = append(all, instrument.Option{ID: a.ID, Name: a.Name, Group: a.Group})
		}
	}
	return all
}

// dtypes are the formats that any of the chips has a rate for, widest first; of all chips if there are none.
func dtypes(ids []string) []instrument.Option {
	var all []instrument.Option
	for _, f := range hardware.Fields() {
		name, ok := strings.CutPrefix(f.Name, peak)
		if !ok {
			continue
		}
		known := len(ids) == 0
		for _, id := range ids {
			a, err := hardware.Catalog().Get(id)
			known = known || err == nil && a.Has(f.Name)
		}
		if known {
			all = append(all, instrument.Option{ID: name, Name: name})
		}
	}
	return all
}

const peak = "flops."

// chip is one of the chosen, with what the reader has changed of it.
type chip struct {
	*hardware.Accelerator
	s *instrument.State
}

func chosen(s *instrument.State) []chip {
	var all []chip
	for _, id := range s.List("chips") {
		if a, err := hardware.Catalog().Get(id); err == nil {
			all = append(all, chip{a, s})
		}
	}
	return all
}

// get is a constant with what the reader made of it; NaN if nobody knows it.
func (c chip) get(field string) quantity.Quantity {
	k, err := c.Get(field)
	if err != nil {
		return quantity.Quantity{Value: math.NaN()}
	}
	if name := cellName(c.ID, field); c.s.Named(name) {
		return c.s.Quantity(name)
	}
	return k.Value
}

// knows says whether there is a value for a field.
func (c chip) knows(field string) bool { return c.Has(field) }

// edited says whether the reader or the author of the place changed any of the fields.
func (c chip) edited(fields ...string) bool {
	return slices.ContainsFunc(fields, func(f string) bool {
		k, err := c.Get(f)
		return err == nil && c.get(f).Value != k.Value.Value
	})
}

// scaleUp is what a chip sends to those it is joined with most closely, one way, over all links.
func (c chip) scaleUp() (quantity.Quantity, []string) {
	if c.knows("scaleup_bandwidth") {
		return just("scaleup_bandwidth")(c)
	}
	w := c.get("ici_link_bandwidth")
	w.Value *= c.get("ici_links").Value
	return w, []string{"ici_links", "ici_link_bandwidth"}
}

// cellName is the name under which the address carries a changed constant: tpu_v5e__hbm_bandwidth.
func cellName(id, field string) string {
	return strings.ReplaceAll(id, ".", "_") + "__" + strings.ReplaceAll(field, ".", "_")
}

// cell is the control of a constant.
func cell(name string) (instrument.Control, bool) {
	id, field, ok := strings.Cut(name, "__")
	if !ok {
		return instrument.Control{}, false
	}
	for _, a := range hardware.Catalog().All {
		if strings.ReplaceAll(a.ID, ".", "_") != id {
			continue
		}
		for _, f := range a.Facts() {
			if strings.ReplaceAll(f.Field, ".", "_") == field {
				about, _ := hardware.FieldNamed(f.Field)
				return instrument.Control{Label: about.Label + " of " + a.Name, Default: f.Text, Check: positive}, true
			}
		}
	}
	return instrument.Control{}, false
}

// positive refuses what no constant can be.
func positive(_ *instrument.State, text string) error {
	if q, err := quantity.Parse(text); err == nil && q.Value <= 0 {
		return errors.New(q.String() + " is not above zero; write a positive number")
	}
	return nil
}

// summary says what is compared, and which of the changes count.
func summary(s *instrument.State) string {
	all := chosen(s)
	if len(all) == 0 {
		return "No chip is chosen"
	}
	col, _ := columnOf(s.Text("bars"))
	said := col.head
	for _, c := range all {
		said += "; " + c.Name + ": " + col.cell(c).Text
	}
	if n := len(s.Edited()); n == 1 {
		said += "; 1 constant is yours"
	} else if n > 1 {
		said += "; " + quantity.Quantity{Value: float64(n)}.String() + " constants are yours"
	}
	return said
}

// values are those of the first of the chosen chips, for prose.
func values(s *instrument.State) []instrument.Value {
	cs := chosen(s)
	if len(cs) == 0 {
		return nil
	}
	dtype := s.Text("dtype")
	all := []instrument.Value{
		{Name: "first", Label: "The first chip", Text: cs[0].Name, Data: cs[0].ID},
		{Name: "dtype", Label: "Number format", Text: dtype, Data: dtype},
	}
	for _, col := range columns() {
		x := col.cell(cs[0])
		v := instrument.Value{Name: strings.ReplaceAll(strings.ReplaceAll(col.key, ".", "_"), "/", "_"), Label: col.head, Text: x.Text}
		if x.Num == x.Num {
			v.Data = strconv.FormatFloat(x.Num, 'g', -1, 64)
		}
		all = append(all, v)
	}
	return all
}
