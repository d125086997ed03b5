package startlog

import (
	"math"
	"testing"
)

// Names as publishers give them lead to what is served, and not to what they were made with: a distilled model has the
// shape of its student. What the catalog lacks is unknown.
func TestModelsByName(t *testing.T) {
	for name, want := range map[string]string{
		"deepseek-ai/DeepSeek-R1-0528": "deepseek.r1", "deepseek-ai/DeepSeek-R1-Distill-Llama-70B": "llama3.70b",
		"unsloth/DeepSeek-R1-Distill-Llama-8B-GGUF": "llama3.8b",
		"deepseek-ai/DeepSeek-R1-Distill-Qwen-32B":  "qwen2_5.32b",
		"deepseek-ai/DeepSeek-R1-Distill-Qwen-7B":   "qwen2_5.7b", "deepseek-ai/DeepSeek-R1-0528-Qwen3-8B": "qwen3.8b",
		"mistralai/Mistral-Nemo-Instruct-2407": "mistral.nemo", "zai-org/GLM-5": "glm5.744b_a40b",
		"zai-org/GLM-5-FP8": "glm5.744b_a40b", "nvidia/GLM-5-NVFP4": "glm5.744b_a40b",
		"nvidia/GLM-5.1-NVFP4": "glm5.744b_a40b", "zai-org/GLM-5.2-FP8": "glm5_2.744b_a40b",
		"amd/GLM-5.2-MXFP4": "glm5_2.744b_a40b", "zai-org/GLM-4.7-FP8": "glm4_5.355b_a32b",
		"zai-org/GLM-4.5-Air-FP8": "glm4_5.air_106b_a12b", "zai-org/GLM-4.6V": "glm4_5.air_106b_a12b",
		"zai-org/GLM-4.7-Flash": "glm4_7.flash_30b_a3b", "zai-org/GLM-4.5": "glm4_5.355b_a32b",
		"moonshotai/Kimi-Linear-48B-A3B-Instruct": "kimi.linear_48b_a3b", "Qwen/Qwen3.5-0.8B": "qwen3_5.0_8b",
		"Qwen/Qwen3.5-9B": "qwen3_5.9b", "unsloth/Qwen3.5-4B-GGUF": "qwen3_5.4b", "Qwen/Qwen3.5-2B": "",
		"mistralai/Mistral-Small-4-119B-2603":     "mistral.small4_119b",
		"mistralai/Ministral-3-8B-Reasoning-2512": "ministral3.8b",
		"mistralai/Ministral-3-14B-Instruct-2512": "ministral3.14b",
		"mistralai/Ministral-3-3B-Base-2512":      "ministral3.3b", "moonshotai/Kimi-K2.6": "kimi.k2_5",
		"moonshotai/Kimi-K2.7-Code": "kimi.k2_5", "nvidia/Kimi-K2.6-NVFP4": "kimi.k2_5",
		"moonshotai/Kimi-K2-Thinking": "kimi.k2_5", "moonshotai/Kimi-K2-Instruct": "kimi.k2", "fp8": "", "AWQ": "",
		"Qwen/Qwen3.8-2.4T-A95B-FP8": "qwen3_8.2_4t_a95b", "nvidia/DeepSeek-R1-FP4": "deepseek.r1",
		"zai-org/GLM-5.2": "glm5_2.744b_a40b", "zai-org/GLM-4.6": "glm4_5.355b_a32b",
		"Qwen/Qwen3-VL-235B-A22B-Instruct":              "qwen3.235b_a22b",
		"mistralai/Mistral-Small-3.2-24B-Instruct-2506": "mistral.small_24b",
		"Qwen/Qwen2.5-72B-Instruct-AWQ":                 "qwen2_5.72b",
		"Qwen/QwQ-32B":                                  "qwen2_5.32b", "microsoft/phi-4": "phi4.14b",
		"Qwen/Qwen3-4B-Instruct-2507": "qwen3.4b", "meta-llama/Llama-3.2-3B-Instruct": "llama3_2.3b",
		"Qwen/Qwen2.5-VL-72B-Instruct": "qwen2_5.72b", "Qwen/Qwen2.5-VL-7B-Instruct-AWQ": "qwen2_5.7b",
		"microsoft/Phi-4-mini-instruct": "", "Qwen/Qwen3-VL-4B-Instruct": "qwen3.4b",
		"XiaomiMiMo/MiMo-V2.5":     "mimo.v2_5",
		"XiaomiMiMo/MiMo-V2.5-Pro": "mimo.v2_5_pro", "RedHatAI/Meta-Llama-3.1-8B-Instruct-quantized.w4a16": "llama3.8b",
		"/models/Qwen3-30B-A3B/":            "qwen3.30b_a3b",
		"nemotron_3_nano_pretrain_config()": "nemotron3.nano_30b_a3b", "nvidia/NVIDIA-Nemotron-3-Nano-4B-BF16": "",
		"nemotron_3_super_sft_config": "nemotron3.super_120b_a12b",
	} {
		if got := ModelOf(name); got != want {
			t.Errorf("%s is %q; want %q", name, got, want)
		}
	}
}

