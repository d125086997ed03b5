package quant

import (
	"slices"

	"github.com/scalebook/scalebook/app/model"
)

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
func (s *Size) Bits() float64 { return 8 * s.Bytes / s.Weights }

// Part is the tensors of a role with a type.
type Part struct {
	Role    string // a role of tensor, or "experts"
	Type    *Type
	Weights float64
	Bytes   float64
}

// Of counts m in a format, tensor by tensor.
func (f *Format) Of(m *model.Model) *Size { return Tensors(m).In(f, m) }

// List is the tensors of a model.
type List []tensor

// In counts the tensors of m in a format.
func (all List) In(f *Format, m *model.Model) *Size {
	s := &Size{}
	for i := range all {
		t := &all[i]
		kind, _ := typeNamed(f.typeOf(m, t))
		each := kind.Bits() / 8
		s.Weights += t.count
		s.Bytes += t.count * each
		s.Read += t.read * each
		role := t.role
		if t.expert {
			role = "experts"
			s.Experts += t.count * each
			s.Routed += t.read * each
		}
		s.add(role, kind, t.count)
	}
	return s
}

// add adds weights to the part of their role and type.
func (s *Size) add(role string, kind *Type, weights float64) {
	at := slices.IndexFunc(s.Parts, func(p Part) bool { return p.Role == role && p.Type == kind })
	if at < 0 {
		at = len(s.Parts)
		s.Parts = append(s.Parts, Part{Role: role, Type: kind})
	}
	p := &s.Parts[at]
	p.Weights += weights
	p.Bytes = p.Weights * kind.Bits() / 8
}

// Tensors are those of a model, together where they have a role, a row and a layer in common.
func Tensors(m *model.Model) List {
	p := m.Params()
	b := &listing{m: m}
	b.add([]tensor{{role: "out", row: m.Width, count: p.Unembedding}}, 1)
	b.add([]tensor{{role: "embd", row: m.Width, count: p.Embedding},
		{role: "embd", row: max(m.PerLayer.Width, 1) * m.Layers, count: p.PerLayer},
		{role: "small", row: m.Width, count: p.Positions}}, 0) // of each of which a token reads a row
	for b.layer = range min(m.Layers, model.MaxLayers) {
		b.addLayer()
	}
	b.add([]tensor{{role: "small", row: m.Width, count: p.Total() - b.sum}}, 1)
	return b.all
}

// listing lists tensors.
type listing struct {
	m     *model.Model
	all   List
	layer int
	sum   float64 // of all weights so far
}

// add adds those tensors that there are. A token is multiplied with a share of their weights.
func (b *listing) add(some []tensor, share float64) {
	for _, t := range some {
		if t.count > 0 {
			t.layer, t.read = b.layer, t.count*share
			b.all = append(b.all, t)
			b.sum += t.count
		}
	}
}

// addLayer adds those of a layer.
func (b *listing) addLayer() {
	m := b.m
	p, l := m.LayerParams(b.layer), m.Layer(b.layer)
	D := m.Width
	all := []tensor{
		{role: "o", row: l.Heads * l.ValueSize, count: p.Output},
		{role: "other", row: D, count: p.Linear + p.Index + p.Merge + p.Injected + p.Narrow},
		{role: "small", row: D, count: p.Router + p.Small()},
		{role: "q", row: D, count: p.Query + p.Gate + p.Latent},
		{role: "k", row: D, count: p.Key},
		{role: "v", row: D, count: p.Value},
	}
	if r := m.MLA.KVRank; r != 0 { // llama.cpp names them otherwise than queries, keys and values
		for i := range all[3:] {
			all[3+i].role = "other"
		}
		all[4].row, all[5].row = m.MLA.NopeSize, r
	}
	b.add(all, 1)
	b.add([]tensor{{role: "other", row: D, count: p.Unused}}, 0)
	b.feedForward(false, D, m.DenseWidth(l), p.MLP, 1)
	b.feedForward(false, D, m.SharedWidth(), p.Shared, 1)
	from := D
	if m.MoE.Latent != 0 {
		from = m.MoE.Latent
	}
	b.feedForward(true, from, m.ExpertWidth(), p.Routed, min(1, float64(m.MoE.PerToken)/float64(max(1, m.MoE.Experts))))
}

// feedForward adds the matrices of an MLP with so many weights together: in, out, and a gate unless the model is plain.
func (b *listing) feedForward(expert bool, from, width int, count, share float64) {
	all := []tensor{{role: "up", row: from}, {role: "down", row: width}, {role: "gate", row: from}}
	if b.m.Plain {
		all = all[:2]
	}
	for i := range all {
		all[i].expert, all[i].count = expert, count/float64(len(all))
	}
	b.add(all, share)
}
