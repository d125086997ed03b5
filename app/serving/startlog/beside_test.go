package startlog

import (
	"math"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/serving"
)

// A log of a text model agrees with the ledger from the first line to the last; one whose checkpoint has an encoder of
// images besides names the weights, and its cache and tokens agree all the same.
func TestLogsBesideLedgers(t *testing.T) {
	for name, want := range map[string]struct {
		weights, cache float64
		chip, first    string
	}{
		"vllm-0.6.6-qwen.log": {2, 2, "", ""}, "vllm-0.10.2-llava.log": {2, 2, "", "weights"},
		"sglang-qwen3-0.6b.log": {2, 2, "gpu.rtx5080", "cache"}, "trtllm-llama3.log": {1, 1, "", "open"},
	} {
		l, err := Read(logged(t, name))
		if err != nil {
			t.Fatal(err)
		}
		if want.chip != "" {
			l.Chip = want.chip
		}
		r, length := of(t, l, want.weights, want.cache)
		lines := Beside(l, r, length)
		first := ""
		if i := First(lines); i >= 0 {
			first = lines[i].Name
		}
		if first != want.first {
			t.Errorf("%s: %q differs first, want %q", name, first, want.first)
		}
		for _, x := range lines {
			if (x.Name == "tokens" || x.Name == "blocks") && x.IsLogged && math.Abs(x.Off) > 0.01 {
				t.Errorf("%s: %v %s follow, the log has %v", name, x.Ours, x.Name, x.Logged)
			}
		}
	}
}

// Whatever a log is made to say otherwise is the first line that differs, and those behind it don't repeat it.
func TestFirstThatDiffers(t *testing.T) {
	text := logged(t, "vllm-0.6.6-qwen.log")
	for figure, change := range map[string][2]string{
		"total":       {"(23.57GiB)", "(31.84GiB)"},
		"budget":      {"= 21.21GiB", "= 20.21GiB"},
		"weights":     {"took 14.2487", "took 15.2487"},
		"nontorch":    {"memory takes 0.10", "memory takes 0.90"},
		"activations": {"memory takes 1.09", "memory takes 3.09"},
		"cache":       {"is 5.77GiB", "is 4.77GiB"},
		"blocks":      {"blocks: 6749", "blocks: 13498"},
		"concurrency": {"13.18x", "26.36x"},
	} {
		l, err := Read(strings.Replace(text, change[0], change[1], 1))
		if err != nil {
			t.Fatal(err)
		}
		l.Chip = "gpu.rtx3090"
		r, length := of(t, l, 2, 2)
		lines := Beside(l, r, length)
		i := First(lines)
		if i < 0 || lines[i].Name != figure {
			t.Fatalf("%s: %d differs", figure, i)
		}
		account := r.Ledger(length)
		verdict := phrase.Phrases{}.Text(Verdict(l, lines, &account, r))
		if !strings.Contains(verdict, "first that differs") || !strings.Contains(verdict, "Look at") &&
			!strings.Contains(verdict, "What is left") {
			t.Errorf("%s: %s", figure, verdict)
		}
	}
}

// What a log doesn't name is the first thing to choose, whatever line differs because of it.
func TestVerdictOfWhatIsTaken(t *testing.T) {
	const figures = "Model loading took 8.8 GiB\nAvailable KV cache memory: 5.0 GiB\nGPU KV cache size: 620,944 " +
		"tokens\n"
	for text, want := range map[string]string{
		figures: "startlog.why-model-taken",
		"vllm serve Qwen/Qwen3-8B-FP8 --max-model-len 8192\n" +
			figures: "startlog.why-chip-taken",
		"vllm serve Qwen/Qwen3-8B-FP8 --max-model-len 8192\nNVIDIA GeForce RTX 4090\n" + figures: "startlog.why-cache",
	} {
		l, err := Read(text)
		if err != nil {
			t.Fatal(err)
		}
		chip := l.Chip
		if l.Known == "" {
			l.Known = UsualModel
		}
		if l.Chip == "" {
			l.Chip = UsualChip
		}
		r, length := of(t, l, 1, 2)
		if l.Chip = chip; strings.HasPrefix(text, "Model") {
			l.Known = ""
		}
		account := r.Ledger(length)
		said := phrase.Phrases{}.Text(Verdict(l, Beside(l, r, length), &account, r))
		if !strings.HasSuffix(said, phrase.Phrases{}.Text(phrase.New(want))) {
			t.Errorf("%s: %q, want %s", text, said, want)
		}
	}
}

