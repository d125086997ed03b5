package chips

import (
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/figure"
	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/network"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/widget"
	"github.com/scalebook/scalebook/app/widget/instrument"
)

// NewSlice is a slice of a TPU pod: its shape, which axes wrap around, what it has in all.
func NewSlice() *instrument.Instrument {
	return &instrument.Instrument{
		ID: "pod-slice", Title: "A slice of a TPU pod", Style: "instrument-chips.css",
		About:    "Any slice of any TPU: chips, hosts and cores, which axes wrap around, the totals of arithmetic, memory and bisection, and a drawing of the torus.",
		Controls: sliceControls, View: sliceView, Values: sliceValues, Summary: sliceSummary,
	}
}

func sliceControls() []instrument.Control {
	return []instrument.Control{
		{Name: "chip", Label: "Chip", Kind: instrument.Menu, Default: "tpu.v5p", Options: options(func(a *hardware.Accelerator) bool { _, ok := network.RuleFor(a); return ok })},
		{Name: "shape", Label: "Shape, in chips", Kind: instrument.Text, Default: "4x4x8", Help: "Such as 16x16 or 4x4x8.",
			Fit: fitShape, Check: func(s *instrument.State, text string) error { _, err := cut(s.Text("chip"), text); return err }},
		{Name: "dtype", Label: "Number format", Kind: instrument.Menu, Default: "bf16", Options: dtypes(nil), Fit: func(s *instrument.State, c *instrument.Control) {
			c.Options = dtypes([]string{s.Text("chip")})
		}},
		{Name: "link", Label: "One ICI link, one way", Default: "90 GB/s", Check: positive, Fit: func(s *instrument.State, c *instrument.Control) {
			if k, err := constantOf(s.Text("chip"), "ici_link_bandwidth"); err == nil && !s.Preset("link") {
				c.Default, c.Help = k.Text, cite(k)
			}
		}},
	}
}

func constantOf(id, field string) (hardware.Constant, error) {
	a, err := hardware.Catalog().Get(id)
	if err != nil {
		return hardware.Constant{}, err
	}
	return a.Get(field)
}

// fitShape lets the shape of a chip that the default doesn't fit begin with one that it has.
func fitShape(s *instrument.State, c *instrument.Control) {
	if _, err := cut(s.Text("chip"), c.Default); err != nil {
		all := shapes(s.Text("chip"))
		c.Default = all[len(all)/2]
	}
}

// shapes are those that a chip's slices commonly have.
func shapes(id string) []string {
	a, err := hardware.Catalog().Get(id)
	if err != nil {
		return []string{"1"}
	}
	return network.Shapes(a)
}

// cut is a slice of a chip by the text of its shape.
func cut(id, text string) (network.Slice, error) {
	a, err := hardware.Catalog().Get(id)
	if err != nil {
		return network.Slice{}, err
	}
	return network.CutSlice(a, text)
}

// slice is the slice that is set.
func slice(s *instrument.State) (network.Slice, bool) {
	sl, err := cut(s.Text("chip"), s.Text("shape"))
	return sl.WithLink(quantity.Bandwidth(s.Number("link"))), err == nil
}

func sliceValues(s *instrument.State) []instrument.Value {
	sl, ok := slice(s)
	if !ok {
		return nil
	}
	count := func(name, label string, n int, noun string) instrument.Value {
		if n == 0 {
			return instrument.Value{Name: name, Label: label, Text: "not known"}
		}
		return instrument.Of(name, label, quantity.Quantity{Value: float64(n), Label: quantity.Label{Over: noun}})
	}
	known := func(name, label string, q quantity.Quantity, err error) instrument.Value {
		if err != nil {
			return instrument.Value{Name: name, Label: label, Text: "not known"}
		}
		return instrument.Of(name, label, q)
	}
	peak, errPeak := sl.Peak(s.Text("dtype"))
	hbm, errHBM := sl.HBM()
	wide, errWide := sl.HBMBandwidth()
	dcn, errDCN := sl.DCN()
	return []instrument.Value{
		count("chips", "Chips", sl.Size(), "chip"),
		count("hosts", "Hosts", sl.Hosts, "host"),
		count("cores", "Cores", sl.Cores, "core"),
		known("flops", "Dense "+s.Text("dtype")+" peak", peak.Quantity(), errPeak),
		known("hbm", "HBM", asIn(sl, hbm.Quantity()), errHBM),
		known("hbm_bandwidth", "HBM bandwidth", wide.Quantity(), errWide),
		bisection(sl),
		known("dcn", "Data-centre network, one way", dcn.Quantity(), errDCN),
		instrument.Of("diameter", "Most hops between two chips", quantity.Quantity{Value: float64(sl.Diameter()), Label: quantity.Label{Over: "hop"}}),
	}
}

// asIn is an amount of memory in the prefixes of the chip's: 64 × 95 GiB are 5.94 TiB.
func asIn(sl network.Slice, q quantity.Quantity) quantity.Quantity {
	if k, err := sl.Chip.Get("hbm"); err == nil {
		q.Binary = k.Value.Binary
	}
	return q
}

// bisection is the bandwidth over the narrowest cut into halves.
func bisection(sl network.Slice) instrument.Value {
	const name, label = "bisection", "Bisection, one way"
	if sl.Size() < 2 {
		return instrument.Value{Name: name, Label: label, Text: "none"}
	}
	return instrument.Of(name, label, sl.Bisection().Quantity())
}

