package startlog

import (
	"math"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/serving"
)

// Flags of a command that no step of the ledger counts are named, in shells, in YAML and in Python, and so is a layout
// that it says twice; those that say nothing of a card's memory are not, nor those of programs before the engine.
func TestUnpricedFlags(t *testing.T) {
	for text, want := range map[string]string{
		"docker run --gpus all -e VLLM_LOGGING_LEVEL=INFO --ipc=host --shm-size 16g vllm/vllm-openai:v0.11.0 --model " +
			"Qwen/Qwen3-32B -tp 2 --enable-lora --max-loras 4 --port 8000 --api-key $KEY": "",
		"vllm serve Qwen/Qwen3-30B-A3B --enable-lora --max-lora-rank 32": "--enable-lora",

		"sglang.launch_server --model-path Qwen/Qwen3-8B --enable-lora --lora-paths a=/lora/a": "--enable-lora",

		"vllm serve Qwen/Qwen3-8B --max-model-len 8k --gpu-memory-util 0.8 --no-enable-prefix-caching --seed 1": "",
		"vllm serve Qwen/Qwen3-8B --kv-transfer-config '{\"kv_connector\":\"NixlConnector\"}' --kv-cache-dtype fp8": "" +
			"--kv-transfer-config, --kv-connector",
		"vllm serve --config /etc/vllm/prod.yaml": "--config /etc/vllm/prod.yaml",
		"cat <<EOF > x.yml\nkv_cache_config:\n  dtype: fp8\nEOF\ntrtllm-serve Qwen/Qwen3-8B --extra_llm_api_options " +
			"x.yml": "",
		"NAME ID SIZE PROCESSOR UNTIL\nqwen3:8b 0b28110b7a33 9 GB 13%/87% CPU/GPU 29 minutes\n": "PROCESSOR 13%/87%",
		"sglang.launch_server --model-path Qwen/Qwen3-8B --disaggregation-mode prefill --some-new-thing=3": "" +
			"--disaggregation-mode, --some-new-thing 3",
		"args: [\"--model\", \"Qwen/Qwen3-32B\", \"--tensor-parallel-size\", \"4\"]\nargs: [\"--model\", " +
			"\"Qwen/Qwen3-32B\", \"--tensor-parallel-size\", \"2\"]": "", // of another command, which is said
		"from vllm import LLM\nllm = LLM(model=\"Qwen/Qwen3-8B\", enable_lora=True, enable_sleep_mode=False)": "",
		"model: openai/gpt-oss-120b\ntensor-parallel-size: 2\nasync-scheduling: true\ncompilation-config: '{}'\n": "" +
			"--compilation-config",
		"vllm serve Qwen/Qwen3-8B -tp 2\nModel loading took 7.6 GiB; see --enable-foo for more": "",
	} {
		l, err := Read(text)
		if got := strings.Join(l.Unpriced, ", "); err != nil || got != want {
			t.Errorf("%s: %q, %v; want %q", text, got, err, want)
		}
	}
}

