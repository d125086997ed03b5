package serving

import (
	"math"
	"slices"

	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/model"
)

// Laws are the laws of a step of serving, and of what it leaves of the memory. A step is priced by the Go functions
// beside them, so that a sheet which opens a plan computes what the search computed.
func Laws() []law.Law {
	return slices.Concat(productLaws(), collectiveLaws(), budgetLaws(), textbookLaws())
}

// productLaws are the times of products and of attention on one chip.
func productLaws() []law.Law {
	return []law.Law{
		{Name: "product_time", Takes: "N, rows, size byte, read byte/s > 0, rate FLOP/s > 0", Gives: "s",
			Formula: "max(N * size/read, 2 FLOP * N * rows/rate)", Source: law.AustinInference,
			Go: func(a law.Args) (float64, error) {
				return productTime(a.Num(0), a.Num(1), a.Num(2), a.Num(3), a.Num(4)), nil
			},
			Doc: "Time of matrices of N elements on a chip, times so many rows: reading them or the arithmetic, " +
				"whichever takes longer. size is the bytes of an element."},
		{Name: "expert_time", Takes: "n, rows, N, size byte, read byte/s > 0, rate FLOP/s > 0, tile", Gives: "s",
			Formula: "max(n * N * size/read, 2 FLOP * n * N * (rows + tile)/rate)", Source: law.Served,
			Go: func(a law.Args) (float64, error) {
				return expertTime(a.Num(0), a.Num(1), a.Num(2), a.Num(3), a.Num(4), a.Num(5), a.Num(6)), nil
			},
			Doc: "Time of n experts that a chip reads, each of N elements and multiplied with so many rows. A product of few " +
				"rows takes as long as one of some more, the tile."},
		{Name: "experts_read", Takes: "E >= 1, k >= 1, B > 0, ranks >= 1", Gives: "expert",
			Formula: "if(k < E, (1 - (1 - k/E)^B) * ceil(E/ranks), ceil(E/ranks)) * 1 expert", Source: law.Counted,
			Go: func(a law.Args) (float64, error) {
				return expertsRead(a.Num(0), a.Num(1), a.Num(2), a.Num(3)), nil
			},
			Doc: "Experts of a layer that the fullest of so many ranks reads for a batch of B tokens, if each token chooses k " +
				"of E evenly."},
		{Name: "decode_attention_time", Takes: "B, each byte, ops FLOP, read byte/s > 0, rate FLOP/s > 0", Gives: "s",
			Formula: "B * max(each/read, ops/rate)", Source: law.AustinInference,
			Go: func(a law.Args) (float64, error) {
				return attentionTime(a.Num(0), a.Num(1), a.Num(2), a.Num(3), a.Num(4)), nil
			},
			Doc: "Time of attention for B sequences that decode: each reads its own cache, or computes on it, whichever takes " +
				"longer. No batch shares that."},
	}
}

// productTime is the law product_time.
func productTime(n, rows, size, read, rate float64) float64 { return max(n*size/read, 2*n*rows/rate) }

// expertTime is the law expert_time.
func expertTime(experts, rows, n, size, read, rate, tile float64) float64 {
	return max(experts*n*size/read, 2*experts*n*(rows+tile)/rate)
}

// expertsRead is the law experts_read.
func expertsRead(experts, perToken, tokens, ranks float64) float64 {
	return model.ExpertsTouched(experts, perToken, tokens) / experts * math.Ceil(experts/ranks)
}

// attentionTime is the law decode_attention_time.
func attentionTime(sequences, each, ops, read, rate float64) float64 {
	return sequences * max(each/read, ops/rate)
}
