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
		{"attn.gemma, counted", crossover(get(t, "gemma2.27b").Model, Full), 69120},
		{"q1.params", one.Params().Total() - norms + 64*4096, 17442275328},
		{"q1.frac", one.Params().Attention() / (one.Params().Attention() + one.Params().FeedForward()), 0.25},
		{"q1.kv", float64(one.KVBytesPerToken(1)), 524288},
	} {
		if !near(c.got, c.want, 1e-9) {
			t.Errorf("%s: %.12g, want %.12g", c.name, c.got, c.want)
		}
	}
}

// TestModelsMeetTheLetters: a model with L equal layers of width D, with N heads and K of keys and values of size H, an
// MLP of F and a vocabulary of V has L times what a layer has on paper; B sequences of T tokens train it.
func TestModelsMeetTheLetters(t *testing.T) {
	const L, B, T, D, F, N, K, H, V = 5.0, 3.0, 1000.0, 512.0, 1536.0, 8.0, 2.0, 64.0, 999.0
	for gates, plain := range []bool{true, false} {
		m := Model{Layers: L, Width: D, FFWidth: F, Heads: N, KVHeads: K, HeadSize: H, Vocab: V, Plain: plain}
		p, mlp, attention := m.Params(), float64(2+gates)*D*F, 2*D*(N+K)*H
		for name, pair := range map[string][2]float64{
			"MLP":          {p.MLP, L * mlp},
			"attention":    {p.Attention(), L * attention},
			"matmuls":      {B * T * float64(m.LayerFLOPs(Train)), L * 6 * B * T * (mlp + attention)},
			"full square":  {B * T * float64(m.AttentionFLOPs(T, Full, Train)), L * 12 * B * T * T * N * H},
			"causal":       {B * T * float64(m.AttentionFLOPs(T, Causal, Train)), L * 6 * B * T * T * N * H},
			"unembedding":  {B * T * float64(m.UnembeddingFLOPs(Train)), 6 * B * T * D * V},
			"cache":        {float64(m.KVBytes(T, 2)), 2 * T * L * K * H * 2},
			"layer inputs": {B * T * float64(m.ActivationBytes(KeepBlocks, 2)), B * T * D * L * 2},
			"recompute":    {B * T * float64(m.RecomputeFLOPs(KeepMatmuls, T, Full)), L * 4 * B * T * T * N * H},
		} {
			if !near(pair[0], pair[1], 1e-12) {
				t.Errorf("%s: %v, by the layer %v", name, pair[0], pair[1])
			}
		}
	}
}

// TestKeptMatmuls: with F = 4 D and N H = K H = D the outputs of the seven matmuls are 13 D wide, not 7; a layer's
// input comes on top.
func TestKeptMatmuls(t *testing.T) {
	m := Model{Layers: 1, Width: 256, Heads: 4, FFWidth: 1024, Vocab: 10}
	for keep, want := range map[Keep]float64{KeepBlocks: 1, KeepMatmuls: 14, KeepAll: 24} {
		if got := m.ActivationElements(keep) / 256; got != want {
			t.Errorf("policy %d keeps %v D, want %v", keep, got, want)
		}
	}
	if got := float64(q.FLOPs(1)) * 8 / 6; !near(float64(Train+Forward)/float64(Train), got, 1e-12) || math.IsNaN(got) {
		t.Errorf("keeping layer inputs alone takes 8 N D for 6 N D: %v", got)
	}
}
