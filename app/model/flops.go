package model

import (
	"math"

	"github.com/scalebook/scalebook/app/phrase"
	q "github.com/scalebook/scalebook/app/quantity"
)

// Mask says which of the scores between T tokens are counted. Published figures differ in exactly this, so every law
// that counts attention takes one.
type Mask uint8

// The masks. Causal ones take half of the square, T^2/2; the half diagonal that this leaves out is T/2 of it.
const (
	// Windowed counts what the model looks at: the causal half, in windowed layers only the window.
	Windowed Mask = iota
	// Causal counts the causal half in every layer, windows ignored: MaxText since 2025, Megatron-Bridge.
	Causal
	// Full counts the whole square in every layer: the book's 12 B T S N H, Megatron-LM's tables, older MaxText.
	Full
	// NoAttention counts no scores at all: 6 N a token.
	NoAttention
)

// Pass says what is counted of a step: the forward pass alone, or with it the backward pass, which takes twice as
// much: every matmul has two gradients, each as large as itself.
type Pass float64

// The passes, as multiples of the forward pass.
const (
	Forward Pass = 1
	Train   Pass = 3
	// Frozen is training in which the weights stay as they are (adapters): no gradient of the weights, 4 N a token.
	Frozen Pass = 2
)

// WeightFLOPs are the operations of the matmuls with weights on one token, the unembedding included: 2 of them forward
// for each weight that the token meets. Those on the states of linear layers come to them.
func (m *Model) WeightFLOPs(p Pass) q.FLOPs {
	return q.FLOPs(float64(p)*2*m.Active().Matmul()) + m.StateFLOPs(p)
}

// LayerFLOPs are the operations of the layers' matmuls with weights on one token: WeightFLOPs without the unembedding.
func (m *Model) LayerFLOPs(p Pass) q.FLOPs {
	a := m.Active()
	return q.FLOPs(float64(p)*2*(a.Attention()+a.FeedForward())) + m.StateFLOPs(p)
}

// UnembeddingFLOPs are the operations of making one token's logits alone: 2 D V forward.
func (m *Model) UnembeddingFLOPs(p Pass) q.FLOPs {
	return q.FLOPs(float64(p) * 2 * float64(m.Width) * float64(m.Vocab))
}

// AttentionFLOPs are the operations of scores and of values weighted by them, on one of T tokens of a sequence, on
// average: a layer takes 2 N (H + Hv) for each token that is looked at forward, 4 N H if keys and values have one size,
// and the mask says how many those are on average: T if full, T/2 if causal. GQA does not change it. T may be any
// number; below 0 counts as 0.
func (m *Model) AttentionFLOPs(T float64, mask Mask, p Pass) q.FLOPs {
	sum := 0.0
	for _, k := range m.kinds() {
		sum += float64(float64(k.n) * 2 * (k.perKey()*k.Seen(T, mask) + m.perIndexed(k.Layer)*k.Scored(T, mask)))
	}
	return q.FLOPs(float64(p) * sum)
}

// Seen is how many tokens one of T looks at, on average over tokens and layers, each layer by its N (H + Hv): T if
// full, T/2 if causal, less if windowed. AttentionFLOPs are proportional to it.
func (m *Model) Seen(T float64, mask Mask) float64 {
	sum, weight := 0.0, 0.0
	for _, k := range m.kinds() {
		n, w, x := float64(k.n), k.perKey(), m.perIndexed(k.Layer)
		sum += float64(n * (w*k.Seen(T, mask) + x*k.Scored(T, mask)))
		weight += n * (w + x)
	}
	if weight == 0 {
		return 0
	}
	return sum / weight
}

// FLOPsPerToken are all operations on one of T tokens of a sequence, on average: WeightFLOPs and AttentionFLOPs.
// For training under NoAttention it is 6 N, with N the weights that a token is multiplied with.
func (m *Model) FLOPsPerToken(T float64, mask Mask, p Pass) q.FLOPs {
	return m.WeightFLOPs(p) + m.AttentionFLOPs(T, mask, p)
}

