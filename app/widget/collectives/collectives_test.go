package collectives

import (
	"flag"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/network/play"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/widget"
	"github.com/scalebook/scalebook/app/widget/instrument"
)

var update = flag.Bool("update", false, "write the golden files anew")

func TestNoFaults(t *testing.T) {
	for _, f := range instrument.Faults(New(), 2500) {
		t.Error(f)
	}
}

func near(got, want float64) bool { return math.Abs(got-want) <= 1e-9*math.Abs(want)+1e-15 }

// in is the instrument with some settings, and its state.
func in(t testing.TB, source string) *instrument.View {
	t.Helper()
	p, faults := instrument.Place(New(), "", strings.ReplaceAll(source, "; ", "\n"))
	for _, f := range faults {
		t.Fatal(source, f)
	}
	return p.View()
}

// probed calls f with a state, which an instrument gives to its functions only.
func probed(t testing.TB, source string, f func(s *instrument.State)) {
	t.Helper()
	one := New()
	called := false
	one.Summary = func(s *instrument.State) string { called = true; f(s); return "" }
	p, faults := instrument.Place(one, "", strings.ReplaceAll(source, "; ", "\n"))
	for _, fault := range faults {
		t.Fatal(source, fault)
	}
	if p.View().Summary(); !called {
		t.Fatal("nothing was probed")
	}
}

func value(t testing.TB, v *instrument.View, name string) float64 {
	t.Helper()
	for _, x := range v.Values() {
		if x.Name == name {
			f, err := strconv.ParseFloat(x.Data, 64)
			if err != nil {
				t.Fatalf("%s is %q", name, x.Text)
			}
			return f
		}
	}
	t.Fatal("no value", name)
	return 0
}

// The results are those of the laws, worked out here by hand from the constants of the catalog.
func TestLaws(t *testing.T) {
	const mib = 1 << 20
	for _, c := range []struct {
		source                           string
		time, shortcut, perLink, busRate float64
	}{
		{"n = 4; size = 64 MiB", 0.75 * 64 * mib / 90e9, 64 * mib / 90e9, 24 * mib, 90e9},
		{"n = 4; size = 64 MiB; both = off", 0.75 * 64 * mib / 45e9, 64 * mib / 45e9, 48 * mib, 45e9},
		{"fabric = line; n = 4; size = 32 MiB", 0.75 * 32 * mib / 45e9, 32 * mib / 45e9, 24 * mib, 45e9},
		{"op = all-reduce; n = 8; size = 64 MiB", 2 * 7. / 8 * 64 * mib / 90e9, 2 * 64 * mib / 90e9, 2 * 7. / 16 * 64 * mib, 90e9},
		{"fabric = line; op = all-reduce; n = 8; size = 64 MiB", 2 * 7. / 8 * 64 * mib / 45e9, 2 * 64 * mib / 45e9, 64 * mib, 45e9},
		{"op = all-to-all; n = 8; size = 64 MiB", 64 * mib / 4. / 90e9, 64 * mib / 4. / 90e9, 8 * mib, 4 * 7. / 64 * 90e9},
		{"op = broadcast; n = 8; size = 64 MiB", 64 * mib / 90e9, 64 * mib / 90e9, 32 * mib, 90e9},
		{"fabric = slice; size = 64 MiB", 15. / 16 * 64 * mib / 90e9, 64 * mib / 90e9, 15. / 16 * 32 * mib, 90e9},
		{"fabric = slice; hardware = tpu.v5p; op = all-reduce; size = 1 GiB", 2 * 63. / 64 * 1024 * mib / 540e9, 2 * 1024 * mib / 540e9, 63. / 64 * 1024 * mib / 3, 540e9},
		{"fabric = node; hardware = gpu.h100; size = 512 MiB", 7. / 8 * 512 * mib / 450e9, 512 * mib / 450e9, 7. / 8 * 512 * mib, 450e9},
		{"fabric = node; hardware = gpu.h100; op = all-reduce; adds = on; size = 512 MiB", 512 * mib / 450e9, 512 * mib / 450e9, 512 * mib, 1.75 * 450e9},
		{"fabric = node; hardware = gpu.h100; op = all-to-all; size = 512 MiB", 7. / 64 * 512 * mib / 450e9, 64 * mib / 450e9, 7. / 64 * 512 * mib, 450e9},
		{"fabric = tree; hardware = gpu.b200; nodes = 4; size = 1 GiB", 24. / 32 * 1024 * mib / 400e9, 1024 * mib / 400e9, 31. / 32 * 1024 * mib, 31. / 24 * 400e9},
	} {
		v := in(t, c.source)
		for name, want := range map[string]float64{"time": c.time, "shortcut": c.shortcut, "per_link": c.perLink, "bus": c.busRate} {
			if got := value(t, v, name); !near(got, want) {
				t.Errorf("%s: %s is %v, want %v", c.source, name, got, want)
			}
		}
	}
}