// Cards as drivers call them are those cards: of the same memory, and not those whose name begins alike.
func TestCardsByDriver(t *testing.T) {
	for name, want := range map[string]string{
		"NVIDIA A100-SXM4-40GB": "gpu.a100_40", "NVIDIA A100-SXM4-80GB": "gpu.a100",
		"NVIDIA A100 80GB PCIe": "gpu.a100_pcie", "NVIDIA A100-PCIE-40GB": "", "NVIDIA L40": "card.l40",
		"NVIDIA H100 NVL": "gpu.h100_nvl", "NVIDIA H200 NVL": "gpu.h200_nvl",
		"NVIDIA RTX 6000 Ada Generation": "gpu.rtx6000ada", "NVIDIA GeForce RTX 4080": "gpu.rtx4080",
		"NVIDIA GeForce RTX 4080 SUPER": "card.rtx4080super", "NVIDIA L40S": "gpu.l40s",
		"NVIDIA L4":             "gpu.l4",
		"NVIDIA H100 80GB HBM3": "gpu.h100", "NVIDIA H100 PCIe": "gpu.h100_pcie", "NVIDIA H20-3e": "card.h203e",
		"NVIDIA RTX A6000": "gpu.a6000", "Tesla T4": "gpu.t4", "Tesla V100-SXM2-32GB": "gpu.v100",
		"Tesla V100-SXM2-16GB": "", "NVIDIA GH200 480GB": "", "NVIDIA GH200 144G HBM3e": "gpu.gh200",
		"NVIDIA GeForce RTX 4090 Laptop GPU": "", "NVIDIA GeForce RTX 4090": "gpu.rtx4090",
		"NVIDIA GeForce RTX 4090 D": "", "NVIDIA GeForce RTX 5070 Ti": "gpu.rtx5070ti",
		"NVIDIA GeForce RTX 5070": "gpu.rtx5070", "device_name=NVIDIA_H100_80GB_HBM3.json": "gpu.h100",
		"NVIDIA GeForce RTX 5060 Ti": "card.rtx5060ti", "NVIDIA A10G": "card.a10g", "NVIDIA A10": "card.a10",
		"NVIDIA GeForce RTX 4070": "card.rtx4070", "AMD Radeon RX 7900 XTX": "card.rx7900xtx", "NVIDIA L20X": "",
		"NVIDIA H20": "gpu.h20", "Tesla P40": "",
		"Apple M4 Max": "soc.m4_max", "Apple M4": "soc.m4", "8x NVIDIA H200 GPUs": "gpu.h200",
		"AMD Instinct MI300X": "gpu.mi300x", "gpu.product-name: AMD_Instinct_MI325X_OAM": "gpu.mi325x",
		"NVIDIA RTX PRO 6000 Blackwell Workstation Edition": "card.rtxpro6000blackwellworkstation",
		"NVIDIA RTX PRO 6000 Blackwell Server Edition":      "gpu.rtxpro6000", "AMD EPYC 9654 96-Core": "",
	} {
		if got := ChipIn(name + "\n"); got != want {
			t.Errorf("%s is %q; want %q", name, got, want)
		}
	}
	for text, want := range map[string]string{"NVIDIA GH200 480GB": "GH200 480GB", "NVIDIA H20-3e,": "H20-3e",
		"AMD Radeon RX 7900 XTX\n": "RX 7900 XTX", "NVIDIA GeForce RTX 4090 Laptop GPU": "GeForce RTX 4090 Laptop",
		"AMD EPYC 9654": "", "NVIDIA RTX 5000 Ada Generation": "RTX 5000 Ada"} {
		if got := called(text); got != want {
			t.Errorf("%s is called %q; want %q", text, got, want)
		}
	}
}

