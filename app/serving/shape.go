package serving

import (
	"github.com/scalebook/scalebook/app/model"
	q "github.com/scalebook/scalebook/app/quantity"
)

// Precision is the bytes of an element by what it belongs to. Formats with scales count them: nvfp4 is 4.5 bits.
type Precision struct {
	Attention float64 // weights of the attention blocks
	MLP       float64 // dense MLPs and shared experts
	Experts   float64 // routed experts
	Tables    float64 // embedding, unembedding and router
	Cache     float64 // of keys, values and latents
}

// Uniform is a precision that is the same for all weights but tables, which stay in bf16.
func Uniform(weights, cache float64) Precision {
	return Precision{Attention: weights, MLP: weights, Experts: weights, Tables: 2, Cache: cache}
}

// Shape is a model at given precisions, its weights summed by what reads them. Elements are counted over all layers.
type Shape struct {
	Model *model.Model
	Precision

	Layers, Blocks float64 // Blocks are the layers with experts
	Width          float64

	Attn, Dense, Expert, Logits, Lookup float64 // elements; Expert of one routed expert of one layer
	Shared                              float64 // of shared experts and routers, all layers
	Experts, PerToken                   float64
	KVHeads                             float64 // over which the cache can be split; 1 for a latent cache
	State                               float64 // bytes of a sequence that don't grow with it
	States                              float64 // layers that keep them
	Beside                              float64 // bytes of weights beside the text model: encoders of images, drafts

	kinds []cacheKind
}

// cacheKind is layers that keep and look at the same of their past.
type cacheKind struct {
	layers  float64
	entry   float64 // bytes a token
	perKey  float64 // operations of a generated token for each token it looks at
	prefill float64 // the same where keys and values are expanded
	window  float64 // 0 if none
	top     float64 // of all tokens that are kept, those that one looks at; 0 if all
	chunked bool
}

// NewShape sums up a model.
func NewShape(m *model.Model, p Precision) *Shape {
	all, s := m.Params(), &Shape{Model: m, Precision: p}
	s.Layers, s.Width = float64(m.Layers), float64(m.Width)
	s.Attn, s.Dense = all.Attention(), all.MLP
	s.Shared, s.Logits, s.Lookup = all.Shared+all.Router, all.Unembedding, all.Lookup()
	s.Experts, s.PerToken = float64(m.MoE.Experts), float64(m.MoE.PerToken)
	s.KVHeads = 1
	for i := range min(m.Layers, model.MaxLayers) {
		l := m.Layer(i)
		if l.Experts {
			s.Blocks++
		}
		if l.Linear {
			s.States++
		}
		if m.MLA.KVRank == 0 {
			s.KVHeads = max(s.KVHeads, float64(l.KVHeads))
		}
		s.addCache(l)
	}
	s.State, s.Beside = float64(m.StateBytes()), beside(m.ID)
	if s.Blocks > 0 {
		s.Expert = all.Routed / (s.Blocks * s.Experts)
	}
	return s
}

// addCache counts layer l among its kind.
func (s *Shape) addCache(l model.Layer) {
	if !l.Attends() {
		return
	}
	k := cacheKind{layers: 1, window: float64(l.Window), chunked: l.Chunked}
	heads, size := float64(l.Heads), float64(l.HeadSize+l.ValueSize)
	k.entry, k.perKey, k.prefill = s.Model.CacheElements(l)*s.Cache, 2*heads*size, 2*heads*size
	if l.OneTensor && s.Model.Compress == (model.Compress{}) { // engines keep keys and values all the same
		k.entry *= 2
	}
	if a := s.Model.MLA; a.KVRank != 0 {
		k.perKey = 2 * heads * float64(2*a.KVRank+a.RopeSize)
	}
	s.addKind(k)
	if tokens := float64(l.Compress); tokens > 0 { // entries beside the window, each a share of an entry for a token
		s.addKind(cacheKind{layers: 1, entry: k.entry / tokens, perKey: k.perKey / tokens, prefill: k.prefill / tokens,
			top: float64(l.Top) * tokens})
	}
}

// addKind counts a layer's cache among those of its kind.
func (s *Shape) addKind(k cacheKind) {
	for i := range s.kinds {
		o := s.kinds[i]
		if o.layers = 1; o == k {
			s.kinds[i].layers++
			return
		}
	}
	s.kinds = append(s.kinds, k)
}

// WeightBytes are all weights.
func (s *Shape) WeightBytes() q.Bytes {
	return q.Bytes(s.Attn*s.Precision.Attention + (s.Dense+s.Shared)*s.MLP + s.routed()*s.Precision.Experts +
		(s.Logits+s.Lookup)*s.Tables + s.Beside)
}

// Drafted is s with a layer more, which guesses tokens ahead (MTP, EAGLE): attention, an MLP or experts, and what joins
// a token's vector with that of the next one. Tables are the model's.
func (s *Shape) Drafted() *Shape {
	d := *s
	d.kinds = append([]cacheKind(nil), s.kinds...)
	for i := range d.kinds {
		if d.kinds[i].window == 0 && d.kinds[i].top == 0 {
			d.kinds[i].layers++
			break
		}
	}
	layer := (s.Attn*s.Precision.Attention+(s.Dense+s.Shared)*s.MLP+s.routed()*s.Precision.Experts)/s.Layers +
		2*s.Width*s.Width*2
	d.Beside += layer
	return &d
}

// Uncompressed is s with caches whose entries each stand for one token, in all layers and for all of the past, as engines
// keep them that have no kernels for compressed ones (DeepSeek-V4).
func (s *Shape) Uncompressed() *Shape {
	d, all := *s, cacheKind{}
	for _, k := range s.kinds {
		switch { // what is compressed lies beside a window, whose entries are whole
		case k.entry > all.entry:
			all = cacheKind{layers: k.layers, entry: k.entry, perKey: k.perKey, prefill: k.prefill}
		case k.entry == all.entry:
			all.layers += k.layers
		}
	}
	d.kinds = []cacheKind{all}
	return &d
}

// routed is the elements of all routed experts.
func (s *Shape) routed() float64 { return s.Expert * s.Experts * s.Blocks }

// CacheBytes is what a sequence of T tokens keeps: windowed layers no more than their window, and the state that
// doesn't grow.
func (s *Shape) CacheBytes(T float64) q.Bytes {
	sum := s.State
	for _, k := range s.kinds {
		k.top = 0 // what isn't looked at is kept
		sum += k.layers * k.entry * k.seen(T)
	}
	return q.Bytes(sum)
}

// seen is how many tokens one that follows T others looks at.
func (k cacheKind) seen(T float64) float64 {
	if w := k.reach(); w != 0 && T > w {
		return w
	}
	return T
}

// reach is how many tokens one looks at at the most; 0 is no limit.
func (k cacheKind) reach() float64 {
	if k.top != 0 {
		return k.top
	}
	return k.window
}

// pairs is how many tokens P new ones look at together, if T came before them in their sequence.
func (k cacheKind) pairs(P, T float64) float64 {
	w := k.reach()
	if w == 0 || T+P <= w {
		return P*T + P*P/2
	}
	if T >= w {
		return P * w
	}
	grow := w - T // tokens whose view still grows
	return grow*T + grow*grow/2 + (P-grow)*w
}
