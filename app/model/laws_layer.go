package model

import "github.com/scalebook/scalebook/app/law"

// layerLaws are those of one layer in the letters of the field: B sequences of T tokens, S tokens that are looked
// at, D the width, F the MLP's, N query heads and K heads of keys and values of size H, V the vocabulary, L layers.
// Counts for training are three times those of the forward pass.
func layerLaws() []law.Law {
	return []law.Law{
		{Name: "mlp_params", Takes: "D, F, gated switch = on", Gives: "parameter",
			Formula: "if(gated, 3, 2) * D * F", Source: law.Counted,
			Doc: "Weights of an MLP: gate, in and out, or without gate in and out."},
		{Name: "attention_params", Takes: "D, N, K, H", Gives: "parameter",
			Formula: "2 * D * (N + K) * H", Source: law.Counted,
			Doc: "Weights of attention's four projections."},
		{Name: "mlp_train_flops", Takes: "B, T, D, F, gated switch = on", Gives: "FLOP",
			Formula: "if(gated, 18 FLOP, 12 FLOP) * B * T * D * F", Source: law.AustinMath,
			Doc: "Training operations of an MLP on B sequences of T tokens: six for each weight and token."},
		{Name: "projection_train_flops", Takes: "B, T, D, N, K, H", Gives: "FLOP",
			Formula: "12 FLOP * B * T * D * (N + K) * H", Source: law.AustinMath,
			Doc: "Training operations of attention's four projections."},
		{Name: "attention_train_flops", Takes: "B, T, S, N, H", Gives: "FLOP",
			Formula: "12 FLOP * B * T * S * N * H", Source: law.AustinMath,
			Doc: "Training operations of attention's scores and weighted values of T tokens that look at S, the " +
				"full rectangle."},
		{Name: "attention_train_flops_causal", Takes: "B, T, N, H", Gives: "FLOP",
			Formula: "6 FLOP * B * T^2 * N * H", Source: law.AustinMath,
			Doc: "The same of T tokens that look at those before them: half of the square."},
		{Name: "unembedding_train_flops", Takes: "B, T, D, V", Gives: "FLOP",
			Formula: "6 FLOP * B * T * D * V", Source: law.AustinMath,
			Doc: "Training operations of making logits; looking up the input embedding takes none."},
		{Name: "attention_recompute_flops", Takes: "B, T, N, H", Gives: "FLOP",
			Formula: "4 FLOP * B * T^2 * N * H", Source: law.AustinMath,
			Doc: "What computing attention's scores and weighted values once more takes, the full square."},
		{Name: "kv_cache_bytes", Takes: "S, L, K, H, d dtype = bf16", Gives: "byte",
			Formula: "2 * S * L * K * H * d.bytes", Source: law.AustinMath,
			Doc: "KV cache of one sequence of S tokens in L layers of K heads of size H."},
		{Name: "kept_bytes", Takes: "tokens, D, L, c, d dtype = bf16", Gives: "byte",
			Formula: "c * tokens * D * L * d.bytes", Source: law.AustinMath,
			Doc: "What training keeps by a count of tensors: c a layer, each D wide for each token."},
		{Name: "attention_intensity", Takes: "T, S, N, K, d dtype = bf16", Gives: "FLOP/byte",
			Formula: "2 FLOP * T * S * N / (d.bytes * (T * N + S * K))", Source: law.AustinMath,
			Doc: "Operations per byte of attention of T queries to S tokens: queries, outputs, keys and values " +
				"move once."},
		{Name: "attention_crossover", Takes: "D, F, N, K, H", Gives: "token",
			Formula: "D * (18 * F + 12 * (N + K) * H) / (12 * N * H) * 1 token", Source: law.AustinMath,
			Doc: "Context at which scores and weighted values, the full square, take as many operations as the " +
				"matmuls of a gated dense layer."},
	}
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
