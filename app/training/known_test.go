package training

import "testing"

// DeepSeek-V3 as its report has it (arXiv 2412.19437, sections 3.2 and 3.3): 16 stages in both directions, 64 ranks of
// experts, ZeRO-1, fp8, and norms, activation functions and latents' projections computed again. What a rank holds,
// counted by hand: two stages of four layers, with their gradients in fp32.
func TestDeepSeekFits(t *testing.T) {
	j := newJob(t, "deepseek.v3", "gpu.h800", "megatron", 2048, 15360, 4096)
	j.Recipe = RecipeOf("megatron", FP8, false)
	j.Recipe.Moments = 4 // in bf16
	plan := Plan{DP: 128, PP: 16, EP: 64, Zero: 1, Schedule: DualPipe, Recompute: RecomputeSome}
	p := NewPricer(j)
	if err := p.Legal(plan); err != nil {
		t.Fatal(err)
	}
	const (
		D, latents, values = 7168, 1536 + 512 + 64, 128 * 128
		attention          = D*1536 + 1536*128*192 + D*(512+64) + 512*128*(128+128) + values*D
		expert, tokens     = 3 * D * 2048, 4096
		// of a layer with experts: four of 256 on a rank, the shared one, attention, norms, the router
		weights = attention + 4*expert + expert + 2*D + 1536 + 512 + 256*D
		// inputs of both blocks, latents and attention's output in bf16; what eight experts and the activation
		// functions of nine take in fp8
		kept = tokens * (2*(2*D+latents+values) + 8*D + 9*2*2048)
	)
	m := p.Price(plan).Memory
	near(t, "weights", m.Weights, 2*4*2*weights, 0.05) // bf16, eight layers, three of all 61 dense
	near(t, "gradients", m.Grads, 2*4*4*weights, 0.05)
	near(t, "activations", m.Activations, 17*4*kept, 0.05)
	near(t, "optimizer's state of experts, two replicas", m.Master+m.Moments, 4*8*4*expert/2, 0.1)
	if room := AfterContext(j.Device.Memory); m.Total() > room {
		t.Errorf("%v GB, the device has %v GB", m.Total()/1e9, room/1e9)
	}
}

// What TorchTitan's report on H100s says about memory (benchmarks/llama3_h100_202412_torchtitan.md): eager FSDP of an
// 8B model with selective recomputation on 8 GPUs, and 405B in 8 stages, whose gradients stay whole until the last
// micro-batch.
func TestTorchTitanMemory(t *testing.T) {
	j := newJob(t, "llama3.8b", "gpu.h100", "fsdp", 8, 16, 8192)
	small := NewPricer(j).Price(Plan{DP: 8, Zero: 3, Micro: 2, Recompute: RecomputeSome}).Memory
	near(t, "8B on 8 GPUs", small.Total(), 82.4*(1<<30), 0.05)
	j = newJob(t, "llama3.405b", "gpu.h100", "fsdp", 512, 64, 32768)
	large := NewPricer(j).Price(Plan{DP: 8, TP: 8, PP: 8, Zero: 2, Recompute: RecomputeBlock}).Memory
	near(t, "405B on 512 GPUs", large.Total(), 75.3*(1<<30), 0.2)
}
