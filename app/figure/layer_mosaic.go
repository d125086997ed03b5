package figure

import (
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
)

// LayerMosaic draws a layer as boxes that are as large as what they cost: FLOPs for a token, or bytes that a step of
// decoding reads. Dragging the seam between weights and attention over the context sets the input `T`. The values are
// the context, the costs of the query and output projections, of the key and value projections, of one matrix of the
// MLP, of the context, and whether costs are bytes.
func LayerMosaic(l phrase.Phrases, a values) *Drawing {
	m := &mosaic{l: l, context: a.num(0), tokens: counted(a.num(0)), bytes: a[5].Bool}
	query, key, matrix, over := a.num(1), a.num(2), a.num(3), a.num(4)
	m.columns = []mosaicColumn{
		{"MLP", 3 * matrix, "b2", []mosaicBox{{"gate", matrix}, {"up", matrix}, {"down", matrix}}},
		{l.Say("figure.mosaic-attention"), 2*query + 2*key, "b2",
			[]mosaicBox{{"Q", query}, {"K", key}, {"V", key}, {"O", query}}},
	}
	if m.bytes {
		m.columns = append(m.columns, mosaicColumn{l.Say("figure.mosaic-cache"), over, "b4",
			[]mosaicBox{{"K", over / 2}, {"V", over / 2}}})
	} else {
		m.columns = append(m.columns, mosaicColumn{l.Say("figure.mosaic-scores"), over, "b3",
			[]mosaicBox{{"Q · Kᵀ", over / 2}, {"S · V", over / 2}}})
	}
	twin := Table{Caption: l.Say("figure.mosaic-table"), Heads: cells(l, "figure.mosaic-heads")}
	for _, col := range m.columns {
		m.total += col.cost
	}
	for _, col := range m.columns {
		twin.add(col.name, m.text(col.cost), shareText(col.cost, m.total))
	}
	title := "figure.mosaic-flops"
	m.what = l.Say("figure.mosaic-token")
	if m.bytes {
		title, m.what = "figure.mosaic-bytes", l.Say("figure.mosaic-read")
	}
	d := &Drawing{
		Title: l.Say(title, "total", m.text(m.total), "tokens", m.tokens),
		Now:   l.Say("figure.mosaic-now", "part", m.columns[2].name, "share", shareText(over, m.total)),
		Twin:  []Table{twin},
	}
	d.About = sentences(l, ended(l, d.Title), ended(l, d.Now))
	return d.opening(l, m.draw)
}

// mosaic is a drawing of one under way.
type mosaic struct {
	l              phrase.Phrases
	context, total float64
	tokens, what   string
	bytes          bool
	columns        []mosaicColumn
}

type mosaicColumn struct {
	name  string
	cost  float64
	class string
	boxes []mosaicBox
}

type mosaicBox struct {
	name string
	cost float64
}

func (m *mosaic) text(x float64) string {
	if m.bytes {
		return bytesText(x)
	}
	return quantity.FLOPs(x).Quantity().String()
}

func (m *mosaic) draw(c *canvas) {
	left, top, wide, bottom := 4.0, c.of(84, 86), c.w-8, c.h-c.of(6, 4)
	c.Label("strong big", left, 22, m.text(m.total))
	c.Label("small", left, 40, m.what)
	x := left
	for i, col := range m.columns {
		w := max(wide*col.cost/m.total, 1)
		y := top
		for _, b := range col.boxes {
			h := (bottom - top) * b.cost / max(col.cost, 1e-9)
			c.Rect(`class="`+col.class+` part"`, x+1.5, y+1.5, max(w-3, 0.5), max(h-3, 0.5))
			if w > c.of(74, 52) && h > 24 {
				c.Label("mid strong", x+w/2, y+h/2+c.of(0, 5), b.name)
				if h > 50 && w > 90 && !c.narrow {
					c.Label("mid small", x+w/2, y+h/2+19, m.text(b.cost))
				}
			} else if w > 40 && h > 12 {
				c.Label("mid micro", x+w/4, y+h/2+4, b.name)
			}
			y += h
		}
		m.name(c, i, x, w, top)
		x += w
	}
	m.seam(c, left, top, wide, bottom)
}

// name writes a column's name and cost over it; those of the context stand at the right end, where they never meet
// the others.
func (m *mosaic) name(c *canvas, i int, x, w, top float64) {
	col := m.columns[i]
	class, share := "strong in"+col.class[1:], shareText(col.cost, m.total)
	both := commas(m.l, m.text(col.cost), share)
	if i == 2 {
		c.Label(class+" end", c.w-5, 20, col.name)
		c.Label("small end", c.w-5, 38, both)
		return
	}
	c.fitting(class, x+2, top-23, w, col.name, m.l.Say("figure.mosaic-attention-short"))
	c.fitting("small", x+2, top-7, w, both, share)
}

// seam is where weights end and what grows with the context begins; a pointer drags it.
func (m *mosaic) seam(c *canvas, left, top, wide, bottom float64) {
	weights := m.columns[0].cost + m.columns[1].cost
	each := m.columns[2].cost / max(m.context, 1)
	at := func(tokens float64) float64 { return left + wide*weights/(weights+each*tokens) }
	var pairs []float64
	for t := 128.0; t <= 1<<20; t *= 2 {
		pairs = append(pairs, at(t), t)
	}
	x := at(m.context)
	c.pull("T", "x", "log", pairs...)
	c.Rect(`class="reach"`, x-14, top, 28, bottom-top)
	c.Put(`<path class="seam" d="`).Move(x, top).Line(x, bottom).Put(`"/>`)
	c.knob(min(x, c.w-18), (top+bottom)/2, false)
}
