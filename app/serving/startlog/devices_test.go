package startlog

import (
	"math"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/serving"
)

// Logs of engines on other devices than GPUs say the same figures in other words. A worker of TPUs sums over its
// chips, so that 52.56 GiB of four are 13.14 of each; of the stages of a pipeline the smallest cache counts.
func TestReadOtherDevices(t *testing.T) {
	const gib = 1 << 30
	for name, c := range map[string]struct {
		text, called string
		version      string
		plan         serving.Plan
		block        float64
		figures      map[string]float64
	}{
		"vllm-ascend": {"INFO Platform plugin ascend is activated\n(EngineCore pid=8) INFO device_config=npu, " +
			"tensor_parallel_size=4\n(Worker_TP0 pid=9) INFO Loading model weights took 15.4321 GB\n" +
			"INFO [worker_v1.py:257] Available memory: 38654705664, total memory: 65452113920\n" +
			"INFO GPU KV cache size: 589,824 tokens\nINFO Maximum concurrency for 32,768 tokens per request: 18.00x\n",
			"Ascend NPU", "0.20", serving.Plan{TP: 4}, 128, map[string]float64{"weights": 15.4321 * gib,
				"cache": 36 * gib, "total": 65452113920, "tokens": 589824}},
		"SGLang on NPUs": {"[2026-03-11 TP0] Load weight end. elapsed=23.18 s, avail mem=32.02 GB, " +
			"mem usage=28.79 GB.\n[2026-03-11 TP0] Capture npu graph end. Time elapsed: 8.04 s. " +
			"mem usage=0.80 GB. avail mem=10.30 GB.\n",
			"Ascend NPU", "", serving.Plan{TP: 1}, 0, map[string]float64{"weights": 28.79 * gib, "graphs": 0.8 * gib}},
		"Gaudi": {"INFO Initializing a V0 LLM engine (v0.7.2) with config: device_config=hpu\n" +
			"INFO Pre-loading model weights on hpu:0 took 14.97 GiB of device memory (14.97 GiB/94.62 GiB used)\n" +
			"INFO Free device memory: 77.11 GiB, 69.4 GiB usable (gpu_memory_utilization=0.9), 6.94 GiB reserved for " +
			"HPUGraphs (VLLM_GRAPH_RESERVED_MEM=0.1), 62.46 GiB reserved for KV cache\nINFO # HPU blocks: 3997\n",
			"", "0.7.2", serving.Plan{TP: 1}, 128, map[string]float64{"weights": 14.97 * gib, "cache": 62.46 * gib,
				"blocks": 3997}},
		"four TPUs": {"INFO Initializing a V1 LLM engine (v0.13.0) with config: tensor_parallel_size=4\n" +
			"INFO Memory statistics | total_hbm_used_gb=59.92GiB | total_hbm_limit_gb=125.0GiB | " +
			"total_hbm_limit_cap_gb=112.48GiB | total_hbm_avail_gb=52.56GiB\n",
			"", "0.13.0", serving.Plan{TP: 4}, 0, map[string]float64{"cache": 13.14 * gib}},
		"a pipeline": {"(Worker_PP0_TP0 pid=1) INFO Available KV cache memory: 3.14 GiB\n" +
			"(Worker_PP1_TP0 pid=2) INFO Available KV cache memory: 2.41 GiB\nINFO GPU KV cache size: 19,744 tokens\n" +
			"INFO Available KV cache memory: 1.0 GiB\n",
			"", "0.20", serving.Plan{TP: 1, PP: 2}, 0, map[string]float64{"cache": 2.41 * gib, "tokens": 19744}},
		"LMDeploy's engine in PyTorch": {"lmdeploy serve api_server Qwen/Qwen3-8B --quant-policy 0\n" +
			"INFO - update CacheConfig: CacheConfig(max_batches=256, block_size=64, num_cpu_blocks=0, " +
			"num_gpu_blocks=14373, window_size=-1, cache_max_entry_count=0.8, quant_policy=0)\n",
			"", "", serving.Plan{TP: 1}, 64, map[string]float64{"blocks": 14373, "sequences": 256}},
	} {
		l, err := Read(c.text)
		if err != nil {
			t.Fatal(name, err)
		}
		if l.Plan.TP = max(l.Plan.TP, 1); l.Called != c.called || l.Plan != c.plan || l.Setup.Paged != c.block ||
			l.Version != c.version || len(l.Unread) > 0 {
			t.Errorf("%s: %+v", name, l)
		}
		for figure, x := range c.figures {
			if got := l.Figure(figure); math.Abs(got-x) > 1e-9*x {
				t.Errorf("%s: %s is %v, want %v", name, figure, got, x)
			}
		}
	}
}

