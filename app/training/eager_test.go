package training

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// tuned is a job of transformers' Trainer, with its state as words say.
func tuned(t *testing.T, model, words string, devices, batch, sequence int) (Job, Plan) {
	t.Helper()
	j := newJob(t, model, "gpu.h100", "transformers", devices, batch, sequence)
	var s State
	plan, err := s.ReadTyped(words, devices)
	if err != nil {
		t.Fatal(err)
	}
	s.Apply(&j)
	return j, plan
}

// What operations of a layer save for the backward pass, counted by hand for a token of Mistral 7B: width and queries
// 4096, 1024 of keys and of values, and an MLP of 14336.
func TestEagerLayer(t *testing.T) {
	const d, q, kv, f = 4096, 4096, 2048, 14336
	heads := 2. * (q + kv + q) // queries, keys, values and the output
	for words, want := range map[string]eager{
		// Norms in fp32, and as they are normed; inputs of queries and gate, of the output's matrix; four of the MLP.
		"state=pure": {2*(4+2)*d + heads + 2*(d+d+q) + 8*f, 4*d + 6*f},
		// Fused kernels save norms' inputs alone, and of the MLP gate, other side and product.
		"state=pure loss=liger": {2*2*d + heads + 2*(d+d+q) + 6*f, 4*d + 2*f},
		// Adapters in fp32 have inputs of their own; nothing else in the layer learns.
		"learn=lora targets=q+v rank=8":            {2*4*d + heads + 6*f + 4*(d+d), 4*d + 6*f},
		"learn=lora targets=mlp rank=8":            {2*4*d + heads + 6*f + 4*(d+d+f), 4*d + 6*f},
		"learn=lora targets=q+v rank=8 loss=fused": {2*2*d + heads + 4*f + 4*(d+d), 4*d + 2*f},
		// In the width of the weights they share it.
		"learn=lora targets=q+v rank=8 state=pure": {2*4*d + heads + 6*f + 2*d, 4*d + 6*f},
		"learn=lora targets=v rank=8 state=pure":   {2*4*d + heads + 6*f + 2*d, 4*d + 6*f},
		// Scores in fp32 and in bf16, of 32 heads, and their gradients.
		"learn=lora targets=q+v rank=8 attention=unfused": {2*4*d + heads + 6*f + 8*d + 6*32*100, 4*d + 6*f + 6*32*100},
	} {
		j, plan := tuned(t, "mistral.7b", words+" dp=1 mbs=1 recompute=none", 1, 1, 100)
		p := NewEstimator(j)
		c := p.layout(&plan)
		got := p.eagerLayer(&c)
		near(t, words+": saved", got.saved, want.saved, 1e-12)
		near(t, words+": spare", got.spare, want.spare, 1e-12)
	}
}

// The same of other layers: GPT-3's MLP without a gate, Mixtral's two experts for each token, adapters with dropout.
func TestEagerLayerOfOthers(t *testing.T) {
	const d, wide, f = 4096, 12288, 14336
	heads := 2. * (d + 2048 + d)
	for _, c := range []struct {
		model, words string
		want         eager
	}{
		// What goes into the activation function; all heads have keys and values.
		{"gpt3.175b", "learn=lora targets=q rank=8 state=pure", eager{2*4*wide + 2*4*wide + 2*4*wide + 2*wide,
			4*wide + 6*4*wide}},
		// Besides, what the next matmul learns from.
		{"gpt3.175b", "state=pure", eager{2*(4+2)*wide + 2*4*wide + 2*3*wide + 4*4*wide, 4*wide + 6*4*wide}},
		// A copy of its input for each expert, and one of its output.
		{"mixtral.8x7b", "state=pure", eager{2*(4+2)*d + heads + 2*3*d + 2*(8*f+4*d), 4*d + 6*2*f}},
		// Each adapter has its own input in bf16, and a byte for each element that tells which are dropped.
		{"mistral.7b", "learn=lora targets=q+v rank=8 state=pure dropout", eager{2*4*d + heads + 6*f + 2*d + 3*2*d,
			4*d + 6*f}},
	} {
		words, dropout := strings.CutSuffix(c.words, " dropout")
		j, plan := tuned(t, c.model, words+" dp=1 mbs=1 recompute=none", 1, 1, 100)
		j.Learn.Dropout = dropout
		p := NewEstimator(j)
		plan = plan.filled()
		l := p.layout(&plan)
		got := p.eagerLayer(&l)
		near(t, c.model+" "+c.words+": saved", got.saved, c.want.saved, 1e-12)
		near(t, c.model+" "+c.words+": spare", got.spare, c.want.spare, 1e-12)
	}
}

