package library

import (
	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet"
)

// counts are parameters that are plain numbers.
func counts(names ...string) []sheet.Param {
	out := make([]sheet.Param, len(names))
	for i, name := range names {
		out[i] = count(name)
	}
	return out
}

// layerLaws are those of one layer, in the book's letters.
func layerLaws() []law {
	return []law{
		{"mlp_params", "Weights of an MLP: gate, in and out, or without gate in and out.",
			"if(gated, 3, 2) * D * F", counting, append(counts("D", "F"), gate()), plain, func(a args) (quantity.Quantity, error) {
				return amount(model.MLPParams(a.num(0), a.num(1), a[2].Bool), "parameter"), nil
			}},
		{"attention_params", "Weights of attention's four projections.",
			"2 * D * (N + K) * H", counting, counts("D", "N", "K", "H"), plain, func(a args) (quantity.Quantity, error) {
				return amount(model.AttentionParams(a.num(0), a.num(1), a.num(2), a.num(3)), "parameter"), nil
			}},
		{"mlp_train_flops", "Training operations of an MLP on B sequences of T tokens: six for each weight and token.",
			"if(gated, 18 FLOP, 12 FLOP) * B * T * D * F", austinMath, append(counts("B", "T", "D", "F"), gate()), flops,
			func(a args) (quantity.Quantity, error) {
				return model.MLPTrainFLOPs(a.num(0), a.num(1), a.num(2), a.num(3), a[4].Bool).Quantity(), nil
			}},
		{"projection_train_flops", "Training operations of attention's four projections.",
			"12 FLOP * B * T * D * (N + K) * H", austinMath, counts("B", "T", "D", "N", "K", "H"), flops, func(a args) (quantity.Quantity, error) {
				return model.ProjectionTrainFLOPs(a.num(0), a.num(1), a.num(2), a.num(3), a.num(4), a.num(5)).Quantity(), nil
			}},
		{"attention_train_flops", "Training operations of attention's scores and weighted values of T tokens that look at S, the full rectangle.",
			"12 FLOP * B * T * S * N * H", austinMath, counts("B", "T", "S", "N", "H"), flops, func(a args) (quantity.Quantity, error) {
				return model.AttentionTrainFLOPs(a.num(0), a.num(1), a.num(2), a.num(3), a.num(4)).Quantity(), nil
			}},
		{"attention_train_flops_causal", "The same of T tokens that look at those before them: half of the square.",
			"6 FLOP * B * T^2 * N * H", austinMath, counts("B", "T", "N", "H"), flops, func(a args) (quantity.Quantity, error) {
				return model.AttentionTrainFLOPsCausal(a.num(0), a.num(1), a.num(2), a.num(3)).Quantity(), nil
			}},
		{"unembedding_train_flops", "Training operations of making logits; looking up the input embedding takes none.",
			"6 FLOP * B * T * D * V", austinMath, counts("B", "T", "D", "V"), flops, func(a args) (quantity.Quantity, error) {
				return model.UnembeddingTrainFLOPs(a.num(0), a.num(1), a.num(2), a.num(3)).Quantity(), nil
			}},
		{"attention_recompute_flops", "What computing attention's scores and weighted values once more takes, the full square.",
			"4 FLOP * B * T^2 * N * H", austinMath, counts("B", "T", "N", "H"), flops, func(a args) (quantity.Quantity, error) {
				return model.AttentionRecomputeFLOPs(a.num(0), a.num(1), a.num(2), a.num(3)).Quantity(), nil
			}},
		{"kv_cache_bytes", "KV cache of one sequence of S tokens in L layers of K heads of size H.",
			"2 * S * L * K * H * d.bytes", austinMath, append(counts("S", "L", "K", "H"), width("d")), bytes, func(a args) (quantity.Quantity, error) {
				return model.KVCacheBytes(a.num(0), a.num(1), a.num(2), a.num(3), a.bytes(4)).Quantity(), nil
			}},
		{"kept_bytes", "What training keeps by a count of tensors: c a layer, each D wide for each token.",
			"c * tokens * D * L * d.bytes", austinMath, append(counts("tokens", "D", "L", "c"), width("d")), bytes, func(a args) (quantity.Quantity, error) {
				return model.KeptBytes(a.num(0), a.num(1), a.num(2), a.num(3), a.bytes(4)).Quantity(), nil
			}},
		{"attention_intensity", "Operations per byte of attention of T queries to S tokens: queries, outputs, keys and values move once.",
			"2 FLOP * T * S * N / (d.bytes * (T * N + S * K))", austinMath, append(counts("T", "S", "N", "K"), width("d")), intensity,
			func(a args) (quantity.Quantity, error) {
				return model.AttentionIntensity(a.num(0), a.num(1), a.num(2), a.num(3), a.bytes(4)).Quantity(), nil
			}},
		{"attention_crossover", "Context at which scores and weighted values, the full square, take as many operations as the matmuls of a gated dense layer.",
			"D * (18 * F + 12 * (N + K) * H) / (12 * N * H) * 1 token", austinMath, counts("D", "F", "N", "K", "H"), plain, func(a args) (quantity.Quantity, error) {
				return tokens(model.AttentionCrossover(a.num(0), a.num(1), a.num(2), a.num(3), a.num(4))), nil
			}},
	}
}

