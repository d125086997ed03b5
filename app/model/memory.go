package model

import q "github.com/scalebook/scalebook/app/quantity"

// KVBytesPerToken is what the cache of keys and values grows by with each token as long as no window is full:
// K (H + Hv) elements a layer, 2 K H if keys and values have one size; of latent attention r + rope, the latent and
// the rotary key that all heads share. Where layers compress, windows are full soon, and it is a token's share of their
// entries. element is the size of an element, 2 bytes of bf16.
func (m *Model) KVBytesPerToken(element q.Bytes) q.Bytes {
	if !m.Compress.used() {
		return m.KVBytes(1, element)
	}
	sum := 0.0
	for _, k := range m.kinds() {
		if k.Compress != 0 {
			sum += float64(k.n) * m.CacheElements(k.Layer) / k.entry()
		}
	}
	return q.Bytes(sum * float64(element))
}

// KVBytes is the cache of a sequence of T tokens. A windowed layer keeps no more than its window, a chunked one no more
// than a chunk: it stops growing there. A layer that compresses keeps its entries beside the window.
func (m *Model) KVBytes(T float64, element q.Bytes) q.Bytes {
	sum := 0.0
	for _, k := range m.kinds() {
		sum += float64(float64(k.n) * m.CacheElements(k.Layer) * k.cached(T))
	}
	return q.Bytes(sum * float64(element))
}

// Cached is how many of T tokens the cache keeps, on average over layers, each by what it caches: KVBytes are
// proportional to it. Where layers compress, it is the tokens whose entries would take as much as entries and windows
// do.
func (m *Model) Cached(T float64) float64 {
	all := float64(m.KVBytesPerToken(1))
	if all == 0 {
		return 0
	}
	return float64(m.KVBytes(T, 1)) / all
}

// CacheElements is how many elements a layer caches for each token: K (H + Hv), of latent attention r + rope. In a
// layer that compresses it is for each entry, which stands for several tokens.
func (m *Model) CacheElements(l Layer) float64 {
	switch r := m.MLA.KVRank; {
	case !l.Attends() || l.Shares || l.Cross:
		return 0
	case r != 0:
		return float64(r + m.MLA.RopeSize)
	case l.OneTensor:
		return float64(l.KVHeads) * float64(l.HeadSize)
	}
	return float64(l.KVHeads) * float64(l.HeadSize+l.ValueSize)
}

// DecodeIntensity is attention's operations over the bytes of the cache it reads while generating, for long contexts:
// about G = N/K for bf16, whatever the batch, since every sequence has a cache of its own. Latent attention shares
// one cache among all heads.
func (m *Model) DecodeIntensity(element q.Bytes) q.Intensity {
	const T = 1
	return q.Intensity(float64(m.DecodeAttentionFLOPs(T)) / float64(m.KVBytes(T, element)))
}

// Keep says which activations training keeps from the forward pass for the backward pass. What it doesn't keep it
// computes again (checkpointing, rematerialisation).
type Keep uint8

// The policies.
const (
	// KeepAll keeps whatever the backward pass reads; nothing is computed again but the scores inside an attention
	// kernel that never writes them (flash attention).
	KeepAll Keep = iota
	// KeepMatmuls keeps each block's input and the outputs of its matmuls with weights; norms, gates and attention
	// itself are computed again.
	KeepMatmuls
	// KeepBlocks keeps each layer's input alone; the forward pass of every layer runs again.
	KeepBlocks
)