// A degree that a script asks the machine for is that of the pod; a mix of a publisher's own is read as the nearest
// one, and named; an older flag for DeepEP spreads experts as the new one does.
func TestReadDegreesOfPods(t *testing.T) {
	const pod = "args:\n- \"vllm serve Qwen/Qwen3-32B --tensor-parallel-size $(nvidia-smi -L | wc -l)\"\n" +
		"resources:\n  limits:\n    nvidia.com/gpu: "
	for gpus, want := range map[string]int{"4\n": 4, "\"8\"\n": 8, "1\n": 1, "": 1} {
		l, err := Read(pod + gpus)
		if err != nil {
			t.Fatal(err)
		}
		if max(l.Plan.TP, 1) != want || (want == 1) != (len(l.Unread) > 0) {
			t.Errorf("of a pod of %q: TP %d, %v", gpus, l.Plan.TP, l.Unread)
		}
	}
	l, err := Read("llama-server -hf unsloth/Qwen3-Coder-30B-A3B-Instruct-GGUF:UD-Q4_K_XL -c 8192")
	if err != nil || l.GGUF != "q4_k_m" || strings.Join(l.Unread, " ") != "weights=Q4_K_XL" {
		t.Errorf("%+v, %v", l, err)
	}
	l, err = Read("python3 -m sglang.launch_server --model-path deepseek-ai/DeepSeek-V3 --tp 16 --enable-deepep-moe")
	if err != nil || l.Plan.TP != 16 || l.Plan.EP != 16 {
		t.Errorf("%+v, %v", l, err)
	}
}

// What llama.cpp fits into is what is free of all cards together, where no line says it card by card. A cache of no
// bytes is that of another manager of TensorRT-LLM, whose tokens count.
func TestReadFitted(t *testing.T) {
	const fit = "llama_model_loader: x\ncommon_params_fit_impl: projected to use 10527 MiB of device memory vs. " +
		"99386 MiB of free device memory\n"
	const card = "llama_model_load_from_file_impl: using device CUDA0 (NVIDIA L4) (0000:01:00.0) - 22000 MiB free\n"
	for text, want := range map[string]float64{fit: 99386 << 20, fit + card: 22000 << 20, card: 22000 << 20} {
		if l, err := Read(text); err != nil || l.Figure("free") != want {
			t.Errorf("%s: %v free, want %v; %v", text, l.Figure("free"), want, err)
		}
	}
	l, err := Read("[TensorRT-LLM][INFO] Allocated 0.00 GiB for max tokens in paged KV cache (3958272).\n")
	if err != nil || l.find("cache") >= 0 || l.Figure("tokens") != 3958272 {
		t.Errorf("%+v, %v", l, err)
	}
}

// Short flags are llama.cpp's: in a script that starts another engine they are of other commands. A field in code names
// no model.
func TestReadShortFlags(t *testing.T) {
	l, err := Read("LOG=/tmp/$(head -c 6 /dev/urandom)\npython3 -m sglang.launch_server --model Qwen/Qwen3-32B " +
		"--tp 2\n")
	if err != nil || l.Length != 0 || l.Plan.TP != 2 {
		t.Errorf("%+v, %v", l, err)
	}
	if l, err = Read("llama-server -m qwen3-8b-q4_k_m.gguf -c 8192"); err != nil || l.Length != 8192 {
		t.Errorf("%+v, %v", l, err)
	}
	if l, err = Read("from vllm import LLM\nLLM(model=self.name, tensor_parallel_size=4)"); err != nil ||
		l.Model != "" {
		t.Errorf("%+v, %v", l, err)
	}
}

// SGLang's tensor parallelism counts all chips where attention is data-parallel; else each replica has as many, and all
// experts, so that the ledger is that of one.
func TestReadReplicas(t *testing.T) {
	const start = "python3 -m sglang.launch_server --model-path deepseek-ai/DeepSeek-V3 --tp 8 --dp 4"
	for flags, want := range map[string]serving.Plan{"": {TP: 8}, " --enable-dp-attention": {TP: 2, DP: 4},
		"\nserver_args=ServerArgs(enable_dp_attention=False)": {TP: 8},
		"\nserver_args=ServerArgs(enable_dp_attention=True)":  {TP: 2, DP: 4}} {
		if l, err := Read(start + flags + "\n"); err != nil || l.Plan != want {
			t.Errorf("%s: %+v, want %+v; %v", flags, l.Plan, want, err)
		}
	}
}
