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