// Matmuls with weights in 4 bits that keep their inputs, by hand for a token of Mistral 7B: those of queries, keys and
// values, which are one, of the output's matrix, of gate and up, and of down. An adapter in 16 bits takes the first as
// it is; one in 32 bits has it once more for queries and once more for values. In 8 bits nothing is kept.
func TestFrozenMatmulsKeepInputs(t *testing.T) {
	const d, q, kv, f = 4096, 4096, 2048, 14336
	plain, heads := 2.*4*d+6*f, 2.*(q+kv+q)
	for words, want := range map[string]float64{
		"learn=qlora targets=q+v rank=8 state=pure":              plain + heads + 2*(d+q+d+f),
		"learn=qlora targets=q+v rank=8":                         plain + heads + 2*(d+q+d+f) + 4*(d+d),
		"learn=qlora targets=q+v rank=8 state=pure loss=fused":   2*2*d + 4*f + heads + 2*(d+q+d+f),
		"learn=lora bits=8 targets=q+v rank=8 state=pure":        plain + heads + 2*d,
		"learn=lora targets=q+v rank=8 state=pure":               plain + heads + 2*d,
		"learn=qlora targets=q+v rank=8 state=pure now":          plain + heads + 2*d,
		"learn=qlora targets=q+v rank=8 state=pure compiled now": 2*2*d + 4*f + heads + 2*d,
	} {
		words, now := strings.CutSuffix(words, " now")
		words, compiled := strings.CutSuffix(words, " compiled")
		j := newJob(t, "mistral.7b", "gpu.h100", "transformers", 1, 1, 100)
		s := State{Inputs: !now, Kernels: compiled}
		plan, err := s.ReadTyped(words+" dp=1 mbs=1 recompute=none", 1)
		if err != nil {
			t.Fatal(err)
		}
		s.Apply(&j)
		p := NewEstimator(j)
		c := p.layout(&plan)
		near(t, words, p.eagerLayer(&c).saved, want, 1e-12)
	}
}

// The fullest moment of a step, by hand for Mistral 7B: 7.24e9 weights in 32 layers of a width of 4096.
func TestFullestMoment(t *testing.T) {
	const tokens, weights, inputs = 4 * 4096, 7241732096, 2 * 4096 * 32
	residual := 3.7e9
	for words, want := range map[string]float64{
		// The update: weights, gradients, two moments and a copy of one, all in bf16; measured 72.43 GB.
		"state=pure optimizer=adamwtorch loss=fused": 5 * 2 * weights,
		// The end of the backward pass: all gradients, and a layer with what its backward pass makes.
		"state=pure optimizer=sgd": 2*2*weights +
			tokens*(2*(4+2)*4096+2*(4096+2048+4096)+2*3*4096+8*14336+4*4096+6*14336),
		// The loss, with gradients of an earlier micro-batch: all layers' inputs, and 14 bytes for a logit.
		"state=pure optimizer=sgd mbs=2":            2*2*weights + tokens/2*(inputs+14*32000),
		"learn=lora targets=q+v rank=16 state=pure": 2*weights + 4*2*16*(4096*3+1024)*32 + tokens*(inputs+14*32000),
		// The backward pass at its first layer: of each token norms' inputs, heads, gate and up, and what is made of
		// them, where logits are never there at once.
		"learn=lora targets=q+v rank=16 state=pure loss=cut": 2*weights + 4*2*16*(4096*3+1024)*32 +
			tokens*(inputs+8*4096+2*(4096+2048+4096)+6*14336+2*4096+4*4096+6*14336),
	} {
		j, plan := tuned(t, "mistral.7b", words+" dp=1 recompute=block", 1, 4, 4096)
		if plan.Micro <= 1 {
			plan.Micro = 4
		}
		m := NewEstimator(j).Estimate(plan).Memory
		near(t, words, m.Total()-m.Fragments-residual, want, 2e-3)
		near(t, words+": lost to fragments", m.Fragments, j.Stack.Fragments*(m.Activations+m.Logits), 1e-12)
	}
}

