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
		{"question 7: both matrices of the MLP", "W[D, F_XY]", "D=8192, F=65536", "X=2, Y=2", "[8192, 16384]", 268435456,
			1073741824, 1},
		{"a padded dimension", "int8[10_XY, 3]", "", "X=2, Y=2", "[3, 3]", 9, 36, 1},
		{"an unreduced axis is no copy", "int8[I_X]{U_Y}", "I=8", "X=2, Y=4", "[4]", 4, 32, 1},
	} {
		m := mustMesh(t, c.mesh)
		a, err := ParseArray(c.array, mustSizes(t, c.sizes), m)
		if err != nil {
			t.Errorf("%s: %v", c.what, err)
			continue
		}
		if got := ShapeText(a.LocalShape(m)); got != c.shape || a.LocalBytes(m) != c.local || a.TotalBytes(m) != c.total ||
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
		local := strings.Contains(c.text, "-> C[I_X, K_Y]") || strings.Contains(c.text, "-> C[G_X, I, K]") || got == Aligned
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

func TestQuestion4(t *testing.T) {
	const C, W = 459e12, 180e9
	if C/W != 2550 {
		t.Fatal("the constants are others")
	}
	for _, c := range []struct {
		sizes  string
		t1, t2 float64
	}{
		{"B=1024, D=8192, F=32768", 2982.616177777778, 745.6540444444445},
		{"B=4096, D=8192, F=32768", 4790.900338893246, 2982.616177777778},
		{"B=4096, D=4096, F=16384", 1197.7250847233115, 1491.308088888889},
	} {
		p := planOn(t, "X[B, D] . Y[D_X, F] -> Z[B, F]", c.sizes, "X=4", rings(true, W/2, 4), C, true)
		s1, s2 := named(t, p, "AllGather_X(Y), Einsum"), named(t, p, "Slice_X(X), Einsum, AllReduce_X(Z)")
		microseconds(t, c.sizes+": gather first", s1.Lower(), c.t1)
		microseconds(t, c.sizes+": reduce after", s2.Lower(), c.t2)
		if got := s2.compare(s1) < 0; got != (c.t2 < c.t1) {
			t.Errorf("%s: reducing is ranked first: %v", c.sizes, got)
		}
	}
	// Gathering is bound by communication below a batch of C/W, whatever the widths.
	for _, c := range []struct {
		sizes string
		bound string
	}{{"B=2549, D=8192, F=4096", "communication"}, {"B=2551, D=1024, F=8192", "compute"}} {
		p := planOn(t, "X[B, D] . Y[D_X, F] -> Z[B, F]", c.sizes, "X=4", rings(true, W/2, 4), C, true)
		if s := named(t, p, "AllGather_X(Y), Einsum"); s.Bound() != c.bound {
			t.Errorf("%s: gathering first is bound by %s, want %s", c.sizes, s.Bound(), c.bound)
		}
	}
}

func TestQuestion5(t *testing.T) {
	const sizes, mesh = "I=8192, J=8192, K=8192", "X=4, Y=4, Z=4"
	on := func(text, sizes string) *Plan {
		return planOn(t, text, sizes, mesh, rings(true, 9e10, 4, 4, 4), 459e12, true)
	}
	for _, c := range []struct {
		text, title string
		want        float64
	}{
		{"A[I_XYZ, J] . B[J, K] -> C[I, K]", "Einsum, AllGather_XYZ(C)", 248.55134814814812},
		{"A[I, J] . B[J, K_XYZ] -> C[I, K]", "Einsum, AllGather_XYZ(C)", 248.55134814814812},
		{"A[I, J_XYZ] . B[J_XYZ, K] -> C[I, K]", "Einsum, AllReduce_XYZ(C)", 497.10269629629624},
		{"A[I, J] . B[J, K] -> C[I, K]", "Einsum", 2395.450169446623},
	} {
		s := named(t, on(c.text, sizes), c.title)
		microseconds(t, c.text, s.Lower(), c.want)
		if c.title != "Einsum" {
			microseconds(t, c.text+", computing", s.Math, 37.428908897603485)
		}
	}
	// Copies may be sliced, so the planner finds the best of the four from operands that lie everywhere.
	best := on("A[I, J] . B[J, K] -> C[I, K]", sizes).Strategies[0]
	microseconds(t, "the best of all", best.Lower(), 248.55134814814812)
	for J, want := range map[string]bool{"840": true, "860": false} {
		p := on("A[I, J] . B[J, K] -> C[I, K]", "I=8192, K=8192, J="+J)
		if got := p.Strategies[0].Title(p.Einsum.Mesh) == "Einsum"; got != want {
			t.Errorf("J = %s: computing everything everywhere is best: %v; the switch is at C/(3W) = 850", J, got)
		}
	}
}

func TestQuestion6(t *testing.T) {
	const C, W1, sizes, mesh = 197e12, 45e9, "I=8192, J=8192, K=8192", "X=4, Y=4"
	for _, c := range []struct {
		text, title                string
		line, lineShortcut, bidirY float64
	}{
		{"A[I_X, J_Y] . B[J_Y, K] -> C[I_X, K]", "Einsum, AllReduce_Y(C)", 1118.4810666666667, 1491.3080888888889,
			745.6540444444445},
		{"A[I_X, J] . B[J_X, K_Y] -> C[I_X, K_Y]", "AllGather_X(B), Einsum", 559.2405333333334, 745.6540444444445,
			372.82702222222224},
		{"A[I_X, J] . B[J, K_Y] -> C[I_X, K_Y]", "Einsum", 0, 0, 0},
	} {
		s := named(t, planOn(t, c.text, sizes, mesh, rings(false, W1, 4, 4), C, false), c.title)
		microseconds(t, c.text+", computing", s.Math, 348.8298311472081)
		microseconds(t, c.text+", lines, exactly", s.Exact, c.line)
		microseconds(t, c.text+", lines, shortcut", s.Shortcut, c.lineShortcut)
		microseconds(
			t,
			c.text+", rings, shortcut",
			named(t, planOn(t, c.text, sizes, mesh, rings(true, W1, 4, 4), C, true), c.title).Comms,
			c.bidirY,
		)
	}
	// Where the two clocks agree: the dimension that only computing grows with.
	for _, c := range []struct {
		text, title, dim string
		wrap             bool
		crit             float64
	}{
		{"A[I_X, J_Y] . B[J_Y, K] -> C[I_X, K]", "Einsum, AllReduce_Y(C)", "J", false, 35022.22222222222},
		{"A[I_X, J_Y] . B[J_Y, K] -> C[I_X, K]", "Einsum, AllReduce_Y(C)", "J", true, 17511.11111111111},
		{"A[I_X, J] . B[J_X, K_Y] -> C[I_X, K_Y]", "AllGather_X(B), Einsum", "I", true, 8755.555555555555},
		{"A[I_X, J] . B[J_X, K_Y] -> C[I_X, K_Y]", "AllGather_X(B), Einsum", "I", false, 17511.11111111111},
	} {
		s := named(t, planOn(t, c.text, sizes, mesh, rings(c.wrap, W1, 4, 4), C, true), c.title)
		if got := 8192 * float64(s.Comms) / float64(s.Math); !close(got, c.crit) {
			t.Errorf("%s, rings %v: computing takes as long at %s = %v, want %v", c.text, c.wrap, c.dim, got, c.crit)
		}
	}
}

func TestQuestion7(t *testing.T) {
	const sizes, mesh, C = "B=128, D=8192, F=32768", "X=2, Y=2", 197e12
	torus := rings(false, 45e9, 2, 2)
	up := named(t, planOn(t, "In[B, D] . Win[D, F_XY] -> H[B, F_XY]", sizes, mesh, torus, C, true), "Einsum")
	down := named(
		t,
		planOn(t, "H[B, F_XY] . Wout[F_XY, D] -> Out[B, D]", sizes, mesh, torus, C, true),
		"Einsum, AllReduce_XY(Out)",
	)
	microseconds(t, "computing", up.Math+down.Math, 174.41491557360405)
	microseconds(t, "reducing the output over both axes", down.Comms, 46.60337777777778)
	m := mustMesh(t, mesh)
	w := q.Bytes(0)
	for _, text := range []string{"W[D, F_XY]", "W[F_XY, D]"} {
		a, _ := ParseArray(text, mustSizes(t, sizes), m)
		w += a.LocalBytes(m)
	}
	if w != 268435456 || w > 300e6 || 2*w < 300e6 {
		t.Errorf("a chip holds %v bytes of weights", w)
	}
	microseconds(t, "reading them", w.Over(8.1e11), 331.4017975308642)
}

func TestQuestion9(t *testing.T) {
	e := mustEinsum(t, "A[N, M_X] . B[M, K] -> C[N, K_X]", "N=1024, M=8192, K=2048", "X=4")
	p := planOn(t, e.String(), "N=1024, M=8192, K=2048", "X=4", rings(true, 45e9, 4), 1e15, false)
	gather, scatter := named(
		t,
		p,
		"AllGather_X(A), Slice_X(B), Einsum",
	), named(
		t,
		p,
		"Slice_X(B), Einsum, ReduceScatter_X(C)",
	)
	if r := float64(gather.Comms / scatter.Comms); !close(r, 4) {
		t.Errorf("gathering A takes %v times as long as scattering C, want M/K = 4", r)
	}
	a, _ := ParseArray("A[8, 16_X]", nil, e.Mesh)
	if got := a.LocalShape(e.Mesh)[1]; got != 4 {
		t.Errorf("a chip holds %d of 16 contracting indices", got)
	}
}

func TestGatherInputsOrOutput(t *testing.T) {
	p := planOn(
		t,
		"A[I_X, J] . B[J, K_Y] -> C[I, K]",
		"I=1024, J=8192, K=8192",
		"X=4, Y=4",
		rings(true, 45e9, 4, 4),
		1e15,
		true,
	)
	microseconds(
		t,
		"both inputs at once",
		named(t, p, "AllGather_X(A), AllGather_Y(B), Einsum").Parallel,
		1491.308088888889,
	)
	microseconds(t, "the output", named(t, p, "Einsum, AllGather_XY(C)").Comms, 93.20675555555556)
}
