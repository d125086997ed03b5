package figure

import (
	"github.com/scalebook/scalebook/app/phrase"
)

// TwoChips draws a matmul whose summed width is sharded over two chips: what each holds, the partial sums that they
// exchange, and how long both computing and exchanging take. Dragging the weights sets the input `D`. The values are
// the summed width, the widest of the picture, the width of the output, and the times to compute and to exchange.
func TwoChips(l phrase.Phrases, a values) *Drawing {
	p := &pair{d: a.num(0), most: max(a.num(1), a.num(0)), math: a.num(3), sends: a.num(4), width: a[0].Num.String()}
	verdict := l.Say("figure.pair-comms")
	if p.math > p.sends {
		verdict = l.Say("figure.tile-compute")
	}
	d := &Drawing{
		Title: l.Say("figure.pair", "width", p.width),
		Now:   l.Say("figure.pair-now", "compute", seconds(p.math), "exchange", seconds(p.sends), "bound", verdict),
		AltTables: []Table{{Caption: l.Say("figure.pair-table"), Heads: cells(l, "figure.tile-heads"), Rows: [][]string{
			{l.Say("figure.tile-computes"), seconds(p.math)}, {l.Say("figure.pair-exchanges"), seconds(p.sends)},
		}}},
	}
	p.verdict = verdict
	d.About = sentences(l, ended(l, d.Title), ended(l, d.Now))
	return d.pictures(l, [2]float64{384, 384}, p.draw)
}

// pair is a drawing of one under way.
type pair struct {
	d, most, math, sends float64
	width, verdict       string
}

func (p *pair) draw(c *canvas) {
	wide, high, gap := c.of(404, 168), c.of(236, 214), c.of(132, 24)
	for i := range 2 {
		p.chip(c, i, float64(i)*(wide+gap), 4, wide, high)
	}
	y, x := 4+high-c.of(40, 28), wide
	c.Put(`<path class="send" d="`).Move(x+3, y-7).Put("h").Number(gap-8).Put("m-5 -4l5 4 -5 4").
		Move(x+gap-3, y+7).Put("h").Number(8 - gap).Put(`m5 -4l-5 4 5 4"/>`)
	if !c.narrow {
		c.say("small mid", x+gap/2, y-34, "figure.pair-sums")
		c.say("small mid", x+gap/2, y-18, "figure.pair-both")
	}
	p.times(c, high+c.of(34, 40))
}

// chip draws what a chip holds: its half of the weights beside what it lacks, its half of the activations, and sums of
// the output's full size.
func (p *pair) chip(c *canvas, i int, left, top, wide, high float64) {
	c.Rect(`class="frame"`, left+1, top, wide-2, high)
	c.say("strong", left+10, top+20, "figure.pair-chip", "i", i)
	span := c.of(150, 112)           // the widest array
	long := max(span*p.d/p.most, 10) // the summed width, of both halves
	x, y := left+wide-c.of(184, 82), top+c.of(24, 28)
	full, half := c.of(170, 72), long/2
	w := func(y float64, mine bool) {
		class := `class="b2 ghost"`
		if mine {
			class = `class="c2"`
		}
		c.Rect(class, x, y, full, half)
	}
	w(y, i == 0)
	w(y+half, i == 1)
	row := c.of(34, 24)
	sums := top + high - c.of(58, 40)
	acts := left + c.of(10, 8)
	scale := c.of(196, 66) / span
	for k := range 2 {
		class := `class="b1 ghost"`
		if k == i {
			class = `class="c1"`
		}
		c.Rect(class, acts+float64(k)*half*scale, sums, half*scale, row)
	}
	c.Rect(`class="c3"`, x, sums, full, row)
	c.say("small", acts, sums-8, "figure.tiled-activations")
	c.say("on mid", x+full/2, sums+row/2+5, c.of2("figure.pair-partial", "figure.pair-partial-short"))
	if mine := y + float64(i)*half; half > 18 {
		c.say("on mid", x+full/2, mine+half/2+5, "figure.tiled-weights")
	}
	if i == 1 {
		return
	}
	if !c.narrow {
		c.Label("in2 end", x-22, y+long/2+5, "D = "+p.width)
	}
	c.pull("D", "y", "linear", y, 0, y+span, p.most)
	c.knob(x+full, y+long, true)
}

// times draws the two times on one scale.
func (p *pair) times(c *canvas, top float64) {
	wide, high := c.of(900, 348), c.of(26, 24)
	longer := max(p.math, p.sends, 1e-15)
	left := c.of(8, 6)
	for i, t := range [...]float64{p.math, p.sends} {
		y := top + float64(i)*(high+26)
		class, key := "in2", "figure.tile-computes-for"
		if i == 1 {
			class, key = "in1", "figure.pair-exchanges-for"
		}
		c.say(class+" strong", left, y-6, key, "time", seconds(t))
		c.Rect(`class="idle"`, left, y, wide, high)
		c.Rect(`class="c`+class[2:]+`"`, left, y, max(wide*t/longer, 1), high)
	}
	c.Label("strong", left, top+2*high+26+20, c.of2("", c.width(p.width))+p.verdict)
}

// width is how wide the summed dimension is, where there is no place for it in the picture.
func (c *canvas) width(d string) string { return "D = " + d + ": " }
