package training

import (
	"slices"
	"strings"
	"testing"
)

// Bytes of state by hand, for the 8.03 billion parameters of Llama 3.1 8B on one device.
func TestStateByHand(t *testing.T) {
	const n = 8030261248.0
	const tables = 2 * 128256 * 4096.0
	for typed, want := range map[string]float64{
		"state=pure":                        (2 + 2 + 2 + 2) * n,              // 64.2 GB
		"state=pure optimizer=adamw8bit":    (2 + 2 + 1 + 1) * n,              // 48.2 GB
		"state=pure optimizer=adamw8bitbnb": (2+2+1+1)*n + (4+4-1-1)*tables/2, // embeddings in 4 bytes
		"state=mixed":                       (2 + 2 + 4 + 8) * n,
		"state=fp32":                        (4 + 4 + 8) * n,
		"state=amp":                         (4 + 2 + 4 + 8) * n,
		"state=mixed optimizer=lion":        (2 + 2 + 4 + 4) * n,
		"state=mixed optimizer=sgd":         (2 + 2 + 4) * n,
		"state=mixed optimizer=muon":        (2+2+4+4)*n + 4*tables,
		"state=mixed moments=bf16":          (2 + 2 + 4 + 4) * n,
		"state=pure grads=fp32":             (2 + 4 + 4) * n,
		"state=mixed master=none":           (2 + 2 + 8) * n,
		"weights=bf16 grads=bf16":           (2 + 2 + 4 + 8) * n,
		"state=mixed offload=optimizer":     (2 + 2) * n,
		"state=pure learn=lora rank=16":     2*n + (2+2+4)*32*16*(4096+4096+4096+1024),
		"learn=lora rank=8 targets=q":       2*n + (6+4+8)*32*8*(4096+4096),
		"state=mixed learn=lora saved=head": 2*n + 16*(32*8*(4096+4096+4096+1024)+tables/2),
	} {
		j := newJob(t, "llama3.8b", "gpu.h100", "megatron", 1, 8, 4096)
		var s State
		plan, err := s.ReadTyped("dp=1 "+typed, 1)
		if err != nil {
			t.Errorf("%s: %v", typed, err)
			continue
		}
		s.Apply(&j)
		m := NewEstimator(j).Estimate(plan).Memory
		near(t, typed, m.States(), want, 1e-9)
	}
}

// Attention in fp8 is said by flags, fields and words; no byte of state depends on it.
func TestAttentionInFP8IsRead(t *testing.T) {
	for _, text := range []string{"--tensor-model-parallel-size 8 --fp8-format hybrid --fp8-dot-product-attention",
		"model:\n  tensor_model_parallel_size: 8\n  fp8: true\n  fp8_dot_product_attention: true\n"} {
		s, err := ReadFlags(text, 8)
		if err != nil || s.State.Attention != FP8 || len(s.Aside)+len(s.Without) > 0 {
			t.Errorf("%s: %v, %v, aside %v, without %v", text, s.State.Attention, err, s.Aside, s.Without)
		}
	}
	j := newJob(t, "llama3.8b", "gpu.h100", "megatron", 8, 8, 4096)
	var s State
	if _, err := s.ReadTyped("tp=8 attention=fp8", 8); err != nil || s.Said() {
		t.Error(err, s.Said())
	}
	if s.Apply(&j); j.Recipe.Attention != FP8 || j.Stated {
		t.Errorf("%+v", j.Recipe)
	}
}

// Updating in the backward pass leaves the gradients of one layer, or of the largest table.
func TestUpdateInBackward(t *testing.T) {
	j := newJob(t, "llama3.8b", "gpu.h100", "fsdp", 1, 1, 4096)
	var s State
	plan, err := s.ReadTyped("dp=1 state=pure update=backward", 1)
	if err != nil {
		t.Fatal(err)
	}
	s.Apply(&j)
	m := NewEstimator(j).Estimate(plan).Memory
	near(t, "gradients", m.Grads, 2*128256*4096, 1e-9)
	near(t, "weights and moments", m.Weights+m.Moments, 6*8030261248.0, 1e-9)
}

