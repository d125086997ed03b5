package sharding

import (
	"math"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/network"
	q "github.com/scalebook/scalebook/app/quantity"
)

// The values are recomputations of the problems of Austin et al., "How To Scale Your Model" (2025), part 3.

// rings is a torus of rings (or lines) with the given one-way bandwidth of a link.
func rings(wrap bool, oneWay q.Bandwidth, sizes ...int) network.Torus {
	var t network.Torus
	for _, n := range sizes {
		t.Axes = append(t.Axes, network.Axis{Size: n, Wrap: wrap, OneWay: oneWay})
	}
	return t
}

func close(got, want float64) bool { return math.Abs(got-want) <= 1e-9*math.Abs(want) }

// planOn plans on a torus, every strategy returned, by the textbook's shortcuts or exactly.
func planOn(t *testing.T, text, sizes, mesh string, torus network.Torus, peak q.FLOPRate, shortcut bool) *Plan {
	t.Helper()
	e := mustEinsum(t, text, sizes, mesh)
	f, err := OnTorus(e.Mesh, torus)
	if err != nil {
		t.Fatal(err)
	}
	return NewPlan(e, Chip{Peak: peak}, f, Options{Shortcut: shortcut, Most: 10000})
}

// named is the strategy with that title.
func named(t *testing.T, p *Plan, title string) *Strategy {
	t.Helper()
	s := p.Named(title)
	if s == nil || s.Title(p.Einsum.Mesh) != title {
		var all []string
		for _, s := range p.Strategies {
			all = append(all, s.Title(p.Einsum.Mesh))
		}
		t.Fatalf(
			"%s has no strategy %q, but %q; it has\n%s",
			p.Einsum,
			title,
			s.Title(p.Einsum.Mesh),
			strings.Join(all, "\n"),
		)
	}
	return s
}

func microseconds(t *testing.T, what string, got q.Seconds, want float64) {
	t.Helper()
	if !close(float64(got)*1e6, want) {
		t.Errorf("%s: %v us, want %v", what, float64(got)*1e6, want)
	}
}

func TestLocalShapes(t *testing.T) {
	for _, c := range []struct {
		what, array, sizes, mesh string
		shape                    string
		local, total             q.Bytes
		copies                   int
	}{
		{"figure: the first example", "A[I_X, J_Y]", "I=4, J=128", "X=2, Y=2", "[2, 64]", 256, 1024, 1},
		{"quiz: two axes on one dimension", "fp32[1024_XY, 4096]", "", "X=8, Y=2", "[64, 4096]", 1 << 20, 1 << 24, 1},
		{"quiz: one axis left", "int8[I_XY, J]", "I=128, J=2048", "X=2, Y=8, Z=2", "[8, 2048]", 16384, 524288, 2},
		{"code: A", "A[I_X, J_Y]", "I=8, J=2048", "X=4, Y=2", "[2, 1024]", 4096, 32768, 1},
		{"code: B", "B[J, K_Y]", "J=2048, K=8192", "X=4, Y=2", "[2048, 4096]", 1 << 24, 1 << 27, 4},
		{"question 1", "A[I_X, J, K]", "I=64, J=8, K=2", "X=4, Y=8, Z=2", "[16, 8, 2]", 512, 32768, 16},
		{"question 7: both matrices of the MLP", "W[D, F_XY]", "D=8192, F=65536", "X=2, Y=2", "[8192, 16384]",
			268435456, 1073741824, 1},
		{"a padded dimension", "int8[10_XY, 3]", "", "X=2, Y=2", "[3, 3]", 9, 36, 1},
		{"an unreduced axis is no copy", "int8[I_X]{U_Y}", "I=8", "X=2, Y=4", "[4]", 4, 32, 1},
	} {
		m := mustMesh(t, c.mesh)
		a, err := ParseArray(c.array, mustSizes(t, c.sizes), m)
		if err != nil {
			t.Errorf("%s: %v", c.what, err)
			continue
		}
		if got := ShapeText(a.LocalShape(m)); got != c.shape || a.LocalBytes(m) != c.local ||
			a.TotalBytes(m) != c.total ||
			a.Replication(m) != c.copies {
			t.Errorf(
				"%s: %s, %v bytes of %v, %d copies; want %s, %v of %v, %d",
				c.what,
				got,
				a.LocalBytes(m),
				a.TotalBytes(m),
				a.Replication(m),
				c.shape,
				c.local,
				c.total,
				c.copies,
			)
		}
		conserves(t, a, m)
	}
}

