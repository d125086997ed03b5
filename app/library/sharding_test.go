package library

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/sheet/value"
)

func TestShardingsInSheets(t *testing.T) {
	env := New()
	const mm = `"A[I_X, J] . B[J, K_Y] -> C[I_X, K_Y]", "I=8192, J=8192, K=8192", "X=4, Y=4"`
	const gather = `"A[I_X, J] . B[J_X, K] -> C[I_X, K]", "I=8192, J=8192, K=8192", "X=4, Y=4"`
	evaluate(t, env, []evaluated{
		{`x = local_shape("fp32[1024_XY, 4096]", "", "X=8, Y=2")`, "[64, 4096]"},
		{`x = local_bytes("fp32[1024_XY, 4096]", "", "X=8, Y=2")`, "1.05 MB"},
		{`x = replication("A[I_X, J, K]", "I=64, J=8, K=2", "X=4, Y=8, Z=2")`, "16 replicas"},
		{"let I = 1024\nlet X = 8\n" + `x = local_shape("fp32[I_XY, J]", "I, J=4096", "X, Y=2", I, X)`, "[64, 4096]"},
		{"let I = 1024\nlet J = 64\nlet X = 8\n" + `x = local_shape("fp32[I_XY, J]", "I, J", "X, Y=2", I, J, X)`,
			"[64, 64]"},
		{`x = shard("int8[I_XY, J]", "I=128, J=2048", "X=2, Y=8, Z=2").total_bytes`, "524 kB"},
		{`x = shard("int8[I_XY, J]", "I=128, J=2048", "X=2, Y=8, Z=2").shards`, "16"},
		{`x = shard("int8[10_X]", "", "X=4").waste`, "16.7 %"},
		{`x = shard("int8[I_XY, J]", "I=128, J=2048", "X=2, Y=8, Z=2")`, "int8 [I_XY, J]"},
		{"let A = \"A[I_X, J_X]\"\n" + `x = local_bytes(A, "I=4, J=8", "X=2")`,
			"notation, column 10: axis X is used twice in one array"},
		{`x = local_bytes("A[I]", "I=4, J=-", "X=2")`, "sizes, column 8"},
		{`x = local_bytes("A[I]", "I", "X=2")`, "sizes, column 1: `I` has no size; write I=4"},
		{`x = local_bytes("A[I]", "I", "X=2", 4, 5)`, "leave out the last 1"},
		{"let n = -3\n" + `x = local_bytes("A[I]", "I", "X=2", n)`,
			"sizes, column 1: -3 is no size for `I`; give a number of at least 1"},
		{`x = matmul_case("A[I, J_X] . B[J_X, K] -> C[I, K]", "I=8, J=8, K=8", "X=2")`, "3"},
		{`x = matmul_case("A[I_X, J] . B[J, K_X] -> C[I_X, K]", "I=8, J=8, K=8", "X=2")`, "4"},
		{`x = plan(` + mm + `, tpu.v5e).best`, "Einsum"},
		{`x = plan(` + mm + `, tpu.v5e).bound`, "compute"},
		{`x = plan(` + mm + `, tpu.v5e).t_math`, "349 µs"},
		{`x = plan(` + mm + `, tpu.v5e).collectives`, "none"},
		{`x = strategy(` + gather + `, tpu.v5e, "AllGather_X(B), Einsum").t_comms`, "2.24 ms"},
		{`x = strategy(` + gather + `, tpu.v5e, "AllGather_Z(B), Einsum").t_comms`,
			"title: there is no strategy AllGather_Z(B), Einsum; the best is "},
		{`x = plan(` + gather + `, tpu.v5e).strategy(2).t_total`, "ms"},
		{`x = plan(` + gather + `, tpu.v5e).strategy(99)`,
			"place: there is no strategy 99; a plan keeps its best 8 at most"},
		{`x = plan(` + gather + `, tpu.v5e)`, "Einsum"},
		{`x = plan("A[I_X, J] . B[J, K] -> C[I_X, K]", "I=64, J=64, K=64", "X=3", tpu.v5e).t_math`,
			"TPU v5e has no slice 3x1"},
		{`x = plan("A[I_X, J] . B[J, K] -> C[I_X, K]", "I=64, J=64, K=64", "X=8", gpu.h100).t_math`, "ps"},
		{`x = plan("A[I_X, J] . B[J, K] -> C[I_X, K]", "I=64, J=64, K=64", "X=32", gpu.h100).t_math`, "ps"},
		{`x = plan(` + mm + `, slice(tpu.v5e, 4, 4)).t_math`, "349 µs"},
		{`x = plan(` + mm + `, slice(tpu.v5e, 8, 8)).t_math`, "the mesh has 16 chips, the torus 8x8 has 64"},
		{`x = plan(` + mm + `, node(gpu.h100)).t_math`, "chip: H100 SXM 80 GB node is no chip; give a chip"},
		{`x = plan("A[I] . B[K] -> C[I, K]", "I=64, K=64", "V=2, W=2, X=2, Y=2, Z=2", gpu.h100).t_math`,
			"mesh: plans of 5 mesh axes take too long for a sheet; name at most 4"},
		{`x = plan("A[I_X, J] . B[J, K] -> C[I_X, K]", "I=64, J=64, K=64", "X=16, Y=4 on 4x4x4", tpu.v5p).laid`,
			"X: 4x4, Y: a ring of 4"},
		{`x = plan("int4[I_X, J] . int4[J, K] -> C[I_X, K]", "I=64, J=64, K=64", "X=8", gpu.h100).t_math`, "rate"},
		{`x = plan("A[I, J] . B[J, K] -> C[I, K]{U_X}", "I=64, J=1, K=64", "X=8", gpu.h100).t_math`,
			"no sequence of collectives leads to C[I, K]{U_X}"},
	})
}

