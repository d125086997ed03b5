package main

import (
	"bytes"
	"encoding/json"
	"github.com/scalebook/scalebook/app/answer"
	"strings"
	"testing"
)

// planned runs the verb plan, and reads the objects that it prints.
func planned(t *testing.T, args ...string) (plans []answer.Plan, said string) {
	t.Helper()
	var out, complaints bytes.Buffer
	if status := planTraining(args, streams{in: strings.NewReader(""), out: &out, err: &complaints}); status != ok {
		t.Fatalf("plan %v: %s", args, &complaints)
	}
	said = out.String()
	for line := range strings.Lines(said) {
		if !strings.HasPrefix(line, "{") {
			return nil, said
		}
		var p answer.Plan
		if err := json.Unmarshal([]byte(line), &p); err != nil {
			t.Fatal(err)
		}
		plans = append(plans, p)
	}
	return plans, said
}

// What plan -json prints of a plan, -plan reads as the same plan: uneven stages, shards within nodes, kinds of context
// parallelism too. Those that the software can't run come last.
func TestPlansReadBack(t *testing.T) {
	for _, set := range [][]string{
		{"-model", "llama3.70b", "-chip", "h100", "-chips", "192", "-all"},
		{"-model", "deepseek.v3", "-chip", "h800", "-chips", "2048", "-batch", "62914560", "-sequence", "4096", "-dtype",
			"fp8"},
		{"-model", "llama3.405b", "-chip", "tpu.v5p", "-chips", "4096", "-sequence", "65536"},
		{"-model", "gemma3.12b", "-chip", "mi300x", "-chips", "48", "-software", "fsdp", "-all", "-batch", "1.2M"},
	} {
		plans, _ := planned(t, append(set, "-json", "-top", "6")...)
		lacks := false
		for _, p := range plans {
			again, _ := planned(t, append(set, "-json", "-plan", p.Plan)...)
			if len(again) != 1 || again[0].Step != p.Step || again[0].Plan != p.Plan || again[0].Memory != p.Memory {
				t.Errorf("%v: %s takes %v s, read again %v", set, p.Plan, p.Step, again)
			}
			if p.Lacks == "" && lacks {
				t.Errorf("%v: %s stands below plans that the software can't run", set, p.Plan)
			}
			lacks = lacks || p.Lacks != ""
			if p.MFU > 100 || p.Step[0] < p.Times["matmuls"]*(1-1e-9) {
				t.Errorf("%v: %s has an MFU of %v %%, from %v s, its matmuls take %v s", set, p.Plan, p.MFU, p.Step[0],
					p.Times["matmuls"])
			}
		}
		if len(plans) < 6 {
			t.Errorf("%v: %d plans", set, len(plans))
		}
	}
}

// The batch is the number of whole sequences that comes nearest.
func TestPlannedBatchIsTheNearest(t *testing.T) {
	for _, c := range []struct {
		batch, sequence string
		tokens          int
	}{{"4M", "8192", 3997696}, {"4000000", "3", 3999999}, {"4194304", "8192", 4194304}, {"20000", "8192", 16384}} {
		plans, _ := planned(t, "-model", "llama3.8b", "-chip", "h100", "-chips", "8", "-batch", c.batch, "-sequence",
			c.sequence, "-json", "-plan", "tp=8 recompute=block")
		if got := plans[0].Batch * plans[0].Sequence; got != c.tokens {
			t.Errorf("a batch of %s in sequences of %s is %d tokens, want %d", c.batch, c.sequence, got, c.tokens)
		}
	}
}
