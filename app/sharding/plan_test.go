package sharding

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/network"
	q "github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/scrap"
)

// TestPlansKeepTheLaws: whatever the einsum, times are ordered, plain strategies don't slice before they communicate,
// memory holds at least what is given and what is multiplied, and the ranking is one.
func TestPlansKeepTheLaws(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	m := mustMesh(t, "X=4, Y=2, Z=2")
	f, err := OnTorus(m, rings(true, 100, 4, 2, 2))
	if err != nil {
		t.Fatal(err)
	}
	tries := 200
	if testing.Short() {
		tries /= 10
	}
	for range tries {
		e := mustEinsum(t, "A[G, I, J] . B[J, K, G] -> C[K, I, G]", "G=16, I=32, J=64, K=16", "X=4, Y=2, Z=2")
		for i := range 3 {
			scatter(r, e.array(i), m, false)
		}
		if slices.Contains(e.C.Unreduced, 0) || len(e.C.Unreduced) > 0 {
			continue
		}
		chip := Chip{
			Peak:   q.FLOPRate(1 + r.Float64()*1e6),
			HBM:    q.Bandwidth(1 + r.Float64()*1e4),
			Memory: q.Bytes(1e4 + r.Float64()*1e5),
		}
		p := NewPlan(e, chip, f, Options{Most: 10000})
		if len(p.Strategies) != p.Found || len(p.Strategies) == 0 {
			t.Fatalf("%d strategies of %d", len(p.Strategies), p.Found)
		}
		for i, s := range p.Strategies {
			lawful(t, e, s)
			if s.Fits != (s.Peak <= chip.Memory) {
				t.Errorf("%s: fits %v with %v of %v", s.Title(m), s.Fits, s.Peak, chip.Memory)
			}
			if i > 0 && s.compare(p.Strategies[i-1]) < 0 {
				t.Errorf("strategy %d stands behind a worse one", i)
			}
		}
	}
}

func lawful(t *testing.T, e *Einsum, s *Strategy) {
	t.Helper()
	m := e.Mesh
	title := s.Title(m)
	if s.Lower() > s.Upper() || s.Upper() > 2*s.Lower()*(1+1e-12) || s.Parallel > s.Comms*(1+1e-12) ||
		s.Shortcut < s.Exact*(1-1e-12) {
		t.Errorf(
			"%s: lower %v, upper %v, at once %v of %v, shortcut %v of exact %v",
			title,
			s.Lower(),
			s.Upper(),
			s.Parallel,
			s.Comms,
			s.Shortcut,
			s.Exact,
		)
	}
	if s.Work < 1-1e-12 || s.Peak < e.A.LocalBytes(m)+e.B.LocalBytes(m) {
		t.Errorf("%s: computed %v times, %v at the most", title, s.Work, s.Peak)
	}
	now := [3]Array{e.A, e.B}
	sliced := [3]bool{}
	for i, step := range s.Steps {
		if i > 0 && step.Operand == inC && step.Kind != Multiply && layoutOf(&now[inC]) != layoutOf(step.From) ||
			step.Operand != inC && layoutOf(&now[step.Operand]) != layoutOf(step.From) {
			t.Errorf("%s: step %s does not begin where the one before ended", title, step.String(m))
		}
		now[step.Operand] = *step.To
		if s.Plain && sliced[step.Operand] && step.Kind <= AllToAll {
			t.Errorf("%s slices before it communicates", title)
		}
		sliced[step.Operand] = sliced[step.Operand] || step.Kind == Slice
	}
	if layoutOf(&now[inC]) != layoutOf(&e.C) {
		t.Errorf("%s ends at %s, wanted %s", title, now[inC].String(m), e.C.String(m))
	}
}

