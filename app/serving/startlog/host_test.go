package startlog

import (
	"math"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/serving"
)

// What a command leaves to the host is told as shares of the model's parts, each counted by hand over its layers.
func TestHosted(t *testing.T) {
	type hosted = serving.Hosted
	all := hosted{Experts: 1, First: true}
	for command, want := range map[string]struct {
		model string
		is    hosted
	}{
		"llama-server -m q.gguf -ngl 99 --n-cpu-moe 20": {"qwen3.30b_a3b",
			hosted{Experts: 20. / 48, First: true}},
		"llama-server -m q.gguf -ngl 99 -ncmoe 3":             {"gpt_oss.120b", hosted{Experts: 3. / 36, First: true}},
		"llama-server -m q.gguf -ngl 99 -cmoe":                {"deepseek.r1", all},
		`llama-server -m q.gguf -ot "exps=CPU"`:               {"deepseek.r1", all},
		`llama-server -m q.gguf -ot ".ffn_.*_exps.=CPU"`:      {"qwen3.30b_a3b", all},
		`["llama-server", "-m", "q.gguf", "-ot", "exps=CPU"]`: {"qwen3.30b_a3b", all},
		`llama-server -m q.gguf --override-tensor 'blk\.(0|1|[4-5])\.ffn_(up|down)_exps\.weight=CPU,exps=CUDA0'`: {
			"qwen3.30b_a3b", hosted{Experts: 4. / 48 * 2 / 3, First: true}},
		`llama-server -m q.gguf -ot "blk\.[0-9]\.ffn_.*_exps\.=CUDA1" -ot exps=CPU`: {
			"qwen3.30b_a3b", hosted{Experts: 38. / 48, First: true}},
		`llama-server -m q.gguf -ot "blk\.\d{2}\.ffn_(gate|up|down)\.weight$=CPU"`: { // of dense layers: 10 to 63
			"qwen3.32b", hosted{MLP: 54. / 64, First: true}},
		"llama-server -m q.gguf -ngl 40": {"qwen3.32b", hosted{Attention: 24. / 64, MLP: 24. / 64, Cache: 24. / 64,
			First: true, Last: true}},
		"llama-server -m q.gguf -ngl 65 -nkvo": {"qwen3.32b", hosted{Cache: 1, First: true}},
		"llama-server -m q.gguf -ngl 0": {"qwen3.32b", hosted{Attention: 1, MLP: 1, Cache: 1, First: true,
			Last: true}},
		"llama-server -m q.gguf --n-gpu-layers all": {"qwen3.32b", hosted{First: true}},
		"python -m sglang.launch_server --model m --tp 8 --kt-num-gpu-experts 200 --kt-method AMXINT4": {"kimi.k2",
			hosted{Experts: 184. / 384}},
		"vllm serve m --offload-group-size 8 --offload-num-in-group 2": {"qwen3.32b", hosted{Attention: 16. / 64,
			MLP: 16. / 64}},
		"vllm serve m --cpu-offload-gb 10": {"qwen3.32b", hosted{}},
	} {
		l, err := Read(command)
		if err != nil {
			t.Errorf("%s: %v", command, err)
			continue
		}
		known, err := model.Catalog().Get(want.model)
		if err != nil {
			t.Fatal(err)
		}
		is := l.Hosted(&known.Model)
		near := func(a, b float64) bool { return math.Abs(a-b) < 1e-9 }
		if !near(is.Attention, want.is.Attention) || !near(is.MLP, want.is.MLP) || !near(is.Experts, want.is.Experts) ||
			!near(is.Cache, want.is.Cache) || is.First != want.is.First || is.Last != want.is.Last {
			t.Errorf("%s: %+v, want %+v", command, is, want.is)
		}
	}
}

