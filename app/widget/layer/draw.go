package layer

import (
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/widget"
	"github.com/scalebook/scalebook/app/widget/instrument"
)

// The drawing is made of buttons in rows: they wrap on a phone, and keys reach them.

func view(s *instrument.State) []instrument.Part {
	return []instrument.Part{
		{Key: "layer", Build: func() *instrument.Node { return draw(s).node() }},
		{Key: "box", Build: func() *instrument.Node { return draw(s).explained(s) }},
		{Key: "totals", Build: func() *instrument.Node {
			p := draw(s)
			rest := "that layer, " + strconv.Itoa(p.n) + " times"
			if p.n < p.of.Layers {
				rest += ", the " + strconv.Itoa(p.of.Layers-p.n) + " others"
			}
			return instrument.El("div", instrument.Class("part"), s.Row("params", "all boxes"), s.Row("flops", "all boxes, a sequence of "+count(p.T).String()+" tokens"),
				s.Row("model_params", rest+", and the vocabulary"), s.Row("model_flops", rest+", and the logits"))
		}},
		{Key: "table", Build: func() *instrument.Node {
			return s.Words("table", "All boxes, as a table", true, func() *instrument.Node { return draw(s).table(s) })
		}},
	}
}

// node is the drawing.
func (p *picture) node() *instrument.Node {
	box := instrument.El("div", instrument.Class("part layer"), instrument.At("role", "group"), instrument.At("aria-label", "The boxes of the layer, from its input to its output"))
	box.Kids = append(box.Kids, instrument.El("p", instrument.Class("residual"), "residual [B, T, "+strconv.Itoa(p.of.Width)+"]"))
	box.Kids = append(box.Kids, p.rows(p.Common)...)
	plus := func(text string) *instrument.Node { return instrument.El("p", instrument.Class("residual plus"), text) }
	if !p.of.Parallel {
		box.Kids = append(box.Kids, p.block(0), plus("added to the residual"), p.block(1), plus("added to the residual"))
		return box
	}
	box.Kids = append(box.Kids, instrument.El("div", instrument.Class("beside"), p.block(0), p.block(1)), plus("both are added to the residual"))
	return box
}

func (p *picture) block(i int) *instrument.Node {
	return p.blockOf(&p.Blocks[i], "block")
}

func (p *picture) blockOf(b *Block, class string) *instrument.Node {
	n := instrument.El("div", instrument.Class(class), instrument.El("p", instrument.Class("block-name"), b.Name))
	n.Kids = append(n.Kids, p.rows(b.Rows)...)
	if b.Sides != nil {
		beside := instrument.El("div", instrument.Class("beside"))
		for i := range b.Sides {
			beside.Kids = append(beside.Kids, p.blockOf(&b.Sides[i], "side"))
		}
		n.Kids = append(n.Kids, beside)
	}
	n.Kids = append(n.Kids, p.rows(b.After)...)
	return n
}

func (p *picture) rows(rows [][]*Box) []*instrument.Node {
	var all []*instrument.Node
	for _, row := range rows {
		n := instrument.El("div", instrument.Class("boxes"))
		for _, b := range row {
			n.Kids = append(n.Kids, p.button(b))
		}
		all = append(all, n)
	}
	return all
}

// button is a box.
func (p *picture) button(b *Box) *instrument.Node {
	look := "box"
	if b.Rows != nil {
		look += " matrix"
	} else if b.Scores != nil {
		look += " product"
	}
	n := instrument.El("button", instrument.At("type", "button"), instrument.Class(look), instrument.At("aria-pressed", strconv.FormatBool(b == p.box)),
		widget.On("click", instrument.DoSet, "box="+b.ID), name(b))
	line := func(text string) { n.Kids = append(n.Kids, instrument.El("span", text)) }
	if b.Rows != nil {
		line(b.Shape(false))
	}
	line("→ " + b.Gives(false))
	if f := b.FLOPs(p.pass); f > 0 {
		line(quantity.FLOPs(f).Quantity().String() + ", " + p.share(f, p.flops))
		n.Kids = append(n.Kids, instrument.El("progress", instrument.At("aria-hidden", "true"), instrument.At("max", "100"), instrument.At("value", strconv.Itoa(int(100*f/p.flops+0.5)))))
	}
	return n
}

// name is what a box is called, its index below the line.
func name(b *Box) *instrument.Node {
	n := instrument.El("b", b.Name)
	if b.Sub != "" {
		n.Kids = append(n.Kids, instrument.El("sub", b.Sub))
	}
	return n
}

func (b *Box) title() string {
	if b.Sub != "" {
		return b.Name + "_" + b.Sub
	}
	return b.Name
}

func (p *picture) share(x, of float64) string {
	if !(of > 0) {
		return "no share"
	}
	return strings.Replace(quantity.Quantity{Value: x / of, Label: quantity.Label{Over: "%"}}.Format(2), " ", "\u00a0", 1)
}

// says is what a box costs, in words.
func (p *picture) says(b *Box) string {
	said := "no parameters"
	if n := b.Params(); n > 0 {
		said = count(n).String() + " parameters, " + p.share(n, p.params) + " of the layer"
	}
	if f := b.FLOPs(p.pass); f > 0 {
		return said + "; " + quantity.FLOPs(f).Quantity().String() + " for a token, " + p.share(f, p.flops)
	}
	return said + "; its operations are not counted"
}

// explained is the box that was chosen.
func (p *picture) explained(s *instrument.State) *instrument.Node {
	b := p.box
	head := s.Heading("")
	head.Kids = name(b).Kids
	n := instrument.El("div", instrument.Class("part"), head, instrument.El("p", b.About))
	if b.Rows != nil {
		text := "Weights: " + b.Shape(true) + " = " + b.Shape(false) + ". "
		text += "A token takes " + strconv.Itoa(int(2*p.pass)) + " operations with each that it meets."
		n.Kids = append(n.Kids, instrument.El("p", text))
	}
	if b.Scores != nil {
		n.Kids = append(n.Kids, instrument.El("p", "Operations: "+strconv.Itoa(int(2*p.pass))+" · "+join(b.Scores, "·", true)+" = "+strconv.Itoa(int(2*p.pass))+" · "+join(b.Scores, "·", false)+
			" for each token looked at: "+count(b.Seen).String()+" on average."))
	}
	n.Kids = append(n.Kids, instrument.El("p", "Gives "+b.Gives(true)+" = "+b.Gives(false)+"."), instrument.El("p", instrument.Capital(p.says(b))+"."))
	return n
}

// table is the drawing in words.
func (p *picture) table(s *instrument.State) *instrument.Node {
	t := instrument.Table{Key: "boxes", Caption: "A layer of this model, box by box", Heads: []instrument.Head{{Text: "Box"}, {Text: "Weights"}, {Text: "Gives"}, {Text: "Parameters"}, {Text: "For a token"}, {Text: "Share"}}}
	for _, b := range p.Boxes() {
		row := []instrument.Cell{instrument.Say(b.title()), instrument.Say("–"), instrument.Say(b.Gives(false)), instrument.Q(count(b.Params())), instrument.Say("not counted"), instrument.Say("–")}
		if b.Rows != nil {
			row[1] = instrument.Say(b.Shape(false))
		}
		if f := b.FLOPs(p.pass); f > 0 {
			row[4], row[5] = instrument.Q(quantity.FLOPs(f).Quantity()), instrument.Say(p.share(f, p.flops))
		}
		t.Rows = append(t.Rows, row)
	}
	return s.Table(t)
}
