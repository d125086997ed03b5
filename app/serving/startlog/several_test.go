package startlog

import (
	"math"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/serving"
)

// Of several commands the first is read, and that is said: flags of the second belong to another engine.
func TestSeveralCommands(t *testing.T) {
	const chat = "--model Qwen/Qwen3-32B --tensor-parallel-size 4 --max-model-len 32768"
	for text, more := range map[string]bool{
		"services:\n  chat:\n    image: vllm/vllm-openai:v0.11.0\n    command: " + chat + "\n  embed:\n    image: " +
			"vllm/vllm-openai:v0.11.0\n    command: --model Qwen/Qwen3-8B --tensor-parallel-size 1 --max-num-seqs 512\n": true,
		"vllm serve Qwen/Qwen3-32B -tp 4 --max-model-len 32768\nvllm serve Qwen/Qwen3-8B --max-num-seqs 512\n": true,
		"vllm serve Qwen/Qwen3-32B -tp 4 --max-model-len 32768 &\npython -m \"vllm.entrypoints.openai.api_server\" \\\n" +
			"  --model=Qwen/Qwen3-8B\npython -m vllm.entrypoints.openai.api_server --max-num-seqs 512\n": true,
		"# vllm serve Qwen/Qwen3-8B --max-num-seqs 512\nvllm serve Qwen/Qwen3-32B -tp 4 --max-model-len 32768\n": false,
		"ARGS=(" + chat + ")\nexec vllm serve \"${ARGS[@]}\"\n":                                                  false,
		"vllm serve --served-model-name q --model-impl auto " + chat + "\n":                                      false,
	} {
		l, err := Read(text)
		if err != nil || l.More != more || l.Known != "qwen3.32b" || l.Plan.TP != 4 || l.Length != 32768 ||
			l.Setup.Sequences != 0 {
			t.Errorf("%s: %+v, %v", text, l, err)
			continue
		}
		if said := (phrase.Phrases{}).Text(l.Remarks()); strings.Contains(said, "only the first") != more {
			t.Errorf("%s: %s", text, said)
		}
	}
	l, err := Read("sglang.launch_server --model-path deepseek-ai/DeepSeek-R1 --disaggregation-mode prefill --tp 8\n" +
		"sglang.launch_server --model-path deepseek-ai/DeepSeek-R1 --disaggregation-mode decode --tp 16 --dp 16 " +
		"--enable-dp-attention\n")
	if err != nil || l.Plan.TP != 8 || l.Plan.DP != 0 || !l.More {
		t.Errorf("prefill and decode apart: %+v, %v", l, err)
	}
}

// A log of an engine that ran out of memory says so, and tells the card.
func TestMemoryRanOut(t *testing.T) {
	l, err := Read("vLLM API server version 0.11.0\nnon-default args: {'model': " +
		"'Qwen/Qwen3-32B'}\ntorch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.00 GiB. GPU 0 has a " +
		"total capacity of 79.15 GiB of which 512.00 MiB is free.\n")
	if err != nil || !l.Full || l.Chip != "gpu.h100" || math.Abs(l.Figure("total")/gib-79.15) > 1e-9 {
		t.Fatalf("%+v, %v", l, err)
	}
	for _, starts := range []string{"export PYTORCH_CUDA_ALLOC_CONF=backend:cudaMallocAsync\n",
		"# mends OutOfMemory\n"} {
		if l, err := Read(starts + "vllm serve Qwen/Qwen3-32B\n"); err != nil || l.Full {
			t.Errorf("%s: %+v, %v", starts, l, err)
		}
	}
	x := &serving.Ledger{Cache: 1}
	x.Tokens, x.Concurrency = 1, 1
	for full, want := range map[bool]string{true: "memory ran out", false: "The engine starts"} {
		l.Full = full
		said := Verdict(l, nil, x, &serving.Replica{})
		if text := (phrase.Phrases{}).Text(said); !strings.Contains(text, want) {
			t.Errorf("%s, want %s", text, want)
		}
	}
}
