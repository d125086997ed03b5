package measured

import (
	"encoding/json"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/scrap"
)

// odd is what people, and programs, write where a number or a name should stand.
func odd() []any {
	return []any{nil, "", "n/a", "128", "64-512", "GPUs/32", "1k", "-5", "NaN", "1e400", "many", 0.0, -1.0, 0.5, 3.0,
		1e9,
		1e300, math.MaxFloat64, true, false, []any{1.0}, map[string]any{"tp": "x"}, "tp*tp", "8x7B",
		strings.Repeat("9", 400)}
}

// Whatever a row says, it gets a prediction of finite numbers, low to high, or a reason why there is none.
func TestOddRowsAreAnswered(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	values := odd()
	for _, row := range oddSeeds() {
		for range 400 {
			setup := maps.Clone(row.Setup)
			names := slices.Sorted(maps.Keys(setup))
			for range 1 + random.IntN(3) {
				name := names[random.IntN(len(names))]
				if setup[name] = values[random.IntN(len(values))]; random.IntN(4) == 0 {
					delete(setup, name)
				}
			}
			answered(t, Row{ID: row.ID, Kind: row.Kind, Setup: setup})
		}
	}
}

// answered holds a prediction to what every one must be.
func answered(t *testing.T, row Row) {
	t.Helper()
	defer func() {
		if why := recover(); why != nil {
			t.Errorf("%v: %v", row.Setup, why)
		}
	}()
	p := One(row)
	if p.Skipped == "" && len(p.Metrics) == 0 {
		t.Errorf("%v: neither numbers nor a reason", row.Setup)
	}
	large := row.Kind != "nccl_tests" && row.Kind != "quantised_size" // in a device's memory
	if p.Skipped == "" && p.Fits == "" && large {
		t.Errorf("%v: it isn't said whether it fits", row.Setup)
	}
	for name, x := range p.Metrics {
		least := x.Low > 0 ||
			row.Kind == "kv_capacity" && x.Low > -1e15 // an engine that doesn't start says how much it lacks
		if !(least && x.Low <= x.Mid && x.Mid <= x.High) || math.IsInf(x.High, 0) {
			t.Errorf("%v: %s is %v", row.Setup, name, x)
		}
	}
}

// oddSeeds are rows of all kinds from which odd ones are made.
func oddSeeds() []Row {
	part := map[string]any{"tp": 1.0, "attention_dp": 8.0, "moe_ep": 8.0, "moe_tp": 1.0, "workers": 2.0, "batch": 64.0}
	return []Row{
		{ID: "closed", Kind: "inference",
			Setup: Setup{"model": "DeepSeek-R1", "device": "H200", "engine": "sglang 0.5", "precision": "fp8",
				"isl": 1024.0, "osl": 1024.0, "concurrency": 64.0, "tp": 8.0, "pp": 1.0, "attention_dp": 1.0,
				"moe_tp": 1.0, "moe_ep": 8.0, "n_devices": 8.0, "max_num_seqs": 256.0,
				"max_num_batched_tokens": 8192.0}},
		{ID: "apart", Kind: "inference",
			Setup: Setup{"model": "DeepSeek-R1", "device": "GB200", "engine": "trtllm", "precision": "fp4",
				"isl": 8192.0, "osl": 1024.0, "concurrency": 512.0, "mode": "disagg", "prefill": part, "decode": part}},
		{ID: "own", Kind: "inference",
			Setup: Setup{"model": "Kimi-K2", "device": "X9", "engine": "vllm", "kv_cache": "fp8", "dcp": "on",
				"isl": 8192.0, "osl": 1024.0, "concurrency": 32.0, "tp": 16.0, "peak_tflops": 900.0, "memory_GB": 192.0,
				"memory_bandwidth_GBps": 5000.0, "mtp": 2.0, "prefix_hit": 0.5, "moon": "full"}},
		{ID: "open", Kind: "inference",
			Setup: Setup{"model": "Llama-2-7b-hf", "device": "H100", "engine": "vllm", "request_per_s": 5.0,
				"isl_mean": 591.0, "osl_mean": 193.0, "tp": 1.0, "load": "open loop, constant spacing",
				"stage_s": 600.0, "total_kv_blocks": 8000.0, "gpu_memory_utilization": 0.9}},
		{ID: "shape", Kind: "inference",
			Setup: Setup{"layers": 32.0, "d_model": 4096.0, "n_heads": 32.0, "n_kv_heads": 8.0, "d_ff": 14336.0,
				"vocab": 128256.0, "n_experts": 8.0, "top_k": 2.0, "device": "B200", "isl_osl": "1k/1k",
				"n_devices": 8.0, "concurrency": "64"}},
		{ID: "dense", Kind: "training",
			Setup: Setup{"model": "llama-3-8b", "device": "H100", "gpus": 64.0, "tp": 2.0, "pp": 2.0, "dp": 16.0,
				"gbs": 256.0, "mbs": 1.0, "seq": 4096.0, "zero": 1.0, "precision": "bf16"}},
		{ID: "size", Kind: "quantised_size",
			Setup: Setup{"model": "Qwen3.8-27B", "format": "GGUF", "quant_type": "Q4_K_M",
				"params_B": 27.8, "prompt_tokens": 512.0, "gen_tokens": 128.0, "tp": 2.0}},
		{ID: "local", Kind: "local_decode", Setup: Setup{"model": "gpt-oss-120b", "quant_type": "MXFP4 MoE",
			"device": "RTX 4080 16GB", "n_devices": 2.0, "batch": 4.0, "engine": "llama.cpp", "n_gpu_layers": 20.0,
			"n_cpu_moe": 10.0, "host_bandwidth_GBps": 80.0, "file_size_GiB": 59.0, "n_ubatch": 1024.0,
			"prompt_tokens": 512.0, "gen_tokens": 128.0, "step_tokens": 2048.0, "ram_GB": 128.0, "gpu_cores": 40.0}},
		{ID: "nccl", Kind: "nccl_tests", Setup: Setup{"op": "all-reduce", "device": "H100 SXM", "n_devices": 16.0,
			"n_nodes": 2.0, "payload_bytes": 1073741824.0, "network": "8 x 400 Gb/s InfiniBand a node",
			"algorithm": "NVLS", "dtype": "float", "tool": "bench.py"}},
		{ID: "start", Kind: "kv_capacity",
			Setup: Setup{"model": "Qwen3-8B-FP8", "device": "RTX 4090 24GB", "engine": "vLLM", "quant": "FP8",
				"version": "0.10.2", "n_devices": 2.0, "tp": 2.0, "pp": 1.0, "max_model_len": 32768.0,
				"max_num_seqs": 64.0, "max_num_batched_tokens": 2048.0, "gpu_memory_utilization": 0.9,
				"block_size": 16.0}},
	}
}

