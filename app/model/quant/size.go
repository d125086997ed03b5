package quant

import "github.com/scalebook/scalebook/app/model"

// Size is what a model takes in a format.
type Size struct {
	Weights float64
	Bytes   float64 // of the tensors; a file also has names and a vocabulary, some megabytes
	Read    float64 // bytes of the weights that a token is multiplied with
	Experts float64 // of Bytes, the routed experts
	Routed  float64 // of Read, the routed experts
	Parts   []Part
}

// Bits are the bits of a weight, over all of them.
func (s Size) Bits() float64 { return 8 * s.Bytes / s.Weights }

// Part is the tensors of a role with a type.
type Part struct {
	Role    string // a role of tensor, or "experts"
	Type    Type
	Weights float64
	Bytes   float64
}

// Of counts m in a format, tensor by tensor.
func (f Format) Of(m *model.Model) Size { return Tensors(m).In(f, m) }

// List is the tensors of a model.
type List []tensor

// In counts the tensors of m in a format.
func (all List) In(f Format, m *model.Model) Size {
	var s Size
	for _, t := range all {
		if t.count == 0 {
			continue
		}
		kind, _ := typeNamed(f.typeOf(m, t))
		bytes, read := t.count*kind.Bits()/8, t.read*kind.Bits()/8
		s.Weights, s.Bytes, s.Read = s.Weights+t.count, s.Bytes+bytes, s.Read+read
		role := t.role
		if t.expert {
			role = "experts"
			s.Experts, s.Routed = s.Experts+bytes, s.Routed+read
		}
		s.add(Part{role, kind, t.count, bytes})
	}
	return s
}

// add adds a part to the one of its role and type.
func (s *Size) add(p Part) {
	for i := range s.Parts {
		if of := &s.Parts[i]; of.Role == p.Role && of.Type.Name == p.Type.Name {
			of.Weights += p.Weights
			of.Bytes += p.Bytes
			return
		}
	}
	s.Parts = append(s.Parts, p)
}

// Tensors are those of a model, together where they have a role, a row and a layer in common.
func Tensors(m *model.Model) List {
	p := m.Params()
	all := []tensor{
		{role: "out", row: m.Width, count: p.Unembedding, read: p.Unembedding},
		{role: "embd", row: m.Width, count: p.Embedding},
		{role: "embd", row: max(m.PerLayer.Width, 1) * m.Layers, count: p.PerLayer},
		{role: "small", row: m.Width, count: p.Positions},
	}
	inLayers := 0.0
	for i := range min(m.Layers, model.MaxLayers) {
		layer := layerTensors(m, i)
		for _, t := range layer {
			inLayers += t.count
		}
		all = append(all, layer...)
	}
	rest := p.Total() - p.Unembedding - p.Embedding - p.PerLayer - p.Positions - inLayers
	return append(all, tensor{role: "small", row: m.Width, count: max(rest, 0), read: max(rest, 0)})
}

// layerTensors are those of layer i.
func layerTensors(m *model.Model, i int) []tensor {
	p, l := m.LayerParams(i), m.Layer(i)
	plain := func(role string, row int, count float64) tensor {
		return tensor{role: role, layer: i, row: row, count: count, read: count}
	}
	heads := l.Heads * l.ValueSize
	all := []tensor{plain("o", heads, p.Output), plain("other", m.Width, p.Linear+p.Index+p.Merge+p.Injected+p.Narrow),
		plain("small", m.Width, p.Router+p.Small())}
	if r := m.MLA.KVRank; r != 0 { // llama.cpp names them otherwise than queries, keys and values
		all = append(all, plain("other", m.Width, p.Query+p.Latent+p.Gate), plain("other", m.MLA.NopeSize, p.Key),
			plain("other", r, p.Value))
	} else {
		all = append(all, plain("q", m.Width, p.Query+p.Gate+p.Latent), plain("k", m.Width, p.Key),
			plain("v", m.Width, p.Value))
	}
	unused := plain("other", m.Width, p.Unused)
	unused.read = 0
	all = append(all, unused)
	all = append(all, feedForward(m, i, m.Width, m.DenseWidth(l), p.MLP)...)
	all = append(all, feedForward(m, i, m.Width, m.SharedWidth(), p.Shared)...)
	from := m.Width
	if m.MoE.Latent != 0 {
		from = m.MoE.Latent
	}
	for _, t := range feedForward(m, i, from, m.ExpertWidth(), p.Routed) {
		t.expert = true
		if m.MoE.Experts > 0 {
			t.read *= min(1, float64(m.MoE.PerToken)/float64(m.MoE.Experts))
		}
		all = append(all, t)
	}
	return all
}

// feedForward are the matrices of an MLP with so many weights together: in, out, and a gate unless the model is plain.
func feedForward(m *model.Model, layer, from, width int, count float64) []tensor {
	roles := []string{"gate", "up", "down"}
	if m.Plain {
		roles = roles[1:]
	}
	var all []tensor
	for _, role := range roles {
		t := tensor{role: role, layer: layer, row: from, count: count / float64(len(roles))}
		if t.read = t.count; role == "down" {
			t.row = width
		}
		all = append(all, t)
	}
	return all
}
