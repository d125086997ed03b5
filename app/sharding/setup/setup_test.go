package setup

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sharding"
	"github.com/scalebook/scalebook/app/sharding/execute"
)

// given is what the book begins with, on a chip.
func given(t testing.TB, chip string) Given {
	t.Helper()
	a, err := hardware.Catalog().Get(chip)
	if err != nil {
		t.Fatal(err)
	}
	return Given{Product: "A[I_X, J] . B[J_X, K] -> C[I_X, K]", Mesh: "X=4", Chip: a, Topology: Rings, DType: "bf16"}
}

func taken(t testing.TB, g Given) *Setup {
	t.Helper()
	s, err := New(g)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func near(a, b float64) bool { return a == b || math.Abs(a/b-1) < 1e-9 }

// Every example is what its name says: the case, and the collectives of the textbook's recipe. It passes for what it
// is, and every way to compute it, carried out on numbers, gives the product.
func TestExamples(t *testing.T) {
	want := map[string]string{
		"case1": "1 none", "case2": "2", "case3": "3", "case4": "4", "dp": "1 none", "dpgrad": "3 AllReduce_X(dW)",
		"fsdp": "2 AllGather_X(W)", "fsdpgrad": "3 ReduceScatter_X(dW)", "mlpin": "2 AllGather_Y(In)",
		"mlpout": "3 ReduceScatter_Y(Out)", "megatron": "3 AllReduce_Y(Out)", "sequence": "4",
		"experts": "4 AllToAll_X(In)", "heads": "1 none",
	}
	if len(Examples()) != len(want) {
		t.Error(len(Examples()), "examples")
	}
	for _, x := range Examples() {
		g := given(t, "tpu.v5p")
		g.Product, g.Mesh, g.Sizes = x.Product, x.Mesh, x.Sizes
		s := taken(t, g)
		if len(s.Notes) > 0 || !x.Is(s) {
			t.Errorf("%s: %q is not taken for it: %v", x.ID, s.Text, s.Notes)
		}
		ways := s.Ways(false)
		got := string(rune('0' + ways[0].Plan.Case))
		if strings.Contains(want[x.ID], " ") {
			got += " " + ways[0].Collectives(s.Mesh)
		}
		if got != want[x.ID] {
			t.Errorf("%s: %s, not %s", x.ID, got, want[x.ID])
		}
		for _, w := range ways {
			if trial, err := execute.Try(s.Einsum, w.Steps); err != nil || !trial.Equal || trial.Count == 0 {
				t.Errorf("%s, %s: %+v, %v", x.ID, w.Name(), trial, err)
			}
		}
	}
}

// All numbers are the planner's.
func TestNumbersAreThePlanners(t *testing.T) {
	for _, c := range []struct{ chip, mesh, topology, product, dtype string }{
		{"tpu.v5p", "X=4, Y=8", Rings, "A[I_X, J_Y] . B[J_Y, K] -> C[I_X, K]", "bf16"},
		{"tpu.v5e", "X=4, Y=4", Pod, "A[I, J_X] . B[J_Y, K] -> C[I_X, K_Y]", "int8"},
		{"tpu.v5p", "X=16, Y=4 on 4x4x4", Pod, "A[I_X, J] . B[J_X, K_Y] -> C[I_X, K]", "bf16"},
		{"gpu.h100", "X=8", Pod, "A[I, J_X] . B[J_X, K] -> C[I, K]", "fp8"},
		{"gpu.h100", "X=4, Y=8", Pod, "A[I_X, J_Y] . B[J_Y, K] -> C[I_X, K]", "bf16"},
	} {
		g := given(t, c.chip)
		g.Product, g.Mesh, g.Topology, g.DType = c.product, c.mesh, c.topology, c.dtype
		g.Sizes = sharding.Sizes{{Name: "I", Value: 1024}, {Name: "J", Value: 4096}}
		s := taken(t, g)
		mesh := c.mesh
		if c.topology == Rings {
			mesh += " on rings"
		}
		m, err := sharding.ParseMesh(mesh, nil)
		if err != nil {
			t.Fatal(err)
		}
		typed := strings.NewReplacer("A[", c.dtype+" A[", "B[", c.dtype+" B[").Replace(c.product)
		sizes := sharding.Sizes{{Name: "I", Value: 1024}, {Name: "J", Value: 4096}, {Name: "K", Value: FirstSize}}
		e, err := sharding.ParseEinsum(typed, sizes, m)
		if err != nil {
			t.Fatal(err)
		}
		f, err := sharding.On(m, g.Chip)
		if err != nil {
			t.Fatal(err)
		}
		peak, _ := g.Chip.Peak(c.dtype)
		hbm, _ := g.Chip.Get("hbm_bandwidth")
		capacity, _ := g.Chip.Get("hbm")
		chip := sharding.Chip{Peak: quantity.FLOPRate(peak.Value.Value), HBM: quantity.Bandwidth(hbm.Value.Value),
			Memory: quantity.Bytes(capacity.Value.Value)}
		best, got := sharding.NewPlan(e, chip, f, sharding.Options{}).Strategies[0], s.Ways(false)[0]
		if !near(float64(got.Lower()), float64(best.Lower())) || !near(float64(got.Upper()), float64(best.Upper())) ||
			!near(float64(got.Shortcut), float64(best.Shortcut)) || got.Peak != best.Peak ||
			got.Name() != best.Title(m) {
			t.Errorf("%s, %s: %+v, not %+v", c.chip, c.product, got.Strategy, best)
		}
	}
}

// A product that the mesh can't split is taken as far as it can be, and said to be; one that can't be read is refused
// with its place.
func TestTakenAsFarAsItGoes(t *testing.T) {
	g := given(t, "tpu.v5p")
	g.Mesh, g.Product = "Y=8", "A[I_XY, J] . B[J_Y, K] -> C[I_Y, K_X]"
	s := taken(t, g)
	if s.Text != "A[I_Y, J] . B[J_Y, K] -> C[I_Y, K]" || len(s.Notes) != 1 {
		t.Error(s.Text, s.Notes)
	}
	g.Product, g.Sizes = "A[I_Y, J] . B[J, K] -> C[I_Y, K]", sharding.Sizes{{Name: "I", Value: 4}}
	if s = taken(t, g); len(s.Notes) != 1 || !strings.Contains(s.Notes[0].String(), "cannot be split") {
		t.Error(s.Text, s.Notes)
	}
	g.Product, g.Sizes = "A[I_Y", nil
	if _, err := New(g); err == nil || !strings.Contains(err.Error(), "column 6") {
		t.Error(err)
	}
	g.Mesh, g.Product, g.Sizes = "X=4, Y=4", "A[I_X, J] . B[J_Q, K] -> C[I_X, K]", nil
	s = taken(t, g)
	if said := s.Notes[0].String(); !strings.Contains(said, "column 17: ") || !strings.Contains(said, "it has X, Y") {
		t.Error(s.Notes)
	}
	if err := ProductFault(g.Product, g.Mesh); err != nil {
		t.Error("something can be made of it:", err)
	}
	err := ProductFault("A[I_X, J . B[J, K] -> C[I_X, K]", "X=4, Y=4")
	if err == nil || !strings.HasPrefix(err.Error(), "column 10: ") {
		t.Error(err)
	}
	if ProductFault("A[I_X, J] . B[J, K] -> C[I_X, K]", "X=4") != nil || MeshFault("X=4 on 4x4x") == nil ||
		SizesFault("Dff=28672") != nil || SizesFault("Dff=") == nil {
		t.Error("faults where there are none, or none where there are")
	}
}

// A mesh that no pod has is still laid, on links of its own, and said to be.
func TestNoSuchSlice(t *testing.T) {
	g := given(t, "tpu.v5e")
	g.Mesh, g.Topology = "X=4, Y=4, Z=4", Pod
	s := taken(t, g)
	if len(s.Notes) != 1 || !strings.Contains(s.Notes[0].String(), "ring of its own") || !(s.Ways(false)[0].Comms > 0) {
		t.Error(s.Notes)
	}
}

// Meshes of up to six axes are planned and run, and a search that was cut short says so.
func TestManyAxes(t *testing.T) {
	g := given(t, "tpu.v5p")
	g.Mesh, g.Product = "X=2, Y=2, Z=2, W=2, V=2, T=4", "A[B_X, I, J_YT] . B[B, J_Z, K_WV] -> C[B, I_X, K_YT]"
	s := taken(t, g)
	w := s.Ways(false)[0]
	if trial, err := execute.Try(s.Einsum, w.Steps); err != nil || !trial.Equal {
		t.Error(trial, err)
	}
	if !strings.Contains(w.Rank().String(), "cut short") {
		t.Error(w.Rank())
	}
	if MeshFault("X=2, Y=2, Z=2, W=2, V=2, T=4, S=2") == nil {
		t.Error("seven axes")
	}
}

func TestSizeNames(t *testing.T) {
	for dim, want := range map[string]string{"I": "size_i", "i": "size__i", "Dff": "size_d_f_f", "B2": "size_b2"} {
		if got := SizeName(dim); got != want {
			t.Errorf("%s: %s, not %s", dim, got, want)
		}
	}
}

func FuzzProduct(f *testing.F) {
	for _, x := range Examples() {
		f.Add(x.Product, x.Mesh)
	}
	f.Add("A[I_{X,Y}; J]{U_Z} × B[J, K]→C[I]", "data=2, X=4 on 4x2 lines")
	f.Fuzz(func(t *testing.T, product, mesh string) {
		g := given(t, "tpu.v5p")
		g.Product, g.Mesh = product, mesh
		fault := ProductFault(product, mesh)
		s, err := New(g)
		if err != nil {
			return
		}
		if fault == nil && len(s.Notes) == 0 && s.Text != product {
			t.Errorf("%q became %q", product, s.Text)
		}
		for _, p := range s.Splits() {
			for _, c := range p.Choices {
				if _, err := sharding.ParseEinsum(c.Product, s.Sizes, s.Mesh); err != nil {
					t.Errorf("%q is offered: %v", c.Product, err)
				}
			}
		}
	})
}

// shows is what the choices of each dimension show.
func shows(s *Setup) []string {
	var all []string
	for _, p := range s.Splits() {
		now := "nothing"
		for _, c := range p.Choices {
			if c.Now {
				now = c.Name
			}
		}
		all = append(all, p.Says.String()+" "+now)
	}
	return all
}

// Choices and text stay in step: whatever is chosen, the text says it, and whatever the text says, the choices show it.
func TestChoicesAndTextInStep(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	turns := 100
	if testing.Short() {
		turns /= 10
	}
	for _, start := range []string{"A[I_X, J] . B[J_X, K] -> C[I_X, K]",
		"int8 A[I_X, J_Y]*fp8 W_in[J, K_YZ] → Out[I,K]{U_Z}", "[Bq_XY, T, D] @ [D, F] => [Bq, T, F]"} {
		g := given(t, "tpu.v5p")
		g.Mesh, g.Product = "X=2, Y=4, Z=2", start
		s := taken(t, g)
		for range turns {
			splits := s.Splits()
			i := r.IntN(len(splits))
			c := splits[i].Choices[r.IntN(len(splits[i].Choices))]
			g.Product = c.Product
			if s = taken(t, g); len(s.Notes) > 0 {
				t.Fatalf("%s offered for %s is not taken as it is: %v", c.Name, splits[i].Says, s.Notes)
			}
			if want := splits[i].Says.String() + " " + c.Name; !slices.Contains(shows(s), want) && c.Name != "–" {
				t.Fatalf("%q chosen, %q shown; %s", want, shows(s), s.Text)
			}
		}
	}
}

// Each example leads to choices, all of them in the order of the mesh's axes or against it.
func TestOrders(t *testing.T) {
	for n, want := range []int{1, 2, 5, 16, 17, 26} {
		if got := orders(n, nil); len(got) != want {
			t.Errorf("%d axes: %d orders, not %d", n, len(got), want)
		}
	}
	if all := orders(4, []int{0, 1, 2}); !slices.Equal(all[len(all)-1], []int{0, 1, 2}) {
		t.Error("what holds is not offered")
	}
}

// The curve meets the answer where the reader is, and each of its places is a plan of its own.
func TestCurve(t *testing.T) {
	g := given(t, "tpu.v5p")
	g.Product = "A[I, J_X] . B[J, K] -> C[I, K]"
	w := taken(t, g).Ways(false)[0]
	c := w.NewCurve("I")
	for last := 0.0; c.Step(); {
		if c.Done() <= last || c.Done() >= 1 {
			t.Fatal("no progress:", c.Done())
		}
		last = c.Done()
	}
	if len(c.Known) != places || c.Done() != 1 {
		t.Fatal(len(c.Known), c.Done())
	}
	met := false
	for i, p := range c.Known {
		if near(p.Size, FirstSize) {
			met = near(p.Best, float64(w.Lower())) && p.Title == w.Name()
		}
		if p.Best < p.Math*(1-1e-9) || p.Best < p.Comms*(1-1e-9) {
			t.Error(p.Size, "is faster than its parts")
		}
		if i > 0 && (p.Size <= c.Known[i-1].Size || p.Best < c.Known[i-1].Best*(1-1e-9)) {
			t.Error("more rows take less time at", p.Size)
		}
	}
	if n := len(c.Regimes()); !met || n < 2 {
		t.Error(met, n, "regimes")
	}
	if w.NewCurve("Z").Step() {
		t.Error("a curve over what there is not")
	}
}

// A change to any size is answered within the budget of a frame.
func BenchmarkWays(b *testing.B) {
	for _, x := range Examples() {
		b.Run(x.ID, func(b *testing.B) {
			g := given(b, "tpu.v5p")
			g.Product, g.Mesh, g.Sizes = x.Product, x.Mesh, x.Sizes
			for b.Loop() {
				taken(b, g).Ways(false)
			}
		})
	}
}
