package serving

import (
	"testing"
)

// Halves of a batch hide what they exchange: a step is never faster than its computation, never slower than whole, and
// for small batches the whole is what is taken.
func TestHalvesHideTheirExchange(t *testing.T) {
	for _, chip := range []string{"gpu.h800", "gpu.h200", "gpu.gb200"} {
		for _, ep := range []int{8, 64, 128} {
			r := replica(t, "deepseek.v3", chip, 1, Plan{DP: ep, EP: ep}, Fitted("sglang"))
			for _, each := range []float64{1, 2, 16, 128, 512} {
				w := Work{Sequences: each * float64(ep), Context: 4096}
				r.Halves = false
				whole := r.Step(w)
				r.Halves = true
				s := r.Step(w)
				if s.Total() > whole.Total() || s.Total() < whole.Total()-whole.Collectives {
					t.Errorf("%s EP%d, %v a chip: %v s in halves, %v whole, of which %v are exchanged", chip, ep, each,
						s.Total(), whole.Total(), whole.Collectives)
				}
				if each < 2 && s != whole {
					t.Errorf("%s EP%d: a sequence a chip is halved", chip, ep)
				}
			}
		}
	}
}

// DeepSeek's own profile of decoding: 128 requests a GPU at 4,096 tokens on EP128 of H800 give 2,324 tokens a second
// and GPU. Whole batches give a third less. With halves a sixth is missing: products of experts are fitted to engines
// whose kernels reach a fifth of what dense ones do, where DeepSeek has its own; and each half reads all weights.
func TestDeepSeekProfile(t *testing.T) {
	const measured = 2324.0
	r := replica(t, "deepseek.v3", "gpu.h800", 1, Plan{DP: 128, EP: 128}, Fitted(""))
	w := Work{Sequences: 128 * 128, Context: 4096}
	whole := 128 / r.Step(w).Total()
	r.Halves = true
	halves := 128 / r.Step(w).Total()
	if whole > 0.7*measured || halves < 0.82*measured || halves > measured {
		t.Errorf("%.0f tokens a second whole, %.0f in halves; %v were measured", whole, halves, measured)
	}
}

// Copies of experts take memory, and even out ranks over which experts don't divide; what doesn't fill the ranks is
// refused.
func TestSpareExperts(t *testing.T) {
	r := replica(t, "deepseek.r1", "gpu.gb200", 1, Plan{DP: 72, EP: 72}, Fitted("trtllm"))
	even := replica(t, "deepseek.r1", "gpu.gb200", 1, Plan{DP: 72, EP: 72, Spare: 32}, Fitted("trtllm"))
	w := Work{Sequences: 72 * 256, Context: 4096}
	if a, b := r.Step(w).Experts, even.Step(w).Experts; b > a*0.91 || b < a*256/288 {
		t.Errorf("32 copies on 72 ranks: %v s after %v", b, a)
	}
	near(t, "weights where four experts are on a rank anyway", even.Memory(1).Weights, r.Memory(1).Weights, 1e-9)
	twice := replica(t, "deepseek.r1", "gpu.h200", 1, Plan{DP: 64, EP: 64, Spare: 256}, Fitted("sglang"))
	once := replica(t, "deepseek.r1", "gpu.h200", 1, Plan{DP: 64, EP: 64}, Fitted("sglang"))
	near(t, "weights of the copies", twice.Memory(1).Weights-once.Memory(1).Weights, once.routed()/64, 1e-9)
	if _, err := NewReplica(r.Shape, r.Chip, Plan{DP: 72, EP: 72, Spare: 31}, r.Constants, Engine{}); err == nil {
		t.Error("287 experts on 72 ranks pass")
	}
}

// Where an engine brings kernels that are tuned to a model's experts on a chip, few rows take small blocks: a decode
// step of DeepSeek-R1 on eight H200 waits for its experts' weights, as the rows of SGLang say, and not for arithmetic.
// Elsewhere, and for as many rows as fill a block, nothing changes.
func TestTunedKernels(t *testing.T) {
	r := replica(t, "deepseek.r1", "gpu.h200", 1, Plan{TP: 8}, Fitted("sglang"))
	other := replica(t, "deepseek.r1", "gpu.h200", 1, Plan{TP: 4}, Fitted("sglang"))
	if !r.tuned() || other.tuned() {
		t.Fatalf("tuned on eight chips: %v, on four: %v", r.tuned(), other.tuned())
	}
	for _, n := range []float64{1, 4, 16, 64} {
		read, _ := r.experts(n)
		near(t, "experts of a step that decodes", r.expertTime(n), read*r.Expert/8*r.Blocks/(r.Bandwidth*r.Sparse), 1e-9)
	}
	engine := *r
	engine.Engine.Name = "trtllm"
	if engine.tuned() || engine.expertTime(64) < 1.5*r.expertTime(64) {
		t.Errorf("TensorRT-LLM has other kernels: %v s, after %v", engine.expertTime(64), r.expertTime(64))
	}
	near(t, "a long prompt", engine.expertTime(8192), r.expertTime(8192), 1e-9)
}
