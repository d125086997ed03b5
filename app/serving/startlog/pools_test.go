package startlog

import (
	"math"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/serving"
)

// pooled is a log of SGLang on one chip of 80 GB, with what stands between weights and tokens.
func pooled(model, weights, pools, tokens string) string {
	return "server_args=ServerArgs(model_path='" + model + "', tp_size=1, mem_fraction_static=0.85)\n" +
		"Load weight begin. avail mem=78.70 GB\n" +
		"Load weight end. type=X, dtype=torch.bfloat16, avail mem=60.00 GB, mem usage=" + weights + " GB.\n" + pools +
		"max_total_num_tokens=" + tokens + ", chunked_prefill_size=8192, max_prefill_tokens=16384, " +
		"max_running_requests=4096, context_len=131072\n"
}

// SGLang gives layers with a window, and states of linear layers, memory of their own. The first is said in two lines
// of the same words, by each rank again; both are what the tokens follow from. Tokens are worked out by hand: gpt-oss
// keeps 24 KiB a token in 12 layers, and 0.8 of that in the others; Qwen3-Next 24 KiB in twelve.
func TestPoolsOfSGLang(t *testing.T) {
	const announced = "Use sliding window memory pool. full_layer_tokens=1000000, swa_layer_tokens=800000\n"
	const window = "KV Cache is allocated. #tokens: 800000, K size: 9.16 GB, V size: 9.15 GB\n"
	const whole = "KV Cache is allocated. #tokens: 1000000, K size: 11.44 GB, V size: 11.45 GB\n"
	const states = "Mamba Cache is allocated. max_mamba_cache_size: 90, conv_state size: 0.25GB, ssm_state size: " +
		"5.75GB\n"
	const kept = "KV Cache is allocated. #tokens: 400000, K size: 4.58 GB, V size: 4.58 GB\n"
	for _, c := range []struct {
		text                  string
		cache, states, tokens float64
		ours                  float64 // tokens that follow from what the log says
	}{
		{pooled("openai/gpt-oss-20b", "13.10", announced+window+whole, "1000000"), 41.2, 0, 1e6,
			41.2 * gib / (1.8 * 24576)},
		{pooled("openai/gpt-oss-20b", "13.10", announced+window+announced+whole+window+whole, "1000000"), 41.2, 0, 1e6,
			41.2 * gib / (1.8 * 24576)},
		{pooled("openai/gpt-oss-20b", "13.10", announced+whole+window, "1000000"), 41.2, 0, 1e6,
			41.2 * gib / (1.8 * 24576)},
		{pooled("openai/gpt-oss-20b", "13.10", window+whole, "800000"), 18.31, 0, 8e5, 18.31 * gib / (1.8 * 24576)},
		{pooled("Qwen/Qwen3-Next-80B-A3B-Instruct-FP8", "38.00", states+kept, "400000"), 9.16, 6, 4e5,
			9.16 * gib / 24576},
	} {
		l, err := Read(c.text)
		if err != nil {
			t.Fatal(err)
		}
		for name, want := range map[string]float64{"cache": c.cache * gib, "states": c.states * gib,
			"tokens": c.tokens} {
			if got := l.Figure(name); math.Abs(got-want) > 1e-9*want {
				t.Errorf("%s: %s is %v, want %v", c.text, name, got, want)
			}
		}
		l.Chip = "gpu.h100"
		r, length := of(t, l, 1, 2)
		for _, line := range Beside(l, r, length) {
			if line.Name == "tokens" && math.Abs(line.Ours/c.ours-1) > 1e-5 {
				t.Errorf("%s: %v tokens of a ledger, want %v", c.text, line.Ours, c.ours)
			}
			if line.Name == "states" && (line.IsLogged != (c.states > 0) || c.states == 0) {
				t.Errorf("%s: states of %v", c.text, line.Ours)
			}
		}
	}
}

