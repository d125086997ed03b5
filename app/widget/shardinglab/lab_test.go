package shardinglab

import (
	"flag"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sharding"
	"github.com/scalebook/scalebook/app/widget"
	"github.com/scalebook/scalebook/app/widget/instrument"
)

var update = flag.Bool("update", false, "write the golden files")

func TestNoFaults(t *testing.T) {
	for _, f := range instrument.Faults(New(), 400) {
		t.Error(f)
	}
}

func begin(t testing.TB, set ...string) *instrument.View {
	t.Helper()
	p, faults := instrument.Place(New(), "", strings.Join(set, "\n"))
	for _, f := range faults {
		t.Errorf("%d: %s; %s", f.Line, f.What, f.Remedy)
	}
	return p.View()
}

func text(t testing.TB, v *instrument.View, name string) string {
	t.Helper()
	for _, x := range v.Values() {
		if x.Name == name {
			return x.Data
		}
	}
	t.Fatalf("no result %s", name)
	return ""
}

func result(t testing.TB, v *instrument.View, name string) float64 {
	t.Helper()
	n, err := strconv.ParseFloat(text(t, v, name), 64)
	if err != nil {
		t.Fatal(name, err)
	}
	return n
}

func near(a, b float64) bool { return a == b || math.Abs(a/b-1) < 1e-9 }

// The first product by hand: 2·8192³ operations over 4 chips, and B's other three quarters gathered over a ring of 2·90
// GB/s, which takes a little less. With an axis that nothing uses each chip takes a quarter-wide slice of B, and gathers C's
// over that axis, each three quarters of 8192·2048·2 bytes.
func TestByHand(t *testing.T) {
	gather := 0.75 * 8192 * 8192 * 2 / 180e9
	for _, c := range []struct {
		mesh, way, bound string
		want             map[string]float64
	}{
		{"", "AllGather_X(B), Einsum", "compute", map[string]float64{
			"case": 2, "chips": 4, "t_math": 2 * math.Pow(8192, 3) / 4 / 459e12, "t_comms": gather, "t_total": 2 * math.Pow(8192, 3) / 4 / 459e12,
			"t_shortcut": gather / 0.75, "a_bytes": 2048 * 8192 * 2, "a_copies": 1, "received": 0.75 * 8192 * 8192 * 2, "work": 1,
		}},
		{"mesh = X=4, Y=4", "Slice_Y(B), AllGather_X(B), Einsum, AllGather_Y(C)", "communication", map[string]float64{
			"case": 2, "chips": 16, "t_math": 2 * math.Pow(8192, 3) / 16 / 459e12, "t_comms": gather / 2, "t_total": gather / 2,
			"t_shortcut": gather / 2 / 0.75, "a_bytes": 2048 * 8192 * 2, "a_copies": 4, "received": 2 * 0.75 * 8192 * 2048 * 2, "work": 1,
		}},
	} {
		v := begin(t, c.mesh)
		for name, want := range c.want {
			if got := result(t, v, name); !near(got, want) {
				t.Errorf("%s: %s is %v, not %v", c.mesh, name, got, want)
			}
		}
		if bound, way := text(t, v, "bound"), text(t, v, "best"); bound != c.bound || way != c.way {
			t.Errorf("%s: %s, bound by %s", c.mesh, way, bound)
		}
	}
}

// Every preset is what its name says: the case, and the collectives of the textbook's recipe with its bytes.
func TestPresets(t *testing.T) {
	want := map[string]string{
		"case1": "1 none", "case2": "2", "case3": "3", "case4": "4", "dp": "1 none", "dpgrad": "3 AllReduce_X(dW)", "fsdp": "2 AllGather_X(W)",
		"fsdpgrad": "3 ReduceScatter_X(dW)", "mlpin": "2 AllGather_Y(In)", "mlpout": "3 ReduceScatter_Y(Out)", "megatron": "3 AllReduce_Y(Out)",
		"sequence": "4", "experts": "4 AllToAll_X(In)", "heads": "1 none",
	}
	for _, p := range presets() {
		v := begin(t)
		v.Choose("preset", p.id)
		got := text(t, v, "case")
		if _, way, ok := strings.Cut(want[p.id], " "); ok {
			got += " " + text(t, v, "collectives")
			_ = way
		}
		if got != want[p.id] {
			t.Errorf("%s: %s, not %s", p.id, got, want[p.id])
		}
		if said := text(t, v, "product"); said != p.product {
			t.Errorf("%s: %s", p.id, said)
		}
		for _, d := range p.sizes {
			if v.Refused(sizeName(d.Name)) != "" {
				t.Errorf("%s: %s", p.id, v.Refused(sizeName(d.Name)))
			}
		}
		if !strings.Contains(widget.HTML(v.Part("part:setup")), `<option value="`+p.id+`" selected`) {
			t.Errorf("%s is not shown as chosen", p.id)
		}
	}
	if len(presets()) != len(want) {
		t.Error(len(presets()), "presets")
	}
}

// From every preset to every other: what is in between refuses nothing.
func TestPresetsFollowEachOther(t *testing.T) {
	v := begin(t)
	for _, p := range presets() {
		for _, o := range presets() {
			v.Choose("preset", p.id)
			v.Choose("preset", o.id)
			if got := text(t, v, "product"); got != o.product {
				t.Fatalf("%s after %s: %s", o.id, p.id, got)
			}
		}
	}
}

