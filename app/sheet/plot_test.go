package sheet

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/golden"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/sheet/plot"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// sampled is the first plot of src.
func sampled(t testing.TB, src string) *plot.Data {
	t.Helper()
	s := explainSheet(t, src)
	if len(s.Plots) == 0 {
		t.Fatalf("no plot in\n%s", src)
	}
	return s.PlotData(nil, s.Plots[0])
}

// tidy holds what every plot promises.
func tidy(t *testing.T, d *plot.Data) {
	t.Helper()
	for _, c := range d.Series {
		if len(c.X) != len(c.Y) || len(c.X) > plot.MaxPoints {
			t.Errorf("%s: %d x, %d y", c.Name, len(c.X), len(c.Y))
		}
		if !slices.IsSorted(c.X) || len(slices.Compact(slices.Clone(c.X))) != len(c.X) {
			t.Errorf("%s: x is not ascending", c.Label)
		}
		for i, y := range c.Y {
			if math.IsInf(y, 0) || math.IsNaN(c.X[i]) || math.IsInf(c.X[i], 0) {
				t.Errorf("%s: a point at %v, %v", c.Label, c.X[i], y)
			}
			if d.Y.Log && y <= 0 {
				t.Errorf("%s: %v on a logarithmic axis", c.Label, y)
			}
		}
	}
	for _, m := range d.Marks {
		if math.IsNaN(m.X) || math.IsNaN(m.Y) != (m.Kind == "mark") || m.Label == "" {
			t.Errorf("mark %+v", m)
		}
	}
}

func TestPlotMatmul(t *testing.T) {
	s := explainSheet(t, matmulSheet)
	d := s.PlotData(nil, s.Plots[0])
	tidy(t, d)
	B := 8.1e11 / (2*8.1e11/394e12 - 8192./(4096*16384)*1) / 8.1e11 // D F / (2 D F W/peak - D - F)
	crossings := marksOf(d, "crossing")
	if len(crossings) != 1 || relative(crossings[0].X, 4096*16384/(2*4096*16384*8.1e11/394e12-4096-16384)) > 1e-12 {
		t.Errorf("crossings %+v, want one at %v", crossings, B)
	}
	if len(marksOf(d, "ridge")) != 0 {
		t.Error("the ridge is the crossing")
	}
	marks := marksOf(d, "mark")
	if len(marks) != 1 || marks[0].Label != "Compute-bound above 263 tokens" {
		t.Errorf("marks %+v", marks)
	}
	if d.Title != "Time to compute, Time to move the bytes, At best, fully overlapped over tokens in the batch" ||
		d.Err != nil {
		t.Errorf("title %q, %v", d.Title, d.Err)
	}
	if d.X.Label != "Tokens in the batch, B" || !d.X.Log || d.X.Min != 1 || d.X.Max != 16384 ||
		d.X.Unit.Label.Over != "token" {
		t.Errorf("x axis %+v", d.X)
	}
	if d.Y.Label != "Time" || !d.Y.Log || d.Y.Dim != quantityOf("1 s").Dim || d.Current != 256 {
		t.Errorf("y axis %+v, current %v", d.Y, d.Current)
	}
	for _, c := range d.Series {
		if !slices.Contains(c.X, 256) || !slices.Contains(c.X, crossings[0].X) {
			t.Errorf("%s lacks the reader's point or the crossing", c.Name)
		}
	}
}

func TestPlotForCurves(t *testing.T) {
	s := explainSheet(t, matmulSheet)
	d := s.PlotData(nil, s.Plots[1])
	tidy(t, d)
	if len(d.Series) != 2 || d.Series[0].Label != "D = 1024" || d.Series[1].Label != "D = 4096" {
		t.Fatalf("series %+v", d.Series)
	}
	ridges := marksOf(d, "ridge")
	if len(ridges) != 2 || ridges[0].Series != 0 || ridges[1].Series != 1 {
		t.Fatalf("ridges %+v", ridges)
	}
	for i, D := range []float64{1024, 4096} {
		want := D * 16384 / (2*D*16384*8.1e11/394e12 - D - 16384)
		if relative(ridges[i].X, want) > 1e-12 {
			t.Errorf("ridge at %.17g, want %.17g", ridges[i].X, want)
		}
	}
	for i, x := range d.Series[0].X[:40] { // memory-bound: the closed form
		want := (x*1024 + 1024*16384 + x*16384) / 8.1e11
		if relative(d.Series[0].Y[i], want) > 1e-13 {
			t.Errorf("at %v: %v, want %v", x, d.Series[0].Y[i], want)
		}
	}
}

