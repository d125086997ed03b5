package sharding

import (
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/hardware"
)

func TestMeshesOnChips(t *testing.T) {
	for _, c := range []struct {
		mesh, chip string
		want       string // what the hardware is, or the error
	}{
		{"X=4, Y=4", "tpu.v5e", "4x4"},
		{"X=4, Y=4", "tpu.v5p", "TPU v5p has no slice 4x4x1"},
		{"X=4, Y=4, Z=4", "tpu.v5p", "4x4x4"},
		{"X=16, Y=4 on 4x4x4", "tpu.v5p", "4x4x4"},
		{"X=4x4, Y=4 on 4x4x4", "tpu.v5p", "4x4x4"},
		{"X=16, Y=4", "tpu.v5e", "TPU v5e has no slice 16x4"},
		{"X=4 on rings", "tpu.v5p", "4"},
		{"X=16, Y=4 on 8x8 lines", "tpu.v5e", "8x8"},
		{"X=8", "gpu.h100", "switch"},
		{"X=2, Y=4", "gpu.h100", "switch"},
		{"X=16", "gpu.h100", "tree"},
		{"X=32, Y=8", "gpu.h100", "tree"},
		{"X=16", "gpu.a100", "mesh: the mesh has 16 chips, which do not fit 8 devices of the switch"},
		{"X=1024, Y=1024", "gpu.h100", "mesh: the mesh has 1048576 chips, which do not fit 1024 devices of the tree"},
		{"X=4, Y=4 on 4x5", "tpu.v5e", "mesh, column 13: TPU v5e has no slice 4x5"},
		{"X=4 on 4 ringos", "tpu.v5e", "mesh, column 14: `o` stands where the end should be"},
		{"X=4 on 4x", "tpu.v5e", "mesh, column 10: the text ends where a size should be"},
		{"X=4 on rings", "gpu.h100", "H100 SXM 80 GB is not joined in a torus; leave out on rings"},
	} {
		chip, err := hardware.Catalog().Get(c.chip)
		if err != nil {
			t.Fatal(err)
		}
		f, err := On(mustMesh(t, c.mesh), chip)
		got := ""
		switch {
		case err != nil:
			got = err.Error()
		case f.kind == onTorus:
			got = f.torus.Shape()
		case f.kind == onSwitch:
			got = "switch"
		case f.kind == onTree:
			got = "tree"
		}
		if err == nil && got != c.want || !strings.Contains(got, c.want) {
			t.Errorf("%s of %s: %s; want %s", c.mesh, c.chip, got, c.want)
		}
	}
}

// TestEveryChipHasItsPlace: a mesh laid on a torus uses every chip once, and neighbours of a mesh axis that has one
// whole hardware axis are neighbours there.
func TestEveryChipHasItsPlace(t *testing.T) {
	for _, c := range []struct {
		mesh  string
		shape []int
		laid  string
	}{
		{"X=16, Y=4", []int{4, 4, 4}, "X: 4x4, Y: a ring of 4"},
		{"X=4, Y=4", []int{16}, "X: a ring of 4, Y: a line of 4"},
		{"X=8, Y=2, Z=16", []int{16, 16}, "X: a ring of 8, Y: a line of 2, Z: a ring of 16"},
		{"X=2, Y=32, Z=4", []int{16, 16}, "X: a ring of 2, Y: 8x4, Z: a line of 4"},
	} {
		m := mustMesh(t, c.mesh)
		f, err := OnTorus(m, rings(true, 1, c.shape...))
		if err != nil {
			t.Errorf("%s on %v: %v", c.mesh, c.shape, err)
			continue
		}
		if got := f.Laid().String(); got != c.laid {
			t.Errorf("%s on %v is laid %s, want %s", c.mesh, c.shape, got, c.laid)
		}
		torus, _ := f.Torus()
		seen := map[string]bool{}
		for i := range m.Chips() {
			at := f.TorusCoords(m.Coords(i))
			for k, x := range at {
				if x < 0 || x >= torus.Axes[k].Size {
					t.Fatalf("%s on %v: chip %d stands at %v", c.mesh, c.shape, i, at)
				}
			}
			seen[ShapeText(at)] = true
		}
		if len(seen) != m.Chips() {
			t.Errorf("%s on %v: %d chips stand at %d places", c.mesh, c.shape, m.Chips(), len(seen))
		}
	}
}
