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
