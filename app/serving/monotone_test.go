package serving

import (
	"math"
	"testing"
)

// replicas are of every kind: dense and sparse, with caches of all sorts, on one chip and on many.
func replicas(t *testing.T) []*Replica {
	var all []*Replica
	for _, engine := range []string{"", "vllm", "sglang", "trtllm"} {
		k := Fitted(engine)
		all = append(all,
			replica(t, "llama3.8b", "gpu.h100", 2, Plan{}, k),
			replica(t, "llama3.70b", "tpu.v5e", 1, Plan{TP: 16}, k),
			replica(t, "gpt_oss.120b", "gpu.b200", 4.25/8, Plan{TP: 2}, k),
			replica(t, "deepseek.v3", "gpu.h200", 1, Plan{DP: 16, EP: 16}, k),
			replica(t, "qwen3_5.397b_a17b", "gpu.mi300x", 1, Plan{TP: 4, PP: 2}, k))
	}
	return all
}

// rounding is what sums of the same parts may differ by.
const rounding = 1e-12

// Nothing gets faster by more work, or slower by a better chip.
func TestStepsGrowWithTheirWork(t *testing.T) {
	for _, r := range replicas(t) {
		calm := Work{Sequences: 8, Context: 2000, Prompt: 700}
		is := r.Step(calm).Total()
		for what, w := range map[string]Work{
			"a longer context": {Sequences: 8, Context: 4000, Prompt: 700},
			"a larger batch":   {Sequences: 16, Context: 2000, Prompt: 700},
			"a longer prompt":  {Sequences: 8, Context: 2000, Prompt: 1400},
			"a prompt behind":  {Sequences: 8, Context: 2000, Prompt: 700, Before: 5000},
			"guesses to check": {Sequences: 8, Context: 2000, Prompt: 700, Verify: 4},
		} {
			if got := r.Step(w).Total(); !(got >= is*(1-rounding)) {
				t.Errorf("%s of %s on %s: with %s a step takes %v, without %v", r.Plan, r.Model.ID, r.Chip.Name, what, got, is)
			}
		}
		for what, better := range map[string]func(c *Chip){
			"bandwidth":  func(c *Chip) { c.Bandwidth *= 2 },
			"arithmetic": func(c *Chip) { c.Peak4, c.Peak8, c.Peak16 = 2*c.Peak4, 2*c.Peak8, 2*c.Peak16 },
			"links":      func(c *Chip) { c.Link, c.Network = 2*c.Link, 2*c.Network },
		} {
			fast := *r
			better(&fast.Chip)
			if got := fast.Step(calm).Total(); !(got <= is*(1+rounding)) {
				t.Errorf("%s of %s on %s: with twice the %s a step takes %v, without %v", r.Plan, r.Model.ID, r.Chip.Name, what,
					got, is)
			}
		}
	}
}

// Whatever is asked of a replica, its answer is made of finite times, and no fewer requests leave than come.
func TestClosedLoopsStayFinite(t *testing.T) {
	for _, r := range replicas(t) {
		for _, l := range []Load{{In: 1, Out: 1}, {In: 1e8, Out: 1}, {In: 1, Out: 1e8}, {In: 1e5, Out: 10, Hit: 1},
			{In: 100, Out: 100, Tokens: 2.5, Verify: 4}} {
			for _, c := range []float64{1, 7, 1e3, 1e9} {
				a := r.Closed(c, l)
				for _, x := range []float64{a.TTFT, a.TPOT, a.E2E, a.Output, a.Requests} {
					if math.IsNaN(x) || math.IsInf(x, 0) || x <= 0 {
						t.Fatalf("%s of %s: %v requests of %v: %+v", r.Plan, r.Model.ID, c, l, a)
					}
				}
				near(t, "requests under way by Little's law", a.Requests*a.E2E, c, 0.02)
			}
		}
	}
}

// A sequence longer than the model is published for is named; of a model of which nobody says it, nothing is said.
func TestTooLong(t *testing.T) {
	s := replica(t, "llama3.8b", "gpu.h100", 2, Plan{}, ideal()).Shape
	if err := s.TooLong(Load{In: 131000, Out: 72}); err != nil {
		t.Error(err)
	}
	if s.TooLong(Load{In: 131000, Out: 73}) == nil {
		t.Error("131,073 tokens pass")
	}
	if err := replica(t, "megatron.1t", "gpu.b200", 2, Plan{TP: 32}, ideal()).Shape.TooLong(Load{In: 1e8}); err != nil {
		t.Error(err)
	}
}
