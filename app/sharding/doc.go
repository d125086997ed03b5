// Package sharding is arrays split over a mesh of chips: who holds what, what a product of two such arrays needs, and
// the cheapest way to compute it.
//
//	mesh, err := sharding.ParseMesh("X=4, Y=8", nil)
//	sizes, err := sharding.ParseSizes("I=8192, J=4096, K=16384", nil)
//	e, err := sharding.ParseEinsum("A[I_X, J] . B[J, K_Y] -> C[I_X, K_Y]", sizes, mesh)
//	f, err := sharding.OnTorus(mesh, slice.Torus)
//	plan := sharding.NewPlan(e, chip, f, sharding.Options{})
//
// In the order of the files:
//
//  1. parse.go, mesh.go, array.go: the texts, to a [Mesh], [Sizes] and an [Array]. Faults are
//     [Error] values with column and remedy. The notation is that of Austin et al., How To Scale Your Model (2025),
//     part 3.
//  2. array.go: what each chip holds of an array, and how much is copied or padded.
//  3. einsum.go: a product of two arrays ([Einsum]), its indices by role, and which of the four cases it is.
//  4. fabric.go, mesh.go: a mesh laid on hardware ([Fabric]), and what collectives along its axes cost there.
//  5. moves.go, search.go: the moves that change how an array is sharded, and the cheapest way
//     from one layout to every other.
//  6. planner.go, strategy.go: the ways to compute an einsum ([NewPlan]), each with its steps,
//     times and memory, ranked.
//
// The package execute runs a strategy on numbers, chip by chip.
package sharding
