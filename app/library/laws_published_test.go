package library

import (
	"math"
	"testing"

	"github.com/scalebook/scalebook/app/sheet/value"
)

// calling gives the values of laws for arguments in base units; a dtype is given by the bytes of its element, on by
// 1.
func calling(t *testing.T) func(name string, x ...float64) float64 {
	env := New()
	return func(name string, x ...float64) float64 {
		t.Helper()
		f := env.Funcs[name]
		if f == nil || len(f.Params) != len(x) {
			t.Fatalf("no law %s of %d arguments", name, len(x))
		}
		args := make([]value.Value, len(x))
		for i, p := range f.Params {
			args[i] = value.Value{Kind: p.Type.Kind, Bits: 8 * x[i], Bool: x[i] == 1}
			args[i].Num.Value, args[i].Num.Dim = x[i], p.Type.Dim
		}
		v, err := f.Call(args)
		if err != nil {
			t.Errorf("%s%v: %v", name, x, err)
		}
		return v.Num.Value
	}
}

func near(got, want, share float64) bool { return math.Abs(got-want) <= share*math.Abs(want) }

// comparison is what a law gives, and what a recomputation of a published number gives.
type comparison struct {
	what      string
	got, want float64
}

func compare(t *testing.T, rows []comparison) {
	t.Helper()
	for _, r := range rows {
		if !near(r.got, r.want, 1e-12) {
			t.Errorf("%s: %v, want %v", r.what, r.got, r.want)
		}
	}
}

// TestPublishedRooflines, and the two tests below it: recomputations of the problems of Austin et al., "How To Scale
// Your Model" (2025). Where it prints an approximation the shortcut has it, and the exact law what holds.
func TestPublishedRooflines(t *testing.T) {
	law := calling(t)
	exact := func(D float64) float64 { return law("critical_batch_exact", 1.97e14, 8.2e11, D, D, 2, 1, 2) }
	compare(t, []comparison{
		{"int8 matmul, time to compute (s)", law("matmul_flops", 256, 4096, 16384) / 3.94e14, 87.20745778680202e-6},
		{"int8 matmul, time to move (s)",
			law("matmul_bytes", 256, 4096, 16384, 1, 1, 1) / 8.1e11, 89.32314074074074e-6},
		{"int8 weights, bf16 compute: critical batch", law("critical_batch", 1.97e14, 8.2e11, 1), 120.1219512195122},
		{"the same, exact, D=F=4096", exact(4096), 136.08570117920073},
		{"the same, exact, D=F=1024", exact(1024), 226.314844731646},
		{"a matrix for each row",
			law("batched_matmul_flops", 256, 4096, 4096) / law("batched_matmul_bytes", 256, 4096, 4096, 1, 1, 1),
			1.9990239141044412},
		{"two chips, least width", law("two_chip_min_width", 1.97e14, 4.5e10, 2), 8755.555555555555},
		{"two chips, computing (s)", law("two_chip_math", 1024, 8192, 8192, 1.97e14), 348.8298311472081e-6},
		{"two chips, sending (s)", law("two_chip_comms", 1024, 8192, 4.5e10, 2), 372.82702222222224e-6},
		{"dot product of a million", law("dot_flops", 1e6) / law("dot_bytes", 1e6, 2, 2), 0.49999950000025},
	})
}

