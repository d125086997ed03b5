package model

import (
	"slices"

	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/phrase"
)

// Sources of laws.
const (
	deepseekV2 = "DeepSeek-V2 (2024), section 2.1"
	palm       = "PaLM (2022), appendix B"
)

// Laws are the laws of Transformers: those of a model of the catalog, and those of whole runs.
func Laws() []law.Law {
	return slices.Concat(flopLaws(), memoryLaws(), runLaws())
}

// flopLaws count operations of a model.
func flopLaws() []law.Law {
	return []law.Law{
		{Name: "tokens_seen", Takes: "model model, T, mask text = causal", Gives: "token",
			Go: tokensSeen, Source: law.Counted,
			Doc: "How many tokens a token of a sequence of T looks at, on average over tokens and layers: T/2 " +
				"if the mask is causal, T if full, less if windowed."},
		{Name: "flops_per_token", Takes: "model model, T, mask text = causal", Gives: "FLOP",
			Formula: "6 FLOP * model.matmul_params + 3 * model.state_flops + " +
				"12 FLOP * model.attention_width * tokens_seen(model, T, mask)",
			Go: flopsPerToken(Train), Source: law.AustinMath,
			Doc: "Training operations on one of T tokens: 6 for each weight it is multiplied with, and " +
				"attention. The mask is causal, full, windowed or none; published figures differ in it."},
		{Name: "forward_flops_per_token", Takes: "model model, T, mask text = causal", Gives: "FLOP",
			Formula: "2 FLOP * model.matmul_params + model.state_flops + " +
				"4 FLOP * model.attention_width * tokens_seen(model, T, mask)",
			Go: flopsPerToken(Forward), Source: law.AustinMath,
			Doc: "The forward pass of the same: a third."},
		{Name: "attention_flops_per_token", Takes: "model model, T, mask text = causal", Gives: "FLOP",
			Formula: "12 FLOP * model.attention_width * tokens_seen(model, T, mask)",
			Go:      attentionFLOPs(Train), Source: law.AustinMath,
			Doc: "Training operations of attention’s scores and weighted values alone, on one of T tokens."},
		{Name: "forward_attention_flops_per_token", Takes: "model model, T, mask text = causal", Gives: "FLOP",
			Formula: "4 FLOP * model.attention_width * tokens_seen(model, T, mask)",
			Go:      attentionFLOPs(Forward), Source: law.AustinMath,
			Doc: "The forward pass of the same: a third."},
		{Name: "decode_flops", Takes: "model model, T", Gives: "FLOP",
			Go: decodeFLOPs, Source: deepseekV2,
			Doc: "Operations of generating one token with T in the cache. Latent attention works on the cached " +
				"latents as they are."},
		{Name: "crossover_context", Takes: "model model, mask text = causal", Gives: "token",
			Go: crossoverContext, Source: law.AustinMath,
			Doc: "Context at which attention’s scores and weighted values take as many operations as the " +
				"layers’ matmuls, the unembedding left out."},
	}
}

// memoryLaws count bytes of a model.
func memoryLaws() []law.Law {
	return []law.Law{
		{Name: "kv_bytes", Takes: "model model, d dtype = bf16", Gives: "byte",
			Formula: "model.kv_elements * d.bytes", Go: kvBytes, Source: law.Counted,
			Doc: "What the KV cache grows by with each token as long as no window is full; where layers " +
				"compress, a token’s share of their entries."},
		{Name: "tokens_cached", Takes: "model model, T", Gives: "token",
			Go: tokensCached, Source: law.Counted,
			Doc: "How many of T tokens the cache keeps, on average over layers: all of them, but no more than " +
				"the window in windowed layers. Windows beside compressed entries count as the tokens whose " +
				"entries would take as much."},
		{Name: "kv_bytes_at", Takes: "model model, T, d dtype = bf16", Gives: "byte",
			Formula: "model.kv_elements * tokens_cached(model, T) * d.bytes", Go: kvBytesAt, Source: law.Counted,
			Doc: "The KV cache of a sequence of T tokens; windowed layers stop growing at their window."},
		{Name: "decode_intensity", Takes: "model model, d dtype = bf16", Gives: "FLOP/byte",
			Go: decodeIntensity, Source: law.Pope,
			Doc: "Attention’s operations for each byte of cache that it reads while generating, which no batch " +
				"changes."},
		{Name: "activation_bytes", Takes: "model model, keep text = all, d dtype = bf16", Gives: "byte",
			Go: activationBytes, Source: law.Counted,
			Doc: "What training keeps of each token for the backward pass, every tensor as wide as it is. keep " +
				"is all, matmuls (outputs of matmuls) or blocks (layer inputs alone)."},
		{Name: "recompute_flops_per_token", Takes: "model model, T, keep text = blocks, mask text = causal",
			Gives: "FLOP", Go: recomputeFLOPs, Source: law.Counted,
			Doc: "What a policy computes again for one of T tokens: nothing (all), attention (matmuls), the " +
				"forward pass of all layers (blocks)."},
	}
}

// subject is the model of a law's arguments.
func subject(a law.Args) *Model { return a[0].Of.(*Model) }

// flopsPerToken and its like compute laws of a model, a length and a mask.
func flopsPerToken(pass Pass) func(a law.Args) (float64, error) {
	return func(a law.Args) (float64, error) {
		mask, err := maskOf(a[2].Text)
		return float64(subject(a).FLOPsPerToken(a.Num(1), mask, pass)), err
	}
}