// TestPricesAreTheNetworks holds the linear prices of a fabric to the network's own costs, at every size.
func TestPricesAreTheNetworks(t *testing.T) {
	m := mustMesh(t, "X=4, Y=8, Z=2")
	lat := rings(true, 45e9, 8, 4, 2)
	for i := range lat.Axes {
		lat.Axes[i].Latency = 1e-6
	}
	torus, err := OnTorus(m, lat)
	if err != nil {
		t.Fatal(err)
	}
	cut, err := OnTorus(mustMesh(t, "X=4, Y=8, Z=2"), rings(true, 45e9, 16, 4))
	if err != nil {
		t.Fatal(err)
	}
	sw, err := OnSwitch(m, network.Switch{Devices: 64, Egress: 450e9, Latency: 1e-6})
	if err != nil {
		t.Fatal(err)
	}
	tree, err := OnTree(
		m,
		network.Tree{
			Levels: []network.Level{
				{Name: "node", Degree: 8, Egress: 450e9},
				{Name: "leaf", Degree: 32, Egress: 400e9, Reduces: true},
			},
		},
	)
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, f := range []*Fabric{torus, cut, sw, tree} {
		for mask := uint8(1); mask < 8; mask++ {
			for op := network.AllGather; op <= network.AllToAll; op++ {
				for _, v := range []q.Bytes{1, 1000, 1e6, 3e9} {
					c, err := f.Cost(op, f.axes(mask), v)
					p, ok := f.price(op, mask, v)
					if ok != (err == nil) ||
						ok && (!close(float64(p.Exact), float64(c.Time)) ||
							!close(float64(p.Shortcut), float64(c.Shortcut))) {
						t.Errorf(
							"%v over %v of %v bytes: %v, the network says %v, %v (%v)",
							op,
							f.axes(mask),
							v,
							p,
							c.Time,
							c.Shortcut,
							err,
						)
					}
					compared++
				}
			}
		}
	}
	t.Log(compared, "prices compared")
	if _, ok := tree.price(network.AllGather, 0b101, 1); ok {
		t.Error("a tree offers a collective over axes that are no neighbours")
	}
	if _, err := tree.Group([]int{0, 2}); err == nil || !strings.Contains(err.Error(), "axes XZ are no neighbours") {
		t.Error(err)
	}
}

// TestShardedAxis: reducing over the outer axis of an array that an inner axis splits too gains nothing on a tree of
// switches until the inner axis spans nodes.
func TestShardedAxis(t *testing.T) {
	tree := network.Tree{
		Levels: []network.Level{{Name: "node", Degree: 8, Egress: 450e9}, {Name: "leaf", Degree: 128, Egress: 400e9}},
	}
	base := q.Seconds(0)
	for _, c := range []struct {
		inner string
		want  float64
	}{{"1", 1}, {"4", 1}, {"8", 1}, {"16", 2}, {"64", 8}} {
		m := mustMesh(t, "X=16, Y="+c.inner)
		f, err := OnTree(m, tree)
		if err != nil {
			t.Fatal(err)
		}
		cost, err := f.Cost(network.AllReduce, []int{0}, 1e9/q.Bytes(m.Axes[1].Size))
		if err != nil {
			t.Fatal(err)
		}
		if base == 0 {
			base = cost.Shortcut
		}
		if got := float64(base / cost.Shortcut); !close(got, c.want) {
			t.Errorf("an inner axis of %s speeds the reduction up by %v, want %v", c.inner, got, c.want)
		}
	}
}