// Where no flag says a length, engines take that of the model's own config.json: models of one shape have several. The
// length of a log or a flag comes first, and files for llama.cpp say it themselves.
func TestContextByName(t *testing.T) {
	for text, want := range map[string]float64{
		"vllm serve Qwen/Qwen3-30B-A3B-Instruct-2507":                               262144,
		"vllm serve Qwen/Qwen3-30B-A3B":                                             0,
		"vllm serve Qwen/Qwen3-235B-A22B-Thinking-2507-FP8 -tp 8":                   262144,
		"vllm serve Qwen/Qwen3-Coder-30B-A3B-Instruct --max-model-len 32768":        32768,
		"vllm serve Qwen/Qwen3-Coder-30B-A3B-Instruct":                              262144,
		"python -m sglang.launch_server --model-path Qwen/Qwen3-VL-8B-Instruct":     262144,
		"vllm serve meta-llama/Meta-Llama-3-8B-Instruct":                            8192,
		"vllm serve meta-llama/Llama-3.1-8B-Instruct":                               0,
		"vllm serve meta-llama/Llama-3.3-70B-Instruct -tp 4":                        0,
		"vllm serve Qwen/Qwen2.5-72B-Instruct-AWQ":                                  32768,
		"vllm serve Qwen/Qwen2.5-14B-Instruct-1M":                                   1010000,
		"vllm serve deepseek-ai/DeepSeek-R1-0528-Qwen3-8B":                          131072,
		"vllm serve zai-org/GLM-4.6-FP8 -tp 8":                                      202752,
		"llama-server -hf unsloth/Qwen3-30B-A3B-Instruct-2507-GGUF -c 8192 -ngl 99": 8192,
	} {
		l, err := Read(text)
		if err != nil {
			t.Fatal(text, err)
		}
		if l.Length != want {
			t.Errorf("%s: sequences of %v tokens; want %v", text, l.Length, want)
		}
	}
}

// The encoder of images of Qwen3-VL, weight by weight (its config.json): patches of 2 x 16 x 16 x 3 numbers, 2,304
// places, layers with biases, and four projections of four patches each, one of them behind the last layer.
func TestEncodersOfQwen3VL(t *testing.T) {
	for name, x := range map[string]struct{ layers, width, inner, out float64 }{
		"Qwen3-VL-2B-Instruct": {24, 1024, 4096, 2048}, "Qwen3-VL-4B-Instruct": {24, 1024, 4096, 2560},
		"Qwen3-VL-8B-Instruct": {27, 1152, 4304, 4096}, "Qwen3-VL-30B-A3B-Instruct": {27, 1152, 4304, 2048},
		"Qwen3-VL-32B-Instruct": {27, 1152, 4304, 5120}, "Qwen3-VL-235B-A22B-Instruct": {27, 1152, 4304, 4096},
	} {
		w, four := x.width, 4*x.width
		params := 2*16*16*3*w + w + 2304*w + x.layers*(4*w*w+4*w+2*w*x.inner+w+x.inner+4*w)
		params += 4*(four*four+four+four*x.out+x.out) + 2*w + 3*2*four
		if got := modelOf(name).encoder; math.Abs(got/(2*params)-1) > 1e-3 {
			t.Errorf("%s has an encoder of %v bytes; its weights are %v", name, got, 2*params)
		}
	}
}

// How weights are stored stands in names as publishers give them (of commands in vllm-project/recipes,
// SemiAnalysisAI/InferenceX and noonghunna/club-3090), or is how the model itself is published.
func TestFormatsByName(t *testing.T) {
	for name, want := range map[string]string{
		"nvidia/Llama-3.3-70B-Instruct-FP4": "nvfp4", "nvidia/DeepSeek-R1-0528-FP4-V2": "nvfp4",
		"nvidia/DeepSeek-R1-0528-NVFP4-v2": "nvfp4", "amd/DeepSeek-R1-0528-MXFP4-Preview": "mxfp4",
		"amd/gpt-oss-120b-w-mxfp4-a-fp8": "mxfp4", "MiniMaxAI/MiniMax-M3-MXFP8": "fp8", "Qwen/Qwen3.8-27B-FP8": "fp8",
		"google/gemma-4-31B-it-qat-w4a16-ct": "int4", "Intel/gemma-4-26B-A4B-it-int4-mixed-AutoRound": "int4",
		"cyankiwi/gemma-4-31B-it-AWQ-4bit": "int4", "RedHatAI/Qwen3-32B-quantized.w8a8": "fp8",
		"moonshotai/Kimi-K2.6": "nvfp4", "moonshotai/Kimi-K2-Thinking": "nvfp4", "openai/gpt-oss-20b": "mxfp4",
		"deepseek-ai/DeepSeek-V3.1": "fp8", "unsloth/DeepSeek-V3-bf16": "", "Qwen/Qwen3-32B": "",
		"nvidia/NVIDIA-Nemotron-3-Super-120B-A12B-NVFP4": "nvfp4",
	} {
		if l, err := Read("vllm serve " + name); err != nil || l.Weights != want {
			t.Errorf("%s: %q, %v; want %q", name, l.Weights, err, want)
		}
	}
}

