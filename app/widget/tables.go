package widget

import (
	"strconv"

	"github.com/scalebook/scalebook/app/chart"
	"github.com/scalebook/scalebook/app/figure"
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/sheet/expr"
)

// cachedTable is a table as it was last evaluated.
type cachedTable struct {
	rev  int
	data *sheet.TableData
}

func (v *View) tableData(i int) *sheet.TableData {
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

func (v *View) rowCell(row *expr.Row) *Node {
	if row.Err != nil {
		return v.lacking(row.Err, noValue(v.phrases()))
	}
	return figure.Notated(row.Text())
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
	return el("div", class("grid"), attr("role", "group"), attr("aria-labelledby", id+"-caption"), attr("tabindex", "0"),
		el("table", el("caption", attr("id", id+"-caption"), caption), el("thead", head), body))
}

// markLine marks a line of a grid as where the sheet stands now.
func markLine(grid *Node, line int) {
	tr := grid.Kids[0].Kids[2].Kids[line]
	tr.Add(attr("class", "now"), attr("aria-current", "true"))
}
