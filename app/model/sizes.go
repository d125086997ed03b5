package model

import (
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
)

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
		return phrase.New("model.heads-values", "heads", l.Heads, "kv", l.KVHeads, "size", l.HeadSize, "value", l.ValueSize)
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

// WithExperts and WithWindow are what [Model.CountLayers] may ask of a layer.
func (l Layer) WithExperts() bool { return l.Experts }
func (l Layer) WithWindow() bool  { return l.Window != 0 }

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
