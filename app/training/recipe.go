package training

// RecipeOf is the usual recipe of a software stack.
//
//	nanotron  bf16 weights and gradients, summed up in fp32, fp32 master and moments
//	megatron  bf16 weights, fp32 gradients, fp32 master and moments
//	fsdp, xla fp32 weights, which travel as bf16, fp32 gradients and moments
func RecipeOf(stack string, compute DType, frozen bool) Recipe {
	r := Recipe{Compute: compute, Weight: 2, Grad: 4, Master: 4, Moments: 8, Gather: 2}
	switch stack {
	case "nanotron":
		r.Grad, r.Accum = 2, 4
	case "fsdp", "xla":
		r.Weight, r.Master = 4, 0
	}
	if frozen && compute != BF16 {
		r.Weight = 1 // weights that don't learn are kept as the matmuls take them
	}
	return r
}