// All numbers are the planner's.
func TestNumbersAreThePlanners(t *testing.T) {
	for _, c := range []struct{ chip, mesh, wires, product, dtype string }{
		{"tpu.v5p", "X=4, Y=8", "rings", "A[I_X, J_Y] . B[J_Y, K] -> C[I_X, K]", "bf16"},
		{"tpu.v5e", "X=4, Y=4", "pod", "A[I, J_X] . B[J_Y, K] -> C[I_X, K_Y]", "int8"},
		{"tpu.v5p", "X=16, Y=4 on 4x4x4", "pod", "A[I_X, J] . B[J_X, K_Y] -> C[I_X, K]", "bf16"},
		{"gpu.h100", "X=8", "pod", "A[I, J_X] . B[J_X, K] -> C[I, K]", "fp8"},
		{"gpu.h100", "X=4, Y=8", "pod", "A[I_X, J_Y] . B[J_Y, K] -> C[I_X, K]", "bf16"},
	} {
		v := begin(t)
		for name, to := range map[string]string{"chip": c.chip, "mesh": c.mesh} {
			if err := v.Set(name, to); err != nil {
				t.Fatal(err)
			}
		}
		_ = v.Set("wires", c.wires)
		for _, set := range [][2]string{{"dtype", c.dtype}, {"product", c.product}, {"size_i", "1024"}, {"size_j", "4096"}} {
			if err := v.Set(set[0], set[1]); err != nil {
				t.Fatal(err)
			}
		}
		mesh := c.mesh
		if c.wires == "rings" {
			mesh += " on rings"
		}
		m, err := sharding.ParseMesh(mesh, nil)
		if err != nil {
			t.Fatal(err)
		}
		typed := strings.NewReplacer("A[", c.dtype+" A[", "B[", c.dtype+" B[").Replace(c.product)
		e, err := sharding.ParseEinsum(typed, sharding.Sizes{{Name: "I", Value: 1024}, {Name: "J", Value: 4096}, {Name: "K", Value: 8192}}, m)
		if err != nil {
			t.Fatal(err)
		}
		a, _ := hardware.Catalog().Get(c.chip)
		f, err := sharding.On(m, a)
		if err != nil {
			t.Fatal(err)
		}
		peak, _ := a.Peak(c.dtype)
		hbm, _ := a.Get("hbm_bandwidth")
		room, _ := a.Get("hbm")
		chip := sharding.Chip{Peak: quantity.FLOPRate(peak.Value.Value), HBM: quantity.Bandwidth(hbm.Value.Value), Memory: quantity.Bytes(room.Value.Value)}
		best := sharding.NewPlan(e, chip, f, sharding.Options{}).Strategies[0]
		for name, want := range map[string]float64{"t_math": float64(best.Math), "t_exact": float64(best.Exact), "t_shortcut": float64(best.Shortcut), "t_total": float64(best.Lower()),
			"t_serial": float64(best.Upper()), "t_hbm": float64(best.Memory), "memory": float64(best.Peak), "c_bytes": float64(e.C.LocalBytes(m))} {
			if got := result(t, v, name); !near(got, want) {
				t.Errorf("%s, %s: %s is %v, not %v", c.chip, c.product, name, got, want)
			}
		}
		if got, want := text(t, v, "way"), best.Title(m); got != want {
			t.Errorf("%s: %s, not %s", c.product, got, want)
		}
	}
}

// Names of sizes are one to one with dimensions.
func TestSizeNames(t *testing.T) {
	for _, d := range []string{"I", "i", "Dff", "dFF", "B2", "αβ", "D'"} {
		name := sizeName(d)
		if got, ok := sizeOf(name); !ok || got != d || name != strings.ToLower(name) {
			t.Errorf("%s: %s, %s, %v", d, name, got, ok)
		}
	}
	for _, bad := range []string{"size_", "size__", "size_i_", "size_A", "size_é", "sizei", "size_2", strings.Repeat("size_i", 9)} {
		if got, ok := sizeOf(bad); ok {
			t.Errorf("%s is the size of %s", bad, got)
		}
	}
}

func FuzzProduct(f *testing.F) {
	for _, p := range presets() {
		f.Add(p.product, p.mesh)
	}
	f.Add("A[I_{X,Y}; J]{U_Z} × B[J, K]→C[I]", "data=2, X=4 on 4x2 lines")
	f.Fuzz(func(t *testing.T, product, mesh string) {
		v := begin(t)
		_ = v.Set("mesh", mesh)
		_ = v.Set("product", product)
		if x := subjectOf(t, v); x.einsum == nil {
			t.Errorf("nothing stands for %q on %q", product, mesh)
		}
		widget.HTML(v.Part("part:setup"))
		widget.HTML(v.Part("part:holders"))
	})
}

func TestGolden(t *testing.T) {
	var b strings.Builder
	for _, set := range [][]string{{}, {"product = A[I_X, J] . B[J, K_X] -> C[I, K]{U_X}", "mesh = X=8", "chip = gpu.h100"}, {"mesh = X=16, Y=16", "wires = lines", "way = AllGather_X(B),Einsum"}} {
		v := begin(t, set...)
		b.WriteString("# " + strings.Join(set, ", ") + "\n\n" + v.Export("text") + "\n" + widget.HTML(v.Part("part:holders")) + "\n")
	}
	const file = "testdata/lab.txt"
	if *update {
		if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil || string(want) != b.String() {
		t.Errorf("%s is not what is shown now; look, then go test -update (%v)", file, err)
	}
}

// A change to any size is answered within the budget of a frame.
func BenchmarkLab(b *testing.B) {
	for _, p := range presets() {
		b.Run(p.id, func(b *testing.B) {
			v := begin(b)
			v.Choose("preset", p.id)
			name := sizeName(p.sizes[0].Name)
			for i := 0; b.Loop(); i++ {
				_ = v.Set(name, count(p.sizes[0].Value+float64(i%64)*64))
				v.Values()
				v.Fill(v.Frame())
			}
		})
	}
}
