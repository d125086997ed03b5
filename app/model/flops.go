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
		sum += float64(float64(k.n) * 2 * (k.perKey()*k.Seen(T, mask) + m.perIndexed(k.Layer)*Scored(T, mask)))
	}
	return q.FLOPs(float64(p) * sum)
}

// Seen is how many tokens one of T looks at, on average over tokens and layers, each layer by its N (H + Hv): T if
// full, T/2 if causal, less if windowed. AttentionFLOPs are proportional to it.
func (m *Model) Seen(T float64, mask Mask) float64 {
	sum, weight := 0.0, 0.0
	for _, k := range m.kinds() {
		n, w, x := float64(k.n), k.perKey(), m.perIndexed(k.Layer)
		sum += float64(n * (w*k.Seen(T, mask) + x*Scored(T, mask)))
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
		sum += float64(float64(k.n) * 2 * (per*k.looked(T) + m.perIndexed(k.Layer)*max(T, 0)))
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
		if l.Compress != 0 {
			w += T / l.entry()
		}
		return w
	}
	return T
}

// looked is how many of T tokens a generated token looks at in a layer: those that are cached, or of them what an index
// picks.
func (l Layer) looked(T float64) float64 {
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