// TestStrategiesByFormula holds strategies to their closed formulas, written as sheets.
func TestStrategiesByFormula(t *testing.T) {
	env := New()
	r := rand.New(rand.NewPCG(41, 42))
	for _, c := range []struct{ einsum, title, math, comms, shortcut string }{
		{"A[I_X, J] . B[J, K] -> C[I_X, K]", "Einsum", "2 FLOP * I * J * K / X / P", "0 s", "0 s"},
		{"A[I_X, J] . B[J_X, K] -> C[I_X, K]", "AllGather_X(B), Einsum", "2 FLOP * I * J * K / X / P",
			"(X - 1) / X * 2 byte * J * K / W", "2 byte * J * K / W"},
		{"A[I, J_X] . B[J, K] -> C[I, K]", "AllGather_X(A), Einsum", "2 FLOP * I * J * K / P",
			"(X - 1) / X * 2 byte * I * J / W", "2 byte * I * J / W"},
		{"A[I, J_X] . B[J_X, K] -> C[I, K]", "Einsum, AllReduce_X(C)", "2 FLOP * I * J * K / X / P",
			"2 * (X - 1) / X * 2 byte * I * K / W", "2 * 2 byte * I * K / W"},
		{"A[I, J_X] . B[J_X, K] -> C[I_X, K]", "Einsum, ReduceScatter_X(C)", "2 FLOP * I * J * K / X / P",
			"(X - 1) / X * 2 byte * I * K / W", "2 byte * I * K / W"},
		{"A[I_X, J] . B[J_X, K] -> C[I, K_X]", "AllToAll_X(A), Einsum, ReduceScatter_X(C)",
			"2 FLOP * I * J * K / X / P", "(2 byte * I * J / 4 + (X - 1) / X * 2 byte * I * K) / W",
			"(2 byte * I * J / 4 + 2 byte * I * K) / W"},
	} {
		for range 20 {
			X := 2 << r.IntN(4)
			src := fmt.Sprintf(
				"let I = %d\nlet J = %d\nlet K = %d\nlet X = %d\nP = tpu.v5p.flops(bf16)\nW = 2 * tpu.v5p.ici_link_bandwidth\n"+
					"s = strategy(%q, \"I, J, K\", \"X on rings\", tpu.v5p, %q, I, J, K, X)\n",
				X<<r.IntN(9),
				X<<r.IntN(9),
				X<<r.IntN(9),
				X,
				c.einsum,
				c.title,
			)
			equal(t, env, src, "s.t_math", c.math)
			equal(t, env, src, "s.t_comms", c.comms)
			equal(t, env, src, "s.t_comms_shortcut", c.shortcut)
			equal(t, env, src, "s.t_serial", "max(s.t_math, s.t_hbm) + s.t_comms")
			equal(t, env, src, "s.t_total", "max(s.t_math, s.t_hbm, s.t_comms)")
			equal(t, env, src, "s.t_hbm", "s.moved / tpu.v5p.hbm_bandwidth")
		}
	}
}

