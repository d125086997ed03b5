package training

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"testing"
)

//go:embed testdata/runs.txt
var runsAsWritten string // "=== name", what is right, "---", the text

// written is a run as people write it, with what is right of it.
type written struct {
	name, model, plan, trains, doubt string
	chips, batch, sequence           int
	state, said                      []string
	text                             string
}

// writtenRuns are those of a file. Of each the plan is right, sequences of a step and their tokens, words of the state,
// the model that it trains, and what is said to be left out; or a doubt must be said, by an error or beside the plan.
func writtenRuns(t *testing.T, file string) (all []written) {
	for _, part := range strings.Split("\n"+file, "\n=== ")[1:] {
		head, text, is := strings.Cut(part, "\n---\n")
		name, head, more := strings.Cut(head, "\n")
		if !is || !more {
			t.Fatalf("%.40q has no text", part)
		}
		c := written{name: name, model: "llama3.8b", text: text}
		for line := range strings.Lines(head) {
			word, value, _ := strings.Cut(strings.TrimSpace(line), " ")
			n, _ := strconv.Atoi(value)
			switch word {
			case "chips":
				c.chips = n
			case "batch":
				c.batch = n
			case "sequence":
				c.sequence = n
			case "model":
				c.model = value
			case "plan":
				c.plan = value
			case "trains":
				c.trains = value
			case "doubt":
				c.doubt = value
			case "state":
				c.state = append(c.state, value)
			case "said":
				c.said = append(c.said, value)
			default:
				t.Fatalf("%s: %q", name, line)
			}
		}
		all = append(all, c)
	}
	return all
}

// Runs as people write them, of each launcher and tool: what is read of them is right, or a doubt is said.
func TestRunsAsWritten(t *testing.T) {
	for _, c := range writtenRuns(t, runsAsWritten) {
		f, err := ReadFlags(c.text, c.chips)
		if err != nil {
			if c.doubt == "" || !strings.Contains(err.Error(), c.doubt) {
				t.Errorf("%s: %v, want %q", c.name, err, c.doubt)
			}
			continue
		}
		j := newJob(t, c.model, "gpu.h100", SoftwareOf(f.Tool, "gpu.h100"), c.chips, 64, 4096).With(&f)
		said := fmt.Sprintf("%q %q %q", f.Aside, f.Without, f.LeftOpen(&j))
		none := said == "[] [] []"
		legal := NewEstimator(j).Legal(f.Plan)
		if c.doubt != "" {
			if said += fmt.Sprint(legal); !strings.Contains(said, c.doubt) {
				t.Errorf("%s: %s is said, want %q", c.name, said, c.doubt)
			}
			continue
		}
		want, err := ParsePlan(c.plan, j.Devices)
		if err != nil {
			t.Fatal(c.name, err)
		}
		if legal != nil || f.Plan.String() != want.filled().String() || f.Batch != c.batch || f.Sequence != c.sequence {
			t.Errorf("%s, of %s: %s, %d sequences of %d, %v; want %s, %d of %d; %s is said", c.name, f.Tool, f.Plan,
				f.Batch, f.Sequence, legal, want.filled(), c.batch, c.sequence, said)
		}
		for _, word := range c.state {
			if state := f.State.Words(); !strings.Contains(" "+state+" ", " "+word+" ") {
				t.Errorf("%s: %s, want %s", c.name, state, word)
			}
		}
		if c.trains != "" && f.Model != c.trains {
			t.Errorf("%s trains %q, want %q", c.name, f.Model, c.trains)
		}
		for _, word := range c.said {
			if word != "any" && !strings.Contains(said, word) {
				t.Errorf("%s: %s is said, want %q", c.name, said, word)
			}
		}
		if c.said == nil && !none {
			t.Errorf("%s: %s is said", c.name, said)
		}
	}
}

// What is no run, or has numbers that no run has, is refused with its name, or leaves numbers that can be estimated.
func TestAbsurdSettings(t *testing.T) {
	const run = "torchrun --nproc_per_node 8 pretrain_gpt.py --tensor-model-parallel-size 2 --micro-batch-size 1 " +
		"--global-batch-size 64 --seq-length 4096"
	changed := func(old, with string) string { return strings.Replace(run, old, with, 1) }
	for _, c := range [][2]string{
		{"", "none of these"}, {" \n\t\n", "none of these"}, {"\x00\x01\xff\x7fELF\x02", "none of these"},
		{"%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\n", "none of these"}, {"[]", "none of these"},
		{"Error: CUDA out of memory. Tried to allocate 20.00 GiB", "none of these"},
		{"SELECT * FROM runs WHERE tp = 8;", "none of these"}, {strings.Repeat("[", 3000) + "--tp 8", "none of these"},
		{`{"hidden_size": 4096, "num_hidden_layers": 32, "num_key_value_heads": 8, "head_dim": 128, ` +
			`"torch_dtype": "bfloat16"}`, "none of these"},
		{strings.Repeat("{", 9999), "before its brackets are closed"},
		{changed("size 2", "size -2"), `"-2"; write a whole number from 1`},
		{changed("size 2", "size 0"), `"0"; write`}, {changed("size 2", "size 1e30"), `"1e30"; write`},
		{changed("size 1 ", "size NaN "), `"NaN"; write`}, {changed("4096", "16777217"), "to 16777216"},
		{"per_device_batch_size=1e30 ici_fsdp_parallelism=8", "write a number above 0"},
		{"[parallelism]\ndata_parallel_shard_degree = -7\n", `"-7"; write`},
		{`{"zero_optimization": {"stage": 99}}`, "from 0 to 3"},
		{`{"train_batch_size": 1e308, "zero_optimization": {"stage": 2}}`, `"1e308"; write`},
		{changed("node 8", "node 16777216 --nnodes 16777216"), "281474976710656 devices; give from 1"},
		{"--per_device_train_batch_size 4 --gradient_accumulation_steps 16777216 --num_processes 1024", "a batch of"},
	} {
		f, err := ReadFlags(c[0], 8)
		if err == nil {
			j := newJob(t, "llama3.8b", "gpu.h100", SoftwareOf(f.Tool, "gpu.h100"), 8, 64, 4096).With(&f)
			err = j.Check()
		}
		if err == nil || !strings.Contains(err.Error(), c[1]) {
			t.Errorf("%.60q: %v, want %q", c[0], err, c[1])
		}
	}
}
