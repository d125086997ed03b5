package startlog

import (
	"math"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/serving"
)

// Commands of strangers, as repositories published them in 2024 to 2026: flags cut short, as argparse takes them; bytes
// with units; drafts key by key; images whose entry point has the verb; methods of four bits; files of a hub without a
// format.
func TestReadStrangersCommands(t *testing.T) {
	for text, want := range map[string]Log{
		"vllm serve allenai/olmOCR-2-7B-1025 \\\n\t    --tensor-parallel-size 2 \\\n    --max-num-batched-token 32 \\\n" +
			"    --gpu-memory-util 0.725": {Engine: "vllm", Plan: serving.Plan{TP: 2}, Share: 0.725,
			Setup: serving.Engine{Chunk: 32}},
		"vllm serve google/gemma-4-26B-A4B-it --kv-cache-memory-bytes 6G": {Engine: "vllm", Known: "gemma4.26b_a4b",
			Setup: serving.Engine{KVBytes: 6 << 30}},
		"vllm serve ibm-granite/granite-guardian-3.1-2b --kv-cache-memory-bytes 256M --enforce-eager": {Engine: "vllm",
			Setup: serving.Engine{KVBytes: 256 << 20, Graphless: true}},
		"vllm serve Qwen/Qwen3-Next-80B-A3B-Instruct -tp 4 -dcp 2 --quantization fp8": {Engine: "vllm",
			Known: "qwen3_next.80b_a3b", Weights: "fp8", Plan: serving.Plan{TP: 4, CP: 2}},
		"vllm serve meta-llama/Llama-3-405B --tensor-parallel-size 8 --pipeline-parallel-size 2": {Engine: "vllm",
			Known: "llama3.405b", Plan: serving.Plan{TP: 8, PP: 2}},
		"vllm serve meta-llama/Llama-3.1-8B-Instruct --quantization bitsandbytes --load-format bitsandbytes": {
			Engine: "vllm", Known: "llama3.8b", Weights: "int4"},
		"vllm serve nvidia/Qwen3.8-27B-NVFP4 --kv-cache-dtype nvfp4": {Engine: "vllm", Known: "qwen3_8.27b",
			Weights: "nvfp4", Cache: "fp8", Element: 4.5 / 8},
		"vllm serve /data/models --served-model-name deepseek_v3 -tp 4 -dp 8 --enable-expert-parallel": {Engine: "vllm",
			Known: "deepseek.v3", Weights: "fp8", Plan: serving.Plan{TP: 4, DP: 8, EP: 32}},
		"services:\n  vllm:\n    image: vllm/vllm-openai:v0.19.1\n    command:\n      - \"RedHatAI/gemma-4-26B-A4B-it-NVFP4\"\n" +
			"      - \"--speculative-config.method\"\n      - \"eagle\"\n      - \"--max-num-seqs\"\n      - \"2\" # two\n": {
			Engine: "vllm", Version: "0.19.1", Known: "gemma4.26b_a4b", Weights: "nvfp4", Draft: true,
			Setup: serving.Engine{Sequences: 2}},
		"docker run --gpus all vllm/vllm-openai:latest \\\n    Qwen/Qwen3-235B-A22B-Instruct-2507-FP8 \\\n" +
			"    --tensor-parallel-size 4": {Engine: "vllm", Known: "qwen3.235b_a22b", Weights: "fp8",
			Length: 262144, Plan: serving.Plan{TP: 4}},
		"vllm serve nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B-BF16 --mamba-ssm-cache-dtype float32": {Engine: "vllm",
			Known: "nemotron3.nano_30b_a3b", Setup: serving.Engine{StateBits: 32}},
		// a branch that is not taken; a fraction in a file, which counts more than the flag; a file for llama.cpp
		"TP=${TP:-2}\nARGS=( --max-model-len 32768 )\nif [[ -n \"${FP8:-}\" ]]; then\n" +
			"  ARGS+=(--quantization fp8)\nfi\n" +
			"vllm serve Qwen/Qwen3-8B -tp $TP \"${ARGS[@]}\"\n": {Engine: "vllm", Known: "qwen3.8b", Length: 32768,
			Plan: serving.Plan{TP: 2}},
		"SIZE=${SIZE:-70b}\ncase \"$SIZE\" in\n  8b) MODEL=meta-llama/Llama-3.1-8B-Instruct; TP=1 ;;\n" +
			"  70b) MODEL=meta-llama/Llama-3.1-70B-Instruct; TP=4 ;;\nesac\n" +
			"vllm serve $MODEL -tp $TP\n": {Engine: "vllm", Known: "llama3.70b", Plan: serving.Plan{TP: 4}},
		"cat > e.yml <<EOF\nkv_cache_config:\n  free_gpu_memory_fraction: 0.8\nEOF\n" +
			"trtllm-serve nvidia/Llama-3.1-8B-Instruct-FP8 " +
			"--kv_cache_free_gpu_memory_fraction 0.9 --extra_llm_api_options e.yml\n": {Engine: "trtllm",
			Known: "llama3.8b", Weights: "fp8", Share: 0.8},
		"name: llama31\nbackend: llama-cpp\ncontext_size: 8192\ngpu_layers: 99\nparameters:\n" +
			"  model: Meta-Llama-3.1-8B-Instruct-Q5_K_M.gguf\n": {Engine: "llama.cpp", Known: "llama3.8b",
			Weights: "int4", GGUF: "q5_k_m", Length: 8192},
		"llama-server -hf ggml-org/gemma-3-4b-it-GGUF --no-mmproj-offload": {Engine: "llama.cpp", Known: "gemma3.4b",
			Weights: "int4", GGUF: "q4_k_m"},
		"./llama-server -m Qwen3.8-27B-Q8_0.gguf -c 8192 --parallel 8 --spec-type draft-mtp": {Engine: "llama.cpp",
			Known: "qwen3_8.27b", Weights: "fp8", GGUF: "q8_0", Length: 8192, Draft: true,
			Setup: serving.Engine{Sequences: 8}},
		"ollama run qwen3-30b-a3b-2507-Q8:ctx32k": {Engine: "llama.cpp", Known: "qwen3.30b_a3b", Weights: "fp8",
			GGUF: "q8_0", Length: 4096},
		"lmdeploy serve api_server internlm/x --dp 32 --ep 32 --quant-policy 4": {Engine: "lmdeploy", Cache: "fp8",
			Element: 4.25 / 8, Plan: serving.Plan{DP: 32, EP: 32}},
		"vllm serve deepseek-ai/DeepSeek-V4-Flash-Base -tp 8": {Engine: "vllm", Known: "deepseek.v4_flash",
			Weights: "fp8", Plan: serving.Plan{TP: 8}},
		"sglang serve --model-path moonshotai/Kimi-K2.5 --tp 8 --swa-full-tokens-ratio 0.2": {Engine: "sglang",
			Known: "kimi.k2_5", Weights: "nvfp4", Plan: serving.Plan{TP: 8}, Setup: serving.Engine{Windows: 0.2}},
	} {
		l, err := Read(text)
		if err != nil {
			t.Fatal(text, err)
		}
		if l.Engine != want.Engine || l.Known != want.Known || l.Weights != want.Weights || l.Cache != want.Cache ||
			l.Element != want.Element || l.Plan != want.Plan || l.Share != want.Share || l.Length != want.Length ||
			l.Setup != want.Setup || l.Draft != want.Draft || l.GGUF != want.GGUF || l.Version != want.Version ||
			len(l.Unread) > 0 {
			t.Errorf("%s:\n%+v\nwant\n%+v", text, *l, want)
		}
	}
}

