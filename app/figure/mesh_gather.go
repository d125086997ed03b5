package figure

import (
	"strconv"

	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/phrase"
)

// mostCuts is how many shards a dimension is cut into at most, so that a shard can be seen in a chip.
const mostCuts = 8

// MeshGather draws an array that is cut along both dimensions, the mesh of chips that hold its shards, and a step of
// the all-gather around the rings of the first axis. Dragging a cut sets the inputs `X` and `Y`. The values are the
// shards of the rows and of the columns, the step, and as they are to be written: a shard's bytes, what a chip holds
// at the end, the time of a hop, and that of the whole.
func MeshGather(l phrase.Phrases, a values) (*Drawing, error) {
	for _, v := range a[:2] {
		if !(v.Num.Value >= 1 && v.Num.Value <= mostCuts) {
			return nil, phrase.New("figure.gather-most", "most", mostCuts, "n", counted(v.Num.Value))
		}
	}
	g := &meshGather{x: a.whole(0), y: a.whole(1)}
	g.step = clampInt(a.whole(2), 0, g.x/2)
	g.held = min(g.x, 1+2*g.step)
	for _, v := range a[3:] {
		g.text = append(g.text, v.Num.String())
	}
	d := &Drawing{
		Title: l.Say("figure.gather", "x", g.x, "y", g.y, "chips", g.x*g.y),
		Now:   l.Say("figure.gather-now", "step", g.step, "steps", g.x/2, "held", g.held, "all", g.x),
		Twin: []Table{{Caption: l.Say("figure.gather-table"), Heads: cells(l, "figure.tile-heads"), Rows: [][]string{
			{l.Say("figure.gather-shard"), g.text[0]}, {l.Say("figure.gather-end"), g.text[1]},
			{l.Say("figure.gather-held"), strconv.Itoa(g.held)}, {l.Say("figure.gather-hop"), g.text[2]},
			{l.Say("figure.gather-all"), g.text[3]},
		}}},
	}
	d.About = sentences(l, ended(l, d.Title), ended(l, d.Now))
	return d.opening(l, g.draw), nil
}

func clampInt(x, low, high int) int { return min(max(x, low), high) }

// meshGather is a drawing of one under way.
type meshGather struct {
	x, y, step, held int
	text             []string
}

func (g *meshGather) draw(c *canvas) {
	g.array(c, c.of(40, 22), c.of(84, 44), c.of(236, 108))
	if c.narrow {
		g.mesh(c, 172, 26, 176, 290)
	} else {
		g.mesh(c, 400, 30, 530, 364)
	}
}

// array draws the whole array with its cuts, and one shard of it as the chip in the corner holds it.
func (g *meshGather) array(c *canvas, left, top, side float64) {
	high, wide := side/float64(g.x), side/float64(g.y)
	c.Put(`<text class="strong big"`).Attr("x", left).Attr("y", top-c.of(44, 26)).
		Put(`>A[I<tspan class="at">X</tspan>, J`,
			`<tspan class="at">Y</tspan>]</text>`)
	c.Rect(`class="whole"`, left, top, side, side)
	c.Rect(`class="own"`, left, top, wide, high)
	c.Put(`<path class="cut" d="`)
	for i := 1; i < g.x; i++ {
		c.Move(left, top+float64(i)*high).Put("h").Number(side)
	}
	for i := 1; i < g.y; i++ {
		c.Move(left+float64(i)*wide, top).Put("v").Number(side)
	}
	c.Put(`"/>`)
	c.say("strong mid", left+side/2, top-c.of(16, 8), "figure.gather-y", "n", g.y)
	c.Put(`<g transform="translate(`).Number(left - c.of(16, 8)).Put(" ").Number(top + side/2).Put(`) rotate(-90)">`)
	c.say("strong mid", 0, 0, "figure.gather-x", "n", g.x)
	c.Put("</g>")
	y := top + side + c.of(34, 32)
	for i, key := range [...]string{"figure.gather-shard", "figure.gather-end",
		"figure.gather-hop", "figure.gather-all"} {
		if c.narrow {
			c.Label("small", left-16, y+float64(i)*42, c.l.Say(key)).
				Label("strong", left-16, y+17+float64(i)*42, g.text[i])
		} else {
			c.Label("small", left, y+float64(i)*22, c.l.Say(key)).
				Label("strong end", left+side+60, y+float64(i)*22, g.text[i])
		}
	}
	var rows, columns []float64
	for n := mostCuts; n >= 1; n-- {
		rows = append(rows, top+side/float64(n), float64(n))
		columns = append(columns, left+side/float64(n), float64(n))
	}
	c.pull("X", "y", "linear", rows...)
	c.knob(left+side*0.72, top+high, true)
	c.pull("Y", "x", "linear", columns...)
	c.knob(left+wide, top+side*0.72, false)
}