func TestPlotOverMenu(t *testing.T) {
	s := explainSheet(t, matmulSheet)
	d := s.PlotData(nil, s.Plots[2])
	tidy(t, d)
	if !slices.Equal(d.X.Categories, []string{"TPU v5e", "TPU v5p"}) || d.Current != 0 || len(d.Series) != 1 ||
		len(d.Series[0].Y) != 2 {
		t.Errorf("%+v", d)
	}
	d = sampled(
		t,
		"let chip = tpu.v5e\nlet d = int8\nlet I = 300 FLOP/byte in 1 FLOP/byte..1e4 FLOP/byte log\nT = 1 TFLOP / "+
			"chip.flops(d)\nplot T over d for chip\n",
	)
	tidy(t, d)
	if !slices.Equal(d.X.Categories, []string{"bf16", "int8", "fp4"}) || len(d.Series) != 2 ||
		d.Series[1].Label != "TPU v5p" {
		t.Fatalf("%+v", d)
	}
	if y := d.Series[0].Y; relative(y[0], 1./197) > 1e-14 || relative(y[1], 1./394) > 1e-14 || !math.IsNaN(y[2]) {
		t.Errorf("%v", y)
	}
}

// Between two samples a curve is straight to the eye, corners, jumps and edges included.
func TestPlotIsSharp(t *testing.T) {
	for src, off := range map[string]float64{
		"y = max(x, 20) + abs(x - 33.3) + min(x, 71.7) * 2": 2e-4,
		"y = x^2 + 500 * abs(x - 61.8)":                     2e-4,
		"y = max(x^3 / 500, 3 * x, 40)":                     2e-3,
		"y = if(x < 40, x, x + 30)":                         2e-4,
		"y = floor(x / 30)":                                 2e-4,
		"y = sqrt(x - 37)":                                  0.05,
		"y = exp(x / 20)":                                   2e-3,
		"y = 5":                                             1e-12,
	} {
		s := explainSheet(t, "let x = 10 in 1..100\n"+src+"\nplot y over x linear\n")
		d := s.PlotData(nil, s.Plots[0])
		tidy(t, d)
		c := d.Series[0]
		height := d.Y.Max - d.Y.Min
		rnd := rand.New(rand.NewPCG(13, 14))
		sw := s.sweep(nil, "x", []string{"y"})
		worst, at := 0.0, 0.0
		for range 2000 {
			x := 1 + 99*rnd.Float64()
			row := sw.Num(x)[0]
			i, _ := slices.BinarySearch(c.X, x)
			if row.Err != nil {
				if !math.IsNaN(c.Y[i]) && !math.IsNaN(c.Y[max(0, i-1)]) {
					t.Errorf("%s: drawn at %v, where it has no value", src, x)
				}
				continue
			}
			drawn := c.Y[i]
			if i > 0 {
				f := (x - c.X[i-1]) / (c.X[i] - c.X[i-1])
				drawn = c.Y[i-1]*(1-f) + c.Y[i]*f
			}
			if math.IsNaN(drawn) {
				t.Errorf("%s: a hole at %v", src, x)
			} else if diff := math.Abs(drawn-row.Value.Num.Value) / max(height, 1e-3); diff > worst {
				worst, at = diff, x
			}
		}
		if worst > off {
			t.Errorf("%s: off by %.2g of the height at %v", src, worst, at)
		}
	}
}