// What a log leaves out is found where else it stands: a model in the path of its files, a chip by what it must hold,
// a cache's format in what the checkpoint's publisher does.
func TestFoundElsewhere(t *testing.T) {
	l, err := Read("[TensorRT-LLM] TensorRT-LLM version: 1.1.0\n[TRT-LLM] [I] Using checkpoint KV quantization.\n" +
		"[TRT-LLM] [I] Rank 0 prefetching /root/.cache/huggingface/hub/models--nvidia--Llama-3.1-8B-Instruct-FP8/" +
		"snapshots/0/model.safetensors\n" +
		"[TRT-LLM] [I] Memory used after loading model weights (inside torch) in memory usage profiling: 8.46 GiB\n")
	if err != nil || l.Model != "nvidia/Llama-3.1-8B-Instruct-FP8" || l.Known != "llama3_1.8b" &&
		l.Known != "llama3.8b" ||
		l.Weights != "fp8" || l.Cache != "fp8" || l.Figure("weights") != 8.46*gib {
		t.Errorf("%v %+v", err, l)
	}
	for weights, chip := range map[string]string{"20.0": "", "60.0": "", "72.0": "gpu.h200", "98.1": "gpu.h200",
		"160.0": "gpu.b200",
		"999.0": ""} {
		l, err := Read("INFO Model loading took " + weights + " GiB\nINFO Available KV cache memory: 10.0 GiB\n")
		if err != nil || l.Chip != chip || l.Like != (chip != "") {
			t.Errorf("%s GiB of weights: %v %+v", weights, err, l)
		}
	}
}

// A checkpoint's own format of a cache is known of one publisher, where weights are quantised, too.
func TestCacheOfCheckpoints(t *testing.T) {
	for model, want := range map[string]string{"nvidia/Llama-3.1-8B-Instruct-FP8": "fp8", "org/Llama-3.1-8B-FP8": "",
		"nvidia/Llama-3.1-8B-Instruct-BF16": ""} {
		l, err := Read("[TRT-LLM] [I] Using checkpoint KV quantization.\ntrtllm-serve " + model + "\n")
		if err != nil || l.Engine != "trtllm" || l.Model != model || l.Cache != want {
			t.Errorf("%s: %v %+v", model, err, l)
		}
	}
}

// Flash attention is off where a log of llama.cpp says 0 or disabled.
func TestScoresOfLlamaCpp(t *testing.T) {
	for said, want := range map[string]bool{"flash_attn    = 0": true, "flash_attn = disabled": true,
		"flash_attn = 1":    false,
		"flash_attn = auto": false, "n_ctx = 8192": false} {
		l, err := Read("llama_context: n_ctx = 8192\nllama_context: " + said + "\n")
		if err != nil || l.Engine != "llama.cpp" || l.Setup.Scores != want {
			t.Errorf("%s: %v %+v", said, err, l)
		}
	}
}

// States that SGLang keeps apart are no part of what its log calls the cache.
func TestStatesApart(t *testing.T) {
	l := serving.Ledger{Cache: 10, States: 4}
	if cache, states := ours(&l, "cache"), ours(&l, "states"); cache != 6 || states != 4 {
		t.Errorf("%v and %v", cache, states)
	}
}

// A log of an engine that has no ledger here is refused by its name, whatever flags stand in it.
func TestEnginesWithoutLedger(t *testing.T) {
	for text, engine := range map[string]string{
		"mlx_lm.server --model mlx-community/Qwen3-8B-4bit --port 8080\n":    "MLX",
		"vllm-mlx serve mlx-community/Qwen3-8B-4bit --continuous-batching\n": "MLX",
	} {
		if l, err := Read(text); err == nil || !strings.Contains(err.Error(), engine) {
			t.Errorf("%s: %v %+v", text, err, l)
		}
	}
}

