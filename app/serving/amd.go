package serving

import "strings"

// What AMD's GPUs reach of their data sheets over what NVIDIA's do, of whose rows Constants are fitted. The reads are
// those of streams: 4.3 of 5.3 TB/s on MI300X where an H100 has 0.92 of its own. The products are those of PyTorch in
// public tests of 2024-12: 620 of 1,307 TFLOP/s in 16 bits and 990 of 2,615 in 8 where an H100 had 720 of 989 and 1,280
// of 1,979 (newsletter.semianalysis.com/p/mi300x-vs-h100-vs-h200-benchmark-part-1-training); of MI355X nothing like it
// was found, and what it reaches is taken for NVIDIA's share.
const (
	amdReads  = 0.88
	amdMath16 = 0.65
	amdMath8  = 0.59
	// A layer's kernels follow one another more slowly: eight dies write their caches back between two that depend on
	// each other. AMD's own images, whose kernels are fused, need little more than NVIDIA's, others up to thrice as
	// much: this is between them, with all runs on MI300X of app/measured/rows in view.
	amdLayer = 1.7
)

// on has k reach what it does on a chip; once, whoever makes a replica of another's constants.
func (k *Constants) on(c *Chip) {
	if !c.amd() || k.scaled {
		return
	}
	k.scaled = true
	for _, share := range []*float64{&k.Weights, &k.Weights4, &k.Sparse, &k.Cache} {
		*share *= amdReads
	}
	if kindOf(c.ID) != "cdna4" {
		k.Math16, k.Math8, k.Score = k.Math16*amdMath16, k.Math8*amdMath8, k.Score*amdMath16
	}
	for _, time := range []*float64{&k.Layer, &k.Block, &k.Latent, &k.Eager, &k.EagerLatent, &k.Collective} {
		*time *= amdLayer
	}
}

// amd tells whether the chip is a GPU of AMD's. What logs of vLLM on them say differs, too: graphs aren't taken off
// beforehand, tokens are chosen by sorting all words, and libraries allocate more.
func (c *Chip) amd() bool { return strings.HasPrefix(c.ID, "gpu.mi") }
