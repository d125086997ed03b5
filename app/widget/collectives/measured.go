package collectives

import (
	"math"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/widget/instrument"
)

// off is by how much a time misses what was measured: "−48 %".
func off(t float64, measured quantity.Seconds) string {
	e := 100 * (t/float64(measured) - 1)
	digits := 0
	if math.Abs(e) < 10 {
		digits = 1
	}
	text := strconv.FormatFloat(math.Abs(e), 'f', digits, 64) + " %"
	if e < 0 {
		return "−" + text
	}
	return "+" + text
}

// compared are the measurements beside the law, the shortcut and a fitted line.
func (x *subject) compared(s *instrument.State) []*instrument.Node {
	m := x.Measured()
	points, sources, doubt := m.Points, m.Sources, m.Doubt
	if len(points) == 0 {
		return []*instrument.Node{instrument.Note("Nobody's measurements of exactly this are in the book. For which there are, see the buttons above.")}
	}
	fit, fitted := m.Fit()
	t := instrument.Table{Key: "measured", Caption: "Measured, and how far off the law is", Heads: []instrument.Head{
		{Text: "The array"}, {Text: "Measured"}, {Text: "Exact law"}, {Text: "Shortcut"}, {Text: "Fitted line"}}}
	for _, p := range points {
		law, rough := x.Times(float64(p.Bytes))
		row := []string{x.SizeText(float64(p.Bytes)), p.Time.Quantity().String(), off(law, p.Time), off(rough, p.Time), off(float64(fit.Time(p.Bytes)), p.Time)}
		var cells []instrument.Cell
		for _, text := range row {
			cells = append(cells, instrument.Say(text))
		}
		if !fitted {
			cells = cells[:4]
		}
		t.Rows = append(t.Rows, cells)
	}
	if !fitted {
		t.Heads = t.Heads[:4]
	}
	nodes := []*instrument.Node{s.Table(t)}
	if fitted {
		nodes = append(nodes, instrument.Note("The line through them with the least squared relative errors: a start of "+fit.Alpha.Quantity().String()+" and "+
			fit.Bandwidth.Quantity().String()+" of array after it. At worst it is off by "+percent(fit.Worst)+"; half of its time is start at "+x.SizeText(float64(fit.Knee()))+". The law's own start is "+
			x.Cost.Latency.Quantity().String()+" of steps; the rest of the measured one is software, and what else the law leaves out."))
	}
	return append(nodes, instrument.Note(strings.TrimSpace(doubt+" Source: "+strings.Join(sources, "; ")+".")))
}

func percent(share float64) string { return strconv.FormatFloat(100*share, 'f', 0, 64) + " %" }
