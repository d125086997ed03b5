package serving

import (
	"math"
	"strings"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/model"
)

// Ledger is how a chip's bytes become tokens of cache when an engine starts, in the order in which its log tells it.
// Bytes are those of the fullest chip.
type Ledger struct {
	Total       float64 // what programs can have of the chip
	Free        float64 // of it, once the process has opened the chip
	Share       float64 // that the engine may take, of Total or of Free, or of what weights leave (TensorRT-LLM)
	Budget      float64 // bytes of that share; what the engine may take in all
	Modules     []Module
	Weights     float64 // all modules, less Host; of llama.cpp all of them
	Host        float64 // weights that the memory of the host holds
	NonTorch    float64 // what is allocated outside PyTorch and counted: buffers of collectives, libraries
	Activations float64 // of the largest step that is tried
	Graphs      float64 // captured after that
	Counted     float64 // of Graphs, what is taken off beforehand
	Cache       float64 // what is left for keys and values; below zero the engine doesn't start
	States      float64 // of Cache, what SGLang keeps apart for states of linear layers
	Pool
}

// Module is a part of the weights: its bytes on a chip, and those of an element in the mean.
type Module struct {
	Name           string // "attention", "mlp", "experts", "embedding", "unembedding", "beside"
	Bytes, Element float64
}

// What a process allocates outside PyTorch after its context is open, in bytes: medians of start-up logs
// (app/measured/startlogs.jsonl, the rows that constants are fitted on).
const (
	alone    = 64 << 20   // where no other chip takes part: 0.01 to 0.1 GiB
	aloneAMD = 560 << 20  // the same on a GPU of AMD’s: 0.56 GiB
	wired    = 160 << 20  // of collectives over PCIe besides: 0.2 GiB in all
	fast     = 1600 << 20 // of collectives over NVLink and the like besides: 1.6 to 1.7 GiB in all
)

// nonTorch is what the process and its collectives allocate outside PyTorch.
func (r *Replica) nonTorch() float64 {
	alone := float64(alone)
	if r.amd() {
		alone = aloneAMD
	}
	switch {
	case r.Chips() == 1:
		return alone
	case r.Link > 1.5*min(r.Chip.Host, hostLink) && !r.NoPeers: // faster than PCIe
		return alone + fast
	}
	return alone + wired
}

// Said is what a log says of a ledger, in bytes of a chip; what it doesn't say is 0.
type Said struct{ Total, Free, Budget, Weights, Host, NonTorch, Activations, Counted, Cache, States float64 }

// Ledger is the account of a replica whose sequences grow to T tokens at the most.
func (r *Replica) Ledger(T float64) Ledger { return r.Account(T, Said{}) }

// Account is the same, each step from what is said of those before it.
func (r *Replica) Account(T float64, said Said) Ledger {
	l := Ledger{Total: or(said.Total, r.Chip.Memory), Share: r.Share, Modules: r.modules()}
	for _, m := range l.Modules {
		l.Weights += m.Bytes
	}
	l.Weights += r.twice()
	l.Host = or(said.Host, min(r.Offload+r.hostedBytes(), l.Weights))
	if r.Engine.Name != "llama.cpp" {
		l.Weights -= l.Host
	}
	l.Weights = or(said.Weights, l.Weights)
	l.Free = l.Total
	if !r.compiled() { // else programs lie beside the share, and nothing is tried beforehand
		l.Free -= hardware.Context
		l.NonTorch = or(said.NonTorch, r.process())
		l.Activations, l.Graphs = or(said.Activations, r.activations()), r.graphs()
	}
	l.Free = or(said.Free, l.Free)
	r.share(&l, T, said)
	l.Cache = or(said.Cache, or(r.Engine.KVBytes, l.Cache))
	beside := r.besideCache()
	if l.Pool = r.Pool(l.Cache-beside, T); r.Engine.Most > 0 && l.Tokens > r.Engine.Most && said.Cache == 0 {
		l.Cache = (l.Cache-beside)*r.Engine.Most/l.Tokens + beside
		if r.Engine.Name == "exllama" { // whole pages, and nothing else
			l.Cache = math.Ceil(r.Engine.Most/l.Block) * l.BlockBytes * (1 + 1e-12)
		}
		l.Pool = r.Pool(l.Cache-beside, T)
	}
	if r.Engine.Name == "sglang" && r.States > 0 {
		l.States = or(said.States, l.Cache*stateShare/(1+stateShare))
		l.Pool = r.Pool((l.Cache-l.States)*(1+stateShare), T)
	}
	if on := l.Request * (1 - r.Engine.Hosted.Cache); r.Engine.Name == "llama.cpp" && on > 0 {
		l.Concurrency = l.Budget / on
	}
	return l
}

