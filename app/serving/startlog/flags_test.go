package startlog

import (
	"strings"
	"testing"
	"time"

	"github.com/scalebook/scalebook/app/cputime"
	"github.com/scalebook/scalebook/app/serving"
)

// Commands are read as their engines take them.
func TestReadCommands(t *testing.T) {
	for text, want := range map[string]Log{
		"vllm serve Qwen/Qwen3-32B-FP8 --tensor-parallel-size 2 --max-model-len 32k --gpu-memory-utilization=0.92 \\\n" +
			" --max-num-seqs 64 --kv-cache-dtype fp8": {Engine: "vllm", Known: "qwen3.32b", Weights: "fp8",
			Cache: "fp8",
			Plan:  serving.Plan{TP: 2}, Share: 0.92, Length: 32000, Setup: serving.Engine{Sequences: 64}},
		"vllm serve deepseek-ai/DeepSeek-R1 -tp 1 -dp 8 --enable-expert-parallel \\\n --max-num-batched-tokens 4096": {
			Engine: "vllm", Known: "deepseek.r1", Weights: "fp8", Plan: serving.Plan{TP: 1, DP: 8, EP: 8},
			Setup: serving.Engine{Chunk: 4096}},
		"python -m sglang.launch_server --model-path meta-llama/Llama-3.3-70B-Instruct --tp-size 8 --mem-fraction-static " +
			"0.85 --context-length " +
			"16384": {Engine: "sglang", Known: "llama3.70b", Plan: serving.Plan{TP: 8}, Share: 0.85,
			Length: 16384},
		"trtllm-serve openai/gpt-oss-120b --tp_size 4 --max_num_tokens 16384 --kv_cache_free_gpu_memory_fraction 0.8": {
			Engine: "trtllm", Known: "gpt_oss.120b", Weights: "mxfp4", Plan: serving.Plan{TP: 4}, Share: 0.8,
			Setup: serving.Engine{Chunk: 16384}},
		"python -m sglang.launch_server --model-path deepseek-ai/DeepSeek-V3 --tp-size 8 --dtype bfloat16": {
			Engine: "sglang", Known: "deepseek.v3", Weights: "fp8", Plan: serving.Plan{TP: 8}},
		"vllm serve moonshotai/Kimi-K2-Instruct -tp 16": {Engine: "vllm", Known: "kimi.k2", Weights: "fp8",
			Plan: serving.Plan{TP: 16}},
		"vllm serve unsloth/DeepSeek-V3-bf16 -tp 16": {Engine: "vllm", Known: "deepseek.v3",
			Plan: serving.Plan{TP: 16}},
		"vllm serve cognitivecomputations/DeepSeek-R1-AWQ": {Engine: "vllm", Known: "deepseek.r1", Weights: "int4"},
		"docker run vllm/vllm-openai:v0.11.0 --model google/gemma-3-27b-it --quantization awq_marlin " +
			"--speculative-config '{\"method\": \"eagle\"}'": {Engine: "vllm", Known: "gemma3.27b", Weights: "int4",
			Draft: true},
	} {
		l, err := Read(text)
		if err != nil {
			t.Fatal(text, err)
		}
		if l.Engine != want.Engine || l.Known != want.Known || l.Weights != want.Weights || l.Cache != want.Cache ||
			l.Plan != want.Plan || l.Share != want.Share || l.Length != want.Length || l.Setup != want.Setup ||
			l.Draft != want.Draft {
			t.Errorf("%s:\n%+v\nwant\n%+v", text, *l, want)
		}
	}
}

