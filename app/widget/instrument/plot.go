package instrument

import (
	"cmp"
	"strings"

	"github.com/scalebook/scalebook/app/chart"
)

// Plot is a drawing of curves, with a line that reads them where the reader points, its caption or title, and the same as
// a table to open. The plot's id is set here.
func (s *State) Plot(key string, p *chart.Plot) *Node {
	p.ID = s.ID(key)
	of, _, _ := strings.Cut(p.X.Label, " (")
	stage, d := s.v.Chart(p, of)
	twin := s.Fold(key+"-twin", "As a table", false, func(bool) []*Node {
		header, rows := d.Twin()
		t := Table{Key: key + "-twin", Caption: d.Summary()}
		for _, h := range header {
			t.Heads = append(t.Heads, Head{Text: h})
		}
		for _, row := range rows {
			var cells []Cell
			for _, text := range row {
				cells = append(cells, Say(text))
			}
			t.Rows = append(t.Rows, cells)
		}
		return []*Node{s.Table(t)}
	})
	return El("figure", Class("plot"), stage, twin, El("figcaption", cmp.Or(p.Caption, p.Title)))
}
