// Package collectives is the instrument "Collectives, step by step": a collective on a ring, a line, a slice of a TPU pod, a node
// behind a switch or a tree of nodes.
//
//   - collectives.go and fit.go have the controls; subject.go turns what is set into a group and a cost of package network.
//   - play.go chooses the schedule of package schedule, the one that tests hold the laws to, and count.go
//     adds up its clock and its bytes.
//   - hold.go says what every chip holds after a step, draw.go, place.go, cells.go and arrow.go draw it, twin.go says it in a table.
//   - curve.go is the cost over size with what was measured (measured.tsv); working.go the terms of the law with their numbers.
package collectives
