package sheet

import (
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/sheet/plot"
)

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
