package figure

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/chart"
	"github.com/scalebook/scalebook/app/hlo"
	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/measured/summary"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/trace"
)

// A roofline shows so many operations, and none that does less than a millionth of all.
const (
	mostDots = 300
	tiny     = 1e6
)

// Roofline draws the operations of a program under the roofs of its chip: the rate that each reaches at most, over the
// operations that it does for each byte of HBM traffic.
func Roofline(l phrase.Phrases, p *hlo.Profile) *Drawing {
	peak := p.Chip.Peak("bf16")
	dots := rooflineDots(l, p)
	title := l.Say("figure.roofline", "chip", p.Chip.Name)
	plot := &chart.Plot{ID: "hlo-roofline", Title: title,
		X: chart.Axis{Label: l.Say("figure.roofline-x"), Log: true},
		Y: chart.Axis{Label: l.Say("figure.rate"), Log: true, Format: in(quantity.FLOPRate(1).Quantity())}}
	low, high := math.Inf(1), 0.0
	for _, d := range dots {
		for _, x := range d.X {
			low, high = min(low, x), max(high, x)
		}
	}
	if high == 0 || peak == 0 || p.Chip.HBM == 0 {
		return textOnly(title, l.Say("figure.roofline-none"))
	}
	ridge := peak / p.Chip.HBM
	low, high = min(low, ridge/4), max(high, ridge*4)
	plot.Series = append(dots, chart.Series{Name: "roof", Label: l.Say("figure.roof"), X: []float64{low, ridge, high},
		Y: []float64{low * p.Chip.HBM, peak, peak}})
	return plotted(l, plot, l.Say("figure.roofline-note", "ridge", strconv.FormatFloat(ridge, 'f', 0, 64)))
}

// rooflineDots are the operations, those of each bound in a series of their own.
func rooflineDots(l phrase.Phrases, p *hlo.Profile) []chart.Series {
	names := []string{"compute", "HBM", "VMEM", "network"}
	labels := []string{"figure.bound-compute", "figure.bound-hbm", "figure.bound-vmem", "figure.bound-network"}
	all := make([]chart.Series, len(names))
	shown := 0
	for i := range p.Ops {
		e := &p.Ops[i]
		for k, name := range names {
			if e.Bound() == name && e.FLOPs()*e.Times > p.FLOPs/tiny && e.HBM > 0 && shown < mostDots {
				all[k].X, all[k].Y = append(all[k].X, e.Intensity()), append(all[k].Y, e.FLOPs()/e.Time())
				shown++
			}
		}
	}
	var some []chart.Series
	for k, s := range all {
		if len(s.X) > 0 {
			s.Name, s.Label, s.Dots = names[k], l.Say(labels[k]), true
			some = append(some, s)
		}
	}
	return some
}

// opsRoofline is the operations of a program that take time, the one that is looked at, and how long all take.
type opsRoofline struct {
	*hlo.Profile
	ops  []*hlo.Expected
	at   int
	all  float64
	x, y logScale
}

// bounds are what an operation can wait for, with the number of its colour and the key of its name.
var bounds = [...]struct{ name, color, key string }{{"compute", "2", "figure.ops-compute"}, {"HBM", "1",
	"figure.ops-hbm"},
	{"VMEM", "3", "figure.ops-vmem"}, {"network", "4", "figure.ops-network"}}

func boundColor(e *hlo.Expected) string {
	for _, b := range bounds {
		if b.name == e.Bound() {
			return b.color
		}
	}
	return "3"
}

