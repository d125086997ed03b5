package training

import (
	_ "embed"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/model"
)

// Plans that each tool has words for, of a model of 32 layers.
var flagged = []Plan{
	{DP: 128, TP: 8, PP: 16, Micro: 1, Zero: 1, Virtual: 2},
	{DP: 32, TP: 1, PP: 1, Micro: 2, Zero: 3, Recompute: RecomputeBlock},
	{DP: 16, TP: 4, PP: 1, CP: 2, EP: 8, Micro: 1, Zero: 3, Recompute: RecomputeSome},
	{DP: 64, TP: 1, PP: 1, Micro: 1, Zero: 3, Shard: 16},
	{DP: 16, TP: 4, PP: 4, Micro: 1, Zero: 1, First: 7, Last: 5},
}

// flagsOfPlan writes a plan of Mixtral, which has experts.
func flagsOfPlan(t testing.TB, p Plan, tool string, batch int) string {
	return flagsOfModel(t, "mixtral.8x7b", p, tool, batch)
}

func flagsOfModel(t testing.TB, name string, p Plan, tool string, batch int) string {
	t.Helper()
	p = p.filled()
	m, err := model.Catalog().Get(name)
	if err != nil {
		t.Fatal(err)
	}
	text, err := NewEstimator(Job{Model: &m.Model, Stack: &Stack{}, Devices: p.Devices(), Batch: batch,
		Sequence: 8192}).Flags(p, tool)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// What a tool's flags say is read back as the same plan, but for what the tool has no word for.
func TestFlagsComeBack(t *testing.T) {
	for _, tool := range Tools() {
		for _, p := range flagged {
			p = p.filled()
			if tool == "torchtitan" && p.PP > 1 {
				p.Zero, p.First, p.Last = 3, 0, 0
			}
			if tool == "maxtext" {
				p.First, p.Last = 0, 0
			}
			batch := p.DP * p.Micro * 32
			text := flagsOfPlan(t, p, tool, batch)
			f, err := ReadFlags(text, p.Devices())
			if tool == "torchtitan" { // it says the layers of a stage instead, whose number is not known
				f.Aside = nil
			}
			if err != nil || f.Plan.String() != p.String() || f.Batch != batch || f.Sequence != 8192 ||
				len(f.Aside) > 0 {
				t.Errorf("%s: %v with a batch of %d came back as %v, %d, aside %v, %v from\n%s", tool, p, batch, f.Plan,
					f.Batch, f.Aside, err, text)
			}
		}
	}
}

// What a tool has no flag for is said, and nothing is written that it doesn't know.
func TestFlagsSayWhatTheyLack(t *testing.T) {
	for _, c := range []struct {
		tool, want string
		plan       Plan
	}{
		{"megatron", "schedule=zb-h1", Plan{DP: 2, TP: 4, PP: 4, Schedule: ZBH1}},
		{"torchtitan", "schedule=dualpipe", Plan{DP: 2, TP: 4, PP: 4, Schedule: DualPipe}},
		{"maxtext", "zero=2", Plan{DP: 8, TP: 4, Zero: 2}},
		{"nemo", "recompute=offload", Plan{DP: 8, TP: 4, Recompute: RecomputeOffload}},
		{"nemo", "first=5 last=5", Plan{DP: 8, PP: 6}},
		{"maxtext", "first=7 last=5", Plan{DP: 8, PP: 4, First: 7, Last: 5}},
	} {
		text := flagsOfPlan(t, c.plan, c.tool, 64)
		if !strings.Contains(text, "# "+c.tool+" has no flag that says "+c.want) {
			t.Errorf("%s: nothing is said of %s in\n%s", c.tool, c.want, text)
		}
	}
	text := flagsOfPlan(t, Plan{DP: 2, PP: 4, Schedule: ZBH1}, "torchtitan", 64)
	if strings.Contains(text, "pipeline_parallel_schedule=") {
		t.Errorf("TorchTitan knows no such schedule:\n%s", text)
	}
}

// Stages and chunks of different sizes start in Megatron-LM by a layout.
func TestLayouts(t *testing.T) {
	for _, c := range []struct {
		layout string
		plan   Plan
	}{
		{`"Ettttt|tttttt|tttttt|ttttt|ttttt|tttttL"`, Plan{DP: 8, PP: 6, Zero: 1}},
		{`"Ett|tttttt|tttttt|tt|ttt|tttttt|ttttt|ttL"`, Plan{DP: 8, PP: 4, Virtual: 2, Zero: 1, First: 5, Last: 4}},
	} {
		text := flagsOfPlan(t, c.plan, "megatron", 64)
		if !strings.Contains(text, "--pipeline-model-parallel-layout "+c.layout+"\n") ||
			strings.Contains(text, "num-virtual-stages") {
			t.Errorf("%v has no layout %s:\n%s", c.plan, c.layout, text)
		}
		if f, err := ReadFlags(text, c.plan.filled().Devices()); err != nil || len(f.Without) != 1 {
			t.Errorf("%s came back as %v, %v, without %v", c.layout, f.Plan, err, f.Without)
		}
	}
}

//go:embed testdata/flags.tsv
var flagsKnown string // source, then its flags

// Every flag that is written stands in the tool's own sources.
func TestFlagsAreTheTools(t *testing.T) {
	known, source := map[string]string{}, ""
	for line := range strings.Lines(flagsKnown) {
		line = strings.TrimSpace(line)
		if from, is := strings.CutPrefix(line, "# "); is {
			source = from
		} else if tool, name, found := strings.Cut(line, "\t"); found {
			known[tool+" "+name] = source
		}
	}
	for _, f := range flagsOf("") {
		if known[f.tool+" "+f.written] == "" {
			t.Errorf("%s: no source has %s", f.tool, f.written)
		}
		delete(known, f.tool+" "+f.written)
	}
	for flag := range known {
		t.Errorf("%s has a source, but is not written", flag)
	}
}

// Command lines and files as people have them.
func TestFlagsAsPeopleHaveThem(t *testing.T) {
	for text, want := range map[string]string{
		"torchrun pretrain_gpt.py --tensor-model-parallel-size 8 \\\n --pipeline-model-parallel-size=4 --lr 3e-4 " +
			"--use-distributed-optimizer": "dp=2 tp=8 pp=4 zero=1",
		"[parallelism]\ntensor_parallel_degree = 8 # ways\ndata_parallel_shard_degree = -1":// as it has them
		"dp=8 tp=8 mbs=8 zero=3 recompute=some",
		"tensor_model_parallel_size: 4\ncontext_parallel_size: 2": "dp=8 tp=4 cp=2 zero=1", // NeMo's names
	} {
		f, err := ReadFlags(text, 64)
		if err != nil || f.Plan.String() != want {
			t.Errorf("%q is %v, %v; want %s", text, f.Plan, err, want)
		}
	}
	for text, want := range map[string]string{
		"--lr 3e-4":                                  "none of these settings is known",
		"--tensor-model-parallel-size eight":         "write a whole number",
		"--tensor-model-parallel-size 128":           "more than 64",
		"--parallelism.pipeline_parallel_schedule=x": "is not known",
	} {
		if _, err := ReadFlags(text, 64); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	f, err := ReadFlags("--tensor-model-paralel-size 8 --micro-batch-size 2", 64)
	if err != nil || len(f.Aside) != 1 || !strings.Contains(f.Aside[0], "--tensor-model-parallel-size?") {
		t.Errorf("a slip of the pen is left aside as %v, %v", f.Aside, err)
	}
}

// No text makes the reader fail otherwise than by saying so, and what it reads is a plan that can be written.
func FuzzReadFlags(f *testing.F) {
	for _, tool := range Tools() {
		f.Add(flagsOfPlan(f, flagged[2], tool, 1024), 1024)
	}
	f.Add("tp: ${oc.env:TP,4}\npp: ${.tp}\nmodel:\n  tensor_model_parallel_size: ${multiply:${..tp},${pp}}\n", 64)
	f.Add("--tensor-model-parallel-size $TP --pipeline-model-parallel-size ${PP:-2} --micro-batch-size ${.x}", 8)
	f.Add("dcn_data_parallelism=4 ici_fsdp_parallelism=-1 per_device_batch_size=1e300", 64)
	f.Fuzz(func(t *testing.T, text string, devices int) {
		read, err := ReadFlags(text, devices)
		if err != nil {
			return
		}
		if p := read.Plan; p.DP < 1 || p.TP < 1 || p.PP < 1 || p.CP < 1 || p.Micro < 1 || p.Zero < 0 || p.Zero > 3 {
			t.Errorf("%q is %+v", text, p)
		}
		again, err := ParsePlan(read.Plan.String(), devices)
		if err != nil || again.filled().String() != read.Plan.String() {
			t.Errorf("%v is typed as %v, %v", read.Plan, again, err)
		}
	})
}
