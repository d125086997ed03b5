package training

import "testing"

// Modules that predict further tokens take a layer each, a matmul that joins, and logits of their own. Layers that stay
// in bf16 take as long as if all did.
func TestFurtherTokens(t *testing.T) {
	estimate := func(further, wide float64, compute DType) Time {
		j := newJob(t, "llama3.8b", "gpu.h100", "megatron", 8, 64, 8192)
		j.Recipe = j.Stack.Recipe(compute, false)
		j.Loss.Further, j.Wide = further, wide
		return NewEstimator(j).Estimate(Plan{DP: 8, Micro: 1, Zero: 1}).Time
	}
	plain, two := estimate(0, 0, BF16), estimate(2, 0, BF16)
	const layers, width, tokens, rate = 32, 4096, 8192, 989.4e12 * 0.78
	joins := 3 * 2 * tokens * 2 * width * width / rate
	layer := (plain.Matmul + plain.Attention + plain.Elementwise) / layers
	near(t, "the time of two further tokens", two.Slot()-plain.Slot(), 2*(layer+plain.Logits+joins), 0.05)
	eight, none := estimate(0, 0, FP8), estimate(0, 1, FP8)
	near(t, "matmuls of all layers in bf16", none.Matmul/plain.Matmul, 1, 0.06)
	if half := estimate(0, 0.5, FP8); half.Matmul < 1.1*eight.Matmul || half.Matmul > 0.95*none.Matmul {
		t.Errorf("matmuls take %v, %v and %v s with none, half and all layers in bf16", eight.Matmul, half.Matmul,
			none.Matmul)
	}
}

// Before its layer, a module multiplies two vectors of a token with a matrix that makes one of them: in three passes,
// and two chips with tensor parallelism share it.
func TestFurtherTokensJoin(t *testing.T) {
	j := newJob(t, "llama3.8b", "gpu.h100", "megatron", 8, 64, 8192)
	j.Loss.Further = 2
	p, c, _ := laidOut(t, j, Plan{DP: 4, TP: 2, Micro: 1, Zero: 1})
	const tokens, width = 8192, 4096
	near(t, "joining", p.further(&c, 0, 0), 2*3*2*tokens*(2*width)*width/2/p.matmulRate(BF16), 1e-9)
}

// TestFurtherTokensOnStages: stages share those modules, however the gradients are kept: each takes a quarter of the
// time, and so does the step on one stage.
func TestFurtherTokensOnStages(t *testing.T) {
	for _, zero := range []int{1, 2} {
		slot := func(further float64) float64 {
			j := newJob(t, "llama3.8b", "gpu.h100", "megatron", 8, 64, 8192)
			stack := *j.Stack
			stack.ShowDP, j.Stack, j.Loss.Further = 0, &stack, further // no sums show
			estimate := NewEstimator(j).Estimate(Plan{DP: 2, PP: 4, Micro: 1, Zero: zero})
			return estimate.Time.Slot()
		}
		j := newJob(t, "llama3.8b", "gpu.h100", "megatron", 8, 64, 8192)
		j.Loss.Further = 1
		p, c, e := laidOut(t, j, Plan{DP: 2, PP: 4, Micro: 1, Zero: 1})
		p.compute(&c, &Time{})
		layers := e.Time.Matmul + e.Time.Attention + e.Time.Elementwise + e.Time.Host
		near(t, "a quarter of a module", slot(1)-slot(0), p.further(&c, layers/c.stage.pace, c.loss)/4, 1e-9)
	}
}

// TestFurtherTokensAreRead: settings of a tool and words of a plan say how many further tokens are predicted.
func TestFurtherTokensAreRead(t *testing.T) {
	for _, text := range []string{"--tensor-model-parallel-size 2 --mtp-num-layers 1",
		"model:\n  tensor_model_parallel_size: 2\n  mtp_num_layers: 1\n"} {
		f, err := ReadFlags(text, 8)
		if err != nil || f.State.Further != 1 {
			t.Errorf("%q: %v further tokens, error %v", text, f.State.Further, err)
		}
	}
	var s State
	if _, err := s.ReadTyped("tp=2 mtp=1", 8); err != nil || s.Further != 1 || s.Words() != "mtp=1" || s.Said() {
		t.Errorf("%+v, error %v", s, err)
	}
	j := newJob(t, "llama3.8b", "gpu.h100", "megatron", 8, 64, 8192)
	if s.Apply(&j); j.Loss.Further != 1 {
		t.Errorf("%+v", j.Loss)
	}
	if _, err := s.ReadTyped("mtp=17", 8); err == nil {
		t.Error("17 further tokens are taken")
	}
}
