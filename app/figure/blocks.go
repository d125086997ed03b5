package figure

import (
	"strconv"

	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/phrase"
)

// TiledMatmul draws a square matmul tile by tile: the tile of the output whose sums stay on the chip, the slices of
// both factors that it reads, and what reading them again for each tile costs. Dragging the tile's corner sets the
// input `b`. The values are the edge of a tile, that of the matrices, the bytes moved and the least possible, the times
// to compute and to move, and the bytes of the sums and of the memory that they stay in.
func TiledMatmul(l phrase.Phrases, a values) *Drawing {
	t := &tiled{edge: min(a.num(0), a.num(1)), n: a.num(1), sums: a.num(6), capacity: a.num(7)}
	for _, v := range a {
		t.text = append(t.text, v.Num.String())
	}
	t.again = counted(a.num(2) / a.num(3))
	t.times = tile{math: a.num(4), moves: a.num(5), verdict: l.Say("figure.tile-memory")}
	if a.num(4) >= a.num(5) {
		t.times.verdict = l.Say("figure.tile-compute")
	}
	d := &Drawing{
		Title: l.Say("figure.tiled", "n", t.text[1], "edge", t.text[0]),
		Now:   l.Say("figure.tiled-now", "bytes", t.text[2], "times", t.again, "bound", t.times.verdict),
		AltTables: []Table{{Caption: l.Say("figure.tiled-table"), Heads: cells(l, "figure.tile-heads"),
			Rows: [][]string{
				{l.Say("figure.tiled-moved"), t.text[2]}, {l.Say("figure.tiled-least"), t.text[3]},
				{l.Say("figure.tile-computes"), t.text[4]}, {l.Say("figure.tile-moves"), t.text[5]},
				{l.Say("figure.tiled-sums"), t.text[6]}, {l.Say("figure.tiled-room"), t.text[7]},
			}}},
	}
	d.About = sentences(l, ended(l, d.Title), ended(l, d.Now))
	return d.pictures(l, [2]float64{400, 454}, t.draw)
}

// tiled is a drawing of one under way.
type tiled struct {
	edge, n, sums, capacity float64
	text                    []string // of the values
	again                   string   // how many times the least bytes are moved
	times                   tile
}

// mostTiles is how many tiles of an edge are drawn: of more, one would see only the lines between them.
const mostTiles = 40

func (t *tiled) draw(c *canvas) {
	side, gap, left, top := c.of(176, 112), c.of(20, 14), c.of(8, 6), c.of(20, 18)
	x, y := left+side+gap, top+side+gap
	edge := max(side*t.edge/t.n, 2)
	c.Rect(`class="b1 pale"`, left, y, side, side)
	c.Rect(`class="b2 pale"`, x, top, side, side)
	c.Rect(`class="b3 pale"`, x, y, side, side)
	if tiles := t.n / t.edge; tiles > 1 && tiles <= mostTiles {
		var p markup.Pen
		for at := edge; at < side-1; at += edge {
			p.Move(x+at, y).Put("v").Number(side).Move(x, y+at).Put("h").Number(side)
		}
		c.Path("grid", p.String())
	}
	c.Rect(`class="c1"`, left, y, side, edge)
	c.Rect(`class="c2"`, x, top, edge, side)
	c.Rect(`class="c3"`, x, y, edge, edge)
	c.say("halo mid", left+side/2, y+side*0.75, "figure.tiled-activations")
	c.say("halo mid", x+side/2+edge/2*0.6, top+side/2, "figure.tiled-weights")
	c.say("halo mid", x+side*0.62, y+side*0.88, "figure.tiled-output")
	c.Put(`<path class="send" d="`).Move(left+side+2, y+edge/2).Put("h").Number(gap-5).Put("m-4 -4l4 4 -4 4").
		Move(x+edge/2, top+side+2).Put("v").Number(gap - 5).Put(`m-4 -4l4 4 4 -4"/>`)
	c.say("strong", left, y-c.of(12, 8), "figure.tiled-edge", "edge", t.text[0])
	c.pull("b", "x", "linear", x+2, t.n/mostTiles/4, x+side, t.n)
	c.knob(x+max(edge, 10), y+max(edge, 10), false)
	if c.narrow {
		t.description(c, 6, 46)
		t.times.times(c, 6, 318, 348, 24)
		t.memory(c, 6, 426, 348, 20)
		return
	}
	t.description(c, 470, 34)
	t.times.times(c, 470, 178, 462, 38)
	t.memory(c, 470, 342, 462, 38)
}

// description says how often the bytes cross the wire.
func (t *tiled) description(c *canvas, x, y float64) {
	if c.narrow {
		c.say("big strong", x, y, "figure.tiled-times", "times", t.again)
		c.say("small", x, y+20, "figure.tiled-least-short")
		c.Label("small", x, y+42, t.text[2])
		return
	}
	c.say("big strong", x, y, "figure.tiled-again", "times", t.again)
	c.say("", x, y+24, "figure.tiled-bytes", "bytes", t.text[2], "least", t.text[3])
}

