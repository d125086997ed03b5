package model

import (
	"math"
	"testing"

	q "github.com/scalebook/scalebook/app/quantity"
)

// TestWorkedProblems are the book's tables and problems on Transformers, each recomputed by hand to whole numbers.
func TestWorkedProblems(t *testing.T) {
	crossover := func(m Model, mask Mask) float64 {
		T, err := m.CrossoverContext(mask)
		if err != nil {
			t.Error(err)
		}
		return T
	}
	// Question 1: no grouping, a gate, V = 32,000, embeddings apart, one norm a layer and none at the end.
	one := Model{Layers: 64, Width: 4096, Heads: 32, FFWidth: 16384, Vocab: 32000}
	norms := one.Params().Norms
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"mlp.params", MLPParams(4096, 16384, true), 201326592},
		{"mlp.params_nogate", MLPParams(4096, 16384, false), 134217728},
		{"mlp.total", float64(MLPTrainFLOPs(4, 2048, 4096, 16384, true)), 9895604649984},
		{"mlp.total_nogate", float64(MLPTrainFLOPs(4, 2048, 4096, 16384, false)), 6597069766656},
		{"attn.proj.total", float64(ProjectionTrainFLOPs(4, 2048, 4096, 32, 8, 128)), 2061584302080},
		{"attn.proj.params", AttentionParams(4096, 32, 8, 128), 41943040},
		{"attn.proj.mha_total", float64(ProjectionTrainFLOPs(4, 2048, 4096, 32, 32, 128)), 3298534883328},
		{"attn.proj.mha_params", AttentionParams(4096, 32, 32, 128), 67108864},
		{"attn.dot.total", float64(AttentionTrainFLOPs(4, 2048, 2048, 32, 128)), 824633720832},
		{"attn.dot.causal", float64(AttentionTrainFLOPsCausal(4, 2048, 32, 128)), 412316860416},
		{"other.flops", float64(UnembeddingTrainFLOPs(4, 2048, 4096, 32000)), 6442450944000},
		{"rule6", 32 * float64(MLPTrainFLOPs(4, 2048, 4096, 16384, true)+ProjectionTrainFLOPs(4, 2048, 4096, 32, 8, 128)), 382630046466048},
		{"attn.frac.T_equal", SquareCrossover(8192), 65536},
		{"attn.frac general", AttentionCrossover(8192, 4*8192, 64, 64, 128), 65536},
		{"attn.gemma, its own shape", AttentionCrossover(4608, 36864, 32, 16, 128), 69120},
		{"attn.gemma, counted", crossover(get(t, "gemma2.27b").Model, Full), 69120},
		{"moe.params", 256 * MLPParams(4096, 1024, true), 3221225472},
		{"moe.active", 8 * MLPParams(4096, 1024, true), 100663296},
		{"ckpt.none", float64(KeptBytes(4e6, 8192, 64, 20, 2)), 83886080000000},
		{"ckpt.block", float64(KeptBytes(4e6, 8192, 64, 1, 2)), 4194304000000},
		{"ckpt.matmul", float64(KeptBytes(4e6, 8192, 64, 7, 2)), 29360128000000},
		{"takeaway.kv elements", float64(KVCacheBytes(8192, 64, 64, 128, 1)), 8589934592},
		{"q1.params", one.Params().Total() - norms + 64*4096, 17442275328},
		{"q1.frac", one.Params().Attention() / (one.Params().Attention() + one.Params().FeedForward()), 0.25},
		{"q1.kv", float64(one.KVBytesPerToken(1)), 524288},
		{"q4.intensity prefill", float64(AttentionIntensity(4096, 4096, 32, 8, 2)), 3276.8},
		{"q4.intensity decode", float64(AttentionIntensity(1, 4096, 32, 8, 2)), 3.9960975609756098},
		{"q6", float64(AttentionRecomputeFLOPs(4, 2048, 32, 128)), 274877906944},
		{"q7", RunMFU(SixND(37e9, 14.8e12), 2790000*3600, 1513e12), 0.21620665502719955},
		{"q8", MoECriticalBatch(240, 1, 1, 256, 8), 3840},
		{"q8 with the table's bandwidth", MoECriticalBatch(197e12, 810e9, 1, 256, 8), 3891.358024691358},
	} {
		if !near(c.got, c.want, 1e-9) {
			t.Errorf("%s: %.12g, want %.12g", c.name, c.got, c.want)
		}
	}
}

// TestModelsMeetTheLetters: the laws of a model with L equal layers are L times those of a layer.
func TestModelsMeetTheLetters(t *testing.T) {
	const L, B, T, D, F, N, K, H, V = 5, 3, 1000, 512, 1536, 8, 2, 64, 999
	for _, gated := range []bool{true, false} {
		m := Model{Layers: L, Width: D, FFWidth: F, Heads: N, KVHeads: K, HeadSize: H, Vocab: V, Plain: !gated}
		p := m.Params()
		for name, pair := range map[string][2]float64{
			"MLP":          {p.MLP, L * MLPParams(D, F, gated)},
			"attention":    {p.Attention(), L * AttentionParams(D, N, K, H)},
			"matmuls":      {B * T * float64(m.LayerFLOPs(Train)), L * float64(MLPTrainFLOPs(B, T, D, F, gated)+ProjectionTrainFLOPs(B, T, D, N, K, H))},
			"full square":  {B * T * float64(m.AttentionFLOPs(T, Full, Train)), L * float64(AttentionTrainFLOPs(B, T, T, N, H))},
			"causal":       {B * T * float64(m.AttentionFLOPs(T, Causal, Train)), L * float64(AttentionTrainFLOPsCausal(B, T, N, H))},
			"unembedding":  {B * T * float64(m.UnembeddingFLOPs(Train)), float64(UnembeddingTrainFLOPs(B, T, D, V))},
			"cache":        {float64(m.KVBytes(T, 2)), float64(KVCacheBytes(T, L, K, H, 2))},
			"layer inputs": {B * T * float64(m.ActivationBytes(KeepBlocks, 2)), float64(KeptBytes(B*T, D, L, 1, 2))},
			"recompute":    {B * T * float64(m.RecomputeFLOPs(KeepMatmuls, T, Full)), L * float64(AttentionRecomputeFLOPs(B, T, N, H))},
		} {
			if !near(pair[0], pair[1], 1e-12) {
				t.Errorf("%s: %v, by the layer %v", name, pair[0], pair[1])
			}
		}
	}
}

// TestKeptMatmuls: with F = 4 D and N H = K H = D the outputs of the seven matmuls are 13 D wide, not 7; a layer's input
// comes on top.
func TestKeptMatmuls(t *testing.T) {
	m := Model{Layers: 1, Width: 256, Heads: 4, FFWidth: 1024, Vocab: 10}
	for keep, want := range map[Keep]float64{KeepBlocks: 1, KeepMatmuls: 14, KeepAll: 24} {
		if got := m.ActivationElements(keep) / 256; got != want {
			t.Errorf("policy %d keeps %v D, want %v", keep, got, want)
		}
	}
	if got := AttentionIntensity(1e9, 1e9, 8, 8, 2); !near(float64(got), 1e9/2, 1e-9) {
		t.Errorf("prefill tends to T G/(G + 1): %v", got)
	}
	if got := float64(q.FLOPs(1)) * 8 / 6; !near(float64(Train+Forward)/float64(Train), got, 1e-12) || math.IsNaN(got) {
		t.Errorf("keeping layer inputs alone takes 8 N D for 6 N D: %v", got)
	}
}