// DecodeFLOPs are the operations of generating one token with T in the cache, its own included: forward, one row of
// logits, and attention to all T, or to a window of them. Latent attention works on the cached latents as they are,
// which takes 2 N (2 r + rope) a token instead of expanding keys and values; its other matmuls take what WeightFLOPs
// says.
func (m *Model) DecodeFLOPs(T float64) q.FLOPs {
	return m.WeightFLOPs(Forward) + m.DecodeAttentionFLOPs(T)
}

// DecodeAttentionFLOPs are the operations of attention alone when one token is generated with T in the cache, its own
// included: scores, and values weighted by them, in all layers.
func (m *Model) DecodeAttentionFLOPs(T float64) q.FLOPs {
	sum := 0.0
	for _, k := range m.kinds() {
		per := k.perKey()
		if r := m.MLA.KVRank; r != 0 && k.Attends() && !k.Cross {
			per = float64(k.Heads) * float64(2*r+m.MLA.RopeSize)
		}
		scored := max(T, 0)
		if k.Candidates != 0 {
			scored = min(scored, float64(k.Candidates)*k.entry())
		}
		sum += float64(float64(k.n) * 2 * (per*k.looked(T) + m.perIndexed(k.Layer)*scored))
	}
	return q.FLOPs(sum)
}

// perKey is the multiply-adds that one query token takes for each token it looks at: N (H + Hv).
func (l Layer) perKey() float64 {
	if !l.Attends() || l.Cross {
		return 0
	}
	return float64(l.Heads) * float64(l.HeadSize+l.ValueSize)
}

// Seen is how many tokens one of T looks at on average.
func (l Layer) Seen(T float64, mask Mask) float64 {
	w := float64(l.Window)
	if l.Compress != 0 && mask == Windowed {
		T = max(T, 0)
		return l.within(T, w, mask) + l.within(T/l.entry(), float64(l.Top), mask)
	}
	if l.Top != 0 && (w == 0 || w > float64(l.Top)) {
		w = float64(l.Top)
	}
	return l.within(max(T, 0), w, mask)
}

// within is how many of T one looks at on average, if it looks back w at the most; 0 is no limit.
func (l Layer) within(T, w float64, mask Mask) float64 {
	switch {
	case mask == Full:
		return T
	case mask == NoAttention:
		return 0
	case mask == Causal || w == 0 || T <= w:
		return T / 2
	case l.Chunked:
		return chunked(T, w)
	}
	return w - w*w/(2*T) // w for each token, less the triangle that the first w tokens lack
}

// chunked is how many tokens one of T looks at on average if chunks of w tokens see only themselves: w^2/2 for each
// whole chunk, and the rest.
func chunked(T, w float64) float64 {
	whole := math.Floor(T / w)
	rest := T - float64(whole*w)
	return (float64(whole*w*w) + float64(rest*rest)) / (2 * T)
}

// cached is how many tokens of T a layer keeps: all, or those of a window and what stands for the others.
func (l Layer) cached(T float64) float64 {
	T = max(T, 0)
	if l.Window != 0 {
		w := min(T, float64(l.Window))
		if l.Compress != 0 && !l.Borrows {
			w += T / l.entry()
		}
		return w
	}
	return T
}

// looked is how many of T tokens a generated token looks at in a layer: those that are cached, or of them what an index
// picks. Entries of a layer before it count as its own.
func (l Layer) looked(T float64) float64 {
	l.Borrows = false
	switch top := float64(l.Top); {
	case l.Top == 0:
		return l.cached(T)
	case l.Compress != 0:
		T = max(T, 0)
		return min(T, float64(l.Window)) + min(T/l.entry(), top)
	default:
		return min(l.cached(T), top)
	}
}

