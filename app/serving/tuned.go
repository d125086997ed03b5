package serving

import "math"

// kernel is a product of experts on a chip in 8 bits: how many experts, and the inner width of each there.
type kernel struct {
	chip           string
	experts, inner int
}

// tunedKernels are those for which vLLM or SGLang bring blocks tuned by the number of tokens: of 16 rows up to where an
// expert has as many, then of 64. Others have 64 from the start (fused_moe.py, get_default_config, with scales by
// block). vllm-project/vllm, vllm/model_executor/layers/fused_moe/configs: @645d18f, where the blocks were read,
// @c25660a, @e005580 and @dcb98f8; sgl-project/sglang, python/sglang/srt/layers/moe/fused_moe_triton/configs, for the
// last.
var tunedKernels = [...]kernel{
	{"gpu.h200", 256, 256}, // DeepSeek-V3 and R1 on eight chips
	{"gpu.h200", 128, 384}, // Qwen3 235B-A22B on four
	{"gpu.h200", 128, 768},
	{"gpu.h100", 128, 192},
	{"gpu.h100", 256, 128},
}

// fewestRows is the rows of the smallest block of a tuned kernel.
const fewestRows = 16

// tuned tells whether r's engine has blocks for the rows of r's experts.
func (r *Replica) tuned() bool {
	if r.Precision.Experts < 0.9 || r.Precision.Experts > 1.9 || r.Engine.Name == "trtllm" {
		return false
	}
	experts := int(math.Ceil((r.Shape.Experts + float64(r.Spare)) / float64(r.EP)))
	for _, k := range tunedKernels {
		if k.chip == r.Chip.ID && k.experts == experts && k.inner*r.ETP == r.Shape.Model.ExpertWidth() {
			return true
		}
	}
	return false
}
