package serving

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestOpenLoopsAgreeWithSimulation: of loops drawn at random, of prompts of 64 to 32,768 tokens and answers of 2 to
// 1,000, each at three tenths, six tenths and 85 % of what a replica can take, half of the predicted times and nine in
// ten lie from those of an engine that is played step by step as far as the page of measurements says.
func TestOpenLoopsAgreeWithSimulation(t *testing.T) {
	set, random := 100, rand.New(rand.NewPCG(1, 29))
	if testing.Short() {
		set = 10
	}
	pick := func(of ...string) string { return of[random.IntN(len(of))] }
	between := func(a, b float64) float64 { return math.Floor(a * math.Pow(b/a, random.Float64())) }
	var first, whole []float64
	for len(first) < 3*set {
		engine := pick("vllm", "trtllm", "sglang")
		k := Fitted(engine)
		k.Ingest, k.Ahead, k.Gather = 0, 0, 0
		name := pick("llama3.8b", "llama3.70b", "qwen3.32b", "qwen3.235b_a22b", "gpt_oss.120b", "mixtral.8x7b")
		shape := replica(t, name, pick("gpu.h100", "gpu.h200", "gpu.b200", "gpu.mi300x"), 1, Plan{}, k)
		r, err := NewReplica(shape.Shape, shape.Chip, Plan{TP: 1 << random.IntN(4)}, k,
			Engine{Name: engine, Chunk: []float64{2048, 8192, 16384}[random.IntN(3)], Reserve: 1})
		l := Load{In: between(64, 32768), Out: between(2, 1000)}
		if err != nil || r.Fit(l) < 4 {
			continue
		}
		r.Engine.Sequences = min(r.Fit(l), 256)
		r = r.calm()
		line := r.Line(l)
		for _, busy := range []float64{0.3, 0.6, 0.85} {
			rate := busy * line.Capacity()
			q := line.Queue(Arrivals{Rate: rate})
			begun, done := newEngine(r, l).open(rate, 3000, random)
			first, whole = append(first, math.Abs(q.TTFT.Mean/begun-1)), append(whole, math.Abs(q.E2E.Mean/done-1))
		}
	}
	slices.Sort(first)
	slices.Sort(whole)
	n := len(first)
	said := fmt.Sprintf("of first tokens in 100 open loops half within %.1f %% and nine in ten within %.1f %%; of "+
		"whole requests %.1f and %.1f %%", 100*first[n/2], 100*first[n*9/10], 100*whole[n/2], 100*whole[n*9/10])
	page, err := os.ReadFile("../../content/measured.md")
	if err != nil {
		t.Fatal(err)
	}
	if text := strings.Join(strings.Fields(string(page)), " "); !testing.Short() && !strings.Contains(text, said) {
		t.Errorf("content/measured.md doesn’t say %q", said)
	}
}
