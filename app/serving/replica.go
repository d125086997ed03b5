package serving

import (
	"strconv"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/phrase"
	q "github.com/scalebook/scalebook/app/quantity"
)

// Replica is a model on chips, and how its engine is set: the thing that takes steps.
type Replica struct {
	*Shape
	Chip
	Plan
	Constants
	Engine
	random bool // requests come by themselves, whatever steps end
}

// Engine is how an engine is set. Zeros mean the usual.
type Engine struct {
	Name      string  // "vllm", "sglang", "trtllm", "maxtext"; "lmdeploy", "mlc", "exllama" in ledgers; "" is any
	Chunk     float64 // tokens of prompts in one step at the most; 0 means 8192
	Sequences float64 // that run at once at the most; 0 means no limit but memory
	Poll      float64 // steps between two looks for new requests (SGLang); 0 means that each step looks
	Wait      float64 // steps for which prompts wait for more of them (TensorRT-LLM); 0 means none
	Share     float64 // of the chip's memory that the engine takes; 0 means 0.9
	Tokens    float64 // that the cache holds, over the whole replica, where that is known; 0 means what memory leaves
	Offload   float64 // bytes of a chip's weights that stay in its host's memory
	Hosted    Hosted  // parts of the model that lie there (ledgers only)
	Release   float64 // minor and patch of its version: 10.02 is 0.10.2, 103 is 1.3; 0 is the newest
	Length    float64 // tokens of the longest sequence that it takes (max-model-len); 0 means as long as they come
	KVBytes   float64 // of a chip for keys and values, where that is said (kv-cache-memory-bytes); 0 means what is left
	Most      float64 // tokens of the cache at the most, where that is said (max-total-tokens); 0 means as many as fit
	Windows   float64 // tokens of layers with a window, to those of the others (SGLang); 0 means the usual
	Paged     float64 // tokens of a block of the cache; 0 means the usual
	Halves    bool    // one half of a batch computes while the other exchanges tokens with experts (two-batch overlap)
	Reserve   float64 // of the tokens yet to come, the share that room is kept for; 0 means as the named engine does
	Graphless bool    // no step is captured as a graph: all launch kernel by kernel (enforce-eager)
	Scores    bool    // attention writes its scores out (llama.cpp without flash attention)
	Unsorted  bool    // tokens are chosen without sorting all words (FlashInfer's sampler)
	NoPeers   bool    // chips of a group don't reach one another's memory: over nodes, or PCIe without P2P
	Adapters  float64 // low-rank adapters that fit on the chip at once (ledgers only)
	Rank      float64 // of each of them at the most
	StateBits float64 // of a number in a linear layer's state, if said (mamba-ssm-cache-dtype); 0 means the usual
	OfFree    bool    // the share is of what weights leave free (TensorRT-LLM), not of the whole (vLLM)
}

// NewReplica checks a plan and fills in what it leaves out.
func NewReplica(s *Shape, c Chip, p Plan, k Constants, e Engine) (*Replica, error) {
	if err := p.Legal(s, &c); err != nil {
		return nil, err
	}
	if e.Chunk == 0 {
		e.Chunk = 8192
		if e.Length > 0 && e.whole(e.Length) {
			e.Chunk = max(e.Length, 2048)
		}
	}
	if e.Share == 0 {
		e.Share = e.usualShare()
	}
	k.Sequence += e.hostTime()
	k.on(&c)
	return &Replica{Shape: s, Chip: c, Plan: p.full(), Constants: k, Engine: e}, nil
}

// whole tells whether an engine computes prompts of up to T tokens whole, and so tries them at the start: vLLM before
// 0.8, unless they are long.
func (e Engine) whole(T float64) bool {
	return (e.Name == "vllm" || e.Name == "") && e.Release > 0 && e.Release < 8 && T <= 1<<15
}