// At the knee the bytes take as long as the steps, and below it the time does not change.
func TestKnee(t *testing.T) {
	v := in(t, "n = 16")
	if got := value(t, v, "knee"); !near(got, 8e-6*90e9*16/15) {
		t.Error(got)
	}
	for _, size := range []string{"1 kB", "100 kB", "700 kB"} {
		if got := value(t, in(t, "n = 16; size = "+size), "time"); !near(got, 8e-6) {
			t.Error(size, got)
		}
	}
	if got := in(t, "hop = 0 s").Values(); !slices.ContainsFunc(got, func(s widget.Shown) bool { return s.Name == "knee" && s.Text == "none" }) {
		t.Error("a knee without latency", got)
	}
}

// schedules are settings whose steps are drawn as they are.
var schedules = []string{
	"n = 4", "n = 5; both = off", "n = 16; op = reduce-scatter", "n = 7; op = all-reduce", "n = 8; op = all-to-all", "n = 6; op = broadcast", "n = 6; op = broadcast; both = off",
	"fabric = line; n = 4", "fabric = line; n = 9; op = all-reduce", "fabric = line; n = 6; op = all-to-all", "fabric = line; n = 6; op = broadcast",
	"fabric = slice", "fabric = slice; op = all-to-all", "fabric = slice; shape = 4x8; op = all-to-all", "fabric = slice; hardware = tpu.v5p; op = all-reduce",
	"fabric = slice; hardware = tpu.v5p; shape = 2x2x2; op = reduce-scatter", "fabric = slice; hardware = tpu.v5p; shape = 4x4x4; op = all-to-all",
	"fabric = node", "fabric = node; n = 5; op = reduce-scatter", "fabric = node; op = all-reduce", "fabric = node; op = all-reduce; adds = on", "fabric = node; op = all-to-all", "fabric = node; op = broadcast",
}

// Every term of the law is shown with its numbers; that these make its time a test of the library says.
func TestWorkingIsTrue(t *testing.T) {
	tried := 0
	for _, where := range []string{"n = 7", "n = 7; both = off", "fabric = line; n = 5", "fabric = slice; hardware = tpu.v5p; shape = 4x4x8", "fabric = slice; hardware = tpu.v5p; shape = 2x2x4",
		"fabric = slice; shape = 2x4", "fabric = slice; shape = 8x16", "fabric = node", "fabric = node; adds = on", "fabric = tree", "fabric = tree; adds = on", "fabric = tree; n = 3; nodes = 5"} {
		for _, op := range operations() {
			probed(t, where+"; size = 3 GB; op = "+op.ID, func(s *instrument.State) {
				x := subjectOf(s)
				for _, st := range x.Cost.Stages {
					for j := range st.Terms {
						term := &st.Terms[j]
						tried++
						if _, working := x.set(term); working == nil {
							t.Errorf("%s, %s, %s: %s of %v is not worked out", where, op.ID, term.Resource, term.Formula, term.Values)
						}
					}
				}
			})
		}
	}
	if tried < 70 {
		t.Error("only", tried, "terms")
	}
}

