package figure

import (
	"math"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/model/layer"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
)

// The measures of a strip.
const (
	stripWide  = 440
	stripHigh  = 56
	stripTop   = 26
	legendLine = 22
)

// Strip draws the parameters of a model: each part as wide as its share, filled as high as the share of it that a token
// uses.
func Strip(l phrase.Phrases, name string, m *model.Model) *Drawing {
	total := m.Total()
	d := &Drawing{
		Title: l.Say("figure.strip", "model", name, "n", counted(total)),
		Note:  l.Say("figure.strip-note"),
	}
	twin := Table{Caption: d.Title, Heads: cells(l, "figure.strip-heads")}
	var bars, legend markup.Pen
	d.head(&bars, 17)
	var words []string
	left, entries := 0.0, 0
	for _, p := range m.Parts() {
		if p.Stored == 0 {
			continue
		}
		wide, share := stripWide*p.Stored/total, shareText(p.Stored, total)
		partBar(&bars, p, left, wide)
		if long := textWide("", l.Text(p.Name)+share) > stripWide/2-21; long {
			entries += entries % 2
			legendEntry(l, &legend, p, share, entries)
			entries++ // it takes the whole line
		} else {
			legendEntry(l, &legend, p, share, entries)
		}
		words = append(words, partText(l, p, share))
		twin.add(l.Text(p.Name), counted(p.Stored), share, usedText(l, p))
		left += wide
		entries++
	}
	d.About, d.AltTables = l.Say("figure.ended", "said", clauses(l, words)), []Table{twin}
	bars.Put(legend.String())
	return d.svg("fig strip-of-parts", frame{0, 0, stripWide,
		float64(stripTop + stripHigh + 8 + legendLine*((entries+1)/2))}, &bars)
}

// counted is a number of parameters as text.
func counted(n float64) string { return quantity.Quantity{Value: n}.String() }

// shareText is x of all as a percentage.
func shareText(x, all float64) string {
	share := x / all
	switch {
	case !(all > 0):
		return "–"
	case share > 0 && share < 0.0005:
		return "<0.1\u00a0%"
	case share == 1: // exactly all of it
		return quantity.Percent(1, 0)
	}
	return quantity.Percent(share, 1)
}

// partText says how large a part is, and how much of it a token uses, where that isn't all.
func partText(l phrase.Phrases, p model.Part, share string) string {
	key := "figure.part-share"
	switch {
	case p.Lookup:
		key = "figure.part-lookup"
	case p.Used < p.Stored:
		key = "figure.part-used"
	}
	return l.Say(key, "part", p.Name, "share", share, "used", shareText(p.Used, p.Stored))
}

func usedText(l phrase.Phrases, p model.Part) string {
	if p.Lookup {
		return l.Say("figure.one-row")
	}
	return counted(p.Used)
}

// partBar is one part of the strip.
func partBar(w *markup.Pen, p model.Part, left, wide float64) {
	class := colour(p)
	w.Rect(`class="`+class+` pale"`, left, stripTop, wide, stripHigh)
	if p.Lookup {
		hatched(w, left, stripTop, wide, stripHigh)
	} else if p.Used > 0 {
		filled := stripHigh * p.Used / p.Stored
		w.Rect(`class="`+class+`"`, left, stripTop+stripHigh-filled, wide, filled)
	}
}

// colour is the class of a part.
func colour(p model.Part) string {
	switch p.Name.Key {
	case "model.attention":
		return "p1"
	case "model.dense-mlps":
		return "p2"
	case "model.routed-experts":
		return "p3"
	case "model.shared-experts":
		return "p4"
	case "model.unembedding", "model.embedding-tied":
		return "p5"
	}
	return "p6"
}

// hatched is a box full of slanted lines with an edge.
func hatched(w *markup.Pen, x, y, wide, high float64) {
	const step = 8.5
	w.Put(`<path class="hatch" d="`)
	for c := step; c < wide+high; c += step { // the line through the points whose x and y in the box add up to c
		from, to := math.Min(c, wide), math.Max(0, c-high)
		w.Move(x+from, y+c-from).Line(x+to, y+c-to)
	}
	w.Put(`"/>`).Rect(`class="edge" fill="none"`, x, y, wide, high)
}