// A log of llama.cpp with 40 of 64 layers on the card: the others, their caches and both tables lie on the host.
//
//	a layer   2 x 5120 x 5120 + 2 x 5120 x 1024 + 3 x 5120 x 27648 = 487,587,840 weights of Qwen 2.5 32B
//	a table   152,064 x 5120 = 778,567,680
//	host      2 bytes (24 x 487,587,840 + 2 x 778,567,680) = 26.52e9 bytes
//	cache     8192 x 64 layers x 2 x 1024 x 2 bytes = 2 GiB, of which 40 layers' 1.25 GiB on the card
func TestHostInLedger(t *testing.T) {
	const text = "general.name str = Qwen2.5 32B Instruct\nload_tensors: offloaded 40/65 layers to GPU\n" +
		"load_tensors:   CPU_Mapped model buffer size = 25290.00 MiB\n" +
		"load_tensors:        CUDA0 model buffer size = 37200.00 MiB\n" +
		"llama_context: n_ctx         = 8192\nDevice 0: NVIDIA A100-SXM4-80GB, compute capability 8.0\n"
	l, err := Read(text)
	if err != nil || l.Figure("host") != 25290<<20 || l.Figure("weights") != 62490<<20 || l.Host.OnCard != 40 {
		t.Fatalf("%v %+v", err, l)
	}
	known, err := model.Catalog().Get(l.Known)
	if err != nil {
		t.Fatal(err)
	}
	l.Setup.Hosted = l.Hosted(&known.Model)
	r, length := of(t, l, 2, 2)
	x := r.Ledger(length)
	if want := 2 * (24*487_587_840 + 2*778_567_680.); math.Abs(x.Host/want-1) > 1e-3 {
		t.Errorf("%v bytes on the host, want %v", x.Host, want)
	}
	if left := x.Free - (x.Weights - x.Host) - x.Activations; math.Abs(x.Budget-left) > 1 ||
		math.Abs(x.Concurrency-left/(1.25*gib)) > 1e-3*x.Concurrency {
		t.Errorf("%v left and %v sequences, want %v and %v", x.Budget, x.Concurrency, left, left/(1.25*gib))
	}
	for _, line := range Beside(l, r, length) {
		if line.Name == "host" && (!line.IsLogged || line.Differs || line.At != 3) {
			t.Errorf("%+v", line)
		}
	}
}

// vLLM leaves so many GiB of each card's weights to the host, and says how many at its start.
func TestOffloadInLedger(t *testing.T) {
	l, err := Read("vllm serve Qwen/Qwen3-32B -tp 2 --cpu-offload-gb 10\nNVIDIA H100 80GB HBM3\n" +
		"INFO [uva.py:61] Total CPU offloaded parameters: 9.97\n")
	if err != nil || l.Setup.Offload != 10*gib || l.Figure("host") != 9.97*gib {
		t.Fatalf("%v %+v", err, l)
	}
	r, length := of(t, l, 2, 2)
	without := *r
	without.Engine.Offload = 0
	if x, y := r.Ledger(length), without.Ledger(length); x.Host != 10*gib || math.Abs(y.Weights-x.Weights-10*gib) > 1 ||
		math.Abs(x.Cache-y.Cache-10*gib) > 1 {
		t.Errorf("%v of weights, %v on the host, %v of cache", x.Weights, x.Host, x.Cache)
	}
}