// Cards that llama.cpp uses together are one memory; without flash attention scores take the room that logits do else.
func TestCardsOfLlamaCpp(t *testing.T) {
	const text = "llama_model_load_from_file_impl: using device CUDA0 (NVIDIA GeForce RTX 3090) - 23890 MiB free\n%" +
		"general.name str              = Llama 3.3 70B Instruct\nprint_info: file size   = 39.59 GiB (4.82 BPW)\n" +
		"load_tensors:        CUDA0 model buffer size = 40000.00 MiB\nllama_context: n_ctx         = 8192\n" +
		"llama_context: n_ubatch      = 512\nllama_context: flash_attn    = 0\n" +
		"llama_kv_cache_unified: size = 2560.00 MiB (  8192 cells,  80 layers,  1 seqs)\n"
	for second, want := range map[string]struct{ cards, free, budget float64 }{
		"": {1, 23890, 23890 - 40000}, strings.ReplaceAll(text[:strings.IndexByte(text, '%')], "CUDA0", "CUDA1"): {2,
			47780, 47780 - 40000},
	} {
		l, err := Read(strings.Replace(text, "%", second, 1))
		if err != nil || l.Chip != "gpu.rtx3090" || l.Cards != want.cards || l.Figure("free") != want.free*(1<<20) {
			t.Fatalf("%v %+v", err, l)
		}
		r, length := of(t, l, 2, 2)
		scores := 512.0 * 4 * (8192*65 + 4*8192) // 64 heads and a mask; a width of 8192
		for _, line := range Beside(l, r, length) {
			if line.Name == "activations" && line.Ours != scores {
				t.Errorf("%v bytes to work in, want %v", line.Ours, scores)
			}
			if line.Name == "budget" && math.Abs(line.Ours-(want.budget*(1<<20)-scores)) > 1 {
				t.Errorf("%v cards leave %v bytes, want %v", want.cards, line.Ours, want.budget*(1<<20)-scores)
			}
			if line.Name == "free" && line.Differs {
				t.Errorf("of %v cards %v bytes are free, the log says %v", want.cards, line.Ours, line.Logged)
			}
		}
	}
}