// Sizes in a name decide between models whose names have the same letters, and tell those that lost experts, or were
// made with another.
func TestSizesInNames(t *testing.T) {
	for name, want := range map[string]string{
		"qwen/Qwen2-57B-A14B-Instruct-GPTQ-Int4": "", "Qwen/Qwen2-7B-Instruct": "qwen2_5.7b",
		"cerebras/MiniMax-M2.5-REAP-139B-A10B": "", "MiniMaxAI/MiniMax-M2.5": "minimax.m2_5",
		"deepseek-r1:7b": "qwen2_5.7b", "deepseek-r1:70b": "llama3.70b", "deepseek-r1:671b": "deepseek.r1",
		"deepseek-r1:8b": "", "deepseek-r1:1.5b": "", "openai/gpt-oss-20b": "gpt_oss.20b",
		"meta-llama/Llama-4-Scout-17B-16E-Instruct": "llama4.scout", "google/gemma-4-E4B-it": "gemma4.e4b",
		"mistralai/Mixtral-8x22B-Instruct-v0.1": "mixtral.8x22b", "Qwen/Qwen3-Coder-30B-A3B-Instruct": "qwen3.30b_a3b",
		"cerebras/Qwen3-Coder-REAP-363B-A35B-FP8": "", "zai-org/GLM-4.5-Air-106B": "glm4_5.air_106b_a12b",
	} {
		if got := ModelOf(name); got != want {
			t.Errorf("%s is %q; want %q", name, got, want)
		}
	}
}