func attentionFLOPs(pass Pass) func(a law.Args) (float64, error) {
	return func(a law.Args) (float64, error) {
		mask, err := maskOf(a[2].Text)
		return float64(subject(a).AttentionFLOPs(a.Num(1), mask, pass)), err
	}
}

func tokensSeen(a law.Args) (float64, error) {
	mask, err := maskOf(a[2].Text)
	return subject(a).Seen(a.Num(1), mask), err
}

func decodeFLOPs(a law.Args) (float64, error) { return float64(subject(a).DecodeFLOPs(a.Num(1))), nil }

func crossoverContext(a law.Args) (float64, error) {
	mask, err := maskOf(a[1].Text)
	if err != nil {
		return 0, err
	}
	return subject(a).CrossoverContext(mask)
}

func kvBytes(a law.Args) (float64, error) {
	return float64(subject(a).KVBytesPerToken(a.Bytes(1))), nil
}

func kvBytesAt(a law.Args) (float64, error) {
	return float64(subject(a).KVBytes(a.Num(1), a.Bytes(2))), nil
}

func tokensCached(a law.Args) (float64, error) { return subject(a).Cached(a.Num(1)), nil }

func decodeIntensity(a law.Args) (float64, error) {
	return float64(subject(a).DecodeIntensity(a.Bytes(1))), nil
}

func activationBytes(a law.Args) (float64, error) {
	keep, err := keepOf(a[1].Text)
	return float64(subject(a).ActivationBytes(keep, a.Bytes(2))), err
}

func recomputeFLOPs(a law.Args) (float64, error) {
	keep, err := keepOf(a[2].Text)
	if err != nil {
		return 0, err
	}
	mask, err := maskOf(a[3].Text)
	return float64(subject(a).RecomputeFLOPs(keep, a.Num(1), mask)), err
}

// maskOf reads which scores are counted. The zero value of Mask is not what published figures have, so the words
// stand in another order here.
func maskOf(word string) (Mask, error) {
	i, err := choice("model.no-mask", word, "causal", "full", "windowed", "none")
	return [...]Mask{Causal, Full, Windowed, NoAttention}[i], err
}

// keepOf reads which activations are kept.
func keepOf(word string) (Keep, error) {
	i, err := choice("model.no-policy", word, "all", "matmuls", "blocks")
	return [...]Keep{KeepAll, KeepMatmuls, KeepBlocks}[i], err
}

// choice is the place of a word among those there are; 0 with an error, which says by the sentence of a key what there
// is not.
func choice(unknown, word string, words ...string) (int, error) {
	if i := slices.Index(words, word); i >= 0 {
		return i, nil
	}
	return 0, &Error{What: phrase.New(unknown, "word", word),
		Remedy: phrase.New("model.one-of", "words", phrase.Commas(words))}
}

// runLaws are those of whole runs, and of experts.
func runLaws() []law.Law {
	return []law.Law{
		{Name: "training_flops", Takes: "params, tokens", Gives: "FLOP",
			Formula: "6 FLOP * params * tokens", Source: law.AustinMath,
			Doc: "The shortcut for the operations of a training run: 6 for each parameter that a token uses and " +
				"each token, attention left out."},
		{Name: "mfu", Takes: "flops_per_token FLOP, rate 1/s, peak FLOP/s", Gives: "%",
			Formula: "flops_per_token * rate / peak", Source: palm,
			Doc: "Share of its peak that a chip puts to use that takes in tokens at this rate."},
		{Name: "run_mfu", Takes: "work FLOP, chip_time s, peak FLOP/s", Gives: "%",
			Formula: "work / (chip_time * peak)", Source: palm,
			Doc: "The same of a whole run: its operations over what its chips could have done in the time that " +
				"they took together."},
		{Name: "run_time", Takes: "work FLOP, chips, peak FLOP/s, mfu", Gives: "s",
			Formula: "work / (chips * peak * mfu)", Source: law.Counted,
			Doc: "How long a run takes on so many chips at this share of their peak."},
		{Name: "moe_critical_batch", Takes: "peak FLOP/s, bandwidth byte/s, E, k, w dtype = bf16", Gives: "token",
			Formula: "w.bytes / 2 FLOP * peak / bandwidth * E / k * 1 token", Source: law.AustinMath,
			Doc: "Batch above which experts are compute-bound: each token uses k of E, but all are read."},
		{Name: "experts_touched", Takes: "E, k, B", Gives: "expert",
			Formula: "if(k < E, E * (1 - (1 - k / E)^B), E)", Go: expertsTouched, Source: law.Counted,
			Doc: "How many of E experts a batch of B tokens uses, if each chooses its k evenly."},
	}
}

func expertsTouched(a law.Args) (float64, error) {
	return ExpertsTouched(a.Num(0), a.Num(1), a.Num(2)), nil
}

// TakesAdapters tells whether low-rank adapters of all matrices of m are counted: it has neither experts nor latents
// nor linear layers, and an MLP with a gate.
func (m *Model) TakesAdapters() bool {
	return m.MoE.Experts == 0 && m.MLA.KVRank == 0 && m.Linear == (Linear{}) && !m.Plain
}