// Commands and tables of 2025 and 2026 that had been read wrongly: settings apart by semicolons, methods of eight bits,
// Ray's and llm-d's words, files and tables of Ollama, ranks of vLLM 0.8, a folder of an engine, DeepEP.
func TestReadOtherCommands(t *testing.T) {
	for text, want := range map[string]Log{
		"mlc_llm serve HF://mlc-ai/Llama-3.1-8B-Instruct-q4f16_1-MLC --overrides \"tensor_parallel_shards=2;" +
			"gpu_memory_utilization=0.9\"": {Engine: "mlc", Known: "llama3.8b", Weights: "int4",
			Plan:  serving.Plan{TP: 2},
			Share: 0.9},
		"text-generation-launcher --model-id mistralai/Mixtral-8x7B-Instruct-v0.1 --quantize eetq": {Engine: "tgi",
			Known: "mixtral.8x7b", Weights: "fp8"},
		"LLMConfig(model_loading_config=dict(model_id=\"qwen\", model_source=\"Qwen/Qwen2.5-7B-Instruct\"),\n" +
			"  accelerator_type=\"A16\", engine_kwargs=dict(tensor_parallel_size=2)) # vllm": {Engine: "vllm",
			Known: "qwen2_5.7b", Plan: serving.Plan{TP: 2}, Called: "A16", Length: 32768},
		"uri: \"hf://meta-llama/Llama-3.3-70B-Instruct\"\ndecode:\n  parallelism:\n    tensor: 4\n  containers:\n" +
			"  - name: \"vllm\"\n": {Engine: "vllm", Known: "llama3.70b", Plan: serving.Plan{TP: 4}},
		"FROM llama3.3:70b-instruct-q4_K_M\nPARAMETER num_ctx 16384\nPARAMETER temperature 0.2\n": {Engine: "llama.cpp",
			Known: "llama3.70b", GGUF: "q4_k_m", Weights: "int4", Length: 16384},
		"NAME         ID            SIZE      PROCESSOR    CONTEXT    UNTIL\n" +
			"llama3.1:8b  46e0c10c039e  6.2 GB    100% GPU     8192       4 minutes from now\n": {Engine: "llama.cpp",
			Known: "llama3.8b", GGUF: "q4_k_m", Weights: "int4", Length: 8192},
		"(VllmWorker rank=1 pid=9) INFO Model loading took 9.7124 GiB and 12 seconds\n(VllmWorker rank=3 pid=8) x\n" +
			"GPU KV cache size: 527,104 tokens\n": {Engine: "vllm", Version: "0.9.2", Plan: serving.Plan{TP: 4},
			Chip: "", Weights: ""},
		"TensorRT-LLM version: 0.13.0\nrun.py --engine_dir /engines/Llama-3.1-8B": {Engine: "trtllm", Version: "0.13.0",
			Known: "llama3.8b"},
		"image: ghcr.io/huggingface/text-generation-inference:2.4.0\nenvironment:\n  MODEL_ID: " +
			"hugging-quants/Meta-Llama-3.1-70B-" +
			"Instruct-AWQ-INT4\n  NUM_SHARD: \"2\"\n  QUANTIZE: awq\n  MAX_TOTAL_TOKENS: \"8192\"\n": {Engine: "tgi",
			Version: "2.4.0", Known: "llama3.70b", Weights: "int4", Plan: serving.Plan{TP: 2}, Length: 8192},
		"image: ghcr.io/ggml-org/llama.cpp:server-cuda\n  LLAMA_ARG_MODEL: /models/Qwen3-8B-Q8_0.gguf\n" +
			"  LLAMA_ARG_CTX_SIZE: 32768\n": {Engine: "llama.cpp", Known: "qwen3.8b", GGUF: "q8_0", Weights: "fp8",
			Length: 32768},
		"docker run -e HF_MODEL_ID=Qwen/Qwen3-8B -e OPTION_TENSOR_PARALLEL_DEGREE=2 -e OPTION_ROLLING_BATCH=vllm " +
			"-e OPTION_MAX_MODEL_LEN=8192 djl-inference:0.33.0": {Engine: "vllm", Known: "qwen3.8b",
			Plan: serving.Plan{TP: 2}, Length: 8192},
		"image: runpod/worker-v1-vllm\nenv:\n- name: MODEL_PATH\n  value: Qwen/Qwen3-8B\n- name: MAX_MODEL_LEN\n" +
			"  value: \"16384\"\n- name: TENSOR_PARALLEL_SIZE\n  value: \"2\"\n": {Engine: "vllm", Known: "qwen3.8b",
			Plan: serving.Plan{TP: 2}, Length: 16384},
		"MAX_MODEL_LEN=8192 # of another\nvllm serve Qwen/Qwen3-8B --max-model-len 4096": {Engine: "vllm",
			Known: "qwen3.8b", Length: 4096},
		"import modal\nNAME = \"Qwen/Qwen3-8B-FP8\"\nN = 2\n@app.function(gpu=f\"H100:{N}\")\ncmd = [\"vllm\", \"serve\", " +
			"\"--uvicorn-log-level=info\", NAME, \"--tensor-parallel-size\", str(N), \"--max-model-len\", \"16384\"]\n": {
			Engine: "vllm", Known: "qwen3.8b", Weights: "fp8", Plan: serving.Plan{TP: 2}, Length: 16384},
		"sglang.launch_server --model-path deepseek-ai/DeepSeek-R1 --tp 16 --dp 16 --enable-dp-attention " +
			"--moe-a2a-backend deepep": {Engine: "sglang", Known: "deepseek.r1", Weights: "fp8",
			Plan: serving.Plan{TP: 1, DP: 16, EP: 16}},
	} {
		l, err := Read(text)
		if err != nil {
			t.Fatal(text, err)
		}
		if l.Engine != want.Engine || l.Known != want.Known || l.Weights != want.Weights || l.Plan != want.Plan ||
			l.Share != want.Share || l.Length != want.Length || l.GGUF != want.GGUF || l.Version != want.Version ||
			l.Called != want.Called {
			t.Errorf("%s:\n%+v\nwant\n%+v", text, *l, want)
		}
	}
	for text, want := range map[string]string{"aphrodite run meta-llama/Llama-3.1-8B-Instruct": "Aphrodite",
		"lms load qwen/qwen3-30b-a3b --gpu max":                                                                   "LM Studio",
		"max serve --model modularai/Llama-3.1-8B-Instruct-GGUF":                                                  "MAX",
		"python -m fastdeploy.entrypoints.openai.api_server --model baidu/ERNIE-4.5-21B --max-model-len 32768":    "FastDeploy",
		"./bin/mindieservice_daemon":                                                                              "MindIE",
		"docker run -e NIM_MAX_MODEL_LEN=16384 nvcr.io/nim/meta/llama-3.1-8b-instruct:1.8.4":                      "NVIDIA NIM",
		"name: \"tensorrt_llm\"\nbackend: \"tensorrtllm\"\nparameters: { key: \"kv_cache_free_gpu_mem_fraction\"": "Triton",
	} {
		if _, err := Read(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// LMDeploy's caches have a scale and an offset of 16 bits for each 128 of a head: of 8 bits 8.25. llama.cpp keeps
// values in 16 bits unless a flag says otherwise: (34/32 + 2)/2 bytes where keys alone are of q8_0, (34 + 18)/64 where
// values are of q4_0.
func TestElementsOfCaches(t *testing.T) {
	for text, want := range map[string]float64{
		"lmdeploy serve api_server Qwen/Qwen2.5-32B-Instruct --quant-policy 8":            8.25 / 8,
		"lmdeploy serve api_server Qwen/Qwen2.5-32B-Instruct --quant-policy 4":            4.25 / 8,
		"llama-server -m Qwen3-8B-Q8_0.gguf -ctk q8_0":                                    (34./32 + 2) / 2,
		"llama-server -m Qwen3-8B-Q8_0.gguf -ctk q8_0 -ctv q4_0":                          (34. + 18) / 64,
		"llama-server -m Qwen3-8B-Q8_0.gguf --cache-type-v q8_0":                          (34./32 + 2) / 2,
		"llama-server -m Qwen3-8B-Q8_0.gguf":                                              0,
		"OLLAMA_KV_CACHE_TYPE=q8_0 ollama run qwen3:8b":                                   34. / 32,
		"trtllm-serve meta-llama/Llama-3.1-8B # kv_cache_config:\n  dtype: int8\n":        0,
		"K (q8_0): 1.0 MiB\nllama_kv_cache: x, K (q8_0):  34.00 MiB, V (f16):  64.00 MiB": (34./32 + 2) / 2,
	} {
		if l, err := Read(text); err != nil || l.Element != want {
			t.Errorf("%s: %v bytes, %v; want %v", text, l.Element, err, want)
		}
	}
}

// Gemma 3 27B, whose unembedding is its embedding, as Q4_K_M: llama.cpp has the table, 262,208 x 5376 in q6_K, on the
// host for the first layer, and a copy on the card behind the last.
//
//	table   262,208 x 5376 x 210/256 bytes = 1.1563e9 bytes, 1102.8 MiB
//	card    the file, 15.40 GiB; in all 16.48 GiB
func TestTiedTableTwice(t *testing.T) {
	const text = "print_info: file type   = Q4_K - Medium\ngeneral.name     = Gemma-3-27B-It\n" +
		"print_info: file size   = 15.40 GiB (4.90 BPW)\nload_tensors: offloaded 63/63 layers to GPU\n" +
		"load_tensors:        CUDA0 model buffer size = 15773.98 MiB\nllama_context: n_ctx         = 16384\n" +
		"load_tensors:   CPU_Mapped model buffer size =  1102.77 MiB\nNVIDIA GeForce RTX 4090\n"
	l, err := Read(text)
	if err != nil {
		t.Fatal(err)
	}
	r, length := of(t, l, 2, 2)
	m := r.Shape.Model
	e := r.Engine
	e.Hosted = l.Hosted(m)
	shape := serving.NewShape(m, l.Stored(m, serving.Uniform(2, 2)))
	if r, err = serving.NewReplica(shape, r.Chip, l.Plan, serving.Fitted(l.Engine), e); err != nil {
		t.Fatal(err)
	}
	for _, x := range Beside(l, r, length) {
		if (x.Name == "weights" || x.Name == "host") && (!x.IsLogged || x.Off > 0.005 || x.Off < -0.005) {
			t.Errorf("%+v", x)
		}
	}
}

// Llama 3.1 405B in 8 bits: Meta's own file leaves attention in 16, those of AMD, NVIDIA and Red Hat do not.
func TestLlama405ByPublisher(t *testing.T) {
	for name, want := range map[string]float64{"meta-llama/Llama-3.1-405B-Instruct-FP8": 2,
		"amd/Llama-3.1-405B-Instruct-FP8-KV": 1.015873, "": 2} {
		l := &Log{Known: "llama3.405b", Weights: "fp8", Model: name}
		if got := l.Stored(nil, serving.Stored("llama3.405b", 1, 1)).Attention; math.Abs(got-want) > 1e-6 {
			t.Errorf("%q: %v bytes of an element of attention, want %v", name, got, want)
		}
	}
}
