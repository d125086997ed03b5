package serving

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
)

// What the page of measurements says of open loops against an engine that is simulated step by step is what the
// simulation says: how far first tokens lie off, how far whole requests where prompts are short, and how many times as
// long as predicted these take at most, where prompts are long and answers short.
func TestOpenLoopsBesideASimulation(t *testing.T) {
	k := Fitted("trtllm")
	k.Ingest, k.Ahead = 0, 0
	r := replica(t, "llama3.70b", "gpu.h100", 1, Plan{TP: 8}, k)
	var first, short, long float64
	for _, out := range []float64{2, 4, 9, 20, 40, 100, 400} {
		for _, in := range []float64{500, 2000, 8000} {
			for _, share := range []float64{0.3, 0.6, 0.85} {
				l := Load{In: in, Out: out}
				rate := share * 0.001 / r.Open(Arrivals{Rate: 0.001}, l).Busy
				q := r.Open(Arrivals{Rate: rate}, l)
				begun, whole := newEngine(r.calm(), l).open(rate, 6000, rand.New(rand.NewPCG(1, 2)))
				first = max(first, math.Abs(q.TTFT.Mean/begun-1))
				if in == 500 {
					short = max(short, math.Abs(q.E2E.Mean/whole-1))
				}
				long = max(long, whole/q.E2E.Mean)
			}
		}
	}
	page, err := os.ReadFile("../../content/measured.md")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(string(page)), " ")
	for _, s := range []string{
		fmt.Sprintf("first tokens in open loops at most %.0f %% off", 100*first),
		fmt.Sprintf("prompts of 500 tokens at most %.0f %%", 100*short),
		fmt.Sprintf("up to %.1f times as long as predicted", long),
	} {
		if !strings.Contains(text, s) {
			t.Errorf("content/measured.md doesn’t say %q", s)
		}
	}
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