// At the first layer of the backward pass, the fullest moment where much is kept, the gradients that are there are of
// the table that makes logits, of a single microbatch; of the second, all. By hand for Mistral 7B, as above: weights in
// bf16, layers' inputs, and a layer with what its backward pass makes.
func TestGradientsAtTheFirstLayer(t *testing.T) {
	const tokens, weights, table = 32 * 4096, 7241732096, 32000 * 4096
	const layers = tokens * (2*4096*32 + 2*(4+2)*4096 + 2*(4096+2048+4096) + 2*3*4096 + 8*14336 + 4*4096 + 6*14336)
	for batch, gradients := range map[int]float64{32: table, 64: weights} {
		j, plan := tuned(t, "mistral.7b", "state=pure optimizer=sgd loss=cut dp=1 mbs=32 recompute=block", 1, batch,
			4096)
		m := NewEstimator(j).Estimate(plan).Memory
		near(t, fmt.Sprint(batch, " sequences: gradients"), m.Grads, 2*gradients, 1e-3)
		near(t, fmt.Sprint(batch, " sequences: all"), m.Total()-m.Fragments-m.Residual, 2*weights+2*gradients+layers,
			2e-3)
	}
}

// Adapters on shards of FSDP have the layers' inputs twice; DeepSpeed's have not.
func TestInputsTwice(t *testing.T) {
	of := func(words string) float64 {
		words += " learn=lora targets=q+v rank=16 loss=liger recompute=block mbs=4"
		j, plan := tuned(t, "mistral.7b", words, 2, 8, 4096)
		return NewEstimator(j).Estimate(plan).Memory.Activations
	}
	once := of("dp=2 zero=0")
	near(t, "DeepSpeed", of("dp=2 zero=3 state=mixed"), once, 1e-9)
	near(t, "FSDP", of("dp=2 zero=3"), once+2*4096*32*4*4096, 1e-9)
}

// The residual is as wide as what is loaded.
func TestResidual(t *testing.T) {
	for words, want := range map[string]float64{"state=pure": 2, "state=amp": 4, "state=fp32": 4, "state=fsdp": 2,
		"state=mixed": 2, "learn=lora": 2, "learn=qlora tables=fp32": 4} {
		j, _ := tuned(t, "mistral.7b", words+" dp=1", 1, 1, 100)
		near(t, words, NewEstimator(j).residual(), want, 0)
	}
}

// PEFT's prepare_model_for_kbit_training makes norms wide, and with them what layers keep, unless weights are sharded.
func TestPreparedResidual(t *testing.T) {
	kept := func(words string, prepared bool) float64 {
		j := newJob(t, "mistral.7b", "gpu.h100", "transformers", 2, 8, 4096)
		s := State{Prepared: prepared}
		plan, err := s.ReadTyped(words+" targets=q+v rank=16 state=pure loss=cut recompute=block mbs=4", 2)
		if err != nil {
			t.Fatal(err)
		}
		s.Apply(&j)
		return NewEstimator(j).Estimate(plan).Memory.Activations
	}
	const inputs = 4 * 4096 * 4096 * 32 // tokens, width, layers
	near(t, "in 4 bits", kept("learn=qlora dp=2", true)-kept("learn=qlora dp=2", false), 2*inputs, 1e-9)
	near(t, "sharded", kept("learn=qlora dp=2 zero=3", true), kept("learn=qlora dp=2 zero=3", false), 0)
	near(t, "in 16 bits", kept("learn=lora dp=2", true), kept("learn=lora dp=2", false), 0)
}

