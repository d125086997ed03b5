package model

import "github.com/scalebook/scalebook/app/phrase"

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
