package local

import (
	"math"

	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/model/quant"
)

// Run is a model in a format on a machine.
type Run struct {
	Model     *model.Model
	Size      *quant.Size
	Machine   *Machine
	Cards     float64 // at least 1
	Together  bool    // cards share each layer (tensor parallelism); otherwise each has layers of its own
	Constants *Constants
	Slice     float64 // tokens of a prompt that are computed at once
	Logit     float64 // bytes of a logit, which are kept for each of them
	Host      Host
}

// Host is what the memory of the host holds of the weights, and how fast it is read.
type Host struct {
	Layers    float64 // share of the layers that the processor computes
	Experts   float64 // share of the layers whose experts it has
	Bandwidth float64 // of the host's memory, byte/s
	Link      float64 // to the card, byte/s: prompts bring the weights over it
}

// Of the host's memory and of its link to the card nobody tells more than what parts are on sale: two channels of DDR5,
// and sixteen lanes of PCIe 4.0. ShareOfHost is what processors reach of the former.
const (
	UsualHost   = 80e9
	UsualLink   = 25e9
	ShareOfHost = 0.7
)

// UsualSlice is llama.cpp's n_ubatch, usualBatch its n_batch: slices of one batch follow each other from card to card.
const (
	UsualSlice = 512
	usualBatch = 2048
	mlxSlice   = 2048 // of MLX, which has logits in 16 bits
)

// activations is how many bytes a token of a slice takes for each number of its width while a layer is computed.
const activations = 8

// NewRun is a model of such a size on one machine, as an engine runs it unless it is told otherwise.
func NewRun(m *model.Model, size *quant.Size, machine *Machine, engine string) *Run {
	r := &Run{Model: m, Size: size, Machine: machine, Cards: 1, Slice: UsualSlice, Logit: 4,
		Constants: ConstantsOf(Stack(engine, machine.Memory)), Host: Host{Bandwidth: UsualHost, Link: UsualLink}}
	if engine == "mlx" {
		r.Slice, r.Logit = mlxSlice, 2
	}
	return r
}

// cacheElement is how many bytes an element of the cache takes: fp16, unless someone says otherwise.
const cacheElement = 2

// touched is the bytes of weights that so many tokens together are multiplied with: of experts, those that at least one
// of them is sent to, if each chooses evenly.
func (r *Run) touched(tokens float64) (dense, experts float64) {
	dense, experts = r.Size.Read-r.Size.Routed, r.Size.Routed
	if e := r.Model.MoE; e.Experts > 0 {
		k := math.Min(1, float64(e.PerToken)/float64(e.Experts))
		experts = r.Size.Experts * (1 - math.Pow(1-k, tokens))
	}
	return dense, experts
}

// onHost splits bytes that are read: what the card has, and what the host has.
func (r *Run) onHost(dense, experts float64) (card, host float64) {
	h := r.Host
	host = h.Layers*dense + math.Min(1, h.Layers+h.Experts)*experts
	return dense + experts - host, host
}

// sparse is how many layers have experts.
func (r *Run) sparse() float64 { return float64(r.Model.CountLayers(model.Layer.WithExperts)) }

// Floors are the seconds that layers take besides, and cards that hand on.
func (r *Run) Floors() float64 {
	c := r.Constants
	t := float64(r.Model.Layers)*c.Layer + r.sparse()*c.Sparse
	if r.Together && r.Cards > 1 {
		return t + float64(r.Model.Layers)*c.Sum
	}
	return t + (r.Cards-1)*c.Hop
}

// Reads are the bytes that a step of so many sequences reads: weights on the cards, weights on the host, and caches of
// so many tokens each.
func (r *Run) Reads(sequences, depth float64) (card, host, cache float64) {
	card, host = r.onHost(r.touched(sequences))
	return card, host, sequences * (float64(r.Model.KVBytes(depth, cacheElement)) + float64(r.Model.StateBytes()))
}

// Token is the seconds of a step in which so many sequences generate a token each, with so many tokens in the cache of
// each.
func (r *Run) Token(sequences, depth float64) float64 {
	c, bandwidth := r.Constants, r.Machine.Bandwidth
	card, host, cache := r.Reads(sequences, depth)
	t := card/(c.Weights*bandwidth) + cache/(c.Cache*bandwidth)
	if sequences > 1 {
		t += (sequences - 1) * float64(r.Model.WeightFLOPs(model.Forward)) / (c.Batch * r.Machine.Peak)
	}
	if r.Together {
		t /= r.Cards
	}
	if host > 0 {
		t += host / (ShareOfHost * r.Host.Bandwidth)
	}
	return t + r.Floors()
}

// Generate is the mean seconds of a token while so many are generated after a prompt.
func (r *Run) Generate(prompt, tokens float64) float64 { return r.Token(1, prompt+tokens/2) }

// Prompt is the seconds of a prompt of so many tokens with so many before it in the cache.
func (r *Run) Prompt(tokens, before float64) float64 {
	c, m := r.Constants, r.Model
	slice := math.Min(tokens, r.Slice)
	slices := math.Ceil(tokens / r.Slice)
	work := tokens * float64(m.LayerFLOPs(model.Forward)) / (c.Math * r.Machine.Peak)
	scores := tokens * float64(m.DecodeAttentionFLOPs(before+tokens/2)) / (c.Score * r.Machine.Peak)
	dense, experts := r.touched(slice)
	card, host := r.onHost(dense, experts)
	t := work + scores + slices*(card/(c.Weights*r.Machine.Bandwidth)+r.Floors())
	if host > 0 {
		t += slices * host / r.Host.Link
	}
	return t * r.share(slices)
}

// share is what cards make of the time of one: those that share layers divide it, the others work on the slices of a
// batch one after another.
func (r *Run) share(slices float64) float64 {
	switch {
	case r.Cards <= 1:
		return 1
	case r.Together:
		return 1 / r.Cards
	}
	slices = math.Min(slices, math.Max(1, usualBatch/r.Slice))
	return (slices + r.Cards - 1) / (slices * r.Cards)
}

// Held is the bytes on the machine, all cards together: weights that aren't the host's, the caches of so many sequences
// of so many tokens, and what is kept for computing, most of it the logits of a slice.
func (r *Run) Held(sequences, context float64) float64 {
	s, h, m := r.Size, &r.Host, r.Model
	weights := (s.Bytes-s.Experts)*(1-h.Layers) + s.Experts*math.Max(0, 1-h.Layers-h.Experts)
	cache := sequences * (float64(m.KVBytes(context, cacheElement)) + float64(m.StateBytes())) * (1 - h.Layers)
	return weights + cache + r.Slice*(r.Logit*float64(m.Vocab)+activations*float64(m.Width))
}
