package training

import "github.com/scalebook/scalebook/app/law"

// layerSplit are the parameters of laws of a layer's MLP whose weights are gathered over wires of bandwidth W_x, and
// whose activations over wires of W_y. matrices is 2, or 3 with a gate.
const layerSplit = "F, peak FLOP/s > 0, W_x byte/s > 0, W_y byte/s > 0, matrices > 0"

// Laws are the laws of a model that is split over chips to be trained.
func Laws() []law.Law { return append(planLaws(), splitLaws()...) }

// splitLaws are those of layers that are split, and of pipelines.
func splitLaws() []law.Law {
	return []law.Law{
		{Name: "tensor_limit", Takes: "F, peak FLOP/s, W byte/s > 0, matrices > 0", Gives: "",
			Formula: "matrices / 2 * F * W / peak * 1 FLOP/byte", Source: law.AustinTraining,
			Doc: "Tensor-parallel degree up to which an MLP of width F computes longer than its activations take over " +
				"wires of bandwidth W. matrices is 2, or 3 with a gate."},
		{Name: "mixed_floor", Takes: layerSplit, Gives: "token",
			Formula: "2 * peak^2 / (W_x * W_y * matrices * F) * (1 byte/FLOP)^2", Source: law.AustinTraining,
			Doc: "Tokens that each chip needs at least if FSDP over wires of bandwidth W_x and tensor parallelism over " +
				"W_y together are to stay compute-bound, at the best split, as if it could be any number."},
		{Name: "mixed_best", Takes: "B, N, F, W_x byte/s, W_y byte/s > 0, matrices > 0", Gives: "",
			Formula: "sqrt(2 * B * N * W_x / (matrices * F * W_y))", Source: law.AustinTraining,
			Doc: "FSDP degree on N chips, tensor parallelism taking the rest, at which gathering weights and gathering " +
				"activations take the same time. The sum of both is least there, too."},
		{Name: "mixed_time", Takes: "X >= 1, N >= 1, B, D, F, W_x byte/s > 0, W_y byte/s > 0, matrices > 0", Gives: "s",
			Formula: "max(if(X > 1, matrices * D * F * 2 byte * X / (N * W_x), 0 s), " +
				"if(X < N, 4 byte * B * D / (X * W_y), 0 s))", Source: law.AustinTraining,
			Doc: "Time of the collectives of an MLP's forward pass where FSDP of degree X gathers its weights and, at the " +
				"same time, tensor parallelism of degree N / X gathers and adds up its activations, all in bf16."},
		{Name: "expert_width", Takes: "peak FLOP/s, W_node byte/s > 0, Z >= 1, n >= 1, k > 0", Gives: "",
			Formula: "peak / W_node * 1 byte/FLOP * max(0, Z - n) * min(n * k / Z, 1) / k", Source: law.AustinGPUs,
			Doc: "Width of an expert above which its matmuls hide both all-to-alls, if experts are spread over Z " +
				"devices in nodes of n that send W_node each, and a token goes to k of them: once to each node that has some."},
		{Name: "pipeline_send_time", Takes: "B, D, m > 0, p >= 1, W byte/s > 0", Gives: "s",
			Formula: "if(p > 1, 2 byte * B * D / (m * W) * (m + p - 2), 0 s)", Source: law.AustinGPUs,
			Doc: "Time of all sends of a forward pass through p stages, B tokens of width D in bf16, cut into m " +
				"microbatches: from the first that leaves to the last that arrives."},
		{Name: "pipeline_bubble", Takes: "p >= 1, m > 0, v >= 1", Gives: "%",
			Formula: "(p - 1) / (v * m + p - 1)", Source: "Narayanan et al., SC21 (2021), section 2.2",
			Doc: "Share of a step in which a stage of a pipeline is idle: p stages, m microbatches, v chunks of " +
				"layers on each stage."},
		{Name: "pipeline_step", Takes: "a s, m, p >= 1, v >= 1, c s", Gives: "s",
			Formula: "a * (m + (p - 1) / v) + c", Source: "Narayanan et al., SC21 (2021), section 2.2",
			Doc: "Time of a step of a pipeline: a for each of m microbatches, the bubble of p stages with v chunks each, " +
				"and c, which comes once in a step."},
	}
}

// planLaws are the main terms of a plan's price. The search computes them in Go; sheets open them by these, and a test
// holds both equal.
func planLaws() []law.Law {
	return []law.Law{
		{Name: "plan_matmul_time", Takes: "passes, layers, tokens, ways >= 1, weights, whole, split, element byte, " +
			"rate FLOP/s > 0, stream byte/s > 0", Gives: "s",
			Formula: "passes * layers * (2 FLOP * tokens * weights/ways/rate + (element * weights/ways + " +
				"(element + 1 byte) * tokens * (whole + split/ways))/stream)", Source: law.PlanPricing,
			Doc: "Time of a microbatch’s matmuls outside routed experts on a stage of so many layers: their operations " +
				"at the rate that large ones reach, and then their operands and results through the memory."},
		{Name: "plan_attention_time", Takes: "passes, layers, tokens, ways >= 1, scores FLOP, rate FLOP/s > 0", Gives: "s",
			Formula: "passes * layers * tokens * scores / ways / rate", Source: law.PlanPricing,
			Doc: "Time of a microbatch’s flash attention, scores being the operations of a token in a layer, forward."},
		{Name: "plan_tp_time", Takes: "shown, layers, gathers, tokens, width, ways >= 1, W byte/s, latency s", Gives: "s",
			Formula: "if(ways > 1, shown * layers * gathers * (2 byte * tokens * width * (ways - 1)/ways/W + latency), 0 s)",
			Source:  law.PlanPricing,
			Doc: "Traffic of tensor parallelism with sequence parallelism in a microbatch, as far as it shows: so many " +
				"gathers and scatters a layer of the activations of the whole width."},
		{Name: "plan_bubble_time", Takes: "slot s, uneven, p >= 1, v >= 1, share", Gives: "s",
			Formula: "share * slot * uneven * (p - 1) / v", Source: law.PlanPricing,
			Doc: "Bubble of a step: uneven is the mean stage over the slowest, share what the schedule leaves of the " +
				"bubble of one forward, one backward."},
		{Name: "plan_dp_time", Takes: "shown, weights, sent byte, ranks >= 1, W byte/s, exchanges, latency s", Gives: "s",
			Formula: "if(ranks > 1, shown * (weights * sent * (ranks - 1)/ranks/W + exchanges * latency), 0 s)",
			Source:  law.PlanPricing,
			Doc: "Gradients and weights between replicas in a step, as far as they show: sent bytes for each weight that " +
				"a rank holds before sharding."},
		{Name: "plan_state_bytes", Takes: "weights, routed, each byte, shards >= 1, expert_shards >= 1", Gives: "byte",
			Formula: "each * (weights/shards + routed/expert_shards)", Source: law.PlanPricing,
			Doc: "A part of the training state on a rank: each bytes for every weight that it holds, outside and inside of " +
				"routed experts, over so many shards."},
		{Name: "plan_activation_bytes", Takes: "layers, kept byte, in_flight, live byte", Gives: "byte",
			Formula: "layers * kept * in_flight + live", Source: law.PlanPricing,
			Doc: "Activations on a rank: what a layer keeps of a microbatch, for all microbatches in flight, and the " +
				"layer that is being computed again."},
	}
}
