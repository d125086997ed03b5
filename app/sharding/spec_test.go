package sharding

import (
	"slices"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/network"
	q "github.com/scalebook/scalebook/app/quantity"
)

// TestWithSpecs writes specs into arrays as JAX reads them.
func TestWithSpecs(t *testing.T) {
	for _, c := range []struct {
		text  string
		specs []string
		want  string
	}{
		{"A[I, J]", []string{"P('X', 'Y')"}, "A[I_X, J_Y]"},
		{"bf16 A[I,J]", []string{`P("X", None)`}, "bf16 A[I_X, J]"},
		{"A[I, J]", []string{"P(('X', 'Y'),)"}, "A[I_{X,Y}, J]"},
		{"A[I, J]", []string{"jax.P(None, 'model')"}, "A[I, J_model]"},
		{"A[I, J]", []string{" P( ) "}, "A[I, J]"},
		{"A[I, J] . B[J, K] -> C[I, K]", []string{"P('X')", "P()", "P('X', None)"}, "A[I_X, J] . B[J, K] -> C[I_X, K]"},
		{"A[I] . B[I] -> C[]", []string{"P('X')"}, "A[I_X] . B[I] -> C[]"},
	} {
		got, err := WithSpecs(c.text, c.specs...)
		if err != nil || got != c.want {
			t.Errorf("%s with %s: %q (%v), want %q", c.text, c.specs, got, err, c.want)
		}
	}
}