// TestSearchIsBounded: what is too large to search wholly is searched in part, quickly, and still finds what stands
// beside the given and the wanted shardings.
func TestSearchIsBounded(t *testing.T) {
	const sizes, mesh = "A=1Ki, B=1Ki, C=1Ki, D=1Ki, E=1Ki, F=1Ki", "U=2, V=2, W=2, X=2, Y=2, Z=2"
	for _, text := range []string{
		"P[A, B, C, D] . Q[C, D, E, F] -> R[A, B, E, F]",
		"P[A_UVW, B_XYZ, C, D] . Q[C_UVW, D_XYZ, E, F] -> R[A_X, B_Y, E_Z, F_UVW]",
		"P[A_UV, B, C, D]{U_WX} . Q[C, D, E, F_YZ] -> R[A, B_ZY, E_UV, F_WX]",
	} {
		p := NewPlan(mustEinsum(t, text, sizes, mesh), Chip{Peak: 1}, Free(mustMesh(t, mesh)), Options{})
		if p.Complete || len(p.Strategies) == 0 || len(p.Strategies) > 32 {
			t.Errorf("%s: complete %v, %d strategies", text, p.Complete, len(p.Strategies))
		}
	}
	p := NewPlan(
		mustEinsum(t, "P[A_U, B, C, D_VWXYZ] . Q[C, D_VWXYZ, E, F] -> R[A_U, B, E, F]", sizes, mesh),
		Chip{Peak: 1},
		Free(mustMesh(t, mesh)),
		Options{},
	)
	if s := p.Named("Einsum, AllReduce_VWXYZ(R)"); s == nil || s.Work != 1 {
		t.Errorf("partial sums over five axes are not found: %v", p.Strategies[0].Title(p.Einsum.Mesh))
	}
	for _, c := range [][4]int{{2, 2, 1, 1 + 4 + 2*3}, {3, 2, 1, 49}, {1, 1, 2, 3}, {0, 3, 1, 1}} {
		if got := arrangements(c[0], c[1], c[2]); got != float64(c[3]) {
			t.Errorf("%d axes at %d dimensions: %v ways, want %d", c[0], c[1], got, c[3])
		}
	}
}

// TestPeakMemory: counted by hand, in bytes of int8 arrays: what is given stays, and each step holds what it reads and
// writes.
func TestPeakMemory(t *testing.T) {
	const sizes = "I=64, J=32, K=16" // A 2048, B 512, C 1024 bytes
	for _, c := range []struct {
		text, title string
		want        q.Bytes
	}{
		{"int8 A[I, J_X] . int8 B[J, K] -> C[I, K]", "AllGather_X(A), Einsum", 512 + 512 + 2048 + 1024},
		{"int8 A[I, J_X] . int8 B[J, K] -> C[I, K]", "Slice_X(B), Einsum, AllReduce_X(C)", 512 + 512 + 128 + 1024},
		{"int8 A[I, J_X] . int8 B[J_X, K] -> C[I_X, K]", "Einsum, ReduceScatter_X(C)", 512 + 128 + 1024 + 256},
		{"int8 A[I_X, J] . int8 B[J, K] -> C[I_X, K]", "Einsum", 512 + 512 + 256},
		{"int8 A[I_X, J] . int8 B[J, K_X] -> fp32 C[I, K]", "AllGather_X(A), AllGather_X(B), Einsum",
			512 + 128 + 2048 + 512 + 4096},
		{"int8 A[I_X, J] . int8 B[J, K] -> C[I, K]", "Einsum, AllGather_X(C)", 512 + 512 + 256 + 1024},
	} {
		p := planOn(t, c.text, sizes, "X=4", rings(true, 1, 4), 1, false)
		if s := named(t, p, c.title); s.Peak != c.want {
			t.Errorf("%s, %s: %v bytes at the most, by hand %v", c.text, c.title, s.Peak, c.want)
		}
	}
	// A chip with too little memory to gather is offered what fits first, slower as it may be.
	e := mustEinsum(t, "int8 A[I, J_X] . int8 B[J, K] -> C[I, K]", "I=64, J=1Mi, K=1Mi", "X=4")
	f, _ := OnTorus(e.Mesh, rings(true, 1e12, 4))
	free := NewPlan(e, Chip{Peak: 1}, f, Options{}).Strategies[0]
	for _, s := range NewPlan(e, Chip{Peak: 1, Memory: free.Peak - 1}, f, Options{}).Strategies[:1] {
		if s.Fits && s.Lower() < free.Lower() || s.Title(e.Mesh) == free.Title(e.Mesh) && s.Fits {
			t.Errorf("with less memory: %s, %v of %v", s.Title(e.Mesh), s.Peak, free.Peak)
		}
	}
}

// priced is a fabric with prices of the test's own.
func priced(m *Mesh, price func(op network.Op, mask uint8) rate) *Fabric {
	f := &Fabric{Mesh: m, kind: onTorus, Pieces: make([][]Piece, len(m.Axes))}
	for op := range f.memory {
		for mask := range f.memory[op] {
			f.memory[op][mask] = price(network.Op(op), uint8(mask))
		}
	}
	return f
}