// What layers keep on the device and off it, of 100 tokens of Mistral 7B with adapters of bf16: where all is kept,
// where blocks are computed again, of all layers or of 8 in 32, and where what is kept waits in the host's memory.
func TestEagerLayersKeep(t *testing.T) {
	const tokens, input = 100, 2 * 4096.
	const whole, spare = 8*4096 + 2*(4096+2048+4096) + 6*14336 + 2*4096., 4*4096 + 6*14336.
	for _, c := range []struct {
		words             string
		recomputed        int
		kept, live, along float64
	}{
		{"recompute=none", 0, whole, spare, 0},
		{"recompute=block", 0, input, spare + whole, 0},
		{"recompute=block", 8, input/4 + whole*3/4, spare + whole, 0},
		// a layer comes while the one before is used
		{"recompute=none offload=activations", 0, 0, spare + 2*whole, whole},
		{"recompute=block offload=activations", 0, 0, spare + whole, input},
	} {
		j, plan := tuned(t, "mistral.7b", "learn=lora targets=q+v rank=8 state=pure dp=1 mbs=1 "+c.words, 1, 1, tokens)
		plan = plan.filled()
		plan.Recomputed = c.recomputed
		l := NewEstimator(j).layout(&plan)
		near(t, c.words+": kept", l.kept, tokens*c.kept, 1e-12)
		near(t, c.words+": live", l.live, tokens*c.live, 1e-12)
		near(t, c.words+": in the host's memory", l.away, tokens*c.along, 1e-12)
	}
}

// Fused losses put the gradient in the place of the logits in 32 bits, and PyTorch makes a copy of it in 16.
func TestEagerLogits(t *testing.T) {
	j, _ := tuned(t, "mistral.7b", "state=pure loss=fused dp=1", 1, 1, 100)
	near(t, "bytes of a logit", NewEstimator(j).logitBytes(), 2+4+2, 0)
}

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
		p := NewEstimator(newJob(t, c.model, "gpu.h100", "megatron", 512, 1024, 4096))
		price := func(r Recompute) *Estimate {
			plan := c.plan
			plan.Recompute = r
			if err := p.Legal(plan); err != nil {
				t.Fatal(err)
			}
			estimate := p.Estimate(plan)
			return &estimate
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
func (p *Estimator) keptBytes(estimate *Estimate) float64 {
	plan := estimate.Plan
	c := p.layout(&plan)
	return c.kept
}

// What modules keep and take, worked out by hand for a Llama 3 70B layer on one device of a kind: D = 8192, F = 28672,
// 64 heads and 8 of keys and values, of 128 each.
func TestModulesByHand(t *testing.T) {
	const D, F, heads, keys, seq = 8192.0, 28672.0, 64 * 128.0, 2 * 8 * 128.0, 4096.0
	j := newJob(t, "llama3.70b", "gpu.h100", "megatron", 8, 8, seq)
	p := NewEstimator(j)
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
		estimate := p.Estimate(Plan{DP: 8, Zero: 1, Recompute: r})
		if kept := p.keptBytes(&estimate); !known || math.Abs(kept-seq*bytes) > 1e-9*kept {
			t.Errorf("%s keeps %v bytes, by hand %v", text, kept, seq*bytes)
		}
	}
	plain, again := p.Estimate(Plan{DP: 8, Zero: 1}), p.Estimate(Plan{DP: 8, Zero: 1, Recompute: RecomputeMLP})
	share := 3 * D * F / (3*D*F + 2*D*heads + D*keys + 2*D) // of the matmuls' weights; norms are among them
	if more := again.Time.Matmul/plain.Time.Matmul - 1; math.Abs(more-share/3) > 1e-4 {
		t.Errorf("matmuls take %v longer, by hand a third of %v", more, share)
	}
}

func TestModuleNames(t *testing.T) {
	for text, want := range map[string]string{
		"none": "none", "some": "some", "norm+act": "norm+act", "act+norm": "norm+act", "mlp": "mlp",
		"layernorm+core_attn+moe_act": "norm+act+attn", "mla_up_proj+moe": "up+moe", "shared_experts": "mlp",
		"some+moe": "some+moe", "block": "block", "full": "block",
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
	p := NewEstimator(newJob(t, "llama3.70b", "gpu.h100", "megatron", 8, 8, 4096))
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
