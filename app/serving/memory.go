package serving

import "math"

// Memory is what one chip of a replica holds, in bytes, as engines budget it.
type Memory struct {
	Weights     float64
	Activations float64 // of the largest step
	Workspace   float64 // of the runtime, captured graphs and collectives
	Cache       float64 // what is left for caches
	Sequence    float64 // what a sequence of the stated length takes of the cache, paging waste included
	Sequences   float64 // that fit over the whole replica; below 1 nothing runs
}

const (
	page      = 16    // tokens of a cache block
	workspace = 1.5e9 // runtime context, captured graphs, allocator
	buffers   = 4e8   // of collectives, where there are any
)

// Memory budgets a chip for sequences that grow to T tokens.
func (r *Replica) Memory(T float64) Memory {
	m := Memory{Weights: max(r.weightsOnChip()-r.Offload, 0), Activations: r.activations(), Workspace: workspace}
	if r.Chips() > 1 {
		m.Workspace += buffers
	}
	used := m.Weights + m.Activations + m.Workspace
	if r.OfFree {
		m.Cache = r.Share * (r.Chip.Memory - used)
	} else {
		m.Cache = cacheRoom(r.Chip.Memory, r.Share, m.Weights, m.Activations, m.Workspace)
	}
	m.Cache = math.Max(m.Cache, 0)
	m.Sequence = float64(r.CacheBytes(T+page/2)) / r.cacheSplit() / float64(r.PP)
	if r.Engine.Tokens > 0 {
		m.Cache = r.Engine.Tokens * m.Sequence / (T + page/2) / float64(r.DP)
	}
	if m.Sequence > 0 {
		m.Sequences = m.Cache / m.Sequence * float64(r.DP)
	}
	return m
}

// relieved is r with as much of its weights left to the host, up to most bytes a chip, as n sequences of T tokens lack.
func (r *Replica) relieved(n, T, most float64) *Replica {
	if most == 0 {
		return r
	}
	m, left := r.Memory(T), *r
	used, need := m.Weights+m.Activations+m.Workspace, n/float64(r.DP)*m.Sequence
	lack := need - (r.Share*r.Chip.Memory - used)
	if r.OfFree {
		lack = need/r.Share - (r.Chip.Memory - used)
	}
	left.Offload = min(max(lack, 0), most, r.weightsOnChip())
	return &left
}

// weightsOnChip is the weights that the fullest chip holds.
func (r *Replica) weightsOnChip() float64 {
	tp, p := float64(r.TP), r.Precision
	split := r.Attn*p.Attention + (r.Dense+r.Shared)*p.MLP + (r.Shape.Logits+r.Lookup)*p.Tables
	return (split/tp + r.routed()/max(r.Shape.Experts,
		1)*math.Ceil(r.Shape.Experts/float64(r.EP))*p.Experts/float64(r.ETP)) / float64(r.PP)
}

// activations is what a step of a full chunk needs: some rows of the width a token, fewer as TP splits them, more with
// experts.
func (r *Replica) activations() float64 {
	rows := 5.0
	switch r.TP {
	case 1:
		rows = 11
	case 2:
		rows = 6.5
	}
	if r.Blocks > 0 {
		rows *= 2
	}
	return r.Chunk * r.Width * activation * rows
}
