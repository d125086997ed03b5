package pasted_test

import (
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/pasted"
)

// Each text is told by what its program prints; the reader of its own kind says nothing of it.
func TestKinds(t *testing.T) {
	for _, c := range []struct{ kind, text string }{
		{"serving-benchmark", "======= Serving Benchmark Result =======\nMean TTFT (ms): 12.5\n"},
		{"serving-benchmark", "    NVIDIA GenAI-Perf | LLM Metrics\n│ Time To First Token (ms) │ 16.2 │\n"},
		{"serving-benchmark", `{"duration": 12.5, "mean_ttft_ms": 31.0, "backend": "vllm"}`},
		{"llama-bench", "| model          |       size |     params | backend    | ngl |          test |      t/s |\n"},
		{"rocprof", "\"Name\",\"Calls\",\"TotalDurationNs\",\"AverageNs\",\"Percentage\"\n"},
		{"rocprof", "\"Kind\",\"Agent_Id\",\"Kernel_Name\",\"Start_Timestamp\",\"End_Timestamp\"\n"},
		{"rocprof", "\"Index\",\"KernelName\",\"gpu-id\",\"BeginNs\",\"EndNs\"\n"},
		{"ncu", "==PROF== Connected to process 12\n"},
		{"nsys-table", "Time (%),Total Time (ns),Instances,Avg (ns),Name\n41.2,1200,12,100,gemm\n"},
		{"nsys-table", "Start (ns),Duration (ns),CorrId,Device,Strm,Name\n1000,5000,11,NVIDIA H100 (0),7,gemm\n"},
		{"rocprof", `{"rocprofiler-sdk-tool":[{"metadata":{"pid":123}}]}`},
		{"key-averages", `{"context":{},"prefill":{"summary_stats":[{"entry":{"name":"LlamaForCausalLM",` +
			`"cuda_time_us":5000.0,"pct_cuda_time":99.0,"invocations":1}}]}}`},
		{"xla-dump", "  Program hbm requirement 15.20G:\n    HLO temp  9.80G\n"},
		{"xla-dump", "\nTotal bytes used: 49152 (48.0KiB)\n\nUsed values:\n"},
		{"xla-dump", "HloLiveRange (max 4):\n  InstructionSequence:\n"},
		{"xla-dump", "Memory Space: default (color=0)\nTotal bytes: 8 (8B)\n"},
		{"xla-dump", "xla_cpu_enable_fast_min_max: false\nxla_dump_to: \"/tmp/dump\"\n"},
		{"xla-dump", "000: kGemm\t%custom-call.1\n001: kKernel\t%loop_add_fusion\n"},
		{"nccl", `{"numCycle":0, "name":"AllReduce", "ranks":8, "size":8, "time":9.1, "algBw":0.1, "busBw":0.2}`},
		{"osu", "# Benchmarking Allreduce\n  #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n"},
		{"nsys-export", `{"Type":79,"CudaEvent":{"startNs":"100","endNs":"200"}}`},
		{"trtexec", `[ { "count" : 512 }, ` +
			`{ "name" : "conv1", "timeMs" : 3.1, "averageMs" : 0.006, "percentage" : 1.2 } ]`},
		{"trtexec", `[ { "startEnqMs" : 0.1, "endEnqMs" : 0.2, "latencyMs" : 1.5 } ]`},
		{"key-averages", "   Name    Self CPU %      Self CPU   CPU total %\n"},
		{"sampled", `{"$schema": "https://www.speedscope.app/file-format-schema.json", "profiles": []}`},
		{"sampled", `{"meta": {"interval": 1, "preprocessedProfileVersion": 47}, "threads": []}`},
		{"sampled", `{"nodes": [{"id": 1}], "startTime": 0, "samples": [1], "timeDeltas": [100]}`},
		{"trace", `{"schemaVersion": 1, "traceEvents": []}`},
		{"hlo", "HloModule jit_f, is_scheduled=true\n"},
		{"stablehlo", "module @jit_f {\n  func.func public @main(%a: tensor<8xf32>) {\n"},
		{"jaxpr", "{ lambda ; a:f32[8,8]. let b:f32[8,8] = sin a in (b,) }"},
		{"torch-graph", "class GraphModule(torch.nn.Module):\n    def forward(self, x):\n"},
		{"nccl", "# nThread 1 nGpus 8 minBytes 8 maxBytes 1024 step: 2(factor)\n"},
		{"nccl-log", "node1:12:12 [0] NCCL INFO Bootstrap : Using eth0\n"},
		{"ib-test", "                    RDMA_Write BW Test\n #bytes     #iterations    BW peak[Gb/sec]\n"},
		{"osu", "# OSU MPI-CUDA Allreduce Latency Test v7.0\n"},
		{"nvbandwidth", "nvbandwidth Version: v0.8\n"},
		{"topology", "\tGPU0\tGPU1\tCPU Affinity\tNUMA Affinity\nGPU0\t X \tNV18\t0-55\t0\n"},
		{"smi", "| NVIDIA-SMI 580.95.05    Driver Version: 580.95.05   CUDA Version: 13.0  |\n"},
		{"startup-log", "(EngineCore pid=7) INFO [kv_cache_utils.py:1314] GPU KV cache size: 188,640 tokens\n"},
		{"metrics", "# HELP tgi_request_count Requests\n# TYPE tgi_request_count counter\ntgi_request_count 12\n"},
		{"trace", `{"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":100,"dur":50}`},
		{"memory-snapshot", "\x80\x04\x95\x00segments device total_size allocated_size"},
		{"xplane", "\n\x90\x1a\b\x01\x12\x0e/host:metadata\"L\b\x01"},
		{"xplane", "\n\x90\x1a\x12\x09/host:CPU\x1a\x10\x08\x00\x12\x06python"},
		{"binary", "\n\x90\x1a\x12\x09host:CPU\x1a\x10\x08\x00\x12\x06python"},
		{"xla-dump", "BufferAssignment:\nallocation 0: size 4194304, parameter 0\n"},
		{"xla-dump", "Total bytes used: 12582912 (12.00MiB)\n\nAllocations sorted by size:\n"},
		{"xla-dump", `{"hloModule": {"name": "jit_f", "computations": [{"instructions": []}]}}`},
		{"xla-dump", `{"name": "jit_f", "computations": [{"instructions": [{"name": "p", "opcode": "parameter"}]}]}`},
		{"xla-dump", "hlo_module {\n  entry_computation_name: \"main.3\"\n  instructions { opcode: \"dot\" }\n"},
		{"kernel-code", "; ModuleID = 'jit_f'\nsource_filename = \"jit_f\"\n"},
		{"kernel-code", "//\n.version 8.3\n.target sm_90a\n.address_size 64\n"},
		{"kernel-code", "module {\n  tt.func public @add_kernel(%arg0: !tt.ptr<f32>) {\n"},
		{"memory-snapshot", `{"segments": [{"device": 0}], "device_traces": [[]]}`},
		{"web-page", "<!DOCTYPE html><html><head><title>404</title>"},
		{"python", "import jax\nprint(jax.jit(f).lower(x).compile().as_text())\n"},
		{"python", "Traceback (most recent call last):\n  File \"a.py\", line 3\n"},
		{"binary", "\x00\x01\x02"},
		{"empty", " \n\n"},
		{"config", `{"architectures": ["LlamaForCausalLM"], "num_hidden_layers": 32}`},
	} {
		if got := pasted.Kind(c.text); got != c.kind {
			t.Errorf("%.40q is %q, want %q", c.text, got, c.kind)
		}
		other := pasted.Other(c.text)
		if other == nil || !strings.HasPrefix(other.String(), "th") {
			t.Errorf("%.40q: nothing is said of it: %v", c.text, other)
		}
		if own := pasted.Other(c.text, "else", c.kind); own != nil {
			t.Errorf("%.40q is refused where it is read: %v", c.text, own)
		}
	}
	for _, text := range []string{"hello", "x = 1\n", "step 1000: kl 0.02\nstep 1100: kl 0.03\n",
		strings.Repeat("word ", 1<<14) + "HloModule "} {
		if got := pasted.Other(text); got != nil {
			t.Errorf("%.20q is %v", text, got)
		}
	}
}

