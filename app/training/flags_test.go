package training

import (
	"strings"
	"testing"
)

// Plans that each tool has words for.
var flagged = []Plan{
	{DP: 128, TP: 8, PP: 16, Micro: 1, Zero: 1, Virtual: 4},
	{DP: 32, TP: 1, PP: 1, Micro: 2, Zero: 3, Recompute: RecomputeBlock},
	{DP: 16, TP: 4, PP: 1, CP: 2, EP: 8, Micro: 1, Zero: 3, Recompute: RecomputeSome},
	{DP: 64, TP: 1, PP: 1, Micro: 1, Zero: 3, Shard: 16},
}

// What a tool's flags say is read back as the same plan, but for what the tool has no word for.
func TestFlagsComeBack(t *testing.T) {
	for _, tool := range Tools() {
		for _, p := range flagged {
			p = p.filled()
			if tool != "torchtitan" && tool != "maxtext" {
				p.Shard = p.DP * p.CP // Megatron shards over all
			}
			if tool == "torchtitan" && p.PP > 1 {
				p.Virtual, p.Schedule, p.Zero = 1, OneFOneB, 3
			}
			if tool == "maxtext" && p.PP > 1 {
				p.Zero = 3
			}
			if tool == "maxtext" && p.EP > 1 {
				p.ETP = 1
			}
			batch := p.DP * p.Micro * 32
			text, err := p.Flags(tool, batch, 8192)
			if err != nil {
				t.Fatal(err)
			}
			f, err := ReadFlags(text, p.Devices())
			if err != nil || f.Plan.String() != p.String() || f.Batch != batch || f.Sequence != 8192 || len(f.Aside) > 0 {
				t.Errorf("%s: %v with a batch of %d came back as %v, %d, aside %v, %v from\n%s", tool, p, batch, f.Plan, f.Batch,
					f.Aside, err, text)
			}
		}
	}
}

// Command lines and files as people have them.
func TestFlagsAsPeopleHaveThem(t *testing.T) {
	for text, want := range map[string]string{
		"torchrun pretrain_gpt.py --tensor-model-parallel-size 8 \\\n --pipeline-model-parallel-size=4 --lr 3e-4 " +
			"--use-distributed-optimizer": "dp=2 tp=8 pp=4 zero=1",
		"[parallelism]\ntensor_parallel_degree = 8 # ways\ndata_parallel_shard_degree = -1": "dp=8 tp=8 zero=3",
		"tensor_model_parallel_size: 4\ncontext_parallel_size: 2":                           "dp=8 tp=4 cp=2 zero=0",
	} {
		f, err := ReadFlags(text, 64)
		if err != nil || f.Plan.String() != want {
			t.Errorf("%q is %v, %v; want %s", text, f.Plan, err, want)
		}
	}
	for text, want := range map[string]string{
		"--lr 3e-4":                                  "no flag of these is known",
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
		text, _ := flagged[2].Flags(tool, 1024, 4096)
		f.Add(text, 1024)
	}
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
