package roofline

import (
	"slices"

	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/phrase"
	q "github.com/scalebook/scalebook/app/quantity"
)

// widths are the dtypes of a matmul's activations, weights and output.
const widths = ", x dtype = bf16, w dtype = bf16, y dtype = bf16"

// Laws are the laws of arithmetic against bandwidth, each with its parameters, units, range, formula and source.
func Laws() []law.Law {
	return slices.Concat(matmulLaws(), elementLaws(), chipLaws(), tilingLaws(), startedLaws())
}

// MatmulFLOPs is the operations of a matmul [B, D] x [D, F] -> [B, F], 2 B D F: a multiply and an add for each of the D
// terms of each of the B F sums. Sizes are any positive numbers. Sheets know it as matmul_flops.
func MatmulFLOPs(B, D, F float64) q.FLOPs { return q.FLOPs(2 * B * D * F) }

func matmulFLOPs(a law.Args) (float64, error) {
	return float64(MatmulFLOPs(a.Num(0), a.Num(1), a.Num(2))), nil
}

// matmulLaws count operations and bytes of [B, D] x [D, F].
func matmulLaws() []law.Law {
	return []law.Law{
		{Name: "matmul_flops", Takes: "B, D, F", Gives: "FLOP",
			Formula: "2 FLOP * B * D * F", Go: matmulFLOPs, Source: law.Counted,
			Doc: "Operations of [B, D] x [D, F]: a multiply and an add for each element of each dot product."},
		{Name: "matmul_bytes", Takes: "B, D, F" + widths, Gives: "byte",
			Formula: "B * D * x.bytes + D * F * w.bytes + B * F * y.bytes", Source: law.Counted,
			Doc: "Bytes of [B, D] x [D, F] if each matrix crosses the memory interface once: activations of " +
				"dtype x, weights w, output y."},
		{Name: "matmul_intensity", Takes: "B, D, F" + widths, Gives: "FLOP/byte",
			Formula: "2 FLOP * B * D * F / (B * D * x.bytes + D * F * w.bytes + B * F * y.bytes)",
			Source:  law.AustinRooflines,
			Doc:     "Operations per byte of [B, D] x [D, F]; tends to 2 B / w.bytes where B is far below D and F."},
		{Name: "batched_matmul_flops", Takes: "B, D, F", Gives: "FLOP",
			Formula: "2 FLOP * B * D * F", Source: law.Counted,
			Doc: "Operations of [B, D] x [B, D, F], a matrix of its own for each row."},
		{Name: "batched_matmul_bytes", Takes: "B, D, F" + widths, Gives: "byte",
			Formula: "B * D * x.bytes + B * D * F * w.bytes + B * F * y.bytes", Source: law.Counted,
			Doc: "Bytes of [B, D] x [B, D, F]: the weights grow with the batch."},
	}
}

// elementLaws count those of vectors.
func elementLaws() []law.Law {
	return []law.Law{
		{Name: "dot_flops", Takes: "N", Gives: "FLOP",
			Formula: "1 FLOP * (2 * N - 1)", Source: law.Counted,
			Doc: "Operations of a dot product of two vectors of N elements."},
		{Name: "dot_bytes", Takes: "N, x dtype = bf16, y dtype = bf16", Gives: "byte",
			Formula: "2 * N * x.bytes + y.bytes", Source: law.Counted,
			Doc: "Bytes of a dot product: two vectors of dtype x read, one number of dtype y written."},
		{Name: "elementwise_flops", Takes: "N, ops", Gives: "FLOP",
			Formula: "1 FLOP * N * ops", Source: law.Counted,
			Doc: "Operations of a function that takes ops operations on each of N elements."},
		{Name: "elementwise_bytes", Takes: "N, inputs, x dtype = bf16, y dtype = bf16", Gives: "byte",
			Formula: "N * (inputs * x.bytes + y.bytes)", Source: law.Counted,
			Doc: "Bytes of an elementwise function of so many inputs of dtype x with one output of dtype y."},
	}
}

// chipLaws are those of a chip: its roofs, and the batch from which on it computes.
func chipLaws() []law.Law {
	return []law.Law{
		{Name: "ridge", Takes: "peak FLOP/s, bandwidth byte/s", Gives: "FLOP/byte",
			Formula: "peak / bandwidth", Source: law.Williams,
			Doc: "Arithmetic intensity at which a chip computes and moves equally long."},
		{Name: "attainable", Takes: "peak FLOP/s, bandwidth byte/s, intensity FLOP/byte", Gives: "FLOP/s",
			Formula: "min(peak, bandwidth * intensity)", Source: law.Williams,
			Doc: "The rate an operation of this intensity can reach: the lower of the two roofs."},
		{Name: "critical_batch", Takes: "peak FLOP/s, bandwidth byte/s, w dtype = bf16", Gives: "token",
			Formula: "w.bytes / 2 FLOP * peak / bandwidth * 1 token", Source: law.AustinRooflines,
			Doc: "Batch above which a matmul is compute-bound, activations left out: the limit for wide " +
				"matrices."},
		{Name: "critical_batch_exact", Takes: "peak FLOP/s, bandwidth byte/s, D, F" + widths, Gives: "token",
			Formula: "w.bytes * D * F / (2 FLOP * D * F * bandwidth / peak - x.bytes * D - y.bytes * F) * 1 token",
			Source:  law.AustinRooflines,
			Where:   "2 FLOP * D * F * bandwidth / peak > x.bytes * D + y.bytes * F",
			Else:    phrase.New("roofline.no-batch"),
			Doc:     "Batch at which a matmul takes as long to compute as to move, activations and output counted."},
	}
}

// tilingLaws are those of blocked matmuls, and of one split over two chips.
func tilingLaws() []law.Law {
	return []law.Law{
		{Name: "tiled_matmul_bytes", Takes: "M, K, N, bm, bn, x dtype = bf16, y dtype = bf16", Gives: "byte",
			Formula: "x.bytes * M * K * ceil(N / bn) + x.bytes * K * N * ceil(M / bm) + y.bytes * M * N",
			Source:  law.Counted,
			Doc: "Bytes of [M, K] x [K, N] through a memory that holds one bm x bn tile of the output at a " +
				"time: inputs of dtype x, output y."},
		{Name: "tile_intensity", Takes: "bm, bn, x dtype = bf16", Gives: "FLOP/byte",
			Formula: "2 FLOP * bm * bn / (x.bytes * (bm + bn))", Source: law.Counted,
			Doc: "Operations per byte of a bm x bn tile along a long K."},
		{Name: "two_chip_math", Takes: "B, D, F, peak FLOP/s", Gives: "s",
			Formula: "1 FLOP * B * D * F / peak", Source: law.AustinRooflines,
			Doc: "Time each of two chips computes if they split the contracted width D of [B, D] x [D, F]."},
		{Name: "two_chip_comms", Takes: "B, F, bandwidth byte/s, y dtype = bf16", Gives: "s",
			Formula: "y.bytes * B * F / bandwidth", Source: law.AustinRooflines,
			Doc: "Time to exchange the partial sums [B, F] of dtype y, both ways at once, at the one-way " +
				"bandwidth between the chips."},
		{Name: "two_chip_min_width", Takes: "peak FLOP/s, bandwidth byte/s, y dtype = bf16",
			Formula: "y.bytes / 1 FLOP * peak / bandwidth", Source: law.AustinRooflines,
			Doc: "Contracted width D above which the matmul split over two chips is compute-bound."},
	}
}
