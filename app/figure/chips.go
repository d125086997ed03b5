package figure

import (
	"math"
	"slices"
	"strconv"

	"github.com/scalebook/scalebook/app/chart"
	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// ChipBars draws a field of each chip of a comparison as a bar, the shortest first; what is not known stands there as
// such.
func ChipBars(l phrase.Phrases, chips []value.Value, column *value.Record) (*Drawing, error) {
	if len(chips) == 0 {
		return nil, phrase.New("figure.no-chip")
	}
	field, about := column.Fields["name"].Text, column.Fields["about"].In(l)
	p := &chart.Plot{ID: "chip-bars", Title: about, Series: []chart.Series{{Name: field, Label: l.Word(column.Name)}}}
	p.X.Label = l.Say("figure.chip")
	var like quantity.Quantity
	of := func(chip value.Value) float64 {
		if v, ok := chip.Record.Fields[field]; ok {
			like = v.Num
			return v.Num.Value
		}
		return math.Inf(1) // what isn't known stands last
	}
	chips = append([]value.Value{}, chips...)
	chart.Ascending(chips, of)
	for _, chip := range chips {
		x := of(chip)
		p.X.Categories = append(p.X.Categories, chip.Record.Name)
		p.Series[0].Y = append(p.Series[0].Y, x)
	}
	p.Y.Format = in(like)
	return plotted(l, p, ""), nil
}

// machineRoom is a run on some of the chips of a machine room: chips of most, for so many seconds; top is what the axis
// of time ends with, and curve how much of its square the run takes.
type machineRoom struct {
	chips, most, time, top, curve float64
	timeText, bill                string
}

// The racks of a machine room. The time that a share of it takes fits the axis.
const (
	rackRows  = 5
	rackCols  = 56
	roomShare = 6
	day       = 86400
)

// MachineRoom draws a run as wide as its chips and as high as its days, so that its area is the chip time that is paid
// for. Dragging its corner sets the input `N`. The values are its chips, those of the machine room, its time and its
// bill.
func MachineRoom(l phrase.Phrases, a values) *Drawing {
	r := &machineRoom{chips: a.num(0), most: max(a.num(1), 1), time: a.num(2), timeText: seconds(a.num(2)),
		bill: a[3].Num.String()}
	whole := r.chips * r.time / r.most // the time that all chips would take
	r.top = 100 * day * math.Exp2(math.Ceil(math.Log2(max(whole*roomShare, day)/(100*day))))
	r.curve = whole / r.top
	d := &Drawing{Title: l.Say("figure.room", "chips", counted(r.chips), "time", r.timeText, "bill", r.bill)}
	d.About, d.Now = ended(l, d.Title), d.Title
	d.AltTables = []Table{{Caption: d.Title, Heads: cells(l, "figure.flow-heads"), Rows: [][]string{
		{l.Say("figure.room-n"), counted(r.chips)}, {l.Say("figure.room-time"), r.timeText},
		{l.Say("figure.room-bill"), r.bill}}}}
	return d.opening(l, r.draw)
}

func (r *machineRoom) draw(c *canvas) {
	left, wide, top, high := c.of(8, 6), c.of(924, 348), 14.0, c.of(298, 236)
	bottom := top + high
	for i := range 3 { // the lowest line would be named on the curve
		y := top + high*float64(i)/4
		c.Path("grid", (&markup.Pen{}).Move(left, y).Put("h").Number(wide).String())
		c.Label("small end", left+wide, y+18, seconds(r.top*float64(4-i)/4))
	}
	r.racks(c, left, bottom+10, wide)
	w, h := min(r.chips/r.most, 1)*wide, min(r.time/r.top, 1)*high
	c.Rect(`class="c3 pale"`, left, bottom-h, w, h)
	r.others(c, left, bottom, wide, high)
	c.Path("axis", (&markup.Pen{}).Move(left, top).Put("v").Number(high).Put("h").Number(wide).String())
	x, y := left+w, bottom-h
	c.Path("days", (&markup.Pen{}).Move(x, y).Line(x, bottom).String())
	if class, at := "in3 big strong", x+14; w > c.of(120, 84) {
		c.Label(class+" mid", left+w/2, bottom-h/2+7, r.bill)
	} else {
		c.Label(class, at, bottom-12, r.bill)
	}
	class, at := "in2 strong big halo", x+20
	if w > wide*0.75 {
		class, at = class+" end", left+wide
	}
	c.Label(class, at, max(y-16, top+34), r.timeText)
	c.pull("N", "x", "linear", left, 0, left+wide, r.most)
	c.knob(x, y, false)
}

// others draws all runs of the same area.
func (r *machineRoom) others(c *canvas, left, bottom, wide, high float64) {
	const points = 48
	c.Put(`<path class="curve3" d="`)
	for i := range points + 1 {
		share := math.Pow(r.curve, 1-float64(i)/points) // of the chips; of the time it is curve / share
		if i == 0 {
			c.Move(left+share*wide, bottom-high)
		} else {
			c.Line(left+share*wide, bottom-r.curve/share*high)
		}
	}
	c.Put(`"/>`)
}

// racks draws all racks, and those that work filled.
func (r *machineRoom) racks(c *canvas, left, top, wide float64) {
	var working, idle markup.Pen
	step := wide / rackCols
	for i := range rackRows * rackCols {
		p := &idle
		if float64(i) < r.chips/r.most*rackRows*rackCols {
			p = &working
		}
		p.Box(left+float64(i/rackRows)*step+1, top+float64(i%rackRows)*step+1, step-c.of(3, 1.5), step-c.of(3, 1.5))
	}
	c.Path("c1", working.String()).Path("slots", idle.String())
	c.Label("in1 strong", left, top+rackRows*step+18, c.l.Count(int(r.chips), "figure.run-chips"))
	c.say("small end", left+wide, top+rackRows*step+c.of(18, 36), "figure.room-racks",
		"n", counted(r.most/rackRows/rackCols))
}

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
	d.About, d.AltTables = ended(l, d.Title), []Table{t}
	return d.svg("fig", frame{0, 0, wide, y}, &pen), nil
}
