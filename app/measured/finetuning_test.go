package measured

import (
	"maps"
	"math"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/training"
)

// Fine-tuning on rows that nothing was fitted to.
func TestTuningErrors(t *testing.T) {
	for name, limit := range map[string]struct{ median, p90, coverage float64 }{
		"Fine-tuning, in full|step time":  {0.11, 0.27, 0.9},
		"Fine-tuning, in full|memory":     {0.10, 0.20, 0.9},
		"Fine-tuning, adapters|step time": {0.11, 0.40, 0.83},
		"Fine-tuning, adapters|memory":    {0.10, 0.20, 0.86},
	} {
		found := false
		for _, h := range Families(nil, nil, nil, runsHeld().Tuned) {
			if h.Name+"|"+h.Quantity != name {
				continue
			}
			found = true
			if h.Rows < 20 || h.Median > limit.median || h.P90 > limit.p90 || h.Coverage < limit.coverage {
				t.Errorf("%s: %d rows, median %.3f, p90 %.3f, coverage %.2f; limits %+v", name, h.Rows, h.Median, h.P90,
					h.Coverage, limit)
			}
		}
		if !found {
			t.Errorf("no family %s", name)
		}
	}
}

// A micro-batch of a few tokens waits for the host: Qwen-7B by ZeRO-3 on two A100s took 4.0 s for eight micro-batches
// of 256 tokens, and as long for 512 (QwenLM/Qwen, README).
func TestShortMicrobatchesWaitForTheHost(t *testing.T) {
	for _, tokens := range []float64{256, 512} {
		p, err := finetuning(Row{ID: "q", Setup: Setup{"model": "Qwen-7B", "method": "full", "device": "A100-SXM4-80GB",
			"n_devices": 2.0, "sharding": "DeepSpeed ZeRO-3", "mbs": 1.0, "grad_accum": 8.0, "seq_len": tokens,
			"precision": "bf16", "flash_attention": "FlashAttention-2", "gradient_checkpointing": true,
			"optimizer": "AdamW"}})
		if err != nil {
			t.Fatal(err)
		}
		if x := p.Metrics["step_time_s"]; x.Low > 4 || x.High < 4 || x.Mid < 3.4 || x.Mid > 4.6 {
			t.Errorf("%v tokens: %+v s, measured 4.0", tokens, x)
		}
	}
}

// What a row doesn't state is why it is skipped.
func TestTuningsThatAreSkipped(t *testing.T) {
	for want, setup := range map[string]Setup{
		"write seq_len":   {"model": "Llama-2-7B", "device": "A100 80GB", "method": "lora"},
		"they are packed": {"model": "Llama-2-7B", "device": "A100 80GB", "method": "lora", "max_length": 2048.0},
		"that they are":   {"model": "Llama-2-7B", "device": "A100 80GB", "method": "lora", "max_seq_len": 2048.0},
		"write optimizer": {"model": "Llama-2-7B", "device": "A100 80GB", "method": "full", "seq_len": 2048.0},
		"method ia3":      {"model": "Llama-2-7B", "device": "A100 80GB", "method": "IA3", "seq_len": 2048.0},
		"unknown model":   {"model": "nobody-9b", "device": "A100 80GB", "method": "lora", "seq_len": 2048.0},
		"write packed": {"model": "Llama-2-7B", "device": "A100 80GB", "method": "lora", "seq_len": 2048.0,
			"software": "torchtune 2024-05"},
		"don’t divide its": {"model": "Llama-2-7B", "device": "A100 80GB", "method": "lora", "seq_len": 2048.0,
			"tp": 3.0},
	} {
		if _, err := finetuning(Row{Setup: setup}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", setup, err, want)
		}
	}
}