// What flags take is named where nobody knows it here, a format unless the model's name tells, or a number that is
// none.
func TestUnreadFormats(t *testing.T) {
	for text, want := range map[string]string{
		"vllm serve Qwen/Qwen3-8B --quantization compressed-tensors --kv-cache-dtype turboquant_k8v4": "kv_cache_dtype=" +
			"turboquant_k8v4, quantization=compressed-tensors",
		"vllm serve RedHatAI/Qwen3-8B-FP8 --quantization compressed-tensors": "",
		"vllm serve Qwen/Qwen3-8B --quantization modelopt":                   "quantization=modelopt",
		"vllm serve Qwen/Qwen3-8B --kv-cache-dtype auto --quantization None": "",
		"vllm serve Qwen/Qwen3-8B --tensor-parallel-size banana --max-model-len -5": "tensor_parallel_size=banana, " +
			"max_model_len=?",
		"vllm serve Qwen/Qwen3-8B --max-model-len auto --tensor-parallel-size $TP": "tensor_parallel_size=$TP",
	} {
		l, err := Read(text)
		if got := strings.Join(l.Unread, ", "); err != nil || got != want {
			t.Errorf("%s: %q, %v; want %q", text, got, err, want)
		}
	}
}

// Ranks tell the layout where no flag does; a folder of a hub’s cache names its model.
func TestRanks(t *testing.T) {
	for text, want := range map[string]serving.Plan{
		"INFO 10-23 15:10:41 [parallel_state.py:1165] rank 1 in world size 2 is assigned as DP rank 0, PP rank 0, TP rank 1, " +
			"EP rank 1\nModel loading took 74.2812 GiB": {TP: 2},
		"(Worker_TP0 pid=4) Model loading took 37.96 GiB\n(Worker_TP3 pid=7) Model loading took 37.96 GiB": {TP: 4},
		"(Worker_PP1_TP3 pid=7) INFO Model loading took 9.1 GiB\n(Worker pid=1) world_size=8 rank=0": {TP: 4,
			PP: 2},
		"INFO world_size=4 rank=0 local_rank=0\nModel loading took 37.96 GiB":  {TP: 4},
		"[2026-02-26 16:31:00 TP7] Load weight begin. avail mem=283.68 GB":     {TP: 8},
		"[2026-09-11 23:34:13 TP1 EP0] Load weight begin. avail mem=111.47 GB": {TP: 2},
		"(Worker_TP3 pid=7) Model loading took 9 GiB\ntensor_parallel_size=8":  {TP: 8},
		"Model loading took 14.25 GiB":                                         {},
	} {
		if l, err := Read(text); err != nil || l.Plan != want {
			t.Errorf("%s: %+v, %v; want %+v", text, l.Plan, err, want)
		}
	}
	l, err := Read("Initializing a V1 LLM engine (v0.27.1) with config: " +
		"model='/data/hub/models--deepseek-ai--DeepSeek-V4-" +
		"Flash/snapshots/60d8d70', quantization=deepseek_v4_fp8, tensor_parallel_size=4")
	if err != nil || l.Known != "deepseek.v4_flash" || l.Weights != "mxfp4" {
		t.Errorf("%+v, %v", l, err)
	}
}

// Figures of logs from 2024 to 2026, published in repositories, that are worded in other ways, or of which a figure
// tells what no flag does; and the tokens that the ledger then gives.
func TestReadStrangersLogs(t *testing.T) {
	for text, want := range map[string]struct {
		figures        map[string]float64 // GiB, but for tokens
		version, cache string
		tokens         float64
	}{
		"server_args=ServerArgs(model_path='/m/DeepSeek-R1-Distill-Qwen-7B', mem_fraction_static=0.88, tp_size=1)\n" +
			"[2025-02-04 05:21:40 TP0] Load weight begin. avail mem=22.76 GB\n[2025-02-04 05:29:17 TP0] Load weight end. " +
			"type=Qwen2ForCausalLM, dtype=torch.bfloat16, avail mem=8.37 GB\n[2025-02-04 05:29:17 TP0] KV Cache is allocated. " +
			"K size: 2.82 GB, V size: 2.82 GB.\nmax_total_num_tokens=105531, chunked_prefill_size=2048, " +
			"max_prefill_tokens=16384, max_running_requests=2049, context_len=131072": {figures: map[string]float64{
			"before": 22.76, "weights": 14.39, "after": 8.37, "cache": 5.64}, tokens: 105531},
		"[05:21:40 TP7] server_args=ServerArgs(model_path='deepseek-ai/DeepSeek-V4-Flash-Base', mem_fraction_static=0.6)\n" +
			"Memory profiling: available_gpu_memory=57.01 GB, total_gpu_memory=93.58 GB, mem_fraction_static=0.60, " +
			"rest_memory=19.58 GB\nDSv4 memory calculation: bytes_per_full_token=15955.85, available_bytes=19.58 GB, " +
			"full_token=1317632": {figures: map[string]float64{"before": 93.58, "after": 57.01, "weights": 36.57,
			"cache": 19.58}, version: "0.5.12", tokens: 1317632},
		"(Worker_TP1 pid=6) Starting to load model /data/models/Qwen3-Next-80B-A3B-Instruct...\nAvailable KV cache memory: " +
			"44.59 GiB\nGPU KV cache size: 973,760 tokens\nMaximum concurrency for 262,144 tokens per request: 14.77x\n" +
			"device_name=NVIDIA_H200.json": {figures: map[string]float64{"cache": 44.59}, version: "0.20",
			tokens: 973760},
		"trtllm-serve moonshotai/Kimi-K2.5 --tp_size 8\n[TensorRT-LLM][INFO] Number of tokens per block: 32.\n" +
			"[TensorRT-LLM][INFO] [MemUsageChange] Allocated 166.02 GiB for max tokens in paged KV cache (5073376).\nNVIDIA B300": {
			figures: map[string]float64{"cache": 166.02}, cache: "fp8", tokens: 5073376},
	} {
		l, err := Read(text)
		if err != nil {
			t.Fatal(text, err)
		}
		for name, x := range want.figures {
			if got := l.Figure(name) / gib; math.Abs(got-x) > 0.001 {
				t.Errorf("%.60q: %s is %v, want %v", text, name, got, x)
			}
		}
		if l.Version != want.version || l.Cache != want.cache || l.Dated != (want.version != "") {
			t.Errorf("%.60q: version %q, cache in %q", text, l.Version, l.Cache)
		}
		if l.Chip == "" {
			l.Chip = UsualChip
		}
		cache := 2.0
		if l.Cache == "fp8" {
			cache = 1
		}
		r, length := of(t, l, 2, cache)
		for _, x := range Beside(l, r, max(length, 1<<17)) {
			if x.Name == "tokens" && math.Abs(x.Ours/want.tokens-1) > 0.005 {
				t.Errorf("%.60q: %.0f tokens, the log has %.0f", text, x.Ours, want.tokens)
			}
		}
	}
}

