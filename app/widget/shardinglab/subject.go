package shardinglab

import (
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/network"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sharding"
	"github.com/scalebook/scalebook/app/widget/instrument"
)

// subject is what is looked at: a product on a mesh of chips, and its plan.
type subject struct {
	key     string
	text    string // the product, as it holds
	sizes   sharding.Sizes
	mesh    *sharding.Mesh
	einsum  *sharding.Einsum
	accel   *hardware.Accelerator
	dtype   string
	chip    sharding.Chip
	fabric  *sharding.Fabric
	plan    *sharding.Plan // nil if nothing can be planned
	way     *sharding.Strategy
	notes   []string // what is not as the reader wrote it, and why
	over    string
	options sharding.Options
	curve   *curve
}

// keyOf is all that a subject depends on.
func keyOf(s *instrument.State) string {
	var b strings.Builder
	for _, name := range []string{"product", "mesh", "chip", "wires", "dtype", "law", "way", "over"} {
		b.WriteString(s.Text(name) + "\x00")
	}
	for _, d := range dimensions(s.Text("product")) {
		b.WriteString(strconv.FormatFloat(size(s, d), 'g', -1, 64) + " ")
	}
	return b.String()
}

// size is the size of a dimension.
func size(s *instrument.State, dim string) float64 {
	if name := sizeName(dim); s.Named(name) {
		return s.Number(name)
	}
	n, _ := strconv.ParseFloat(firstSize, 64)
	return n
}

// sizesFor are the sizes of all dimensions of a product's text.
func sizesFor(s *instrument.State, text string) sharding.Sizes {
	var all sharding.Sizes
	for _, d := range dimensions(text) {
		all = append(all, sharding.Size{Name: d, Value: size(s, d)})
	}
	return all
}

// mostWays is how many ways are listed.
const mostWays = 8

func newSubject(s *instrument.State) *subject {
	x := read(s)
	if x.einsum == nil || x.accel == nil {
		return x
	}
	x.lay(s)
	x.limits()
	if x.fabric == nil || x.chip.Peak <= 0 {
		return x
	}
	x.plan = sharding.NewPlan(x.einsum, x.chip, x.fabric, x.options)
	x.choose(s.Text("way"))
	x.curve = x.newCurve()
	return x
}

// read is the subject without its plan.
func read(s *instrument.State) *subject {
	x := &subject{dtype: s.Text("dtype"), over: s.Text("over"), options: sharding.Options{Shortcut: s.Text("law") == "shortcut", Most: mostWays}}
	x.mesh, _ = sharding.ParseMesh(s.Text("mesh"), nil)
	x.accel, _ = hardware.Catalog().Get(s.Text("chip"))
	text := s.Text("product")
	x.sizes = sizesFor(s, text)
	if x.text = adapted(text, x.sizes, x.mesh); x.text != text {
		x.notes = append(x.notes, "On this mesh the product can’t be split as it is written; reckoned with "+x.text)
	}
	x.einsum = x.parse(x.text, x.sizes)
	return x
}

// parse reads a product, arrays without a dtype being of the one that is set. It is nil if the text can't be read.
func (x *subject) parse(text string, sizes sharding.Sizes) *sharding.Einsum {
	e, err := sharding.ParseEinsum(text, sizes, x.mesh)
	if err != nil {
		return nil
	}
	retype(e, text, x.dtype)
	return e
}

// retype gives the arrays of e that name no dtype the one that is set; the result is as wide as the wider operand.
func retype(e *sharding.Einsum, text, dtype string) {
	all := brackets(text)
	if len(all) != 3 {
		return
	}
	for i, a := range []*sharding.Array{&e.A, &e.B} {
		if !all[i].typed() {
			a.DType = dtype
		}
	}
	if !all[2].typed() {
		e.C.DType = computedIn(e)
	}
}

// computedIn is the dtype of the arithmetic: that of the wider operand.
func computedIn(e *sharding.Einsum) string {
	if e.B.Element() > e.A.Element() {
		return e.B.DType
	}
	return e.A.DType
}

// lay lays the mesh on the chips; one that their pods don't have is laid on a torus of its own.
func (x *subject) lay(s *instrument.State) {
	m := *x.mesh
	if w := s.Text("wires"); x.accel.Has("ici_link_bandwidth") && w != "pod" {
		if h, err := m.Hardware(); err == nil && h.Wraps == "" {
			m.On = strings.TrimSpace(m.On + " " + w)
		}
	}
	f, err := sharding.On(&m, x.accel)
	if err != nil {
		x.notes = append(x.notes, instrument.Capital(trimmed(err.Error()))+". Until then: "+fallback(x.accel))
		f = x.alone()
	}
	if f != nil {
		f.Mesh = x.mesh
	}
	x.fabric = f
}

func trimmed(text string) string { return strings.TrimSuffix(strings.TrimSpace(text), ".") }

func fallback(a *hardware.Accelerator) string {
	if a.Has("ici_link_bandwidth") {
		return "each mesh axis is taken for a ring of its own"
	}
	return "all devices are taken to be on one switch, each with the egress that it has in a node"
}

// alone is the fabric that there always is.
func (x *subject) alone() *sharding.Fabric {
	if link, err := x.accel.Get("ici_link_bandwidth"); err == nil {
		t := network.Torus{}
		for _, a := range x.mesh.Axes {
			t.Axes = append(t.Axes, network.Axis{Name: a.Name, Size: a.Size, Wrap: true, OneWay: quantity.Bandwidth(link.Value.Value)})
		}
		f, _ := sharding.OnTorus(x.mesh, t)
		return f
	}
	node, err := network.NewNode(x.accel)
	if err != nil {
		return nil
	}
	node.Devices = max(node.Devices, x.mesh.Chips())
	f, _ := sharding.OnSwitch(x.mesh, node)
	return f
}

// limits are what a chip can do.
func (x *subject) limits() {
	format := computedIn(x.einsum)
	peak, err := x.accel.Peak(format)
	if err != nil {
		x.notes = append(x.notes, instrument.Capital(trimmed(err.Error()))+". Until then: computed at the rate of "+x.dtype)
		peak, _ = x.accel.Peak(x.dtype)
	}
	x.chip.Peak = quantity.FLOPRate(peak.Value.Value)
	if c, err := x.accel.Get("hbm_bandwidth"); err == nil {
		x.chip.HBM = quantity.Bandwidth(c.Value.Value)
	}
	if c, err := x.accel.Get("hbm"); err == nil {
		x.chip.Memory = quantity.Bytes(c.Value.Value)
	}
}

// choose finds the way that the reader has opened; the best, if there is none of that title now.
func (x *subject) choose(title string) {
	if len(x.plan.Strategies) == 0 {
		return
	}
	x.way = x.plan.Strategies[0]
	if title == "" {
		return
	}
	for _, s := range x.plan.Strategies { // with the same pointer, where it is in the table
		if squeezed(s.Title(x.mesh)) == squeezed(title) {
			x.way = s
			return
		}
	}
	if s := x.plan.Named(title); s != nil {
		x.way = s
		return
	}
	x.notes = append(x.notes, "There is no way “"+shortened(title)+"” here; the best is opened")
}

func squeezed(title string) string { return strings.ReplaceAll(title, " ", "") }

func shortened(text string) string {
	if r := []rune(text); len(r) > 80 {
		return string(r[:80]) + "…"
	}
	return text
}

// best is the strategy that ranks first.
func (x *subject) best() *sharding.Strategy { return x.plan.Strategies[0] }
