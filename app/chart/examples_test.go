package chart

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// The plots that the goldens and the laws are tried on.

// logspace is n values from lo to hi in equal ratios.
func logspace(lo, hi float64, n int) []float64 {
	xs := make([]float64, n)
	for i := range xs {
		t := float64(i) / float64(n-1)
		xs[i] = math.Pow(lo, 1-t) * math.Pow(hi, t)
	}
	xs[n-1] = hi
	return xs
}

func linspace(lo, hi float64, n int) []float64 {
	xs := make([]float64, n)
	for i := range xs {
		xs[i] = lo + (hi-lo)*float64(i)/float64(n-1)
	}
	return xs
}

func apply(f func(float64) float64, xs []float64) []float64 {
	ys := make([]float64, len(xs))
	for i, x := range xs {
		ys[i] = f(x)
	}
	return ys
}

// si prints with three digits and an SI prefix.
func si(unit string) func(float64) string {
	return func(v float64) string {
		if v == 0 {
			return "0 " + unit
		}
		prefixes := []struct {
			name string
			size float64
		}{{"P", 1e15}, {"T", 1e12}, {"G", 1e9}, {"M", 1e6}, {"k", 1e3}, {"", 1}, {"m", 1e-3}, {"µ", 1e-6}, {"n",
			1e-9}, {"p", 1e-12}}
		for _, p := range prefixes {
			if math.Abs(v) >= p.size*0.9995 {
				return strconv.FormatFloat(v/p.size, 'g', 3, 64) + " " + p.name + unit
			}
		}
		return strconv.FormatFloat(v, 'g', 3, 64) + " " + unit
	}
}

func tokens(v float64) string { return commas(strconv.FormatFloat(math.Round(v), 'f', 0, 64)) }

const (
	d, f    = 4096.0, 16384.0
	peak    = 3.94e14
	hbm     = 8.1e11
	current = 512.0
)

func tMath(b float64) float64  { return 2 * b * d * f / peak }
func tComms(b float64) float64 { return (b*d + d*f + b*f) / hbm }

// bCrit is where the two meet: 2bdf/peak = (b(d+f) + df)/hbm.
func bCrit() float64 { return d * f / (2*d*f*hbm/peak - d - f) }

func matmul() *Plot {
	xs := logspace(1, 16384, 97)
	c := bCrit()
	return &Plot{
		ID: "int8-matmul", Title: "Time of an int8 matmul over the batch",
		X: Axis{Label: "Tokens in the batch (B)", Log: true, Min: 1, Max: 16384, Format: tokens},
		Y: Axis{Label: "Time", Log: true, Format: si("s")},
		Series: []Series{
			{Name: "T_math", Label: "Time to compute", X: xs, Y: apply(tMath, xs)},
			{Name: "T_comms", Label: "Time to move the bytes", X: xs, Y: apply(tComms, xs)},
		},
		Marks:   []Mark{{Kind: Point, X: c, Y: tMath(c), Label: "Compute-bound above"}},
		Current: &Mark{Kind: Vertical, X: current, Label: "B = 512"},
	}
}

func roofline() *Plot {
	p := rooflineUnder(roof{"HBM", 1.97e14, 8.2e11}, roof{"VMEM", 1.97e14, 1.8e13})
	p.ID = "roofline"
	p.Y.Format = si("FLOP/s")
	p.Current = &Mark{X: 60, Label: "this matmul"}
	return p
}

func memory() *Plot {
	xs := linspace(0, 128, 65)
	return &Plot{
		ID: "kv", X: Axis{Label: "Sequences in the batch"}, Y: Axis{Label: "KV cache", Format: si("B")},
		Series: []Series{{Name: "kv", Label: "KV cache", X: xs,
			Y: apply(func(x float64) float64 { return x * 2.1e9 }, xs)}},
		Marks: []Mark{{Kind: Vertical, X: 38.2, Label: "one chip full"},
			{Kind: Vertical, X: 76.4, Label: "two chips full"}},
	}
}

func family() *Plot {
	xs := logspace(1, 4096, 80)
	p := &Plot{
		ID: "family",
		X:  Axis{Label: "Tokens in the batch (B)", Log: true},
		Y:  Axis{Label: "Share of the peak", Format: percent},
	}
	for _, d := range []float64{512, 1024, 2048, 4096, 8192} {
		p.Series = append(p.Series, Series{Label: "D = " + tokens(d), X: xs,
			Y: apply(func(b float64) float64 { return math.Min(1, 1/(1/b+1/(d/4))/240) }, xs)})
	}
	return p
}

func percent(v float64) string { return strconv.FormatFloat(v*100, 'g', 3, 64) + "%" }

// many has more curves than there are colours.
func many() *Plot {
	xs := linspace(0, 10, 41)
	p := &Plot{ID: "many", X: Axis{Label: "Chips"}, Y: Axis{Label: "Throughput"}, Current: &Mark{X: 4}}
	for i := range 9 {
		p.Series = append(p.Series, Series{Label: fmt.Sprint("Configuration ", i+1), X: xs,
			Y: apply(func(x float64) float64 { return 10 + math.Sin(x+float64(i))*float64(i+1) }, xs)})
	}
	return p
}

