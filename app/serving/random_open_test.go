package serving

import (
	"math/rand/v2"
	"testing"
)

// TestOpenLoopsAgreeWithSimulation: of loops drawn at random, of prompts of 64 to 32,768 tokens and answers of 2 to
// 1,000, each at three tenths, six tenths and 85 % of what a replica can take, predicted times lie from those of an
// engine that is played step by step as far as the page of measurements shows, and half of them within a twentieth.
func TestOpenLoopsAgreeWithSimulation(t *testing.T) {
	set, random := 100, rand.New(rand.NewPCG(1, 29))
	if testing.Short() {
		set = 10
	}
	var first, whole []float64
	for len(first) < 3*set {
		r, l, err := randomReplica(t, random, 0, 2, 1000)
		if err != nil || r.Fit(l) < 4 {
			continue
		}
		r.Engine.Sequences = min(r.Fit(l), 256)
		r = r.calm()
		line := r.Line(l)
		for _, busy := range []float64{0.3, 0.6, 0.85} {
			rate := busy * line.Capacity()
			q := line.Queue(Arrivals{Rate: rate})
			started, done := newEngine(r, l).open(rate, 3000, random)
			first, whole = append(first, q.TTFT.Mean/started-1), append(whole, q.E2E.Mean/done-1)
		}
	}
	const loads = "open loops, drawn at random"
	half := func(off []float64) float64 { return heldBelow(off, 0.5) }
	if f, w := half(first), half(whole); f > 0.05 || w > 0.05 {
		t.Errorf("half of first tokens lie within %.3f, of requests within %.3f", f, w)
	}
	holdSimulated(t, []distances{{loads, "time to first token", first}, {loads, "time of a request", whole}})
}