// mesh draws the chips, a ring of the first axis below each other, and what of the array each holds.
func (g *meshGather) mesh(c *canvas, left, top, wide, high float64) {
	stepY, stepX := high/float64(g.x), wide/float64(g.y)
	side := min(stepY-c.of(18, 14), stepX-c.of(26, 12), c.of(104, 64))
	stepX, stepY = min(stepX, side+c.of(70, 40)), min(stepY, side+c.of(48, 34))
	c.say("strong mid", left+wide/2, top-8, "figure.gather-rings", "n", g.y, "size", g.x)
	words, at3 := [...]string{"own", "new", "came"}, [...]float64{0, c.of(0.29, 0.28), c.of(0.66, 0.72)}
	for i, key := range [...]string{"figure.gather-own", "figure.gather-new", "figure.gather-came"} {
		x := left + wide*c.of(0.1, -0.06) + c.of(wide*0.9, wide)*at3[i]
		c.Rect(`class="`+words[i]+`"`, x, c.h-c.of(21, 18), 11, 11)
		c.say("small", x+16, c.h-c.of(11, 8), key)
	}
	left += (wide - stepX*float64(g.y)) / 2
	top += (high - stepY*float64(g.x)) / 2
	at := func(i, j int) (x, y float64) {
		return left + (float64(j)+0.5)*stepX - side/2, top + (float64(i)+0.5)*stepY - side/2
	}
	c.Put(`<path class="wires" d="`)
	for j := range g.y {
		for i := range g.x - 1 {
			x, y := at(i, j)
			c.Move(x+side/2, y+side).Put("v").Number(stepY - side)
		}
		if g.x > 2 { // the wire that closes the ring
			x, y := at(0, j)
			_, end := at(g.x-1, j)
			c.Move(x+side, y+side/2).Put("h7V").Number(end + side/2).Put("h-7")
		}
	}
	c.Put(`"/><path class="wires thin" d="`)
	for i := range g.x {
		for j := range g.y - 1 {
			x, y := at(i, j)
			c.Move(x+side, y+side*0.25).Put("h").Number(stepX - side)
		}
	}
	c.Put(`"/>`)
	var looks [4]markup.Pen // the chips, and what they hold
	for i := range g.x {
		for j := range g.y {
			x, y := at(i, j)
			g.chip(&looks, i, j, x, y, side)
		}
	}
	for i, class := range [...]string{"chip", "own", "new", "came"} {
		c.Path(class, looks[i].String())
	}
	if g.step > 0 {
		g.arrows(c, at, side, stepY)
	}
}

// chip draws a chip as the array in small: its own shard, those that came before, those that this step has brought.
func (g *meshGather) chip(looks *[4]markup.Pen, i, j int, x, y, side float64) {
	looks[0].Box(x-2, y-2, side+4, side+4)
	cellY, cellX := side/float64(g.x), side/float64(g.y)
	fill := func(look, row int) {
		row = (row + 2*g.x) % g.x
		looks[look].Box(x+float64(j)*cellX, y+float64(row)*cellY, cellX, cellY)
	}
	fill(1, i)
	for s := 1; s <= g.step; s++ {
		look := 3
		if s == g.step {
			look = 2
		}
		fill(look, i-s)
		if 2*s != g.x {
			fill(look, i+s)
		}
	}
}

// arrows draws what moves in this step: each chip passes a shard on both ways.
func (g *meshGather) arrows(c *canvas, at func(i, j int) (x, y float64), side, stepY float64) {
	gap := stepY - side
	c.Put(`<path class="send" d="`)
	for j := range g.y {
		for i := range g.x - 1 {
			x, y := at(i, j)
			y += side + 2
			c.Move(x+side/2-4, y).Put("v").Number(gap-4).Put("m-3 -4l3 4 3 -4").
				Move(x+side/2+4, y+gap-4).Put("v").Number(4 - gap).Put("m-3 4l3 -4 3 4")
		}
	}
	c.Put(`"/>`)
}