// usualShare is the share of a chip's memory that an engine takes if nothing is said.
func (e Engine) usualShare() float64 {
	switch e.Name {
	case "lmdeploy":
		return KeptLMDeploy
	case "mlc":
		return KeptMLC
	}
	return 0.9
}

// Plan is how one replica is spread over chips. Attention runs on DP groups of TP chips, each with its own sequences;
// the experts on EP groups of ETP chips; TP DP = EP ETP; and all that PP times, a stage each. Zeros mean 1.
type Plan struct {
	TP  int // tensor parallelism of attention and dense MLPs
	DP  int // groups of whole sequences (data-parallel attention)
	PP  int // pipeline stages
	EP  int // groups of whole experts; 0 means TP DP / ETP
	ETP int // chips that share each expert; 0 means what EP leaves, 1 if that is 0 too
	WS  int // ways of TP that split the outer width of dense MLPs, on an axis of a torus; 0 means 1
	CP  int // chips of a TP group that split the cache along the sequence (decode context parallelism); 0 means 1

	Spare int // experts that are there twice (redundant experts)
}

// full is p with its zeros filled in.
func (p Plan) full() Plan {
	p.TP, p.DP, p.PP, p.CP, p.WS = max(p.TP, 1), max(p.DP, 1), max(p.PP, 1), max(p.CP, 1), max(p.WS, 1)
	group := p.TP * p.DP
	switch {
	case p.EP == 0 && p.ETP == 0:
		p.EP, p.ETP = 1, group
	case p.EP == 0:
		p.EP = max(group/p.ETP, 1)
	case p.ETP == 0:
		p.ETP = max(group/p.EP, 1)
	}
	return p
}

// Chips is how many chips a replica takes.
func (p Plan) Chips() int { p = p.full(); return p.TP * p.DP * p.PP }

// String names p: "TP8", "TP1 DP8 EP8", "TP32x4" where MLPs are split 32 ways by the inner width and 4 by the outer,
// "TP1 DP72 EP72 +32" with 32 experts twice.
func (p Plan) String() string {
	p = p.full()
	text := "TP" + strconv.Itoa(p.TP/p.WS)
	if p.WS > 1 {
		text += "x" + strconv.Itoa(p.WS)
	}
	for _, d := range []struct {
		name string
		n    int
	}{{" DP", p.DP}, {" PP", p.PP}, {" EP", p.EP}, {" CP", p.CP}} {
		if d.n > 1 {
			text += d.name + strconv.Itoa(d.n)
		}
	}
	if p.Spare > 0 {
		text += " +" + strconv.Itoa(p.Spare)
	}
	return text
}

// Legal says why a plan can't run a model on a chip; nil if it can. Whether it fits is Memory's answer.
func (p Plan) Legal(s *Shape, c *Chip) error {
	p = p.full()
	switch {
	case p.EP*p.ETP != p.TP*p.DP:
		return fault(phrase.New("serving.chips-differ", "plan", p.String(), "attention", p.TP*p.DP, "experts",
			p.EP*p.ETP), "serving.match-chips")
	case p.PP > s.Model.Layers:
		return fault(phrase.New("serving.stages-many", "stages", p.PP, "layers", s.Model.Layers),
			"serving.fewer-stages")
	case p.EP > max(s.Model.MoE.Experts+p.Spare, 1):
		return fault(phrase.New("serving.experts-few", "experts", s.Model.MoE.Experts, "ep", p.EP),
			"serving.fewer-groups")
	case p.Spare > 0 && (s.Model.MoE.Experts+p.Spare)%p.EP != 0:
		return fault(phrase.New("serving.experts-uneven", "experts", s.Model.MoE.Experts, "spare", p.Spare, "ep", p.EP),
			"serving.divide-experts")
	case p.TP%p.CP != 0:
		return fault(phrase.New("serving.cp-uneven", "cp", p.CP, "tp", p.TP), "serving.divide-tp")
	case p.TP%p.WS != 0 || int(s.Width)%p.WS != 0 || p.WS > 1 && c.Axes < 2:
		return fault(phrase.New("serving.width-uneven", "width", int(s.Width), "chips", p.WS), "serving.divide-width")
	case p.Chips() > 1 && c.Link == 0:
		return fault(phrase.New("serving.no-links", "chip", c.Name), "serving.one-chip")
	}
	return p.divides(s)
}

