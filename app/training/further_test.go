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

// TestFurtherTokensSaid: a typed plan, Megatron's flag and its file say how many further tokens are predicted; the word
// reads back, changes no byte of a number, and what can't be is refused.
func TestFurtherTokensSaid(t *testing.T) {
	var typed State
	if _, err := typed.ReadTyped("tp=8 mtp=2", 8); err != nil || typed.Said() || typed.Words() != "mtp=2" {
		t.Errorf("%v, said %v, %q", err, typed.Said(), typed.Words())
	}
	for _, text := range []string{"--tensor-model-parallel-size 8 --mtp-num-layers 2",
		"model:\n  tensor_model_parallel_size: 8\n  mtp_num_layers: 2\n"} {
		s, err := ReadFlags(text, 8)
		if err != nil || s.State.Further != 2 || len(s.Aside)+len(s.Without) > 0 {
			t.Errorf("%s: %v, %v, aside %v, without %v", text, s.State.Further, err, s.Aside, s.Without)
		}
	}
	j := newJob(t, "llama3.8b", "gpu.h100", "megatron", 8, 8, 4096)
	if typed.Apply(&j); j.Loss.Further != 2 || j.Stated {
		t.Errorf("%+v", j.Loss)
	}
	s, err := ReadFlags("--tensor-model-parallel-size 8 --mtp-num-layers 17", 8)
	if err != nil || s.State.Further != 0 || len(s.Without) != 1 {
		t.Errorf("17 further tokens: %v, %v, without %v", err, s.State.Further, s.Without)
	}
	for _, wrong := range []string{"mtp=-1", "mtp=17", "mtp=all", "mtp=1e9"} {
		if _, err := new(State).ReadTyped("tp=8 "+wrong, 8); err == nil {
			t.Errorf("%s is taken", wrong)
		}
	}
}

// TestFurtherTokensMemory: a module's weights are a layer and a matrix of twice the width by the width: 0.218 and 0.034
// billion of Llama 3.1 8B, each with 18 bytes of state.
func TestFurtherTokensMemory(t *testing.T) {
	const layer, joins = 2*4096*4096 + 2*4096*1024 + 3*4096*14336 + 2*4096, 2 * 4096 * 4096
	states := func(further float64) float64 {
		j := newJob(t, "llama3.8b", "gpu.h100", "megatron", 1, 8, 4096)
		j.Loss.Further = further
		return NewEstimator(j).Estimate(Plan{DP: 1}).Memory.States()
	}
	near(t, "one module", states(1)-states(0), 18*(layer+joins), 1e-3)
	near(t, "two modules", states(2)-states(0), 2*18*(layer+joins), 1e-3)
}
