package startlog

import (
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/model"
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
			"total": 79.19 * gib, "free": 78.66 * gib, "budget": 71.27 * gib, "weights": 14.0786 * gib,
			"nontorch": 0.07 * gib, "activations": 1.97 * gib, "graphs": 0.67 * gib, "cache": 55.15 * gib,
			"tokens": 451744, "concurrency": 110.29, "chunk": 16384}},
		"vllm-0.6.6-qwen.log": {"vllm", "0.6.6", "qwen2_5.7b", "gpu.rtx3090", "bf16", 8192, 0.9, 16, map[string]float64{
			"total": 23.57 * gib, "budget": 21.21 * gib, "weights": 14.2487 * gib, "cache": 5.77 * gib, "blocks": 6749,
			"concurrency": 13.18}},
		"sglang-qwen3-0.6b.log": {"sglang", "", "qwen3.0_6b", "gpu.rtx5080", "bf16", 40960, 0, 2048, map[string]float64{
			"before": 15.16 * gib, "weights": 1.25 * gib, "cache": 11.14 * gib, "tokens": 104273, "left": 2.43 * gib}},
		"trtllm-llama3.log": {"trtllm", "", "llama3.8b", "gpu.rtx5090", "fp8", 0, 0, 64, map[string]float64{
			"total": 31.84 * gib, "open": 17.83 * gib, "blocks": 8219, "block": 32, "tokens": 263008,
			"cache": 16.05 * gib}},
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

// What is no log says what to paste; a log without a model or with one that nobody knows is read all the same.
func TestReadOther(t *testing.T) {
	for _, text := range []string{"", "hello world", "{}", "\x00\x01", strings.Repeat("=", 10000)} {
		if l, err := Read(text); err == nil || !strings.Contains(err.Error(), "paste what the engine prints") {
			t.Errorf("%.20q: %+v, %v", text, l, err)
		}
	}
	l, err := Read("\x1b[32mINFO\x1b[0m Model loading took 3.4244 GiB and 2 seconds\nGPU KV cache size: 463,136 " +
		"tokens\n" +
		"Maximum concurrency for 131,072 tokens per request: 3.53x\nInitializing a V1 LLM engine (v0.11.0) with config: " +
		"model='/models/nobody-9b-v2'")
	if err != nil || l.Known != "" || l.Model != "/models/nobody-9b-v2" || l.Figure("tokens") != 463136 ||
		l.Release != 11 {
		t.Errorf("%+v, %v", l, err)
	}
}

// A text that only mentions an engine starts none; results of a benchmark, tables and configurations are named.
func TestReadNamed(t *testing.T) {
	for text, name := range map[string]string{
		"I run vLLM on my machine and it does not start. Any idea?\n": "neither a start-up log",
		"===== Serving Benchmark Result =====\nBackend:   sglang\n":   "serving benchmark",
		"{\"num_hidden_layers\": 32, \"hidden_size\": 4096}\n":        "config.json",
		"HloModule jit_f\n": "Reading profiles",
		"| NVIDIA-SMI 580.95.05   CUDA Version: 13.0 |\n": "nvidia-smi",
	} {
		if l, err := Read(text); err == nil || !strings.Contains(err.Error(), name) ||
			!strings.Contains(err.Error(), "paste what the engine prints") {
			t.Errorf("%s: %+v, %v", name, l, err)
		}
	}
}

