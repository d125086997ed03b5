package serving

// Perfect are the constants of software that wastes nothing: memory, matrix units and links at the peaks of the data
// sheet, nothing to launch, to gather or to wait for, and tokens that all choose the same experts. Times that they give
// are bounds from below.
func Perfect() Constants {
	k := Constants{Alike: 0}
	for _, share := range []*float64{&k.Weights, &k.Weights4, &k.Sparse, &k.Cache, &k.Math16, &k.Math8, &k.Math4,
		&k.Grouped, &k.Score, &k.Links, &k.Imbalance} {
		*share = 1
	}
	return k
}