// legendEntry is an entry of the legend, two to a line.
func legendEntry(l phrase.Phrases, w *markup.Pen, p model.Part, share string, i int) {
	x, y := float64(i%2*stripWide/2), float64(stripTop+stripHigh+8+legendLine*(i/2))
	w.Rect(`class="`+colour(p)+`"`, x, y+3, 14, 14)
	if p.Lookup {
		hatched(w, x, y+3, 14, 14)
	}
	w.Put("<text").
		Attr("x", x+21).
		Attr("y", y+15).
		Put(">").
		Escaped(l.Text(p.Name)).
		Put(` <tspan class="share">`).
		Escaped(share).
		Put("</tspan></text>")
}

// layerFigure is a drawing of buttons in rows: they wrap on a phone, and keys reach them.
type layerFigure struct {
	l phrase.Phrases
	*layer.Layer
	pass          model.Pass
	params, flops float64 // of all boxes
	box           *layer.Box
}

// Layer draws a layer from its input to its output, box by box, and explains the box of that id. Choosing another one
// sets the input box.
func Layer(l phrase.Phrases, y *layer.Layer, pass model.Pass, box string) *Drawing {
	f := &layerFigure{l: l, Layer: y, pass: pass, box: y.Box(box)}
	f.params, f.flops = y.Sums(pass)
	now := l.Say("figure.box", "box", f.box.Title(l), "cost", f.cost(f.box))
	return &Drawing{
		Root:      markup.El("div", f.boxes(), f.explained()),
		Title:     l.Say("figure.boxes"),
		About:     ended(l, now),
		Now:       now,
		AltTables: []Table{f.table()},
	}
}

// boxes is the drawing itself.
func (f *layerFigure) boxes() *markup.Node {
	n := markup.El("div", markup.Class("layer"), markup.Attr("role", "group"),
		markup.Attr("aria-label", f.l.Say("figure.boxes")))
	n.Add(markup.El("p", markup.Class("residual"), f.l.Say("figure.residual", "width",
		counted(float64(f.Model.Width)))),
		f.rows(f.Common))
	plus := func(key string) *markup.Node { return markup.El("p", markup.Class("residual plus"), f.l.Say(key)) }
	attention, mlp := f.block(&f.Blocks[0], "block"), f.block(&f.Blocks[1], "block")
	if f.Model.Parallel {
		n.Add(markup.El("div", markup.Class("beside"), attention, mlp), plus("figure.residual-both"))
	} else {
		n.Add(attention, plus("figure.residual-added"), mlp, plus("figure.residual-added"))
	}
	return n
}

func (f *layerFigure) block(b *layer.Block, class string) *markup.Node {
	name := markup.El("p", markup.Class("block-name"), f.l.Text(b.Name))
	n := markup.El("div", markup.Class(class), name, f.rows(b.Rows))
	if b.Sides != nil {
		beside := markup.El("div", markup.Class("beside"))
		for i := range b.Sides {
			beside.Add(f.block(&b.Sides[i], "side"))
		}
		n.Add(beside)
	}
	n.Add(f.rows(b.After))
	return n
}

func (f *layerFigure) rows(rows [][]*layer.Box) []*markup.Node {
	var all []*markup.Node
	for _, row := range rows {
		n := markup.El("div", markup.Class("boxes"))
		for _, b := range row {
			n.Add(f.button(b))
		}
		all = append(all, n)
	}
	return all
}

// button is a box.
func (f *layerFigure) button(b *layer.Box) *markup.Node {
	look := "box"
	if b.Rows != nil {
		look += " matrix"
	} else if b.Scores != nil {
		look += " product"
	}
	n := markup.El("button", markup.Attr("type", "button"), markup.Class(look),
		markup.Attr("aria-pressed", strconv.FormatBool(b == f.box)),
		markup.Attr("data-set", "box="+b.ID), boxName(f.l, b))
	if b.Rows != nil {
		n.Add(markup.El("span", b.Shape(false)))
	}
	n.Add(markup.El("span", "→ "+b.Gives(false)))
	if x := b.FLOPs(f.pass); x > 0 {
		share := strconv.Itoa(int(100*x/f.flops + 0.5))
		n.Add(markup.El("span", f.l.Say("figure.box-takes", "ops", operations(x), "share",
			roundShare(f.l, x, f.flops))),
			markup.El("progress", markup.Attr("aria-hidden", "true"), markup.Attr("max", "100"),
				markup.Attr("value", share)))
	}
	return n
}

