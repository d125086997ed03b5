package serving

import "testing"

// TestAdaptersCounted: four adapters of rank 64 beside Llama 3.1 8B take 81,920 rows and columns a layer of 32: q, k
// and v have 3 x 4096 in, 4096 + 1024 + 1024 out; o 4096 + 4096; gate and up 2 x 4096 in, 2 x 14336 out; down 14336 +
// 4096. On two chips what is split is half: 8192 + 2048 + 43008 of them. A model with experts has none that are
// counted.
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

// TestStatesOf16Bits: Qwen3-Next 80B on two H200 had blocks of 544 tokens by vLLM 0.10.2, and 7,162 of them in 44.59
// GiB: a state of 16 heads of 128 by 128 in 16 bits and 3 x 4096 inputs of a convolution are 548,864 bytes, and a token
// of a layer with attention 1,024, so 536 tokens, in sixteens 544; of 12 layers.
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

// TestExpertsOfNVFP4: 48 layers of 512 experts of 3 x 2560 x 640 numbers are 120.8e9, of 9/16 bytes, and 4.27e9 others
// of as many but the tables, 1.27e9 of two bytes: 70.3e9 + 1.8e9 = 72.2e9 bytes. A log of a GB10 has 68.68 GiB, 73.7e9,
// with what libraries allocate.
func TestExpertsOfNVFP4(t *testing.T) {
	r := replica(t, "qwen3_8.flash_next_125b_a6b", "gpu.gb10", 4.5/8, Plan{}, ideal())
	r.Engine.Name = "vllm"
	near(t, "experts", r.padding(), 1, 0)
	near(t, "weights", r.weightsOnChip(), 72.2e9, 0.005)
	near(t, "weights by the log", r.weightsOnChip(), 68.68*(1<<30), 0.03)
	mx := replica(t, "gpt_oss.120b", "gpu.b200", 4.25/8, Plan{}, ideal())
	near(t, "of mxfp4, 2880 wide to 3072 both ways", mx.padding(), 3072.*3072/2880/2880, 1e-9)
}
