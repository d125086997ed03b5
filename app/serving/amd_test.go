package serving

import "testing"

// What is fitted on NVIDIA's chips is scaled on AMD's, by what public tests measured of both: shares of the memory's
// bandwidth and of the peaks become smaller, times of layers longer. Chips of others are left alone.
func TestAMDReachesLessOfItsDataSheet(t *testing.T) {
	k := Fitted("vllm")
	for chip, want := range map[string][4]float64{ // reads, products in 16 and 8 bits, times of layers
		"gpu.h100":   {1, 1, 1, 1},
		"gpu.mi300x": {0.88, 0.65, 0.59, 1.7},
		"gpu.mi325x": {0.88, 0.65, 0.59, 1.7},
		"gpu.mi355x": {0.88, 1, 1, 1.7},
	} {
		r := replica(t, "llama3.8b", chip, 2, Plan{TP: 1}, k)
		got := [4]float64{r.Weights / k.Weights, r.Math16 / k.Math16, r.Math8 / k.Math8, r.Layer / k.Layer}
		for i := range got {
			near(t, chip, got[i], want[i], 1e-12)
		}
		again := replica(t, "llama3.8b", chip, 2, Plan{TP: 1}, r.Constants)
		near(t, chip+": once", again.Layer, r.Layer, 1e-12)
		near(t, chip+": caches", r.Constants.Cache/k.Cache, want[0], 1e-12)
		near(t, chip+": sums", r.Collective/k.Collective, want[3], 1e-12)
	}
}

// The first wave of a closed loop comes together, and is the larger a share of all the fewer waves there are. Ten are
// usual, so that ten say what none says.
func TestFewWavesArriveMoreTogether(t *testing.T) {
	r := replica(t, "llama3.8b", "gpu.h100", 2, Plan{TP: 1}, Fitted("vllm"))
	load := Load{In: 1024, Out: 1024}
	usual := r.Closed(32, load)
	last := 0.0
	for _, waves := range []float64{100, UsualWaves, 3, 1} {
		load.Waves = waves
		b := r.burst(load, load.Out, 8)
		a := r.Closed(32, load)
		if b < 1/waves-1e-12 || b > 1 || a.TTFT < last {
			t.Errorf("%v waves: %v together, %v s to the first token, %v with more waves", waves, b, a.TTFT, last)
		}
		if last = a.TTFT; waves == UsualWaves {
			near(t, "first token of ten waves", a.TTFT, usual.TTFT, 1e-9)
		}
	}
	if b := r.burst(load, load.Out, 8); b != 1 {
		t.Errorf("%v of a single wave come together", b)
	}
}