func TestPlotAxes(t *testing.T) {
	const inputs = "let x = 10 in 1..1000 log\nlet lin = 5 in 0..10\nlet free = 3\n"
	for src, want := range map[string]func(d *plot.Data) bool{
		"y = x^2\nplot y over x": func(d *plot.Data) bool {
			return d.Y.Log && d.Y.Min == 1 &&
				d.Y.Max == 1e6
		},
		"y = x^2\nplot y over x linear": func(d *plot.Data) bool { return !d.Y.Log && d.Y.Min == 0 },
		"y = x^0.4\nplot y over x":      func(d *plot.Data) bool { return !d.Y.Log },
		"y = x - 5\nplot y over x":      func(d *plot.Data) bool { return !d.Y.Log && d.Y.Min == -4 },
		"y = x - 5\nplot y over x log": func(d *plot.Data) bool {
			return d.Y.Log && d.Y.Min > 0 &&
				math.IsNaN(d.Series[0].Y[0])
		},
		"y = lin^4 + 1\nplot y over lin": func(d *plot.Data) bool { return !d.Y.Log && !d.X.Log && d.X.Min == 0 },
		"y = lin + 900\nplot y over lin": func(d *plot.Data) bool { return d.Y.Min == 900 },
		"y = x\nplot y over x in 10..20": func(d *plot.Data) bool {
			return d.X.Min == 10 && d.X.Max == 20 &&
				d.X.Log
		},
		"y = free\nplot y over free": func(d *plot.Data) bool {
			return d.X.Min == 0.03 && d.X.Max == 300 &&
				d.X.Log
		},
		"y = sqrt(0 - x)\nplot y over x": func(d *plot.Data) bool { return d.Err != nil },
		"y = x \"Why\"\nplot y over x \"A caption\"": func(d *plot.Data) bool {
			return d.Title == "A caption" &&
				d.Y.Label == "Why"
		},
		"y = x\nz = 2 * x\nplot y, z over x": func(d *plot.Data) bool {
			return d.Y.Label == "Number" &&
				len(d.Marks) == 0
		},
		"y = x\nz = 40\nplot y, z over x mark free, z": func(d *plot.Data) bool {
			return len(d.Marks) == 3 && d.Marks[0].X == 40 && d.Marks[1].Label == "free 3" && d.Marks[2].Label == "z 40"
		},
	} {
		d := sampled(t, inputs+src+"\n")
		tidy(t, d)
		if !want(d) {
			t.Errorf("%s:\nx %+v\ny %+v\nmarks %+v\n%v", src, d.X, d.Y, d.Marks, d.Err)
		}
	}
}

func TestPlotIsBounded(t *testing.T) {
	for _, y := range []string{"mod(x * 1e7, 1)", "floor(x * 3)", "mod(floor(x), 2) + 0.1 * x",
		"max(mod(x, 3), mod(x, 5), mod(x, 7))", "1 / mod(x, 1)"} {
		d := sampled(t, "let x = 10 in 1..1000\ny = "+y+"\nz = 1 + 0.3 * mod(x, 2)\nplot y, z over x\n")
		tidy(t, d)
	}
}

// The same plot twice is the same to the bit.
func TestPlotIsDeterministic(t *testing.T) {
	s := explainSheet(t, matmulSheet)
	for _, p := range s.Plots {
		a, b := s.PlotData(nil, p), s.PlotData(input.State{}, p)
		for i := range a.Series {
			if !slices.EqualFunc(
				a.Series[i].Y,
				b.Series[i].Y,
				func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) },
			) {
				t.Error("two samplings differ")
			}
		}
	}
}

func BenchmarkPlot(b *testing.B) {
	s := explainSheet(b, matmulSheet)
	st := input.State{"B": {Kind: value.Number, Num: quantity.Quantity{Value: 300, Label: quantity.Label{Over: "token"}}}}
	for i, name := range []string{"three-curves", "two-for", "menu"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if s.PlotData(st, s.Plots[i]).Err != nil {
					b.Fatal("no plot")
				}
			}
		})
	}
}

func marksOf(d *plot.Data, kind string) []plot.Mark {
	var out []plot.Mark
	for _, m := range d.Marks {
		if m.Kind == kind {
			out = append(out, m)
		}
	}
	return out
}

// A roofline knows its ridge, also where it is a law of the library.
func TestPlotRidgeThroughLaw(t *testing.T) {
	for _, y := range []string{"attainable(chip.flops(bf16), chip.hbm_bandwidth, I)",
		"min(chip.flops(bf16), (chip.hbm_bandwidth * I))"} {
		d := sampled(
			t,
			"let chip = tpu.v5e\nlet I = 300 FLOP/byte in 1 FLOP/byte..1e4 FLOP/byte log\nroof = "+y+"\nalias = (roof)\nplot "+
				"alias over I for chip\n",
		)
		tidy(t, d)
		ridges := marksOf(d, "ridge")
		if len(ridges) != 2 || relative(ridges[0].X, 197e12/820e9) > 1e-13 || relative(ridges[1].X, 459e12/2.765e12) > 1e-13 {
			t.Errorf("%s: %+v", y, ridges)
		}
		if ridges[0].Label != "240 FLOP/byte" || !d.Y.Log {
			t.Errorf("%+v %+v", ridges[0], d.Y)
		}
	}
}

