package training

import (
	"math"

	"github.com/scalebook/scalebook/app/model"
)

// Job is what is trained, on what, and by which software.
type Job struct {
	Model    *model.Model
	Device   Device
	Stack    *Stack
	Devices  int    // chips or GPUs
	Pods     int    // slices that only the data-centre network joins; 0 means 1
	Batch    int    // sequences in a step
	Sequence int    // tokens in a sequence
	Recipe   Recipe // sizes of elements
	Frozen   bool   // only small adapters learn (LoRA): no gradients of the weights
	Learn    Learn  // which, or which layers

	Optimizer  Optimizer // the zero one is AdamW as the recipe has it
	Stated     bool      // the recipe is somebody's own, not the usual one of the software
	InBackward bool      // each weight is updated as soon as its gradient is there, which is then gone
	Scores     bool      // attention isn't fused: its scores are kept
	Loss       Loss      // how the loss is made
	Host       Host      // what waits in the host's memory
}

// Loss is how logits become a loss. The zero Loss is as the software has it.
type Loss struct {
	Share float64 // of the logits that are there at once; 0 means all
	Bytes float64 // for each of them; 0 means as the software has it
	Moved float64 // passes of logits through the memory over the software's; 0 means as many
}

// Host is what waits in the host's memory until it is needed.
type Host struct {
	State   bool // master weights and moments, in every plan
	Weights bool // shards of weights, and of gradients
	Kept    bool // what layers keep for the backward pass
}

// Recipe is how many bytes each number of the training state takes, and what matmuls compute in.
type Recipe struct {
	Compute DType   // of the matmuls with weights
	Weight  float64 // bytes of a weight as layers use it
	Grad    float64 // of its gradient as the backward pass makes it
	Accum   float64 // of a second, wider gradient that is summed up; 0 if there is none
	Master  float64 // of a master copy; 0 if there is none
	Moments float64 // of both moments together, or of what an optimizer has in their place
	Gather  float64 // of a weight as it travels
	Table   float64 // bytes of moments that a weight outside layers has beyond those of others; may be below 0
}

// DType is what matmuls compute in.
type DType uint8

// The dtypes by their size.
const (
	BF16 DType = iota
	FP8        // int8 alike
	FP4
)

// Bytes is the size of an element of a matmul's operands.
func (d DType) Bytes() float64 {
	switch d {
	case FP8:
		return 1
	case FP4:
		return 0.5625 // with a scale of a byte for each 16
	}
	return 2
}

// String is the name of d.
func (d DType) String() string { return nameOf([]string{"bf16", "fp8", "fp4"}, d) }

// Plan is how a job is laid on its devices. DP x TP x CP x PP are all of them. Zero values mean 1, or none.
type Plan struct {
	DP, TP, PP, CP int     // data, tensor with sequence, pipeline and context parallelism
	EP, ETP        int     // experts over EP ranks, each of them over ETP
	Zero           int     // 0 replicates; 1 shards the optimizer's state; 2 gradients too; 3 weights too (FSDP)
	Shard          int     // ranks that ZeRO shards over, if fewer than DP x CP (HSDP)
	Micro          int     // sequences in a micro-batch
	Virtual        int     // chunks of layers that a rank of the pipeline holds
	First, Last    int     // layers of the first and the last stage; 0 means as even as can be
	Context        Context // how CP ranks share attention
	Schedule       Schedule
	Recompute      Recompute
	Recomputed     int  // layers of the model that RecomputeBlock applies to; 0 means all
	Offload        bool // master copy and moments live in the host's memory
}

// WholeSequences is the whole number nearest to n.
func WholeSequences(n float64) float64 { return math.Floor(n + 0.5) }

// filled is p with every default filled in.
func (p Plan) filled() Plan {
	for _, n := range []*int{&p.DP, &p.TP, &p.PP, &p.CP, &p.EP, &p.ETP, &p.Micro, &p.Virtual} {
		*n = max(*n, 1)
	}
	if whole := p.DP * p.CP; p.Shard <= 0 || p.Shard > whole {
		p.Shard = whole
	}
	if p.CP == 1 {
		p.Context = RingContext
	}
	if p.Schedule == Interleaved && p.Virtual == 1 {
		p.Schedule = OneFOneB
	} else if p.Schedule == OneFOneB && p.Virtual > 1 {
		p.Schedule = Interleaved
	}
	return p
}

// ends are the layers of the stages at both ends.
func (p *Plan) ends() ends { return ends{p.First, p.Last} }

// Devices is how many devices p takes.
func (p Plan) Devices() int { return p.DP * p.TP * p.PP * p.CP }

// MicroBatches is how many micro-batches each replica runs in a step of so many sequences, at least one.
func (p Plan) MicroBatches(batch int) int { return max(1, batch/(p.DP*p.Micro)) }