// runLaws are those of whole runs, and of experts.
func runLaws() []law {
	rate := sheet.Type{Kind: sheet.Number, Dim: quantity.Dim{quantity.Second: -1}}
	chip := []sheet.Param{of("peak", flopRate), of("bandwidth", bandwidth)}
	return []law{
		{"training_flops", "The shortcut for the operations of a training run: 6 for each parameter that a token uses and each token, attention left out.",
			"6 FLOP * params * tokens", austinMath, counts("params", "tokens"), flops, func(a args) (quantity.Quantity, error) {
				return model.SixND(a.num(0), a.num(1)).Quantity(), nil
			}},
		{"mfu", "Share of its peak that a chip puts to use that takes in tokens at this rate.",
			"flops_per_token * rate / peak", "PaLM (2022), appendix B", []sheet.Param{of("flops_per_token", flops), of("rate", rate), of("peak", flopRate)}, plain,
			func(a args) (quantity.Quantity, error) {
				return amount(model.MFU(quantity.FLOPs(a.num(0)), a.num(1), a.rate(2)), "%"), nil
			}},
		{"run_mfu", "The same of a whole run: its operations over what its chips could have done in the time that they took together.",
			"work / (chip_time * peak)", "PaLM (2022), appendix B", []sheet.Param{of("work", flops), of("chip_time", seconds), of("peak", flopRate)}, plain,
			func(a args) (quantity.Quantity, error) {
				return amount(model.RunMFU(quantity.FLOPs(a.num(0)), quantity.Seconds(a.num(1)), a.rate(2)), "%"), nil
			}},
		{"run_time", "How long a run takes on so many chips at this share of their peak.",
			"work / (chips * peak * mfu)", counting, []sheet.Param{of("work", flops), count("chips"), of("peak", flopRate), count("mfu")}, seconds,
			func(a args) (quantity.Quantity, error) {
				return model.RunTime(quantity.FLOPs(a.num(0)), a.num(1), a.rate(2), a.num(3)).Quantity(), nil
			}},
		{"moe_critical_batch", "Batch above which experts are compute-bound: each token uses k of E, but all are read.",
			"w.bytes / 2 FLOP * peak / bandwidth * E / k * 1 token", austinMath, append(chip[:2:2], count("E"), count("k"), width("w")), plain,
			func(a args) (quantity.Quantity, error) {
				return tokens(model.MoECriticalBatch(a.rate(0), a.speed(1), a.bytes(4), a.num(2), a.num(3))), nil
			}},
		{"experts_touched", "How many of E experts a batch of B tokens uses, if each chooses its k evenly.",
			"if(k < E, E * (1 - (1 - k / E)^B), E)", counting, counts("E", "k", "B"), plain, func(a args) (quantity.Quantity, error) {
				return amount(model.ExpertsTouched(a.num(0), a.num(1), a.num(2)), "expert"), nil
			}},
	}
}
