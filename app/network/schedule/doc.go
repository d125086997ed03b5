// Package schedule plays collectives out step by step: at each step which chip sends which chunks to whom, how many
// bytes that puts on each link, and what everyone holds afterwards. It knows nothing of the laws of package network,
// so that a test can hold the two against each other and a drawing can show what a law counts.
package schedule
