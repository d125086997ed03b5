package network

import (
	q "github.com/scalebook/scalebook/app/quantity"
)

// Slices is several slices of the same shape, joined by the data-centre network, to which each chip has its share.
// Collectives run in two levels: inside the slices, and chip by chip with the chips of the same place in the others.
type Slices struct {
	Slices  int // at least 1
	Slice   Torus
	DCN     q.Bandwidth // of one chip, one way
	Latency q.Seconds   // of one step over the data-centre network
	Serial  bool        // the two levels one after the other, instead of overlapped
}

// Size is the number of chips of all slices.
func (s Slices) Size() int { return product([]int{s.Slices, s.Slice.Size()}) }