// Versions are read with whatever stands behind their numbers.
func TestVersions(t *testing.T) {
	for line, want := range map[string]string{
		"Initializing an LLM engine (v0.6.3.post1) with config: model='x/y'":                      "0.6.3",
		"Initializing a V1 LLM engine (v0.17.1rc1.dev44+g51a2b) with config: model='x/y'":         "0.17.1",
		"vLLM API server version 0.12.0":                                                          "0.12.0",
		"(EngineCore pid=7) INFO Initializing a V1 LLM engine (v0.20.0) with config: model='x/y'": "0.20.0",
		"[TensorRT-LLM] TensorRT LLM version: 1.1.0rc5":                                           "1.1.0",
	} {
		if l, err := Read(line); err != nil || l.Version != want {
			t.Errorf("%s: %+v, %v", line, l, err)
		}
	}
}

// A script that names its cards in a remark, or where it asks for them, needs no other word.
func TestCardsOfScripts(t *testing.T) {
	const serve = "vllm serve Qwen/Qwen3-32B -tp 2\n"
	for text, want := range map[string]string{
		"# on 8x H200\n" + serve:                                        "gpu.h200",
		serve + "# two H100 PCIe cards":                                 "gpu.h100_pcie",
		"#SBATCH --gres=gpu:h100:8\n" + serve:                           "gpu.h100",
		"resources:\n  accelerators: A100-80GB:4\nrun: " + serve:        "gpu.a100",
		"# A100 40GB x2\n" + serve:                                      "gpu.a100_40",
		"# RTX 4090, 24 GB\n" + serve:                                   "gpu.rtx4090",
		"# AMD Instinct MI300X beside an old T4\n" + serve:              "gpu.mi300x",
		serve + "INFO gpu_worker.py GPU KV cache size: 400 tokens\n":    "",
		"# a model of level L41 or T45\n" + serve:                       "",
		"# 4x A100-SXM4-40GB, one node\n" + serve:                       "gpu.a100_40",
		"# 2x A100\n" + serve:                                           "gpu.a100",
		"cloud.google.com/gke-accelerator: nvidia-tesla-a100\n" + serve: "gpu.a100_40",
		"cloud.google.com/gke-accelerator: nvidia-h100-80gb\n" + serve:  "gpu.h100",
		"# RTX 4090 + 96 GB DDR5\n" + serve:                             "gpu.rtx4090",
		"# g5.12xlarge: 4x A10G\n" + serve:                              "card.a10g",
		serve:                                                           "",
	} {
		l, err := Read(text)
		if err != nil || l.Chip != want {
			t.Errorf("%q: %q, want %q %v", text, l.Chip, want, err)
		}
	}
}

// A remark may name a slice of TPUs, and a node's label; v4 alone is none. A value of a map that is empty is not the
// name of the next.
func TestChipsOfRemarks(t *testing.T) {
	for remark, want := range map[string]string{
		"# TPU v6e-8": "tpu.v6e", "# on a tpu-v5p-16": "tpu.v5p",
		"cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice": "tpu.v6e",
		"# 8x H200": "gpu.h200", "# v4 of the recipe": "", "# 2 x v6e": "",
	} {
		if l, err := Read(remark + "\nvllm serve meta-llama/Llama-3.1-8B-Instruct\n"); err != nil || l.Chip != want {
			t.Errorf("%s: %q, %v; want %q", remark, l.Chip, err, want)
		}
	}
	l, err := Read(`msg="server config" env="map[OLLAMA_KV_CACHE_TYPE: OLLAMA_NUM_PARALLEL:1]"`)
	if err != nil || l.Cache != "" || len(l.Unread) > 0 {
		t.Errorf("%+v, %v", l, err)
	}
}

// A manifest may name its machine alone, as a cloud calls it.
func TestRentedMachines(t *testing.T) {
	for name, id := range map[string]string{"p5.48xlarge": "gpu.h100", "p4d.24xlarge": "gpu.a100_40",
		"a3-megagpu-8g": "gpu.h100", "v5p-1024": "tpu.v5p", "h200-141gb-8": "gpu.h200"} {
		for _, text := range []string{"node.kubernetes.io/instance-type: " + name,
			"cloud.google.com/machine-type: \"" + name + "\"", "PyTorch(instance_type=\"ml." + name + "\")",
			"xpk workload create --tpu-type=" + name + " --num-slices=2", "--device-type=" + name} {
			if got := ChipAsked(text + "\nvllm serve Qwen/Qwen3-8B\n"); got != id {
				t.Errorf("%s: %q, want %q", text, got, id)
			}
		}
	}
	for _, text := range []string{"instance: p55.x", "revision: p5.1", "instance-type: m5.large"} {
		if got := ChipAsked(text); got != "" {
			t.Errorf("%s: %q", text, got)
		}
	}
}
