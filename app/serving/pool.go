package serving

import (
	"math"

	"github.com/scalebook/scalebook/app/model"
)

// Pool is a cache cut into blocks, as engines deal it out.
type Pool struct {
	Length      float64 // tokens of the longest sequence that is allowed
	Block       float64 // tokens of a block
	BlockBytes  float64 // of a chip
	Blocks      float64
	PerToken    float64 // bytes of a chip that a token more takes, while no window is full
	Request     float64 // bytes of a chip that the longest sequence takes
	Tokens      float64 // as the log says them
	Grouped     float64 // the same as vLLM counted them before 0.21
	Concurrency float64 // longest sequences that fit
}

// layout is the layers of one kind, as blocks hold them.
type layout struct {
	layers float64
	entry  float64 // bytes of a token on a chip, of one layer; of a state all of it
	window float64 // 0 if none
	state  bool
}

// ahead is the states of a linear layer that a sequence holds: the one it is at, and the one that prefix caching keeps.
const ahead = 2

// Pool deals out so many bytes of a chip to sequences of T tokens at the most.
//
// vLLM has all layers in groups of as many layers, each of one kind, whose blocks have one size in bytes. A block holds
// a layer of each; a kind with fewer layers than its groups have is filled up. A sequence takes blocks of every group:
// for all its tokens; or for a window, what a step may add to it, and one more; or for a state, two. Its logs gave the
// blocks of a group as tokens; since 0.21 they give the longest sequences that fit, times their length. SGLang and
// TensorRT-LLM count tokens that layers without a window keep.
func (r *Replica) Pool(cache, T float64) Pool {
	p := Pool{Length: T, Block: r.Engine.Paged}
	if p.Block == 0 {
		p.Block = r.usualBlock()
	}
	kinds := r.layouts()
	if len(kinds) == 0 || T <= 0 {
		return p
	}
	for _, k := range kinds {
		if !k.state {
			p.PerToken += k.layers * k.entry
		}
	}
	cache = max(cache, 0)
	switch {
	case r.Engine.Name == "sglang" || r.Engine.Name == "trtllm":
		r.flat(&p, kinds, cache)
	default:
		r.grouped(&p, kinds, cache)
	}
	return p
}

// usualBlock is the tokens of a block where nothing says how many.
func (r *Replica) usualBlock() float64 {
	switch {
	case r.Engine.Name == "sglang":
		return 1
	case r.Engine.Name == "trtllm" && r.Engine.Release > 0 && r.Engine.Release < 17:
		return 64
	case r.Engine.Name == "trtllm":
		return 32
	case r.Shape.Model.MLA.KVRank > 0 && (r.Engine.Release == 0 || r.Engine.Release >= 9):
		return 64
	}
	return page
}

// layouts are the kinds of layers that keep something, on the fullest stage. Before 0.10, and on AMD’s GPUs and TPUs,
// vLLM keeps all of the past of a window, as their logs tell.
func (r *Replica) layouts() []layout {
	share := math.Ceil(r.Layers/float64(r.PP)) / r.Layers
	windows := r.Engine.Name != "vllm" && r.Engine.Name != "" || (r.Engine.Release == 0 || r.Engine.Release >= 10) &&
		!r.compiled() && !r.amd()
	var all []layout
	keep := 0.0 // layers that keep all, over which the keys of an index are spread
	for _, k := range r.kinds {
		if k.window == 0 && k.entry > 0 {
			keep += k.layers
		}
	}
	index := float64(r.Shape.Model.IndexBytes(1)) / max(keep, 1) / float64(r.CP)
	for _, k := range r.kinds {
		if k.entry == 0 { // layers that read what others keep
			continue
		}
		x := layout{layers: k.layers * share, entry: k.entry / r.cacheSplit(), window: k.window}
		if k.window == 0 {
			x.entry += index
		}
		if !windows {
			x.window = 0
		}
		all = append(all, x)
	}
	if r.States > 0 {
		all = append(all, layout{layers: r.States * share, entry: r.State / r.States / float64(r.TP), state: true})
	}
	return all
}

