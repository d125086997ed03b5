package library_test

import (
	"math"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/library"
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// startup is a sheet over a log, or over flags where there is none.
const startup = `let log = ""
said = startup_log(log)
ledger = startup_ledger(said, said.model, said.chip, said.engine, said.weights, said.weights, said.cache, said.layout,
  said.share, said.length, said.sequences, said.chunk, said.version, said.draft)
tokens = ledger.tokens
verdict = ledger.verdict
summary = said.summary
`

// evaluated are the rows of a sheet at some text of its first input.
func evaluated(t *testing.T, text, log string) *sheet.Result {
	t.Helper()
	s, errs := sheet.Compile(strings.Replace(text, `let log = ""`, "let log = "+quoted(log), 1), library.New())
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	return s.Eval(nil)
}

func quoted(text string) string { return `"` + strings.ReplaceAll(text, `"`, "'") + `"` }

// A log sets what a ledger is of, and the verdict names the line that differs; without one flags do.
func TestStartupLedger(t *testing.T) {
	const log = "Initializing a V1 LLM engine (v0.10.2) with config: model='Qwen/Qwen3-8B-FP8', " +
		"tensor_parallel_size=1, max_seq_len=1024 gpu_memory_utilization=0.8 Model loading took 8.8 GiB and 3 seconds"
	for text, want := range map[string][]string{
		"":  {"Nothing is pasted yet", "The engine starts: 4"},
		log: {"taken for Qwen 3 8B", "figure agrees with the ledger"},
		strings.Replace(log, "8.8 GiB", "12.8 GiB", 1): {"Read as vLLM 0.10.2",
			"Line 1 of the log is the first that differs"},
		"vllm serve meta-llama/Llama-3.1-70B-Instruct --max-model-len 4096": {"taken for Llama 3.1 70B",
			"does not start"},
		"vllm serve meta-llama/Llama-3.1-70B-Instruct -tp 2 --max-model-len 100000": {"Llama", "refuses this length"},
		"python -m sglang.launch_server --model-path nobody/model-9b --mem-fraction-static 0.8": {
			"has no model nobody/model-9b", "The engine starts"},
		"vllm serve Qwen/Qwen3-32B-FP8 --tensor-parallel-size 2 --kv-cache-dtype fp8 --max-num-seqs": {
			"Read as a command that starts vLLM. Qwen/Qwen3-32B-FP8 is taken for Qwen 3 32B", "The engine starts"},
	} {
		e := evaluated(t, startup, text)
		for i, row := range []string{"summary", "verdict"} {
			v, err := e.Value(row)
			if err != nil || !strings.Contains(v.Text, want[i]) {
				t.Errorf("%q: %s is %q, %v; want %q", text, row, v.Text, err, want[i])
			}
		}
	}
	if _, err := evaluated(t, startup, "hello").Value("said"); err == nil ||
		!strings.Contains(err.Error(), "paste what") {
		t.Errorf("no log: %v", err)
	}
}

// The size of a file holds while its formats do: experts that a reader stores otherwise count as they are stored.
func TestExpertsBesideFile(t *testing.T) {
	const of, command = "said.weights, said.weights,", "llama-server -hf unsloth/Qwen3-30B-A3B-GGUF:Q4_K_M -c 8192"
	weights := func(experts string) float64 {
		v, err := evaluated(t, strings.Replace(startup, of, "said.weights, "+experts+",", 1)+"w = ledger.weights\n",
			command).Value("w")
		if err != nil {
			t.Fatal(err)
		}
		return v.Num.Value
	}
	if file, wide := weights("said.weights"), weights("bf16"); !(file > 15e9 && file < 20e9 && wide > 50e9) {
		t.Errorf("weights are %.3g bytes as the file has them, %.3g with experts in bf16", file, wide)
	}
}

// Flags that are set alike are the same flags, so that a search under way goes on; they and the layout hold.
func TestFlagsSet(t *testing.T) {
	const flags = `set = serving_flags_set(0.85, 2048, 16, 4096, "tp=4")` + "\n"
	s, errs := sheet.Compile(
		flags+strings.Replace(strings.Replace(flags, "16", "17", 1), "set ", "other ", 1),
		library.New(),
	)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	once := s.Eval(nil)
	a, err := once.Value("set")
	b, _ := s.Eval(nil).Value("set")
	if err != nil || !a.Same(b) {
		t.Errorf("flags alike are not the same: %v", err)
	}
	if c, err := once.Value("other"); err != nil || a.Same(c) {
		t.Errorf("other flags are the same: %v", err)
	}
	e := evaluated(
		t,
		flags+"plans = serving_plans(llama3.70b, gpu.h100, 8, 1024, 512, 0, fp8, fp8, bf16, \"vllm\", off, 0 s, "+
			"0 s, set)\nplan = first of plans\ncommand = serving_flags(plan, \"vllm\", off)\nledger = serving_ledger(plan)\n",
		"",
	)
	command, err := e.Value("command")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"--tensor-parallel-size 4 ", "--max-model-len 2048 ", "--max-num-seqs 16 ",
		"--max-num-batched-tokens 4096 ", "--gpu-memory-utilization 0.85"} {
		if !strings.Contains(command.Text+" ", want) {
			t.Errorf("%s: no %s", command.Text, want)
		}
	}
	ledger, err := e.Value("ledger")
	if err != nil || ledger.Kind != value.Rec || ledger.Record.Fields["length"].Num.Value != 2048 {
		t.Errorf("%v: %v", ledger, err)
	}
	for set, want := range map[string]string{`serving_flags_set(0, 0, 0, 0, "tp=x")`: "write such as tp=8",
		`serving_flags_set(2, 0, 0, 0, "")`: "write shares from 0 to 1"} {
		if _, err := evaluated(t, "x = "+set, "").Value("x"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", set, err)
		}
	}
}