// Flags are read however a command is written: as a list in JSON or YAML, with shares in percents, the release in the
// name of an image.
func TestCommandsAsLists(t *testing.T) {
	for text, want := range map[string]Log{
		"image: vllm/vllm-openai:v0.11.2\ncommand: [\"--model\", \"Qwen/Qwen3-32B\", \"--tensor-parallel-size\", \"4\", " +
			"\"--max-model-len\", \"32768\"]": {Engine: "vllm", Version: "0.11.2", Known: "qwen3.32b", Length: 32768,
			Plan: serving.Plan{TP: 4}},
		"args:\n  - --model\n  - Qwen/Qwen3-8B\n  - --tensor-parallel-size\n  - \"2\"\n  - --gpu-memory-utilization\n" +
			"  - \"0.95\"\n  - --enable-expert-parallel\n": {Engine: "vllm", Known: "qwen3.8b", Share: 0.95,
			Plan: serving.Plan{TP: 2, EP: 2}},
		"[\n \"vllm\",\n \"serve\",\n \"Qwen/Qwen3-32B-FP8\",\n \"--gpu-memory-utilization\",\n \"0.85\"\n]": {Engine: "vllm",
			Known: "qwen3.32b", Share: 0.85},
		"image: lmsysorg/sglang:v0.5.5-cu126\nargs:\n- --model-path\n- deepseek-ai/DeepSeek-V3.2-Exp\n- --tp\n- '8'\n" +
			"- --enable-dp-attention\n- --context-length\n- 65536\n": {Engine: "sglang", Version: "0.5.5",
			Known: "deepseek.v3_2", Length: 65536, Plan: serving.Plan{TP: 8}},
		"vllm serve Qwen/Qwen3-8B --gpu-memory-utilization 90% -tp 2 -pp=2": {Engine: "vllm", Known: "qwen3.8b",
			Share: 0.9, Plan: serving.Plan{TP: 2, PP: 2}},
		"vllm serve Qwen/Qwen3-8B --enforce-eager\n- a bullet 7\n--gpu-memory-utilization 85": {Engine: "vllm",
			Known: "qwen3.8b", Share: 0.85},
	} {
		l, err := Read(text)
		if err != nil || l.Engine != want.Engine || l.Version != want.Version || l.Known != want.Known ||
			l.Length != want.Length || l.Share != want.Share || l.Plan != want.Plan {
			t.Errorf("%s\n%+v, %v", text, l, err)
		}
	}
}

