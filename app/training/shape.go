package training

import "github.com/scalebook/scalebook/app/model"

// shape is a model as plans need it: numbers of a mean layer. Layers of different kinds (dense and with experts,
// windowed and not) are averaged: a stage holds some of each.
type shape struct {
	layers float64
	width  float64 // D
	vocab  float64

	dense  float64 // weights of a layer outside its routed experts: attention, dense MLP, shared experts, router
	routed float64 // weights of its routed experts
	embed  float64 // weights of the input table and of positions
	head   float64 // weights of the matrix that makes logits
	tied   bool

	experts, perToken float64
	expertWidth       float64 // F of a routed expert
	expertInput       float64 // what one takes in and gives out: D, or the latent's width
	matrices          float64 // of an MLP: 3 with a gate

	full      float64 // widths of the matmuls' sides that tensor parallelism leaves whole, summed over a layer
	split     float64 // widths of the sides that it splits
	scores    float64 // FLOPs of causal attention for a token of a layer, forward
	heads     float64 // fewest query heads of a layer
	meanHeads float64 // query heads of a mean layer
	queries   float64 // N H of a layer
	kvHeads   float64 // fewest heads of keys and values of a layer that attends
	keys      float64 // K (H + Hv): what ring attention passes on
	values    float64 // N Hv
	latents   float64 // widths of latents (MLA)
	lifts     float64 // weights that make queries, keys and values of latents
	hidden    float64 // F summed over the dense MLP and the shared experts of a layer
	mlps      float64 // share of layers with any of them
	routes    float64 // share of layers with experts
	scan      scan    // of layers that keep a state
}

// newShape sums up a model for sequences of s tokens.
func newShape(m *model.Model, s float64) shape {
	p, L := m.Params(), float64(m.Layers)
	z := shape{layers: L, width: float64(m.Width), vocab: float64(m.Vocab), tied: m.Tied, matrices: 3}
	if m.Plain {
		z.matrices = 2
	}
	z.routed = p.Routed / L
	z.embed, z.head = p.Embedding+p.Positions, p.Unembedding
	if m.Tied {
		z.embed = p.Positions
	}
	z.dense = (p.Total() - p.Routed - p.Embedding - p.Unembedding - p.Positions) / L
	z.scores = float64(m.AttentionFLOPs(s, model.Windowed, model.Forward)) / L
	z.experts, z.perToken, z.expertWidth = float64(m.MoE.Experts), float64(m.MoE.PerToken), float64(m.ExpertWidth())
	if z.expertInput = float64(m.MoE.Latent); z.expertInput == 0 {
		z.expertInput = z.width
	}
	for i := range m.Layers {
		z.add(m, i)
	}
	for _, x := range []*float64{&z.meanHeads, &z.full, &z.split, &z.queries, &z.keys, &z.values, &z.latents, &z.lifts, &z.hidden,
		&z.mlps, &z.routes, &z.scan.flops, &z.scan.bytes, &z.scan.kept} {
		*x /= L
	}
	return z
}

// add adds what layer i brings to the sums.
func (z *shape) add(m *model.Model, i int) {
	l := m.Layer(i)
	switch {
	case l.Attends():
		z.addAttention(m, l)
	case l.Linear:
		z.full += 2 * z.width
		for _, x := range m.LinearMatrices() {
			z.split += float64(x.Cols)
		}
		z.split -= z.width
	}
	if l.Linear {
		z.scan.add(newScan(m))
	}
	for _, one := range []bool{l.OneMatrix, l.MatrixMLP} {
		if one {
			z.full += 2 * z.width // into and out of it
		}
	}
	if !l.NoMLP && !l.MatrixMLP {
		z.addMLP(m, l)
	}
}

func (z *shape) addAttention(m *model.Model, l model.Layer) {
	N := float64(l.Heads)
	queries, values := N*float64(l.HeadSize), N*float64(l.ValueSize)
	keys := float64(l.KVHeads) * float64(l.HeadSize+l.ValueSize)
	z.meanHeads += N
	if z.heads == 0 || N < z.heads {
		z.heads = N
	}
	if K := float64(l.KVHeads); z.kvHeads == 0 || K < z.kvHeads {
		z.kvHeads = K
	}
	z.queries, z.keys, z.values = z.queries+queries, z.keys+keys, z.values+values
	if m.MLA.KVRank != 0 {
		z.latents += float64(m.MLA.QRank + m.MLA.KVRank + m.MLA.RopeSize)
		z.lifts += float64(m.MLA.QRank)*queries + float64(m.MLA.KVRank)*N*float64(m.MLA.NopeSize+l.ValueSize)
	}
	z.full += 2 * z.width // into and out of attention
	z.split += queries + keys + values
}

func (z *shape) addMLP(m *model.Model, l model.Layer) {
	F := float64(m.DenseWidth(l))
	if l.Experts {
		z.routes++
		F = float64(m.MoE.Shared * m.SharedWidth())
	}
	if F > 0 {
		z.full += 2 * z.width
		z.split += z.matrices * F
		z.hidden += F
		z.mlps++
	}
}
