package figure

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/hlo"
	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
)

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
	d.Twin = []Table{t}
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
	roof.text = []string{3: quantity.FLOPRate(peak).Quantity().String(), 4: quantity.Bandwidth(roof.W).Quantity().String()}
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
		c.Put(`<circle class="`, class, `" data-set="at=`, strconv.Itoa(i), `"`).Attr("cx", x).Attr("cy", y).Put(` r="8"/>`)
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