// FuzzRows feeds predict lines that nobody thought of, and rows of which one number is nonsense. Each line gets one
// object of JSON, with finite numbers or the reason why there are none; nonsense is refused by the name of its field.
func FuzzRows(plain *testing.F) {
	f := scrap.Of(plain)
	f.Add(
		`{"id":"a","kind":"training","setup":{"model":"llama-3-8b","device":"H100","gpus":64,"dp":"GPUs/2","tp":2}}`,
		"gbs",
		0.5,
	)
	f.Add(
		`{"id":"b","kind":"inference","setup":{"model":"DeepSeek-R1","device":"H200","isl":1,"osl":1e308}}`,
		"n_devices",
		-1.0,
	)
	f.Add(`{"id":"c","kind":"memory","setup":{"n_devices":[{}],"tp":true,"params":"8.03B"}}`, "tokens_per_batch", 0.0)
	f.Add(
		`{"id":"e","kind":"kv_capacity","setup":{"model":"Qwen3-8B-FP8","device":"RTX 4090 24GB","engine":"vLLM V1, 2025-09","n_devices":1,"tp":1,"max_model_len":1e300,"gpu_memory_utilization":0.9}}`,
		"max_num_seqs",
		-3.0,
	)
	f.Add("\x00\ufeff[1]", "dp", 1e308)
	f.Add(`{"setup":{"dp":"dp*dp","gbs":"tp/0","seq_len":"1k"},"kind":"known-good-plan"}`, "seq_len", 1e-300)
	f.Fuzz(func(t *testing.T, line, name string, x float64) {
		var out strings.Builder
		if _, err := Predict(strings.NewReader(line), &out); err != nil {
			t.Fatal(err)
		}
		for answer := range strings.Lines(out.String()) {
			if !json.Valid([]byte(answer)) {
				t.Errorf("%q is answered %q", line, answer)
			}
		}
		if row, err := ReadRow([]byte(line)); err == nil {
			answered(t, row)
		}
		if x >= 1 && x <= mostTokens && x == math.Trunc(x) ||
			!slices.Contains([]string{"n_devices", "gbs", "tokens_per_batch", "dp", "seq_len", "params"}, name) {
			return
		}
		p := One(Row{Kind: "training",
			Setup: Setup{"model": "llama-3-8b", "device": "H100", "gpus": 64.0, name: x}})
		if !strings.HasPrefix(p.Skipped, name+" is ") {
			t.Errorf("%s = %v: %+v", name, x, p)
		}
	})
}

// What makes no sense is refused by the name of its field; what people write is not.
func TestNonsenseIsRefusedByName(t *testing.T) {
	for _, c := range []struct {
		name  string
		value any
		want  string
	}{
		{"n_devices", -1.0, "n_devices is -1;"}, {"n_devices", "x", `n_devices is "x":`},
		{"n_devices", 1e308, "n_devices is 1e+308;"}, {"n_devices", true, "n_devices is true;"},
		{"tokens_per_batch", 0.0, "tokens_per_batch is 0;"}, {"tokens_per_batch", 1e300, "tokens_per_batch is 1e+300;"},
		{"dp", 128.0, "dp is 128, but DP 128"}, {"dp", -1.0, "dp is -1;"}, {"dp", "x", `dp is "x":`},
		{"gbs", 0.5, "gbs is 0.5;"}, {"gbs", 0.0, "gbs is 0;"}, {"gbs", 7.5, "gbs is 7.5;"},
		{"gbs", 1e308, "gbs is 1e+308;"}, {"tp", true, "tp is true;"}, {"zero", 7.0, "zero is 7;"},
		{"params", -1.0, "params is -1;"}, {"gbs", "GPUs*4", ""}, {"dp", "GPUs/2", ""}, {"params", "8.03B", ""},
		{"zero", "n/a", ""}, {"tokens_per_batch", "4194304", ""},
	} {
		s := Setup{"model": "llama-3-8b", "device": "H100", "gpus": 64.0, "tp": 2.0}
		if c.name == "n_devices" {
			delete(s, "gpus")
		}
		s[c.name] = c.value
		p := One(Row{Kind: "training", Setup: s})
		if !strings.HasPrefix(p.Skipped, c.want) || (c.want == "") != (p.Skipped == "") {
			t.Errorf("%s = %v: %q, want %q", c.name, c.value, p.Skipped, c.want)
		}
	}
}