func TestPlain(t *testing.T) {
	for _, c := range [][2]string{{"a\x1b[32mb\x1b[0;1mc", "abc"}, {"plain", "plain"}, {"a\x1b[", "a"},
		{"a\x1b[3", "a"}} {
		if got := pasted.Plain(c[0]); got != c[1] {
			t.Errorf("%q: %q, want %q", c[0], got, c[1])
		}
	}
}

// What word processors make of a text is undone, unless it is part of what somebody says in it.
func TestTyped(t *testing.T) {
	for text, want := range map[string]string{
		"—bf16 –lr 1":                 "--bf16 --lr 1",
		"a\u00a0b\u200b: 1":           "a b: 1",
		"{“hidden_size”: 64}":         `{"hidden_size": 64}`,
		`{"note": "a “word” – here"}`: `{"note": "a “word” – here"}`,
		"5 – 3, a—b":                  "5 – 3, a—b",
		"\xffa\u00a0b":                "\xffa\u00a0b",
		"plain --text":                "plain --text",
		"ends in —":                   "ends in —",
	} {
		if got := pasted.Typed(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

// What is copied from the source of a page has its signs as it writes them; a text that has the signs themselves stays.
func TestSourceOfAPage(t *testing.T) {
	for text, want := range map[string]string{
		`{&quot;hidden_size&quot;: 4096, &#34;act&#34;: &quot;silu&quot;}`: `{"hidden_size": 4096, "act": "silu"}`,
		"vllm serve m -tp 8 2&gt;&amp;1 &amp;":                             "vllm serve m -tp 8 2>&1 &",
		`{"note": "R&amp;D"}`:                                              `{"note": "R&amp;D"}`,
		"train.sh && eval.sh":                                              "train.sh && eval.sh",
	} {
		if got := pasted.Typed(text); got != want {
			t.Errorf("%s is read as %s, want %s", text, got, want)
		}
	}
}