// Any state comes back from its address, in which the controls stand in another order.
func TestAddresses(t *testing.T) {
	for _, source := range append(slices.Clone(schedules), "fabric = tree; hardware = gpu.b200; n = 4; nodes = 3; share = 25 GB/s; link = 800 GB/s; hop = 5 us; op = all-reduce; over = bus", "fabric = node; hardware = gpu.gb200; n = 9; op = all-reduce; adds = on; step = 2") {
		v := in(t, "")
		for _, set := range strings.Split(source, "; ") {
			name, text, _ := strings.Cut(set, " = ")
			if err := v.Set(name, text); err != nil {
				t.Fatal(source, err)
			}
		}
		ps, _, problems := widget.Decode(widget.Encode(v.Params()))
		w := in(t, "")
		problems = append(problems, w.Apply(ps)...)
		if len(problems) > 0 || v.Export("text") != w.Export("text") {
			t.Errorf("%s: %q: %q\n%s\n%s", source, widget.Encode(v.Params()), problems, v.Export("text"), w.Export("text"))
		}
	}
}

// All chips of the menus can be drawn.
func TestEveryChip(t *testing.T) {
	for _, net := range []play.Kind{play.Ring, play.Line, play.Slice, play.Node, play.Tree} {
		for _, o := range chips(net) {
			probed(t, "fabric = "+string(net)+"; hardware = "+o.ID, func(s *instrument.State) {
				if x := subjectOf(s); x.err != nil || steps(s) == nil {
					t.Errorf("%s of %s: %v", net, o.Name, x.err)
				}
			})
		}
	}
	for _, a := range hardware.Catalog().All {
		if play.Sharp(a) && !strings.HasPrefix(a.ID, "gpu.") {
			t.Error(a.ID)
		}
	}
}

func TestGolden(t *testing.T) {
	for name, source := range map[string]string{
		"ring": "", "line": "fabric = line; n = 5; op = all-to-all; step = 1", "torus": "fabric = slice; hardware = tpu.v5p; shape = 2x2x2; op = reduce-scatter; step = 1",
		"switch": "fabric = node; op = all-reduce; adds = on; size = 16 MiB; step = 2", "tree": "fabric = tree; n = 4; nodes = 2; step = 2; over = bus",
	} {
		p, faults := instrument.Place(New(), "", strings.ReplaceAll(source, "; ", "\n"))
		if len(faults) > 0 {
			t.Fatal(faults)
		}
		got := strings.ReplaceAll(p.Static(), "><", ">\n<") + "\n" + p.Markdown()
		file := "testdata/" + name + ".html"
		if *update {
			if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil || got != string(want) {
			t.Errorf("%s differs (%v); run with -update and look at the difference", file, err)
		}
	}
}

// FuzzAddress: no address brings the instrument down or makes it show what is no number.
func FuzzAddress(f *testing.F) {
	f.Add("collectives.fabric=tree&collectives.hardware=gpu.b200&collectives.op=all-reduce&collectives.nodes=3&collectives.n=5&collectives.size=1e300 GB&collectives.step=7")
	f.Add("collectives.fabric=slice&collectives.shape=16x16&collectives.op=broadcast&collectives.link=0&collectives.hop=1e9")
	f.Fuzz(func(t *testing.T, query string) {
		v := in(t, "")
		ps, _, _ := widget.Decode(query)
		v.Apply(ps)
		text := v.Export("text")
		for _, bad := range []string{"NaN", "Inf", "∞"} {
			if strings.Contains(text, bad) {
				t.Errorf("%q shows %s", query, bad)
			}
		}
		for _, x := range v.Values() {
			if d, err := strconv.ParseFloat(x.Data, 64); err == nil && !(quantity.Quantity{Value: d}).IsFinite() {
				t.Errorf("%q: %s is %v", query, x.Name, d)
			}
		}
	})
}
