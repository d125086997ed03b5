// Package search finds where two curves meet, touch or jump across each other in an [Interval], and where one is least.
// It knows numbers only: the curves are functions, and what it finds are places. app/sheet puts them into words.
//
// [Meet] looks at some hundred places, closely where the curves change sides (bracket, in narrow.go), and where they
// come near each other without doing so (touch.go). [Crossings] and [Changeovers] read samples that were taken already,
// as of a plot. [Least] finds the least value of one curve.
//
// All of it is bounded: no curve, however wild, is evaluated more than some thousand times.
package search