// Metrics say what a server has, not how it started: without the size of a cache they are refused, whatever flags stand
// in their labels.
func TestMetrics(t *testing.T) {
	const head = "# TYPE vllm:cache_config_info gauge\n"
	l, err := Read(head + `vllm:cache_config_info{block_size="16",cache_dtype="fp8",gpu_memory_utilization="0.9",` +
		`num_gpu_blocks="19896"} 1.0` + "\n" + `vllm:num_requests_running{model_name="Qwen/Qwen3-32B"} 3.0` + "\n")
	if err != nil || l.Known != "qwen3.32b" || l.Cache != "fp8" || l.Share != 0.9 {
		t.Errorf("%+v, %v", l, err)
	}
	for _, text := range []string{head + `vllm:num_requests_running{model_name="Qwen/Qwen3-32B"} 3.0`,
		"# TYPE llamacpp:predicted_tokens_seconds gauge\nllamacpp:predicted_tokens_seconds 22.7\n"} {
		if l, err := Read(text); err == nil || !strings.Contains(err.Error(), "metrics of a running server") {
			t.Errorf("%s: %+v, %v", text, l, err)
		}
	}
}

// Dashes and names as word processors and containers have them.
func TestTypedCommands(t *testing.T) {
	l, err := Read("python3 -m sglang.launch_server --model-path openai/gpt-oss-120b –mem-fraction-static 0.88 —tp 8")
	if err != nil || l.Share != 0.88 || l.Plan.TP != 8 {
		t.Errorf("%+v, %v", l, err)
	}
	if l, err = Read("VLLM_MODEL=Qwen/Qwen3-32B\nTENSOR_PARALLEL_SIZE=4\n"); err != nil || l.Known != "qwen3.32b" {
		t.Errorf("%+v, %v", l, err)
	}
}

// Remarks between the lines of one command, which a shell would take for its end, and variables of other shells.
func TestReadOtherShells(t *testing.T) {
	for name, text := range map[string]string{
		"remarks": "# serve\nvllm serve \\\n  # the model\n  Qwen/Qwen3-32B \\\n" +
			"  # four\n  --tensor-parallel-size 4\n",
		"at the end": "vllm serve Qwen/Qwen3-32B \\ # the model\n  --tensor-parallel-size 4 # four\n",
		"cmd.exe": "REM 50% of a node\r\nset MODEL=Qwen/Qwen3-32B\r\nset TP=4\r\nvllm serve %MODEL% ^\r\n" +
			"  --tensor-parallel-size %TP%\r\n",
		"PowerShell": "$model = \"Qwen/Qwen3-32B\"\n$tp = 4\n" +
			"vllm serve $model `\n  # four\n  --tensor-parallel-size $tp\n",
	} {
		l, err := Read(text)
		if err != nil || l.Known != "qwen3.32b" || l.Plan.TP != 4 {
			t.Errorf("%s: %+v, %v", name, l, err)
		}
	}
}
