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
	if unsteady != 9 {
		t.Errorf("%d rows make no interval; seven cards' pretraining, two with images", unsteady)
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
