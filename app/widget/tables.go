package widget

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/chart"
	"github.com/scalebook/scalebook/app/figure"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/sheet/expr"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// cachedTable is a table as it was last evaluated.
type cachedTable struct {
	rev  int
	data *sheet.TableData
}

func (v *built) tableData(i int) *sheet.TableData {
	c := v.tables[i]
	if c == nil || c.rev != v.rev {
		c = &cachedTable{v.rev, v.Sheet.TableData(v.State, v.Sheet.Tables[i])}
		v.tables[i] = c
	}
	return c.data
}

// table is a `table` of the sheet; the line whose input has its present value is marked.
func (v *View) table(i int) *Node {
	if !v.Result.ShowsTable(i) {
		return absent()
	}
	if v.Sheet.Tables[i].List != "" {
		return v.listTable(i)
	}
	data := v.tableData(i)
	var rows [][]*Node
	now := ""
	if in := v.fitted(data.Table.Over.Name); in != nil {
		now = dataValue(v.Value(in))
	}
	current := -1
	for r, row := range data.Rows {
		if dataValue(row.Input) == now {
			current = r
		}
		cells := []*Node{text(row.Input.String())}
		for c := range row.Cells {
			cells = append(cells, v.rowCell(&row.Cells[c]))
		}
		rows = append(rows, cells)
	}
	caption := v.caption(data.Table.Caption)
	if caption == "" {
		caption = v.say("widget.table-over", "input", chart.Lower(v.called(data.Table.Over.Name)))
	}
	header := make([]string, len(data.Header))
	for h, name := range data.Header {
		header[h] = v.Sheet.LabelOver(v.State, name, data.Table.Over.Name)
	}
	n := grid(v.id("table", strconv.Itoa(i+1)), caption, header, rows)
	n.Add(v.veil(data.Table.Columns, data.Table.Over.Name)...)
	if current >= 0 {
		markLine(n, current)
	}
	return n
}

func (v *evaluated) rowCell(row *expr.Row) *Node {
	if row.Err != nil {
		return v.lacking(row.Err, noValue(v.phrases()))
	}
	return figure.Notated(row.In(v.phrases()))
}

// grid is a table that scrolls by itself where it is too wide.
func grid(id, caption string, header []string, rows [][]*Node) *Node {
	head := el("tr")
	for _, h := range header {
		head.Kids = append(head.Kids, el("th", attr("scope", "col"), h))
	}
	body := el("tbody", attr("translate", "no"))
	for _, row := range rows {
		tr := el("tr")
		for c, n := range row {
			if c == 0 {
				tr.Kids = append(tr.Kids, el("th", attr("scope", "row"), n))
			} else {
				tr.Kids = append(tr.Kids, el("td", n))
			}
		}
		body.Kids = append(body.Kids, tr)
	}
	return el("div", class("grid"), attr("role", "group"), attr("aria-labelledby", id+"-caption"),
		attr("tabindex", "0"), el("table", el("caption", attr("id", id+"-caption"), caption), el("thead", head), body))
}

// markLine marks a line of a grid as where the sheet stands now.
func markLine(grid *Node, line int) {
	tr := grid.Kids[0].Kids[2].Kids[line]
	tr.Add(attr("class", "now"), attr("aria-current", "true"))
}

// Numbers below each other are compared at a glance only if they are in one unit. So a column of quantities of one kind
// has its unit in its head and bare numbers below, and columns of one kind share the unit where that leaves numbers
// that can be read.

// The numbers of a column in one unit lie from least to most; where they can't, each keeps a unit of its own. Columns
// share a unit only if their numbers lie closer together.
const (
	least, most             = 0.001, 1e6
	sharedLeast, sharedMost = 0.1, 1e4
)

// deepest is how many digits stand behind the point of a column's numbers at most. Others keep as much space behind
// their own points, which the style sheet knows up to here.
const deepest = 4

// listColumn is a column of a table of a list: its head, and the text of each of its cells.
type listColumn struct {
	field      int // of the list's data
	name, head string
	unit       string // of all numbers below, empty if each has its own
	numbers    bool   // the cells stand at its end, their points below each other
	cells      []listCell
}

// listCell is a value, and how it is shown in its column.
type listCell struct {
	value  value.Value
	err    error
	text   string
	edited bool    // it rests on a constant that the reader set
	size   float64 // of the column's unit, in base units; 0 where the text has a unit of its own
}

// quantity is the number of a cell, if it has one.
func (c *listCell) quantity() (quantity.Quantity, bool) {
	return c.value.Num, c.err == nil && c.value.Kind == value.Number
}

// listColumns are the columns of the given lines, numbers in units of their column. A column in which no line has
// anything is left out.
func listColumns(l phrase.Phrases, data *sheet.ListData, lines []sheet.ListRow) []listColumn {
	var columns []listColumn
	for i, f := range data.Fields {
		empty := func(line sheet.ListRow) bool { return line.Cells[i].Err != nil }
		if i > 0 && len(lines) > 0 && !slices.ContainsFunc(lines,
			func(line sheet.ListRow) bool { return !empty(line) }) {
			continue
		}
		c := listColumn{field: i, name: f.Name, head: l.Word(f.Label), numbers: f.Type.Kind == value.Number}
		if c.head == "" {
			c.head = strings.ReplaceAll(f.Name, "_", " ")
		}
		if first, _, _ := strings.Cut(c.head, " "); !strings.ContainsAny(first, "0123456789") { // fp32 stays as it is
			c.head = capital(c.head)
		}
		for _, line := range lines {
			cell := line.Cells[i]
			c.cells = append(c.cells, listCell{value: cell.Value, err: cell.Err, text: cellText(l, line, i, f.Name)})
		}
		columns = append(columns, c)
	}
	level(columns)
	return columns
}