// Expressions for names of tensors are found as a library of them finds them; one that asks for endless tries ends.
func TestFound(t *testing.T) {
	const name = "blk.17.ffn_gate_exps.weight"
	for expression, want := range map[string]bool{
		"exps": true, "^blk": true, "^exps": false, "weight$": true, "gate$": false, `blk\.17\.`: true,
		`blk\.7\.`:                  false,
		`blk\.(1[0-9]|2[0-3])\.ffn`: true, `blk\.([0-9]|1[0-6])\.ffn`: false, `\.ffn_.*_exps\.`: true,
		`ffn_(up|down)_exps`:   false,
		`ffn_(?:gate|up)_exps`: true, `blk\.\d+\.`: true, `blk\.\d{3}`: false, `blk\.\d{1,2}\.f{2}n`: true,
		"[^a-z]17":        true,
		`(gate|up)?_exps`: true, "x*y?z*": true, "": true, "a|b": true, "(": false, "[": false, `\`: false,
		"(b*)*(l*)*(k*)*q": false, strings.Repeat("(.*)*", 20) + "q": false,
	} {
		if is := found(expression, name); is != want {
			t.Errorf("%q: %v", expression, is)
		}
	}
}

// A log that doesn't say its release is of that in which its lines were called so.
func TestUndatedLogs(t *testing.T) {
	const cache = " INFO [gpu_worker.py:298] Available KV cache memory: 54.95 GiB\n"
	for text, want := range map[string]string{
		"(EngineCore_DP0 pid=2)" + cache: "0.14", "(VllmWorker rank=0 pid=2)" + cache: "0.9.2",
		"(EngineCore_0 pid=2)" + cache: "0.10.1",
		cache:                          "0.20",
		"INFO Estimated CUDA graph memory: 0.51 GiB total\n" + cache:                  "",
		"Loading model weights took 13.5 GB\n# GPU blocks: 27121, # CPU blocks: 2048": "0.6.6",
		"vLLM API server version 0.22.0\n" + cache:                                    "0.22.0",
	} {
		l, err := Read(text)
		if err != nil || l.Version != want || l.Dated != (want != "" && want != "0.22.0") {
			t.Errorf("%q: %v, %q, guessed: %v", text, err, l.Version, l.Dated)
		}
	}
}

// Values of a chart for vLLM, options of TensorRT-LLM in YAML, and sessions of Ollama count as they do there.
func TestOtherWritings(t *testing.T) {
	l, err := Read("modelSpec:\n- repository: \"vllm/vllm-openai\"\n  tag: \"v0.8.5\"\n" +
		"  modelURL: \"meta-llama/Llama-3.1-70B-Instruct\"\n" +
		"  vllmConfig:\n    maxModelLen: 16384\n    tensorParallelSize: 4\n" +
		"    gpuMemoryUtilization: 0.85\n    maxNumSeqs: 128\n")
	if err != nil || l.Known != "llama3.70b" || l.Length != 16384 || l.Plan.TP != 4 || l.Share != 0.85 ||
		l.Setup.Sequences != 128 || l.Version != "0.8.5" || l.Dated {
		t.Errorf("%v %+v", err, l)
	}
	l, err = Read("cat > x.yaml <<EOF\nenable_attention_dp: true\nkv_cache_config:\n" +
		"  free_gpu_memory_fraction: 0.85\n  dtype: fp8\n" +
		"speculative_config:\n  decoding_type: MTP\nEOF\n" +
		"trtllm-serve nvidia/DeepSeek-R1-0528-FP4 --tp_size 8 --ep_size 8\n")
	if err != nil || l.Plan.TP != 1 || l.Plan.DP != 8 || l.Plan.EP != 8 || l.Share != 0.85 || l.Cache != "fp8" ||
		l.Weights != "nvfp4" || !l.Draft {
		t.Errorf("%v %+v", err, l)
	}
	l, err = Read("tensor_parallel_size: 4\nmoe_expert_parallel_size: 4\nenable_attention_dp: true\n" +
		"max_batch_size: 256\nkv_cache_config:\n  free_gpu_memory_fraction: 0.8\n") // its options without the command
	if err != nil || l.Engine != "trtllm" || !l.Names() || l.Plan.DP != 4 || l.Share != 0.8 {
		t.Errorf("%v %+v", err, l)
	}
	l, err = Read("docker run -e OLLAMA_NUM_PARALLEL=4 -e OLLAMA_CONTEXT_LENGTH=32768 ollama/ollama\n" +
		"ollama run gpt-oss:20b\n")
	if err != nil || l.Length != 4*32768 || l.GGUF != "mxfp4_moe" {
		t.Errorf("%v %+v", err, l)
	}
	l, err = Read("[TensorRT-LLM][INFO] Max KV cache blocks per sequence: 257 [window size=8193], " +
		"tokens per block=32, primary blocks=258, secondary blocks=0\n")
	if err != nil || l.Engine != "trtllm" || l.Figure("blocks") != 258 {
		t.Errorf("%v %+v", err, l)
	}
	l, err = Read(`msg=offload layers.model=81 layers.offload=44 memory.available="[22.0 GiB 22.0 GiB]" ` +
		`memory.required.kv="19.5 GiB"`)
	if err != nil || l.Cards != 2 || l.Figure("free") != 44*gib || l.Host.OnCard != 44 {
		t.Errorf("%v %+v", err, l)
	}
}

// A file of Ollama's without a name is told by its architecture and its layers, where one model has both.
func TestModelsByShape(t *testing.T) {
	const text = `msg="" architecture=%s file_type=MXFP4 name="" num_tensors=315` + "\n" +
		`msg="offloaded 25/25 layers to GPU"` + "\n" + `msg="model weights" device=CUDA0 size="11.8 GiB"` + "\n" +
		`msg="model weights" device=CPU size="1.1 GiB"` + "\n"
	for family, want := range map[string]string{"gptoss": "gpt_oss.20b", "nosuch": "", "": ""} {
		l, err := Read(strings.Replace(text, "%s", family, 1))
		host, all := l.Figure("host"), l.Figure("weights")
		if err != nil || l.Known != want || math.Abs(host-1.1*gib) > 1 || math.Abs(all-12.9*gib) > 1e6 {
			t.Errorf("%s: %v %q %v", family, err, l.Known, l.Figures)
		}
	}
}

// An engine is known by settings that it alone has, where nothing names it.
func TestEnginesByTheirOwnSettings(t *testing.T) {
	for text, want := range map[string]string{
		"MODEL_ID=Qwen/Qwen2.5-14B-Instruct-AWQ\nNUM_SHARD=2\nMAX_TOTAL_TOKENS=8192\n":             "tgi",
		"engine = sgl.Engine(model_path='Qwen/Qwen3-8B', tp_size=2)\n":                             "sglang",
		"model-path: Qwen/Qwen3-8B\ntp-size: 2\nmem-fraction-static: 0.8\n":                        "sglang",
		"from tensorrt_llm import LLM\nllm = LLM(model='Qwen/Qwen3-8B', tensor_parallel_size=2)\n": "trtllm",
		"cuda_graph_config:\n  enable_padding: true\n  max_batch_size: 512\n":                      "trtllm",
		"model: Qwen/Qwen3-8B\ntensor-parallel-size: 2\ngpu-memory-utilization: 0.8\n":             "vllm",
	} {
		l, err := Read(text)
		if err != nil || l.Engine != want || l.Assumed != (want == "vllm") {
			t.Errorf("%q: %v, %+v", text, err, l)
		}
	}
}