// share divides what is free of a chip as the engine does: the budget that it takes, and what of that it leaves to the
// cache.
func (r *Replica) share(l *Ledger, T float64, said Said) {
	switch {
	case r.compiled():
		l.Budget = or(said.Budget, l.Share*l.Total)
		l.Cache = l.Budget - l.Weights
	case r.Engine.Name == "sglang":
		l.Budget = or(said.Budget, l.Share*(l.Free-l.NonTorch))
		l.Cache = l.Budget - l.Weights
	case r.Engine.Name == "llama.cpp": // weights, then a cache for all tokens that are asked for
		l.NonTorch, l.Graphs = 0, 0
		l.Activations = or(said.Activations, r.computeBuffer(T))
		l.Budget = l.Free - max(l.Weights-l.Host, 0) - l.Activations
		l.Cache = r.Pool(0, T).Request
	case r.Engine.Name == "exllama": // a cache for as many tokens as are asked for, out of what is left
		l.NonTorch, l.Graphs = 0, 0
		l.Activations = or(said.Activations, r.scratch())
		l.Budget = or(said.Budget, l.Free-l.Weights-l.Activations)
		l.Cache = l.Budget
	case r.Engine.Name == "trtllm":
		l.Budget = or(said.Budget, l.Share*(l.Free-l.NonTorch-l.Weights-l.Activations))
		l.Cache = l.Budget
	case r.Engine.Name == "lmdeploy": // TurboMind cuts blocks out of what weights leave, before it runs a step
		l.Graphs, l.Activations = 0, 0
		l.Budget = or(said.Budget, l.Share*(l.Free-l.NonTorch-l.Weights))
		l.Cache = l.Budget
	case r.Engine.Name == "mlc": // its compiler knows what a step takes; the context lies in what the share leaves
		l.Graphs, l.NonTorch = 0, 0
		l.Budget = or(said.Budget, l.Share*l.Total)
		l.Cache = l.Budget - l.Weights - l.Activations
	default:
		l.Budget = or(said.Budget, l.Share*l.Total)
		if r.graphsCount() {
			l.Counted = or(said.Counted, r.graphs())
		}
		l.Cache = l.Budget - l.Weights - l.Activations - l.NonTorch - l.Counted
	}
}

// besideCache is what MLC LLM counts with its cache: for each token of a step a row of places and rows of all heads in
// 4 bytes, and 48 MiB. Of other engines it is nothing. Three logs have it to the tenth of a MB: 68.3, 80.5 and 210.2
// (github.com/rickzx/BentoMLC, github.com/mlc-ai/mlc-llm, and one of a benchmark of Llama 3 8B).
func (r *Replica) besideCache() float64 {
	if r.Engine.Name != "mlc" {
		return 0
	}
	l, tp := r.Shape.Model.Layer(0), float64(r.TP)
	heads, kept := float64(l.Heads)/tp, max(float64(l.KVHeads)/tp, 1)
	return r.Chunk*(8*(heads+1)+4*float64(l.HeadSize)*(heads+kept)) + 48<<20
}

// computeBuffer is what llama.cpp works in: the logits of a step, or, without flash attention, the scores of all heads
// and their mask over the whole length, beside four arrays as wide as the model. For a model of 32 heads it said 2,144
// MiB at a length of 32,768, of which the scores are 2,048 and the mask 64, and 164 MiB at 2,048
// (github.com/fedora-copr/logdetective/pull/106).
func (r *Replica) computeBuffer(T float64) float64 {
	each := float64(r.Shape.Model.Vocab) + r.Width
	if r.Engine.Scores {
		each = max(each, T*float64(r.Shape.Model.Heads+1)+4*r.Width)
	}
	return 4 * r.Chunk * each
}

