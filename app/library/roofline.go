package library

import (
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/roofline"
	"github.com/scalebook/scalebook/app/sheet"
)

// Where the laws come from.
const (
	austin   = "Austin et al., How To Scale Your Model (2025), part 1"
	williams = "Williams, Waterman and Patterson, Roofline, CACM 52(4) (2009)"
	counting = "counted from the definition"
)

func widths(a args, x, w, y int) roofline.Widths {
	return roofline.Widths{X: a.bytes(x), W: a.bytes(w), Y: a.bytes(y)}
}

// rooflineLaws are the laws of app/roofline.
func rooflineLaws() []law {
	sizes := []sheet.Param{count("B"), count("D"), count("F")}
	typed := append(sizes[:3:3], width("x"), width("w"), width("y"))
	chip := []sheet.Param{of("peak", flopRate), of("bandwidth", bandwidth)}
	return []law{
		{"matmul_flops", "Operations of [B, D] x [D, F]: a multiply and an add for each element of each dot product.",
			"2 FLOP * B * D * F", counting, sizes, flops,
			func(a args) (quantity.Quantity, error) {
				return roofline.MatmulFLOPs(a.num(0), a.num(1), a.num(2)).Quantity(), nil
			}},
		{"matmul_flops_exact", "The same without the add that the first product of each dot product doesn't need.",
			"1 FLOP * B * F * (2 * D - 1)", counting, sizes, flops,
			func(a args) (quantity.Quantity, error) {
				return roofline.MatmulFLOPsExact(a.num(0), a.num(1), a.num(2)).Quantity(), nil
			}},
		{"matmul_bytes", "Bytes of [B, D] x [D, F] if each matrix crosses the memory interface once: activations of dtype x, weights w, output y.",
			"B * D * x.bytes + D * F * w.bytes + B * F * y.bytes", counting, typed, bytes,
			func(a args) (quantity.Quantity, error) {
				return roofline.MatmulBytes(a.num(0), a.num(1), a.num(2), widths(a, 3, 4, 5)).Quantity(), nil
			}},
		{"matmul_intensity", "Operations per byte of [B, D] x [D, F]; tends to 2 B / w.bytes where B is far below D and F.",
			"2 FLOP * B * D * F / (B * D * x.bytes + D * F * w.bytes + B * F * y.bytes)", austin, typed, intensity,
			func(a args) (quantity.Quantity, error) {
				return roofline.MatmulIntensity(a.num(0), a.num(1), a.num(2), widths(a, 3, 4, 5)).Quantity(), nil
			}},
		{"critical_batch", "Batch above which a matmul is compute-bound, activations left out: the limit for wide matrices.",
			"w.bytes / 2 FLOP * peak / bandwidth * 1 token", austin, append(chip[:2:2], width("w")), plain,
			func(a args) (quantity.Quantity, error) {
				return tokens(roofline.CriticalBatch(a.rate(0), a.speed(1), a.bytes(2))), nil
			}},
		{"critical_batch_exact", "Batch at which a matmul takes as long to compute as to move, activations and output counted.",
			"w.bytes * D * F / (2 FLOP * D * F * bandwidth / peak - x.bytes * D - y.bytes * F) * 1 token", austin,
			append(chip[:2:2], count("D"), count("F"), width("x"), width("w"), width("y")), plain,
			func(a args) (quantity.Quantity, error) {
				B, err := roofline.CriticalBatchExact(a.rate(0), a.speed(1), a.num(2), a.num(3), widths(a, 4, 5, 6))
				return tokens(B), err
			}},
		{"batched_matmul_flops", "Operations of [B, D] x [B, D, F], a matrix of its own for each row.",
			"2 FLOP * B * D * F", counting, sizes, flops,
			func(a args) (quantity.Quantity, error) {
				return roofline.BatchedMatmulFLOPs(a.num(0), a.num(1), a.num(2)).Quantity(), nil
			}},
		{"batched_matmul_bytes", "Bytes of [B, D] x [B, D, F]: the weights grow with the batch.",
			"B * D * x.bytes + B * D * F * w.bytes + B * F * y.bytes", counting, typed, bytes,
			func(a args) (quantity.Quantity, error) {
				return roofline.BatchedMatmulBytes(a.num(0), a.num(1), a.num(2), widths(a, 3, 4, 5)).Quantity(), nil
			}},
		{"dot_flops", "Operations of a dot product of two vectors of N elements.",
			"1 FLOP * (2 * N - 1)", counting, []sheet.Param{count("N")}, flops,
			func(a args) (quantity.Quantity, error) { return roofline.DotFLOPs(a.num(0)).Quantity(), nil }},
		{"dot_bytes", "Bytes of a dot product: two vectors of dtype x read, one number of dtype y written.",
			"2 * N * x.bytes + y.bytes", counting, []sheet.Param{count("N"), width("x"), width("y")}, bytes,
			func(a args) (quantity.Quantity, error) {
				return roofline.DotBytes(a.num(0), a.bytes(1), a.bytes(2)).Quantity(), nil
			}},
		{"elementwise_flops", "Operations of a function that takes ops operations on each of N elements.",
			"1 FLOP * N * ops", counting, []sheet.Param{count("N"), count("ops")}, flops,
			func(a args) (quantity.Quantity, error) {
				return roofline.ElementwiseFLOPs(a.num(0), a.num(1)).Quantity(), nil
			}},
		{"elementwise_bytes", "Bytes of an elementwise function of so many inputs of dtype x with one output of dtype y.",
			"N * (inputs * x.bytes + y.bytes)", counting, []sheet.Param{count("N"), count("inputs"), width("x"), width("y")}, bytes,
			func(a args) (quantity.Quantity, error) {
				return roofline.ElementwiseBytes(a.num(0), a.num(1), a.bytes(2), a.bytes(3)).Quantity(), nil
			}},
		{"ridge", "Arithmetic intensity at which a chip computes and moves equally long.",
			"peak / bandwidth", williams, chip, intensity,
			func(a args) (quantity.Quantity, error) {
				return roofline.Ridge(a.rate(0), a.speed(1)).Quantity(), nil
			}},
		{"attainable", "The rate an operation of this intensity can reach: the lower of the two roofs.",
			"min(peak, bandwidth * intensity)", williams, append(chip[:2:2], of("intensity", intensity)), flopRate,
			func(a args) (quantity.Quantity, error) {
				return roofline.Attainable(a.rate(0), a.speed(1), a.dense(2)).Quantity(), nil
			}},
	}
}