// prices draws a cost for each collective, those over more axes being cheaper for each byte or not offered.
func prices(r *rand.Rand) func(network.Op, uint8) rate {
	table := map[[2]int]rate{}
	return func(op network.Op, mask uint8) rate {
		key := [2]int{int(op), int(mask)}
		if _, ok := table[key]; !ok {
			per := (0.5 + r.Float64()) / float64(bits.OnesCount8(mask))
			switch op {
			case network.AllReduce:
				per *= 1 + r.Float64()
			case network.AllToAll:
				per *= 0.1 + r.Float64()
			}
			table[key] = rate{perByte: per, shortcut: per * 1.1, latency: r.Float64() * 20, state: 1}
		}
		return table[key]
	}
}

// TestBestIsBestOfAll holds the planner's best equal to the exhaustive search's, on meshes of two and three axes.
func TestBestIsBestOfAll(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	einsums := []string{
		"%s[I, J] . %s[J, K] -> %s[I, K]",
		"%s[G, I, J] . %s[G, J] -> %s[G, I]",
		"%s[I, J, L] . %s[L, J] -> %s[I]",
		"%s[I] . %s[K] -> %s[I, K]",
	}
	compared, most := 0, 72
	if testing.Short() {
		most /= 6
	}
	for compared < most {
		mesh := "X=2, Y=2"
		if compared%4 == 3 {
			mesh = "X=2, Y=4, Z=2"
		}
		m := mustMesh(t, mesh)
		sizes := fmt.Sprintf("G=16, I=%d, J=%d, K=%d, L=16", 16<<r.IntN(5), 16<<r.IntN(5), 16<<r.IntN(5))
		e := mustEinsum(t, fmt.Sprintf(einsums[r.IntN(len(einsums))], "A", "B", "C"), sizes, mesh)
		for i := range 3 {
			scatter(r, e.array(i), m, i == inC)
		}
		price := prices(r)
		chip := Chip{Peak: q.FLOPRate(math.Exp(r.Float64()*8) / 2), HBM: q.Bandwidth(math.Exp(r.Float64() * 6))}
		lower, comms := (&brute{e, price}).best(chip)
		p := NewPlan(e, chip, priced(m, price), Options{Most: 10000})
		if math.IsInf(lower, 1) != (len(p.Strategies) == 0) || !p.Complete {
			t.Fatalf("%s: %d strategies, complete: %v, by hand %v", e, len(p.Strategies), p.Complete, lower)
		}
		compared++
		if len(p.Strategies) == 0 {
			continue
		}
		least := math.Inf(1)
		for _, s := range p.Strategies {
			least = min(least, float64(s.Comms))
		}
		if best := float64(p.Strategies[0].Lower()); math.Abs(best-lower) > 1e-9*lower ||
			math.Abs(least-comms) > 1e-9*comms {
			t.Fatalf(
				"%s: the best takes %v, by hand %v; the least communication is %v, by hand %v\n%s",
				e,
				best,
				lower,
				least,
				comms,
				p.Strategies[0].Title(m),
			)
		}
	}
}

// scatter splits an array at random; of the product a part may be left unreduced.
func scatter(r *rand.Rand, a *Array, m *Mesh, product bool) {
	for _, x := range r.Perm(len(m.Axes)) {
		switch k := r.IntN(len(a.Dims) + 2); {
		case k < len(a.Dims):
			a.Dims[k].Axes = append(a.Dims[k].Axes, x)
		case k == len(a.Dims) && (product || r.IntN(3) == 0):
			a.Unreduced = append(a.Unreduced, x)
		}
	}
	slices.Sort(a.Unreduced)
}

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

// FuzzPlan: whatever einsum on whatever mesh is planned, it ends soon, and every strategy keeps the laws with finite
// numbers.
func FuzzPlan(plain *testing.F) {
	f := scrap.Of(plain)
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
