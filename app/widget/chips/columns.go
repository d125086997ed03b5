package chips

import (
	"strings"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/widget/instrument"
)

// column is something that chips are compared by.
type column struct {
	table *kind
	key   string // for sorting, in the address
	head  string
	of    func(chip) (quantity.Quantity, []string) // the number, NaN if unknown, and the constants that it is made of
	words func(c chip, q quantity.Quantity) string // how it is written, if not as it is
	note  *note                                    // what else there is to say of it, in a column of its own
}

// note is a column of words about the numbers of the one before.
type note struct {
	head string
	of   func(chip) string
}

// kind is one of the tables.
type kind struct {
	key, name string
	dtype     bool   // its numbers are for the chosen format
	none      string // what stands where the catalog has no number
	bare      bool   // the caption has the unit
}

func (t *kind) caption(s *instrument.State) string {
	if t.dtype {
		return t.name + ", at " + s.Text("dtype")
	}
	return t.name
}

// number is how the number is written.
func (col *column) number(c chip) (text string, x float64, edited, known bool) {
	q, fields := col.of(c)
	switch {
	case q.IsFinite():
	case col.partOfTPUs() && c.Interconnect != "ICI":
		return "none", 0, false, false
	default:
		return col.table.none, 0, false, false
	}
	text = q.String()
	if col.words != nil {
		text = col.words(c, q)
	}
	return text, q.Value, c.edited(fields...), true
}

// cell is the column's cell of a chip.
func (col *column) cell(c chip) instrument.Cell {
	text, x, edited, known := col.number(c)
	switch {
	case known:
		return instrument.Cell{Text: text, Num: x, Mark: edited}
	case text == "none":
		return instrument.Unknown(text, "it has no such part, or no such rate is documented")
	}
	return instrument.Unknown(text, "the catalog has no number for it")
}

// partOfTPUs says whether the column is about what only TPUs have.
func (col *column) partOfTPUs() bool {
	switch col.key {
	case "vmem_bandwidth", "i_vmem", "ici_link_bandwidth", "i_link":
		return true
	}
	return false
}

// leveled is the cell in the table, where its column has one unit.
func (col *column) leveled(c chip) instrument.Cell {
	q, fields := col.of(c)
	if !q.IsFinite() {
		return col.cell(c)
	}
	if col.table.bare {
		q = quantity.Quantity{Value: q.Value}
	}
	cell := instrument.Q(q)
	cell.Mark = c.edited(fields...)
	return cell
}

// remark is the cell of the column's note.
func (col *column) remark(c chip) instrument.Cell {
	if q, _ := col.of(c); !q.IsFinite() {
		return instrument.Say("")
	}
	return instrument.Say(col.note.of(c))
}

// columns are all of them, table by table.
func columns() []column {
	rates := &kind{"rates", "Dense peak rates", false, "none", false}
	memory := &kind{"memory", "Memory", false, "not known", false}
	links := &kind{"links", "Links and networks, one way, of a whole device", false, "not known", false}
	demands := &kind{"demands", "FLOP per byte that keeps the matrix units busy", true, "not known", true}
	costs := &kind{"costs", "Power and price", true, "not known", false}
	var all []column
	for _, f := range hardware.Fields() {
		if name, ok := strings.CutPrefix(f.Name, peak); ok {
			all = append(all, column{rates, f.Name, name, just(f.Name), nil, nil})
		}
	}
	return append(all,
		column{memory, "hbm", "HBM", just("hbm"), nil, nil},
		column{memory, "hbm_bandwidth", "HBM bandwidth", just("hbm_bandwidth"), nil, nil},
		column{memory, "sweep", "Time to read all of it", sweep, nil, nil},
		column{memory, "near", "On-chip memory", nearMemory, nearWords, &note{"Kind", nearKind}},
		column{memory, "vmem_bandwidth", "VMEM bandwidth", just("vmem_bandwidth"), nil, nil},
		column{links, "scaleup", "Scale-up network", chip.scaleUp, scaleUpWords, &note{"Over", scaleUpKind}},
		column{links, "ici_link_bandwidth", "One ICI link", just("ici_link_bandwidth"), nil, nil},
		column{links, "pcie_bandwidth", "PCIe", just("pcie_bandwidth"), nil, nil},
		column{links, "network_bandwidth", "Data-centre network", just("network_bandwidth"), nil, nil},
		column{links, "domain", "Devices joined by the scale-up network", domain, nil, nil},
		column{demands, "i_hbm", "HBM", perUnit(just("hbm_bandwidth")), bare, nil},
		column{demands, "i_vmem", "VMEM", perUnit(just("vmem_bandwidth")), bare, nil},
		column{demands, "i_scaleup", "Scale-up network", perUnit(chip.scaleUp), bare, nil},
		column{demands, "i_link", "One ICI link", perUnit(just("ici_link_bandwidth")), bare, nil},
		column{demands, "i_pcie", "PCIe", perUnit(just("pcie_bandwidth")), bare, nil},
		column{demands, "i_dcn", "Data-centre network", perUnit(just("network_bandwidth")), bare, nil},
		column{costs, "power", "Power", just("power"), nil, nil},
		column{costs, "per_joule", "FLOP per joule", perUnit(just("power")), nil, nil},
		column{costs, "price", "Price", just("price"), nil, nil},
		column{costs, "per_dollar", "FLOP per dollar", perUnit(just("price")), dollars, nil},
	)
}