// OpsRoofline draws the operations of a program as bars, as wide as the time that each must take, and above them as
// points under the roofs of the chip. Dragging along the bars sets the input `at`.
func OpsRoofline(l phrase.Phrases, p *hlo.Profile, a values) *Drawing {
	r := &opsRoofline{Profile: p}
	for i := range p.Ops {
		if e := &p.Ops[i]; e.Time()*e.Times > 0 {
			r.ops = append(r.ops, e)
			r.all += e.Time() * e.Times
		}
	}
	peak := p.Chip.Peak("bf16")
	title := l.Say("figure.roofline", "chip", p.Chip.Name)
	if len(r.ops) == 0 || peak == 0 || p.Chip.HBM == 0 {
		return textOnly(title, l.Say("figure.roofline-none"))
	}
	r.at = min(max(a.whole(1), 0), len(r.ops)-1)
	e := r.ops[r.at]
	d := &Drawing{Title: title, Now: l.Say("figure.ops-now", "op", r.name(e), "time", seconds(e.Time()*e.Times),
		"share", shareText(e.Time()*e.Times, r.all))}
	d.About = ended(l, d.Now)
	t := Table{Caption: title, Heads: cells(l, "figure.ops-heads")}
	for _, e := range r.ops {
		t.add(r.name(e), seconds(e.Time()*e.Times), l.Word(e.Bound()))
	}
	d.AltTables = []Table{t}
	ridge := peak / p.Chip.HBM
	r.x.low, r.x.high = ridge/1000, ridge*30
	r.y.low, r.y.high = peak/1000, peak*4
	return d.opening(l, r.draw)
}

func (r *opsRoofline) name(e *hlo.Expected) string { return phrase.Printable(e.Name, 32) }

func (r *opsRoofline) draw(c *canvas) {
	left, right, top, bottom := c.of(8, 6), c.of(600, 354), c.of(14, 10), c.of(312, 188)
	r.x.from, r.x.to, r.y.from, r.y.to = left, right, bottom, top
	e, peak := r.ops[r.at], r.Chip.Peak("bf16")
	roof := &tile{peak: peak, W: r.Chip.HBM, ridge: peak / r.Chip.HBM, x: r.x, y: r.y, intensity: e.Intensity()}
	roof.ridgeText = strconv.FormatFloat(roof.ridge, 'f', 0, 64)
	roof.text = []string{3: quantity.FLOPRate(peak).Quantity().String(),
		4: quantity.Bandwidth(roof.W).Quantity().String()}
	roof.roof(c, left, right, bottom)
	strip, high, wide := c.of(352, 218), c.of(44, 26), c.of(924, 348)
	var now, bar [2]float64
	at := left
	pairs := []float64{}
	for i, e := range r.ops {
		w := wide * e.Time() * e.Times / r.all
		class := "c" + boundColor(e)
		if i != r.at {
			class += " dim"
		} else {
			bar = [...]float64{at + w/2, w}
		}
		pairs = append(pairs, at+w/2, float64(i))
		c.Rect(`class="`+class+`" data-set="at=`+strconv.Itoa(i)+`"`, at, strip, w, high)
		if name := r.bound(c, e); i != r.at && w > textWide("", name)+4 {
			c.Label("mid", at+w/2, strip+high/2+5, name)
		}
		at += w
		x, y, ok := r.point(e)
		if !ok {
			continue
		}
		if i == r.at {
			now = [...]float64{x, y}
			continue
		}
		c.Put(`<circle class="`, class, `" data-set="at=`, strconv.Itoa(i), `"`).Attr("cx", x).Attr("cy",
			y).Put(` r="8"/>`)
	}
	r.legend(c)
	if now[0] > 0 {
		c.Path("thin dash", (&markup.Pen{}).Move(bar[0], strip).Line(now[0], now[1]).String())
		c.Put(`<circle class="now c`, boundColor(e), `"`).Attr("cx", now[0]).Attr("cy", now[1]).Put(` r="11"/>`)
	}
	c.pull("at", "x", "linear", pairs...)
	c.knob(bar[0], strip+high+c.of(16, 12), false)
	r.costs(c, e, c.of(644, 6), c.of(34, 284), c.of(288, 348))
}

// legend writes what the bars wait for in the colours of the bars, where these are too narrow to say it.
func (r *opsRoofline) legend(c *canvas) {
	x := 354.0
	for _, b := range bounds {
		waits := func(e *hlo.Expected) bool { return e.Bound() == b.name }
		if i := slices.IndexFunc(r.ops, waits); c.narrow && i >= 0 {
			text := r.bound(c, r.ops[i])
			c.Label("in"+b.color+" end", x, 264, text)
			x -= textWide("", text) + 14
		}
	}
}

