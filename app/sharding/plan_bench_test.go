package sharding

import (
	"testing"
)

func benchmarkPlan(b *testing.B, text, sizes, mesh string, shape ...int) {
	e := mustEinsum(b, text, sizes, mesh)
	for b.Loop() {
		f, err := OnTorus(e.Mesh, rings(true, 45e9, shape...))
		if err != nil {
			b.Fatal(err)
		}
		p := NewPlan(e, Chip{Peak: 197e12, HBM: 819e9}, f, Options{})
		if !p.Complete {
			b.Fatal("not complete")
		}
	}
}

func BenchmarkPlanOneAxis(b *testing.B) {
	benchmarkPlan(b, "A[I_X, J] . B[J, K] -> C[I_X, K]", "I=8k, J=8k, K=8k", "X=4", 4)
}

func BenchmarkPlanTwoAxes(b *testing.B) {
	benchmarkPlan(b, "A[I_X, J] . B[J, K_Y] -> C[I_X, K_Y]", "I=8k, J=8k, K=8k", "X=4, Y=4", 4, 4)
}

func BenchmarkPlanThreeAxes(b *testing.B) {
	benchmarkPlan(b, "A[I_X, J_Z] . B[J, K_Y] -> C[I_X, K_Y]", "I=8k, J=8k, K=8k", "X=4, Y=4, Z=4", 4, 4, 4)
}

func BenchmarkPlanAttention(b *testing.B) {
	benchmarkPlan(
		b,
		"Q[B_X, T, N_Y, H] . K[B_X, S, N_Y, H] -> S[B_X, N_Y, T, S_Z]",
		"B=64, T=4k, S=4k, N=64, H=128",
		"X=4, Y=4, Z=4",
		4,
		4,
		4,
	)
}

func BenchmarkPlanSixAxes(b *testing.B) {
	e := mustEinsum(
		b,
		"P[A_UVW, B_XYZ, C, D] . Q[C_UVW, D_XYZ, E, F] -> R[A_X, B_Y, E_Z, F_UVW]",
		"A=1k, B=1k, C=1k, D=1k, E=1k, F=1k",
		"U=2, V=2, W=2, X=2, Y=2, Z=2",
	)
	for b.Loop() {
		NewPlan(e, Chip{Peak: 197e12, HBM: 819e9}, Free(e.Mesh), Options{})
	}
}

func BenchmarkPlanFourAxes(b *testing.B) {
	benchmarkPlan(b, "A[I_XW, J_Z] . B[J, K_Y] -> C[I_X, K_YW]", "I=8k, J=8k, K=8k", "X=4, Y=4, Z=4, W=4", 4, 4, 4, 4)
}
