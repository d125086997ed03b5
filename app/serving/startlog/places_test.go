package startlog

import (
	"math"
	"testing"

	"github.com/scalebook/scalebook/app/serving"
)

// Where people's texts have the name of a model: behind the arguments of a pod whose command stands apart, at the place
// that KServe loads from, in the lines with which llama.cpp opens a file, and in a remark beside a log.
func TestPlacesOfNames(t *testing.T) {
	for text, want := range map[string]string{
		"command: [\"vllm\", \"serve\"]\nargs:\n  - RedHatAI/Llama-3.3-70B-Instruct-FP8-dynamic\n" +
			"  - --tensor-parallel-size=2\n": "llama3.70b",
		"image: vllm/vllm-openai:v0.11.0\nargs:\n  - Qwen/Qwen3-32B\n  - --max-model-len=8192\n": "qwen3.32b",
		"args:\n  - --model_name=llama3\n  - --backend=vllm\n  - --max_model_len=16384\n" +
			"storageUri: hf://meta-llama/Llama-3.1-8B-Instruct\n": "llama3.8b",
		"main: loading model\nsrv    load_model: loading model '/models/Qwen3-30B-A3B-Q4_K_M.gguf'\n" +
			"llama_context: n_ctx         = 32768\n": "qwen3.30b_a3b",
		"llama_model_loader: loaded meta data with 40 key-value pairs from /m/Qwen3-8B-Q8_0.gguf (version GGUF V3)\n" +
			"llama_model_loader: 399 tensors from /m/Qwen3-8B-Q8_0.gguf (version GGUF V3)\n" +
			"llama_context: n_ctx         = 4096\n": "qwen3.8b",
		"msg=\"starting llama server\" cmd=\"ollama runner --model /m/blobs/sha256-afa0 --ctx-size 2048\"\n" +
			"# ollama run gemma3:27b\n": "gemma3.27b",
		"INFO Loading model weights took 14.99 GB\n": "",
		"command: [\"python3\", \"-m\", \"vllm.entrypoints.openai.api_server\"]\nargs:\n- --model=$(MODEL_ID)\n" +
			"- --tensor-parallel-size=$(TP)\nenv:\n- name: MODEL_ID\n  value: google/gemma-3-12b-it\n- name: \"TP\"\n" +
			"  value: \"2\"\n": "gemma3.12b",
		"vllm serve $(cat model.txt) -tp 2 $(": "",
		"servingEngineSpec:\n  modelSpec:\n  - name: a\n    modelURL: \"Qwen/Qwen3-8B\"\n    vllmConfig: {}\n  " +
			"- name: b\n" +
			"    modelURL: \"meta-llama/Llama-3.3-70B-Instruct\"\n    vllmConfig:\n      tensorParallelSize: " +
			"4\n": "qwen3.8b",
		"kind: LLMInferenceService\nspec:\n  model:\n    uri: pvc://weights\n    name: deepseek-ai/DeepSeek-R1-0528\n" +
			"  template:\n    containers:\n    - name: main\n      image: vllm/vllm-openai\n": "deepseek.r1",
	} {
		if l, err := Read(text); err != nil || l.Known != want {
			t.Errorf("%q: %+v, %v; want %q", text, l, err, want)
		}
	}
}

// What a scheduler sets in a run's environment is what the same text asks it for; a second engine of a file has flags
// of its own; of several cards that a text names the one counts where devices are asked for, or that is named most.
func TestGrantedDevices(t *testing.T) {
	for text, want := range map[string]struct {
		chip string
		tp   int
		more bool
	}{
		"resources:\n  accelerators: {L4:4, A100:1}\nrun: |\n  vllm serve Qwen/Qwen3-8B -tp " +
			"$SKYPILOT_NUM_GPUS_PER_NODE\n": {
			chip: "gpu.l4", tp: 4},
		"resources:\n  accelerators:\n    H100: 8\nnum_nodes: 2\nrun: |\n  TP=$(($SKYPILOT_NUM_GPUS_PER_NODE * " +
			"$SKYPILOT_NUM_NODES))\n  python -m sglang.launch_server --model-path Qwen/Qwen3-8B --tp $TP\n": {
			chip: "gpu.h100", tp: 16},
		"#SBATCH -N 1 --gres=gpu:h100:4\nvllm serve Qwen/Qwen3-8B -tp $SLURM_GPUS_ON_NODE\n": {chip: "gpu.h100", tp: 4},
		"#SBATCH --nodes=2 --gpus-per-node=a100:4\nvllm serve Qwen/Qwen3-8B -tp $SLURM_GPUS_PER_NODE\n": {
			chip: "gpu.a100", tp: 4},
		"# For 4x H200; the sister for GB200 NVL72 is beside it.\n# On H200 no more fits.\n" +
			"vllm serve Qwen/Qwen3-8B -tp 4\n": {chip: "gpu.h200", tp: 4},
		"accelerators: L4:1 # H100 works, H100 is faster\nvllm serve Qwen/Qwen3-8B\n": {chip: "gpu.l4", tp: 1},
		"# NVIDIA Nemotron-3-Ultra-550B-A55B\nvllm serve Qwen/Qwen3-8B\n":             {tp: 1},
		"services:\n  a:\n    command: python -m sglang.launch_server --model-path Qwen/Qwen3-8B --tp 2\n  b:\n" +
			"    image: " +
			"vllm/vllm-openai\n    command: --model Qwen/Qwen3-32B --tensor-parallel-size 4\n": {tp: 2, more: true},
		"vllm serve \\\n  --model Qwen/Qwen3-8B \\\n  -tp 2\n":       {tp: 2},
		"vllm serve $MODEL -tp 2\nvllm bench serve --model $MODEL\n": {tp: 2},
		"from ray.serve.llm import LLMConfig\nc = LLMConfig(model_loading_config={\"model_source\": " +
			"\"Qwen/Qwen3-8B\"},\n" +
			"  accelerator_type=\"A100\", engine_kwargs={\"tensor_parallel_size\": 2})\n": {chip: "gpu.a100", tp: 2},
		"modelURL: Qwen/Qwen3-8B\nvllmConfig: {}\n---\nmodelURL: Qwen/Qwen3-32B\nvllmConfig:\n  " +
			"tensorParallelSize: 4\n": {
			tp: 1, more: true},
	} {
		l, err := Read(text)
		if err != nil || l.Chip != want.chip || max(l.Plan.TP, 1) != want.tp || l.More != want.more || l.Called != "" ||
			len(l.Unread) > 0 {
			t.Errorf("%q: chip %q %q, tp %d, more %v, unread %q, %v; want %+v", text, l.Chip, l.Called, l.Plan.TP,
				l.More, l.Unread, err, want)
		}
	}
}

