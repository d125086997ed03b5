package figure

import (
	"math"
	"strconv"

	"github.com/scalebook/scalebook/app/machine"
	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/phrase"
)

// The measures of a queue over time.
const (
	crowdWide    = 504
	crowdHigh    = 180
	crowdLeft    = 40
	crowdTop     = 30
	crowdSeconds = 120
	crowdSeed    = 7
	mostCrowd    = 4096 // slots that are drawn
)

// Crowd draws the requests under way, over two minutes up to a second, at a machine that completes capacity requests
// a second with all its slots taken and is asked for load times as many. Those who come, come by a fixed draw of lots.
func Crowd(l phrase.Phrases, load, capacity float64, slots, second int) *Drawing {
	slots, second = max(1, min(slots, mostCrowd)), max(0, min(second, crowdSeconds))
	capacity = math.Min(math.Max(capacity, 0), 1000)
	moments := machine.Crowd(math.Min(load, 10)*capacity, capacity, slots, crowdSeconds, crowdSeed)
	top := slots
	for _, m := range moments {
		top = max(top, m.Served+m.Waiting)
	}
	c := crowd{moments: moments[:second], scale: crowdHigh / float64(top)}
	d := &Drawing{
		Title: crowdText(l, moments, second),
		Note:  l.Say("figure.crowd-note"),
		Twin:  []Table{crowdTable(l, moments, second)},
	}
	d.About, d.Now = ended(l, d.Title), d.Title
	d.head(&c.pen, 17)
	c.draw(top, slots)
	return d.svg("fig", frame{0, 0, crowdLeft + crowdWide + 26, crowdTop + crowdHigh + 26}, &c.pen)
}

// crowd is a drawing under way.
type crowd struct {
	moments []machine.Moment
	scale   float64 // of a request
	pen     markup.Pen
}

func (c *crowd) draw(top, slots int) {
	served := func(m machine.Moment) int { return m.Served }
	all := func(m machine.Moment) int { return m.Served + m.Waiting }
	none := func(machine.Moment) int { return 0 }
	c.area("b2", served, all)
	c.area("b1", none, served)
	c.pen.Put(`<path class="line dash" d="`).Move(crowdLeft, c.y(slots)).Put("h").Number(crowdWide).Put(`"/>`)
	c.pen.Put(`<path class="axis" d="`).Move(crowdLeft, crowdTop).Put("v").Number(crowdHigh).Put("h").Number(crowdWide).
		Put(`"/>`)
	c.pen.Label("small", 0, crowdTop+12, strconv.Itoa(top))
	c.pen.Label("small", 0, crowdTop+crowdHigh, "0")
	for s := 0; s <= crowdSeconds; s += 30 {
		c.pen.Label("small mid", c.x(s), crowdTop+crowdHigh+20, strconv.Itoa(s)+" s")
	}
}

// area fills what lies between two counts, in steps of a second.
func (c *crowd) area(class string, from, to func(machine.Moment) int) {
	if len(c.moments) == 0 {
		return
	}
	c.pen.Put(`<path class="`, class, `" d="`).Move(c.x(0), c.y(from(c.moments[0])))
	for i, m := range c.moments {
		c.pen.Line(c.x(i), c.y(to(m))).Put("h").Number(c.x(1) - c.x(0))
	}
	for i := len(c.moments) - 1; i >= 0; i-- {
		c.pen.Line(c.x(i+1), c.y(from(c.moments[i]))).Put("h").Number(c.x(0) - c.x(1))
	}
	c.pen.Put(`z"/>`)
}

func (c *crowd) x(second int) float64 {
	return crowdLeft + float64(second)*crowdWide/crowdSeconds
}

func (c *crowd) y(requests int) float64 { return crowdTop + crowdHigh - float64(requests)*c.scale }

func crowdText(l phrase.Phrases, moments []machine.Moment, second int) string {
	m := machine.Moment{}
	if second > 0 {
		m = moments[second-1]
	}
	return l.Say("figure.crowd", "n", second, "served", m.Served, "waiting", m.Waiting)
}

// crowdTable says it for each quarter of a minute.
func crowdTable(l phrase.Phrases, moments []machine.Moment, second int) Table {
	t := Table{Caption: l.Say("figure.crowd-table"), Heads: cells(l, "figure.crowd-heads")}
	for s := 15; s <= second; s += 15 {
		m := moments[s-1]
		t.add(strconv.Itoa(s)+" s", strconv.Itoa(m.Served), strconv.Itoa(m.Waiting))
	}
	return t
}
