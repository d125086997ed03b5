package figure

import (
	"math"

	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
)

// The measures of a machine room: days upwards, chips to the right, and its racks below them.
const (
	roomTop   = 14
	roomHigh  = 316
	rackTop   = roomTop + roomHigh + 12
	rackRows  = 5
	rackCols  = 56
	rackWide  = float64(openWide) / rackCols
	roomShare = 6 // the days at this share of the room's chips fit the axis
	day       = 86400
)

// MachineRoom draws a run on some of the chips of a room: as wide as its chips, as high as its time, so that its area is
// the chip-time that is paid. Below, the racks that work. time is in seconds, bill in dollars.
func MachineRoom(l phrase.Phrases, chips, most, time, bill float64) *Drawing {
	area, most := chips*time, math.Max(most, 1)
	top := 100 * day * math.Exp2(math.Ceil(math.Log2(math.Max(area/most*roomShare, day)/(100*day))))
	money := quantity.Quantity{Value: bill, Dim: quantity.Dim{quantity.Dollar: 1}}.String()
	d := &Drawing{Title: l.Say("figure.room", "chips", counted(chips), "time", seconds(time), "bill", money),
		Note: l.Say("figure.room-note")}
	r := machineRoom{chips: math.Min(chips/most, 1) * openWide, time: math.Min(time/top, 1) * roomHigh}
	r.axes(top)
	r.run(area/most/top*roomHigh*openWide, most, time <= top)
	r.racks(chips / most * rackRows * rackCols)
	class, x := "t2 strong", r.chips+18
	if r.chips > openWide*0.7 {
		class, x = class+" end", r.chips
	}
	r.pen.Label(class, x, roomTop+roomHigh-math.Min(r.time+14, roomHigh-16), seconds(time))
	r.bill(money)
	r.pen.Label("t1 strong", 0, openHigh-10, l.Say("figure.room-chips", "n", counted(chips)))
	r.pen.Label("end wide", openWide, openHigh-10, l.Say("figure.room-racks", "n", counted(most/rackRows/rackCols)))
	twin := Table{Caption: d.Title, Heads: cells(l, "figure.flow-heads")}
	twin.add(l.Say("figure.room-n"), counted(chips))
	twin.add(l.Say("figure.room-time"), seconds(time))
	twin.add(l.Say("figure.room-bill"), money)
	d.About, d.Now, d.Twin = ended(l, d.Title), d.Title, []Table{twin}
	return d.svg("fig opens", frame{-8, 0, openWide + 8, openHigh}, &r.pen)
}

// machineRoom is a drawing under way: how wide the run is and how high.
type machineRoom struct {
	chips, time float64
	pen         markup.Pen
}

// axes draws four lines of time.
func (r *machineRoom) axes(top float64) {
	for i := range 4 {
		y := roomTop + roomHigh*float64(i)/4
		r.pen.Path("grid", (&markup.Pen{}).Move(0, y).Put("h").Number(openWide).String())
		if i < 3 { // the lowest would stand on the curve
			r.pen.Label("small end", openWide, y+18, seconds(top*float64(4-i)/4))
		}
	}
}

// run draws the area and, through its corner, all runs of the same area; the corner is a grip.
func (r *machineRoom) run(area, most float64, inside bool) {
	r.pen.Rect(`class="c3 pale"`, 0, roomTop+roomHigh-r.time, r.chips, r.time)
	path := (&markup.Pen{})
	for i := range 65 {
		x := area / roomHigh * math.Pow(openWide*roomHigh/area, float64(i)/64)
		y := roomTop + roomHigh - area/x
		if i == 0 {
			path.Move(x, y)
		} else {
			path.Line(x, y)
		}
	}
	r.pen.Path("curve3", path.String())
	r.pen.Path("axis", (&markup.Pen{}).Move(0, roomTop).Put("v").Number(roomHigh).Put("h").
		Number(openWide).String())
	x, y := r.chips, roomTop+roomHigh-r.time
	r.pen.Path("edge2", (&markup.Pen{}).Move(x, y).Put("v").Number(r.time).String())
	if inside {
		grip(&r.pen, pulls("N", most), x, y)
	}
}

// racks draws all racks, and those that work filled.
func (r *machineRoom) racks(working float64) {
	r.pen.Put(`<path class="c1" d="`)
	for i := range rackRows * rackCols {
		if float64(i) == math.Ceil(working) {
			r.pen.Put(`"/><path class="slots" d="`)
		}
		r.pen.Box(float64(i/rackRows)*rackWide+1, rackTop+float64(i%rackRows)*rackWide+1, rackWide-2, rackWide-2)
	}
	r.pen.Put(`"/>`)
}

// bill writes the money into its area, or beside it if the area is narrow.
func (r *machineRoom) bill(money string) {
	class, x, y := "t3 big mid", r.chips/2, roomTop+roomHigh-r.time/2+10
	if r.chips < 130 {
		class, x, y = "t3 big", r.chips+14, roomTop+roomHigh-14
	}
	r.pen.Label(class, x, y, money)
}