// bound is what an operation waits for, in a word.
func (r *opsRoofline) bound(c *canvas, e *hlo.Expected) string {
	for _, b := range bounds {
		if b.name == e.Bound() {
			return strings.TrimSpace(c.l.Say(b.key, "x", ""))
		}
	}
	return ""
}

// point is where an operation stands; one that computes nothing, or reads nothing from HBM, stands nowhere.
func (r *opsRoofline) point(e *hlo.Expected) (x, y float64, ok bool) {
	rate := e.FLOPs() / e.Time()
	if rate <= 0 || e.HBM <= 0 {
		return 0, 0, false
	}
	x = math.Min(math.Max(r.x.at(e.Intensity()), r.x.from+10), r.x.to-10)
	y = math.Min(math.Max(r.y.at(rate), r.y.to), r.y.from-10)
	return x, y, true
}

// costs draws the times of an operation, of one run: it takes as long as the longest.
func (r *opsRoofline) costs(c *canvas, e *hlo.Expected, x, y, wide float64) {
	c.Label("strong", x, y, r.name(e))
	c.say("", x, y+c.of(24, 18), "figure.ops-takes", "time", seconds(e.Time()*e.Times),
		"share", shareText(e.Time()*e.Times, r.all))
	times, longest := [...]float64{e.Math, e.Memory, e.Near, e.Comms - e.Hidden}, max(e.Time(), 1e-15)
	top := y + c.of(64, 38)
	for i, b := range bounds {
		if times[i] <= 0 || c.narrow && times[i] < longest {
			continue
		}
		c.say("in"+b.color+" strong", x, top-5, b.key, "x", seconds(times[i]))
		c.Rect(`class="c`+b.color+`"`, x, top, max(wide*times[i]/longest, 2), c.of(26, 12))
		top += c.of(54, 34)
	}
}

// The measures of an array in tiles.
const (
	cellWide   = 30
	cellHigh   = 22
	mostAcross = 16
	mostDown   = 16
)

// Tiles draws how a small array lies in memory: its elements with their places, tile by tile, and hatched what is only
// padding. Of a large one it draws the corner that comes first.
func Tiles(l phrase.Phrases, s *hlo.Shape) *Drawing {
	sizes := s.Rounded()
	for len(sizes) < 2 {
		sizes = append([]float64{1}, sizes...)
	}
	down, across := int(min(sizes[len(sizes)-2], mostDown)), int(min(sizes[len(sizes)-1], mostAcross))
	real := s.Real()
	d := &Drawing{Title: l.Say("figure.tiles", "shape", s.String()),
		About: l.Say("figure.tiles-about", "elements", strconv.FormatFloat(s.Elements(), 'f', 0, 64), "capacity",
			strconv.FormatFloat(s.Padded(), 'f', 0, 64)),
		Note: l.Say("figure.tiles-note")}
	twin := Table{Caption: d.Title, Heads: arrayColumns(l, l.Say("figure.row"), across)}
	var pen markup.Pen
	for y := range down {
		row := []string{strconv.Itoa(y)}
		for x := range across {
			at := make([]int, len(sizes))
			at[len(at)-2], at[len(at)-1] = y, x
			place := strconv.Itoa(s.Layout.Place(s.Dims, at))
			inside := y < real[0] && x < real[1]
			cell(&pen, x, y, place, inside)
			if !inside {
				place = l.Say("figure.tiles-padding", "place", place)
			}
			row = append(row, place)
		}
		twin.add(row...)
	}
	tileLines(&pen, s, across, down)
	if int(sizes[len(sizes)-1]) > across || int(sizes[len(sizes)-2]) > down || len(sizes) > 2 {
		d.Note = sentences(l, d.Note, l.Say("figure.tiles-corner"))
	}
	d.AltTables = []Table{twin}
	return d.svg("fig", frame{-2, -2, float64(across*cellWide) + 2, float64(down*cellHigh) + 2}.margin(0, 300), &pen)
}

