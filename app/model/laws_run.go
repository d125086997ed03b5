package model

import "github.com/scalebook/scalebook/app/law"

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
