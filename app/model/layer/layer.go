package layer

import (
	"strconv"

	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/phrase"
)

// Block is attention or the MLP of a layer: its boxes, row by row; then what stands side by side, and what comes after.
type Block struct {
	Name  *phrase.Phrase
	Rows  [][]*Box
	Sides []Block
	After [][]*Box
}

// Layer is one of the kinds of layer that a model has.
type Layer struct {
	Model  *model.Model
	Of     model.Layer
	One    *model.Model // a model of this one layer, to ask the laws about it
	Norm   float64      // parameters of a norm
	Common [][]*Box     // before both blocks, if they run side by side on one norm
	Blocks [2]Block
}

// alone is a model of one layer like that, without the vocabulary.
func alone(m *model.Model, l model.Layer) *model.Model {
	one := *m
	one.Layers, one.Vocab, one.Positions, one.Bias.Unembed = 1, 0, 0, false
	if one.Window.Layers = (model.Pattern{}); l.Window == 0 {
		one.Window = model.Window{}
	}
	if one.MoE.Layers = (model.Pattern{}); !l.Experts {
		one.MoE = model.MoE{}
	} else if one.MoE.Hashed = 0; l.Hashed {
		one.MoE.Hashed = 1
	}
	if one.Linear.Layers = (model.Pattern{}); !l.Linear {
		one.Linear = model.Linear{}
	}
	if one.Blocks = (model.Blocks{}); l.NoMixer || l.NoMLP {
		one.Blocks = model.Blocks{Apart: true, Mixers: only(!l.NoMixer), MLP: only(!l.NoMLP)}
		if one.Norms == 0 {
			one.Norms = 1
		}
	}
	if one.Each = ""; m.Each != "" {
		one.Heads, one.KVHeads, one.HeadSize, one.FFWidth = l.Heads, l.KVHeads, l.HeadSize, m.DenseWidth(l)
	}
	if one.Sharing = (model.Sharing{}); l.Shares {
		one.Sharing = model.Sharing{Layers: 1, Wide: l.Wide}
	}
	if one.Index.Layers = (model.Pattern{}); !l.Indexes {
		one.Index.Layers = only(l.Top == 0)
	}
	one.PerLayer, one.Side = model.PerLayer{}, model.Side{Hyper: one.Side.Hyper}
	if c := &one.Compress; l.Compress != 0 && !l.Indexes {
		c.Layers = model.Pattern{}
	} else {
		c.Layers = only(false)
	}
	if l.Top == 0 && one.Compress.OutRank != 0 {
		one.Index = model.Index{}
	}
	return &one
}

// only is the pattern of one layer.
func only(has bool) model.Pattern {
	if has {
		return model.Pattern{}
	}
	return model.Pattern{Cycle: "0"}
}

// New is a layer that looks at T tokens.
func New(m *model.Model, l model.Layer, T float64, mask model.Mask) *Layer {
	y := &Layer{Model: m, Of: l, One: alone(m, l)}
	none := *y.One
	none.Layers = 0
	y.Norm = none.Params().Norms // the final one is like the others
	k := y.kit()
	k.seen, k.scored = l.Seen(T, mask), model.Scored(T, mask)/float64(max(1, l.Compress))
	y.Common = k.part("common")
	y.Blocks[0] = y.mixer(k)
	b := &y.Blocks[1]
	*b = Block{Name: phrase.New("layer.mlp"), Rows: k.part("before"), After: k.part("after")}
	switch {
	case l.Experts:
		b.Name = phrase.New("layer.experts")
		y.experts(b, k)
	case !l.NoMLP && !l.MatrixMLP:
		k.add("down", true, float64(m.Slopes))
		b.Rows = append(b.Rows, k.mlp("", m.DenseWidth(l), Dim{}, 1, m.Bias.MLP, nil)...)
	}
	return y
}

