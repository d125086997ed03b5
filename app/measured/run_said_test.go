package measured

import (
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/training"
)

// saidRun reads a run of Llama 3.1 8B on 32 H100, with what a row says beside.
func saidRun(t *testing.T, says string) (r Run, notes string) {
	t.Helper()
	row, err := ReadRow([]byte(`{"id":"x","kind":"training","setup":{"model":"llama-3.1-8b","device":"H100",` +
		`"n_devices":32,"precision":"bf16",` + says + `}}`))
	if err != nil {
		t.Fatal(err)
	}
	if r, err = NewRun(row.Setup); err != nil {
		t.Fatalf("%s: %v", says, err)
	}
	return r, strings.Join(One(row).Notes, "; ")
}

// What a row says of shards, of the optimizer, of the batch and of layers that are computed again is read by the names
// that tools have for it.
func TestWhatRunsSay(t *testing.T) {
	const torch = `"software":"PyTorch FSDP","gbs":32,"sharding":`
	for says, want := range map[string]func(r *Run) bool{
		torch + `"HYBRID_SHARD"`: func(r *Run) bool {
			return r.Plan.Zero == 3 && r.Plan.Shard == 8 // of a machine
		},
		torch + `"SHARD_GRAD_OP"`:           func(r *Run) bool { return r.Plan.Zero == 2 },
		torch + `"NO_SHARD"`:                func(r *Run) bool { return r.Plan.Zero == 0 },
		`"optimizer":"muon","gbs":32`:       func(r *Run) bool { return r.Job.Recipe.Moments == 4 },
		`"optimizer":"adamw_8bit","gbs":32`: func(r *Run) bool { return r.Job.Recipe.Moments == 2 },
		`"optimizer":"AdamW","gbs":32`:      func(r *Run) bool { return r.Job.Recipe.Moments == 8 && !r.Job.Stated },
		`"global_batch_tokens":"4M","max_target_length":8192`: func(r *Run) bool {
			return r.Job.Sequence == 8192 && r.Batched && r.Job.Batch == 480 // of which 32 replicas have 15 each
		},
		`"recompute_granularity":"full","gbs":32`: func(r *Run) bool {
			return r.Plan.Recompute == training.RecomputeBlock
		},
	} {
		if r, notes := saidRun(t, says); !want(&r) || strings.Contains(notes, "not read") {
			t.Errorf("%s: %s, %d sequences of %d, %g bytes of moments, %s", says, r.Plan, r.Job.Batch, r.Job.Sequence,
				r.Job.Recipe.Moments, notes)
		}
	}
}

// What isn't priced, or contradicts the rest of the row, is named.
func TestWhatRunsSayElse(t *testing.T) {
	for _, c := range [][2]string{
		{`"zero":"ZeRO-2 with CPU offload","gbs":32`, "offload of zero-2 with cpu offload"},
		{`"nodes":8,"gpus_per_node":8,"gbs":32`, "its nodes have 64 devices, but 32 are stated"},
		{`"nodes":4,"gpus_per_node":8,"gbs":32`, ""},
		{`"optimizer":"Sophia","gbs":32`, "optimizer Sophia, the state of AdamW is assumed"},
		{`"optimizer":"Muon for blocks, AdamW for heads","gbs":32`, "optimizer Muon for blocks"},
		{`"optimizer":"fused Adam","zero":"ZeRO-1 (distributed)","gbs":32`, ""},
		{`"optimizer":"DistributedOptimizer (Megatron-LM)","gbs":32`, ""},
	} {
		_, notes := saidRun(t, c[0])
		if !strings.Contains(notes, c[1]) || c[1] == "" && strings.Contains(notes, "not read") {
			t.Errorf("%s: %q, want %q", c[0], notes, c[1])
		}
	}
}
