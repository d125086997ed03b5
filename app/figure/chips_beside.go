package figure

import (
	"slices"
	"strconv"

	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// sides are the columns of a comparison that are drawn of two chips.
var sides = [...]string{"flops_bf16", "flops_fp8", "hbm", "hbm_bandwidth", "scaleup", "network_bandwidth", "power",
	"price"}

// ChipsBeside draws two chips of a comparison side by side: of each column a bar for each chip, as long as its share of
// the larger of the two.
func ChipsBeside(l phrase.Phrases, chips, columns []value.Value) (*Drawing, error) {
	if len(chips) < 2 {
		return nil, phrase.New("figure.two-chips")
	}
	const wide, top, row, left = 520, 30, 58, 400
	one, two := chips[0].Record, chips[1].Record
	d := &Drawing{Title: l.Say("figure.chips-beside", "one", one.Name, "two", two.Name), Headed: true}
	t := Table{Caption: d.Title, Heads: []string{l.Say("figure.chip"), l.Text(one.Name), l.Text(two.Name)}}
	var pen markup.Pen
	for k, chip := range [...]*value.Record{one, two} {
		pen.Rect(`class="b`+strconv.Itoa(k+1)+`"`, float64(k)*wide/2, 4, 14, 14)
		pen.Label("strong", float64(k)*wide/2+22, 16, l.Text(chip.Name))
	}
	y := float64(top)
	for _, c := range columns {
		field := c.Record.Fields["name"].Text
		if !slices.Contains(sides[:], field) {
			continue
		}
		about := c.Record.Fields["about"].In(l)
		pen.Label("small", 0, y+16, about)
		most, line := 1e-300, []string{about}
		for _, chip := range chips[:2] {
			most = max(most, chip.Record.Fields[field].Num.Value)
		}
		for k, chip := range chips[:2] {
			v, known := chip.Record.Fields[field]
			said, long := "", v.Num.Value/most*left
			if known {
				said = v.Num.String()
				pen.Rect(`class="b`+strconv.Itoa(k+1)+`"`, 0, y+22+float64(k)*16, max(long, 1), 13)
			} else {
				said = l.Text(chip.Record.Lacks(field))
			}
			pen.Label("small", long+8, y+33+float64(k)*16, said)
			line = append(line, said)
		}
		t.add(line...)
		y += row
	}
	d.Now = d.Title
	d.About, d.Twin = ended(l, d.Title), []Table{t}
	return d.svg("fig", frame{0, 0, wide, y}, &pen), nil
}
