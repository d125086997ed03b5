// Package search finds where two curves meet, touch or jump across each other in an [Interval], where one is least, and
// how steep one is. It knows numbers only: the curves are functions, and what it finds are places. Package solve puts
// them into words.
//
// [Meet] looks at some hundred places, closely where the curves change sides (bracket, in narrow.go), and where they
// come near each other without doing so (touch.go). [Crossings] and [Changeovers] read samples that were taken already,
// as of a plot. [Least] finds the least value of one curve, [Slope] how steep it is.
//
// All of it is bounded: no curve, however wild, is evaluated more than some thousand times.
package search
