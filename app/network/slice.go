package network

import (
	"slices"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/phrase"
	q "github.com/scalebook/scalebook/app/quantity"
)

// Slice is a part of a TPU pod: a torus of one kind of chip.
type Slice struct {
	Torus
	Chip  *hardware.Accelerator
	Hosts int            // machines that the chips are plugged into
	Cores int            // TensorCores of all chips
	Note  *phrase.Phrase // what to know about the shape; nil if nothing
}

// NewSlice is a slice of the given shape, with the catalog's bandwidth of a link, one way, and latency of a hop left
// out. Which shapes there are and which axes wrap around differ by generation; see [Rule]. A shape that does not exist
// is an error that says which do.
func NewSlice(chip *hardware.Accelerator, shape ...int) (Slice, error) { return newSlice(chip, shape) }

// WithLatency is s with a latency for each hop.
func (s Slice) WithLatency(hop q.Seconds) Slice {
	return s.withAxes(func(a *Axis) { a.Latency = hop })
}

// WithLink is s with another one-way bandwidth of a link.
func (s Slice) WithLink(oneWay q.Bandwidth) Slice {
	return s.withAxes(func(a *Axis) { a.OneWay = oneWay })
}

// withAxes is s with every axis changed; the axes of s itself stay.
func (s Slice) withAxes(change func(*Axis)) Slice {
	s.Axes = slices.Clone(s.Axes)
	for i := range s.Axes {
		change(&s.Axes[i])
	}
	return s
}

// Peak is the dense rate of all chips for a dtype.
func (s Slice) Peak(dtype string) (q.FLOPRate, error) {
	c, err := s.Chip.Peak(dtype)
	return q.FLOPRate(float64(s.Size()) * c.Value.Value), err
}

// HBM is the memory of all chips.
func (s Slice) HBM() (q.Bytes, error) {
	v, err := s.Total("hbm")
	return q.Bytes(v), err
}

// HBMBandwidth is the memory bandwidth of all chips.
func (s Slice) HBMBandwidth() (q.Bandwidth, error) {
	v, err := s.Total("hbm_bandwidth")
	return q.Bandwidth(v), err
}

// DCN is the bandwidth of the whole slice to the data-centre network, one way.
func (s Slice) DCN() (q.Bandwidth, error) {
	v, err := s.Total("network_bandwidth")
	return q.Bandwidth(v), err
}

// Total is a constant of the chip, by the catalog's name of its field, times the chips.
func (s Slice) Total(field string) (float64, error) {
	c, err := s.Chip.Get(field)
	return float64(s.Size()) * c.Value.Value, err
}
