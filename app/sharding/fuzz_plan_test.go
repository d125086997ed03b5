package sharding

import (
	"math"
	"testing"

	"github.com/scalebook/scalebook/app/hardware"
)

// FuzzPlan: whatever einsum on whatever mesh is planned, it ends soon, and every strategy keeps the laws with finite
// numbers.
func FuzzPlan(f *testing.F) {
	f.Add("A[I_X, J] . B[J, K_Y] -> C[I_X, K_Y]", "I=64, J=32, K=16", "X=4, Y=4", "tpu.v5e")
	f.Add("A[I, J_X]{U_Y} . B[J_X, K] -> C[I_XY, K]", "I=63, J=33, K=16", "X=4, Y=2", "gpu.h100")
	f.Add(
		"A[G_X, I, J_Z] . B[G, J, K_Y] -> C[G_X, K, I_ZY]",
		"G=8, I=63, J=33, K=17",
		"X=4, Y=16, Z=4 on 16x16",
		"tpu.v5e",
	)
	f.Add("A[I_UVWXYZ] . B[K] -> C[I, K_UVWXYZ]", "I=64, K=999999999999", "U=2,V=2,W=2,X=2,Y=2,Z=2 on rings", "tpu.v5p")
	f.Add("A[I_X] . B[K] -> C[I, K_X]{U_Y}", "I=300, K=512", "X=256, Y=2", "gpu.h100")
	f.Fuzz(func(t *testing.T, text, sizes, mesh, chip string) {
		m, err := ParseMesh(mesh, nil)
		if err != nil {
			return
		}
		s, err := ParseSizes(sizes, nil)
		if err != nil {
			return
		}
		e, err := ParseEinsum(text, s, m)
		if err != nil {
			return
		}
		a, err := hardware.Catalog().Get(chip)
		if err != nil {
			return
		}
		fabric, err := On(m, a)
		if err != nil {
			return
		}
		p := NewPlan(e, Chip{Peak: 1e14, HBM: 1e12}, fabric, Options{Most: 8})
		for _, s := range p.Strategies {
			lawful(t, e, s)
			for _, v := range []float64{float64(s.Upper()), float64(s.Parallel), float64(s.Shortcut), float64(s.Peak),
				float64(s.Received), s.Work} {
				if math.IsNaN(v) || math.IsInf(v, 0) || v < 0 {
					t.Errorf("%s: %s has a number %v", e, s.Title(m), v)
				}
			}
		}
	})
}