// What a row says of its loss, its compiler and its kernels is read. Llama 3.2 3B in full, two packed sequences of 4096
// tokens on an A100, in GiB (pytorch/torchtune, README, table of November 2024): each row adds to the one before.
func TestTuningsByTheirKernels(t *testing.T) {
	setup := Setup{"model": "Llama-3.2-3B", "method": "full", "device": "A100 80GB", "n_devices": 1.0, "mbs": 2.0,
		"seq_len": 4096.0, "packed": true, "optimizer": "AdamW", "activation_checkpointing": false, "grad_accum": 1.0,
		"precision": "bf16 (weights, gradients and optimizer state in bf16)", "software": "torchtune 2024-11"}
	for _, add := range []struct {
		name  string
		value any
		want  float64
	}{{"loss", "cross entropy, not chunked", 60}, {"compile", true, 51}, {"loss", "chunked cross entropy", 42.9}} {
		setup[add.name] = add.value
		p, err := finetuning(Row{Setup: setup})
		if err != nil {
			t.Fatal(err)
		}
		if x := p.Metrics["peak_memory_active_GiB"].Mid; x < 0.95*add.want || x > 1.05*add.want {
			t.Errorf("with %s %v: %v GiB, measured %v", add.name, add.value, x, add.want)
		}
	}
	for said, want := range map[string]bool{"NeMo AutoModel": true, "transformers": false} {
		setup["framework"], setup["compile"] = said, false
		if run, err := NewTuning(setup); err != nil || run.Job.Loss.Kernels != want {
			t.Errorf("%s: %+v, %v", said, run.Job.Loss, err)
		}
	}
}

// bitsandbytes kept inputs of matmuls with weights in 4 bits until 0.43.2 of July 2024 (its CHANGELOG, #1270). By hand
// for a token of a layer of Llama 2 7B, in 2 bytes: what the matrix of attention's output, gate and up, and down take
// in. What queries take in is there for adapters anyway.
func TestVersionsOfBitsandbytes(t *testing.T) {
	kept := func(version string) float64 {
		run, err := NewTuning(Setup{"model": "llama-2-7b", "method": "qlora", "device": "A100-SXM4-40GB",
			"n_devices": 1.0, "mbs": 1.0, "seq_len": 1304.0, "precision": "bf16-true",
			"activation_checkpointing": false, "lora_rank": 8.0, "lora_targets": "q,v",
			"weight_quantization": "bnb.nf4", "software": "LitGPT, PyTorch 2.1.0, " + version})
		if err != nil {
			t.Fatal(err)
		}
		estimate := training.NewEstimator(run.Job).Estimate(run.Plan)
		return estimate.Memory.Activations
	}
	const inputs = 1304 * 32 * 2 * (4096 + 4096 + 11008)
	for version, want := range map[string]float64{"bitsandbytes 0.41.1": inputs, "bitsandbytes==0.43, torch 2": inputs,
		"bitsandbytes v0.43.1": inputs, "bitsandbytes 0.43.2": 0, "bitsandbytes==0.43.3": 0, "bitsandbytes 1.0": 0,
		"bitsandbytes 0.100": 0, "bitsandbytes of today": 0, "torch 0.1": 0} {
		if got := kept(version) - kept("bitsandbytes 0.44.0"); got < want-1 || got > want+1 {
			t.Errorf("%s: %v bytes more, want %v", version, got, want)
		}
	}
}

// What a source says of a layout, of a device and of a format beside the usual names is read.
func TestTuningsInOtherWords(t *testing.T) {
	run, err := NewTuning(Setup{"model": "Qwen/Qwen2.5-14B", "method": "full", "device": "A100 80GB", "n_devices": 8.0,
		"sharding": "Megatron: tp4 pp1 ep1, distributed optimizer", "mbs": 1.0, "gbs": 16.0, "seq_len": 8192.0,
		"optimizer": "AdamW", "precision": "bfloat16"})
	if err != nil || run.Plan.TP != 4 || run.Plan.DP != 2 || run.Plan.Zero != 1 || run.Job.Recipe.Master != 4 {
		t.Errorf("%+v, %+v, %v", run.Plan, run.Job.Recipe, err)
	}
	run, err = NewTuning(Setup{"model": "meta-llama/Llama-3.1-8B-NVFP4", "method": "lora", "device": "B200",
		"n_devices": 1.0, "mbs": 1.0, "seq_len": 4096.0, "optimizer": "adamw_torch"})
	if err != nil || run.Job.Recipe.Weight > 0.6 || !run.Job.Optimizer.AllAtOnce {
		t.Errorf("%+v, %+v, %v", run.Job.Recipe, run.Job.Optimizer, err)
	}
	p, err := finetuning(Row{ID: "x", Setup: Setup{"model": "Llama-2-7B", "method": "lora",
		"device": "not stated (A100 80GB or the like)", "n_devices": 1.0, "mbs": 1.0, "seq_len": 4096.0}})
	if _, timed := p.Metrics["step_time_s"]; err != nil || timed || p.Metrics["memory_GB"].Mid == 0 ||
		len(p.Notes) != 1 {
		t.Errorf("%+v, %v", p, err)
	}
}