// Memory for adapters: of vLLM one of rank 16 if nothing is said, of SGLang eight of the rank that is said; none where
// the switch is off or stands nowhere.
func TestMemoryForAdapters(t *testing.T) {
	for text, want := range map[string][2]float64{
		"vllm serve Qwen/Qwen3-8B --enable-lora --lora-modules a=/x b=/y":                              {1, 16},
		"vllm serve Qwen/Qwen3-8B --enable-lora --max-loras 4 --max-lora-rank 64":                      {4, 64},
		"LLM(model=\"Qwen/Qwen3-8B\", enable_lora=False, max_loras=4) # vllm":                          {},
		"vllm serve Qwen/Qwen3-8B --max-loras 4":                                                       {},
		"sglang.launch_server --model-path Qwen/Qwen3-8B --enable-lora --max-lora-rank 32":             {8, 32},
		"python -m sglang.launch_server --model Qwen/Qwen3-8B --enable-lora --lora-paths a=/lora/adap": {},
	} {
		l, err := Read(text)
		if err != nil || l.Setup.Adapters != want[0] || l.Setup.Rank != want[1] {
			t.Errorf("%q: %+v, %v; want %v", text, l.Setup, err, want)
		}
	}
}

// The size that "ollama ps" prints stands beside weights, cache and buffers in all: gpt-oss:20b is a file of 13.8 GB.
func TestSizeOfOllama(t *testing.T) {
	const table = "NAME ID SIZE PROCESSOR CONTEXT UNTIL\n" +
		"gpt-oss:20b aa4295ac10c3 14 GB 100% GPU 8192 4 minutes from now\n"
	l, err := Read(table)
	if err != nil || l.Figure("size") != 14e9 || l.Length != 8192 || l.GGUF != "mxfp4_experts" {
		t.Fatalf("%+v, %v", l, err)
	}
	l.Chip = "gpu.rtx4080"
	r, length := of(t, l, 2, 2)
	stored := l.Stored(r.Shape.Model, r.Shape.Precision)
	if r, err = serving.NewReplica(serving.NewShape(r.Shape.Model, stored), r.Chip, l.Plan, r.Constants,
		r.Engine); err != nil {
		t.Fatal(err)
	}
	all := Beside(l, r, length)
	if i := First(all); i >= 0 || CountLogged(all) != 1 {
		t.Errorf("%+v", all)
	}
}

// What Ollama says of a card when it starts: all of its memory, and what is free of it.
func TestMemoryByOllama(t *testing.T) {
	l, err := Read("time=2025-03-12 level=INFO source=types.go:130 msg=\"inference compute\" id=GPU-7b1 library=cuda " +
		"variant=v12 compute=8.9 driver=12.8 name=\"NVIDIA GeForce RTX 4070 Ti SUPER\" total=\"15.6 GiB\" " +
		"available=\"14.5 GiB\"\n")
	const gib = 1 << 30
	if err != nil || l.Figure("total") != 15.6*gib || l.Figure("free") != 14.5*gib || l.Chip != "card.rtx4070tisuper" {
		t.Errorf("%+v, %v", l, err)
	}
}

// Checkpoints with an encoder beside a text model of the catalog: Qwen2.5-VL 7B is published as 8.29B where the text
// model has 7.62B, Mistral Small 3.2 as 24.01B where it has 23.57B.
func TestEncodersByName(t *testing.T) {
	for text, want := range map[string]float64{
		"vllm serve Qwen/Qwen2.5-VL-7B-Instruct":                                 2 * (8.292e9 - 7.616e9),
		"vllm serve mistralai/Mistral-Small-3.2-24B-Instruct-2506":               2 * (24.011e9 - 23.572e9),
		"vllm serve Qwen/Qwen2.5-VL-7B-Instruct --language-model-only":           0,
		"vllm serve mistralai/Mistral-Small-24B-Instruct-2501":                   0,
		"llama-server -m Qwen2.5-VL-7B-Instruct-Q4_K_M.gguf -c 8192":             0,
		"vllm serve Qwen/Qwen2.5-7B-Instruct":                                    0,
		"sglang serve --model-path Qwen/Qwen2.5-VL-72B-Instruct-AWQ --tp 4 --ep": 2 * (73.41e9 - 72.71e9),
	} {
		l, err := Read(text)
		if err != nil || math.Abs(l.Encoder-want) > 0.01*want {
			t.Errorf("%q: %v, %v; want %v", text, l.Encoder, err, want)
		}
	}
}
