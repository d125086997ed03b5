package chips

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/widget"
	"github.com/scalebook/scalebook/app/widget/instrument"
)

func TestNoFaults(t *testing.T) {
	for _, in := range []*instrument.Instrument{New(), NewSlice()} {
		for _, f := range instrument.Faults(in, 600) {
			t.Errorf("%s: %s", in.ID, f)
		}
	}
}

func view2(t *testing.T, in *instrument.Instrument, set ...string) *instrument.View {
	t.Helper()
	p, faults := instrument.Place(in, "", strings.Join(set, "\n"))
	for _, f := range faults {
		t.Errorf("%d: %s; %s", f.Line, f.What, f.Remedy)
	}
	return p.View()
}

// result is a named result in base units.
func result(t *testing.T, v *instrument.View, name string) float64 {
	t.Helper()
	for _, x := range v.Values() {
		if x.Name == name {
			n, err := strconv.ParseFloat(x.Data, 64)
			if err != nil {
				t.Fatalf("%s is %q", name, x.Text)
			}
			return n
		}
	}
	t.Fatalf("no result %s", name)
	return 0
}

func near(a, b float64) bool { return math.Abs(a/b-1) < 1e-9 }

// The demands are peak rate over bandwidth, worked by hand.
func TestDemands(t *testing.T) {
	v := view2(t, New(), "chips = tpu.v5e")
	for name, want := range map[string]float64{
		"i_hbm": 197e12 / 819e9, "i_link": 197e12 / 45e9, "i_scaleup": 197e12 / 180e9, "i_dcn": 197e12 / 3.125e9, "i_pcie": 197e12 / 16e9,
		"sweep": 16e9 / 819e9, "per_dollar": 197e12 * 3600 / 1.2, "scaleup": 180e9, "domain": 256,
	} {
		if got := result(t, v, name); !near(got, want) {
			t.Errorf("%s is %v, not %v", name, got, want)
		}
	}
	v = view2(t, New(), "chips = gpu.h100", "dtype = fp8")
	if got := result(t, v, "i_hbm"); !near(got, 1979e12/3350e9) {
		t.Error(got)
	}
}

// A changed constant counts everywhere, is marked, and can be undone; impossible ones are refused.
func TestEditing(t *testing.T) {
	v := view2(t, New(), "chips = tpu.v5e, gpu.h100")
	marks := func() int { return strings.Count(widget.HTML(v.Part("part:tables")), "edited-mark") }
	if marks() != 0 {
		t.Error("marked as it is")
	}
	if err := v.Set("tpu_v5e__hbm_bandwidth", "810"); err != nil {
		t.Fatal(err)
	}
	if got := result(t, v, "i_hbm"); !near(got, 197e12/810e9) || marks() != 3 { // the bandwidth, the sweep, the demand
		t.Error(got, marks())
	}
	for _, bad := range []string{"0", "-1 GB/s", "12 s", "fast"} {
		if v.Set("tpu_v5e__hbm_bandwidth", bad) == nil {
			t.Error(bad, "is taken")
		}
	}
	if got := result(t, v, "hbm_bandwidth"); got != 810e9 {
		t.Error("the last good value is lost:", got)
	}
	if v.Undo("tpu_v5e__hbm_bandwidth"); marks() != 0 || result(t, v, "hbm_bandwidth") != 819e9 {
		t.Error("undo leaves something")
	}
	if v.Set("tpu_v9__hbm", "1 GB") == nil || v.Set("tpu_v5e__nothing", "1 GB") == nil {
		t.Error("constants that don't exist are taken")
	}
}

// Every constant of every chip has a cell of its own, which reads its own text and gives its own value.
func TestEveryConstantIsACell(t *testing.T) {
	names := map[string]bool{}
	for _, a := range hardware.Catalog().All {
		for _, f := range a.Facts() {
			name := cellName(a.ID, f.Field)
			if names[name] {
				t.Errorf("two constants are called %s", name)
			}
			names[name] = true
			v := view2(t, New(), "chips = "+a.ID)
			if err := v.Set(name, f.Text); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if len(v.Params()) > 0 || strings.Contains(widget.HTML(v.Part("part:tables")), "edited") {
				t.Errorf("%s = %s counts as a change", name, f.Text)
			}
		}
	}
}

// Every chip's list names each of its sources, doubts and other readings.
func TestSourcesAreComplete(t *testing.T) {
	for _, a := range hardware.Catalog().All {
		p, _ := instrument.Place(New(), "", "chips = "+a.ID)
		page := p.Static()
		for _, f := range a.Facts() {
			says := []string{f.Text, cite(f.Constant), instrument.Capital(f.Doubt)}
			for _, o := range others(f.Constant) {
				says = append(says, o.Text, cite(o), o.Doubt)
			}
			for _, text := range says {
				if !strings.Contains(page, instrument.Escape(text)) {
					t.Errorf("%s, %s: nothing of %q", a.ID, f.Field, text)
				}
			}
		}
	}
}