func equal(t *testing.T, env *value.Env, src, left, right string) {
	t.Helper()
	src += "left = " + left + "\nright = " + right + "\n"
	s, errs := sheet.Compile(src, env)
	if len(errs) > 0 {
		t.Fatalf("%v\n%s", errs[0], src)
	}
	res := s.Eval(nil)
	l, err := res.Value("left")
	r, err2 := res.Value("right")
	if err != nil || err2 != nil || l.Num.Dim != r.Num.Dim ||
		math.Abs(l.Num.Value-r.Num.Value) > 1e-12*math.Abs(r.Num.Value) {
		t.Errorf("%s is %v (%v), by formula %v (%v)\n%s", left, l, err, r, err2, src)
	}
}

// TestPlottedPlans: a plot and a search over a plan come through, and hostile ones stop.
func TestPlottedPlans(t *testing.T) {
	s, errs := sheet.Compile(`let I = 1024 in 64..65536 log
p = plan("A[I_X, J] . B[J_X, K_Y] -> C[I_X, K_Y]", "I, J=8192, K=8192", "X=4, Y=4", tpu.v5e, I)
s = strategy("A[I_X, J] . B[J_X, K_Y] -> C[I_X, K_Y]", "I, J=8192, K=8192", "X=4, Y=4", tpu.v5e, "AllGather_X(B), Einsum", I)
T = p.t_total
T_math = s.t_math
T_comms = s.t_comms
solve I_crit: I where T_math = T_comms
plot T, T_math, T_comms over I
`, New())
	if len(errs) > 0 {
		t.Fatal(errs[0])
	}
	v, err := s.Eval(nil).Value("I_crit")
	if want := 0.75 * 2 * 8192 * 8192 / 4 / 45e9 / (2 * 8192 * 8192 / 16 / 197e12); err != nil ||
		math.Abs(v.Num.Value-want) > 1e-9*want {
		t.Errorf("compute-bound from %v rows (%v), by formula %v", v, err, want)
	}
	d := s.PlotData(nil, s.Plots[0])
	if d.Err != nil || len(d.Series) != 3 || len(d.Series[0].X) < 60 {
		t.Errorf("the plot: %v, %d curves", d.Err, len(d.Series))
	}
}

func BenchmarkPlanInASheet(b *testing.B) {
	s, errs := sheet.Compile(
		"let I = 8192\np = plan(\"A[I_X, J] . B[J, K_Y] -> C[I_X, K_Y]\", \"I, J=8192, K=8192\", \"X=4, Y=4\", tpu.v5e, "+
			"I)\nx = p.t_total\n",
		New(),
	)
	if len(errs) > 0 {
		b.Fatal(errs[0])
	}
	for b.Loop() {
		if _, err := s.Eval(nil).Value("x"); err != nil {
			b.Fatal(err)
		}
	}
}

// An einsum is counted as a matmul, a dot product and an element-wise product are, and seven letters as their product.
func TestEinsums(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`x = einsum_flops("A[B, D] . W[D, F] -> C[B, F]", "B, D=4096, F=16384", 256) / matmul_flops(256, 4096, 16384)`,
			"1"},
		{`x = einsum_bytes("A[B, D] . W[D, F] -> C[B, F]", "B, D=4096, F=16384", 256) / matmul_bytes(256, 4096, 16384)`,
			"1"},
		{`x = einsum_bytes("int8[B, D] . int8[D, F] -> bf16[B, F]", "B=256, D=4096, F=16384") / ` +
			`matmul_bytes(256, 4096, 16384, int8, int8, bf16)`, "1"},
		{`x = einsum_flops("[N] . [N] -> []", "N", 1000)`, "2000 FLOP"},
		{`x = einsum_flops("[N] . [N] -> [N]", "N=1000")`, "1000 FLOP"},
		{`x = einsum_flops("A[I, J, K, L] . B[I, J, M, N, O] -> C[K, L, M, N, O]", "I=2, J=3, K=4, L=5, M=6, N=7, O=8") / ` +
			`(2 FLOP * 2*3*4*5*6*7*8)`, "1"},
		{`x = einsum_bytes("[I, J] . [I] -> [J]", "I, J", 10, 20)`, "460 bytes"},
		{`x = einsum_flops("A[B, D] . W[E, F] -> C[B, F]", "B=1, D=2, E=3, F=4")`, "D"},
		{`x = einsum_flops("A[B, D] . W[D, F] -> C[B, F]", "B=1, D=2")`, "F"},
		{`x = einsum_flops("A[B, D] . W[D, F]", "B=1, D=2, F=3")`, "->"},
		{`x = einsum_flops("A[B_X, D] . W[D, F] -> C[B, F]", "B=1, D=2, F=3")`, "X"},
	} {
		s, errs := sheet.Compile(c.text+"\n", New())
		if len(errs) > 0 {
			t.Errorf("%s: %v", c.text, errs[0])
			continue
		}
		row := s.Eval(nil).Rows[0]
		switch {
		case row.Err == nil && row.Text() != c.want:
			t.Errorf("%s is %s, want %s", c.text, row.Text(), c.want)
		case row.Err != nil && !strings.Contains(row.Err.Error(), c.want):
			t.Errorf("%s: %v", c.text, row.Err)
		case row.Err != nil && !strings.Contains(row.Err.Error(), ";"):
			t.Errorf("%s has no remedy: %v", c.text, row.Err)
		}
	}
}

