package serving

import (
	"math"
	"math/rand/v2"
	"testing"
)

// What the page of measurements shows of open loops against an engine that is simulated step by step is what the
// simulation says: how far first tokens lie off, and how far whole requests where prompts are short and long.
func TestOpenLoopsBesideASimulation(t *testing.T) {
	k := Fitted("trtllm")
	k.Ingest, k.Ahead = 0, 0
	r := replica(t, "llama3.70b", "gpu.h100", 1, Plan{TP: 8}, k)
	var first, short, long []float64
	for _, out := range []float64{2, 4, 9, 20, 40, 100, 400} {
		for _, in := range []float64{500, 2000, 8000} {
			for _, share := range []float64{0.3, 0.6, 0.85} {
				l := Load{In: in, Out: out}
				rate := share * 0.001 / r.Open(Arrivals{Rate: 0.001}, l).Busy
				q := r.Open(Arrivals{Rate: rate}, l)
				started, whole := newEngine(r.calm(), l).open(rate, 6000, rand.New(rand.NewPCG(1, 2)))
				first = append(first, q.TTFT.Mean/started-1)
				switch in {
				case 500:
					short = append(short, q.E2E.Mean/whole-1)
				case 8000:
					long = append(long, q.E2E.Mean/whole-1)
				}
			}
		}
	}
	for _, limit := range []struct {
		what      string
		off, most float64
	}{{"first tokens", heldBelow(first, 1), 0.25}, {"requests with short prompts", heldBelow(short, 1), 0.2},
		{"requests with long prompts", heldBelow(long, 1), 0.3}} {
		if limit.off > limit.most {
			t.Errorf("%s lie up to %.3f off, at most %v", limit.what, limit.off, limit.most)
		}
	}
	const loads = "open loops of Llama 3 70B on eight H100s"
	holdSimulated(t, []distances{{loads, "time to first token", first}, {loads + ", prompts of 500 tokens",
		"time of a request", short}, {loads + ", prompts of 8000 tokens", "time of a request", long}})
}

// Of first tokens with prefill apart the upper end grows with answers from 1024 tokens to eight times as many: with its
// growth g by 8^g as a logarithm, and no further. Those together, and tokens, don't care.
func TestLongAnswersWidenFirstTokensApart(t *testing.T) {
	spread := Shipped().Of("apart", "first", "sglang", "gpu.h200", "deepseek.v3")
	if spread.Grows[1] <= 0 {
		t.Fatalf("first tokens apart don’t grow with answers: %+v", spread)
	}
	first := func(out float64, apart bool) Intervals {
		w := Spec{Engine: Engine{Name: "sglang"}, Chip: Chip{ID: "gpu.h200"}, Load: Load{In: 1024, Out: out},
			Shape: replica(t, "deepseek.v3", "gpu.h200", 1, Plan{}, Fitted("sglang")).Shape}
		o := Option{Apart: apart, Latency: Latency{TTFT: 1, TPOT: 0.02, Decode: 0.02}}
		return w.Spreads().expected(&o)
	}
	usual, grown := math.Log(first(1024, true).First.High), math.Pow(8, spread.Grows[1])
	for out, times := range map[float64]float64{64: 1, 1024: 1, 8192: grown, 1e6: grown} {
		near(t, "the upper end", math.Log(first(out, true).First.High), times*usual, 1e-9)
		near(t, "of a token", first(out, true).Token.High, first(1024, true).Token.High, 1e-9)
		near(t, "together", first(out, false).First.High, first(1024, false).First.High, 1e-9)
	}
}
