package network

import (
	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/phrase"
)

// hopLaws are those of distance and latency.
func hopLaws() []law.Law {
	return []law.Law{
		{Name: "line_hops", Takes: "N >= 1", Gives: "hop",
			Formula: "N - 1", Source: law.AustinSharding,
			Doc: "Hops from one end of a line of N chips to the other, and around a ring in one direction."},
		{Name: "tree_hops", Takes: "N >= 1", Gives: "hop",
			Formula: "ceil(log2(N))", Source: law.Thakur,
			Doc: "Steps until N chips have heard, if those who have double with each step."},
		{Name: "all_gather_time_hops", Takes: "V byte, N >= 1, W_twoway byte/s > 0, hop s", Gives: "s",
			Formula: "max(hop * N/2, V/W_twoway)", Source: law.AustinSharding,
			Doc: "Textbook time of an all-gather of V bytes over a ring of N, where each of N/2 hops takes at " +
				"least hop. W_twoway is a link’s bandwidth both ways."},
		{Name: "all_gather_time_line", Takes: "V byte, N >= 1, W_oneway byte/s > 0, hop s", Gives: "s",
			Formula: "max(hop * (N - 1), " + share + "W_oneway)", Source: law.Played,
			Doc: "Exact time of an all-gather of V bytes over a line of N (or around a ring in one direction), " +
				"the latency of its hops hidden behind the bytes or the other way round. W_oneway is a link’s " +
				"bandwidth one way."},
		{Name: "piped_time", Takes: "V byte, W byte/s > 0, start s, fill s", Gives: "s",
			Formula: "start + V/W + 2 * sqrt(fill * V/W)", Source: law.Counted,
			Doc: "Time of a collective of V bytes whose pieces follow each other through the steps of its algorithm, as " +
				"many pieces as take least: start once, fill the start-ups of the steps, W what is reached with large arrays."},
		{Name: "latency_bound_size", Takes: "hops, hop s, W byte/s > 0", Gives: "byte",
			Formula: "hops * hop * W", Source: law.AustinSharding,
			Doc: "Size below which the hops take longer than the bytes V/W."},
	}
}

// treeLaws are those of the levels of a tree of switches.
func treeLaws() []law.Law {
	return []law.Law{
		{Name: "level_bandwidth", Takes: "D > 1, egress byte/s > 0", Gives: "byte/s",
			Formula: "D * egress/(D - 1)", Go: levelBandwidth, Source: law.AustinGPUs,
			Doc: "Collective bandwidth of one level of a tree that joins D units of a one-way egress, as the " +
				"textbook has it; exact for the topmost level."},
		{Name: "level_bandwidth_exact", Takes: "n >= 1, N >= 1, egress byte/s > 0", Gives: "byte/s",
			Formula: "N * egress/(N - n)", Source: law.Played,
			Where: "N > n", Else: phrase.New("network.whole-unit"),
			Doc: "Collective bandwidth of the level over units of n devices, if the array is spread over N " +
				"devices: a unit of a one-way egress lacks (N-n)/N of it."},
		{Name: "sharded_gather_time_exact", Takes: "V byte, X >= 1, Y >= 1, D >= 1, egress byte/s > 0", Gives: "s",
			Formula: "min(Y, D) * V/Y * max(0, 1 - D/(min(Y, D)*X))/egress", Source: law.Played,
			Doc: "Exact time of a gather over X devices of V bytes that are also sharded over an inner axis of " +
				"Y, at a level whose units of D devices (1: the devices themselves) have a one-way egress."},
	}
}

func levelBandwidth(a law.Args) (float64, error) {
	return float64(LevelBandwidth(a.Num(0), a.Bandwidth(1))), nil
}