// Unfused attention keeps 5 a s^2 b bytes in a layer, over TP (Korthikanti et al. 2022), unless attention is computed
// again; and it takes longer.
func TestScoresAreKept(t *testing.T) {
	const a, s, b, layers = 32, 8192, 1, 32
	j := newJob(t, "llama3.8b", "gpu.h100", "megatron", 8, 64, s)
	fused := NewEstimator(j).Estimate(Plan{DP: 1, TP: 8})
	j.Scores = true
	p := NewEstimator(j)
	unfused, again := p.Estimate(Plan{DP: 1, TP: 8}), p.Estimate(Plan{DP: 1, TP: 8, Recompute: RecomputeAttention})
	near(t, "scores", unfused.Memory.Activations-fused.Memory.Activations, 5.*a*s*s*b*layers/8, 1e-9)
	if again.Memory.Activations >= unfused.Memory.Activations || unfused.Time.Attention <= fused.Time.Attention {
		t.Errorf("scores computed again take %v bytes, kept %v; %v s, fused %v", again.Memory.Activations,
			unfused.Memory.Activations, unfused.Time.Attention, fused.Time.Attention)
	}
}

// Frozen weights have no gradients: four operations for each instead of six. Layers that learn nothing before those
// that do run forward alone.
func TestPassesOfWhatLearns(t *testing.T) {
	j := newJob(t, "llama3.8b", "gpu.h100", "megatron", 1, 8, 4096)
	plan := Plan{DP: 1}
	all := NewEstimator(j)
	j.Learn.Layers = 8 // of 32
	some := NewEstimator(j)
	var c layout
	near(t, "passes of all", all.passes(&c), 3, 1e-12)
	near(t, "passes of a quarter", some.passes(&c), 1+2./4, 1e-12)
	near(t, "moments of a quarter", some.Estimate(plan).Memory.Moments, all.Estimate(plan).Memory.Moments/4, 1e-9)
	j.Learn.Layers, j.Frozen = 0, true
	near(t, "passes of frozen ones", NewEstimator(j).passes(&c), 2, 1e-12)
}

// What doesn't learn has neither a copy in full width nor a backward pass: LLaMA-Factory’s freeze of Llama 3.1 8B,
// whose last two layers of 32 learn.
func TestFrozenLayers(t *testing.T) {
	const n, share = 8030261248.0, 2. / 32
	text := "stage: pt\nfinetuning_type: freeze\nfreeze_trainable_layers: 2\ncutoff_len: 4096\n" +
		"per_device_train_batch_size: 2\ngradient_accumulation_steps: 4\nbf16: true\n"
	f, _, p := said(t, text, "llama3.8b", "gpu.h100", 8)
	estimate := p.Estimate(f.Plan)
	near(t, "weights", estimate.Memory.Weights, n*(6*share+2*(1-share)), 1e-9)
	near(t, "moments", estimate.Memory.Moments, 8*n*share, 1e-9)
	all, _, whole := said(t, strings.Replace(text, "finetuning_type: freeze\nfreeze_trainable_layers: 2",
		"finetuning_type: full", 1),
		"llama3.8b", "gpu.h100", 8)
	near(t, "operations that count", p.flops/whole.flops, (1+2*share)/3, 1e-9)
	if use, most := p.Use(&estimate), whole.Estimate(all.Plan); use > 1 ||
		use > 4.0/3*whole.Use(&most) { // nothing is computed again for layers that run forward only
		t.Errorf("an MFU of %v, where all learn %v", use, whole.Use(&most))
	}
	// Loaded in fp32 they keep four bytes.
	j := newJob(t, "llama3.8b", "gpu.h100", "transformers", 1, 8, 4096)
	var s State
	plan, err := s.ReadTyped("dp=1 state=amp layers=8", 1)
	if err != nil {
		t.Fatal(err)
	}
	s.Apply(&j)
	near(t, "frozen in fp32", NewEstimator(j).Estimate(plan).Memory.Weights, n*(6./4+4*3./4), 1e-9)
}

// Layers that no number of chunks takes are named.
func TestChunksThatDontDivide(t *testing.T) {
	text := "--pipeline-model-parallel-size 4 --num-layers-per-virtual-pipeline-stage 3 --micro-batch-size 1 " +
		"--global-batch-size 8"
	f, _, _ := said(t, text, "llama3.8b", "gpu.h100", 8)
	if !slices.Contains(f.Without, "--num-layers-per-virtual-pipeline-stage 3") || f.Plan.Virtual != 1 {
		t.Errorf("without %v, %s", f.Without, f.Plan)
	}
}