// cell is an element, or padding.
func cell(w *markup.Pen, x, y int, place string, inside bool) {
	left, top := float64(x*cellWide), float64(y*cellHigh)
	if inside {
		w.Rect(`class="cell"`, left, top, cellWide, cellHigh)
	} else {
		hatched(w, left, top, cellWide, cellHigh)
	}
	w.Label("place", left+cellWide/2, top+cellHigh/2+4, place)
}

// tileLines part the outer tiles.
func tileLines(w *markup.Pen, s *hlo.Shape, across, down int) {
	if len(s.Layout.Tiles) == 0 {
		return
	}
	tile := s.Layout.Tiles[0]
	wide, high := int(tile[len(tile)-1]), 1
	if len(tile) > 1 {
		high = int(tile[len(tile)-2])
	}
	if wide < 1 || high < 1 {
		return
	}
	var path markup.Pen
	for y := 0; y < down; y += high {
		for x := 0; x < across; x += wide {
			path.Box(float64(x*cellWide), float64(y*cellHigh), float64(min(wide, across-x)*cellWide),
				float64(min(high, down-y)*cellHigh))
		}
	}
	w.Path("tile", path.String())
}

// The measures of a trace's bars.
const (
	traceNames  = 110
	traceWide   = 412
	traceHigh   = 26
	mostTracked = 16 // devices that are drawn
)

// TraceBars draws where the time of each device of a trace went, and below how much of what it sends is hidden.
func TraceBars(l phrase.Phrases, t *trace.Trace) *Drawing {
	if len(t.Devices) == 0 {
		return textOnly(l.Say("figure.trace"), l.Say("figure.trace-none"))
	}
	d := &Drawing{Title: l.Say("figure.trace")}
	twin := Table{Caption: d.Title, Heads: cells(l, "figure.trace-heads")}
	longest := 0.0
	for i := range t.Devices {
		longest = max(longest, t.Devices[i].Span)
	}
	var pen markup.Pen
	for i := range t.Devices[:min(len(t.Devices), mostTracked)] {
		v := &t.Devices[i]
		name := phrase.Printable(v.Name, 14)
		traceBar(&pen, name, v, longest, float64(i*(traceHigh+14))+14)
		twin.add(name, seconds(v.Span), seconds(v.Compute), seconds(v.Exposed),
			seconds(v.Comms-v.Exposed), seconds(v.Unknown), seconds(v.Copies), seconds(v.Idle))
	}
	first := &t.Devices[0]
	d.About = l.Say("figure.trace-about", "device", phrase.Printable(first.Name, 40), "computing",
		shareText(first.Compute, first.Span), "sending", shareText(first.Exposed, first.Span), "unknown",
		shareText(first.Unknown, first.Span), "idle", shareText(first.Idle, first.Span))
	rest := ""
	if n := len(t.Devices) - mostTracked; n > 0 {
		rest = l.Count(n, "figure.trace-rest")
	}
	d.Note = sentences(l, l.Say("figure.trace-note"), rest)
	d.AltTables = []Table{twin}
	high := float64(min(len(t.Devices), mostTracked)*(traceHigh+14) + 10)
	return d.svg("fig", frame{0, 0, traceNames + traceWide + 70, high}, &pen)
}

// traceBar is the bar of a device.
func traceBar(w *markup.Pen, name string, d *trace.Device, longest, top float64) {
	w.Label("small", 0, top+traceHigh/2+5, name)
	scale, left := traceWide/max(longest, 1e-12), float64(traceNames)
	for _, part := range []struct {
		class string
		time  float64
	}{{"f", d.Compute}, {"b", d.Exposed}, {"unknown", d.Unknown}, {"w", d.Copies}} {
		w.Rect(`class="`+part.class+`"`, left, top, part.time*scale, traceHigh)
		left += part.time * scale
	}
	hidden := (d.Comms - d.Exposed) * scale
	if hidden > 0.5 {
		hatched(w, traceNames, top-7, hidden, 6)
	}
	w.Rect(`class="edge" fill="none"`, traceNames, top, d.Span*scale, traceHigh)
	w.Label("small", traceNames+d.Span*scale+5, top+traceHigh/2+5, shareText(d.Compute, d.Span))
}

