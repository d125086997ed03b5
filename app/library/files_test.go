package library_test

import (
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/library"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// Each file is described by what its program writes, with the page that reads it.
func TestKindsOfFiles(t *testing.T) {
	env := library.New()
	for _, c := range []struct{ file, leads string }{
		{`{"traceEvents": []}`, "(profiling/#dropped)"},
		{"HloModule jit_f\n", "(profiling/#pasted)"},
		{"# nThread 1 nGpus 8 minBytes 8 maxBytes 1024 step: 2(factor)\n", "(collectives/#nccl)"},
		{"INFO GPU KV cache size: 188,640 tokens\n", "(startup-log/#startup)"},
		{"vllm serve meta-llama/Llama-3.1-8B-Instruct --max-model-len 8192\n", "(startup-log/#startup)"},
		{"torchrun pretrain_gpt.py --tensor-model-parallel-size 4 --micro-batch-size 1 --global-batch-size 64\n",
			"(training-planner/#training--flags)"},
		{"import torch\nargs = dict(tensor_model_parallel_size=4, pipeline_model_parallel_size=2)\n",
			"(training-planner/#training--flags)"},
		{"Traceback (most recent call last):\n", ""},
		{`{"num_hidden_layers": 2, "hidden_size": 64}`, "(model-card/#modelcard)"},
		{"GIF89a\x00", ""}, {"PK\x03\x04\x14\x00", ""}, {"dear reader", ""}, {"", ""},
		{"\x07\x00\x81\x00", ""},
		{"module @jit_f { func.func public @main() }\n", "compile().as_text()"}, // what to bring in its place
		{"node0:1:1 [0] NCCL INFO Bootstrap : Using eth0\n", "all_reduce_perf"},
	} {
		said, err := env.Funcs["file_kind"].Call([]value.Value{{Kind: value.Text, Text: c.file}})
		if err != nil || said.Text == "" || !strings.Contains(said.Text, c.leads) ||
			c.leads == "" && strings.Contains(said.Text, "](") {
			t.Errorf("%q: %q, %v; want a sentence with %q", c.file, said.Text, err, c.leads)
		}
		if strings.Contains(said.Text, "is no trace") { // nobody said that it was one
			t.Errorf("%q: %q", c.file, said.Text)
		}
	}
}

// The head of a file is the same whether it comes whole or in pieces, and is enough at its length.
func TestHeadOfFile(t *testing.T) {
	head := library.New().Funcs["file_head"]
	for _, n := range []int{0, 1, 64<<10 - 1, 64 << 10, 64<<10 + 1, 1 << 20} {
		text := strings.Repeat("x", n)
		want, err := head.Call([]value.Value{{Kind: value.Text, Text: text}})
		if err != nil || len(want.Text) != min(n, 64<<10) {
			t.Fatalf("%d bytes: a head of %d, %v", n, len(want.Text), err)
		}
		task := head.Stream()
		for piece := range strings.SplitSeq(text, "") {
			task.Feed(piece)
		}
		task.Close()
		got, err := task.Value()
		enough := task.(interface{ Enough() bool }).Enough()
		if err != nil || got.Text != want.Text || enough != (n >= 64<<10) {
			t.Errorf("%d bytes in pieces: %d, %v, enough %v", n, len(got.Text), err, enough)
		}
	}
}