// mixer is attention, or what stands in its place; of a layer that has neither, the norm alone.
func (y *Layer) mixer(k *kit) Block {
	b := Block{Name: phrase.New("layer.attention"), Rows: k.part("attention")}
	if y.Of.Beside {
		b.Name = phrase.New("layer.beside", "kind", y.Model.Linear.Kind.Name())
		b.Rows = append(b.Rows, y.linear()...)
	}
	if y.Of.Attends() {
		return b
	}
	var norms [2][][]*Box // before and behind it
	for _, row := range b.Rows {
		switch row[0].ID {
		case "norm1":
			norms[0] = append(norms[0], row)
		case "norm3":
			norms[1] = append(norms[1], row)
		}
	}
	b.Name, b.Rows = phrase.New("layer.norm"), norms[0]
	if y.Of.Linear {
		b.Name, b.Rows = y.Model.Linear.Kind.Name(), append(b.Rows, y.linear()...)
	}
	b.Rows = append(b.Rows, norms[1]...)
	return b
}

// linear are the boxes of a linear layer: its matrices, and its state before the last of them.
func (y *Layer) linear() [][]*Box {
	l := &y.Model.Linear
	all := y.Model.LinearMatrices()
	boxes := make([][]*Box, 0, len(all)+1)
	for i, x := range all {
		if i == len(all)-1 {
			boxes = append(boxes, []*Box{y.state()})
		}
		boxes = append(boxes, []*Box{{ID: "lin" + strconv.Itoa(i+1), Name: x.Name(), Rows: []Dim{number(x.Rows)},
			Cols: []Dim{number(x.Cols)}, Out: []Dim{{"B", 0}, number(x.Cols)},
			About: phrase.New("layer.matrix", "kind", l.Kind.Name())}})
	}
	return boxes
}

// state is the box of what a linear layer keeps of a sequence.
func (y *Layer) state() *Box {
	l := &y.Model.Linear
	norms, biases := y.Model.LinearSmall()
	b := &Box{ID: "state", Name: phrase.New("layer.state"), Small: norms + biases,
		Out:   []Dim{{"B", 0}, number(l.Heads * l.ValueSize)},
		About: phrase.New("layer.about-state")}
	if products := l.Products(); products > 0 {
		b.Scores, b.Seen = []Dim{number(l.Heads), number(l.KeySize), number(l.ValueSize)}, products
	}
	return b
}

// number is a size without a letter of its own.
func number(n int) Dim { return Dim{grouped(n), n} }

// Boxes are all of them, in order.
func (y *Layer) Boxes() []*Box {
	all := flat(y.Common)
	for i := range y.Blocks {
		all = append(all, y.Blocks[i].boxes()...)
	}
	return all
}

func (b *Block) boxes() []*Box {
	all := flat(b.Rows)
	for i := range b.Sides {
		all = append(all, b.Sides[i].boxes()...)
	}
	return append(all, flat(b.After)...)
}

func flat(rows [][]*Box) []*Box {
	var all []*Box
	for _, row := range rows {
		all = append(all, row...)
	}
	return all
}

// experts adds the router with the experts that it chooses from, and beside them those that all tokens share.
func (y *Layer) experts(b *Block, k *kit) {
	m, e := y.Model, y.Model.MoE
	k.size("E", e.Experts)
	k.size("k", e.PerToken)
	k.add("router", e.RouterBias && !y.Of.Hashed, float64(e.Experts))
	k.add("router", e.RouterScale, float64(m.Width+e.Experts))
	router := k.part("router")
	if e.Latent != 0 {
		k.size("D", e.Latent)
	}
	about := phrase.New("layer.about-chosen", "k", grouped(e.PerToken), "n", grouped(e.Experts))
	b.Sides = []Block{{Name: phrase.New("layer.chosen"), Rows: append(router,
		k.mlp("e", m.ExpertWidth(), Dim{"E", e.Experts}, float64(e.PerToken), m.Bias.Experts, about)...)}}
	if e.Latent != 0 {
		k.size("D", m.Width)
		b.Sides[0].Rows = append(b.Sides[0].Rows, k.part("wide")...)
	}
	if e.Shared == 0 {
		return
	}
	shared := Block{Name: phrase.New("layer.shared")}
	if e.SharedGate {
		shared.Rows = k.part("gate")
	}
	copies := Dim{"s", e.Shared}
	if e.Shared == 1 {
		copies = Dim{}
	}
	shared.Rows = append(shared.Rows, k.mlp("s", m.SharedWidth(), copies, float64(e.Shared), m.Bias.MLP,
		phrase.New("layer.about-shared"))...)
	b.Sides = append(b.Sides, shared)
}