// memory draws the memory on the chip, and how much of it the sums take.
func (t *tiled) memory(c *canvas, x, y, wide, high float64) {
	class, key := "c3", "figure.tiled-fit"
	if t.sums > t.capacity {
		class, key = "bad", "figure.tiled-no-fit"
	}
	c.say("strong", x, y-6, key, "sums", t.text[6], "room", t.text[7])
	c.Rect(`class="idle"`, x, y, wide, high)
	c.Rect(`class="`+class+`"`, x, y, max(wide*min(t.sums/t.capacity, 1), 1), high)
}

// MatmulAreas draws the three arrays of a matmul with areas that stand for their bytes: as the batch grows, two of them
// grow, and the third does if each row has a matrix of its own. Dragging the activations sets the input `B`. The values
// are the batch, the two widths, the largest batch of the picture, and whether the matrix is shared.
func MatmulAreas(l phrase.Phrases, a values) *Drawing {
	m := &areas{b: a.num(0), d: a.num(1), f: a.num(2), most: max(a.num(3), a.num(0)), own: !a[4].Bool}
	m.copies = 1
	if m.own {
		m.copies = m.b
	}
	bytes := [3]float64{2 * m.b * m.d, 2 * m.d * m.f * m.copies, 2 * m.b * m.f}
	m.all = bytes[0] + bytes[1] + bytes[2]
	m.intensity = counted(2 * m.b * m.d * m.f / m.all)
	table := Table{Caption: l.Say("figure.areas-table"), Heads: cells(l, "figure.areas-heads")}
	for i, key := range [...]string{"figure.tiled-activations", "figure.tiled-weights", "figure.tiled-output"} {
		m.parts[i] = areaPart{l.Say(key), bytesText(bytes[i]), shareText(bytes[i], m.all), bytes[i]}
		table.add(phrase.Capital(m.parts[i].name), m.parts[i].bytes, m.parts[i].share)
	}
	d := &Drawing{
		Title:     l.Say("figure.areas", "batch", counted(m.b), "intensity", m.intensity),
		Now:       l.Say("figure.areas-now", "share", m.parts[1].share, "intensity", m.intensity),
		AltTables: []Table{table},
	}
	d.About = sentences(l, ended(l, d.Title), ended(l, d.Now))
	return d.pictures(l, [2]float64{400, 404}, m.draw)
}

// areas is a drawing of one under way.
type areas struct {
	b, d, f, most, copies, all float64
	own                        bool
	intensity                  string
	parts                      [3]areaPart
}

type areaPart struct {
	name, bytes, share string
	size               float64
}

// mostSheets is how many matrices of a stack are drawn.
const mostSheets = 12

func (m *areas) draw(c *canvas) {
	left, top, gap := c.of(8, 6), c.of(44, 40), c.of(26, 20)
	wide, high := c.of(556, 348)-gap-left, c.of(352, 262)-gap
	unit := min(wide/(m.d+m.f), high/(m.d+m.most))
	x, y := left+m.d*unit+gap, top+m.d*unit+gap
	rows := max(m.b*unit, 1.5)
	c.Put(`<path class="frame dash" d="`).Box(left, y, m.d*unit, m.most*unit).Box(x, y, m.f*unit,
		m.most*unit).Put(`"/>`)
	sheets := min(int(m.copies), mostSheets)
	for i := sheets - 1; i >= 0; i-- {
		shift := float64(i) * c.of(3, 2)
		c.Rect(`class="b2"`, x+shift, top-shift, m.f*unit, m.d*unit)
	}
	c.Rect(`class="c1"`, left, y, m.d*unit, rows)
	c.Rect(`class="c3"`, x, y, m.f*unit, rows)
	c.Label("strong halo mid", x+m.f*unit/2, top+m.d*unit/2-4, m.parts[1].name)
	c.Label("halo mid", x+m.f*unit/2, top+m.d*unit/2+16, m.parts[1].bytes)
	c.Label("in1 strong", left, y-26, m.parts[0].name).Label("in1", left, y-8, m.parts[0].bytes)
	below := y + max(rows, 16) + 18
	if below > c.h-4 {
		below = y - 8
	}
	c.Label("in3 strong end", x+m.f*unit, below, m.parts[2].name+" "+m.parts[2].bytes)
	c.pull("B", "y", "linear", y, 0, y+m.most*unit, m.most)
	c.knob(left+m.d*unit/2, y+rows, true)
	if c.narrow {
		m.description(c, 6, 330, 348, 26)
		return
	}
	m.description(c, 590, 150, 342, 64)
}

// description draws the bytes side by side, and the FLOPs that they bring.
func (m *areas) description(c *canvas, left, y, wide, high float64) {
	if c.narrow {
		c.say("strong", left, y-8, "figure.areas-each", "intensity", m.intensity)
	} else {
		c.say("big strong", left, y-40, "figure.areas-each", "intensity", m.intensity)
		c.say("", left, y-14, "figure.areas-all", "bytes", bytesText(m.all))
	}
	x := left
	for i, p := range m.parts {
		w := wide * p.size / m.all
		c.Rect(`class="b`+strconv.Itoa(i+1)+` full"`, x, y, w, high)
		if w > 58 {
			c.Label("halo mid", x+w/2, y+high/2+5, p.share)
		}
		x += w
	}
	c.say("small", left, y+high+20, "figure.areas-share", "share", m.parts[1].share)
}
