package model

// Part is a share of a model's parameters. Together the parts are all of them.
type Part struct {
	Name   string
	Stored float64
	Used   float64 // of these, what a token is multiplied with
	Lookup bool    // a token reads one row
}

// Parts are those of a model, those that it lacks too.
func (m *Model) Parts() []Part {
	p, a := m.Params(), m.Active()
	out := "Unembedding"
	if m.Tied {
		out = "Embedding, tied"
	}
	return []Part{
		{"Input embedding", p.Embedding, 0, true},
		{"Learned positions", p.Positions, 0, true},
		{"Embeddings of each layer", p.PerLayer, 0, true},
		{"Attention", p.Attention() - p.Linear, a.Attention() - a.Linear, false},
		{"Linear layers", p.Linear, a.Linear, false},
		{"Dense MLPs", p.MLP, a.MLP, false},
		{"Routed experts", p.Routed, a.Routed, false},
		{"Shared experts", p.Shared, a.Shared, false},
		{"Routers", p.Router + p.Narrow, a.Router + a.Narrow, false},
		{"Paths into each layer", p.Injected, a.Injected, false},
		{out, p.Unembedding, a.Unembedding, false},
		{"Norms and biases", p.Small(), a.Small(), false},
	}
}