// One order for all tables; what nobody knows comes last either way.
func TestOrder(t *testing.T) {
	first := func(sort string) string {
		v := view2(t, New(), "chips = tpu.v5e, gpu.h100, gpu.b200", "sort = "+sort)
		var lines []string
		for line := range strings.Lines(v.Export("csv")) {
			name, _, _ := strings.Cut(line, ",")
			lines = append(lines, strings.TrimSpace(name))
		}
		return strings.Join(lines[1:4], " ")
	}
	for sort, want := range map[string]string{
		"power": "B200 SXM (HGX) H100 SXM 80 GB TPU v5e", "-power": "H100 SXM 80 GB B200 SXM (HGX) TPU v5e", "i_hbm": "H100 SXM 80 GB B200 SXM (HGX) TPU v5e",
	} {
		if got := first(sort); got != want {
			t.Errorf("%s: %s, not %s", sort, got, want)
		}
	}
}

func TestSlices(t *testing.T) {
	for _, c := range []struct {
		chip, shape, wraps                 string
		chips, hosts, cores, hops, cutsize float64 // the links across the narrowest cut
	}{
		{"tpu.v5e", "16x16", "X and Y wrap around", 256, 32, 256, 16, 32},
		{"tpu.v5e", "8x16", "Y wraps around, X not", 128, 16, 128, 15, 16},
		{"tpu.v5e", "4x4", "no axis wraps around", 16, 2, 16, 6, 4},
		{"tpu.v5p", "4x4x4", "X, Y and Z wrap around", 64, 16, 128, 6, 32},
		{"tpu.v5p", "2x2x4", "no axis wraps around", 16, 4, 32, 5, 4},
		{"tpu.v5p", "8 x 8 × 16", "X, Y and Z wrap around", 1024, 256, 2048, 16, 128},
		{"tpu.v5e", "1x1", "a single chip", 1, 1, 1, 0, 0},
	} {
		v := view2(t, NewSlice(), "chip = "+c.chip, "shape = "+c.shape)
		if got := v.Summary(); !strings.Contains(got, ": "+c.wraps+";") {
			t.Errorf("%s %s: %s", c.chip, c.shape, got)
		}
		for name, want := range map[string]float64{"chips": c.chips, "hosts": c.hosts, "cores": c.cores, "diameter": c.hops} {
			if got := result(t, v, name); got != want {
				t.Errorf("%s %s: %v %s, not %v", c.chip, c.shape, got, name, want)
			}
		}
		if c.cutsize == 0 {
			continue
		}
		v.Set("link", "1 GB/s")
		if got := result(t, v, "bisection"); !near(got, c.cutsize*1e9) {
			t.Errorf("%s %s: bisection %v", c.chip, c.shape, got)
		}
	}
}

// At the 50 GB/s a link that Google's table implies, a pod of v5e has the bisection that Google prints.
func TestBisectionIsThePublishedOne(t *testing.T) {
	a, err := hardware.Catalog().Get("tpu.v5e")
	if err != nil {
		t.Fatal(err)
	}
	published, err := a.Get("pod_bisection")
	if err != nil {
		t.Fatal(err)
	}
	v := view2(t, NewSlice(), "chip = tpu.v5e", "shape = 16x16", "link = 50 GB/s")
	if got := result(t, v, "bisection"); !near(got, published.Value.Value) {
		t.Error(got, published.Value)
	}
}

// What is no slice is refused with what there is, and the last slice stays.
func TestNoSuchSlice(t *testing.T) {
	v := view2(t, NewSlice())
	for _, bad := range []string{"", "x", "3x5x7", "4x4", "0x0x0", "99999999999999999999x4x4", "-4x4x4", "4x4x4x4", "1e9x4x4"} {
		if err := v.Set("shape", bad); err == nil {
			t.Errorf("%q is taken", bad)
		}
		if got := result(t, v, "chips"); got != 128 {
			t.Errorf("%q: %v chips", bad, got)
		}
	}
	v.Set("chip", "tpu.v5e") // which has no 4x4x8
	if got := v.Summary(); !strings.Contains(got, "TPU v5e") {
		t.Error(got)
	}
	v.Undo("shape")
	v.Set("chip", "tpu.v5p")
	if got := result(t, v, "chips"); got != 128 {
		t.Error("the default shape is lost:", got)
	}
}