// Guesses, releases and weights on the host change what plans give as they should, and what an engine can't do is said.
func TestServingFlagsBeyondMemory(t *testing.T) {
	best := func(engine, set string) (float64, error) {
		s, errs := sheet.Compile(set+"plans = serving_plans(llama3.70b, gpu.h100, 4, 1024, 512, 0, fp8, fp8, bf16, \""+
			engine+
			"\", off, 0 s, 30 ms, set)\nbest = first of plans\nrate = best.per_chip", library.New())
		if len(errs) > 0 {
			t.Fatal(errs)
		}
		all := s.Eval(nil)
		if _, err := all.Value("g"); err != nil {
			return 0, err
		}
		v, err := all.Value("rate")
		return v.Num.Value, err
	}
	set := func(version, offload, survival, width string) string {
		return "g = serving_guesses(\"" + survival + "\", " + width +
			", 0)\nset = serving_flags_set(0, 0, 0, 0, \"\", \"" +
			version + "\", " + offload + ", g)\n"
	}
	plain, err := best("vllm", set("", "0 byte", "", "1"))
	if err != nil {
		t.Fatal(err)
	}
	old, err1 := best("vllm", set("2024", "0 byte", "", "1"))
	guessed, err2 := best("vllm", set("newest", "0 byte", "0.9 0.9", "1"))
	useless, err3 := best("vllm", set("", "0 byte", "0", "1"))
	if err1 != nil || err2 != nil || err3 != nil || !(old < plain && plain < guessed && useless < plain) {
		t.Errorf("%v, of 2024 %v, guessed %v, uselessly %v: %v %v %v", plain, old, guessed, useless, err1, err2, err3)
	}
	for _, c := range []struct{ engine, set, want string }{
		{"vllm", set("", "0 byte", "0.8", "4"), "let the width be 1"},
		{"trtllm", set("", "1 GB", "", "1"), "leave no weights to the host"},
		{"vllm", set("", "0 byte", "0.8 many", "1"), "write shares from 0 to 1"},
		{"vllm", set("", "0 byte", "0.8", "99"), "give a width up to 16"},
		{"vllm", set("soon", "0 byte", "", "1"), "a year such as 2024"},
	} {
		if _, err := best(c.engine, c.set); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s, %q: %v", c.engine, c.set, err)
		}
	}
}

// Two steps of a system whose constants are known give these constants back, as the sheet of one's own runs works them
// out: 1.3 times what grows, 2 ms more a step.
func TestOwnRunsGiveTheirConstants(t *testing.T) {
	const found = "serving_plans(qwen3.235b_a22b, gpu.h200, 8, 1024, 1024, 0, fp8, fp8, bf16, \"vllm\", off, 0 s, 0 s, "
	const step = `
let B = 8
own = serving_flags_set(0, 0, 0, 0, "tp=8", "", 0 byte, serving_guesses("", 1, 0), 1.3, 2 ms)
plans = ` + found + `serving_flags_set(0, 0, 0, 0, "tp=8"))
theirs = ` + found + `own)
plan = first of plans
system = first of theirs
s_1 = serving_step(plan, "decode", 8)
s_2 = serving_step(plan, "decode", 64)
t_1 = serving_step(system, "decode", 8)
t_2 = serving_step(system, "decode", 64)
grow_1 = s_1.attention + s_1.routed + s_1.collectives + s_1.sequences * s_1.sequence
grow_2 = s_2.attention + s_2.routed + s_2.collectives + s_2.sequences * s_2.sequence
rest_1 = s_1.time - grow_1
rest_2 = s_2.time - grow_2
growth = ((t_2.time - rest_2) - (t_1.time - rest_1)) / (grow_2 - grow_1)
added = t_1.time - rest_1 - growth * grow_1
`
	e := evaluated(t, step, "")
	for name, want := range map[string]float64{"growth": 1.3, "added": 2e-3} {
		v, err := e.Value(name)
		if err != nil || !(math.Abs(v.Num.Value-want) < 1e-9*want) {
			t.Errorf("%s is %v, not %v: %v", name, v, want, err)
		}
	}
	for set, want := range map[string]string{`1, -1 s`: "add less time below zero",
		`0, 0 s`: "write shares from 0 to 1"} {
		x := found + `serving_flags_set(0, 0, 0, 0, "", "", 0 byte, serving_guesses("", 1, 0), ` + set + "))"
		if _, err := evaluated(t, "x = "+x, "").Value("x"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", set, err)
		}
	}
}
