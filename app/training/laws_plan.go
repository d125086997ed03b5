package training

import "github.com/scalebook/scalebook/app/law"

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