// Predicted draws what was measured over what was predicted: the rows of a family, and pale those of all others of the
// same half and quantity. On the line both are the same.
func Predicted(l phrase.Phrases, f *summary.Family) *Drawing {
	if len(f.Points) == 0 {
		d := textOnly(l.Word(f.Name), l.Say("figure.predicted-counted"))
		d.AltTables = []Table{familyTable(l, f)}
		return d
	}
	own, others := chart.Series{Name: "family", Label: l.Word(f.Name), Dots: true}, chart.Series{Name: "others",
		Label: l.Say("figure.predicted-others"), Dots: true}
	for _, g := range summary.Families(f.Half) {
		if g.Quantity != f.Quantity {
			continue
		}
		to := &others
		if g.Name == f.Name && g.Part == f.Part {
			to = &own
		}
		for _, p := range g.Points {
			to.X, to.Y = append(to.X, p.Predicted), append(to.Y, p.Measured)
		}
	}
	p := &chart.Plot{ID: "predicted-" + f.Half,
		Title: l.Say("figure.predicted", "quantity", l.Word(f.Quantity), "family", l.Word(f.Name)),
		X:     chart.Axis{Label: l.Say("figure.predicted-x", "quantity", f.Quantity), Log: true, Format: in(unitOf(f))},
		Y:     chart.Axis{Label: l.Say("figure.predicted-y", "quantity", f.Quantity), Log: true, Format: in(unitOf(f))}}
	if unitOf(f).Dim == (quantity.Dim{quantity.Second: 1}) {
		p.X.Round, p.Y.Round = chart.RoundTimes(), chart.RoundTimes()
	}
	equal := equalLine(&own, &others)
	equal.Label = l.Say("figure.predicted-equal")
	p.Series = []chart.Series{own, equal, others}
	d := plotted(l, p, l.Say("figure.predicted-note", "n", len(f.Points), "all", f.Rows))
	d.About = l.Say("figure.predicted-about", "median", quantity.Percent(f.Median, 1), "most",
		quantity.Percent(f.P90, 1))
	d.AltTables = []Table{familyTable(l, f)}
	return d
}

// equalLine is where both are the same, as long as the points of all series reach.
func equalLine(series ...*chart.Series) chart.Series {
	low, high := math.Inf(1), 0.0
	for _, s := range series {
		for i := range s.X {
			low, high = min(low, s.X[i], s.Y[i]), max(high, s.X[i], s.Y[i])
		}
	}
	return chart.Series{Name: "equal", X: []float64{low, high}, Y: []float64{low, high}}
}

// unitOf is a unit of what f predicts.
func unitOf(f *summary.Family) quantity.Quantity {
	switch is := f.Quantity; {
	case is == "KV tokens":
		return quantity.Quantity{Value: 1, Label: quantity.Label{Over: "token"}}
	case is == "memory", is == "weights", is == "size":
		return quantity.Bytes(1).Quantity()
	case strings.HasSuffix(is, "bandwidth"):
		return quantity.Bandwidth(1).Quantity()
	case strings.HasSuffix(is, "tokens a second"):
		return quantity.Quantity{Value: 1, Dim: quantity.Dim{quantity.Second: -1}, Label: quantity.Label{Over: "token"}}
	}
	return quantity.Seconds(1).Quantity()
}

// familyTable is a family in numbers.
func familyTable(l phrase.Phrases, f *summary.Family) Table {
	t := Table{Caption: l.Say("figure.family", "family", l.Word(f.Name), "quantity", l.Word(f.Quantity)),
		Heads: []string{l.Say("figure.family-rows"), commas(l, strconv.Itoa(f.Rows), l.Word(f.Part))}}
	t.add(l.Say("figure.family-median"), quantity.Percent(f.Median, 1))
	t.add(l.Say("figure.family-most"), quantity.Percent(f.P90, 1))
	t.add(l.Say("figure.family-coverage"), quantity.Percent(f.Coverage, 1))
	t.add(l.Say("figure.family-width"), strconv.FormatFloat(f.Width, 'f', 2, 64))
	return t
}