// TestSpecFaults says what is wrong, and where.
func TestSpecFaults(t *testing.T) {
	for text, want := range map[string]string{
		"":                  "spec, column 1: the text ends",
		"X":                 "spec, column 1: `X` stands",
		"P(X)":              "spec, column 3: `X` stands",
		"P('X' 'Y')":        "spec, column 7: `'` stands",
		"P('X', 'Y', None)": "the spec has 3 entries, the array 2",
		"P('X)":             "spec, column 5: `)` stands",
		"P('X', 'Y') + 1":   "spec, column 13: `+` stands",
		"P(())":             "",
	} {
		_, err := WithSpecs("A[I, J]", text)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	if _, err := WithSpecs("A[I, J]", "P()", "P()"); err == nil {
		t.Error("two specs were written into one array")
	}
}

// TestSchemesMoveWhatTheySay: an array that a collective brings changed its shards or its sums, and the message names
// the axis over which it did.
func TestSchemesMoveWhatTheySay(t *testing.T) {
	for _, id := range []string{"dp", "fsdp", "tp", "mixed", "ep", "cp"} {
		s, err := ReadScheme(id)
		if err != nil || len(s.Steps) < 4 || s.Mesh.Chips() != 4 {
			t.Fatalf("%s: %v, %v", id, s, err)
		}
		held := map[string]SchemeArray{}
		for i, step := range s.Steps {
			for _, a := range step.Arrays {
				before, known := held[a.Name]
				if i > 0 && known && before.Text == a.Text && a.Message != "" && a.Name[0] != 'd' {
					t.Errorf("%s, step %d: %s was there already", id, i+1, a.Text)
				}
				held[a.Name] = a
			}
		}
	}
	if _, err := ReadScheme("none"); err == nil {
		t.Error("there is a scheme none")
	}
}

// TestSchemesGatherOverTheAxisThatIsGone: an array after an all-gather or an all-reduce over an axis names it no
// longer; after a reduce-scatter it does.
func TestSchemesGatherOverTheAxisThatIsGone(t *testing.T) {
	for _, id := range []string{"dp", "fsdp", "tp", "mixed", "ep", "cp"} {
		s, _ := ReadScheme(id)
		for _, step := range s.Steps {
			for _, a := range step.Arrays {
				if a.Message == "" {
					continue
				}
				axis := s.Mesh.Find(a.Message[len(a.Message)-1:])
				scattered := a.Message[0] == 'r' || a.Message[:8] == "all-to-a"
				if axis < 0 || a.uses(axis) != scattered {
					t.Errorf("%s: %s after an %s", id, a.Text, a.Message)
				}
			}
		}
	}
}

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

// TestCutAxes: of a ring cut in two, the inner axis is a line of neighbours, and the rings of the outer one share the
// wires.
func TestCutAxes(t *testing.T) {
	f, err := OnTorus(mustMesh(t, "X=4, Y=4"), rings(true, 100, 16))
	if err != nil || f.Note == nil {
		t.Fatal(err)
	}
	inner, _ := f.Group([]int{1})
	outer, _ := f.Group([]int{0})
	both, _ := f.Group([]int{0, 1})
	in, out, all := inner.(network.Torus).Axes[0], outer.(network.Torus).Axes[0], both.(network.Torus).Axes[0]
	if in.Size != 4 || in.Wrap || in.OneWay != 100 || out.Size != 4 || !out.Wrap || out.OneWay != 25 ||
		all.Size != 16 ||
		!all.Wrap ||
		all.OneWay != 100 {
		t.Errorf("inner %+v, outer %+v, both %+v", in, out, all)
	}
	if f.Apart(1, 2) {
		t.Error("the two parts of a ring share its wires")
	}
}

// linkLoads walks a ring all-gather over every stride-th chip, in all its interleaved rings at once, and counts what
// crosses the busiest link in one step: an independent way to the bandwidth that cut axes have.
func TestInterleavedRingsShareLinks(t *testing.T) {
	for _, c := range [][2]int{{16, 4}, {12, 3}, {16, 1}, {8, 2}} {
		n, stride := c[0], c[1]
		load := make([]int, n)
		for chip := range n { // each sends one piece to the chip stride further on
			for k := range stride {
				load[(chip+k)%n]++
			}
		}
		if most := slices.Max(load); most != stride {
			t.Errorf("ring of %d, every %d-th: %d pieces over one wire, want %d", n, stride, most, stride)
		}
		f, err := OnTorus(mustMesh(t, "X="+itoa(n/stride)+", Y="+itoa(stride)), rings(true, 60, n))
		if err != nil {
			t.Fatal(err)
		}
		g, _ := f.Group([]int{0})
		if got := g.(network.Torus).Axes[0].OneWay; got != q.Bandwidth(60/stride) {
			t.Errorf("ring of %d, every %d-th: %v each", n, stride, got)
		}
	}
}

func itoa(n int) string { return ShapeText([]int{n})[1 : len(ShapeText([]int{n}))-1] }

func TestMeshesThatDoNotFit(t *testing.T) {
	for _, c := range []struct {
		mesh  string
		torus network.Torus
		want  string
	}{
		{"X=4, Y=8", rings(true, 1, 4, 4), "mesh: the mesh has 32 chips, the torus 4x4 has 16; the sizes of the " +
			"axes must multiply to the chips"},
		{"X=4, Y=12", rings(true, 1, 6, 8), "mesh: the mesh X=4, Y=12 cannot be laid on the torus 6x8; sizes must be " +
			"products of its sides, or divide one"},
		{"X=2x8, Y=2", rings(true, 1, 4, 8), "mesh, column 1: axis X=2x8 finds no such axes in the torus 4x8; " +
			"name sides that the torus has, each once"},
	} {
		if _, err := OnTorus(mustMesh(t, c.mesh), c.torus); err == nil || err.Error() != c.want {
			t.Errorf("%s on %s: %v", c.mesh, c.torus.Shape(), err)
		}
	}
	if _, err := OnSwitch(mustMesh(t, "X=16"), network.Switch{Devices: 8, Egress: 1}); err == nil {
		t.Error("16 chips fit 8 devices")
	}
	if _, err := OnTree(mustMesh(t, "X=16"), network.Tree{Levels: []network.Level{{Degree: 8,
		Egress: 1}}}); err == nil {
		t.Error("16 chips fit a tree of 8")
	}
	f, err := OnTorus(mustMesh(t, "X=8x4, Y=4"), rings(true, 1, 4, 4, 8))
	if err != nil || len(f.Pieces[0]) != 2 || f.Pieces[0][0].Size+f.Pieces[0][1].Size != 12 {
		t.Errorf("X=8x4 on 4x4x8: %+v, %v", f, err)
	}
}
