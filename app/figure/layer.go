package figure

import (
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/model/layer"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
)

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
	now := l.Say("figure.box", "box", f.box.Title(), "cost", f.cost(f.box))
	return &Drawing{
		Root:  markup.El("div", f.boxes(), f.explained()),
		Title: l.Say("figure.boxes"),
		About: ended(l, now),
		Now:   now,
		Twin:  []Table{f.table()},
	}
}

// boxes is the drawing itself.
func (f *layerFigure) boxes() *markup.Node {
	n := markup.El("div", markup.Class("layer"), markup.Attr("role", "group"),
		markup.Attr("aria-label", f.l.Say("figure.boxes")))
	n.Add(markup.El("p", markup.Class("residual"), f.l.Say("figure.residual", "width", counted(float64(f.Model.Width)))),
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
		n.Add(markup.El("span", f.l.Say("figure.box-takes", "ops", operations(x), "share", roundShare(f.l, x, f.flops))),
			markup.El("progress", markup.Attr("aria-hidden", "true"), markup.Attr("max", "100"), markup.Attr("value", share)))
	}
	return n
}

// boxName is what a box is called, its index below the line.
func boxName(l phrase.Phrases, b *layer.Box) *markup.Node {
	n := markup.El("b", l.Word(b.Name))
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
		return f.l.Say("figure.box-cost", "parameters", params, "ops", operations(x), "share", roundShare(f.l, x, f.flops))
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
		n.Add(markup.El("p", f.l.Say("figure.box-scores", "n", each, "shape", b.Product(true), "sizes", b.Product(false),
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
		row := []string{b.Title(), "–", b.Gives(false), counted(b.Params()), f.l.Say("figure.box-not-counted"), "–"}
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