// divides says which of a model's sizes a plan can't split, as engines refuse it: they split heads, and the inner
// widths of MLPs; heads of keys and values they split or repeat.
func (p Plan) divides(s *Shape) error {
	heads, keys := s.Model.Heads, int(s.KVHeads)
	switch {
	case heads%p.TP != 0:
		return fault(phrase.New("serving.heads-uneven", "heads", heads, "tp", p.TP), "serving.divide-heads")
	case keys%p.TP != 0 && p.TP%keys != 0:
		return fault(phrase.New("serving.keys-uneven", "heads", keys, "tp", p.TP), "serving.divide-keys")
	case s.Dense > 0 && s.Model.FFWidth%p.TP != 0:
		return fault(phrase.New("serving.width-uneven", "width", s.Model.FFWidth, "chips", p.TP),
			"serving.divide-width")
	case s.Blocks > 0 && s.Model.MoE.Width%p.ETP != 0:
		return fault(phrase.New("serving.width-uneven", "width", s.Model.MoE.Width, "chips", p.ETP),
			"serving.divide-width")
	}
	return nil
}

// Chip is what serving needs of an accelerator, in base units. The zero value is no chip.
type Chip struct {
	ID        string
	Name      string
	Bandwidth float64 // of its memory, byte/s
	Memory    float64 // bytes that programs can have
	Peak16    float64 // dense bf16 rate, FLOP/s
	Peak8     float64 // dense fp8 or int8 rate; Peak16 where it has none
	Peak4     float64 // dense fp4 rate; 0 where it has none
	Link      float64 // scale-up egress of one device, one way, byte/s; 0 for a device that stands alone
	Domain    int     // devices that Link joins
	Mesh      hardware.Mesh
	Network   float64 // to other domains, one way, byte/s
	Host      float64 // to the memory of its host, one way, byte/s
	Power     float64 // W, with Doubt where the catalog has none
	Price     float64 // dollar a second; 0 where unknown
	Torus     bool    // Link is made of neighbours' wires instead of a switch
	Axes      float64 // of the torus, each with as many of the wires
}

// NewChip takes what serving needs from the catalog. The error names the constant that is missing.
func NewChip(a *hardware.Accelerator) (Chip, error) {
	c := Chip{ID: a.ID, Name: a.Name, Domain: 1, Mesh: a.Mesh(), Torus: a.Axes() > 0, Axes: float64(a.Axes())}
	k, err := a.Get("hbm_bandwidth")
	if err != nil {
		return Chip{}, err
	}
	c.Bandwidth = k.Value.Value
	if c.Memory, err = a.UsableMemory(); err != nil {
		return Chip{}, err
	}
	peak, err := a.Peak("bf16")
	if err != nil {
		if peak, err = a.Peak("fp16"); err != nil {
			return Chip{}, err
		}
	}
	c.Peak16 = peak.Value.Value
	c.Peak8 = first(a, c.Peak16, "flops.fp8", "flops.int8")
	c.Peak4 = first(a, 0, "flops.fp4", "flops.int4")
	wires := first(a, 0, "ici_links") * first(a, 0, "ici_link_bandwidth")
	c.Link = first(a, max(wires, first(a, 0, "pcie_bandwidth")), "scaleup_bandwidth")
	c.Domain = int(first(a, 1, "node_size", "pod_chips"))
	c.Network = first(a, 0, "network_bandwidth", "pcie_bandwidth")
	c.Host = first(a, hostLink, "host_bandwidth", "pcie_bandwidth")
	c.Power, c.Price = first(a, 0, "power", "power_mean"), first(a, 0, "price")
	return c, nil
}

