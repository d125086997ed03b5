package training

import (
	"math"
	"strings"
	"testing"
)

// Each module that is computed again keeps less than without it, or as much, and takes longer, or as long, whatever
// else is; nothing keeps less than all modules but whole layers.
func TestModules(t *testing.T) {
	for _, c := range []struct {
		model string
		plan  Plan
	}{
		{"llama3.70b", Plan{DP: 16, TP: 8, PP: 4, Zero: 1}},
		{"mixtral.8x7b", Plan{DP: 64, TP: 2, PP: 4, EP: 8, Zero: 1}},
		{"deepseek.v3", Plan{DP: 32, PP: 16, EP: 32, Zero: 1}},
	} {
		p := NewPricer(newJob(t, c.model, "gpu.h100", "megatron", 512, 1024, 4096))
		price := func(r Recompute) *Price {
			plan := c.plan
			plan.Recompute = r
			if err := p.Legal(plan); err != nil {
				t.Fatal(err)
			}
			price := p.Price(plan)
			return &price
		}
		for r := KeepAll; r < RecomputeBlock; r++ {
			if r.has(p.absent()) {
				continue
			}
			before := price(r)
			for bit := RecomputeNorms; bit < RecomputeBlock; bit <<= 1 {
				if (r | p.absent()).has(bit) {
					continue
				}
				after := price(r | bit)
				if was, is := p.keptBytes(before), p.keptBytes(after); is > was || is < 0 {
					t.Errorf("%s: %s keeps %v bytes of a layer, %s %v", c.model, r|bit, is, r, was)
				}
				if was, is := before.Time.Step(), after.Time.Step(); is < was*(1-1e-12) {
					t.Errorf("%s: a step takes %v s with %s, %v s with %s", c.model, is, r|bit, was, r)
				}
			}
		}
		all := RecomputeBlock - 1 - p.absent() // the policy some and every module
		if some, block := p.keptBytes(price(all)), p.keptBytes(price(RecomputeBlock)); block >= some {
			t.Errorf("%s: layers keep %v bytes from their inputs, %v with every module", c.model, block, some)
		}
	}
}

// keptBytes is what a layer keeps of a micro-batch.
func (p *Pricer) keptBytes(price *Price) float64 {
	plan := price.Plan
	c := p.layout(&plan)
	return c.kept
}

// What modules keep and take, worked out by hand for a Llama 3 70B layer on one device of a kind: D = 8192, F = 28672,
// 64 heads and 8 of keys and values, of 128 each.
func TestModulesByHand(t *testing.T) {
	const D, F, heads, keys, seq = 8192.0, 28672.0, 64 * 128.0, 2 * 8 * 128.0, 4096.0
	j := newJob(t, "llama3.70b", "gpu.h100", "megatron", 8, 8, seq)
	p := NewPricer(j)
	for text, bytes := range map[string]float64{
		"none":         8*D + 2*(heads+keys+heads) + 6*F,
		"norm":         4*D + 2*(heads+keys+heads) + 6*F, // the inputs of both blocks
		"act":          8*D + 2*(heads+keys+heads) + 4*F, // gate and up, not their product
		"mlp":          8*D + 2*(heads+keys+heads),
		"norm+act+mlp": 4*D + 2*(heads+keys+heads),
		"attn":         8*D + 2*(heads+keys+heads) + 6*F, // flash attention keeps no scores that could be dropped
		"some":         4*D + 2*(heads+keys+heads) + 4*F,
		"block":        2 * D,
	} {
		r, known := ParseRecompute(text)
		price := p.Price(Plan{DP: 8, Zero: 1, Recompute: r})
		if kept := p.keptBytes(&price); !known || math.Abs(kept-seq*bytes) > 1e-9*kept {
			t.Errorf("%s keeps %v bytes, by hand %v", text, kept, seq*bytes)
		}
	}
	plain, again := p.Price(Plan{DP: 8, Zero: 1}), p.Price(Plan{DP: 8, Zero: 1, Recompute: RecomputeMLP})
	share := 3 * D * F / (3*D*F + 2*D*heads + D*keys + 2*D) // of the matmuls' weights; norms are among them
	if more := again.Time.Matmul/plain.Time.Matmul - 1; math.Abs(more-share/3) > 1e-4 {
		t.Errorf("matmuls take %v longer, by hand a third of %v", more, share)
	}
}