// perIndexed is the multiply-adds of the index for each token that it scores, or that an entry which it scores stands
// for.
func (m *Model) perIndexed(l Layer) float64 {
	if !l.Indexes {
		return 0
	}
	return float64(m.Index.Heads) * float64(m.Index.Size) / l.entry()
}

// Scored is how many of T tokens the index of a layer scores for one on average, entries counted as what they stand
// for.
func (l Layer) Scored(T float64, mask Mask) float64 {
	if l.Candidates != 0 && mask == Windowed {
		return l.within(max(T, 0)/l.entry(), float64(l.Candidates), mask) * l.entry()
	}
	return Scored(T, mask)
}

// Scored is how many tokens one of T has before it on average, as far as the mask counts them.
func Scored(T float64, mask Mask) float64 {
	T = max(T, 0)
	switch mask {
	case NoAttention:
		return 0
	case Full:
		return T
	}
	return T / 2
}

// CrossoverContext is the context T at which attention's scores and weighted values take as many operations as the
// layers' matmuls, the unembedding left out. Full: D (18 F + 12 (N + K) H)/(12 N H) for a gated dense model, and twice
// that if causal. Where windows keep attention from ever catching up the error says so.
func (m *Model) CrossoverContext(mask Mask) (float64, error) {
	const longest = 1e15
	target := float64(m.LayerFLOPs(Forward))
	behind := func(T float64) bool { return float64(m.AttentionFLOPs(T, mask, Forward)) < target }
	if behind(longest) || !(target > 0) {
		return 0, &Error{
			What:   phrase.New("model.no-crossover"),
			Remedy: phrase.New("model.wider-mask"),
		}
	}
	low, high := 0.0, longest
	for range 200 {
		mid := low + (high-low)/2
		if mid <= low || mid >= high {
			break
		}
		if behind(mid) {
			low = mid
		} else {
			high = mid
		}
	}
	return high, nil
}

// ExpertsTouched is how many of a layer's E experts a batch of B tokens is expected to use, if each token chooses its k
// evenly: E (1 - (1 - k/E)^B). It says what generating must read of the weights. Sheets know it as experts_touched.
func ExpertsTouched(experts, perToken, B float64) float64 {
	if !(perToken < experts) {
		return experts
	}
	return experts * -math.Expm1(B*math.Log1p(-perToken/experts))
}

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
		if k.Compress != 0 && !k.Borrows {
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
// layer that compresses it is for each entry, which stands for several tokens, and for its key alone, which is its
// value too. Where only a projection is missing (Gemma 4), both are kept: keys are scaled and turned by their position,
// values are not.
func (m *Model) CacheElements(l Layer) float64 {
	switch r := m.MLA.KVRank; {
	case !l.Attends() || l.Shares || l.Cross:
		return 0
	case r != 0:
		return float64(r + m.MLA.RopeSize)
	case l.OneTensor && m.Compress.used():
		return float64(l.KVHeads) * float64(l.HeadSize)
	}
	return float64(l.KVHeads) * float64(l.HeadSize+l.ValueSize)
}

// ReadElements is how many elements a layer reads for each token that it looks at: what it caches, or what a layer
// before it does.
func (m *Model) ReadElements(l Layer) float64 {
	l.Shares = false
	return m.CacheElements(l)
}

// DecodeIntensity is attention's operations over the bytes of the cache it reads while generating, for long contexts:
// about G = N/K for bf16, whatever the batch, since every sequence has a cache of its own. Latent attention shares
// one cache among all heads.
func (m *Model) DecodeIntensity(element q.Bytes) q.Intensity {
	const T = 1
	read := 0.0
	for _, k := range m.kinds() {
		k.Borrows = false
		read += float64(k.n) * m.ReadElements(k.Layer) * k.cached(T)
	}
	return q.Intensity(float64(m.DecodeAttentionFLOPs(T)) / (read * float64(element)))
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