// The rate of a roofline has its ridge where the longer of the two times changes.
func TestPlotRidgeThroughFactors(t *testing.T) {
	s := explainSheet(
		t,
		matmulSheet+"rate = 2 * ops / -max(T_math, T_comms)\nboth = max(B, 3) * max(B, 5)\nplot rate over B\nplot both "+
			"over B\n",
	)
	d := s.PlotData(nil, s.Plots[3])
	tidy(t, d)
	want := 4096 * 16384 / (2*4096*16384*8.1e11/394e12 - 4096 - 16384)
	if r := marksOf(d, "ridge"); len(r) != 1 || relative(r[0].X, want) > 1e-12 {
		t.Errorf("%+v, want %v", r, want)
	}
	if r := marksOf(s.PlotData(nil, s.Plots[4]), "ridge"); len(r) != 0 {
		t.Errorf("which of two? %+v", r)
	}
}

// A ridge at a round number has its mark, too, though a sample falls beside it by no more than rounding.
func TestPlotRidgeOnASample(t *testing.T) {
	for _, at := range []string{"100", "10", "1000", "130"} {
		d := sampled(t, "let x = 8 in 1..10000 log\ny = max("+at+", x)\nplot y over x log\n")
		if r := marksOf(d, "ridge"); len(r) != 1 || r[0].Label != "x = "+at {
			t.Errorf("%s: %+v", at, r)
		}
	}
}

// Curves that run together for a while do not cross there.
func TestPlotTouchIsNoCrossing(t *testing.T) {
	d := sampled(t, "let x = 10 in 0..100\na = max(x, 50)\nb = x\nc = 50 + 0 * x\nplot a, b, c over x\n")
	tidy(t, d)
	crossings := marksOf(d, "crossing")
	if len(crossings) != 1 || relative(crossings[0].X, 50) > 1e-12 {
		t.Errorf("%+v", crossings)
	}
}

// Marks that depend on what `for` varies are drawn for each value.
func TestPlotMarksVary(t *testing.T) {
	d := sampled(
		t,
		"let x = 10 in 1..100 log\nlet k = 2 in 1..9\nm = 3 * k\nn = 7\ny = x * k\nplot y over x for k = 2, 4 mark m, n\n",
	)
	tidy(t, d)
	var got []string
	for _, m := range d.Marks {
		got = append(got, m.Label)
	}
	if s := strings.Join(got, "; "); s != "m 6, k = 2; m 12, k = 4; n 7" {
		t.Error(s)
	}
}

// Every machine computes the same bits, the browser's among them: run this also with GOOS=js GOARCH=wasm.
func TestSameBitsEverywhere(t *testing.T) {
	s := explainSheet(t, matmulSheet+`let x = 3 in 0.1..1e4 log
let y = 2 in -5..5
wave = x^1.7 / (1 + exp(-y)) + ln(x) * sqrt(abs(y)) + max(x, 40)^0.3
power = x^y
solve meet_again: x where wave = 90
solve flat: y where exp(y) = 3
plot wave, power over x for y = -1, 0, 2
plot wave over y
`)
	var out strings.Builder
	for i, p := range s.Plots {
		h := fnv.New64a()
		d := s.PlotData(nil, p)
		for _, c := range d.Series {
			binary.Write(h, binary.LittleEndian, c.X)
			for _, v := range c.Y {
				if math.IsNaN(v) {
					v = math.NaN() // one NaN is as good as another
				}
				binary.Write(h, binary.LittleEndian, v)
			}
		}
		fmt.Fprintf(&out, "plot %d %016x\n", i, h.Sum64())
		for _, m := range d.Marks {
			fmt.Fprintf(&out, "  %s %x %s\n", m.Kind, m.X, m.Label)
		}
	}
	r := s.Eval(nil)
	for _, name := range []string{"B_crit", "meet_again", "flat", "wave", "power"} {
		v, err := r.Value(name)
		fmt.Fprintf(&out, "%s %x %v\n", name, v.Num.Value, err)
	}
	for _, e := range s.Elasticities(nil, "wave") {
		fmt.Fprintf(&out, "%s %x %v\n", e.Input, e.Value, e.Kink)
	}
	golden.Check(t, "testdata/formulas.bits.golden", out.String())
}