// A cache that is told how many tokens it may have has no more, and as many as fit if they are fewer.
func TestMostTokens(t *testing.T) {
	for most, want := range map[string]float64{"20480": 20480, "100000000": 0, "163840": 163840} {
		l, err := Read("python -m sglang.launch_server --model-path Qwen/Qwen3-8B --mem-fraction-static 0.9 " +
			"NVIDIA H100 --max-total-tokens " + most)
		if err != nil {
			t.Fatal(err)
		}
		r, length := of(t, l, 2, 2)
		got := r.Ledger(length).Tokens
		if want == 0 { // (0.9 of what is free, less weights) over bytes of a token
			if want = 420000; got < 0.9*want || got > 1.1*want {
				t.Errorf("%s: %v tokens", most, got)
			}
		} else if math.Abs(got-want) > 1 {
			t.Errorf("%s: %v tokens, want %v", most, got, want)
		}
	}
}

// Logs of Text Generation Inference, llama.cpp and Ollama as people published them, beside their ledgers: steps that
// must be within a share of what the log says, and what else is read.
func TestOtherEnginesBesideLedgers(t *testing.T) {
	for name, c := range map[string]struct {
		text, engine, known, gguf string
		plan                      serving.Plan
		length, share             float64
		within                    map[string]float64
	}{
		"Llama 3.2 1B on a phone": {"LLMService: Model Llama-3.2-1B-Instruct-Q4_K_M\n" +
			"llama[2]: llama_kv_cache_unified: size =   32.00 MiB (  1024 cells,  16 layers,  1/1 seqs), K (f16):   16.00 MiB," +
			" V (f16):   16.00 MiB\nllama[1]: llama_context: n_ctx         = 1024\n" +
			"llama[2]: llama_context:        CPU compute buffer size =   254.50 MiB\nprint_info: general.name     = " +
			"Llama 3.2 1B Instruct\n", "llama.cpp", "llama3_2.1b", "q4_k_m", serving.Plan{}, 1024, 0,
			map[string]float64{"cache": 0.001, "tokens": 0.001, "activations": 0.001}},
		"Llama 3 70B on two hosts": {"llama_model_loader: - kv 2: general.name str = Llama 3.1 70B Instruct\n" +
			"print_info: file type   = Q4_K - Medium\n" +
			"load_tensors: RPC[172.31.27.42:50052] model buffer size = 18821.56 MiB\n" +
			"load_tensors: RPC[172.31.20.38:50052] model buffer size = 18725.42 MiB\n" +
			"load_tensors:   CPU_Mapped model buffer size =   563.62 MiB\nllama_context: n_ctx         = 4096\n" +
			"llama_context: n_ctx_per_seq (4096) < n_ctx_train (131072) -- the full capacity of the model will not be utilized" +
			"\nllama_kv_cache_unified: size = 1280.00 MiB (  4096 cells,  80 layers,  1/1 seqs), K (f16):  640.00 MiB," +
			" V (f16):  640.00 MiB\nllama_context: RPC[172.31.27.42:50052] compute buffer size =   588.01 MiB\n",
			"llama.cpp", "llama3.70b", "q4_k_m", serving.Plan{}, 4096, 0,
			map[string]float64{"cache": 0.001, "tokens": 0.001, "weights": 0.07, "activations": 0.6}},
		"Qwen 3.8 27B, of which 16 layers keep a cache": {"print_info: general.name     = Qwen3.8-27B\n" +
			"llama_context: n_ctx         = 32768\nllama_kv_cache: size = 1088.00 MiB (32768 cells, 16 layers, 4/1 seqs), " +
			"K (q8_0): 544.00 MiB, V (q8_0): 544.00 MiB\n", "llama.cpp", "qwen3_8.27b", "", serving.Plan{}, 32768, 0,
			map[string]float64{"cache": 0.001, "tokens": 0.001}},
		"gpt-oss 120B by Ollama": {"level=INFO source=runner.go:1170 msg=load request=\"{Operation:commit " +
			"LoraPath:[] Parallel:1 BatchSize:512 FlashAttention:true KvSize:8192 KvCacheType: NumThreads:16}\"\n" +
			"msg=\"\" architecture=gptoss file_type=MXFP4 name=\"Gpt Oss 120B\" description=\"\" num_tensors=471\n" +
			"source=backend.go:310 msg=\"model weights\" device=ROCm0 size=\"59.8 GiB\"\n" +
			"source=backend.go:315 msg=\"model weights\" device=CPU size=\"1.1 GiB\"\n" +
			"source=backend.go:332 msg=\"compute graph\" device=ROCm0 size=\"121.8 MiB\"\n" +
			"source=backend.go:337 msg=\"compute graph\" device=CPU size=\"5.6 MiB\"\n", "llama.cpp", "gpt_oss.120b",
			"",
			serving.Plan{}, 8192, 0, map[string]float64{"weights": 0.01}},
		"Qwen 3 Coder 30B by Ollama": {"msg=load request=\"{Operation:fit KvSize:4096 " +
			"KvCacheType:}\"\nsource=ggml.go:136 msg=\"\" architecture=qwen3moe file_type=IQ3_S " +
			"name=\"Qwen3-Coder-30B-A3B-Instruct\" description=\"\"\n" +
			"source=device.go:245 msg=\"model weights\" device=CPU size=\"10.1 GiB\"\nsource=device.go:256 msg=\"kv cache\" " +
			"device=CPU size=\"384.0 MiB\"\n", "llama.cpp", "qwen3.30b_a3b", "iq3_s", serving.Plan{}, 4096, 0,
			map[string]float64{"cache": 0.001}},
		"Llama 3.1 8B by an older Ollama": {"general.name str = Meta Llama 3.1 8B Instruct\nsource=memory.go:356 " +
			"msg=\"offload to cuda\" layers.requested=-1 layers.model=33 layers.offload=33 layers.split=\"\" " +
			"memory.available=\"[23.3 GiB]\" memory.required.full=\"6.5 GiB\" memory.required.kv=\"1.0 GiB\" " +
			"memory.weights.total=\"4.9 GiB\" memory.graph.full=\"560.0 MiB\"\ncmd=\"ollama_llama_server runner --model " +
			"/blobs/sha256-667b --ctx-size 8192 --batch-size 512 --parallel 4\"\n", "llama.cpp", "llama3.8b", "",
			serving.Plan{}, 8192, 0, map[string]float64{"cache": 0.001, "free": 0.02}},
		"Gemma 3 27B on two cards by TGI": {"text_generation_launcher: Args {\n    model_id: " +
			"\"/models/gemma-3-27b-it\",\n" +
			"    sharded: None,\n    num_shard: Some(\n        2,\n    ),\n    max_total_tokens: Some(\n        8000,\n    ),\n" +
			"    cuda_memory_fraction: 1.0,\n}\ntext_generation_launcher: KV-cache blocks: 52719, size: 1\n" +
			"text_generation_router_v3: backends/v3/src/lib.rs:137: Setting max batch total tokens to 52125\n", "tgi",
			"gemma3.27b", "", serving.Plan{TP: 2}, 8000, 0.9, map[string]float64{"block": 0, "tokens": 0.02}},
		"Llama 2 13B on four cards by TGI": {"INFO text_generation_launcher: Args { model_id: " +
			"\"meta-llama/Llama-2-13b-chat-hf\", revision: None, sharded: None, num_shard: Some(4), quantize: None, " +
			"max_input_length: 4096, max_total_tokens: 8192, max_batch_prefill_tokens: 4096, max_batch_total_tokens: 16000 }",
			"tgi", "llama2.13b", "", serving.Plan{TP: 4}, 8192, 0, nil},
	} {
		l, err := Read(c.text)
		if err != nil {
			t.Fatal(name, err)
		}
		if l.Engine != c.engine || l.Known != c.known || l.GGUF != c.gguf || l.Plan != c.plan || l.Length != c.length ||
			l.Share != c.share {
			t.Errorf("%s: %+v", name, *l)
			continue
		}
		known, err := model.Catalog().Get(l.Known)
		if err != nil {
			t.Fatal(err)
		}
		if l.Chip = "gpu.rtx4090"; l.Known == "gpt_oss.120b" || c.engine == "tgi" {
			l.Chip = "gpu.h100"
		}
		a, err := hardware.Catalog().Get(l.Chip)
		if err != nil {
			t.Fatal(err)
		}
		chip, err := serving.NewChip(a)
		if err != nil {
			t.Fatal(err)
		}
		e := l.Setup
		e.Name, e.Share = l.Engine, l.Share
		precision := serving.Uniform(2, 2)
		if l.Weights == "mxfp4" {
			precision = serving.Stored(l.Known, 4.25/8, 2)
		}
		r, err := serving.NewReplica(serving.NewShape(&known.Model, l.Stored(&known.Model, precision)), chip, l.Plan,
			serving.Fitted(l.Engine), e.Defaults(chip, l.Plan, l.Length))
		if err != nil {
			t.Fatal(name, err)
		}
		seen := 0
		for _, x := range Beside(l, r, l.Length) {
			off, asked := c.within[x.Name]
			if x.Name == "tokens" && l.Engine == "tgi" {
				off = 20 // on a card of 80 GB, where the log’s has less
			}
			if asked && (!x.IsLogged || math.Abs(x.Off) > off+1e-9) {
				t.Errorf("%s: %s is %v, the log says %v (%t)", name, x.Name, x.Ours, x.Logged, x.IsLogged)
			}
			if asked {
				seen++
			}
			if x.Title().Key == "" {
				t.Errorf("%s: %s has no title", name, x.Name)
			}
		}
		if seen != len(c.within) {
			t.Errorf("%s: %d of %d steps", name, seen, len(c.within))
		}
	}
}
