package startlog

import (
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/scrap"
	"github.com/scalebook/scalebook/app/serving"
)

func logged(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// of is the replica that a log is of.
func of(t *testing.T, l *Log, weights, cache float64) (*serving.Replica, float64) {
	t.Helper()
	known, err := model.Catalog().Get(l.Known)
	if err != nil {
		t.Fatal(err)
	}
	a, err := hardware.Catalog().Get(l.Chip)
	if err != nil {
		t.Fatal(err)
	}
	c, err := serving.NewChip(a)
	if err != nil {
		t.Fatal(err)
	}
	e := l.Setup
	e.Name, e.Release, e.Share, e.OfFree = l.Engine, l.Release, l.Share, l.Engine == "trtllm"
	length := max(l.Length, 1)
	r, err := serving.NewReplica(serving.NewShape(&known.Model, serving.Uniform(weights, cache)), c, l.Plan,
		serving.Fitted(l.Engine), e.Defaults(c, l.Plan, length))
	if err != nil {
		t.Fatal(err)
	}
	return r, length
}

// What logs of the engines say is found: whose they are, the model, the chip, flags and figures.
func TestReadLogs(t *testing.T) {
	const gib = 1 << 30
	for name, want := range map[string]struct {
		engine, version, known, chip, weights string
		length, share, sequences              float64
		figures                               map[string]float64
	}{
		"vllm-0.10.2-llava.log": {"vllm", "0.10.2", "mistral.7b", "gpu.h100", "bf16", 4096, 0.9, 0, map[string]float64{
			"total": 79.19 * gib, "free": 78.66 * gib, "budget": 71.27 * gib, "weights": 14.0786 * gib, "nontorch": 0.07 * gib,
			"activations": 1.97 * gib, "graphs": 0.67 * gib, "cache": 55.15 * gib, "tokens": 451744, "concurrency": 110.29,
			"chunk": 16384}},
		"vllm-0.6.6-qwen.log": {"vllm", "0.6.6", "qwen2_5.7b", "gpu.rtx3090", "bf16", 8192, 0.9, 16, map[string]float64{
			"total": 23.57 * gib, "budget": 21.21 * gib, "weights": 14.2487 * gib, "cache": 5.77 * gib, "blocks": 6749,
			"concurrency": 13.18}},
		"sglang-qwen3-0.6b.log": {"sglang", "", "qwen3.0_6b", "gpu.rtx5080", "bf16", 40960, 0, 2048, map[string]float64{
			"before": 15.16 * gib, "weights": 1.25 * gib, "cache": 11.14 * gib, "tokens": 104273, "left": 2.43 * gib}},
		"trtllm-llama3.log": {"trtllm", "", "llama3.8b", "gpu.rtx5090", "fp8", 0, 0, 64, map[string]float64{
			"total": 31.84 * gib, "open": 17.83 * gib, "blocks": 8219, "block": 32, "tokens": 263008, "cache": 16.05 * gib}},
	} {
		l, err := Read(logged(t, name))
		if err != nil {
			t.Fatal(name, err)
		}
		if l.Engine != want.engine || l.Version != want.version || l.Known != want.known || l.Chip != want.chip ||
			l.Weights != want.weights || l.Length != want.length || l.Share != want.share ||
			l.Setup.Sequences != want.sequences {
			t.Errorf("%s: %+v", name, l)
		}
		for figure, x := range want.figures {
			if got := l.Figure(figure); math.Abs(got-x) > 1e-9*x {
				t.Errorf("%s: %s is %v, want %v", name, figure, got, x)
			}
		}
	}
}

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

// Commands are read as their engines take them.
func TestReadCommands(t *testing.T) {
	for text, want := range map[string]Log{
		"vllm serve Qwen/Qwen3-32B-FP8 --tensor-parallel-size 2 --max-model-len 32k --gpu-memory-utilization=0.92 \\\n" +
			" --max-num-seqs 64 --kv-cache-dtype fp8": {Engine: "vllm", Known: "qwen3.32b", Weights: "fp8", Cache: "fp8",
			Plan: serving.Plan{TP: 2}, Share: 0.92, Length: 32000, Setup: serving.Engine{Sequences: 64}},
		"vllm serve deepseek-ai/DeepSeek-R1 -tp 1 -dp 8 --enable-expert-parallel \\\n --max-num-batched-tokens 4096": {
			Engine: "vllm", Known: "deepseek.r1", Weights: "fp8", Plan: serving.Plan{TP: 1, DP: 8, EP: 8},
			Setup: serving.Engine{Chunk: 4096}},
		"python -m sglang.launch_server --model-path meta-llama/Llama-3.3-70B-Instruct --tp-size 8 --mem-fraction-static " +
			"0.85 " +
			"--context-length 16384": {Engine: "sglang", Known: "llama3.70b", Plan: serving.Plan{TP: 8}, Share: 0.85,
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

// What is no log says what to paste; a log without a model or with one that nobody knows is read all the same.
func TestReadOther(t *testing.T) {
	for _, text := range []string{"", "hello world", "{}", "\x00\x01", strings.Repeat("=", 10000)} {
		if l, err := Read(text); err == nil || !strings.Contains(err.Error(), "paste what the engine prints") {
			t.Errorf("%.20q: %+v, %v", text, l, err)
		}
	}
	l, err := Read("\x1b[32mINFO\x1b[0m Model loading took 3.4244 GiB and 2 seconds\nGPU KV cache size: 463,136 tokens\n" +
		"Maximum concurrency for 131,072 tokens per request: 3.53x\nInitializing a V1 LLM engine (v0.11.0) with config: " +
		"model='/models/nobody-9b-v2'")
	if err != nil || l.Known != "" || l.Model != "/models/nobody-9b-v2" || l.Figure("tokens") != 463136 ||
		l.Release != 11 {
		t.Errorf("%+v, %v", l, err)
	}
}

// What says much of drafts is read in time that grows with its length alone.
func TestReadManyDrafts(t *testing.T) {
	start := time.Now()
	l, err := Read("vllm serve " + strings.Repeat("--speculative-config {\"model\": \"a/b-1b\"} ", 50_000) +
		"--model meta-llama/Llama-3.1-8B-Instruct")
	if err != nil || l.Known != "llama3.8b" {
		t.Errorf("%+v, %v", l, err)
	}
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("it takes %v", took)
	}
}

// However a text is torn, reading it ends, and what it says are numbers.
func FuzzRead(plain *testing.F) {
	f := scrap.Of(plain)
	for _, name := range []string{"vllm-0.10.2-llava.log", "vllm-0.6.6-qwen.log", "sglang-qwen3-0.6b.log",
		"trtllm-llama3.log"} {
		text, err := os.ReadFile("testdata/" + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Add("vllm serve --tp --dp=0 --max-model-len -5 tp_size=99999999999999999999")
	f.Add("sglang tp_size=2 dp_size=3 'model': 7 Load weight end*avail mem=")
	known, err := model.Catalog().Get("llama3.8b")
	if err != nil {
		f.Fatal(err)
	}
	chip, err := hardware.Catalog().Get("gpu.h100")
	if err != nil {
		f.Fatal(err)
	}
	c, err := serving.NewChip(chip)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		l, err := Read(text)
		if err != nil {
			return
		}
		if _, err := serving.ReadPlan(l.Plan.Typed()); err != nil {
			t.Errorf("%+v: %v", l.Plan, err)
		}
		e := l.Setup
		e.Name, e.Share, e.Release = l.Engine, l.Share, l.Release
		r, err := serving.NewReplica(serving.NewShape(&known.Model, serving.Uniform(2, 2)), c, serving.Plan{},
			serving.Fitted(l.Engine), e.Defaults(c, serving.Plan{}, l.Length))
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range Beside(l, r, max(l.Length, 1)) {
			if math.IsNaN(x.Ours) || math.IsInf(x.Ours, 0) || math.IsNaN(x.Off) {
				t.Errorf("%s is %v, off by %v", x.Name, x.Ours, x.Off)
			}
		}
	})
}

// Releases 0.6.3 and 0.6.4 of vLLM say the whole ledger in one line, from which the card's memory follows.
func TestProfilingResults(t *testing.T) {
	for _, c := range []struct{ total, nontorch, cache, share string }{
		{"23.65", "0.39", "4.68", "0.90"}, {"79.15", "0.10", "55.02", "0.95"}, {"44.40", "0.15", "22.10", "0.90"},
	} {
		l, err := Read("INFO 01-15 09:00:00 api_server.py:651] vLLM API server version 0.6.4\nINFO 01-15 09:00:22 " +
			"worker.py:232] " +
			"Memory profiling results: total_gpu_memory=" + c.total + "GiB initial_memory_usage=15.30GiB " +
			"peak_torch_memory=16.21GiB memory_usage_post_profile=15.39GiB non_torch_memory=" + c.nontorch +
			"GiB kv_cache_size=" + c.cache + "GiB gpu_memory_utilization=" + c.share + "\n")
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]float64{"share": l.Share}
		for _, f := range l.Figures {
			got[f.Name] = f.Value
		}
		for name, text := range map[string]string{"total": c.total, "nontorch": c.nontorch, "cache": c.cache} {
			want, _ := strconv.ParseFloat(text, 64)
			if math.Abs(got[name]/(1<<30)-want) > 1e-6 {
				t.Errorf("%v: %s is %v GiB, want %v", c, name, got[name]/(1<<30), want)
			}
		}
		if want, _ := strconv.ParseFloat(c.share, 64); got["share"] != want {
			t.Errorf("%v: a share of %v", c, got["share"])
		}
	}
}

// Names as publishers give them lead to what is served, and not to what they were made with: a distilled model has the
// shape of its student. What the catalog lacks is unknown.
func TestModelsByName(t *testing.T) {
	for name, want := range map[string]string{
		"deepseek-ai/DeepSeek-R1-0528": "deepseek.r1", "deepseek-ai/DeepSeek-R1-Distill-Llama-70B": "llama3.70b",
		"unsloth/DeepSeek-R1-Distill-Llama-8B-GGUF": "llama3.8b", "deepseek-ai/DeepSeek-R1-Distill-Qwen-32B": "qwen2_5.32b",
		"deepseek-ai/DeepSeek-R1-Distill-Qwen-7B": "qwen2_5.7b", "deepseek-ai/DeepSeek-R1-0528-Qwen3-8B": "qwen3.8b",
		"mistralai/Mistral-Nemo-Instruct-2407": "mistral.nemo", "zai-org/GLM-5": "glm5.744b_a40b",
		"zai-org/GLM-5-FP8": "glm5.744b_a40b", "nvidia/GLM-5-NVFP4": "glm5.744b_a40b",
		"nvidia/GLM-5.1-NVFP4": "glm5.744b_a40b",
		"zai-org/GLM-5.2-FP8":  "glm5_2.744b_a40b", "amd/GLM-5.2-MXFP4": "glm5_2.744b_a40b",
		"zai-org/GLM-4.7-FP8":     "glm4_5.355b_a32b",
		"zai-org/GLM-4.5-Air-FP8": "glm4_5.air_106b_a12b", "zai-org/GLM-4.6V": "glm4_5.air_106b_a12b",
		"zai-org/GLM-4.7-Flash": "glm4_7.flash_30b_a3b", "zai-org/GLM-4.5": "glm4_5.355b_a32b",
		"moonshotai/Kimi-Linear-48B-A3B-Instruct": "kimi.linear_48b_a3b", "Qwen/Qwen3.5-0.8B": "qwen3_5.0_8b",
		"Qwen/Qwen3.5-9B": "qwen3_5.9b", "unsloth/Qwen3.5-4B-GGUF": "qwen3_5.4b", "Qwen/Qwen3.5-2B": "",
		"mistralai/Mistral-Small-4-119B-2603":     "mistral.small4_119b",
		"mistralai/Ministral-3-8B-Reasoning-2512": "ministral3.8b",
		"mistralai/Ministral-3-14B-Instruct-2512": "ministral3.14b", "mistralai/Ministral-3-3B-Base-2512": "ministral3.3b",
		"moonshotai/Kimi-K2.6": "kimi.k2_5", "moonshotai/Kimi-K2.7-Code": "kimi.k2_5", "nvidia/Kimi-K2.6-NVFP4": "kimi.k2_5",
		"moonshotai/Kimi-K2-Thinking": "kimi.k2_5", "moonshotai/Kimi-K2-Instruct": "kimi.k2", "fp8": "", "AWQ": "",
		"Qwen/Qwen3.8-2.4T-A95B-FP8": "qwen3_8.2_4t_a95b", "nvidia/DeepSeek-R1-FP4": "deepseek.r1",
		"zai-org/GLM-5.2": "glm5_2.744b_a40b", "zai-org/GLM-4.6": "glm4_5.355b_a32b",
		"Qwen/Qwen3-VL-235B-A22B-Instruct":              "qwen3.235b_a22b",
		"mistralai/Mistral-Small-3.2-24B-Instruct-2506": "mistral.small_24b",
		"Qwen/Qwen2.5-72B-Instruct-AWQ":                 "qwen2_5.72b",
		"Qwen/QwQ-32B":                                  "qwen2_5.32b", "microsoft/phi-4": "phi4.14b",
		"Qwen/Qwen3-4B-Instruct-2507": "qwen3.4b", "meta-llama/Llama-3.2-3B-Instruct": "llama3_2.3b",
		"Qwen/Qwen2.5-VL-72B-Instruct": "qwen2_5.72b", "Qwen/Qwen2.5-VL-7B-Instruct-AWQ": "qwen2_5.7b",
		"microsoft/Phi-4-mini-instruct": "", "Qwen/Qwen3-VL-4B-Instruct": "",
		"XiaomiMiMo/MiMo-V2.5": "mimo.v2_flash", "XiaomiMiMo/MiMo-V2.5-Pro": "",
		"RedHatAI/Meta-Llama-3.1-8B-Instruct-quantized.w4a16": "llama3.8b", "/models/Qwen3-30B-A3B/": "qwen3.30b_a3b",
	} {
		if got := knownModel(name); got != want {
			t.Errorf("%s is %q; want %q", name, got, want)
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
		"vllm serve Qwen/Qwen3-8B --gpu-memory-utilization 90% -tp 2 -pp=2": {Engine: "vllm", Known: "qwen3.8b", Share: 0.9,
			Plan: serving.Plan{TP: 2, PP: 2}},
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
			Engine: "vllm", Version: "0.27.1", Known: "qwen3_5.27b", Weights: "fp8", Cache: "fp8", Share: 0.92, Length: 262144,
			Plan: serving.Plan{TP: 2}},
		"    environment:\n      - SPEC=${SPEC:-}\n      - SPEC_N=${SPEC_N:-2}\n    entrypoint:\n      - |\n" +
			"        exec vllm serve $${VLLM_ENFORCE_EAGER:+--enforce-eager} \"$$@\" --model google/gemma-4-31B-it \\\n" +
			"          --speculative-config \"{\\\"model\\\":\\\"google/gemma-4-31b-it-assistant\\\"}\" " +
			"--max-num-seqs $$SPEC_N\n": {
			Engine: "vllm", Model: "google/gemma-4-31B-it", Known: "gemma4.31b", Draft: true,
			Setup: serving.Engine{Sequences: 2}},
		"#!/bin/bash\n# trtllm-serve was tried before\nexport MODEL=zai-org/GLM-5-FP8\nTP=${1:-8}\nMEM_FRAC_STATIC=0.82\n" +
			"python3 -m sglang.launch_server --model-path=$MODEL --served-model-name \"glm\" --tensor-parallel-size=$TP " +
			"--mem-fraction-static $MEM_FRAC_STATIC --attention-backend trtllm_mha\n": {Engine: "sglang",
			Model: "zai-org/GLM-5-FP8", Known: "glm5.744b_a40b", Weights: "fp8", Share: 0.82, Plan: serving.Plan{TP: 8}},
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
		"vllm serve ./qwen3-8b-autoround-int8 --quantization auto_round": {Engine: "vllm", Known: "qwen3.8b", Weights: "fp8"},
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
		"./llama-cli -m Meta-Llama-3.1-8B-Instruct-F16.gguf -c 4096 -ctk q8_0 -ctv q8_0": {Known: "llama3.8b", GGUF: "f16",
			Weights: "bf16", Length: 4096, Cache: "fp8", Element: 34. / 32},
		"llama-server -hf unsloth/gpt-oss-20b-GGUF:Q4_K_S --ctx-size 131072 --cache-type-k q4_0": {Known: "gpt_oss.20b",
			GGUF: "q4_k_s", Weights: "int4", Length: 131072, Cache: "fp8", Element: 18. / 32},
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

// Lines of logs of 2023 to 2026, as people pasted them into threads and files on GitHub (named before each).
func TestLinesOfLogs(t *testing.T) {
	for from, c := range map[string]struct {
		text, engine string
		figures      map[string]float64
	}{
		"vllm-project/vllm#12569": {"INFO 01-30 03:18:12 gpu_model_runner.py:848] Loading model weights took 67.7229 GB\n" +
			"INFO 01-30 03:19:14 kv_cache_utils.py:395] # GPU blocks: 1381\nINFO 01-30 03:19:14 kv_cache_utils.py:398] " +
			"Maximum concurrency for 2048 tokens per request: 10.79x\n", "vllm", map[string]float64{
			"weights": 67.7229 * gib, "blocks": 1381, "length": 2048, "concurrency": 10.79}},
		"vllm-project/vllm#14011": {"INFO 03-03 20:36:02 [model_runner.py:1117] Model loading took 15.4137 GB and 9.03 " +
			"seconds\n(VllmWorkerProcess pid=1005427) WARNING 03-03 20:36:03 [worker.py:223] Rank 2, Before profile_run, " +
			"free_memory_pre_profile: 28.49114990234375GiB, total_gpu_memory: 44.52056884765625GiB\n", "vllm",
			map[string]float64{"weights": 15.4137 * gib, "total": 44.52056884765625 * gib}},
		"vllm-project/vllm#11251": {"INFO 12-20 20:25:46 worker.py:241] model weights take 7.51GiB; non_torch_memory takes " +
			"0.39GiB; PyTorch activation peak memory takes 2.53GiB; the rest of the memory reserved for KV Cache is 3.76GiB.\n" +
			"INFO 12-20 20:25:46 distributed_gpu_executor.py:57] # GPU blocks: 3852, # CPU blocks: 4096\n", "vllm",
			map[string]float64{"weights": 7.51 * gib, "activations": 2.53 * gib, "cache": 3.76 * gib, "blocks": 3852}},
		"gpustack/runner#251": {"(Worker_TP1 pid=448) INFO 08-14 14:07:22 [gpu_model_runner.py:6806] Estimated CUDA graph " +
			"memory: 0.36 GiB total\n(Worker_TP0 pid=447) INFO 08-14 14:07:22 [gpu_worker.py:563] Available KV cache " +
			"memory: 6.87 GiB\n", "vllm", map[string]float64{"counted": 0.36 * gib, "cache": 6.87 * gib}},
		"NVIDIA/TensorRT-LLM#1400": {"[TensorRT-LLM][INFO] Allocate 69524783104 bytes for k/v cache. \n" +
			"[TensorRT-LLM][INFO] Using 132608 tokens in paged KV cache.\n", "trtllm", map[string]float64{
			"cache": 69524783104, "tokens": 132608}},
		"NVIDIA/TensorRT-LLM, docs/source/reference/memory.md": {"[TensorRT-LLM][INFO] Memory usage when calculating max " +
			"tokens in paged kv cache: total: 79.10 GiB, available: 70.48 GiB\n[TensorRT-LLM][INFO] Number of blocks in KV " +
			"cache primary pool: 4060\n[TensorRT-LLM][INFO] Number of tokens per block: 64.\n[TensorRT-LLM][INFO] " +
			"[MemUsageChange] Allocated 63.44 GiB for max tokens in paged KV cache (259840).\n", "trtllm", map[string]float64{
			"total": 79.10 * gib, "open": 70.48 * gib, "blocks": 4060, "block": 64, "cache": 63.44 * gib, "tokens": 259840}},
		"a public test log of Kimi K2.5, 2026-02": {"[2026-02-26 16:41:06 TP5] Load weight end. elapsed=606.46 s, " +
			"type=KimiK25ForConditionalGeneration, dtype=torch.bfloat16, avail mem=210.02 GB, mem usage=73.58 GB.\n" +
			"[2026-02-26 16:41:18 TP6] KV Cache is allocated. #tokens: 2454421, KV size: 160.63 GB\n", "sglang",
			map[string]float64{"after": 210.02 * gib, "weights": 73.58 * gib, "tokens": 2454421, "cache": 160.63 * gib}},
		"a public note on Qwen3-30B-A3B on Ascend, 2026-07": {"vllm serve /mnt/weights/Qwen3-30B-A3B\nAvailable KV cache " +
			"memory: -23.55 GiB\nValueError: No available memory for the cache blocks.\n", "vllm", map[string]float64{
			"cache": -23.55 * gib}},
	} {
		l, err := Read(c.text)
		if err != nil || l.Engine != c.engine {
			t.Fatalf("%s: %+v, %v", from, l, err)
		}
		for name, want := range c.figures {
			if got := l.Figure(name); math.Abs(got-want) > 1e-9*math.Abs(want) {
				t.Errorf("%s: %s is %v, want %v", from, name, got, want)
			}
		}
	}
}

// What a log doesn't name is the first thing to choose, whatever line differs because of it.
func TestVerdictOfWhatIsTaken(t *testing.T) {
	const figures = "Model loading took 8.8 GiB\nAvailable KV cache memory: 5.0 GiB\nGPU KV cache size: 620,944 tokens\n"
	for text, want := range map[string]string{
		figures: "startlog.why-model-taken",
		"vllm serve Qwen/Qwen3-8B-FP8 --max-model-len 8192\n" + figures:                          "startlog.why-chip-taken",
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
		l, err := Read("python -m sglang.launch_server --model-path Qwen/Qwen3-8B --mem-fraction-static 0.9 NVIDIA H100 " +
			"--max-total-tokens " + most)
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
		"gpt-oss 120B by Ollama": {"level=INFO source=runner.go:1170 msg=load request=\"{Operation:commit LoraPath:[] " +
			"Parallel:1 BatchSize:512 FlashAttention:true KvSize:8192 KvCacheType: NumThreads:16}\"\n" +
			"msg=\"\" architecture=gptoss file_type=MXFP4 name=\"Gpt Oss 120B\" description=\"\" num_tensors=471\n" +
			"source=backend.go:310 msg=\"model weights\" device=ROCm0 size=\"59.8 GiB\"\n" +
			"source=backend.go:315 msg=\"model weights\" device=CPU size=\"1.1 GiB\"\n" +
			"source=backend.go:332 msg=\"compute graph\" device=ROCm0 size=\"121.8 MiB\"\n" +
			"source=backend.go:337 msg=\"compute graph\" device=CPU size=\"5.6 MiB\"\n", "llama.cpp", "gpt_oss.120b", "",
			serving.Plan{}, 8192, 0, map[string]float64{"weights": 0.01}},
		"Qwen 3 Coder 30B by Ollama": {"msg=load request=\"{Operation:fit KvSize:4096 KvCacheType:}\"\nsource=ggml.go:136 " +
			"msg=\"\" architecture=qwen3moe file_type=IQ3_S name=\"Qwen3-Coder-30B-A3B-Instruct\" description=\"\"\n" +
			"source=device.go:245 msg=\"model weights\" device=CPU size=\"10.1 GiB\"\nsource=device.go:256 msg=\"kv cache\" " +
			"device=CPU size=\"384.0 MiB\"\n", "llama.cpp", "qwen3.30b_a3b", "iq3_s", serving.Plan{}, 4096, 0,
			map[string]float64{"cache": 0.001}},
		"Llama 3.1 8B by an older Ollama": {"general.name str = Meta Llama 3.1 8B Instruct\nsource=memory.go:356 " +
			"msg=\"offload to cuda\" layers.requested=-1 layers.model=33 layers.offload=33 layers.split=\"\" " +
			"memory.available=\"[23.3 GiB]\" memory.required.full=\"6.5 GiB\" memory.required.kv=\"1.0 GiB\" " +
			"memory.weights.total=\"4.9 GiB\" memory.graph.full=\"560.0 MiB\"\ncmd=\"ollama_llama_server runner --model " +
			"/blobs/sha256-667b --ctx-size 8192 --batch-size 512 --parallel 4\"\n", "llama.cpp", "llama3.8b", "",
			serving.Plan{}, 8192, 0, map[string]float64{"cache": 0.001, "free": 0.02}},
		"Gemma 3 27B on two cards by TGI": {"text_generation_launcher: Args {\n    model_id: \"/models/gemma-3-27b-it\",\n" +
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
