package shardinglab

import (
	"math"
	"strconv"

	"github.com/scalebook/scalebook/app/chart"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/widget/instrument"
)

// curves are the times over a size.
func (x *subject) curves(s *instrument.State) *instrument.Node {
	box := div("part", s.Heading("The times over a size"), div("lab-row", s.Control("over")))
	row := box.Kids[1]
	c := x.curve
	if c == nil {
		box.Kids = append(box.Kids, instrument.Note("There is nothing to plot over "+x.over+"."))
		return box
	}
	units := budget
	if s.Still() || untouched(s) { // as printed: nothing may move when the page comes to life
		units = places * c.work
	}
	if c.next == 0 || s.Still() {
		x.advance(units)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	progress := ""
	if c.next < len(c.order) {
		progress = strconv.Itoa(100*c.next/len(c.order)) + " % of the plans are made; the curves become finer. Any change begins anew."
		if c.stopped {
			progress = "Stopped at " + strconv.Itoa(100*c.next/len(c.order)) + " % of the plans."
		}
	}
	row.Kids = append(row.Kids, div("lab-progress", instrument.El("span", progress), x.stop(s)))
	box.Kids = append(box.Kids, s.Plot("times", x.plot()), div("lab-ways", x.regimes(s)))
	return box
}

// stop ends the planning early. It is offered where that takes more than a moment.
func (x *subject) stop(s *instrument.State) *instrument.Node {
	c := x.curve
	if c.next == len(c.order) || c.stopped || c.work < long {
		return nil
	}
	return s.ActButton("Stop", "stop")
}

// untouched says that all is as the author has it.
func untouched(s *instrument.State) bool {
	for _, c := range controls() {
		if s.Changed(c.Name) {
			return false
		}
	}
	return len(s.Edited()) == 0
}

// plot draws what has been planned so far.
func (x *subject) plot() *chart.Plot {
	c := x.curve
	best := x.way == x.best()
	curves := []chart.Series{{Name: "T_math", Label: "compute"}, {Name: "T_comms", Label: "communicate"}, {Name: "best", Label: "best, in all"},
		{Name: "T_hbm", Label: "memory"}, {Name: "way", Label: "opened, in all"}}
	shown := [5]bool{2: true, 4: !best}
	for i, p := range c.points {
		if !p.done {
			continue
		}
		for k, y := range [...]float64{p.math, p.comms, p.best, p.hbm, p.chosen} {
			if y <= 0 {
				y = math.NaN()
			}
			curves[k].X, curves[k].Y = append(curves[k].X, c.x[i]), append(curves[k].Y, y)
			shown[k] = shown[k] || k < 2 && y > 0 || k == 3 && y > p.math && y > p.comms // memory only where it counts
		}
	}
	var series []chart.Series
	for k := range curves {
		if shown[k] {
			series = append(series, curves[k])
		}
	}
	now, _ := x.sizes.Get(x.over)
	p := &chart.Plot{Title: "Times over " + x.over, X: chart.Axis{Label: x.over, Log: true, Format: sizeText}, Y: chart.Axis{Label: "Time", Log: true, Format: instrument.In(quantity.Seconds(0).Quantity())},
		Series: series, Current: &chart.Mark{X: now, Label: x.over + " = " + count(now)}}
	if best {
		p.Title += ", of the best way at each size"
	} else {
		p.Title += ": compute and communicate are of the opened way"
	}
	p.Caption = p.Title + ". The line with a number is the present size."
	for i, r := range c.runs() {
		if i == 1 {
			p.Caption += " Dashed lines: there the best way changes, or what it waits for."
		}
		if i > 0 {
			p.Marks = append(p.Marks, chart.Mark{Kind: chart.Vertical, X: c.x[r.from]})
		}
	}
	return p
}

func sizeText(x float64) string { return of(math.Round(x), "").String() }

// run is a stretch of sizes over which one way is the best, for one reason.
type run struct {
	from, to     int // places that have been planned
	title, bound string
}

func (c *curve) runs() []run {
	var all []run
	for i, p := range c.points {
		if !p.done || p.title == "" {
			continue
		}
		if n := len(all); n > 0 && all[n-1].title == p.title && all[n-1].bound == p.bound {
			all[n-1].to = i
		} else {
			all = append(all, run{i, i, p.title, p.bound})
		}
	}
	return all
}

// regimes say where the best way, or what it waits for, changes.
func (x *subject) regimes(s *instrument.State) *instrument.Node {
	t := instrument.Table{Key: "regimes", Caption: "The best way, by the size of " + x.over, Heads: heads(x.over+" around", "Best way", "Bound by")}
	now, _ := x.sizes.Get(x.over)
	for _, r := range x.curve.runs() {
		from, to := x.curve.x[r.from], x.curve.x[r.to]
		if from <= now && now <= to {
			t.Now = len(t.Rows) + 1
		}
		text := sizeText(from) + " to " + sizeText(to)
		if r.from == r.to {
			text = sizeText(from)
		}
		t.Rows = append(t.Rows, row(text, r.title, r.bound))
	}
	return s.Table(t)
}