// Stages of ZeRO go by number or by name; what is neither is refused.
func TestZeroByName(t *testing.T) {
	for said, want := range map[any]int{
		2.0: 2, "3": 3, "ZeRO-1 (distributed optimizer)": 1, "zero2": 2, "ZeRO 3, offloaded": 3, "Stage 1": 1,
		"ZeRO-4": -1, "zero-12": -1, 7.0: -1, "none of it": -1,
	} {
		got, err := Setup{"zero": said}.zero()
		if (err != nil) != (want < 0) || err == nil && got != want {
			t.Errorf("%v: %d, %v; want %d", said, got, err, want)
		}
	}
}

// Adapters that NeMo trains in fp8 with nothing computed again are estimated as the same runs told as training: a step
// of Llama 2 70B was twice as long where fp8, "none" and an optimizer that is sharded alone weren't read.
func TestAdaptersInFP8(t *testing.T) {
	rows := 0
	for _, c := range Gathered() {
		if !strings.Contains(c.ID, "lora") || !strings.Contains(c.Setup.Text("software"), "NeMo") {
			continue
		}
		rows++
		stated := Setup{"method": "lora", "lora_rank": 16.0, "lora_targets": "q+k+v+o"}
		for name, value := range c.Setup {
			if stated[name] == nil {
				stated[name] = value
			}
		}
		stated["model"] = "Llama 2 70B"
		trained, err := NewRun(c.Setup)
		if err != nil {
			t.Fatal(err)
		}
		tuned, err := NewTuning(stated)
		if err != nil {
			t.Fatal(err)
		}
		a := training.NewEstimator(trained.Job).Estimate(trained.Plan)
		b := training.NewEstimator(tuned.Job).Estimate(tuned.Plan)
		if x := b.Time.Step() / a.Time.Step(); x < 0.99 || x > 1.01 || tuned.Job.Recipe.Compute == training.BF16 ||
			tuned.Plan.Recompute != trained.Plan.Recompute || tuned.Plan.Recomputed != trained.Plan.Recomputed {
			t.Errorf("%s: %v s as fine-tuning, %v s as training", c.ID, b.Time.Step(), a.Time.Step())
		}
	}
	if rows < 30 {
		t.Errorf("%d rows", rows)
	}
}

// DeepSpeed keeps a master copy and moments in fp32, whichever field tells that it ran: of 6.74e9 weights 2 bytes on
// each device, and of the gradient, the copy and two moments 2, 4 and 8 bytes on an eighth of eight.
func TestDeepSpeedBySoftware(t *testing.T) {
	for _, said := range []Setup{{"software": "transformers, DeepSpeed ZeRO-2"},
		{"software": "transformers", "sharding": "DeepSpeed ZeRO-2"}} {
		s := Setup{"model": "Llama-2-7B", "method": "full", "device": "A100", "n_devices": 8.0, "mbs": 1.0,
			"grad_accum": 8.0, "seq_len": 4096.0, "precision": "bf16", "zero": 2.0, "optimizer": "AdamW"}
		maps.Copy(s, said)
		run, err := NewTuning(s)
		if err != nil {
			t.Fatal(err)
		}
		estimate := training.NewEstimator(run.Job).Estimate(run.Plan)
		const weights = 6.738e9
		if want := weights * (2 + (2+4+8)/8.0); math.Abs(estimate.Memory.States()/want-1) > 0.01 {
			t.Errorf("%v: %g bytes of states, want %g", said, estimate.Memory.States(), want)
		}
	}
}