func columnOf(key string) (*column, bool) {
	all := columns()
	for i := range all {
		if all[i].key == key {
			return &all[i], true
		}
	}
	return &all[0], false
}

func just(field string) func(chip) (quantity.Quantity, []string) {
	return func(c chip) (quantity.Quantity, []string) { return c.get(field), []string{field} }
}

func sweep(c chip) (quantity.Quantity, []string) {
	return c.get("hbm").Div(c.get("hbm_bandwidth")), []string{"hbm", "hbm_bandwidth"}
}

// perUnit is the peak rate, in the chosen format, for each unit of something: the intensity at which a bandwidth keeps up
// with the matrix units, the arithmetic that a joule or a dollar buys.
func perUnit(of func(chip) (quantity.Quantity, []string)) func(chip) (quantity.Quantity, []string) {
	return func(c chip) (quantity.Quantity, []string) {
		rate := peak + c.s.Text("dtype")
		x, fields := of(c)
		q := c.get(rate).Div(x)
		q.Label = quantity.Label{}
		return q, append(fields, rate)
	}
}

// bare is the number alone: the caption has the unit.
func bare(_ chip, q quantity.Quantity) string {
	return quantity.Quantity{Value: q.Value}.String()
}

func dollars(_ chip, q quantity.Quantity) string {
	return strings.Replace(q.String(), "/USD", "/$", 1)
}

// nearMemory is what lies between HBM and the matrix units: VMEM, or the L2 cache.
func nearMemory(c chip) (quantity.Quantity, []string) {
	if c.knows("vmem") {
		return just("vmem")(c)
	}
	return just("l2")(c)
}

func nearWords(c chip, q quantity.Quantity) string { return q.String() + " " + nearKind(c) }

// nearKind says what memory that is, and what there is besides.
func nearKind(c chip) string {
	switch sm := c.get("sm_memory"); {
	case c.knows("vmem"):
		return "VMEM"
	case c.knows("sms") && sm.IsFinite():
		sm.Value *= c.get("sms").Value
		return "L2, " + sm.String() + " in SMs"
	}
	return "L2"
}

func scaleUpWords(c chip, q quantity.Quantity) string {
	kind := scaleUpKind(c)
	if kind != c.Interconnect {
		kind = "over " + kind
	}
	return q.String() + " " + kind
}

// scaleUpKind says what joins the chips.
func scaleUpKind(c chip) string {
	if c.Interconnect == "ICI" && c.knows("ici_links") {
		return quantity.Quantity{Value: c.get("ici_links").Value}.String() + " ICI links"
	}
	return c.Interconnect
}

// domain is how many devices the scale-up network joins.
func domain(c chip) (quantity.Quantity, []string) {
	field := "node_size"
	if c.knows("pod_chips") {
		field = "pod_chips"
	}
	return quantity.Quantity{Value: c.get(field).Value}, []string{field}
}

// drawable are the columns for the menu of the bars.
func drawable() []instrument.Option {
	var all []instrument.Option
	for _, col := range columns() {
		all = append(all, instrument.Option{ID: col.key, Name: col.head, Group: col.table.name})
	}
	return all
}
