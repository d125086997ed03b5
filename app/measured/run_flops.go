package measured

import (
	"strings"

	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/training"
)

// Convention is how a source counts operations, from which it tells FLOP/s.
type Convention string

// The conventions. All but the last two count the full square of attention.
const (
	ModelFLOPs    Convention = "model"    // forward and backward, without what is computed again (arXiv:2205.05198)
	HardwareFLOPs Convention = "hardware" // with it: 96 B s l h^2 (1 + s/6h + V/16lh) if all is (arXiv:2104.04473)
	CausalFLOPs   Convention = "causal"   // those of the model, of attention only what the mask leaves
	SixEach       Convention = "6n"       // 6 for each parameter
	EightEach     Convention = "8n"       // 8 for each, as with all computed again
)

// conventionNames are the keys under which rows state how they count.
var conventionNames = []string{"flops_convention", "convention"}

// convention is how a row counts operations where the name of a metric doesn't tell: as it states, or as its software
// did. Megatron-LM printed hardware FLOPs until 2022, and its fork of BigScience 8 for each parameter.
func (s Setup) convention(stack *training.Stack) Convention {
	said := Convention(strings.ToLower(s.Text(conventionNames...)))
	switch {
	case said == ModelFLOPs, said == HardwareFLOPs, said == CausalFLOPs, said == SixEach, said == EightEach:
		return said
	case stack.Family == "megatron" && stack.Until != "" && stack.Until < "2022-05":
		return HardwareFLOPs
	}
	return ModelFLOPs
}

// hardware is how a row counts hardware FLOPs.
func (s Setup) hardware() Convention {
	if said := Convention(strings.ToLower(s.Text(conventionNames...))); said == EightEach {
		return said
	}
	if strings.Contains(strings.ToLower(s.Text("software")), "bigscience") || s.said("source", "bigscience-workshop") {
		return EightEach
	}
	return HardwareFLOPs
}

// said tells whether a text holds a word.
func (s Setup) said(name, word string) bool {
	return strings.Contains(strings.ToLower(s.Text(name)), word)
}

// flops is the operations of a token by a convention.
func (r *Run) flops(by Convention) float64 {
	m, s := r.Job.Model, float64(r.Job.Sequence)
	parameters := r.Parameters
	if parameters == 0 {
		parameters = m.Total()
	}
	switch by {
	case SixEach:
		return 6 * parameters
	case EightEach:
		return 8 * parameters
	case CausalFLOPs:
		return float64(m.FLOPsPerToken(s, model.Windowed, r.pass()))
	case HardwareFLOPs:
		return r.flopsPerToken() + r.again()
	}
	return r.flopsPerToken()
}

func (r *Run) pass() model.Pass {
	if r.Job.Frozen {
		return model.Frozen
	}
	return model.Train
}

// again is the operations of a token that are computed again: of the layers that are, those of a forward pass without
// logits; of attention that is, its own.
func (r *Run) again() float64 {
	m, s, plan := r.Job.Model, float64(r.Job.Sequence), &r.Plan
	attention := float64(m.AttentionFLOPs(s, model.Full, model.Forward))
	switch {
	case plan.Recompute >= training.RecomputeBlock:
		share := 1.0
		if plan.Recomputed > 0 {
			share = min(1, float64(plan.Recomputed)/float64(m.Layers))
		}
		logits := 2 * float64(m.Width) * float64(m.Vocab)
		return share * (float64(m.FLOPsPerToken(s, model.Full, model.Forward)) - logits)
	case plan.Recompute&(training.RecomputeSome|training.RecomputeAttention) != 0 && r.Job.Stack.KeepOutputs == 1:
		return attention
	}
	return 0
}

// flopsPerToken is by the convention of most published rates: 6 for each weight that a token meets, and the full
// square of attention. Rows that tell the number of parameters count 6 for each of those.
func (r *Run) flopsPerToken() float64 {
	m, s := r.Job.Model, float64(r.Job.Sequence)
	if r.Parameters > 0 {
		return 6*r.Parameters + float64(m.AttentionFLOPs(s, model.Full, model.Train))
	}
	return float64(m.FLOPsPerToken(s, model.Full, r.pass()))
}