// A pattern names the matrices at its end, not the blocks that they are in.
func TestTargetsOfPattern(t *testing.T) {
	for _, c := range []struct{ pattern, targets string }{
		{`model.language_model.layers.[\d]+.(mlp|cross_attn|self_attn).(up|down|gate|q|k|v|o)_proj`, "all"},
		{`.*self_attn.(q|v)_proj$`, "q,v"},
		{`.*\.(q_proj|k_proj|v_proj)`, "q,k,v"},
		{`model.layers.[0-9]+.mlp.(gate|up|down)_proj`, "mlp"},
	} {
		f, err := ReadFlags("adapter: lora\nmicro_batch_size: 1\nlora_r: 8\nlora_target_modules: '"+c.pattern+"'\n", 1)
		var want Target
		for name := range strings.SplitSeq(c.targets, ",") {
			set, _ := targetNamed(name)
			want |= set
		}
		if want &^= TargetLinear; err != nil || f.State.Targets != want || len(f.Aside) > 0 {
			t.Errorf("%s: targets %v, want %v; aside %q, %v", c.pattern, f.State.Targets, want, f.Aside, err)
		}
	}
}

// A stage of ZeRO that there isn't is told from those there are.
func TestStageOfZero(t *testing.T) {
	_, err := ReadFlags(`{"zero_optimization": {"stage": 5}}`, 8)
	if err == nil || !strings.Contains(err.Error(), "from 0 to 3") {
		t.Error(err)
	}
}

// Adapters have rank x (in + out) weights for each matrix: of Llama 2 7B on all seven matrices of a layer 20.0 million
// at rank 8, as PEFT prints them.
func TestAdapters(t *testing.T) {
	j := newJob(t, "llama2.7b", "gpu.a100", "transformers", 1, 8, 4096)
	j.Frozen = true
	j.Learn.Rank = 8
	j.Learn.Targets, _ = targetNamed("all-linear")
	near(t, "adapters of all matrices", NewEstimator(j).Adapters(), 19988480, 1e-12)
	j.Learn.Targets = TargetQ | TargetV
	near(t, "adapters of queries and values", NewEstimator(j).Adapters(), 4194304, 1e-12)
}

// What waits in the host's memory is not on the device, and takes time on its way.
func TestHost(t *testing.T) {
	j := newJob(t, "llama3.8b", "gpu.h100", "fsdp", 8, 64, 4096)
	plan := Plan{DP: 8, Zero: 3, Recompute: RecomputeBlock}
	here := NewEstimator(j).Estimate(plan)
	j.Host = Host{State: true, Weights: true, Kept: true}
	there := NewEstimator(j).Estimate(plan)
	m := there.Memory
	if m.Weights+m.Master+m.Moments != 0 || m.Activations >= here.Memory.Activations || m.Gathered == 0 {
		t.Errorf("on the device: %+v", m)
	}
	if there.Time.Step() <= here.Time.Step() {
		t.Errorf("%v s with the host, %v s without", there.Time.Step(), here.Time.Step())
	}
}

// Paged moments leave a device that is too small, and come back for each step.
func TestPaging(t *testing.T) {
	at := func(device string) Estimate {
		j := newJob(t, "llama3.8b", device, "transformers", 1, 8, 2048)
		var s State
		plan, err := s.ReadTyped("dp=1 state=pure optimizer=pagedadamw8bit recompute=block", 1)
		if err != nil {
			t.Fatal(err)
		}
		s.Apply(&j)
		return NewEstimator(j).Estimate(plan)
	}
	small, large := at("gpu.l40s"), at("gpu.h100")
	near(t, "moments in all", small.Memory.Moments+small.Memory.Paged, large.Memory.Moments, 1e-9)
	if large.Memory.Paged != 0 || small.Memory.Paged == 0 || small.Time.Optimizer <= large.Time.Optimizer {
		t.Errorf("paged %v and %v bytes; the optimizer takes %v and %v s", small.Memory.Paged, large.Memory.Paged,
			small.Time.Optimizer, large.Time.Optimizer)
	}
}

