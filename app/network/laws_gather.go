package network

import "github.com/scalebook/scalebook/app/law"

// gatherLaws are those of all-gather, reduce-scatter and all-reduce.
func gatherLaws() []law.Law {
	return []law.Law{
		{Name: "all_gather_time", Takes: "V byte, W byte/s > 0", Gives: "s",
			Formula: "V / W", Source: law.AustinSharding,
			Doc: "Textbook time of an all-gather of V bytes in all, for many chips." + intakeDoc},
		{Name: "all_gather_time_exact", Takes: "V byte, N >= 1, W byte/s > 0", Gives: "s",
			Formula: share + "W", Go: allGatherTime, Source: law.Thakur,
			Doc: "Exact time of an all-gather of V bytes in all over N chips: each lacks (N-1)/N of it." + intakeDoc},
		{Name: "reduce_scatter_time", Takes: "V byte, W byte/s > 0", Gives: "s",
			Formula: "V / W", Source: law.AustinSharding,
			Doc: "Textbook time of a reduce-scatter of an array of V bytes on every chip, for many chips." + intakeDoc},
		{Name: "reduce_scatter_time_exact", Takes: "V byte, N >= 1, W byte/s > 0", Gives: "s",
			Formula: share + "W", Go: allGatherTime, Source: law.Thakur,
			Doc: "Exact time of a reduce-scatter of an array of V bytes on each of N chips." + intakeDoc},
		{Name: "all_reduce_time", Takes: "V byte, W byte/s > 0", Gives: "s",
			Formula: "2 * V/W", Source: law.AustinSharding,
			Doc: "Textbook time of an all-reduce of an array of V bytes on every chip, for many chips: a " +
				"reduce-scatter, then an all-gather." + intakeDoc},
		{Name: "all_reduce_time_exact", Takes: "V byte, N >= 1, W byte/s > 0", Gives: "s",
			Formula: "2 * " + share + "W", Go: allReduceTime, Source: law.Thakur,
			Doc: "Exact time of a reduce-scatter and an all-gather of V bytes over N chips." + intakeDoc},
		{Name: "all_reduce_time_sharp", Takes: "V byte, egress byte/s > 0", Gives: "s",
			Formula: "V / egress", Source: law.AustinGPUs,
			Doc: "Exact time of an all-reduce of V bytes if the switch adds (SHARP): every device sends and " +
				"receives V once, at its one-way egress."},
		{Name: "all_reduce_time_line", Takes: "V byte, N >= 1, W_oneway byte/s > 0, pieces >= 1", Gives: "s",
			Formula: "if(N > 1, (pieces + 2*N - 3)/pieces * V/W_oneway, 0 s)", Source: law.Played,
			Doc: "Exact time of an all-reduce of V bytes in pieces along a line of N chips, summed up towards " +
				"one end while the sums run back. W_oneway is a link’s bandwidth one way."},
		{Name: "gather_bus_bandwidth", Takes: "V byte, N >= 1, T s", Gives: "byte/s",
			Formula: share + "T", Source: law.NCCL,
			Doc: "What an all-gather or reduce-scatter of V bytes over N devices in the time T moves in or out " +
				"of each: its bus bandwidth."},
		{Name: "all_reduce_bus_bandwidth", Takes: "V byte, N >= 1, T s", Gives: "byte/s",
			Formula: "2 * " + share + "T", Source: law.NCCL,
			Doc: "What an all-reduce of V bytes over N devices in the time T moves in or out of each, if no " +
				"switch adds: its bus bandwidth."},
	}
}
