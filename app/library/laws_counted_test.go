package library

import "testing"

// TestCountedLaws: laws that no published problem has, at round arguments, with the arithmetic written out.
func TestCountedLaws(t *testing.T) {
	law := calling(t)
	compare(t, []comparison{
		// bytes: two inputs of 2 bytes, an output of 4
		{"elementwise", law("elementwise_bytes", 1000, 2, 2, 4), 1000 * (2*2 + 4)},
		{"elementwise operations", law("elementwise_flops", 1000, 3), 3000},
		// 1 ns for each of 1000 steps along the side, and twice the roofline's time: first of FLOPs, then of bytes
		{
			"started, computing",
			law("matmul_time_started", 1000, 1000, 1000, 1e12, 1e12, 0.5, 1e-9, 2, 2, 2),
			1e-6 + 2*2e9/1e12,
		},
		{"started, moving", law("matmul_time_started", 1000, 1000, 1000, 1e15, 1e9, 0.5, 1e-9, 2, 1, 4), 1e-6 + 2*7e6/1e9},

		// a stage of two layers, two ways: 2 FLOP a weight; 2 bytes a weight, 2 + 1 for each side of a matmul
		{"plan’s matmuls", law("plan_matmul_time", 3, 2, 1000, 2, 1e7, 4000, 10000, 2, 1e15, 4e12),
			3 * 2 * (2*1000*1e7/2/1e15 + (2*1e7/2+3*1000*(4000+10000/2))/4e12)},
		{"plan’s attention", law("plan_attention_time", 3.5, 2, 1000, 2, 4e6, 1e15), 3.5 * 2 * 1000 * 4e6 / 2 / 1e15},
		{"plan’s tensor parallelism", law("plan_tp_time", 0.5, 2, 10, 1000, 100, 4, 1e9, 1e-6),
			0.5 * 2 * 10 * (2*1000*100*3.0/4/1e9 + 1e-6)},
		{"plan’s bubble", law("plan_bubble_time", 10, 0.8, 4, 2, 0.5), 0.5 * 10 * 0.8 * 3 / 2},
		{"plan’s replicas", law("plan_dp_time", 0.5, 1e6, 6, 4, 1e9, 2, 1e-6), 0.5 * (1e6*6*3/4/1e9 + 2*1e-6)},
		{"plan’s state", law("plan_state_bytes", 100, 60, 2, 4, 3), 2 * (100/4 + 60/3)},
		{"plan’s activations", law("plan_activation_bytes", 4, 10, 3, 5), 4*10*3 + 5},

		// of 64 devices in nodes of 8 a token with 4 experts goes to 8 x 4/64 of a node's; 56 are elsewhere
		{"width of an expert", law("expert_width", 1e15, 4e11, 64, 8, 4), 1e15 / 4e11 * 56 * 0.5 / 4},
		{"tensor limit", law("tensor_limit", 8000, 1e15, 1e11, 3), 1.5 * 8000 * 1e11 / 1e15},
		// each microbatch has 2 x 1000 x 100/4 bytes; four leave one after another, the last one has a stage more to go
		{"sends of a pipeline", law("pipeline_send_time", 1000, 100, 4, 3, 1e5), 5 * 50000 / 1e5},
		{"no pipeline", law("pipeline_send_time", 1000, 100, 4, 1, 1e5), 0},
		{"bubble", law("pipeline_bubble", 4, 6, 2), 3.0 / (2*6 + 3)},
		{"step of a pipeline", law("pipeline_step", 2, 6, 5, 2, 1), 2*(6+4/2) + 1},

		{"decode step, reading", law("decode_step_time", 8e9, 2e9, 1e12, 1e12, 1e15), 2e-3 + 8e-3},
		{"decode step, computing", law("decode_step_time", 8e9, 2e9, 2e13, 1e12, 1e15), 2e-3 + 2e-2},
		{"decode, ways", law("decode_tp_limit", 4, 8000, 8e11, 9e10, 1, 2), 0.5 * 8000 / 4 * 9e10 / 8e11},
		{
			"both widths",
			law("weight_stationary_2d_time", 10, 1000, 4000, 4, 16, 1e9, 2),
			2*10*1000/4/1e9 + 2*2*10*4000/16/1e9,
		},
		// two tokens miss an expert with 3/4 each; the fullest of three ranks has three of eight
		{"experts read", law("experts_read", 8, 2, 2, 3), (1 - 0.75*0.75) * 3},
		{"price of a million tokens", law("million_token_price", 1e-3, 8, 4000), 1e6 * 1e-3 * 8 / 4000},
		{"requests under way", law("requests_under_way", 2, 3), 6},
		{"sequences held", law("sequences_held", 100, 10, 4), 40},

		{"piped", law("piped_time", 4e9, 1e9, 1, 4), 1 + 4 + 2*4},
		{"hops of a ring, bytes", law("all_gather_time_hops", 100, 8, 10, 1), 10},
		{"hops of a ring, latency", law("all_gather_time_hops", 100, 8, 10, 5), 5 * 4},
		{"hops of a line, bytes", law("all_gather_time_line", 160, 8, 10, 1), 14},
		{"hops of a line, latency", law("all_gather_time_line", 80, 8, 10, 2), 2 * 7},
		{"bus of a gather", law("gather_bus_bandwidth", 8, 4, 2), 8 * 3.0 / 4 / 2},
		{"bus of an all-reduce", law("all_reduce_bus_bandwidth", 8, 4, 2), 2 * 8 * 3.0 / 4 / 2},
		// five pieces, and 2 x 4 - 3 more steps until the first sum is back at the end where it began
		{"all-reduce on a line", law("all_reduce_time_line", 100, 4, 10, 5), (5.0 + 5) / 5 * 100 / 10},
		{"all-to-all, shortcut", law("all_to_all_time", 80, 10), 2},
		{"all-to-all on a torus", law("all_to_all_time_torus", 64, 16, 4, 1), 64.0 / 16},
		{"steps of a tree of 5", law("tree_hops", 5), 3},
		{"a level", law("level_bandwidth_exact", 8, 32, 3), 32 * 3.0 / 24},
	})
}
