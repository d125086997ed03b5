package hardware

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/quantity"
)

const ids = "tpu.v2 tpu.v3 tpu.v4 tpu.v5e tpu.v5p tpu.v6e tpu.v7x tpu.v8t tpu.v8i gpu.v100 gpu.a100_40 gpu.a100 " +
	"gpu.a100_pcie gpu.h100 gpu.h100_pcie gpu.h100_nvl gpu.h800 gpu.h20 gpu.h200 gpu.h200_nvl gpu.gh200 gpu.b200 " +
	"gpu.gb200 gpu.b300 gpu.gb300 gpu.rubin gpu.l4 gpu.l40s gpu.rtxpro6000 gpu.a30 gpu.rtx4090 gpu.rtx4080 " +
	"gpu.rtx5090 gpu.rtx5080 gpu.rtx5070ti gpu.rtx5070 gpu.gb10 gpu.rtx3090 gpu.a6000 gpu.rtx6000ada gpu.t4 " +
	"gpu.mi250x gpu.mi250 gpu.mi300x gpu.mi325x gpu.mi350x gpu.mi355x gpu.mi455x npu.gaudi2 npu.gaudi3 gpu.b60 " +
	"npu.trainium1 npu.trainium2 npu.trainium3 npu.inferentia2 npu.maia200 npu.ascend910c npu.ascend950pr " +
	"npu.ascend950dt soc.m1 soc.m1_pro soc.m1_max soc.m1_ultra soc.m2 soc.m2_pro soc.m2_max soc.m2_ultra soc.m3 " +
	"soc.m3_pro soc.m3_max soc.m4 soc.m4_pro soc.m4_max soc.m3_ultra soc.m5 soc.m5_pro soc.m5_max"