// ActivationElements is how many elements training keeps for each token, summed over the layers:
//
//	KeepBlocks   D, the layer's input
//	KeepMatmuls  N H + K (H + Hv) + D of attention and 2 F + D of the MLP (plain: F + D), besides the layer's input:
//	             14 D for F = 4D, NH = KH = D and a gate, 13 D without the input, where the book has 7 outputs of D
//	KeepAll      inputs of norms and of matmuls, queries, keys, values, attention's output:
//	             4 D + N H + K (H + Hv) + N Hv, and of the MLP the gate before and after its function, the other half
//	             and their product, 4 F (plain: before and after, 2 F): 24 D for the same sizes, and 16 D if plain
//
// Each expert that a token uses counts like an MLP, its input and its output kept besides. What queries and keys were
// before their norms, and the inputs of norms behind blocks, count too. Dropout masks, router scores, the logits, the
// embeddings and one number a head for the softmax are left out.
func (m *Model) ActivationElements(keep Keep) float64 {
	sum := 0.0
	for _, k := range m.kinds() {
		sum += float64(float64(k.n) * m.layerActivations(k.Layer, keep))
	}
	return sum
}

// ActivationBytes are the bytes of [Model.ActivationElements], for elements of the given size, 2 bytes of bf16.
func (m *Model) ActivationBytes(keep Keep, element q.Bytes) q.Bytes {
	return q.Bytes(m.ActivationElements(keep) * float64(element))
}

func (m *Model) layerActivations(l Layer, keep Keep) float64 {
	D := float64(m.Width)
	queries, keys := float64(l.Heads)*float64(l.HeadSize), float64(l.KVHeads)*float64(l.HeadSize)
	values, out := float64(l.KVHeads)*float64(l.ValueSize), float64(l.Heads)*float64(l.ValueSize)
	heads := queries + keys + values + m.latents()
	if !l.Attends() {
		queries, keys, heads, out = 0, 0, 0, 0
	}
	if l.OneMatrix {
		heads = D
	}
	heads += m.linearHeads(l)
	hidden, routed := m.hidden(l)
	switch keep {
	case KeepBlocks:
		return D * max(1, float64(m.Side.Hyper))
	case KeepMatmuls:
		outputs := 1 + routed // of attention, and of each expert
		if !l.Experts || m.MoE.Shared > 0 {
			outputs++
		}
		return D + heads + float64(m.inward()*hidden) + float64(outputs*D)
	}
	if m.QKNorm != NoQKNorm {
		heads += queries + keys
	}
	inputs := float64(m.norms(l)) + 2*routed + 2
	if m.Parallel && m.NormsPerLayer() == 1 {
		inputs-- // attention and MLP read the same
	}
	return float64(inputs*D) + heads + out + 2*float64(m.inward()*hidden)
}

// linearHeads are the elements that the matrices of a linear layer give, but for its output.
func (m *Model) linearHeads(l Layer) float64 {
	n := 0.0
	if l.Linear {
		for _, x := range m.LinearMatrices() {
			n += float64(x.Cols)
		}
		n -= float64(m.Width)
	}
	return n
}

// latents are the elements of latent attention's bottlenecks.
func (m *Model) latents() float64 {
	if m.MLA.KVRank == 0 {
		return 0
	}
	return float64(m.MLA.QRank + m.MLA.KVRank + m.MLA.RopeSize)
}

// hidden is the width inside the MLPs that a token meets in a layer, together, and how many of them are routed experts.
func (m *Model) hidden(l Layer) (width, routed float64) {
	switch {
	case l.NoMLP, l.MatrixMLP:
		return 0, 0
	case !l.Experts:
		return float64(m.DenseWidth(l)), 0
	}
	k := float64(m.MoE.PerToken)
	return float64(k*float64(m.ExpertWidth())) + float64(float64(m.MoE.Shared)*float64(m.SharedWidth())), k
}

// RecomputeFLOPs are the operations on one of T tokens that a policy computes again: nothing, attention, or the whole
// forward pass of the layers. The unembedding is kept out: it is computed once.
func (m *Model) RecomputeFLOPs(keep Keep, T float64, mask Mask) q.FLOPs {
	switch keep {
	case KeepMatmuls:
		return m.AttentionFLOPs(T, mask, Forward)
	case KeepBlocks:
		return m.LayerFLOPs(Forward) + m.AttentionFLOPs(T, mask, Forward)
	}
	return 0
}
