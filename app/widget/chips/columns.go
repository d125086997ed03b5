package chips

import (
	"math"
	"strings"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/widget/instrument"
)

// column is something that chips are compared by.
type column struct {
	group string // the table it stands in
	key   string // for sorting, in the address
	head  string
	like  quantity.Quantity                // how its numbers are printed
	of    func(chip) (float64, []string)   // the number in base units, NaN if unknown, and the constants that it is made of
	short func(c chip, text string) string // a name to put beside the number; may be nil
}

// The tables, in their order.
const (
	arithmetic = "Dense peak rates"
	memory     = "Memory"
	links      = "Links and networks, one way, of a whole device"
	intensity  = "FLOP per byte that keeps the matrix units busy, at "
	cost       = "Power and price"
)

func dims(pairs ...int8) quantity.Dim { // FLOP, byte, second, dollar, joule
	var d quantity.Dim
	copy(d[:], pairs)
	return d
}

// columns are all of them. Those of the intensities are for the chosen format.
func columns() []column {
	var all []column
	for _, f := range hardware.Fields() {
		if name, ok := strings.CutPrefix(f.Name, peak); ok {
			all = append(all, constant(arithmetic, f.Name, name))
		}
	}
	return append(all,
		constant(memory, "hbm", "HBM"),
		constant(memory, "hbm_bandwidth", "HBM bandwidth"),
		column{memory, "sweep", "Time to read all of it", quantity.Seconds(0).Quantity(), ratio("hbm", "hbm_bandwidth"), nil},
		column{memory, "near", "On-chip memory", quantity.Bytes(0).Quantity(), nearMemory, nearName},
		constant(memory, "vmem_bandwidth", "VMEM bandwidth"),
		column{links, "scaleup", "Scale-up network", quantity.Bandwidth(0).Quantity(), chip.scaleUp, scaleUpName},
		constant(links, "ici_link_bandwidth", "One ICI link"),
		constant(links, "pcie_bandwidth", "PCIe"),
		constant(links, "network_bandwidth", "Data-centre network"),
		column{links, "domain", "Devices joined by the scale-up network", quantity.Quantity{}, domain, nil},
		demand("hbm", "HBM", "hbm_bandwidth"),
		demand("vmem", "VMEM", "vmem_bandwidth"),
		column{intensity, "i_scaleup", "Scale-up network", quantity.Intensity(0).Quantity(), perByte(chip.scaleUp), nil},
		demand("link", "One ICI link", "ici_link_bandwidth"),
		demand("pcie", "PCIe", "pcie_bandwidth"),
		demand("dcn", "Data-centre network", "network_bandwidth"),
		constant(cost, "power", "Power"),
		column{cost, "per_joule", "FLOP per joule", quantity.Quantity{Dim: dims(1, 0, 0, 0, -1)}, perByte(power), nil},
		constant(cost, "price", "Price"),
		column{cost, "per_dollar", "FLOP per dollar", quantity.Quantity{Dim: dims(1, 0, 0, -1)}, perByte(price), nil},
	)
}

func columnOf(key string) (column, bool) {
	for _, col := range columns() {
		if col.key == key {
			return col, true
		}
	}
	return columns()[0], false
}

// constant is a column of the catalog's numbers.
func constant(group, field, head string) column {
	f, _ := hardware.FieldNamed(field)
	return column{group, field, head, quantity.Quantity{Dim: f.Dim}, just(field), nil}
}

func just(field string) func(chip) (float64, []string) {
	return func(c chip) (float64, []string) { return c.get(field), []string{field} }
}

func ratio(over, under string) func(chip) (float64, []string) {
	return func(c chip) (float64, []string) { return c.get(over) / c.get(under), []string{over, under} }
}

func power(c chip) (float64, []string) { return just("power")(c) }
func price(c chip) (float64, []string) { return just("price")(c) }

// demand is the intensity at which a tier keeps up with the matrix units: peak rate over bandwidth.
func demand(key, head, field string) column {
	return column{intensity, "i_" + key, head, quantity.Intensity(0).Quantity(), perByte(just(field)), nil}
}

// perByte is the peak rate, in the chosen format, for each unit of something.
func perByte(of func(chip) (float64, []string)) func(chip) (float64, []string) {
	return func(c chip) (float64, []string) {
		rate := peak + c.s.Text("dtype")
		x, fields := of(c)
		return c.get(rate) / x, append(fields, rate)
	}
}

// nearMemory is what lies between HBM and the matrix units: VMEM, or the L2 cache.
func nearMemory(c chip) (float64, []string) {
	if x := c.get("vmem"); x == x {
		return x, []string{"vmem"}
	}
	return c.get("l2"), []string{"l2"}
}

func nearName(c chip, text string) string {
	if x := c.get("vmem"); x == x {
		return text + " VMEM"
	}
	sm := c.get("sms") * c.get("sm_memory")
	if sm != sm {
		return text + " L2"
	}
	return text + " L2, " + quantity.Bytes(sm).Quantity().String() + " in SMs"
}

func scaleUpName(c chip, text string) string {
	name := c.Interconnect
	if n := c.get("ici_links"); n == n && name == "ICI" {
		name = quantity.Quantity{Value: n}.String() + " ICI links"
	}
	return text + " " + name
}

// domain is how many devices the scale-up network joins.
func domain(c chip) (float64, []string) {
	if x := c.get("pod_chips"); x == x {
		return x, []string{"pod_chips"}
	}
	return c.get("node_size"), []string{"node_size"}
}

// cell is the column's cell of a chip.
func (col column) cell(c chip) instrument.Cell {
	x, fields := col.of(c)
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return instrument.Unknown("not known", "the catalog has no number for it")
	}
	q := col.like
	q.Value = x
	cell := instrument.Q(q)
	if col.short != nil {
		cell.Text = col.short(c, cell.Text)
	}
	cell.Mark = c.edited(fields...)
	return cell
}

// drawable are the columns for the menu of the bars.
func drawable() []instrument.Option {
	var all []instrument.Option
	for _, col := range columns() {
		all = append(all, instrument.Option{ID: col.key, Name: col.head, Group: strings.TrimSuffix(col.group, ", at ")})
	}
	return all
}
