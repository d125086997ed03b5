package sheet

import (
	"strings"
	"testing"
)

const listSheet = `
let n = 3 in 0..100
hidden all = chips
ns = below(n)
table all show vendor, link, hbm by hbm desc top 1 "Chips"
table all
table ns
`

// ranks is the vendors, or numbers, of a table of a list in an order.
func ranks(t *testing.T, r *Result, i int, order string) string {
	t.Helper()
	table := r.Sheet.Tables[i]
	o, err := table.ParseOrder(order)
	if err != nil {
		return err.Error()
	}
	var said []string
	for _, row := range r.ListData(table, o).Rows {
		said = append(said, row.Cells[0].Value.String())
	}
	return strings.Join(said, " ")
}

func TestListTable(t *testing.T) {
	s := sheetOf(t, listSheet)
	r := s.Eval(nil)
	for _, c := range []struct {
		table       int
		order, want string
	}{
		{0, "-hbm", "NVIDIA Google"},
		{0, "hbm", "Google NVIDIA"},
		{0, "", "Google NVIDIA"},
		{0, "-vendor", "NVIDIA Google"},
		{0, "link", "Google NVIDIA"},
		{0, "-link", "Google NVIDIA"}, // what is missing comes last, either way
		{0, "speed", "the table has no column `speed`; its columns are vendor, link or hbm"},
		{2, "", "0 1 2"},
		{1, "-hbm_bandwidth", "3.35 TB/s 810 GB/s"},
	} {
		if got := ranks(t, r, c.table, c.order); got != c.want {
			t.Errorf("table %d by %q: %s, want %s", c.table, c.order, got, c.want)
		}
	}
	if o := s.Tables[0].Order(); o.String() != "-hbm" || s.Tables[0].Top != 1 || s.Tables[0].Caption != "Chips" {
		t.Errorf("the author's order is %v", o)
	}
	if cell := r.ListData(s.Tables[0], Order{}).Rows[1].Cells[1]; cell.Err == nil ||
		cell.Err.Error() != "H100 SXM has no link bandwidth" {
		t.Errorf("a field that an entry lacks: %v, %v", cell.Value, cell.Err)
	}
}

// A table whose list has no value says why.
func TestListTableWithoutList(t *testing.T) {
	s := sheetOf(t, "let n = 3\nxs = below(n / (n - 3))\ntable xs\n")
	if data := s.Eval(nil).ListData(s.Tables[0], Order{}); data.Err == nil || len(data.Rows) != 0 {
		t.Errorf("%+v", data)
	}
}