// TestDivisors compares the list with trial of every number, and refuses what has no divisors.
func TestDivisors(t *testing.T) {
	for n := 1; n <= 400; n++ {
		v, err := divisors([]value.Value{quantityValue(quantity.Quantity{Value: float64(n)})})
		if err != nil {
			t.Fatal(err)
		}
		i := 0
		for d := 1; d <= n; d++ {
			if n%d != 0 {
				continue
			}
			if i >= len(v.List) || v.List[i].Num.Value != float64(d) {
				t.Fatalf("divisors(%d): entry %d is not %d: %v", n, i, d, v)
			}
			i++
		}
		if i != len(v.List) {
			t.Errorf("divisors(%d) has %d entries too many", n, len(v.List)-i)
		}
	}
	for _, x := range []float64{0, -4, 2.5, 1e15} {
		if _, err := divisors([]value.Value{quantityValue(quantity.Quantity{Value: x})}); err == nil {
			t.Errorf("divisors(%v) has a value", x)
		}
	}
}

// TestCatalogLists holds the lists to all members of their record type.
func TestCatalogLists(t *testing.T) {
	env := New()
	for i, name := range []string{"accelerators", "original_accelerators", "models"} {
		v := env.Values[name]
		if v.Kind != value.List || len(v.List) != len(env.RecordTypes[i].Members) ||
			v.List[0].Record.Type != env.RecordTypes[i] {
			t.Errorf("%s is %v", name, v)
		}
	}
}

// TestComparedUnits: the numbers of a comparison have the units that the table of fields gives their columns.
func TestComparedUnits(t *testing.T) {
	rt, known := comparedType(), map[string]int{}
	for _, a := range catalogs()[0].All {
		r := comparedChip(&value.Record{ID: a.ID, Name: a.Name, Of: a}, "bf16", rt)
		for _, f := range rt.Fields {
			if v, ok := r.Fields[f.Name]; ok {
				known[f.Name]++
				if got := v.Type(); got != f.Type {
					t.Errorf("%s of %s is %v, want %v", f.Name, a.ID, got, f.Type)
				}
			}
		}
	}
	for _, f := range rt.Fields {
		if known[f.Name] == 0 {
			t.Errorf("no chip has a value in the column %s", f.Name)
		}
	}
}

// A mesh stays laid from one named strategy to the next, of other sizes: what each takes is what it takes alone, and a
// mesh of another size, or another chip, is laid anew.
func TestLaidMeshStays(t *testing.T) {
	one := New()
	for _, c := range []struct {
		mesh, chip string
		rows       int
	}{{"X=8 on lines", "tpu.v5e", 64}, {"X=8 on lines", "tpu.v5e", 8192}, {"X=4 on lines", "tpu.v5e", 8192},
		{"X=4 on rings", "tpu.v5e", 8192}, {"X=4 on rings", "tpu.v5p", 8192}} {
		src := fmt.Sprintf(`x = strategy("A[I_X, J] . B[J_X, K] -> C[I_X, K]", "I=%d, J=4096, K=4096", %q, %s, `+
			`"AllGather_X(B), Einsum").t_comms`, c.rows, c.mesh, c.chip)
		got, want := eval(t, one, src), eval(t, New(), src)
		if got != want || !strings.HasSuffix(want, "µs") {
			t.Errorf("%+v: %s after others, %s alone", c, got, want)
		}
	}
}