func TestPublishedCollectives(t *testing.T) {
	law := calling(t)
	compare(t, []comparison{
		{"all-gather, shortcut", law("all_gather_time", 1e8, 90e9), 1111.111111111111e-6},
		{"all-gather, exact", law("all_gather_time_exact", 1e8, 16, 90e9), 1041.6666666666667e-6},
		{"all-reduce, shortcut", law("all_reduce_time", 1e8, 90e9), 2222.222222222222e-6},
		{"ring, one way: hops", law("line_hops", 8), 7},
		{"v5e line of 4", law("all_gather_time_exact", 33554432, 4, 45e9), 559.2405333333334e-6},
		{"v5e, as if it were a ring", law("all_gather_time", 33554432, 90e9), 372.82702222222224e-6},
		{"latency-bound below", law("latency_bound_size", 8, 1e-6, 90e9), 720000},
		{"a hop latency-bound below", law("latency_bound_size", 1, 1e-6, 45e9), 45000},
		{"all-to-all, share of V/W", law("all_to_all_time_exact", 1, 16, 1), 0.25},
		{"all-to-all over a quarter of an all-gather",
			law("all_gather_time_exact", 1, 4, 1) / law("all_to_all_time_exact", 1, 4, 1), 3},
		{"the same, N=16", law("all_gather_time_exact", 1, 16, 1) / law("all_to_all_time_exact", 1, 16, 1), 3.75},
		{"node all-gather", law("all_gather_time_exact", 536870912, 8, 450e9), 0.0010439156622222222},
		{"node, pop quiz 1", law("all_gather_time_exact", 33554432, 8, 450e9), 6.524472888888889e-05},
		{"node, pop quiz 1, shortcut", law("all_gather_time", 33554432, 450e9), 7.456540444444445e-05},
		{"node all-to-all, exact", law("all_to_all_time_switch_exact", 1, 8, 1), 0.109375},
		{"node all-to-all, shortcut", law("all_to_all_time_switch", 1, 8, 1), 0.125},
		{"ragged, k=4", law("all_to_all_time_switch", 1, 8, 1) * law("ragged_share", 4, 8), 0.0625},
		{"ragged curve, Z=8", law("ragged_share_exact", 4, 8) * 7 / 8, 0.362091064453125},
		{"ragged curve, Z=8, approximated", law("ragged_share", 4, 8) * 7 / 8, 0.4375},
		{"ragged curve, Z=2", law("ragged_share_exact", 4, 2) / 2, 0.46875},
		{"ragged curve, Z=40", law("ragged_share_exact", 4, 40) * 39 / 40, 0.09390430664062513},
		{"pop quiz 2", law("all_to_all_time_switch_exact", 2*1048576*8, 8, 450e9), 4.077795555555556e-06},
		{"without SHARP, N=8", law("all_reduce_time_exact", 1, 8, 1), 1.75},
		{"with SHARP", law("all_reduce_time_sharp", 1, 1), 1},
		{"across nodes all-to-all, M=2", law("all_to_all_time_switch_exact", 1, 2, 400e9), 6.25e-13},
		{"the same, shortcut", law("all_to_all_time_switch", 1, 2, 400e9), 1.25e-12},
		{"across nodes all-to-all, M=16", law("all_to_all_time_switch_exact", 1, 16, 400e9), 1.46484375e-13},
		{"level bandwidth, node", law("level_bandwidth", 8, 450e9), 514285714285.7143},
		{"level bandwidth, leaf", law("level_bandwidth", 32, 400e9), 412903225806.4516},
		{"level bandwidth, spine", law("level_bandwidth", 4, 12.8e12), 17066666666666.666},
		{"level bandwidth, two nodes", law("level_bandwidth", 2, 400e9), 800e9},
		{"pop quiz 3, Y=4", law("sharded_gather_time_exact", 536870912, 64, 4, 8, 400e9), 0.00130023424},
		{"pop quiz 3, Y=8", law("sharded_gather_time_exact", 536870912, 32, 8, 8, 400e9), 0.0013002342399999998},
		{"pop quiz 3, Y=16", law("sharded_gather_time_exact", 536870912, 16, 16, 8, 400e9), 0.0006291456},
		{"pop quiz 3, Y=128", law("sharded_gather_time_exact", 536870912, 2, 128, 8, 400e9), 4.194304e-05},
		{"pop quiz 3, Y=256", law("sharded_gather_time_exact", 536870912, 1, 256, 8, 400e9), 0},
		{"tree of 8", law("tree_hops", 8), 3},
		{"a level of the whole SuperPod", law("level_bandwidth_exact", 8, 1024, 400e9), 400e9 * 128 / 127},
	})
}

func TestPublishedTransformers(t *testing.T) {
	law := calling(t)
	compare(t, []comparison{
		{"q7", law("run_mfu", law("training_flops", 37e9, 14.8e12), 2790000*3600, 1513e12), 0.21620665502719955},
		{"q8", law("moe_critical_batch", 240, 1, 256, 8, 1), 3840},
		{"q8 with the table's bandwidth", law("moe_critical_batch", 197e12, 810e9, 256, 8, 1), 3891.358024691358},
	})
}