func sliceSummary(s *instrument.State) string {
	sl, ok := slice(s)
	if !ok {
		return "There is no such slice"
	}
	said := sl.Chip.Name + " " + sl.Shape() + ": " + figure.Wraps(sl)
	for _, v := range sliceValues(s) {
		if v.Name == "chips" || v.Name == "flops" || v.Name == "bisection" {
			said += "; " + v.Label + ": " + v.Text
		}
	}
	return said
}

// how says how each result comes about.
func how(s *instrument.State, sl network.Slice) map[string]string {
	n := quantity.Quantity{Value: float64(sl.Size())}.String()
	times := func(field string) string {
		k, err := sl.Chip.Get(field)
		if err != nil {
			return ""
		}
		return n + " × " + k.Value.String()
	}
	to := func(field, what string) string {
		k, err := sl.Chip.Get(field)
		if err != nil {
			return ""
		}
		return quantity.Quantity{Value: k.Value.Value}.String() + what
	}
	return map[string]string{
		"chips": strings.ReplaceAll(sl.Shape(), "x", " × "), "hosts": to("host_chips", " chips to a host"), "cores": to("cores", " to a chip"),
		"flops": times(peak + s.Text("dtype")), "hbm": times("hbm"), "hbm_bandwidth": times("hbm_bandwidth"),
		"bisection": cutHow(sl), "dcn": times("network_bandwidth"), "diameter": "N/2 along a ring, N − 1 along a line",
	}
}

// cutHow says how the bisection comes about.
func cutHow(sl network.Slice) string {
	best, least := 0, quantity.Bandwidth(0)
	for i, a := range sl.Axes {
		if a.Size < 2 {
			continue
		}
		if cut := quantity.Bandwidth(sl.Size()/a.Size) * a.Ring(); least == 0 || cut < least {
			best, least = i, cut
		}
	}
	if least == 0 {
		return "nothing to cut"
	}
	a := sl.Axes[best]
	text := "across " + a.Name + ": " + strconv.Itoa(sl.Size()/a.Size)
	if a.Wrap {
		text += " × 2"
	}
	return text + " links × " + a.OneWay.Quantity().String()
}

func sliceView(s *instrument.State) []instrument.Part {
	sl, ok := slice(s)
	if !ok {
		return nil
	}
	return []instrument.Part{
		{Key: "shapes", Uses: "chip shape", Build: func() *instrument.Node { return offered(s, sl) }},
		{Key: "drawing", Uses: "chip shape", Build: func() *instrument.Node { return picture(figure.Torus(sl)) }},
		{Key: "totals", Build: func() *instrument.Node {
			box := instrument.El("div", instrument.Class("part"))
			says := how(s, sl)
			for _, v := range sliceValues(s) {
				box.Kids = append(box.Kids, s.Row(v.Name, says[v.Name]))
			}
			return box
		}},
		{Key: "axes", Uses: "chip shape link", Build: func() *instrument.Node { return axes(s, sl) }},
	}
}

// offered are the shapes to choose by pressing.
func offered(s *instrument.State, sl network.Slice) *instrument.Node {
	row := instrument.El("div", instrument.Class("shapes placed"), instrument.At("role", "group"), instrument.At("aria-label", "Shapes of "+sl.Chip.Name))
	for _, shape := range shapes(sl.Chip.ID) {
		b := s.Button(shape, instrument.Change{Name: "shape", Text: shape})
		b.Attrs = append(b.Attrs, widget.Attr{Name: "aria-pressed", Value: strconv.FormatBool(shape == sl.Shape())})
		row.Kids = append(row.Kids, b)
	}
	return row
}

// axes is a line for each axis.
func axes(s *instrument.State, sl network.Slice) *instrument.Node {
	t := instrument.Table{Key: "axes", Caption: "The axes", Heads: []instrument.Head{{Text: "Axis"}, {Text: "Chips"}, {Text: "Wraps around"}, {Text: "To a neighbour, one way"}, {Text: "Into a chip along the axis"}, {Text: "Most hops"}}}
	for _, a := range sl.Axes {
		ring := "no: a line"
		if a.Wrap {
			ring = "yes: a ring"
		}
		t.Rows = append(t.Rows, []instrument.Cell{instrument.Say(a.Name), instrument.Say(strconv.Itoa(a.Size)), instrument.Say(ring),
			instrument.Q(a.Neighbour().Quantity()), instrument.Q(a.Ring().Quantity()), instrument.Say(strconv.Itoa(a.Diameter()))})
	}
	rule, _ := network.RuleFor(sl.Chip)
	notes := []*instrument.Node{s.Table(t), instrument.Note("Of " + sl.Chip.Name + ": " + rule.Note + "." + source(rule.Source))}
	if sl.Note != "" {
		notes = append(notes, instrument.Note(instrument.Capital(sl.Note)+"."))
	}
	return instrument.El("div", instrument.Class("part"), notes)
}

// source is where a rule is from.
func source(id string) string {
	for _, src := range hardware.Catalog().Sources() {
		if src.ID == id {
			return " Source: " + src.Title + "."
		}
	}
	return ""
}

// picture is a drawing of the slice as a part.
func picture(d *figure.Drawing) *instrument.Node {
	return instrument.El("figure", instrument.Class("part torus"), d.Root, instrument.El("figcaption", d.Note))
}
