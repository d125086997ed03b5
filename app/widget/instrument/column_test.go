package instrument_test

import (
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/widget"
	"github.com/scalebook/scalebook/app/widget/instrument"
)

// shown is a table of the given columns of quantities, as its cells are printed: the head and the numbers of each.
func shown(t *testing.T, csv bool, columns ...[]string) (heads []string, cells [][]string) {
	t.Helper()
	table := instrument.Table{Key: "t", Caption: "Numbers", Heads: []instrument.Head{{Text: "Line"}}}
	for i, column := range columns {
		table.Heads = append(table.Heads, instrument.Head{Text: string(rune('a' + i))})
		for r, text := range column {
			if i == 0 {
				table.Rows = append(table.Rows, []instrument.Cell{instrument.Say("line")})
			}
			cell := instrument.Unknown(text, "nobody knows")
			if q, err := quantity.Parse(text); err == nil {
				cell = instrument.Q(q)
			}
			table.Rows[r] = append(table.Rows[r], cell)
		}
	}
	in := &instrument.Instrument{ID: "t", Title: "T", View: func(s *instrument.State) []instrument.Part {
		return []instrument.Part{{Key: "t", Build: func() *instrument.Node { return s.Table(table) }}}
	}}
	form := "markdown"
	if csv {
		form = "csv"
	}
	for line := range strings.Lines(view2(t, in, "").Export(form)) {
		split := ","
		if !csv {
			split = " | "
		}
		parts := strings.Split(strings.Trim(strings.TrimSpace(line), "| "), split)
		if len(parts) != len(columns)+1 || strings.HasPrefix(parts[0], "---") {
			continue
		}
		if heads == nil {
			heads = parts[1:]
			continue
		}
		cells = append(cells, parts[1:])
	}
	return heads, cells
}

// A column has one unit, in its head; columns of a kind share it where nothing becomes too small.
func TestOneUnitAColumn(t *testing.T) {
	for _, c := range []struct {
		columns [][]string
		want    string
	}{
		{[][]string{{"197 TFLOP/s", "459 TFLOP/s", "2307 TFLOP/s"}}, "a (TFLOP/s): 197 459 2307"},
		{[][]string{{"819 GB/s", "not known", "8 TB/s"}}, "a (GB/s): 819 not known 8000"},
		{[][]string{{"394 TFLOP/s", "1 PFLOP/s"}, {"197 TFLOP/s", "9 PFLOP/s"}}, "a (TFLOP/s): 394 1000; b (TFLOP/s): 197 9000"},
		{[][]string{{"90 GB"}, {"50 MB"}}, "a (GB): 90; b (MB): 50"},
		{[][]string{{"16 GB", "192 GB"}, {"50 MB", "126 MB"}}, "a (GB): 16 192; b (MB): 50 126"},
		{[][]string{{"1.34 GB", "344 GB"}, {"336 MB", "85.9 GB"}}, "a (GB): 1.34 344; b (GB): 0.336 85.9"},
		{[][]string{{"95 GiB", "16 GiB"}}, "a (GiB): 95 16"},
		{[][]string{{"16 GiB", "80 GB"}}, "a (GB): 17.2 80"},
		{[][]string{{"671 MB", "172 GB"}}, "a (GB): 0.671 172"},
		{[][]string{{"1 byte", "172 GB"}}, "a: 1 byte 172 GB"},
		{[][]string{{"0 s", "1.5 ms", "20 us"}}, "a (µs): 0 1500 20"},
		{[][]string{{"$1.2/hour", "$4.2/hour"}}, "a ($/hour): 1.2 4.2"},
		{[][]string{{"1 token", "12 token"}}, "a (tokens): 1 12"},
		{[][]string{{"12 token", "3 s"}}, "a: 12 tokens 3 s"},
		{[][]string{{"12", "4096"}, {"5", "7"}}, "a: 12 4096; b: 5 7"},
	} {
		heads, cells := shown(t, false, c.columns...)
		var said []string
		for i, head := range heads {
			line := head + ":"
			for _, row := range cells {
				line += " " + row[i]
			}
			said = append(said, line)
		}
		if got := strings.Join(said, "; "); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

// A spreadsheet gets numbers in the unit of the head, with all their digits.
func TestUnitsInCSV(t *testing.T) {
	heads, cells := shown(t, true, []string{"819.25 GB/s", "8 TB/s"})
	if heads[0] != "a (GB/s)" || cells[0][0] != "819.25" || cells[1][0] != "8000" {
		t.Error(heads, cells)
	}
}

// Numbers are set back from the end by as much as others have behind their point.
func TestPointsBelowEachOther(t *testing.T) {
	in := &instrument.Instrument{ID: "t", Title: "T", View: func(s *instrument.State) []instrument.Part {
		table := instrument.Table{Key: "t", Caption: "Numbers", Heads: []instrument.Head{{Text: "Line"}, {Text: "Power"}}}
		for _, x := range []float64{192.53, 1.5, 1200} {
			table.Rows = append(table.Rows, []instrument.Cell{instrument.Say("line"), instrument.Q(quantity.Quantity{Value: x})})
		}
		return []instrument.Part{{Key: "t", Build: func() *instrument.Node { return s.Table(table) }}}
	}}
	page := widget.HTML(view2(t, in, "").Part("part:t"))
	for _, want := range []string{`data-pad="3">193<`, `class="n">1.5<`, `data-pad="3">1200<`, `<th scope="col" class="n">Power<`} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s in %s", want, page)
		}
	}
}
