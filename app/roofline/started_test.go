package roofline

import (
	"math"
	"strings"
	"testing"

	q "github.com/scalebook/scalebook/app/quantity"
)

// Half a TPU7x, as Google describes it.
const (
	halfPeak      = q.FLOPRate(2307e12 / 2)
	halfBandwidth = q.Bandwidth(7380e9 / 2)
)

// Fitted to every other of the measured matmuls, the law says the rest within 3 %; a start-up that is the same for each
// would miss them by far more.
func TestStartedOnHeldOutRows(t *testing.T) {
	timed, err := Timings("")
	if err != nil || len(timed) != 6 {
		t.Fatal(timed, err)
	}
	fit, err := FitStarted([]Timed{timed[0], timed[2], timed[4]}, halfPeak, halfBandwidth)
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range []int{1, 3, 5} {
		off := float64(fit.Time(timed[i], timed[i].Ideal(halfPeak, halfBandwidth))/timed[i].Took) - 1
		if math.Abs(off) > 0.03 {
			t.Errorf("side %v: off by %.3f", timed[i].Side(), off)
		}
	}
	constant := timed[0].Took - timed[0].Ideal(halfPeak, halfBandwidth)/q.Seconds(fit.Share)
	said := constant + timed[1].Ideal(halfPeak, halfBandwidth)/q.Seconds(fit.Share)
	if off := float64(said/timed[1].Took) - 1; off > -0.2 {
		t.Errorf("a constant start-up is off by only %.3f", off)
	}
}

// From times that the law made, the fit finds the constants that made them.
func TestFitStartedFindsItsConstants(t *testing.T) {
	for _, want := range []Started{{0.8, 4e-9}, {0.5, 0}, {0.99, 1e-7}} {
		var timed []Timed
		for _, n := range []float64{64, 500, 3000, 20000} {
			at := Timed{B: n, D: 2 * n, F: n / 2}
			at.Took = want.Time(at, at.Ideal(halfPeak, halfBandwidth))
			timed = append(timed, at)
		}
		got, err := FitStarted(timed, halfPeak, halfBandwidth)
		if err != nil || math.Abs(got.Share-want.Share) > 1e-9 || math.Abs(float64(got.Edge-want.Edge)) > 1e-15 {
			t.Errorf("%+v, %v; want %+v", got, err, want)
		}
	}
}

// Matmuls that get slower as they grow show no start-up: the time that begins them is not below nothing, and the share
// is the one that lies nearest to all of them.
func TestFitStartedWithoutStart(t *testing.T) {
	var timed []Timed
	inverse, square := 0.0, 0.0 // of ideal over taken, and squared
	for i, share := range []float64{0.9, 0.8, 0.7} {
		at := Timed{B: 1000 * float64(i+1), D: 8192, F: 8192}
		at.Took = at.Ideal(halfPeak, halfBandwidth) / q.Seconds(share)
		timed = append(timed, at)
		inverse, square = inverse+share, square+share*share
	}
	got, err := FitStarted(timed, halfPeak, halfBandwidth)
	if want := square / inverse; err != nil || got.Edge != 0 || math.Abs(got.Share-want) > 1e-9 {
		t.Errorf("%+v, %v; want no edge and a share of %v", got, err, want)
	}
}

func TestTimings(t *testing.T) {
	timed, err := Timings("side, TFLOP/s\n# mine\n1024 300\n\n64, 4096; 8192\t12.5\n")
	if err != nil || len(timed) != 2 || timed[0].B != 1024 || timed[1] != (Timed{64, 4096, 8192, timed[1].Took}) {
		t.Fatal(timed, err)
	}
	if rate := 2 * 64 * 4096 * 8192 / float64(timed[1].Took); math.Abs(rate/12.5e12-1) > 1e-12 {
		t.Errorf("%g FLOP/s", rate)
	}
	for text, want := range map[string]string{
		"1024":           "line 1 is no matmul",
		"1 2\n3 4 5":     "line 2 is no matmul",
		"1024 fast":      "line 1",
		"1 2\nside rate": "line 2", // names of columns stand above all else
		"-1 5":           "line 1",
		"1e300 5":        "line 1",
		"1024 NaN":       "line 1",
		"1024 300 1 2 3": "line 1",
	} {
		if _, err := Timings(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := FitStarted(timed[:1], halfPeak, halfBandwidth); err == nil {
		t.Error("one matmul tells no start-up")
	}
	if _, err := FitStarted([]Timed{timed[0], timed[0]}, halfPeak, halfBandwidth); err == nil {
		t.Error("one size tells no start-up")
	}
}
