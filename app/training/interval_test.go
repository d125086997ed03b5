package training

import (
	"math"
	"testing"
)

// TestIntervalsCounted: of software without measured rows a step takes from seven tenths of the prediction to half as
// much again; on a device that few have timed both are that much farther. No step is shorter than its matmuls, nor than
// the model's operations at the peak.
func TestIntervalsCounted(t *testing.T) {
	at := func(stated bool, doubt, reach, extra float64, plan Plan) (Interval, Estimate, *Estimator) {
		j := roundDense(2, 2)
		j.Device.Doubt, j.Stack.Reach, j.Stack.Step = doubt, reach, extra
		p, estimate := priced(t, j, plan)
		return p.RunInterval(&estimate, stated), estimate, p
	}
	const long = 100 // s that nothing explains, beside which all that computes is little
	i, estimate, _ := at(true, 1, 0, long, Plan{DP: 2})
	mid := estimate.Time.Step()
	checkCounted(t, []handCount{
		{"low", i.Low, 0.7 * mid, "seven tenths"}, {"high", i.High, 1.5 * mid, "half as much again"},
		{"mid", i.Mid, mid, "the prediction"},
	})
	i, estimate, _ = at(true, 1.2, 0, long, Plan{DP: 2})
	mid = estimate.Time.Step()
	checkCounted(t, []handCount{
		{"low in doubt", i.Low, 0.7 * mid / 1.2, "a fifth farther"},
		{"high in doubt", i.High, 1.5 * mid * 1.2, "a fifth farther"},
	})
	again := Plan{DP: 2, Recompute: RecomputeBlock}
	i, estimate, _ = at(true, 100, 0, 0, again)
	handCount{"matmuls", i.Low, estimate.Time.MicroBatches * estimate.Time.Matmul, "all four passes"}.check(t)
	i, estimate, _ = at(false, 100, 0, 0, again)
	handCount{"matmuls of a plan that isn't told", i.Low, estimate.Time.MicroBatches * estimate.Time.Matmul * 3 / 4,
		"three of four passes"}.check(t)
	i, _, p := at(true, 100, 5, 0, Plan{DP: 2}) // matmuls faster than the peak allows
	handCount{"the peak", i.Low, 2 * 2000 * p.flops / (2 * 1e15), "operations of two sequences on two devices"}.check(t)
}

// TestIntervalsOfFormats: software whose matmuls in 8 bits were measured often enough has an interval of its own for
// them, and the same one in 16 bits as before; other software has one for both.
func TestIntervalsOfFormats(t *testing.T) {
	for name, own := range map[string]bool{"fsdp": true, "megatron": true, "xla": false} {
		var of [2]Interval
		for i, dtype := range []DType{BF16, FP8} {
			j := roundDense(2, 2)
			stack, err := StackNamed(name)
			if err != nil {
				t.Fatal(err)
			}
			j.Stack, j.Recipe.Compute = stack, dtype
			p, estimate := priced(t, j, Plan{DP: 2})
			wide := spreads().interval(stack, "time", p.UseOf(&estimate, BF16), 1)
			if dtype != BF16 && own {
				wide = spreads().interval(stack, "time.eight", p.UseOf(&estimate, BF16), 1)
			}
			of[i] = p.spreadOf(&estimate, true)
			if got, want := of[i].High/of[i].Mid, wide.High; math.Abs(got/want-1) > 1e-9 {
				t.Errorf("%s in %v: up to %.3f of the middle, want %.3f", name, dtype, got, want)
			}
		}
		if differ := math.Abs(of[0].High/of[0].Mid-of[1].High/of[1].Mid) > 1e-9; differ != own {
			t.Errorf("%s: %v in 16 bits and %v in 8", name, of[0], of[1])
		}
	}
}

// TestRatesCounted: tokens a second of a device, and the share of the peak that they take.
func TestRatesCounted(t *testing.T) {
	p, estimate := priced(t, roundDense(8, 16), Plan{DP: 4, TP: 2, Micro: 2})
	step := estimate.Time.Step()
	checkCounted(t, []handCount{
		{"tokens a second", p.TokensPerSecond(&estimate), 16 * 2000 / step / 8, "16 sequences of 2000 on 8 devices"},
		{"use", p.Use(&estimate), 16 * 2000 / step / 8 * p.flops / 1e15, "of 1e15 FLOP/s"},
	})
}
