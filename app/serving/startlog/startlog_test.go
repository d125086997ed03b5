package startlog

import (
	"strings"
	"testing"
)

// A start of vLLM 0.10.2 on one H100, as it was printed, but for what says nothing of memory.
const vllmLog = `INFO 09-23 18:11:24 [utils.py:328] non-default args: {'max_model_len': 4096, 'disable_log_stats': True, 'model': 'llava-hf/llava-v1.6-mistral-7b-hf'}
(EngineCore_DP0 pid=3021) INFO 09-23 18:12:05 [core.py:76] Initializing a V1 LLM engine (v0.10.2) with config: model='llava-hf/llava-v1.6-mistral-7b-hf', speculative_config=None, dtype=torch.float16, max_seq_len=4096, tensor_parallel_size=1, pipeline_parallel_size=1, data_parallel_size=1, quantization=None, kv_cache_dtype=auto
(EngineCore_DP0 pid=3021) INFO 09-23 18:11:54 [scheduler.py:222] Chunked prefill is enabled with max_num_batched_tokens=16384.
(EngineCore_DP0 pid=3021) INFO 09-23 18:12:21 [gpu_model_runner.py:2392] Model loading took 14.0786 GiB and 10.247948 seconds
(EngineCore_DP0 pid=3021) INFO 09-23 18:12:33 [gpu_worker.py:298] Available KV cache memory: 55.15 GiB
(EngineCore_DP0 pid=3021) INFO 09-23 18:12:34 [kv_cache_utils.py:864] GPU KV cache size: 451,744 tokens
(EngineCore_DP0 pid=3021) INFO 09-23 18:12:34 [kv_cache_utils.py:868] Maximum concurrency for 4,096 tokens per request: 110.29x
(EngineCore_DP0 pid=3021) INFO 09-23 18:12:39 [gpu_model_runner.py:3118] Graph capturing finished in 5 secs, took 0.67 GiB
(EngineCore_DP0 pid=3021) INFO 09-23 18:12:39 [gpu_worker.py:391] Free memory on device (78.66/79.19 GiB) on startup. Desired GPU memory utilization is (0.9, 71.27 GiB). Actual usage is 14.08 GiB for weight, 1.97 GiB for peak activation, 0.07 GiB for non-torch memory, and 0.67 GiB for CUDAGraph memory. Replace gpu_memory_utilization config with ` + "`--kv-cache-memory=58333988249`" + ` to fit into requested memory. Current kv cache memory in use is 59212694937 bytes.
`

func TestDebugRead(t *testing.T) {
	l, err := Read(vllmLog)
	t.Logf("%+v %v", l, err)
	for _, s := range []string{"vllm serve Qwen/Qwen3-32B-FP8 --tensor-parallel-size 2 --max-model-len 32k --gpu-memory-utilization=0.92 --enable-expert-parallel \\\n --max-num-seqs 64 -dp 2", "python -m sglang.launch_server --model-path meta-llama/Llama-3.3-70B-Instruct --tp-size 8 --mem-fraction-static 0.85"} {
		l, err = Read(s)
		t.Logf("%+v %v", l, err)
	}
	_ = strings.Cut
}
