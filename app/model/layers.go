package model

import (
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
)

// kind is a kind of layer and how many of them a model has.
type kind struct {
	Layer
	n int
}

// kindKey tells kinds of layers apart.
type kindKey struct {
	traits uint16
	own    [4]int
}

// kinds are the different kinds of layer of m. Every law is a sum over them. Layers beyond the largest number that
// Validate allows are not counted, so that no model takes long.
func (m *Model) kinds() []kind {
	layers := min(m.Layers, MaxLayers)
	if layers > 0 && m.alike() {
		return []kind{{m.Layer(0), layers}}
	}
	found, keys := make([]kind, 0, 4), make([]kindKey, 0, 4)
	for i := range layers {
		key := kindKey{m.kindOf(i), m.Each.of(i)}
		at := 0
		for at < len(keys) && keys[at] != key {
			at++
		}
		if at == len(keys) {
			keys, found = append(keys, key), append(found, kind{Layer: m.Layer(i)})
		}
		found[at].n++
	}
	return found
}

// alike tells whether all layers are of one kind.
func (m *Model) alike() bool {
	return m.Window.Size == 0 && (m.MoE.Experts == 0 || m.MoE.Layers == Pattern{}) && m.Linear.Kind == NoLinear &&
		!m.Blocks.Apart && m.Sharing == Sharing{} && m.Each == "" &&
		m.Index.Layers == Pattern{} && !m.Compress.used() && m.MoE.Hashed == 0 && m.NGrams.Rows == 0 &&
		m.Index.Candidates == 0
}

// kindOf is a number for the kind of layer i.
func (m *Model) kindOf(i int) uint16 {
	var key uint16
	for bit, is := range [...]bool{
		m.Window.Size != 0 && m.Window.Layers.Covers(i), m.MoE.Experts != 0 && m.MoE.Layers.Covers(i),
		m.Linear.Kind != NoLinear && m.Linear.Layers.Covers(i), m.Blocks.Apart && !m.Blocks.Mixers.Covers(i),
		m.Blocks.Apart && !m.Blocks.MLP.Covers(i), i >= m.Layers-m.Sharing.Layers,
		m.Index.Top != 0 && m.Index.Layers.Covers(i), m.Compress.Dense != 0 && m.Compress.Layers.Covers(i),
		i < m.MoE.Hashed, m.Sharing.between(i), m.NGrams.Rows != 0 && m.NGrams.Layers.Covers(i),
		m.Compress.Shared && m.Compress.Makes.Covers(i), m.Compress.Shared && m.Compress.Reads.Covers(i),
		m.Index.Candidates != 0 && i > m.Index.Source,
	} {
		if is {
			key |= 1 << bit
		}
	}
	return key
}

// Each is what layers have of their own (DeciLM, Laguna, OpenELM): query heads, heads of keys and values, and the width
// of the dense MLP, each from 1 to 2^24 - 1, 0 where it is the model's, and then Traits. The model's sizes are then the
// largest. It is a text so that models stay comparable: twelve bytes for each layer, none if all have the model's.
type Each string

// What a layer lacks of its own, or has in place of it: the last of its numbers in Each, a sum of these.
const (
	LacksMixer  = 1 << iota // no attention
	LacksMLP                // no MLP
	MatrixMixer             // one matrix of Width by Width in place of attention
	MatrixMLP               // one matrix of Width by Width in place of the MLP
	Crossing                // attention to a picture, or to another text: its keys and values are not of these tokens
)

// NewEach is what n layers have of their own, as a function tells it.
func NewEach(n int, own func(layer int) [4]int) Each {
	b := make([]byte, 0, 12*n)
	some := false
	for i := range n {
		for _, x := range own(i) {
			some = some || x != 0
			b = append(b, byte(x>>16), byte(x>>8), byte(x))
		}
	}
	if !some {
		return ""
	}
	return Each(b)
}

// of is what layer i has of its own.
func (e Each) of(i int) (own [4]int) {
	if 12*i+12 <= len(e) {
		for k := range own {
			at := 12*i + 3*k
			own[k] = int(e[at])<<16 | int(e[at+1])<<8 | int(e[at+2])
		}
	}
	return own
}

