package measured

import (
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/training"
)

// TestRoutingOfRows: how tokens reach experts, as rows tell it.
func TestRoutingOfRows(t *testing.T) {
	const overlap = "expert-parallel communication, delayed weight gradient"
	for _, c := range []struct {
		said Setup
		want training.Routing
	}{
		{Setup{}, training.Routing{}},
		{Setup{"dispatcher": "hybridep", "overlap": overlap}, training.Routing{Dispatcher: training.OnceDispatcher,
			Overlapped: true}},
		{Setup{"dispatcher": "alltoall", "overlap": "grad reduce, param gather"}, training.Routing{
			Dispatcher: training.AllToAllDispatcher}},
		{Setup{"moe_token_dispatcher_type": "allgather", "moe_expert_capacity_factor": 1.25}, training.Routing{
			Dispatcher: training.GatherDispatcher, Capacity: 1.25}},
		{Setup{"capacity_factor": 1.5, "moe_pad_expert_input_to_capacity": false}, training.Routing{Capacity: 1.5,
			Buffers: training.ExactBuffers}},
		{Setup{"capacity_factor": -1.0, "overlap_moe_expert_parallel_comm": true}, training.Routing{Overlapped: true}},
		{Setup{"sparse_matmul": false, "capacity_factor": 1.25}, training.Routing{Capacity: 1.25,
			Buffers: training.MaskedBuffers}},
		{Setup{"model": "Qwen3 30B A3B (tokendrop)"}, training.Routing{Capacity: 1}},
	} {
		c.said["device"], c.said["n_devices"], c.said["ep"], c.said["gbs"] = "H100", 8.0, 8.0, 64.0
		if !c.said.Has("model") {
			c.said["model"] = "qwen3-30b-a3b"
		}
		run, err := NewRun(c.said)
		if err != nil || run.Job.Routing != c.want {
			t.Errorf("%v: %+v, want %+v, %v", c.said, run.Job.Routing, c.want, err)
		}
	}
	odd := Setup{"model": "qwen3-30b-a3b", "device": "H100", "n_devices": 8.0, "ep": 8.0, "dispatcher": "pigeon"}
	if _, err := NewRun(odd); err == nil || !strings.Contains(err.Error(), "dispatcher is \"pigeon\"") ||
		!strings.Contains(err.Error(), "alltoall") {
		t.Error(err)
	}
}

// TestSteadyRows: what is measured where a source only checks that a run works, or beside encoders of images, makes no
// interval, and a note says so.
func TestSteadyRows(t *testing.T) {
	unsteady := 0
	for _, c := range Runs() {
		if !c.Setup.steady() {
			unsteady++
		}
	}
	if unsteady != 13 {
		t.Errorf("%d rows make no interval; seven cards' pretraining, two with images, four of limited power", unsteady)
	}
	for recipe, want := range map[string]bool{"qwen35_vl_35b_a3b_pretrain_8gpu_gb200_fp8mx_config": false,
		"qwen3_30b_a3b_pretrain_8gpu_gb200_fp8mx_functional_config": false,
		"qwen3_30b_a3b_pretrain_8gpu_gb300_fp8mx_config":            true} {
		s := Setup{"model": "qwen3-30b-a3b", "device": "GB200", "n_devices": 8.0, "gbs": 64.0, "recipe": recipe}
		p := One(Row{Kind: "training", Setup: s})
		if noted := strings.Contains(strings.Join(p.Notes, "; "), "checks that it works"); noted == want {
			t.Errorf("%s: %v", recipe, p.Notes)
		}
	}
}

// TestGraphsOfRows: a graph of a whole iteration launches experts, too; one of the router and what comes before tokens
// are sent leaves each expert to the host; without graphs the host launches the router as well.
func TestGraphsOfRows(t *testing.T) {
	whole, err := training.StackNamed("megatron-2026")
	if err != nil {
		t.Fatal(err)
	}
	plain, err := training.StackNamed("megatron")
	if err != nil {
		t.Fatal(err)
	}
	const benchmark = "qwen3_30b_a3b_pretrain_8gpu_gb300_fp8mx_config"
	for _, c := range []struct {
		graph, recipe string
		moe, expert   *training.Stack
	}{
		{"full iteration", "", whole, whole}, {"TE: attn, moe_router, moe_preprocess", "", whole, plain},
		{"TE: mamba", benchmark, plain, plain}, {"off", benchmark, plain, plain}, {"", benchmark, whole, whole},
		{"", "", plain, plain},
	} {
		s := Setup{"model": "qwen3-30b-a3b", "device": "GB200", "n_devices": 8.0, "ep": 8.0, "gbs": 64.0,
			"software": "Megatron-Bridge", "date": "2026-07", "recipe": c.recipe, "cuda_graph": c.graph}
		run, err := NewRun(s)
		if err != nil {
			t.Fatal(err)
		}
		got := run.Job.Stack
		if got.LaunchMoE != c.moe.LaunchMoE || got.LaunchExpert != c.expert.LaunchExpert ||
			got.LaunchBias != c.expert.LaunchBias || got.BiasBytes != c.expert.BiasBytes {
			t.Errorf("%q of %q: %+v", c.graph, c.recipe, got)
		}
	}
}