func gaps() *Plot {
	xs := linspace(-3, 3, 121)
	return &Plot{
		ID: "gaps", X: Axis{Label: "x"}, Y: Axis{Label: "y", Min: -6, Max: 6},
		Series: []Series{
			{Label: "1/x", X: xs, Y: apply(func(x float64) float64 { return 1 / x }, xs)},
			{Label: "root", X: xs, Y: apply(math.Sqrt, xs)},
			{Label: "measured", Dots: true, X: []float64{-2, -1, 0.5, 1.5, 2.5},
				Y: []float64{-0.6, -1.2, 2.3, 0.7, 0.3}},
		},
		Marks: []Mark{{X: 1, Y: 1, Label: "they meet"}},
	}
}

func crowded() *Plot {
	p := matmul()
	p.ID = "crowded"
	for i := range 5 {
		x := 200.0 * math.Pow(1.1, float64(i))
		p.Marks = append(
			p.Marks,
			Mark{Kind: Point, X: x, Y: tMath(x), Label: "A place with a rather long label, number " + itoa(i+1)},
		)
		p.Marks = append(p.Marks, Mark{Kind: Vertical, X: x, Label: "A vertical, number " + itoa(i+1)})
	}
	return p
}

var chips = strings.Split(
	"TPU v2|TPU v3|TPU v4|TPU v4i|TPU v5e|TPU v5p|TPU v6e (Trillium)|TPU7x (Ironwood)|NVIDIA P100|NVIDIA V100 SXM2|"+
		"NVIDIA T4|NVIDIA A100 40GB|NVIDIA A100 80GB|NVIDIA A10|NVIDIA L4|NVIDIA L40S|NVIDIA H100 PCIe|NVIDIA H100 "+
		"SXM|NVIDIA H200 SXM|"+
		"NVIDIA H20|NVIDIA GH200|NVIDIA B100|NVIDIA B200|NVIDIA GB200|NVIDIA B300|AMD MI250X|AMD MI300A|AMD MI300X|AMD "+
		"MI325X|AMD MI355X|"+
		"Intel Gaudi 2|Intel Gaudi 3|AWS Trainium2 with a name that goes on and on",
	"|",
)

var rates = []float64{
	46,
	123,
	275,
	138,
	197,
	459,
	918,
	2307,
	21.2,
	125,
	65,
	312,
	312,
	125,
	121,
	362,
	756,
	989,
	989,
	148,
	989,
	1750,
	2250,
	2500,
	2500,
	383,
	980,
	1307,
	1307,
	2300,
	432,
	1835,
	667,
}

func bars() *Plot {
	return &Plot{
		ID: "chips", X: Axis{Label: "Chip", Categories: chips},
		Y:       Axis{Label: "Dense bf16 peak", Format: func(v float64) string { return si("FLOP/s")(v * 1e12) }},
		Series:  []Series{{Label: "Peak", Y: rates}},
		Current: &Mark{X: 4},
	}
}

func dots() *Plot {
	n := 6
	lower, upper := make([]float64, n), make([]float64, n)
	for i := range n {
		lower[i] = 1e-3 * 400 / rates[i]
		upper[i] = lower[i] * (1.2 + float64(i)/5)
	}
	upper[3] = math.NaN()
	return &Plot{
		ID: "dots", X: Axis{Label: "Chip", Categories: chips[:n]}, Y: Axis{Label: "Time", Log: true, Format: si("s")},
		Series: []Series{{Label: "At best", Y: lower}, {Label: "At worst", Y: upper}},
	}
}

func signed() *Plot {
	return &Plot{
		ID: "signed", X: Axis{Label: "Input", Categories: []string{"W_hbm", "B", "D", "F", "chip.flops"}},
		Y:      Axis{Label: "Elasticity of T_lower"},
		Series: []Series{{Y: []float64{-1, 0.96, 0.31, 0, math.NaN()}}},
	}
}

func constant() *Plot {
	xs := linspace(0, 10, 11)
	return &Plot{
		ID:     "constant",
		X:      Axis{Label: "x"},
		Y:      Axis{Label: "Always the same"},
		Series: []Series{{X: xs, Y: apply(func(float64) float64 { return 42 }, xs)}},
	}
}

func point() *Plot {
	return &Plot{
		ID:     "point",
		X:      Axis{Label: "x", Log: true},
		Y:      Axis{Label: "y", Log: true},
		Series: []Series{{X: []float64{100}, Y: []float64{1e-6}}},
	}
}

func extreme() *Plot {
	xs := logspace(1e-300, 1e300, 61)
	return &Plot{
		ID: "extreme",
		X:  Axis{Label: "x", Log: true},
		Y:  Axis{Label: "x", Log: true},
		Series: []Series{{Label: "itself", X: xs, Y: xs},
			{Label: "inverse", X: xs, Y: apply(func(x float64) float64 { return 1 / x }, xs)}},
	}
}

func negative() *Plot {
	return &Plot{
		ID:     "negative",
		X:      Axis{Label: "x"},
		Y:      Axis{Label: "A quantity below zero", Log: true},
		Series: []Series{{X: []float64{1, 2}, Y: []float64{-1, -2}}},
	}
}

func examples() []*Plot {
	return []*Plot{
		matmul(),
		roofline(),
		memory(),
		family(),
		many(),
		gaps(),
		crowded(),
		bars(),
		dots(),
		signed(),
		constant(),
		point(),
		extreme(),
		negative(),
		{ID: "empty"},
	}
}
