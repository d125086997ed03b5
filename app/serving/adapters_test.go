package serving

import "testing"

// TestAdaptersCounted: four adapters of rank 64 beside Llama 3.1 8B take 81,920 rows and columns a layer of 32: q, k and
// v have 3 x 4096 in, 4096 + 1024 + 1024 out; o 4096 + 4096; gate and up 2 x 4096 in, 2 x 14336 out; down 14336 + 4096.
// On two chips what is split is half: 8192 + 2048 + 43008 of them. A model with experts has none that are counted.
func TestAdaptersCounted(t *testing.T) {
	for tp, each := range map[int]float64{1: 81920, 2: 81920 - (8192+2048+43008)/2} {
		r := replica(t, "llama3.8b", "gpu.h100", 2, Plan{TP: tp}, ideal())
		bare := r.weightsOnChip()
		r.Engine.Adapters, r.Engine.Rank = 4, 64
		near(t, "adapters", r.weightsOnChip()-bare, 4*64*32*each*2, 1e-9)
		near(t, "adapters in the ledger", r.Ledger(8192).Weights, r.weightsOnChip(), 1e-9)
	}
	r := replica(t, "qwen3.30b_a3b", "gpu.h100", 2, Plan{TP: 1}, ideal())
	r.Engine.Adapters, r.Engine.Rank = 4, 64
	near(t, "of experts", r.adapters(), 0, 0)
}

// TestStatesOf16Bits: Qwen3-Next 80B on two H200 had blocks of 544 tokens by vLLM 0.10.2, and 7,162 of them in 44.59 GiB:
// a state of 16 heads of 128 by 128 in 16 bits and 3 x 4096 inputs of a convolution are 548,864 bytes, and a token of a
// layer with attention 1,024, so 536 tokens, in sixteens 544; of 12 layers.
func TestStatesOf16Bits(t *testing.T) {
	r := replica(t, "qwen3_next.80b_a3b", "gpu.h200", 2, Plan{TP: 2}, ideal())
	r.Engine.Name, r.Engine.Release = "vllm", 10.02
	p := r.Pool(44.59*(1<<30), 262144)
	near(t, "tokens of a block", p.Block, 544, 0)
	near(t, "blocks", p.Blocks, 7162, 0)
	r.Engine.Name = "sglang" // which keeps them in 32 bits
	for _, k := range r.layouts() {
		if k.state {
			near(t, "bytes of a state", k.entry, 16*128*128*4+3*4096*2, 1e-9)
		}
	}
}
