package instrument

import (
	"github.com/scalebook/scalebook/app/figure"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/widget"
)

// Table is a table that scrolls by itself where it is too wide. Its first column heads the lines. A column of quantities of
// one kind is shown in one unit, which stands in its head (column.go).
type Table struct {
	Key     string // unlike those of the other tables
	Caption string
	Heads   []Head
	Rows    [][]Cell
	Sort    string // the control, a Text that is Placed, which holds the order: "" as given, "key" the largest first, "-key" the smallest
	Now     int    // the line that is marked, counted from 1; 0 for none
}

// Head is the head of a column. One with a Key can be sorted by.
type Head struct {
	Key, Text string
	unit      string // of the numbers below
}

// Cell is what stands in a table. Node, if it is there, is shown instead of the text.
type Cell struct {
	Text string
	Num  float64 // what is sorted by; NaN sorts last
	Node *Node
	Mark bool // the reader has changed it

	quantity *quantity.Quantity // what Text says, for a column of one unit
	size     float64            // of that unit
}

// Q is the cell of a number with its unit.
func Q(q quantity.Quantity) Cell {
	if !q.IsFinite() {
		return Unknown("no value", "")
	}
	return Cell{Text: q.String(), Num: q.Value, quantity: &q}
}

// Say is the cell of a text.
func Say(text string) Cell { return Cell{Text: text, Num: math.NaN()} }

// Unknown is the cell of a value that nobody knows, or that there isn't.
func Unknown(text, why string) Cell { return Cell{Text: text, Num: math.NaN(), Node: None(text, why)} }

// Table builds a table in the order that the reader has chosen.
func (s *State) Table(t Table) *Node {
	id := s.ID(t.Key)
	key, down := strings.CutPrefix(s.Text(t.Sort), "-")
	rows := make([][]Cell, len(t.Rows))
	for i, row := range t.Rows {
		rows[i] = slices.Clone(row)
	}
	t.Rows = rows
	t.level()
	head := El("tr")
	for i, h := range t.Heads {
		th := El("th", At("scope", "col"))
		if i > 0 && t.numeric(i) {
			th.Attrs = append(th.Attrs, widget.Attr{Name: "class", Value: "n"})
		}
		switch {
		case h.Key == "" || t.Sort == "":
			th.Kids = append(th.Kids, h.label()...)
		default:
			order := ""
			if h.Key == key && key != "" {
				order = "descending"
				if down {
					order = "ascending"
				}
				th.Attrs = append(th.Attrs, widget.Attr{Name: "aria-sort", Value: order})
				sortBy(rows, i, down)
			}
			th.Kids = append(th.Kids, sorter(t.Sort, h, order))
		}
		head.Kids = append(head.Kids, th)
	}
	body := El("tbody", At("translate", "no"))
	for i, row := range rows {
		body.Kids = append(body.Kids, s.row(row, i+1 == t.Now))
	}
	for i := 1; i < len(t.Heads); i++ {
		if t.numeric(i) {
			align(body.Kids, i, t.pads(i))
		}
	}
	return El("div", Class("grid"), At("role", "group"), At("aria-labelledby", id), At("tabindex", "0"),
		El("table", El("caption", At("id", id), t.Caption), El("thead", head), body))
}

// sorter is the button in the head of a column: the largest first, the smallest first, as given.
func sorter(control string, h Head, order string) *Node {
	next, sign := h.Key, "↕"
	switch order {
	case "descending":
		next, sign = "-"+h.Key, "↓"
	case "ascending":
		next, sign = "", "↑"
	}
	return El("button", At("type", "button"), Class("sorter"), widget.On("click", DoSet, control+"="+next), h.label(), El("span", At("aria-hidden", "true"), sign))
}

// align puts a column of numbers at its end, with their points below each other.
func align(lines []*Node, column int, pads []int) {
	for r, tr := range lines {
		if column >= len(tr.Kids) {
			continue
		}
		td, class := tr.Kids[column], "n"
		for i := range td.Attrs {
			if td.Attrs[i].Name == "class" {
				class += " " + td.Attrs[i].Value
				td.Attrs = slices.Delete(td.Attrs, i, i+1)
				break
			}
		}
		td.Attrs = append(td.Attrs, widget.Attr{Name: "class", Value: class})
		if pads[r] > 0 {
			td.Attrs = append(td.Attrs, widget.Attr{Name: "data-pad", Value: strconv.Itoa(pads[r])})
		}
	}
}

func sortBy(rows [][]Cell, column int, up bool) {
	Sort(len(rows), func(i, j int) bool { return before(rows[i], rows[j], column, up) }, func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
}

// Sort brings n things into order; equal ones stay as they stand. It is for the few lines of a table, and costs the
// browser's program less than the library's.
func Sort(n int, before func(i, j int) bool, swap func(i, j int)) {
	for i := 1; i < n; i++ {
		for j := i; j > 0 && before(j, j-1); j-- {
			swap(j, j-1)
		}
	}
}

// before says whether line a comes before line b: missing values are last.
func before(a, b []Cell, column int, up bool) bool {
	if column >= len(a) || column >= len(b) {
		return false
	}
	x, y := a[column], b[column]
	switch {
	case math.IsNaN(x.Num) && math.IsNaN(y.Num):
		return x.Node == nil && y.Node == nil && (up && x.Text < y.Text || !up && x.Text > y.Text)
	case math.IsNaN(x.Num) || math.IsNaN(y.Num):
		return math.IsNaN(y.Num)
	case up:
		return x.Num < y.Num
	}
	return x.Num > y.Num
}

func (s *State) row(cells []Cell, now bool) *Node {
	tr := El("tr")
	if now {
		tr.Attrs = append(tr.Attrs, widget.Attr{Name: "class", Value: "now"}, widget.Attr{Name: "aria-current", Value: "true"})
	}
	for i, c := range cells {
		n := El("td")
		if i == 0 {
			n = El("th", At("scope", "row"))
		}
		if !s.Still() && !math.IsNaN(c.Num) { // for spreadsheets
			n.Attrs = append(n.Attrs, widget.Attr{Name: "data-value", Value: c.value()})
		}
		if c.Node != nil {
			n.Kids = append(n.Kids, c.Node)
		} else {
			n.Kids = append(n.Kids, widget.TextNode(c.Text))
		}
		if c.Mark {
			n.Attrs = append(n.Attrs, widget.Attr{Name: "class", Value: "edited"})
			n.Kids = append(n.Kids, El("span", Class("edited-mark"), At("title", "changed by you"), "*"))
		}
		tr.Kids = append(tr.Kids, n)
	}
	return tr
}

// Twin is a table of a drawing's twin.
func (s *State) Twin(key string, twin figure.Table) *Node {
	t := Table{Key: key, Caption: twin.Caption}
	for _, h := range twin.Heads {
		t.Heads = append(t.Heads, Head{Text: h})
	}
	for _, cells := range twin.Rows {
		row := make([]Cell, len(cells))
		for i, c := range cells {
			row[i] = Say(c)
		}
		t.Rows = append(t.Rows, row)
	}
	return s.Table(t)
}
