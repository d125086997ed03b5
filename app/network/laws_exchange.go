package network

import "github.com/scalebook/scalebook/app/law"

// exchangeLaws are those of all-to-alls, dense ones and ragged ones, as mixtures of experts make them.
func exchangeLaws() []law.Law {
	return []law.Law{
		{Name: "all_to_all_time", Takes: "V byte, W_twoway byte/s > 0", Gives: "s",
			Formula: "V / (4*W_twoway)", Source: law.AustinSharding,
			Doc: "Textbook time of an all-to-all of an array of V bytes over a ring in both directions: a " +
				"quarter of an all-gather. W_twoway is a link’s bandwidth both ways."},
		{Name: "all_to_all_time_exact", Takes: "V byte, N >= 1, W byte/s > 0", Gives: "s",
			Formula: "floor(N^2/4)/N^2 * V/W", Source: law.Played,
			Doc: "Exact time of an all-to-all of an array of V bytes over a ring of N on shortest ways (W a " +
				"link’s bandwidth both ways), or over a line (W one way)."},
		{Name: "all_to_all_time_torus", Takes: "V byte, N >= 1, X >= 1, W byte/s > 0", Gives: "s",
			Formula: axisExchange, Go: axisExchangeTime, Source: law.Played,
			Doc: "Exact time of an all-to-all of V bytes over a torus of N chips, for its axis of X chips; the " +
				"slowest axis counts. W is a link’s bandwidth along it: both ways if it wraps around, one way " +
				"if not."},
		{Name: "all_to_all_time_switch", Takes: "V byte, N >= 1, egress byte/s > 0", Gives: "s",
			Formula: "V / (N*egress)", Source: law.AustinGPUs,
			Doc: "Textbook time of an all-to-all of an array of V bytes over N devices on a switch, or N nodes " +
				"of a tree, at a one-way egress."},
		{Name: "all_to_all_time_switch_exact", Takes: "V byte, N >= 1, egress byte/s > 0", Gives: "s",
			Formula: switchExchange + "egress", Source: law.AustinGPUs,
			Doc: "Exact time of an all-to-all of an array of V bytes over N devices on a switch, or N nodes of " +
				"a tree, at a one-way egress."},
		{Name: "ragged_share", Takes: "k, N >= 1",
			Formula: "min(k/N, 1)",
			Go:      raggedShareShortcut, Source: law.AustinGPUs,
			Doc: "Textbook share of an all-to-all’s chunks that carry anything, if each token goes to k of many " +
				"experts on N devices: an upper bound."},
		{Name: "ragged_share_exact", Takes: "k, N >= 1",
			Formula: raggedShare,
			Go:      raggedShareExact, Source: law.AustinGPUs,
			Doc: "Expected share of an all-to-all’s chunks that carry anything, if each token goes to k experts " +
				"at random, spread evenly over N devices."},
	}
}

func axisExchangeTime(a law.Args) (float64, error) {
	return float64(AxisExchange(a.Bytes(0), a.Num(1), a.Num(2), a.Bandwidth(3))), nil
}

func raggedShareExact(a law.Args) (float64, error) { return RaggedShare(a.Num(0), a.Num(1)), nil }

func raggedShareShortcut(a law.Args) (float64, error) {
	return RaggedShareShortcut(a.Num(0), a.Num(1)), nil
}