// compiled tells whether whole programs are compiled for the chip ahead, as for TPUs.
func (r *Replica) compiled() bool { return strings.HasPrefix(r.Chip.ID, "tpu.") }

// Free and whole shares that LMDeploy (cache_max_entry_count, of what weights leave, since 0.2.1) and MLC LLM
// (gpu_memory_utilization, of the whole) take if nothing is said.
const (
	KeptLMDeploy = 0.8
	KeptMLC      = 0.85
)

// Kept is the share of a memory that Text Generation Inference takes if nothing is said: a tenth is left (its
// TGI_WIGGLE_ROOM, in 3.0 and later; a twentieth of what is free before).
const Kept = 0.9

// contextCounts tells whether vLLM takes the context of its process for its own: its first profilers did, which counted
// all that is not free, and those of 0.8 to 0.9 again. Text Generation Inference counts so, too.
func (r *Replica) contextCounts() bool {
	v := r.Engine.Release
	return r.Engine.Name == "tgi" ||
		(r.Engine.Name == "vllm" || r.Engine.Name == "") && v > 0 && (v < 6.05 || v >= 8 && v < 9.02)
}

// graphsCount tells whether vLLM takes what graphs will need off beforehand, as it does since 0.21.
func (r *Replica) graphsCount() bool {
	return r.Engine.Name == "vllm" && (r.Engine.Release == 0 || r.Engine.Release >= 21) && !r.amd()
}

// layerBytes is the weights of all layers on a chip: of attention, of dense MLPs and shared experts, and of routed
// ones. Projections to latents are on every chip of a group.
func (r *Replica) layerBytes() [3]float64 {
	tp, p, m := float64(r.TP), r.Precision, r.Shape.Model
	attention := r.Attn / tp
	if a := m.MLA; a.KVRank > 0 {
		attention += r.Width * float64(a.QRank+a.KVRank+a.RopeSize) * r.Layers * (1 - 1/tp)
	}
	experts := r.routed() / max(
		r.Shape.Experts,
		1,
	) * math.Ceil(
		(r.Shape.Experts+float64(r.Spare))/float64(r.EP),
	) / float64(
		r.ETP,
	)
	mlp := (r.Dense + r.Shared) / r.splits()
	return [3]float64{attention * p.Attention, mlp * p.MLP, experts * p.Experts * r.padding()}
}

// splits is how many chips share what is neither attention nor an expert: those that attend together. SGLang has all
// that share each expert do so where several groups attend (deepseek_v2.py: MLPs and lm_head take the whole TP group).
func (r *Replica) splits() float64 {
	if r.Engine.Name == "sglang" && r.Blocks > 0 {
		return float64(max(r.TP, r.ETP))
	}
	return float64(r.TP)
}

// tableBytes is the weights before the first layer and behind the last one, on a chip. MLC LLM has them whole on each:
// of Llama 2 7B on four 3,588.5 MB, a quarter of all but the tables (3,088), and these (500).
func (r *Replica) tableBytes() (first, last float64) {
	tables := r.Precision.Tables
	if r.Engine.Name != "mlc" {
		tables /= float64(r.TP)
	}
	return r.Lookup * tables, r.Shape.Logits * tables * float64(r.TP) / r.splits()
}

// modules are the weights of the fullest chip by module.
func (r *Replica) modules() []Module {
	p, layers := r.Precision, r.layerBytes()
	first, last := r.tableBytes()
	share, begins, ends := r.fullest(layers[0]+layers[1]+layers[2], first, last)
	var all []Module
	add := func(has bool, name string, bytes, element float64) {
		if has && bytes > 0 {
			all = append(all, Module{name, bytes, element})
		}
	}
	add(true, "attention", layers[0]*share, p.Attention)
	add(true, "mlp", layers[1]*share, p.MLP)
	add(true, "experts", layers[2]*share, p.Experts)
	add(begins, "embedding", first, p.Tables)
	add(ends, "unembedding", last, p.Tables)
	add(begins, "beside", r.beside(), 2)
	return all
}

