package sharding

import (
	"slices"
	"testing"

	"github.com/scalebook/scalebook/app/network"
	q "github.com/scalebook/scalebook/app/quantity"
)

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
	if in.Size != 4 || in.Wrap || in.OneWay != 100 || out.Size != 4 || !out.Wrap || out.OneWay != 25 || all.Size != 16 ||
		!all.Wrap ||
		all.OneWay != 100 {
		t.Errorf("inner %+v, outer %+v, both %+v", in, out, all)
	}
	if f.Apart(1, 2) {
		t.Error("the two parts of a ring share its wires")
	}
}

// linkLoads walks a ring all-gather over every stride-th chip, in all its interleaved rings at once, and counts what
// crosses the busiest wire in one step: an independent way to the bandwidth that cut axes have.
func TestInterleavedRingsShareWires(t *testing.T) {
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
		{"X=4, Y=8", rings(true, 1, 4, 4), "mesh: the mesh has 32 chips, the torus 4x4 has 16; the sizes of the axes must " +
			"multiply to the chips"},
		{"X=4, Y=12", rings(true, 1, 6, 8), "mesh: the mesh X=4, Y=12 cannot be laid on the torus 6x8; sizes must be " +
			"products of its sides, or divide one"},
		{"X=2x8, Y=2", rings(true, 1, 4, 8), "mesh, column 1: axis X=2x8 finds no such axes in the torus 4x8; name sides " +
			"that the torus has, each once"},
	} {
		if _, err := OnTorus(mustMesh(t, c.mesh), c.torus); err == nil || err.Error() != c.want {
			t.Errorf("%s on %s: %v", c.mesh, c.torus.Shape(), err)
		}
	}
	if _, err := OnSwitch(mustMesh(t, "X=16"), network.Switch{Devices: 8, Egress: 1}); err == nil {
		t.Error("16 chips fit 8 devices")
	}
	if _, err := OnTree(mustMesh(t, "X=16"), network.Tree{Levels: []network.Level{{Degree: 8, Egress: 1}}}); err == nil {
		t.Error("16 chips fit a tree of 8")
	}
	f, err := OnTorus(mustMesh(t, "X=8x4, Y=4"), rings(true, 1, 4, 4, 8))
	if err != nil || len(f.Pieces[0]) != 2 || f.Pieces[0][0].Size+f.Pieces[0][1].Size != 12 {
		t.Errorf("X=8x4 on 4x4x8: %+v, %v", f, err)
	}
}