func get(t *testing.T, id string) *Accelerator {
	t.Helper()
	a, err := Catalog().Get(id)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// constant is a field that must be there.
func constant(t *testing.T, id, field string) Constant {
	t.Helper()
	c, err := get(t, id).Get(field)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// number is the reading that a source gives of a field, in base units; the one in use if source is empty.
func number(t *testing.T, id, field, source string) float64 {
	t.Helper()
	c := constant(t, id, field)
	if source == "" {
		return c.Value.Value
	}
	reading, ok := c.From(source)
	if !ok {
		t.Fatalf("%s: %s has no reading from %s", id, field, source)
	}
	return reading.Value.Value
}

func TestCatalogIsComplete(t *testing.T) {
	var got []string
	for _, a := range Catalog().All {
		got = append(got, a.ID)
		for field, is := range map[string]bool{
			"name": a.Name != "", "vendor": a.Vendor != "", "group": a.Group != "", "year": a.Year >= 2017 &&
				a.Year <= 2026,
			"hbm": a.Has("hbm"), "hbm_bandwidth": a.Has("hbm_bandwidth"), "flops.*": len(a.DTypes()) > 0,
		} {
			if !is {
				t.Errorf("%s lacks %s, or has one that can't be; add a line %[1]s, %[2]s, value, source to "+
					"accelerators.tsv", a.ID,
					field)
			}
		}
		described := strings.HasPrefix(a.ID, "tpu.") && a.Year < 2026 // Google has not described the links of TPU 8
		if described != a.Has("ici_links") || described != (a.Axes() > 0) {
			t.Errorf("%s: TPUs, and only they, have a torus", a.ID)
		}
	}
	want := strings.Fields(ids)
	for i, id := range got {
		if i >= len(want) || id != want[i] {
			t.Fatalf("%s is the accelerator at place %d, and ids of this test has %q there", id, i,
				want[min(i, len(want)-1)])
		}
	}
	if len(got) < len(want) {
		t.Errorf("%s is lost", want[len(got)])
	}
}

// Every line of the table says something that can be read, in the right unit, from a source that exists.
func TestEveryFact(t *testing.T) {
	used, lines := map[string]bool{}, 0
	for line := range strings.Lines(acceleratorTable) {
		if n := strings.Count(line, "\t"); n < 2 || n > 6 || strings.TrimSpace(line) != strings.TrimSuffix(line, "\n") {
			t.Errorf("cells of %q", line)
		}
	}
	for _, a := range Catalog().All {
		for _, said := range []string{a.Name, a.Vendor, a.Group, "a year", a.Interconnect, a.TorusShape, a.Note} {
			if said != "" {
				lines++
			}
		}
		if a.TorusShape != "" {
			used[a.TorusSource.ID] = true
			if a.TorusSource.Title == "" {
				t.Errorf("%s: its torus has no source", a.ID)
			}
		}
		at := -1
		for _, f := range a.Facts() {
			i := slices.IndexFunc(fields[:], func(field Field) bool { return field.Name == f.Field })
			if i <= at {
				t.Errorf("%s: %s is no field, or not in the order of the fields", a.ID, f.Field)
				continue
			}
			at = i
			if _, err := a.Get(f.Field); err != nil {
				t.Errorf("%s: %s: %v", a.ID, f.Field, err)
			}
			for _, reading := range append([]Constant{f.Constant}, f.Others...) {
				lines++
				used[reading.Source.ID] = true
				if v := reading.Value; v.Dim != *fields[i].Dim || !(v.Value > 0) || !v.IsFinite() ||
					reading.Source.Title == "" {
					t.Errorf("%s: %s = %+v", a.ID, f.Field, reading)
				}
			}
		}
	}
	if all := strings.Count(acceleratorTable, "\n"); lines != all {
		t.Errorf("%d of %d lines say something", lines, all)
	}
	for _, a := range Cards() {
		for _, f := range a.Facts() {
			used[f.Source.ID] = true
			if _, err := a.Get(f.Field); err != nil || !(f.Value.Value > 0) {
				t.Errorf("%s: %s = %+v, %v", a.ID, f.Field, f.Constant, err)
			}
		}
		if memory, err := a.UsableMemory(); err != nil || memory < 7e9 || a.Name == "" || len(a.Facts()) != 3 {
			t.Errorf("%+v", a)
		}
	}
	ids := map[string]bool{}
	for _, s := range Catalog().Sources() {
		if ids[s.ID] {
			t.Errorf("two sources are called %s: facts of one would name the other", s.ID)
		}
		ids[s.ID] = true
		if !used[s.ID] {
			t.Errorf("no fact names the source %s", s.ID)
		}
		if s.URL != "" && !strings.HasPrefix(s.URL, "https://") {
			t.Errorf("%s: address %q", s.ID, s.URL)
		}
	}
}

func TestReadingsDiffer(t *testing.T) {
	for _, a := range Catalog().All {
		for _, f := range Fields() {
			if !a.Has(f.Name) {
				continue
			}
			c, _ := a.Get(f.Name)
			seen := map[string]bool{}
			for _, r := range append([]Constant{c}, c.Others...) {
				if key := r.Source.ID + r.Text; seen[key] {
					t.Errorf("%s: %s twice %s", a.ID, f.Name, key)
				} else {
					seen[key] = true
				}
			}
		}
	}
}

// What a chip holds is what its driver or its vendor counts in bytes, not the gigabytes of its name: 80 GB are
// 81,559 MiB of an H100 and 81,920 MiB of an A100.
func TestCapacities(t *testing.T) {
	const mib, gib = 1 << 20, 1 << 30
	for id, want := range map[string]float64{
		"tpu.v3": 32 * gib, "tpu.v4": 32 * gib, "tpu.v5e": 15.75 * gib, "tpu.v5p": 95 * gib, "tpu.v6e": 31.25 * gib,
		"tpu.v7x": 192 * gib, "gpu.v100": 32768 * mib, "gpu.a100": 81920 * mib, "gpu.a100_40": 40960 * mib,
		"gpu.h100": 81559 * mib, "gpu.h800": 81559 * mib, "gpu.h20": 97871 * mib, "gpu.h200": 143771 * mib,
		"gpu.b200": 183359 * mib, "gpu.gb200": 189471 * mib, "gpu.b300": 275040 * mib, "gpu.gb300": 284208 * mib,
		"gpu.l40s": 46068 * mib, "gpu.rtx4090": 24564 * mib, "gpu.rtx5090": 32607 * mib, "gpu.mi300x": 206141652992,
		"gpu.mi325x": 256 * gib, "gpu.mi355x": 309220868096, "npu.trainium2": 96 * gib, "npu.inferentia2": 32 * gib,
		"soc.m3_ultra": 512 * gib,
	} {
		c := constant(t, id, "hbm")
		if c.Value.Value != want || c.Value.Binary != strings.Contains(c.Text, "i") {
			t.Errorf("%s: %s is %v bytes, want %v", id, c.Text, c.Value.Value, want)
		}
	}
	for _, a := range Catalog().All {
		c := constant(t, a.ID, "hbm")
		for _, other := range c.Others { // marketing figures, or what is on the module: near, and none is in use
			if r := other.Value.Value / c.Value.Value; r < 0.65 || r > 1.1 {
				t.Errorf("%s: %s and %s", a.ID, c.Text, other.Text)
			}
		}
		if a.Vendor == "NVIDIA" && !strings.Contains(c.Text, "i") && c.Doubt == "" && a.ID != "gpu.rubin" {
			t.Errorf("%s: %s is no driver’s figure, and doesn’t say so", a.ID, c.Text)
		}
	}
	if got := number(t, "tpu.v5e", "vmem", ""); got != 128<<20 {
		t.Errorf("VMEM of v5e: %v", got)
	}
	if got := number(t, "npu.inferentia2", "hbm_bandwidth", ""); got != 820*gib {
		t.Errorf("the Neuron documentation has 820 GiB/s: %v", got)
	}
}

func TestLookup(t *testing.T) {
	for id, want := range map[string]string{
		"tpu.v5":                "tpu.v5; did you mean tpu.v5e, tpu.v5p or tpu.v2?",
		"v5":                    "v5; did you mean tpu.v5e, tpu.v5p or tpu.v2?",
		"h100":                  "h100; did you mean gpu.h100, gpu.h100_pcie or gpu.h100_nvl?",
		"h1000":                 "h1000; did you mean gpu.h100, ",
		"TPU.V6E":               "TPU.V6E; did you mean tpu.v6e or tpu.v5e?",
		"foo":                   "foo; name one such as gpu.h100, gpu.b200, gpu.mi355x or tpu.v6e",
		"":                      "; name one such as ",
		strings.Repeat("x", 99): strings.Repeat("x", 31) + "…; name one such as ",
	} {
		if _, err := Catalog().Get(id); err == nil || !strings.HasPrefix(err.Error(), "unknown accelerator "+want) {
			t.Errorf("%s: %v, want %s", id, err, want)
		}
	}
	v100 := get(t, "gpu.v100")
	if _, err := v100.Peak("bf16"); err == nil ||
		err.Error() != "the catalog has no bf16 rate for V100 SXM2 32 GB; it has fp32, fp16, int8" {
		t.Errorf("bf16 of a V100: %v", err)
	}
	if _, err := v100.Get("vmem"); err == nil ||
		err.Error() != "the catalog has no VMEM capacity for V100 SXM2 32 GB; give it a number of your own" {
		t.Errorf("VMEM of a V100: %v", err)
	}
	if _, err := v100.Get("hbm_bandwith"); err == nil ||
		!strings.HasPrefix(err.Error(), "accelerators have no field hbm_bandwith; did you mean hbm_bandwidth") {
		t.Errorf("a misspelt field: %v", err)
	}
	if v100.Has("hbm_band") || v100.Has("") {
		t.Error("a part of a name is no field")
	}
}

func TestPeak(t *testing.T) {
	for _, c := range []struct {
		id, dtype string
		want      float64
	}{
		{"tpu.v5e", "int8", 394e12}, {"tpu.v5e", "bf16", 197e12}, {"tpu.v5p", "bf16", 459e12},
		{"tpu.v6e", "bf16", 918e12}, {"gpu.h100", "bf16", 989e12}, {"gpu.h100", "fp8", 1979e12},
		{"gpu.h100", "fp16", 989e12}, {"gpu.a100", "bf16", 312e12},
		{"gpu.b200", "fp4", 9000e12}, {"gpu.v100", "fp16", 125e12}, {"gpu.mi300x", "bf16", 1307e12},
		{"npu.trainium2", "fp8", 1299e12},
	} {
		got, err := get(t, c.id).Peak(c.dtype)
		if err != nil || got.Value.Value != c.want || got.Value.Dim != rate {
			t.Errorf("%s %s: %v, %v", c.id, c.dtype, got.Value, err)
		}
	}
}

func TestTorus(t *testing.T) {
	for id, want := range map[string][]int{"tpu.v5p": {16, 20, 28}, "tpu.v4": {16, 16, 16}, "tpu.v5e": {16, 16},
		"tpu.v7x": nil, "gpu.h100": nil} {
		if got := get(t, id).Torus(); !slices.Equal(got, want) {
			t.Errorf("%s: %v", id, got)
		}
	}
	if get(t, "tpu.v7x").Axes() != 3 || get(t, "tpu.v6e").Axes() != 2 {
		t.Error("axes")
	}
}

// An embedded table that went wrong must be an error, not a zero.
func TestBrokenTable(t *testing.T) {
	c := read("x\thbm\t16 parsec\ts\nx\thbm_bandwidth\t1 GB/s\tnowhere\nx\tvmem\t-\ts\n", "s\tA source\n")
	for _, field := range []string{"hbm", "hbm_bandwidth", "vmem"} {
		if _, err := c.All[0].Get(field); err == nil {
			t.Errorf("%s must be an error", field)
		}
	}
}

func BenchmarkCatalog(b *testing.B) {
	for b.Loop() {
		read(acceleratorTable, sourceTable)
	}
}

func BenchmarkEveryConstant(b *testing.B) {
	for b.Loop() {
		for _, a := range read(acceleratorTable, sourceTable).All {
			a.Facts()
		}
	}
}

func BenchmarkPeak(b *testing.B) {
	a, err := Catalog().Get("gpu.h100")
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := a.Peak("int8"); err != nil {
			b.Fatal(err)
		}
	}
}

func relative(got, want float64) float64 { return math.Abs(got-want) / math.Abs(want) }

// What CUDA, HIP and libtpu say that there is in all, in GiB, in logs of vLLM, SGLang and PyTorch.
func TestUsable(t *testing.T) {
	for id, logged := range map[string]float64{"gpu.h100": 79.19, "gpu.a100": 79.22, "gpu.a100_40": 39.39,
		"gpu.l40s": 44.42, "gpu.b200": 178.35, "gpu.b300": 268, "gpu.rtxpro6000": 95.01, "gpu.rtx3090": 23.57,
		"gpu.rtx4090": 23.53, "gpu.mi300x": 191.69, "gpu.gb10": 121.69, "tpu.v5e": 15.75, "tpu.v6e": 31.25} {
		got, err := get(t, id).UsableMemory()
		if err != nil || relative(got/(1<<30), logged) > 0.006 {
			t.Errorf("%s: programs can have %.2f GiB, a log has %.2f: %v", id, got/(1<<30), logged, err)
		}
	}
	for _, a := range Catalog().All {
		c := constant(t, a.ID, "hbm")
		if got, err := a.UsableMemory(); err != nil || got > c.Value.Value || got < 0.95*c.Value.Value {
			t.Errorf("%s: programs can have %v of %s: %v", a.ID, got, c.Text, err)
		}
	}
	own := map[string]quantity.Quantity{"hbm": {Value: 1e9, Dim: data}}
	if got, err := get(t, "gpu.h100").With(own).UsableMemory(); err != nil || got != 1e9 {
		t.Errorf("a reader’s own number is %v, %v", got, err)
	}
	if _, err := (&Accelerator{ID: "gpu.none", facts: func() []Fact { return nil }}).UsableMemory(); err == nil {
		t.Error("no memory, no error")
	}
}

// An MI300X has seven links, one to each of the other seven: three of them to three others. Of the 24 ports of a Gaudi
// 2, three for each pair, three leave the node. Nodes of GH200 have no switch: a pair has six of 18 links. Where a
// switch joins devices, or nobody says how many, all counts.
func TestMesh(t *testing.T) {
	for _, c := range []struct {
		id      string
		devices int
		n, want float64
	}{
		{"gpu.mi300x", 8, 8, 1}, {"gpu.mi300x", 8, 4, 3. / 7}, {"gpu.mi300x", 8, 2, 1. / 7}, {"gpu.mi300x", 8, 1, 0},
		{"gpu.mi300x", 8, 64, 1}, {"gpu.mi355x", 8, 2, 1. / 7}, {"npu.gaudi2", 8, 8, 21. / 24},
		{"npu.gaudi3", 8, 2, 3. / 24}, {"gpu.h100", 0, 2, 1}, {"gpu.mi250", 0, 2, 1}, {"tpu.v5p", 0, 2, 1},
		{"gpu.l4", 0, 2, 1}, {"gpu.gh200", 4, 2, 1. / 3}, {"gpu.gh200", 4, 4, 1},
	} {
		m := get(t, c.id).Mesh()
		if got := m.Share(c.n); m.Devices != c.devices || math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: %+v, to %v others %v, want %v", c.id, m, c.n-1, got, c.want)
		}
	}
	for _, id := range []string{"gpu.mi300x", "gpu.gh200"} { // a pair has what the catalog says of two neighbours
		x := get(t, id)
		all, _ := x.Get("scaleup_bandwidth")
		pair, _ := x.Get("peer_bandwidth")
		if got := all.Value.Value * x.Mesh().Share(2); math.Abs(got/pair.Value.Value-1) > 1e-9 {
			t.Errorf("%s: a pair has %v, want %v", id, got, pair.Value.Value)
		}
	}
}