// fullest is the share of the layers that the fullest stage has, of layers of so many bytes, and whether it has the
// table before the first and that behind the last of them. As vLLM deals layers out, those that are left over go one
// each to the stages before the last.
func (r *Replica) fullest(layers, first, last float64) (share float64, begins, ends bool) {
	if r.PP == 1 {
		return 1, true, true
	}
	least, over := math.Floor(r.Layers/float64(r.PP)), int(r.Layers)%r.PP
	most := least
	if over > 0 {
		most++
	}
	each := layers / r.Layers
	start := least
	if over == r.PP-1 {
		start = most
	}
	switch top := max(most*each, start*each+first, least*each+last); top {
	case start*each + first:
		return start / r.Layers, true, false
	case least*each + last:
		return least / r.Layers, false, true
	}
	return most / r.Layers, false, false
}

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
	case r.Engine.Name == "llama.cpp":
		r.cells(&p, kinds, cache)
	case r.Engine.Name == "sglang", r.Engine.Name == "trtllm", r.Engine.Name == "tgi", r.Engine.Name == "lmdeploy",
		r.Engine.Name == "mlc", r.Engine.Name == "exllama":
		r.flat(&p, kinds, cache)
	default:
		r.grouped(&p, kinds, cache)
	}
	return p
}

// usualBlock is the tokens of a block where nothing says how many.
func (r *Replica) usualBlock() float64 {
	switch {
	case r.Engine.Name == "sglang", r.Engine.Name == "tgi", r.Engine.Name == "llama.cpp":
		return 1
	case r.Engine.Name == "exllama":
		return exllamaPage
	case r.Engine.Name == "trtllm" && r.Engine.Release > 0 && r.Engine.Release < 17, r.Engine.Name == "lmdeploy":
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
		x := layout{layers: k.layers * share, entry: r.packed(k.entry) / r.cacheSplit(), window: k.window}
		if k.window == 0 {
			x.entry += index
		}
		if !windows || r.Engine.Name == "tgi" {
			x.window = 0
		}
		all = append(all, x)
	}
	if r.States > 0 {
		state := r.State
		m, said := r.Shape.Model, r.Engine.StateBits
		if r.Engine.Name == "vllm" && (said == 16 || said == 0 && m.Linear.State16) {
			state *= float64(m.StateBytes16() / m.StateBytes())
		}
		all = append(all, layout{layers: r.States * share, entry: state / r.States / float64(r.TP), state: true})
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

// cells fills p as llama.cpp does: cells for all tokens, and layers with a window keep it and a step, in 256 cells.
func (r *Replica) cells(p *Pool, kinds []layout, cache float64) {
	each, fixed := 0.0, 0.0
	for _, k := range kinds {
		switch {
		case k.state:
		case k.window > 0:
			fixed += k.layers * k.entry * min(p.Length, 256*math.Ceil((k.window+r.Chunk)/256))
		default:
			each += k.layers * k.entry
		}
	}
	p.PerToken, p.Request = each, each*p.Length+fixed
	if each > 0 {
		p.Tokens = math.Round(max(cache-fixed, 0) / each)
	}
	p.BlockBytes, p.Blocks, p.Grouped = each, p.Tokens, p.Tokens
}

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
	each += windowed*or(r.Engine.Windows, share) + r.widened(kinds)
	if each == 0 {
		return
	}
	if r.Engine.Name == "sglang" && r.packs() {
		token, sequence := r.openStates()
		each += token
		cache = max(cache-sequence*r.Engine.Sequences, 0)
		p.PerToken = each
	}
	p.BlockBytes = each * p.Block
	p.Blocks = math.Floor(cache / p.BlockBytes)
	p.Tokens = p.Blocks * p.Block
	p.Grouped = p.Tokens
	p.Concurrency = p.Tokens / p.Length
	p.Request = p.Length*each + state
}