// tilingLaws are the laws of blocked matmuls and of one split over two chips.
func tilingLaws() []law {
	return []law{
		{"tiled_matmul_bytes", "Bytes of [M, K] x [K, N] through a memory that holds one bm x bn tile of the output at a time: inputs of dtype x, output y.",
			"x.bytes * M * K * ceil(N / bn) + x.bytes * K * N * ceil(M / bm) + y.bytes * M * N", counting,
			[]sheet.Param{count("M"), count("K"), count("N"), count("bm"), count("bn"), width("x"), width("y")}, bytes,
			func(a args) (quantity.Quantity, error) {
				return roofline.TiledMatmulBytes(a.num(0), a.num(1), a.num(2), a.num(3), a.num(4), a.bytes(5), a.bytes(6)).Quantity(), nil
			}},
		{"tile_intensity", "Operations per byte of a bm x bn tile along a long K.",
			"2 FLOP * bm * bn / (x.bytes * (bm + bn))", counting,
			[]sheet.Param{count("bm"), count("bn"), width("x")}, intensity,
			func(a args) (quantity.Quantity, error) {
				return roofline.TileIntensity(a.num(0), a.num(1), a.bytes(2)).Quantity(), nil
			}},
		{"two_chip_math", "Time each of two chips computes if they split the contracted width D of [B, D] x [D, F].",
			"1 FLOP * B * D * F / peak", austin,
			[]sheet.Param{count("B"), count("D"), count("F"), of("peak", flopRate)}, seconds,
			func(a args) (quantity.Quantity, error) {
				return roofline.TwoChipMath(a.num(0), a.num(1), a.num(2), a.rate(3)).Quantity(), nil
			}},
		{"two_chip_comms", "Time to exchange the partial sums [B, F] of dtype y, both ways at once, at the one-way bandwidth between the chips.",
			"y.bytes * B * F / bandwidth", austin,
			[]sheet.Param{count("B"), count("F"), of("bandwidth", bandwidth), width("y")}, seconds,
			func(a args) (quantity.Quantity, error) {
				return roofline.TwoChipComms(a.num(0), a.num(1), a.bytes(3), a.speed(2)).Quantity(), nil
			}},
		{"two_chip_min_width", "Contracted width D above which the matmul split over two chips is compute-bound.",
			"y.bytes / 1 FLOP * peak / bandwidth", austin,
			[]sheet.Param{of("peak", flopRate), of("bandwidth", bandwidth), width("y")}, plain,
			func(a args) (quantity.Quantity, error) {
				return quantity.Quantity{Value: roofline.TwoChipMinWidth(a.rate(0), a.speed(1), a.bytes(2))}, nil
			}},
	}
}