// TestHeldCoversEverything: counted chip by chip, each element lies on Replication chips.
func TestHeldCoversEverything(t *testing.T) {
	m := mustMesh(t, "X=2, Y=3, Z=2")
	for _, text := range []string{"A[10_XY, 7_Z]", "A[11_YX, 3]", "A[13_ZYX, 2]", "A[12_X, 5_Y]", "A[4, 4]",
		"A[7_Z, 9_YX]"} {
		a, err := ParseArray(text, nil, m)
		if err != nil {
			t.Fatal(err)
		}
		count := map[[2]int]int{}
		for i := range m.Chips() {
			h := a.Held(m, m.Coords(i))
			for x := h[0].From; x < h[0].To; x++ {
				for y := h[1].From; y < h[1].To; y++ {
					count[[2]int{x, y}]++
				}
			}
			for k, r := range h {
				if r.Len() > a.LocalShape(m)[k] || r.Len() < 0 {
					t.Errorf("%s: chip %d holds %v, more than its local shape %v", text, i, r, a.LocalShape(m))
				}
			}
		}
		if len(count) != int(a.Dims[0].Size*a.Dims[1].Size) {
			t.Errorf("%s: only %d elements are held", text, len(count))
		}
		for at, n := range count {
			if n != a.Replication(m) {
				t.Errorf("%s: element %v lies on %d chips, want %d", text, at, n, a.Replication(m))
			}
		}
	}
	a, _ := ParseArray("A[10_XY]", nil, m)
	if w := a.Waste(m); !close(w, 1-10.0/12) {
		t.Errorf("10 elements over 6 chips waste %v", w)
	}
}

func TestCases(t *testing.T) {
	for _, c := range []struct {
		text string
		want Case
	}{
		{"A[I_X, J] . B[J, K_Y] -> C[I_X, K_Y]", Aligned},
		{"A[I, J] . B[J, K] -> C[I, K]", Aligned},
		{"A[I, J_X] . B[J, K] -> C[I, K]", OneSided},
		{"A[I_X, J] . B[J_X, K_Y] -> C[I_X, K_Y]", OneSided},
		{"A[I, J_X] . B[J_Y, K] -> C[I, K]", OneSided},
		{"A[I, J_X] . B[J_X, K] -> C[I, K]", Partial},
		{"A[I_X, J_Y] . B[J_Y, K] -> C[I_X, K]", Partial},
		{"A[I, J_XY] . B[J_YX, K] -> C[I, K]", OneSided},
		{"A[I_X, J] . B[J, K_X] -> C[I_X, K]", Conflict},
		{"A[G_X, I, J] . B[G_X, J, K] -> C[G_X, I, K]", Aligned},
		{"A[G_X, I, J] . B[G, J, K] -> C[G_X, I, K]", Aligned},
		{"A[G_X, I, J] . B[G, J, K_X] -> C[G_X, I, K]", Conflict},
		{"A[I, J]{U_X} . B[J, K] -> C[I, K]", Partial},
		{"A[I, J]{U_X} . B[J, K]{U_X} -> C[I, K]", Conflict},
		{"A[I, J]{U_X} . B[J, K_X] -> C[I, K]", Conflict},
		{"A[I, J_X, L] . B[J, L_X, K] -> C[I, K]", OneSided},
	} {
		e := mustEinsum(t, c.text, "G=8, I=8, J=8, K=8, L=8", "X=2, Y=2")
		got, axes := e.Case()
		if got != c.want {
			t.Errorf("%s is case %d, %v by axis; want %d", c.text, got, axes, c.want)
		}
		p := NewPlan(e, Chip{Peak: 1}, Free(e.Mesh), Options{Most: 10000})
		communicates := true
		for _, s := range p.Strategies {
			communicates = communicates && s.Collectives(e.Mesh) != "none"
		}
		local := strings.Contains(c.text, "-> C[I_X, K_Y]") || strings.Contains(c.text, "-> C[G_X, I, K]") ||
			got == Aligned
		if got == Conflict && !communicates || got == Aligned && communicates && local {
			t.Errorf("%s is case %d, all its strategies communicate: %v", c.text, got, communicates)
		}
	}
}

// TestTheFourCases: what the book says to do is among the strategies, and in case 1 nothing is done.
func TestTheFourCases(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"A[I_X, J] . B[J, K] -> C[I_X, K]", "Einsum"},
		{"A[I, J_X] . B[J, K] -> C[I, K]", "AllGather_X(A), Einsum"},
		{"A[I, J_X] . B[J_X, K] -> C[I, K]", "Einsum, AllReduce_X(C)"},
		{"A[I, J_X] . B[J_X, K] -> C[I, K_X]", "Einsum, ReduceScatter_X(C)"},
		{"A[I_X, J] . B[J, K_X] -> C[I_X, K]", "AllGather_X(B), Einsum"},
		{"A[I_X, J] . B[J, K_X] -> C[I, K_X]", "AllGather_X(A), Einsum"},
	} {
		named(t, planOn(t, c.text, "I=64, J=64, K=64", "X=4", rings(true, 1, 4), 1, false), c.want)
	}
}

func TestHardwareAxes(t *testing.T) {
	m := mustMesh(t, "X=16, Y=4")
	f, err := OnTorus(m, rings(true, 9e10, 4, 4, 4))
	if err != nil || m.Chips() != 64 || len(f.Pieces[0]) != 2 || len(f.Pieces[1]) != 1 {
		t.Fatalf("16 x 4 on 4x4x4: %+v, %v", f, err)
	}
	one, _ := f.price(network.AllGather, 2, 1<<20)
	two, _ := f.price(network.AllGather, 1, 1<<20)
	if !close(float64(one.Shortcut), 2*float64(two.Shortcut)) {
		t.Errorf("an axis over two of the hardware's takes %v, over one %v", two.Shortcut, one.Shortcut)
	}
}