// cellText is a cell by itself.
func cellText(l phrase.Phrases, line sheet.ListRow, i int, field string) string {
	cell, r := line.Cells[i], line.Entry.Record
	switch {
	case cell.Err == nil:
		return cell.In(l)
	case r != nil && r.Lacks != nil:
		return l.Text(r.Lacks(field))
	}
	return noValue(l)
}

// kindOf is the dimension and the label of a column's numbers, if they share them and there is one.
func (c *listColumn) kindOf() (kind quantity.Quantity, ok bool) {
	for i := range c.cells {
		q, has := c.cells[i].quantity()
		if !has {
			continue
		}
		one := quantity.Quantity{Dim: q.Dim, Label: q.Label}
		if ok && one != kind {
			return kind, false
		}
		kind, ok = one, true
	}
	return kind, ok
}

// level puts the columns of quantities into units of their own, which go into the heads.
func level(columns []listColumn) {
	var kinds []quantity.Quantity
	alike := map[quantity.Quantity][]*listColumn{}
	for i := range columns {
		if kind, ok := columns[i].kindOf(); ok {
			if alike[kind] == nil {
				kinds = append(kinds, kind)
			}
			alike[kind] = append(alike[kind], &columns[i])
		}
	}
	for _, kind := range kinds {
		shared, ok := unitOf(alike[kind], sharedLeast, sharedMost)
		for _, c := range alike[kind] {
			unit := shared
			if !ok {
				unit, _ = unitOf([]*listColumn{c}, least, most)
			}
			c.put(unit)
		}
	}
}

// columnUnit is what the numbers of a column are counted in.
type columnUnit struct {
	name string
	size float64
}

// unitOf is the smallest of the units that the numbers of the columns are in by themselves in which all of them but
// zeros lie between from and to.
func unitOf(columns []*listColumn, from, to float64) (columnUnit, bool) {
	low, high := math.Inf(1), 0.0
	var units []columnUnit
	for _, c := range columns {
		for i := range c.cells {
			q, has := c.cells[i].quantity()
			x := math.Abs(q.Value)
			if !has || x == 0 {
				continue
			}
			low, high = min(low, x), max(high, x)
			name, size, ok := unitName(q)
			if !ok {
				return columnUnit{}, false
			}
			units = append(units, columnUnit{name, size})
		}
	}
	best := columnUnit{size: math.Inf(1)}
	for _, u := range units {
		fits := high/u.size < to && low/u.size >= from
		// "tokens" before "token"
		if fits && (u.size < best.size || u.size == best.size && len(u.name) > len(best.name)) {
			best = u
		}
	}
	return best, !math.IsInf(best.size, 1)
}

// unitName is the unit that a quantity is printed in, and its size in base units.
func unitName(q quantity.Quantity) (name string, size float64, ok bool) {
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

// put writes a column's numbers in a unit, and the unit into its head. Beside fractions of three digits, such as 1.69,
// others have as many: 1.70, as numbers print that are a little more.
func (c *listColumn) put(u columnUnit) {
	if u.size == 0 || math.IsInf(u.size, 1) {
		return
	}
	fine, even := false, make([]string, len(c.cells))
	for i := range c.cells {
		cell := &c.cells[i]
		if q, has := cell.quantity(); has {
			x := q.Value / u.size
			cell.text, cell.size, even[i] = decimal(x), u.size, decimal(x*(1+1e-9))
			fine = fine || len(cell.text) == len(even[i]) && strings.Contains(cell.text, ".")
		}
	}
	for i, text := range even {
		if fine && len(text) > len(c.cells[i].text) { // not 113 for 112.5, which is 112 elsewhere
			c.cells[i].text = text
		}
	}
	c.unit = strings.Replace(strings.Replace(u.name, "/USD", "/$", 1), "USD", "$", 1)
}

// decimal is a number with at most so many digits behind its point.
func decimal(x float64) string {
	text := quantity.Quantity{Value: x}.String()
	if _, behind, _ := strings.Cut(text, "."); len(behind) > deepest {
		text = strings.Replace(strconv.FormatFloat(x, 'f', deepest, 64), "-", "−", 1)
	}
	return text
}

// pads are how far the cells of a column keep from its end, in halves of a digit's width, for their decimal points to
// stand below each other; a point is about half as wide as a digit.
func (c *listColumn) pads() []int {
	after, all := make([]int, len(c.cells)), 0
	for i := range c.cells {
		number := c.cells[i].text
		switch {
		case c.cells[i].err != nil:
			after[i] = -1
			continue
		case strings.Trim(number, "0123456789.,-−") != "":
			return make([]int, len(c.cells)) // units of their own stand behind the numbers
		}
		if _, rest, point := strings.Cut(number, "."); point {
			after[i] = 2*len(rest) + 1
		}
		all = max(all, after[i])
	}
	for i := range after {
		if after[i] = all - after[i]; after[i] > all {
			after[i] = 0
		}
	}
	return after
}

// plain is the value of a cell for spreadsheets: a number in the unit of its column.
func (c *listCell) plain() string {
	q, has := c.quantity()
	switch {
	case c.err != nil:
		return ""
	case !has:
		return dataValue(c.value)
	case c.size > 0:
		q.Value /= c.size
	}
	return strconv.FormatFloat(q.Value, 'g', -1, 64)
}
