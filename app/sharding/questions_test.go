package sharding

import (
	"testing"

	q "github.com/scalebook/scalebook/app/quantity"
)

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
	// Where compute time and communication time agree: the dimension that only computing grows with.
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