// Of logits as many exist as the loss takes at once.
func TestLosses(t *testing.T) {
	const tokens, vocab = 4096, 128256
	for loss, each := range map[string]float64{
		"fp32": 14, "bf16": 8, "compiled": 4, "fused": 6, "chunked": 2 + 10./8, "liger": 14. / 32,
	} {
		j := newJob(t, "llama3.8b", "gpu.h100", "fsdp", 1, 8, tokens)
		s := State{Loss: loss}
		s.Apply(&j)
		near(t, loss, NewEstimator(j).Estimate(Plan{DP: 1}).Memory.Logits, each*tokens*vocab, 1e-9)
	}
}

// TestWholeLogits: gathered for the loss, they aren't split by tensor parallelism.
func TestWholeLogits(t *testing.T) {
	j := newJob(t, "llama3.8b", "gpu.h100", "fsdp", 2, 8, 4096)
	split := NewEstimator(j).Estimate(Plan{DP: 1, TP: 2}).Memory.Logits
	j.Loss.Whole = true
	near(t, "whole", NewEstimator(j).Estimate(Plan{DP: 1, TP: 2}).Memory.Logits, 2*split, 1e-9)

	const titan = "[training]\nlocal_batch_size = 1\n[parallelism]\ntensor_parallel_degree = 2\n"
	for text, want := range map[string]bool{"": false, "disable_loss_parallel = false\n": false,
		"disable_loss_parallel = true\n": true} {
		read, err := ReadFlags(titan+text, 8)
		words := read.State.Words()
		if err != nil || read.State.WholeLogits != want || strings.Contains(words, "logits=whole") != want {
			t.Errorf("%q: %+v, %v", text, read.State, err)
		}
	}
	var s State
	if _, err := s.ReadTyped("tp=2 logits=whole", 2); err != nil || !s.WholeLogits {
		t.Errorf("%+v, %v", s, err)
	}
}

// The search stays exact whatever learns and wherever state is.
func TestSearchIsExactWithState(t *testing.T) {
	for _, words := range []string{"learn=qlora rank=16 targets=all", "state=pure optimizer=muon attention=unfused",
		"offload=optimizer+weights loss=liger", "optimizer=adafactor update=backward layers=8",
		"state=mixed optimizer=pagedadamw"} {
		j := newJob(t, "llama3.8b", "gpu.h100", "megatron", 16, 32, 8192)
		var s State
		if _, err := s.ReadTyped(words, 16); err != nil {
			t.Fatal(err)
		}
		s.Apply(&j)
		p := NewEstimator(j)
		space := p.Usual()
		for _, by := range []Objective{ByTime, ByMemory} {
			want, _, _ := brute(p, &space, by)
			got := p.Find(Search{Space: space, Objective: by})
			if len(got.Best) != 1 || got.Best[0].Time != want.Time || got.Best[0].Memory != want.Memory {
				t.Errorf("%s, objective %d: found %+v, want %+v", words, by, got.Best, want.Plan)
			}
		}
	}
}

// Every optimizer is found by each of its names, which are no other's, and has a source.
func TestOptimizers(t *testing.T) {
	seen := map[string]string{}
	for _, o := range Optimizers() {
		if o.Source == "" || o.Label == "" {
			t.Errorf("%+v", o)
		}
		for _, name := range append([]string{o.ID}, o.names...) {
			if seen[name] != "" {
				t.Errorf("%s is %s and %s", name, seen[name], o.ID)
			}
			seen[name] = o.ID
			if got, known := OptimizerNamed(strings.ToUpper(name)); !known || got.ID != o.ID {
				t.Errorf("%s is %s", name, got.ID)
			}
		}
	}
}

// TestTitanCompilesTheLoss: with the layers, unless it is told to compile these alone.
func TestTitanCompilesTheLoss(t *testing.T) {
	const titan = "[training]\nlocal_batch_size = 1\nseq_len = 8192\n[parallelism]\ndata_parallel_shard_degree = 8\n"
	for text, want := range map[string]string{
		"": "", "[compile]\nenable = false\n": "", "[compile]\nenable = true\n": "compiled",
		"[compile]\nenable = true\ncomponents = [\"model\", \"loss\"]\n": "compiled",
		"[compile]\nenable = true\ncomponents = [\"model\"]\n":           "",
	} {
		read, err := ReadFlags(titan+text, 8)
		if err != nil || read.State.Loss != want {
			t.Errorf("%q: %q, %v, want %q", text, read.State.Loss, err, want)
		}
	}
}