// traits says what layer l has by its traits.
func (l *Layer) traits(own int) {
	l.NoMixer, l.NoMLP = l.NoMixer || own&LacksMixer != 0, l.NoMLP || own&LacksMLP != 0
	l.OneMatrix, l.MatrixMLP, l.Cross = own&MatrixMixer != 0, own&MatrixMLP != 0, own&Crossing != 0
	l.Linear, l.Experts = l.Linear && !l.NoMixer && !l.OneMatrix, l.Experts && !l.NoMLP && !l.MatrixMLP
}

// Part is a share of a model's parameters. Together the parts are all of them.
type Part struct {
	Name   *phrase.Phrase
	Stored float64
	Used   float64 // of these, what a token is multiplied with
	Lookup bool    // a token reads one row
}

// Parts are the same parts in the same order for every model; what a model lacks has no parameters stored.
func (m *Model) Parts() []Part {
	p, a := m.Params(), m.Active()
	out := "model.unembedding"
	if m.Tied {
		out = "model.embedding-tied"
	}
	return []Part{
		{phrase.New("model.input-embedding"), p.Embedding, 0, true},
		{phrase.New("model.learned-positions"), p.Positions, 0, true},
		{phrase.New("model.layer-embeddings"), p.PerLayer, 0, true},
		{phrase.New("model.ngram-tables"), p.NGrams, 0, true},
		{phrase.New("model.attention"), p.Attention() - p.Linear, a.Attention() - a.Linear, false},
		{phrase.New("model.linear-layers"), p.Linear, a.Linear, false},
		{phrase.New("model.dense-mlps"), p.MLP, a.MLP, false},
		{phrase.New("model.routed-experts"), p.Routed, a.Routed, false},
		{phrase.New("model.shared-experts"), p.Shared, a.Shared, false},
		{phrase.New("model.routers"), p.Router + p.Narrow, a.Router + a.Narrow, false},
		{phrase.New("model.paths"), p.Injected, a.Injected, false},
		{phrase.New(out), p.Unembedding, a.Unembedding, false},
		{phrase.New("model.norms-biases"), p.Small(), a.Small(), false},
		{phrase.New("model.unused"), p.Unused, 0, false},
	}
}

// Predictor is how many parameters a module has that predicts one token more (MTP): a layer like the last of the model
// that attends, a matrix that takes the layer's output and a token's embedding to the width, and three norms.
func (m *Model) Predictor() float64 {
	D := float64(m.Width)
	total := 2*D*D + 3*m.normSize(D)
	mixer, mlp := false, false
	for i := m.Layers - 1; i >= 0 && i >= m.Layers-MaxLayers && !(mixer && mlp); i-- {
		l := m.Layer(i)
		if l.Linear && !l.Beside || l.Cross || l.NoMixer && mlp || l.NoMLP && mixer || l.OneMatrix || l.MatrixMLP {
			continue
		}
		if l.Window != 0 && m.Window.Layers != (Pattern{}) && !mlp && i > 0 {
			continue // it sees everything, where some layers do
		}
		mixer, mlp = mixer || !l.NoMixer, mlp || !l.NoMLP
		one := m.layerParams(l, float64(m.MoE.Experts))
		total += one.Total()
	}
	return total
}

// Size is a size of a model's configuration as a reader knows it. Its text is nil where the model has none.
type Size struct{ Name, Text *phrase.Phrase }

// Sizes are the sizes by which readers know a configuration: the same ones in the same order for every model.
func (m *Model) Sizes() []Size {
	return []Size{
		{phrase.New("model.s-layers"), phrase.New(plain, "n", m.Layers)},
		{phrase.New("model.s-width"), phrase.New(plain, "n", grouped(m.Width))},
		{phrase.New("model.s-heads"), m.headsText()},
		{phrase.New("model.s-latent"), m.latentText()},
		{phrase.New("model.s-window"), m.windowText()},
		{phrase.New("model.s-mlp"), m.denseText()},
		{phrase.New("model.s-experts"), m.expertsText()},
		{phrase.New("model.s-vocab"), m.vocabText()},
	}
}

