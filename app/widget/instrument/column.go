package instrument

import (
	"math"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/widget"
)

// Numbers below each other are compared at a glance only if they are in one unit. So a column of quantities of one kind
// has its unit in its head and bare numbers below, and columns of one kind share the unit where that leaves numbers
// that can be read. Other numbers are aligned with them.

// The numbers of a column in one unit lie from least to most; where they can't, each keeps a unit of its own. Columns
// share a unit only if their numbers lie closer together.
const (
	least, most             = 0.001, 1e5
	sharedLeast, sharedMost = 0.1, 1e4
)

// column is a column of quantities of one kind.
type column struct {
	at    int
	kind  quantity.Quantity // its dimension and label
	cells []*Cell
}

// level puts the columns of quantities into units of their own, which go into the heads. The rows are t's own.
func (t *Table) level() {
	t.Heads = append([]Head(nil), t.Heads...)
	var all []column
	for i := 1; i < len(t.Heads); i++ {
		if c, ok := t.column(i); ok {
			all = append(all, c)
		}
	}
	for len(all) > 0 {
		var alike, others []column
		var cells []*Cell
		for _, c := range all {
			if c.kind != all[0].kind {
				others = append(others, c)
				continue
			}
			alike, cells = append(alike, c), append(cells, c.cells...)
		}
		shared, ok := unitOf(cells, sharedLeast, sharedMost)
		for _, c := range alike {
			unit := shared
			if !ok {
				unit, _ = unitOf(c.cells, least, most)
			}
			t.put(c, unit)
		}
		all = others
	}
}

// column is the quantities of a column, if they are of one kind and nothing else is shown in their place.
func (t *Table) column(i int) (column, bool) {
	col := column{at: i}
	for _, row := range t.Rows {
		if i >= len(row) || row[i].quantity == nil {
			continue
		}
		c := &row[i]
		kind := quantity.Quantity{Dim: c.quantity.Dim, Label: c.quantity.Label}
		if c.Node != nil || len(col.cells) > 0 && kind != col.kind {
			return col, false
		}
		col.kind, col.cells = kind, append(col.cells, c)
	}
	return col, len(col.cells) > 0
}

// unit is what the numbers of a column are counted in.
type unit struct {
	name string
	size float64
}

// unitOf is the smallest of the units that the cells are in by themselves in which all numbers but zeros lie between from
// and to.
func unitOf(cells []*Cell, from, to float64) (unit, bool) {
	low, high := math.Inf(1), 0.0
	var units []unit
	for _, c := range cells {
		x := math.Abs(c.quantity.Value)
		if x == 0 {
			continue
		}
		low, high = min(low, x), max(high, x)
		name, size, ok := named(*c.quantity)
		if !ok {
			return unit{}, false
		}
		units = append(units, unit{name, size})
	}
	best := unit{size: math.Inf(1)}
	for _, u := range units {
		fits := high/u.size < to && low/u.size >= from
		if fits && (u.size < best.size || u.size == best.size && len(u.name) > len(best.name)) { // "tokens" before "token"
			best = u
		}
	}
	return best, !math.IsInf(best.size, 1)
}

// named is the unit that a quantity is printed in, and its size in base units.
func named(q quantity.Quantity) (name string, size float64, ok bool) {
	number, name := q.Parts()
	if strings.HasPrefix(number, "$") {
		name = "USD" + name
	}
	if name == "" {
		return "", 1, true
	}
	literal := "1 " + name
	if name[0] == '/' {
		literal = "1" + name
	}
	one, err := quantity.Parse(literal)
	if err != nil || one.Dim != q.Dim || !(one.Value > 0) {
		return "", 0, false
	}
	return name, one.Value, true
}

// put writes a column's numbers in a unit, and the unit into its head.
func (t *Table) put(col column, u unit) {
	if u.size == 0 || math.IsInf(u.size, 1) {
		return
	}
	for _, c := range col.cells {
		c.Text = quantity.Quantity{Value: c.quantity.Value / u.size}.String()
		c.size = u.size
	}
	if u.name != "" {
		t.Heads[col.at].unit = strings.Replace(strings.Replace(u.name, "/USD", "/$", 1), "USD", "$", 1)
	}
}

// numeric says whether a column has numbers, which stand at its end; what stands in for one goes with them.
func (t *Table) numeric(i int) bool {
	found := false
	for _, row := range t.Rows {
		switch {
		case i >= len(row):
		case !math.IsNaN(row[i].Num):
			found = true
		case row[i].Node == nil && len([]rune(row[i].Text)) > wordy:
			return false
		}
	}
	return found
}

// wordy is how long a text is that is no stand-in for a number, such as a dash.
const wordy = 12

// pads are how far the cells of a column keep from its end, in halves of a digit's width, for their decimal points to stand
// below each other; a point is about half as wide as a digit.
func (t *Table) pads(i int) []int {
	after, all := make([]int, len(t.Rows)), 0
	for r, row := range t.Rows {
		if i >= len(row) || row[i].Node != nil || math.IsNaN(row[i].Num) {
			after[r] = -1
			continue
		}
		number := row[i].Text
		if strings.Trim(number, "0123456789.,-") != "" {
			return make([]int, len(t.Rows)) // units of their own stand behind the numbers
		}
		if _, rest, point := strings.Cut(number, "."); point {
			after[r] = 2*len(rest) + 1
		}
		all = max(all, after[r])
	}
	for r := range after {
		if after[r] >= 0 {
			after[r] = all - after[r]
		} else {
			after[r] = 0
		}
	}
	return after
}

// label is the text of a column's head, with the unit.
func (h Head) label() []*Node {
	nodes := []*Node{widget.TextNode(h.Text)}
	if h.unit != "" {
		nodes[0].Text += " "
		nodes = append(nodes, El("span", Class("in"), "("+h.unit+")"))
	}
	return nodes
}

// value is the number of a cell for spreadsheets, in the unit of its column.
func (c *Cell) value() string {
	x := c.Num
	if c.size > 0 {
		x /= c.size
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}