// boxName is what a box is called, its index below the line.
func boxName(l phrase.Phrases, b *layer.Box) *markup.Node {
	n := markup.El("b", b.Name.In(l))
	if b.Sub != "" {
		n.Add(markup.El("sub", b.Sub))
	}
	return n
}

func operations(x float64) string { return quantity.FLOPs(x).Quantity().String() }

// roundShare is a share of all in two digits.
func roundShare(l phrase.Phrases, x, all float64) string {
	if !(all > 0) {
		return l.Say("figure.no-share")
	}
	return percent(x / all)
}

// percent is a share in two digits.
func percent(x float64) string {
	return strings.Replace(quantity.Quantity{Value: x, Label: quantity.Label{Over: "%"}}.Format(2), " ", "\u00a0", 1)
}

// cost is what a box costs, in words.
func (f *layerFigure) cost(b *layer.Box) string {
	params := f.l.Say("figure.box-no-parameters")
	if n := b.Params(); n > 0 {
		params = f.l.Say("figure.box-parameters", "n", counted(n), "share", roundShare(f.l, n, f.params))
	}
	if x := b.FLOPs(f.pass); x > 0 {
		return f.l.Say("figure.box-cost", "parameters", params, "ops", operations(x), "share",
			roundShare(f.l, x, f.flops))
	}
	return f.l.Say("figure.box-uncounted", "parameters", params)
}

// explained is the box that was chosen.
func (f *layerFigure) explained() *markup.Node {
	b, each := f.box, strconv.Itoa(int(2*f.pass))
	n := markup.El("div", markup.Class("layer-box"), markup.El("p", markup.Class("layer-head"), boxName(f.l, b).Kids),
		markup.El("p", f.l.Text(b.About)))
	if b.Rows != nil {
		n.Add(markup.El("p", f.l.Say("figure.box-weights", "shape", b.Shape(true), "sizes", b.Shape(false), "n", each)))
	}
	if b.Scores != nil {
		n.Add(markup.El("p", f.l.Say("figure.box-scores", "n", each, "shape", b.Product(true), "sizes",
			b.Product(false),
			"seen", counted(b.Seen))))
	}
	n.Add(markup.El("p", f.l.Say("figure.box-gives", "shape", b.Gives(true), "sizes", b.Gives(false))),
		markup.El("p", ended(f.l, f.cost(b))))
	return n
}

// table is the drawing in words.
func (f *layerFigure) table() Table {
	t := Table{Caption: f.l.Say("figure.box-table"), Heads: cells(f.l, "figure.box-heads")}
	for _, b := range f.Boxes() {
		row := []string{b.Title(f.l), "–", b.Gives(false), counted(b.Params()), f.l.Say("figure.box-not-counted"), "–"}
		if b.Rows != nil {
			row[1] = b.Shape(false)
		}
		if x := b.FLOPs(f.pass); x > 0 {
			row[4], row[5] = operations(x), roundShare(f.l, x, f.flops)
		}
		t.add(row...)
	}
	return t
}

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
		Title:     l.Say(title, "total", m.text(m.total), "tokens", m.tokens),
		Now:       l.Say("figure.mosaic-now", "part", m.columns[2].name, "share", shareText(over, m.total)),
		AltTables: []Table{twin},
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
			} else if h > 12 && w > textWide("micro", b.name)+4 {
				c.Label("mid micro", x+w/2, y+h/2+4, b.name)
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
		if textWide("", m.what+both) > c.w {
			both = share
		}
		c.Label("small end", c.w-5, 38, both)
		return
	}
	c.fitting(class, x+2, top-23, w, col.name, m.l.Say("figure.mosaic-attention-short"))
	c.fitting("small", x+2, top-7, w-8, both, share)
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
