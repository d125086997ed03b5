// Package network is how accelerators are joined, and what each collective costs on it.
//
// # Topologies
//
// A [Torus] is axes of chips in lines or rings; [NewSlice] cuts one out of a TPU pod, with the rule for which axes
// wrap around. A [Switch] joins the devices of a node, each with the same one-way egress. A [Tree] stacks levels of
// switches: node, leaf, spine. [Slices] joins several slices by their chips' share of the data-centre network.
//
// # Collectives
//
// A [Collective] is what is done with how many bytes; Over says what it costs on a group of chips:
//
//	cost, err := network.Collective{Op: network.AllGather, Bytes: v}.Over(torus)
//
// A [Group] is who takes part, and over what: a Torus (all of it; [Torus.Along] picks axes), a Switch, a [Ranks] of a
// Tree (all of them, or every so many, as it is when an inner axis shards the array too), or Slices.
//
// # Bytes
//
// Bytes is always the whole array of one group, V:
//
//	all-gather      what every chip has in the end; each begins with V/N
//	reduce-scatter  what every chip begins with; each ends with V/N
//	all-reduce      what every chip begins and ends with
//	all-to-all      the array over all chips; each holds V/N, and sends V/N^2 to every other
//	broadcast       what the root has, and everyone in the end; reduce is its reverse
//	permute         what each chip sends to one other
//
// # Two results, by name
//
// [Cost].Time is exact for the algorithm that Cost names: (N-1)/N, hops and all. Cost.Shortcut is the textbook's
// approximation beside it (V/W for an all-gather). [Laws] declares both for sheets:
// all_gather_time_exact counts that each chip lacks (N-1)/N of the array, all_gather_time takes it for the whole.
//
// # Bandwidth
//
// Bandwidths are one way: of one link, one direction. Where both directions of a ring work at once its two-way
// bandwidth, twice as much, is called W2 and said so.
package network