// Commands as scripts and files of docker compose have them (github.com/vllm-project/recipes, noonghunna/club-3090 and
// SemiAnalysisAI/InferenceX, 2025 to 2026): variables with and without a usual value, remarks, names that are served,
// models of drafts, gaps to be filled in.
func TestCommandsInScripts(t *testing.T) {
	for text, want := range map[string]Log{
		"services:\n  q:\n    # --model flag and --tensor-parallel-size 8: see docs\n    image: vllm/vllm-openai:v0.27.1\n" +
			"    command:\n      - --model\n      - /root/.cache/${MODEL_SUBDIR:-qwen3.6-27b-fp8}\n      - --dtype\n" +
			"      - bfloat16\n      - --tensor-parallel-size\n      - \"${TP:-2}\"\n      - --max-model-len\n" +
			"      - \"${MAX_MODEL_LEN:-262144}\"\n      - --gpu-memory-utilization\n      - \"${GPU_UTIL:-0.92}\"\n" +
			"      # froggeric chat-template override\n      - --kv-cache-dtype\n      - \"${KV_CACHE_DTYPE:-fp8}\"\n": {
			Engine: "vllm", Version: "0.27.1", Known: "qwen3_5.27b", Weights: "fp8", Cache: "fp8", Share: 0.92,
			Length: 262144, Plan: serving.Plan{TP: 2}},
		"    environment:\n      - SPEC=${SPEC:-}\n      - SPEC_N=${SPEC_N:-2}\n    entrypoint:\n      - |\n" +
			"        exec vllm serve $${VLLM_ENFORCE_EAGER:+--enforce-eager} \"$$@\" --model google/gemma-4-31B-it \\\n" +
			"          --speculative-config \"{\\\"model\\\":\\\"google/gemma-4-31b-it-assistant\\\"}\" " +
			"--max-num-seqs $$SPEC_N\n": {
			Engine: "vllm", Model: "google/gemma-4-31B-it", Known: "gemma4.31b", Draft: true,
			Setup: serving.Engine{Sequences: 2}},
		"#!/bin/bash\n# trtllm-serve was tried before\nexport MODEL=zai-org/GLM-5-FP8\nTP=${1:-8}\nMEM_FRAC_STATIC=0.82\n" +
			"python3 -m sglang.launch_server --model-path=$MODEL --served-model-name \"glm\" --tensor-parallel-size=$TP " +
			"--mem-fraction-static $MEM_FRAC_STATIC --attention-backend trtllm_mha\n": {Engine: "sglang",
			Model: "zai-org/GLM-5-FP8", Known: "glm5.744b_a40b", Weights: "fp8", Share: 0.82,
			Plan: serving.Plan{TP: 8}},
		"vllm serve deepseek-ai/DeepSeek-V3.1 --served-model-name ds31 -tp 8 --enable-expert-parallel": {Engine: "vllm",
			Model: "deepseek-ai/DeepSeek-V3.1", Known: "deepseek.v3", Weights: "fp8", Plan: serving.Plan{TP: 8, EP: 8}},
		"vllm serve ${MODEL_PATH:-$MODEL} --tensor-parallel-size $TP --max-model-len <n_of_tokens>\n": {Engine: "vllm"},
		"vllm serve Qwen/Qwen3-8B --trust-remote-code ... # -tp 4 for two users": {Engine: "vllm", Known: "qwen3.8b",
			Model: "Qwen/Qwen3-8B"},
		"DTYPE=FP8\nvllm serve nvidia/Llama-3.3-70B-Instruct-$DTYPE --kv-cache-dtype fp8": {Engine: "vllm",
			Model: "nvidia/Llama-3.3-70B-Instruct-FP8", Known: "llama3.70b", Weights: "fp8", Cache: "fp8"},
		"# vllm serve Qwen/Qwen3-32B -tp 4": {Engine: "vllm", Known: "qwen3.32b", Plan: serving.Plan{TP: 4}}, // of root
		"sglang serve --model-path Qwen/Qwen3-8B-GPTQ-Int8 --quantization gptq": {Engine: "sglang", Known: "qwen3.8b",
			Weights: "fp8"},
		"vllm serve ./qwen3-8b-autoround-int8 --quantization auto_round": {Engine: "vllm", Known: "qwen3.8b",
			Weights: "fp8"},
	} {
		l, err := Read(text)
		if err != nil {
			t.Fatal(text, err)
		}
		if l.Engine != want.Engine || l.Known != want.Known || l.Weights != want.Weights || l.Cache != want.Cache ||
			l.Plan != want.Plan || l.Share != want.Share || l.Length != want.Length || l.Draft != want.Draft ||
			l.Setup != want.Setup || want.Model != "" && l.Model != want.Model || l.Version != want.Version {
			t.Errorf("%s:\n%+v\nwant\n%+v", text, *l, want)
		}
	}
	for text, want := range map[string]Log{
		"image: ghcr.io/ggml-org/llama.cpp:server\ncommand: --model /models/Qwen3-8B-Q8_0.gguf -c 8192": {Known: "qwen3.8b",
			GGUF: "q8_0", Weights: "fp8", Length: 8192},
		"exec llama-server --model /models/qwen3.6-27b-Q4_K_M.gguf --ctx-size 65536 -ngl 99": {Known: "qwen3_5.27b",
			GGUF: "q4_k_m", Weights: "int4", Length: 65536},
		"./llama-cli -m Meta-Llama-3.1-8B-Instruct-F16.gguf -c 4096 -ctk q8_0 -ctv q8_0": {Known: "llama3.8b",
			GGUF: "f16", Weights: "bf16", Length: 4096, Cache: "fp8", Element: 34. / 32},
		"llama-server -hf unsloth/gpt-oss-20b-GGUF:Q4_K_S --ctx-size 131072 --cache-type-k q4_0": {Known: "gpt_oss.20b",
			GGUF: "q4_k_s", Weights: "int4", Length: 131072, Cache: "fp8",
			Element: (18./32 + 2) / 2}, // values stay in 16 bits
	} {
		l, err := Read(text)
		if err != nil || l.Engine != "llama.cpp" || l.Known != want.Known || l.GGUF != want.GGUF ||
			l.Weights != want.Weights || l.Length != want.Length || l.Cache != want.Cache || l.Element != want.Element {
			t.Errorf("%s:\n%+v, %v", text, l, err)
		}
	}
}

// Variables that name each other, or have no end, end all the same.
func TestShellEnds(t *testing.T) {
	for text, want := range map[string]string{
		"A=$B\nB=$A\nx $A": "", "X=\"$X:more\"\ny $X": "", "A=${A:-}\n$A": "", "${": "", "$": "$", "${A:-${B:-7}}": "7",
		"TP=${TP:-8}\n--tp $TP": "--tp 8", "N: \"4\"\n--tp ${N}": "--tp 4", "--tp ${N?no N}": "--tp ${N?no N}",
		strings.Repeat("A=$A$A$A ", 1000) + "end": "end",
	} {
		if got := script(text); !strings.Contains(got, want) {
			t.Errorf("%.40q: %q, want %q", text, got, want)
		}
	}
}

// What says much of drafts is read in time that grows with its length alone.
func TestReadManyDrafts(t *testing.T) {
	took, ok := cputime.Within(5*time.Second, func() {
		l, err := Read("vllm serve " + strings.Repeat("--speculative-config {\"model\": \"a/b-1b\"} ", 50_000) +
			"--model meta-llama/Llama-3.1-8B-Instruct")
		if err != nil || l.Known != "llama3.8b" {
			t.Errorf("%+v, %v", l, err)
		}
	})
	if !ok {
		t.Errorf("it takes %v", took)
	}
}
