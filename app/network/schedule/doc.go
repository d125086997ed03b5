// Package schedule plays collectives out step by step: at each step which chip sends which chunks to whom, over which
// wires, and what everyone holds afterwards. It knows nothing of the laws of package network, so that a test can hold
// the two against each other and a drawing can show what a law counts.
//
// A [Schedule] is data. Builders make one for an algorithm: [AllGather] along the axes of a [Grid] (rings both ways or
// one way, lines, several axes at once), [AllToAll] on shortest ways, [Doubling], [Direct], [Levels] through a tree of
// switches, [Binomial] and [Pipeline] for a broadcast, [InSwitch] for a reduction in the network. [Reverse] of an
// all-gather is a reduce-scatter; [Schedule.Then] puts two together, as an all-reduce is made.
//
//	gather, err := schedule.AllGather(schedule.Ring(8), 1e6, schedule.BothWays)
//	err = gather.Play(func(step int, s *schedule.State) bool { ...draw...; return true })
//
// Play moves the chunks as the steps say, refuses to send what a chip does not hold or to add what has been added
// already, and at the end checks that everyone holds what the collective promises. Loads says what each wire carried.
//
// Work is bounded: builders refuse more than MaxChips chips or MaxMoves moves of a chunk.
package schedule
