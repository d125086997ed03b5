package roofline_test

import (
	"fmt"

	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/roofline"
)

// A matmul of 240 tokens on a TPU v5e, in bf16: computing and moving take nearly the same.
func Example() {
	const peak, bandwidth = quantity.FLOPRate(197e12), quantity.Bandwidth(819e9)
	B, D, F := 240.0, 8192.0, 32768.0
	moved := quantity.Bytes(2 * (B*D + D*F + B*F))
	b := roofline.Bounds{
		Math:  quantity.Seconds(float64(roofline.MatmulFLOPs(B, D, F)) / float64(peak)),
		Comms: quantity.Seconds(float64(moved) / float64(bandwidth)),
	}
	fmt.Printf("%.0f µs to compute, %.0f µs to move, %.0f to %.0f µs in all\n", 1e6*b.Math, 1e6*b.Comms, 1e6*b.Lower(),
		1e6*b.Upper())
	// Output:
	// 654 µs to compute, 680 µs to move, 680 to 1334 µs in all
}