func TestModuleNames(t *testing.T) {
	for text, want := range map[string]string{
		"none": "none", "some": "some", "norm+act": "norm+act", "act+norm": "norm+act", "mlp": "mlp",
		"layernorm+core_attn+moe_act": "norm+act+attn", "mla_up_proj+moe": "up+moe", "shared_experts": "mlp",
		"some+moe": "some+moe", "block": "block",
	} {
		if r, known := ParseRecompute(text); !known || r.String() != want {
			t.Errorf("%q is read as %q, known %v", text, r, known)
		}
	}
	for _, text := range []string{"", "+", "norm+", "none+norm", "block+mlp", "offload+moe", "rope"} {
		if r, known := ParseRecompute(text); known {
			t.Errorf("%q is read as %q", text, r)
		}
	}
}

// A module that the model doesn't have is said, by its name.
func TestAbsentModule(t *testing.T) {
	p := NewPricer(newJob(t, "llama3.70b", "gpu.h100", "megatron", 8, 8, 4096))
	for policy, module := range map[string]string{"norm+moe": "moe", "up": "up"} {
		r, _ := ParseRecompute(policy)
		if err := p.Legal(Plan{DP: 8, Recompute: r}); err == nil || !strings.Contains(err.Error(), "no "+module+" ") {
			t.Errorf("%s: %v", policy, err)
		}
	}
}

// Modules travel through Megatron-LM's flags and back; other tools say that they have no flag for them.
func TestModulesAsFlags(t *testing.T) {
	for _, policy := range []string{"some", "attn", "mlp", "norm+mlp", "norm+act+moe"} {
		r, _ := ParseRecompute(policy)
		text := flagsOfPlan(t, Plan{DP: 8, TP: 4, Zero: 1, Recompute: r}, "megatron", 64)
		f, err := ReadFlags(text, 32)
		if err != nil || f.Plan.Recompute != r {
			t.Errorf("%s came back as %s, %v:\n%s", policy, f.Plan.Recompute, err, text)
		}
		text = flagsOfPlan(t, Plan{DP: 8, TP: 4, Zero: 1, Recompute: r}, "torchtitan", 64)
		if said := strings.Contains(text, "no flag that says recompute="+policy); said == (policy == "some") {
			t.Errorf("%s for TorchTitan:\n%s", policy, text)
		}
	}
	for policy, modules := range map[Recompute]string{
		RecomputeActivations: "", RecomputeNorms | RecomputeActivations: "--recompute-modules layernorm\n",
	} {
		text := flagsOfModel(t, "llama3.8b", Plan{DP: 8, TP: 4, Zero: 1, Recompute: policy}, "megatron", 64)
		if !strings.Contains(text, "no flag that says recompute=act") || !strings.Contains(text, modules) ||
			strings.Contains(text, "--recompute") != (modules != "") {
			t.Errorf("%s of a dense model:\n%s", policy, text)
		}
	}
	for list, want := range map[string]string{
		"--recompute-granularity selective --recompute-modules moe mlp shared_experts":        "mlp+moe",
		"recompute_granularity: selective\nrecompute_modules: [\"core_attn\", \"mlp\"]":       "attn+mlp",
		"--recompute-granularity selective --recompute-modules mla_up_proj layernorm moe_act": "some",
		"--recompute-granularity selective":                                                   "some",
		"--recompute-granularity full --recompute-modules mlp":                                "block",
	} {
		if f, err := ReadFlags(list, 32); err != nil || f.Plan.Recompute.String() != want {
			t.Errorf("%s is read as %s, %v", list, f.Plan.Recompute, err)
		}
	}
}
