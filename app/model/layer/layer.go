// Package layer is one layer of a Transformer, box by box: the shape of each, what it stores and what it takes.
// boxes.tsv says what a layer consists of.
package layer

import (
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
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
	one.PerLayer, one.Side = model.PerLayer{}, model.Side{Hyper: one.Side.Hyper, OnePass: one.Side.OnePass}
	one.NGrams.Layers = only(l.NGrams)
	switch c := &one.Compress; {
	case c.Shared:
		c.Makes, c.Reads, c.Layers = only(!l.Borrows), only(l.Compress != 0), only(l.Compress == c.Dense)
	case l.Compress != 0 && !l.Indexes:
		c.Layers = model.Pattern{}
	default:
		c.Layers = only(false)
	}
	if l.Candidates == 0 {
		one.Index.Candidates = 0
	} else {
		one.Index.Source = -1
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

// New is the layer l of m, box by box, for tokens that look at T tokens through a mask.
func New(m *model.Model, l model.Layer, T float64, mask model.Mask) *Layer {
	y := &Layer{Model: m, Of: l, One: alone(m, l)}
	none := *y.One
	none.Layers = 0
	y.Norm = none.Params().Norms // the final one is like the others
	k := y.kit()
	k.seen, k.scored = l.Seen(T, mask), l.Scored(T, mask)/float64(max(1, l.Compress))
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
	k.add("router", e.SightBias, float64(e.Experts))
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

// Kind is one of the different layers of a model.
type Kind struct {
	model.Layer
	ID    string         // "window_experts": tells the kinds of a model apart
	Name  *phrase.Phrase // "3 layers: dense MLP"
	Count int            // how many there are
}

// Kinds are the different layers of a model, the most frequent first; of as many, those with experts.
func Kinds(m *model.Model) []Kind {
	var all []Kind
	for i := range m.Layers {
		l := m.Layer(i)
		k := slices.IndexFunc(all, func(k Kind) bool { return k.Layer == l })
		if k < 0 {
			k, all = len(all), append(all, Kind{Layer: l})
		}
		all[k].Count++
	}
	for i := range all {
		all[i].ID, all[i].Name = all[i].id(len(all)), all[i].name(len(all))
	}
	for i := range all { // the few in order; a sort of their type is much code for the browser
		for ; i > 0 && all[i].before(&all[i-1]); i-- {
			all[i], all[i-1] = all[i-1], all[i]
		}
	}
	return all
}

// before tells whether more layers are of this kind, or as many and with experts.
func (k *Kind) before(o *Kind) bool {
	return k.Count > o.Count || k.Count == o.Count && k.Experts && !o.Experts
}

func (k *Kind) id(kinds int) string {
	id := ""
	if k.Window != 0 {
		id = "window_"
	}
	if k.Borrows {
		id += "borrowed_"
	}
	switch {
	case kinds == 1:
		return "all"
	case k.NoMLP && k.Linear:
		return id + "linear"
	case k.Top != 0 && !k.Indexes:
		id += "picked_"
	case k.NoMLP:
		return id + "attention"
	case k.Linear:
		id += "linear_"
	case k.NoMixer:
		id += "alone_"
	}
	if k.Compress != 0 {
		id += "of" + strconv.Itoa(k.Compress) + "_"
	}
	switch {
	case k.Shares:
		return id + "sharing"
	case k.NGrams:
		id += "ngrams_"
	}
	switch {
	case k.Hashed:
		return id + "hashed"
	case k.Experts:
		return id + "experts"
	}
	return id + "dense"
}

func (k *Kind) name(kinds int) *phrase.Phrase {
	what := k.blocks()
	if k.Shares {
		what = phrase.New("layer.sharing", "what", what)
	}
	if k.Window != 0 {
		what = phrase.New("layer.windowed", "what", what, "n", k.Window)
	}
	switch {
	case k.Borrows:
		what = phrase.New("layer.borrowed", "what", what, "n", k.Compress)
	case k.Compress != 0:
		what = phrase.New("layer.compressed", "what", what, "n", k.Compress)
	}
	if k.NGrams {
		what = phrase.New("layer.ngrams", "what", what)
	}
	if kinds == 1 {
		return phrase.New("layer.all", "n", k.Count, "what", what)
	}
	return phrase.Count(k.Count, "layer.count", "what", what)
}

// blocks says what the layers consist of.
func (k *Kind) blocks() *phrase.Phrase {
	if k.NoMLP && !k.Linear {
		return phrase.New("layer.attention-alone")
	}
	what := phrase.New("layer.dense-mlp")
	switch {
	case k.NoMLP:
		what = phrase.New("layer.nothing-else")
	case k.Hashed:
		what = phrase.New("layer.hashed")
	case k.Experts:
		what = phrase.New("layer.with-experts")
	}
	switch {
	case k.Beside:
		what = phrase.New("layer.state-beside", "what", what)
	case k.Linear:
		what = phrase.New("layer.state-instead", "what", what)
	case k.Top != 0 && !k.Indexes:
		what = phrase.New("layer.picked", "what", what)
	case k.Candidates != 0:
		what = phrase.New("layer.candidates", "what", what, "n", k.Candidates)
	}
	if k.NoMixer {
		return phrase.New("layer.no-mixer", "what", what)
	}
	return what
}

// Sums are what all boxes of a layer store, and what they take for a token.
func (y *Layer) Sums(pass model.Pass) (params, flops float64) {
	for _, b := range y.Boxes() {
		params += b.Params()
		flops += b.FLOPs(pass)
	}
	return params, flops
}

// Box is the box of that id; without one, the first that has a matrix.
func (y *Layer) Box(id string) *Box {
	var first *Box
	for _, b := range y.Boxes() {
		if b.ID == id {
			return b
		}
		if first == nil && b.Rows != nil {
			first = b
		}
	}
	return first
}

// Title is what a box is called in a line of text: "W_Q".
func (b *Box) Title(l phrase.Phrases) string {
	if b.Sub != "" {
		return b.Name.In(l) + "_" + b.Sub
	}
	return b.Name.In(l)
}

// Counted is a layer with the pass in which its operations are counted.
type Counted struct {
	*Layer
	Pass model.Pass
}

// Box is one step of a layer. What it stores and what it takes follow from its shape; the tests hold the sums over all
// boxes to the laws of app/model.
type Box struct {
	ID, Sub    string         // "wq", "Q"
	Name       phrase.Speaker // "W"
	About      *phrase.Phrase
	Copies     Dim     // how many there are of it, if it is an expert
	Met        float64 // how many of them a token meets; 1 if there are no copies
	Rows, Cols []Dim   // of its weights; none if it has no matrix
	Small      float64 // parameters that are no matrix: biases, scales, sinks
	Scores     []Dim   // of a product without weights: what a token multiplies for each token it looks at
	Seen       float64 // how many those are
	Out        []Dim   // what it gives
}

// Dim is a size with its letter. One without a number depends on the run: B, T, S.
type Dim struct {
	Letter string
	N      int
}

func product(dims []Dim) float64 {
	p := 1.0
	for _, d := range dims {
		p *= float64(d.N)
	}
	return p
}

// Matrix is the weights of one copy.
func (b *Box) Matrix() float64 {
	if b.Rows == nil {
		return 0
	}
	return product(b.Rows) * product(b.Cols)
}

// Params is what the box stores.
func (b *Box) Params() float64 {
	return max(1, float64(b.Copies.N))*b.Matrix() + b.Small
}

// FLOPs is what it takes for a token.
func (b *Box) FLOPs(pass model.Pass) float64 {
	if b.Scores != nil {
		return float64(pass) * 2 * product(b.Scores) * b.Seen
	}
	met := 1.0
	if b.Copies.N > 0 {
		met = b.Met
	}
	return float64(pass) * 2 * met * b.Matrix()
}

// grouped is a size with commas between its thousands, where quantities have them.
func grouped(n int) string { return quantity.Quantity{Value: float64(n)}.String() }

// join writes sizes as letters, or as the numbers that they are.
func join(dims []Dim, between string, letters bool) string {
	var all []string
	for _, d := range dims {
		if letters || d.N == 0 {
			all = append(all, d.Letter)
		} else {
			all = append(all, grouped(d.N))
		}
	}
	return strings.Join(all, between)
}

// Shape is that of the weights: "D × Q·H", "8192 × 64·128".
func (b *Box) Shape(letters bool) string {
	if b.Rows == nil {
		return ""
	}
	shape := join(b.Rows, "·", letters) + " × " + join(b.Cols, "·", letters)
	if b.Copies.N > 0 {
		shape = phrase.New("layer.copies", "n", join([]Dim{b.Copies}, "", letters), "shape", shape).String()
	}
	return shape
}

// Product is what a token multiplies for each token it looks at: "Q·H".
func (b *Box) Product(letters bool) string { return join(b.Scores, "·", letters) }

// Gives is the shape of what comes out: "[B, Q, H]".
func (b *Box) Gives(letters bool) string { return "[" + join(b.Out, ", ", letters) + "]" }
