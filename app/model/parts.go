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