// A release of vLLM that tells of its profiler line by line; one that tells what graphs will take, and does not yet
// take it off.
func TestReadLineByLine(t *testing.T) {
	l, err := Read("worker.py:243] Memory profiling results:\nworker.py:243] total_gpu_memory \t79.22GiB\n" +
		"worker.py:243] gpu_memory_utilization \t0.90\nworker.py:243] the current vLLM instance can use \t71.29GiB\n" +
		"worker.py:243] model weights take \t14.96GiB\nworker.py:243] non_torch_memory \t1.79GiB\n" +
		"worker.py:243] PyTorch activation peak memory \t1.26GiB\nworker.py:243] available_kv_cache_memory \t53.29GiB\n")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]float64{"total": 79.22, "budget": 71.29, "weights": 14.96, "nontorch": 1.79,
		"activations": 1.26, "cache": 53.29, "share": 0.9 / gib} {
		if got := l.Figure(name) / gib; math.Abs(got-want) > 1e-9 {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
	l, err = Read("Estimated CUDA graph memory: 0.26 GiB total\nAvailable KV cache memory: 17.36 GiB\nIn v0.19, " +
		"CUDA graph memory profiling will be enabled by default\n")
	if err != nil || l.Figure("counted") != 0 || l.Release != 18 {
		t.Errorf("%+v, %v", l, err)
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
	f.Add("vllm serve Qwen/Qwen3-8B --config x.yml --enable-lora --max-loras $N\n: x\nmax_loras: 4\n")
	f.Add("import ray\nMODEL = 'Qwen/Qwen3-8B'\nLLM(model=MODEL, tensor_parallel_size=)\nparallelism: tensor: 4")
	f.Add("vllm --tensor-parallel-size $N\nnvidia.com/gpu: 4\nMemory statistics|total_hbm_avail_gb=1GiB # HPU " +
		"blocks: 3")
	f.Add("NAME ID SIZE PROCESSOR CONTEXT\nqwen3:8b 0b28 9 GB 13%/87% CPU/GPU 4096\nFROM x\nPARAMETER num_ctx 8")
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
			"worker.py:232] Memory profiling results: " +
			"total_gpu_memory=" + c.total + "GiB initial_memory_usage=15.30GiB " +
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

// Lines of logs of 2023 to 2026, as people pasted them into threads and files on GitHub (named before each).
func TestLinesOfLogs(t *testing.T) {
	for from, c := range map[string]struct {
		text, engine string
		figures      map[string]float64
	}{
		"vllm-project/vllm#12569": {"INFO 01-30 03:18:12 gpu_model_runner.py:848] Loading model weights took " +
			"67.7229 GB\n" +
			"INFO 01-30 03:19:14 kv_cache_utils.py:395] # GPU blocks: 1381\nINFO 01-30 03:19:14 kv_cache_utils.py:398] " +
			"Maximum concurrency for 2048 tokens per request: 10.79x\n", "vllm", map[string]float64{
			"weights": 67.7229 * gib, "blocks": 1381, "length": 2048, "concurrency": 10.79}},
		"vllm-project/vllm#14011": {"INFO 03-03 20:36:02 [model_runner.py:1117] Model loading took 15.4137 GB " +
			"and 9.03 " +
			"seconds\n(VllmWorkerProcess pid=1005427) WARNING 03-03 20:36:03 [worker.py:223] Rank 2, Before profile_run, " +
			"free_memory_pre_profile: 28.49114990234375GiB, total_gpu_memory: 44.52056884765625GiB\n", "vllm",
			map[string]float64{"weights": 15.4137 * gib, "total": 44.52056884765625 * gib}},
		"vllm-project/vllm#11251": {"INFO 12-20 20:25:46 worker.py:241] model weights take 7.51GiB; " +
			"non_torch_memory takes 0.39GiB; PyTorch activation peak memory takes 2.53GiB; the rest of the memory " +
			"reserved for KV Cache is 3.76GiB.\n" +
			"INFO 12-20 20:25:46 distributed_gpu_executor.py:57] # GPU blocks: 3852, # CPU blocks: 4096\n", "vllm",
			map[string]float64{"weights": 7.51 * gib, "activations": 2.53 * gib, "cache": 3.76 * gib, "blocks": 3852}},
		"gpustack/runner#251": {"(Worker_TP1 pid=448) INFO 08-14 14:07:22 [gpu_model_runner.py:6806] Estimated " +
			"CUDA graph memory: 0.36 GiB " +
			"total\n(Worker_TP0 pid=447) INFO 08-14 14:07:22 [gpu_worker.py:563] Available KV cache " +
			"memory: 6.87 GiB\n", "vllm", map[string]float64{"counted": 0.36 * gib, "cache": 6.87 * gib}},
		"what vLLM's /metrics says": {"# TYPE vllm:cache_config_info gauge\nvllm:cache_config_info{block_size=\"16\"," +
			"cache_dtype=\"auto\",kv_cache_size_tokens=\"433968\",num_gpu_blocks=\"27123\",num_cpu_blocks=\"0\"} 1.0\n",
			"vllm",
			map[string]float64{"blocks": 27123, "tokens": 433968}},
		"what SGLang's /metrics says, sgl-project/sglang#1853": {"# TYPE sglang:max_total_num_tokens gauge\n" +
			"sglang:max_total_num_tokens{model_name=\"meta-llama/Llama-3.1-8B\",tp_rank=\"0\"} 570979.0\n", "sglang",
			map[string]float64{"tokens": 570979}},
		"and as its pages, sgl-project/sglang#17273": {"sglang:cache_config_info{engine_type=\"unified\",num_pages=" +
			"\"28395\",page_size=\"16\",tp_rank=\"0\"} 1.0\n", "sglang", map[string]float64{"tokens": 28395 * 16}},
		"what Triton's says of TensorRT-LLM": {"nv_trt_llm_kv_cache_block_metrics{kv_cache_block_type=\"tokens_per\"," +
			"model=\"tensorrt_llm\",version=\"1\"} 64\nnv_trt_llm_kv_cache_block_metrics{kv_cache_block_type=" +
			"\"max\",model=\"tensorrt_llm\",version=\"1\"} 6239\n", "trtllm",
			map[string]float64{"block": 64, "blocks": 6239}},
		"NVIDIA/TensorRT-LLM#1400": {"[TensorRT-LLM][INFO] Allocate 69524783104 bytes for k/v cache. \n" +
			"[TensorRT-LLM][INFO] Using 132608 tokens in paged KV cache.\n", "trtllm", map[string]float64{
			"cache": 69524783104, "tokens": 132608}},
		"NVIDIA/TensorRT-LLM, docs/source/reference/memory.md": {"[TensorRT-LLM][INFO] Memory usage when " +
			"calculating max tokens in paged kv cache: total: 79.10 GiB, available: 70.48 " +
			"GiB\n[TensorRT-LLM][INFO] Number of blocks in KV " +
			"cache primary pool: 4060\n[TensorRT-LLM][INFO] Number of tokens per block: 64.\n[TensorRT-LLM][INFO] " +
			"[MemUsageChange] Allocated 63.44 GiB for max tokens in paged KV cache (259840).\n", "trtllm",
			map[string]float64{
				"total": 79.10 * gib, "open": 70.48 * gib, "blocks": 4060, "block": 64, "cache": 63.44 * gib,
				"tokens": 259840}},
		"a public test log of Kimi K2.5, 2026-02": {"[2026-02-26 16:41:06 TP5] Load weight end. elapsed=606.46 s, " +
			"type=KimiK25ForConditionalGeneration, dtype=torch.bfloat16, avail mem=210.02 GB, mem usage=73.58 GB.\n" +
			"[2026-02-26 16:41:18 TP6] KV Cache is allocated. #tokens: 2454421, KV size: 160.63 GB\n", "sglang",
			map[string]float64{"after": 210.02 * gib, "weights": 73.58 * gib, "tokens": 2454421,
				"cache": 160.63 * gib}},
		"a public note on Qwen3-30B-A3B on Ascend, 2026-07": {"vllm serve /mnt/weights/Qwen3-30B-A3B\nAvailable " +
			"KV cache memory: -23.55 " +
			"GiB\nValueError: No available memory for the cache blocks.\n", "vllm", map[string]float64{
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

// What vLLM 0.6.4 says of the peak has the weights in it; the rest was tried
// (github.com/vllm-project/vllm/issues/10517).
func TestPeakHasWeights(t *testing.T) {
	l, err := Read("vLLM API server version 0.6.4\nLoading model weights took 14.9888 GB\n" +
		"Memory profiling results: total_gpu_memory=23.58GiB initial_memory_usage=15.34GiB " +
		"peak_torch_memory=17.06GiB memory_usage_post_profile=15.35GiB " +
		"non_torch_memory=0.35GiB kv_cache_size=3.81GiB " +
		"gpu_memory_utilization=0.90\n")
	if err != nil {
		t.Fatal(err)
	}
	const gib = 1 << 30
	for name, want := range map[string]float64{"total": 23.58, "nontorch": 0.35, "cache": 3.81, "activations": 2.0712} {
		if got := l.Figure(name) / gib; math.Abs(got-want) > 1e-9 {
			t.Errorf("%s is %v GiB, want %v", name, got, want)
		}
	}
}