// hostLink is what PCIe 5 with 16 lanes carries one way, which GPUs have since H100: for chips whose link nobody tells.
const hostLink = 64e9

// first is the first of some fields that the catalog knows of a, or else what is assumed.
func first(a *hardware.Accelerator, or float64, fields ...string) float64 {
	for _, f := range fields {
		if k, err := a.Get(f); err == nil {
			return k.Value.Value
		}
	}
	return or
}

// peak is the rate of arithmetic on weights of so many bytes an element: the narrowest unit that takes them, at no less
// than 8 bits where the chip has no narrower one. Formats of 4 bits without a unit of their own are widened to 16.
func (c *Chip) peak(bytes float64) (rate float64, width int) {
	switch {
	case bytes < 0.9 && c.Peak4 > 0:
		return c.Peak4, 4
	case bytes >= 0.9 && bytes < 1.9:
		return c.Peak8, 8
	}
	return c.Peak16, 16
}

// Error says what can't be, and what would be valid.
type Error struct{ What, Remedy *phrase.Phrase }

// Fault is e without a place.
func (e *Error) Fault() phrase.Fault { return phrase.Fault{What: e.What, Remedy: e.Remedy} }

// In is e in a language.
func (e *Error) In(l phrase.Phrases) string { return e.Fault().In(l) }

// Error is e in English.
func (e *Error) Error() string { return e.In(phrase.Phrases{}) }

// fault is an error with the remedy of this key.
//
//go:noinline
func fault(what *phrase.Phrase, remedy string) *Error { return &Error{what, phrase.New(remedy)} }

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
	Guessed                             float64 // of them, those of a draft's routed experts
	Trial                               float64 // bytes at most that trying an encoder takes which every chip has whole
	TrialSplit                          float64 // the same where chips divide it; without, nothing of an encoder is

	kinds []cacheKind
}

// cacheKind is layers that keep and look at the same of their past.
type cacheKind struct {
	layers  float64
	entry   float64 // bytes a token
	reads   float64 // bytes of a token that it looks at, its own or those of a layer before it
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
	s.State = float64(m.StateBytes())
	s.Beside, s.Trial, s.TrialSplit = beside(m.ID)
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
	k.reads = s.Model.ReadElements(l) * s.Cache
	if a := s.Model.MLA; a.KVRank != 0 {
		k.perKey = 2 * heads * float64(2*a.KVRank+a.RopeSize)
	}
	s.addKind(k)
	if tokens := float64(l.Compress); tokens > 0 { // entries beside the window, each a share of an entry for a token
		entries := cacheKind{layers: 1, entry: k.entry / tokens, reads: k.reads / tokens, perKey: k.perKey / tokens,
			prefill: k.prefill / tokens, top: float64(l.Top) * tokens}
		if l.Borrows {
			entries.entry = 0
		}
		s.addKind(entries)
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
	experts := s.routed() * s.Precision.Experts / s.Layers
	layer := (s.Attn*s.Precision.Attention+(s.Dense+s.Shared)*s.MLP)/s.Layers + experts + 2*s.Width*s.Width*2
	d.Beside += layer
	d.Guessed += experts
	return &d
}

// With is s with so many bytes of weights more beside the text model.
func (s *Shape) With(bytes float64) *Shape {
	more := *s
	more.Beside += bytes
	return &more
}

// Uncompressed is s with caches whose entries each stand for one token, in all layers and for all of the past, as
// engines keep them that have no kernels for compressed ones (DeepSeek-V4).
func (s *Shape) Uncompressed() *Shape {
	d, all := *s, cacheKind{}
	for _, k := range s.kinds {
		switch { // what is compressed lies beside a window, whose entries are whole
		case k.entry > all.entry:
			all = cacheKind{layers: k.layers, entry: k.entry, reads: k.reads, perKey: k.perKey, prefill: k.prefill}
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