// A GPU that the catalog lacks is called what the log calls it; a driver's version is none.
func TestCalled(t *testing.T) {
	for text, want := range map[string]string{
		`description="NVIDIA GeForce RTX 4070 Ti" libdirs=x`:    "GeForce RTX 4070 Ti",
		"Device 0: NVIDIA GeForce GTX 1080, compute capability": "GeForce GTX 1080",
		"| NVIDIA-SMI 580.95.05   Driver Version: 580.95.05 |":  "",
		"NVIDIA driver 580, then NVIDIA A2 (15 GiB)":            "A2",
		"an NVIDIA GPU with 8 GB":                               "",
		"NVIDIA RTX 4000 SUPER\n":                               "RTX 4000 SUPER",
	} {
		if got := called(text); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
	if l, err := Read("vllm serve Qwen/Qwen3-8B\nNVIDIA H100 80GB HBM3"); err != nil || l.Called != "" {
		t.Errorf("%v %+v", err, l)
	}
}

// What a log says of how tokens are chosen and how chips reach one another is taken into its ledger.
func TestWhatLogsSayOfTheirStart(t *testing.T) {
	const start = "vLLM API server version 0.10.1.1\nnon-default args: {'model': 'Qwen/Qwen2-7B-Instruct', " +
		"'max_model_len': 16384, 'tensor_parallel_size': 2, 'gpu_memory_utilization': 0.25}\nNVIDIA A100-SXM4-80GB\n" +
		"Chunked prefill is enabled with max_num_batched_tokens=2048.\n%Model loading took 7.1217 GiB and 168.26 seconds\n" +
		"Available KV cache memory: 12.02 GiB\nGPU KV cache size: 450,192 tokens\n"
	for said, c := range map[string]struct {
		unsorted, apart bool
		first           string
	}{
		"": {false, false, "cache"},
		"Using FlashInfer for top-p & top-k sampling.\n": {true, false, "cache"},
		"Custom allreduce is disabled because your platform lacks GPU P2P capability or P2P test failed.\n" +
			"Using FlashInfer for top-p & top-k sampling.\n": {true, true, ""},
	} {
		l, err := Read(strings.Replace(start, "%", said, 1))
		if err != nil {
			t.Fatal(err)
		}
		if l.Known != "qwen2_5.7b" || l.Setup.Unsorted != c.unsorted || l.Setup.NoPeers != c.apart {
			t.Errorf("%q: %q, unsorted %t, no peers %t", said, l.Known, l.Setup.Unsorted, l.Setup.NoPeers)
		}
		r, length := of(t, l, 2, 2)
		lines, first := Beside(l, r, length), ""
		if i := First(lines); i >= 0 {
			first = lines[i].Name
		}
		if first != c.first {
			t.Errorf("%q: %q differs first, want %q: %+v", said, first, c.first, lines)
		}
	}
}

// Logs of LMDeploy and MLC LLM as people published them, beside their ledgers: each figure within a share of what the
// log says, and the first line that differs.
func TestLMDeployAndMLCBesideLedgers(t *testing.T) {
	const mlc = "[2024-05-09 04:02:00] INFO jit.py:120: Using compiled model lib of HF://mlc-ai/%\n" +
		"config.cc:601: Under mode \"local\", max batch size will be set to 4, max KV cache token capacity will be set to " +
		"8192, prefill chunk size will be set to 1024. \n" +
		"config.cc:678: The actual engine mode is \"$, prefill chunk size is @.\n" +
		"config.cc:683: Estimated total single GPU memory usage: 99 MB (Parameters: # MB). The actual usage might be\n"
	compiled := func(name, mode, chunk, figures string) string {
		return strings.NewReplacer("%", name, "$", mode, "@", chunk, "#", figures).Replace(mlc)
	}
	for name, c := range map[string]struct {
		text, engine, known, first string
		tp                         int
		within                     map[string]float64
	}{
		"MLC LLM, local": {compiled("Llama-3-8B-Instruct-q4f16_1-MLC",
			"local\". So max batch size is 4, max KV cache token capacity is 8192", "1024",
			"4308.133 MB. KVCache: 1092.268 MB. Temporary buffer: 335.925"), "mlc", "llama3.8b", "", 1,
			map[string]float64{"weights": 0.001, "cache": 0.0001, "tokens": 0.0001}},
		"MLC LLM, server": {compiled("Llama-3-8B-Instruct-q4f16_1-MLC",
			"server\". So max batch size is 48, max KV cache token capacity is 126754", "8192",
			"4308.13 MB. KVCache: 16054.47 MB. Temporary buffer: 1471.08"), "mlc", "llama3.8b", "cache", 1,
			map[string]float64{"weights": 0.001, "tokens": 0.0001}},
		"MLC LLM, four cards": {compiled("Llama-2-7b-chat-hf-q0f16-MLC --tensor-parallel-shards 4",
			"server\". So max batch size is 128, max KV cache token capacity is 120261", "4096",
			"3588.508 MB. KVCache: 15113.060 MB. Temporary buffer: 507.257"), "mlc", "llama2.7b", "cache", 4,
			map[string]float64{"weights": 0.001, "tokens": 0.0001}},
		"TurboMind, blocks": {"lmdeploy serve api_server Qwen/Qwen3-8B --session-len 8192\n" +
			"[TM][INFO] [BlockManager] block_size = 9.000 MB\n[TM][INFO] [BlockManager] max_block_count = 863\n" +
			"NVIDIA GeForce RTX 3090\n", "lmdeploy", "qwen3.8b", "blocks", 1,
			map[string]float64{"blockbytes": 0.0001}},
		"TurboMind, a budget": {"2026-09-30 14:36:57,224 - lmdeploy - INFO - async_engine.py:130 - input " +
			"backend=turbomind, backend_config=TurbomindEngineConfig(dtype='auto', session_len=32768, " +
			"cache_max_entry_count=0.8763)\n" +
			"model_path='Qwen/Qwen3-8B'\nNVIDIA H100 80GB HBM3\n[TM][INFO][0930.14:37:15.641964][turbomind.cc:319] " +
			"Object cache budget: 55634.70 MB from free 63488.19 MB and ratio 0.876\n", "lmdeploy", "qwen3.8b", "", 1,
			map[string]float64{"open": 0.025, "cache": 0.001}},
	} {
		l, err := Read(c.text)
		if err != nil || l.Engine != c.engine || l.Known != c.known || max(l.Plan.TP, 1) != c.tp {
			t.Errorf("%s: %v, %q, %q, %v", name, err, l.Engine, l.Known, l.Plan)
			continue
		}
		if l.Chip == "" {
			l.Chip = "gpu.a100"
		}
		r, length := of(t, l, 2, 2)
		stored := l.Stored(r.Shape.Model, r.Shape.Precision)
		r, err = serving.NewReplica(serving.NewShape(r.Shape.Model, stored), r.Chip, l.Plan, r.Constants, r.Engine)
		if err != nil {
			t.Fatal(err)
		}
		first := ""
		lines := Beside(l, r, length)
		if i := First(lines); i >= 0 {
			first = lines[i].Name
		}
		if first != c.first {
			t.Errorf("%s: %q differs first, want %q: %+v", name, first, c.first, lines)
		}
		for _, x := range lines {
			if most, is := c.within[x.Name]; is && !(x.IsLogged && math.Abs(x.Off) <= most) {
				t.Errorf("%s: %s is %v, the log has %v (%v)", name, x.Name, x.Ours, x.Logged, x.IsLogged)
			}
		}
	}
}

// What "ollama run" takes if its tag names no format: four bits, and a context by its version and the memory of cards.
// A card of 24 GB has 23 GiB or more: there it is 32,768 tokens. From 47 GiB on it is 262,144, as far as a model goes.
func TestOllamaRun(t *testing.T) {
	for text, want := range map[string]struct {
		known, gguf string
		length      float64
	}{
		"ollama run llama3.1:8b":                                        {"llama3.8b", "q4_k_m", 4096},
		"ollama run llama3.1:8b-instruct-fp16":                          {"llama3.8b", "f16", 4096},
		"ollama run qwen3:8b-q8_0":                                      {"qwen3.8b", "q8_0", 4096},
		"OLLAMA_CONTEXT_LENGTH=32768 ollama serve; ollama run qwen3:8b": {"qwen3.8b", "q4_k_m", 32768},

		"# RTX 3060\nollama run llama3.1:8b\n":                                  {"llama3.8b", "q4_k_m", 4096},
		"# RTX 4090\nollama run llama3.1:8b\n":                                  {"llama3.8b", "q4_k_m", 32768},
		"# H100\nollama run llama3.1:8b\n":                                      {"llama3.8b", "q4_k_m", 131072},
		"# RTX 4090\ndocker run ollama/ollama:0.15.4\nollama run llama3.1:8b\n": {"llama3.8b", "q4_k_m", 4096},
		"# RTX 4090\ndocker run ollama/ollama:0.15.5\nollama run llama3.1:8b\n": {"llama3.8b", "q4_k_m", 32768},
		"# RTX 4090\ndocker run ollama/ollama:0.6.6\nollama run llama3.1:8b\n":  {"llama3.8b", "q4_k_m", 2048},
		"# RTX 4090\ndocker run ollama/ollama:0.6.7\nollama run llama3.1:8b\n":  {"llama3.8b", "q4_k_m", 4096},
		"# RTX 4090\ndocker run ollama/ollama:0.9.0\nollama run llama3.1:8b\n":  {"llama3.8b", "q4_k_m", 4096},
		"# RTX 4090\ndocker run ollama/ollama:0.5.13\nollama run qwen3:8b\n":    {"qwen3.8b", "q4_k_m", 2048},
		"msg=\"Listening on 127.0.0.1:11434 (version 0.17.0)\"\nmsg=\"inference compute\" name=CUDA0 " +
			"description=\"NVIDIA GeForce RTX 3090\" total=\"23.6 GiB\" available=\"23.3 GiB\"\n" +
			"# ollama run llama3.1:8b\n": {"llama3.8b", "q4_k_m", 32768},
		"msg=\"inference compute\" name=CUDA0 description=\"NVIDIA L40\" total=\"22.9 GiB\" " +
			"available=\"20.0 GiB\"\n# ollama run llama3.1:8b\n": {"llama3.8b", "q4_k_m", 4096},
		"msg=\"inference compute\" name=CUDA0 description=\"NVIDIA L40\" total=\"23.0 GiB\" " +
			"available=\"20.0 GiB\"\n# ollama run llama3.1:8b\n": {"llama3.8b", "q4_k_m", 32768},
		"msg=\"inference compute\" name=CUDA0 description=\"NVIDIA L40\" total=\"46.9 GiB\" " +
			"available=\"20.0 GiB\"\n# ollama run llama3.1:8b\n": {"llama3.8b", "q4_k_m", 32768},
		"msg=\"inference compute\" name=CUDA0 description=\"NVIDIA L40\" total=\"47.0 GiB\" " +
			"available=\"20.0 GiB\"\n# ollama run llama3.1:8b\n": {"llama3.8b", "q4_k_m", 131072},
	} {
		l, err := Read(text)
		if err != nil || l.Known != want.known || l.GGUF != want.gguf || l.Length != want.length {
			t.Errorf("%s: %v %+v", text, err, l)
		}
	}
}

// Lines of vLLM of 2026, and of its log for debugging: each figure is read by its name.
func TestNewerLinesOfVLLM(t *testing.T) {
	const gib = 1 << 30
	for text, want := range map[string]map[string]float64{
		"Free memory on device (30.86/31.36 GiB) on startup. Desired GPU memory utilization is (0.9, 28.22 GiB). Actual usage " +
			"is 16.66 GiB for consumed memory (weights + non-torch), 1.46 GiB for peak activation, and 0.49 GiB for CUDAGraph " +
			"memory.": {"free": 30.86 * gib, "total": 31.36 * gib, "consumed": 16.66 * gib, "activations": 1.46 * gib,
			"graphs": 0.49 * gib},
		"Memory profiling takes 14.40 seconds. Total non KV cache memory: 10.22GiB; torch peak memory increase: 1.40GiB; " +
			"non-torch forward increase memory: 0.02GiB; weights memory: 8.80GiB.": {"activations": 1.40 * gib,
			"nontorch": 0.02 * gib, "weights": 8.80 * gib},
		"Initial free memory 77.91 GiB, reserved 5.32 GiB memory for KV Cache as specified by kv_cache_memory_bytes": {
			"free": 77.91 * gib, "cache": 5.32 * gib},
		"ValueError: Free memory on device cuda:0 (27.28/31.86 GiB) on startup is less than desired GPU memory utilization " +
			"(0.97, 30.9 GiB).": {"free": 27.28 * gib, "total": 31.86 * gib, "budget": 30.9 * gib},
		"GPU KV cache size: 73,315 tokens, Maximum concurrency for 71,680 tokens per request: 1.02x": {"tokens": 73315,
			"length": 71680, "concurrency": 1.02},
	} {
		l, err := Read(text)
		if err != nil || l.Engine != "vllm" {
			t.Errorf("%s: %v", text, err)
			continue
		}
		for name, x := range want {
			if got := l.Figure(name); math.Abs(got-x) > 1e-9*x {
				t.Errorf("%s: %s is %v, want %v", text, name, got, x)
			}
		}
	}
	l, _ := Read("vLLM API server version 0.28.0\nmodel='Qwen/Qwen3-8B'\nNVIDIA GeForce RTX 5090\nUsing max model " +
		"len 8192\n" +
		"Actual usage is 15.34 GiB for consumed memory (weights + non-torch), 1.01 GiB for peak activation, and 0.49 GiB for " +
		"CUDAGraph memory.\n")
	r, length := of(t, l, 2, 2)
	for _, x := range Beside(l, r, length) {
		if x.Name == "consumed" && (x.Differs || math.Abs(x.Off) > 0.01) { // 15.26 of weights and 0.06
			t.Errorf("consumed: %+v", x)
		}
	}
}