// plain is the key of a number alone.
const plain = "model.number"

func (m *Model) headsText() *phrase.Phrase {
	l := m.Layer(m.Layers - 1)
	if a := m.MLA; a.KVRank != 0 {
		return phrase.New("model.heads-latent", "heads", l.Heads, "nope", a.NopeSize, "rope", a.RopeSize,
			"value", a.ValueSize)
	}
	for i := range min(m.Layers, MaxLayers) { // windowed layers may have heads of their own
		if other := m.Layer(i); other.Window != l.Window && other.heads() != l.heads() {
			return phrase.New("model.heads-mixed", "last", l.headsText(), "other", other.headsText(), "layer", i+1)
		}
	}
	return l.headsText()
}

// heads are the sizes that headsText names.
func (l Layer) heads() [4]int { return [...]int{l.Heads, l.KVHeads, l.HeadSize, l.ValueSize} }

func (l Layer) headsText() *phrase.Phrase {
	if l.ValueSize != l.HeadSize {
		return phrase.New("model.heads-values", "heads", l.Heads, "kv", l.KVHeads, "size", l.HeadSize, "value",
			l.ValueSize)
	}
	return phrase.New("model.heads-of", "heads", l.Heads, "kv", l.KVHeads, "size", l.HeadSize)
}

func (m *Model) latentText() *phrase.Phrase {
	if m.MLA.KVRank == 0 {
		return nil
	}
	return phrase.New("model.latent-of", "rank", m.MLA.KVRank, "rope", m.MLA.RopeSize)
}

// windowText is "128 tokens in 18 of 36 layers", or nil.
func (m *Model) windowText() *phrase.Phrase {
	if m.Window.Size == 0 {
		return nil
	}
	layers := m.layersWith(Layer.WithWindow)
	if m.Window.Chunked {
		return phrase.New("model.chunks-in", "n", m.Window.Size, "layers", layers)
	}
	return phrase.New("model.window-in", "n", m.Window.Size, "layers", layers)
}

// CountLayers is how many layers have what is asked for.
func (m *Model) CountLayers(has func(Layer) bool) int {
	n := 0
	for i := range min(m.Layers, MaxLayers) {
		if has(m.Layer(i)) {
			n++
		}
	}
	return n
}

// WithExperts, WithWindow and WithNGrams are what [Model.CountLayers] may ask of a layer.
func (l Layer) WithExperts() bool { return l.Experts }
func (l Layer) WithWindow() bool  { return l.Window != 0 }
func (l Layer) WithNGrams() bool  { return l.NGrams }

// layersWith is "18 of 36 layers".
func (m *Model) layersWith(has func(Layer) bool) *phrase.Phrase {
	n := m.CountLayers(has)
	if n == m.Layers {
		return phrase.New("model.every-layer")
	}
	return phrase.New("model.some-layers", "n", n, "all", m.Layers)
}

func (m *Model) denseText() *phrase.Phrase {
	if m.Params().MLP == 0 {
		return nil
	}
	return phrase.New(plain, "n", grouped(m.FFWidth))
}

func (m *Model) expertsText() *phrase.Phrase {
	e := m.MoE
	if e.Experts == 0 {
		return nil
	}
	said := phrase.New("model.experts-of", "k", e.PerToken, "n", e.Experts, "width", grouped(m.ExpertWidth()))
	if e.Shared > 0 {
		said = phrase.New("list.semicolon", "list", said, "next", phrase.New("model.experts-shared", "n", e.Shared))
	}
	in := phrase.New("model.experts-in", "layers", m.layersWith(Layer.WithExperts))
	return phrase.New("list.semicolon", "list", said, "next", in)
}

func (m *Model) vocabText() *phrase.Phrase {
	if m.Tied {
		return phrase.New("model.vocab-tied", "n", grouped(m.Vocab))
	}
	return phrase.New(plain, "n", grouped(m.Vocab))
}

// grouped is a size with commas between its thousands, where quantities have them.
func grouped(n int) string { return quantity.Quantity{Value: float64(n)}.String() }
