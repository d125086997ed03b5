package serving

import (
	"math"
	"strings"

	"github.com/scalebook/scalebook/app/hardware"
)

// Ledger is how a chip's bytes become tokens of cache when an engine starts, in the order in which its log tells it.
// Bytes are those of the fullest chip.
type Ledger struct {
	Total       float64 // what programs can have of the chip
	Free        float64 // of it, once the process has opened the chip
	Share       float64 // that the engine may take, of Total or of Free, or of what weights leave (TensorRT-LLM)
	Budget      float64 // bytes of that share; what the engine may take in all
	Modules     []Module
	Weights     float64 // all modules
	NonTorch    float64 // what is allocated outside PyTorch and counted: buffers of collectives, libraries
	Activations float64 // of the largest step that is tried
	Graphs      float64 // captured after that
	Counted     float64 // of Graphs, what is taken off beforehand
	Cache       float64 // what is left for keys and values; below zero the engine doesn't start
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
	case r.Link > 1.5*r.Chip.Host:
		return alone + fast
	}
	return alone + wired
}

// Said is what a log says of a ledger, in bytes of a chip; what it doesn't say is 0.
type Said struct{ Total, Free, Budget, Weights, NonTorch, Activations, Counted, Cache float64 }

// Ledger is the account of a replica whose sequences grow to T tokens at the most.
func (r *Replica) Ledger(T float64) Ledger { return r.Account(T, Said{}) }

// Account is the same, each step from what is said of those before it.
func (r *Replica) Account(T float64, said Said) Ledger {
	l := Ledger{Total: or(said.Total, r.Chip.Memory), Share: r.Share, Modules: r.modules()}
	for _, m := range l.Modules {
		l.Weights += m.Bytes
	}
	l.Weights = or(said.Weights, max(l.Weights-r.Offload, 0))
	l.Free = l.Total
	if !r.compiled() { // else programs lie beside the share, and nothing is tried beforehand
		l.Free -= hardware.Context
		l.NonTorch = or(said.NonTorch, r.process())
		l.Activations, l.Graphs = or(said.Activations, r.activations()), graphs
	}
	l.Free = or(said.Free, l.Free)
	switch {
	case r.compiled():
		l.Budget = or(said.Budget, l.Share*l.Total)
		l.Cache = l.Budget - l.Weights
	case r.Engine.Name == "sglang":
		l.Budget = or(said.Budget, l.Share*(l.Free-l.NonTorch))
		l.Cache = l.Budget - l.Weights
	case r.Engine.Name == "trtllm":
		l.Budget = or(said.Budget, l.Share*(l.Free-l.NonTorch-l.Weights-l.Activations))
		l.Cache = l.Budget
	default:
		l.Budget = or(said.Budget, l.Share*l.Total)
		if r.graphsCount() {
			l.Counted = or(said.Counted, graphs)
		}
		l.Cache = l.Budget - l.Weights - l.Activations - l.NonTorch - l.Counted
	}
	l.Cache = or(said.Cache, or(r.Engine.KVBytes, l.Cache))
	l.Pool = r.Pool(l.Cache, T)
	return l
}

// compiled tells whether whole programs are compiled for the chip ahead, as for TPUs.
func (r *Replica) compiled() bool { return strings.HasPrefix(r.Chip.ID, "tpu.") }

// contextCounts tells whether vLLM takes the context of its process for its own: its first profilers did, which counted
// all that is not free, and those of 0.8 to 0.9 again.
func (r *Replica) contextCounts() bool {
	v := r.Engine.Release
	return (r.Engine.Name == "vllm" || r.Engine.Name == "") && v > 0 && (v < 6.05 || v >= 8 && v < 9.02)
}

// amd tells whether the chip is a GPU of AMD’s. What logs of vLLM on them say differs: graphs aren’t taken off
// beforehand, tokens are chosen by sorting all words, and libraries allocate more.
func (r *Replica) amd() bool { return strings.HasPrefix(r.Chip.ID, "gpu.mi") }

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
	return [3]float64{attention * p.Attention, (r.Dense + r.Shared) / tp * p.MLP, experts * p.Experts * r.padding()}
}

// tableBytes is the weights before the first layer and behind the last one, on a chip.
func (r *Replica) tableBytes() (first, last float64) {
	tables := r.Precision.Tables / float64(r.TP)
	return r.Lookup * tables, r.Shape.Logits * tables
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
	add(begins, "beside", r.Beside/float64(r.TP), 2)
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