// grouped fills p as vLLM does.
func (r *Replica) grouped(p *Pool, kinds []layout, cache float64) {
	least, most, grows := math.Inf(1), 0.0, 0.0 // layers of a kind; bytes of a token of a layer that keeps all
	for _, k := range kinds {
		least, most = min(least, k.layers), max(most, k.layers)
		if !k.state && k.window == 0 {
			grows = max(grows, k.entry)
		}
	}
	for _, k := range kinds {
		if !k.state && grows == 0 {
			grows = k.entry
		}
	}
	size := least
	if most < 1.25*least {
		size = most
	}
	for _, k := range kinds {
		if k.state && grows > 0 { // blocks are as long as a state is large
			p.Block = max(p.Block, page*math.Ceil(k.entry/grows/page))
		}
	}
	bytes := p.Block * grows
	if grows == 0 { // nothing but states
		for _, k := range kinds {
			bytes = max(bytes, k.entry)
		}
	}
	groups, needed := 0.0, 0.0
	for _, k := range kinds {
		n := math.Ceil(k.layers/size - 1e-9)
		groups += n
		needed += n * r.blocksOf(k, bytes, p.Length)
	}
	p.Block = max(p.Block, 1)
	p.BlockBytes = bytes * size
	p.Blocks = math.Floor(cache / p.BlockBytes)
	p.Request = needed * p.BlockBytes
	p.Concurrency = p.Blocks / needed
	p.Grouped = math.Floor(p.Blocks/groups) * p.Block
	p.Tokens = p.Grouped
	if (r.Engine.Release == 0 || r.Engine.Release >= 21) && len(kinds) > 1 {
		p.Tokens = math.Floor(p.Concurrency * p.Length)
	}
}

// blocksOf is the blocks of so many bytes a layer that the longest sequence takes of a group.
func (r *Replica) blocksOf(k layout, bytes, T float64) float64 {
	switch {
	case k.state && (r.Engine.Release == 0 || r.Engine.Release >= 15):
		return ahead
	case k.state:
		return 1
	case k.window > 0:
		tokens := max(math.Floor(bytes/k.entry), 1)
		return math.Ceil(min(k.window-1+r.Chunk, T)/tokens) + 1
	}
	return math.Ceil(T / max(bytes/k.entry, 1e-9))
}

// Shares of SGLang's memory that windows and states have of what is left for caches.
const (
	windowTokens     = 0.8 // tokens of layers with a window, to those of the others (swa_full_tokens_ratio)
	windowCompressed = 0.1 // the same of DeepSeek-V4
	stateShare       = 0.9 // bytes of states, to those of the others (mamba_full_memory_ratio)
)

// flat fills p as SGLang and TensorRT-LLM do: a pool of tokens for the layers that keep all.
func (r *Replica) flat(p *Pool, kinds []layout, cache float64) {
	each, windowed, states, state := 0.0, 0.0, false, 0.0
	for _, k := range kinds {
		switch {
		case k.state:
			states, state = true, state+k.layers*k.entry
		case k.window > 0 && r.Engine.Name == "sglang":
			windowed += k.layers * k.entry
		default:
			each += k.layers * k.entry
		}
	}
	if each == 0 {
		each, windowed = windowed, 0
	}
	if states && r.Engine.Name == "sglang" {
		cache /= 1 + stateShare
	}
	share := windowTokens
	if r.Shape.Model.Compress != (model.Compress{}) {
		share = windowCompressed
	}
	each += windowed * share
	if each == 0 {
		return
	}
	p.BlockBytes = each * p.Block
	p.Blocks = math.Floor(cache / p.BlockBytes)
	p.Tokens = p.Blocks * p.Block
	p.Grouped = p.Tokens
	p.Concurrency = p.Tokens / p.Length
	p.Request = p.Length*each + state
}
