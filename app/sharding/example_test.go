package sharding_test

import (
	"fmt"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/sharding"
)

// A product whose contracting dimension is split in one operand: gather it, or move the other operand and add up.
func Example() {
	mesh, _ := sharding.ParseMesh("X=4 on rings", nil)
	sizes, _ := sharding.ParseSizes("I=4096, J=8192, K=8192", nil)
	e, _ := sharding.ParseEinsum("A[I_X, J] . B[J_X, K] -> C[I_X, K]", sizes, mesh)
	chip, _ := hardware.Catalog().Get("tpu.v5p")
	fabric, _ := sharding.On(mesh, chip)
	plan := sharding.NewPlan(e, sharding.Chip{Peak: 459e12, HBM: 2765e9}, fabric, sharding.Options{})
	fmt.Println("case", plan.Case)
	for _, title := range []string{plan.Strategies[0].Title(mesh), "AllGather_X(B), Einsum"} {
		s := plan.Named(title)
		fmt.Printf("%s: %s-bound, %.0f us of computing, %.0f us of communication\n", title, s.Bound(), s.Math*1e6,
			s.Comms*1e6)
	}
	// Output:
	// case 2
	// AllToAll_X(A), Einsum, ReduceScatter_X(C): communication-bound, 299 us of computing, 373 us of communication
	// AllGather_X(B), Einsum: communication-bound, 299 us of computing, 559 us of communication
}

// A fault has its column, and says what would be valid.
func ExampleParseArray() {
	mesh, _ := sharding.ParseMesh("X=4, Y=2", nil)
	_, err := sharding.ParseArray("A[1024_X, 512_X]", nil, mesh)
	fmt.Println(err)
	// Output: notation, column 15: axis X is used twice in one array; an axis splits one dimension only, or is unreduced: Y left
}

// Who holds what.
func ExampleArray_Held() {
	mesh, _ := sharding.ParseMesh("X=2, Y=2", nil)
	a, _ := sharding.ParseArray("bf16[10_XY, 4]", nil, mesh)
	for i := range mesh.Chips() {
		fmt.Println(mesh.Coords(i), a.Held(mesh, mesh.Coords(i)))
	}
	fmt.Println(a.LocalShape(mesh), a.Replication(mesh), a.Waste(mesh) > 0)
	// Output:
	// [0 0] [{0 3} {0 4}]
	// [0 1] [{3 5} {0 4}]
	// [1 0] [{5 8} {0 4}]
	// [1 1] [{8 10} {0 4}]
	// [3 4] 1 true
}
