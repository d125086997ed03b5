package network

import (
	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/phrase"
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

// In names s for a reader: "4 slices of 16x16".
func (s Slices) In(l phrase.Phrases) string {
	if s.Slices == 1 {
		return s.Slice.In(l)
	}
	return l.Say("network.slices", "n", s.Slices, "shape", s.Slice.Shape())
}

// String names s in English.
func (s Slices) String() string { return s.In(phrase.Phrases{}) }

func (s Slices) cost(c Collective) (Cost, error) {
	if s.Slices == 1 {
		return s.Slice.cost(c)
	}
	if err := checkLink(Resource{Kind: SliceEgress}, s.DCN, s.Latency); err != nil {
		return Cost{}, err
	}
	inside, err := s.inside(c)
	if err != nil {
		return Cost{}, err
	}
	w := way{
		algorithm: phrase.New("network.overlapped"),
		stages:    inside.Stages,
		hops:      inside.Hops,
		latency:   inside.Latency,
	}
	dcn := s.between(c)
	steps := s.Slices - 1
	if c.Op == Permute {
		steps = 1
	}
	if len(w.stages) == 0 {
		w.stages = []Stage{{Op: c.Op, Why: phrase.New("network.between")}}
		if c.Op == AllReduce {
			w.stages = append(w.stages, w.stages[0])
		}
	}
	stages := make([]Stage, 0, 2*len(w.stages))
	for i, st := range w.stages {
		w.addHops(steps, s.Latency)
		if s.Serial {
			w.algorithm = phrase.New("network.in-turn")
			between := Stage{
				Op: st.Op, Between: true, Why: phrase.New("network.same-place"), Terms: []Term{dcn},
			}
			if c.Op == AllGather || i > 0 {
				stages = append(stages, between, st)
			} else {
				stages = append(stages, st, between)
			}
			continue
		}
		st.Terms = append(st.Terms[:len(st.Terms):len(st.Terms)], dcn)
		stages = append(stages, st)
	}
	w.stages = stages
	return w.cost(c, s.Size())
}

// inside is the part of c that runs in each slice: the whole array for a gather, a slice's share of an exchange.
func (s Slices) inside(c Collective) (Cost, error) {
	if s.Slice.Size() == 1 || c.Op == Permute {
		return Cost{}, nil
	}
	if c.Op == AllToAll {
		exact, _ := c.ragged(s.Size())
		c.Bytes, c.Active = q.Bytes(exact)*c.Bytes/q.Bytes(s.Slices), 0
		c.part = "network.slice-own"
	}
	return s.Slice.cost(c)
}

// between is what each chip sends over the data-centre network in a stage: a chip has the S-th part of the slice's
// array to gather among M slices.
func (s Slices) between(c Collective) Term {
	m, chips, v := float64(s.Slices), float64(s.Slice.Size()), float64(c.Bytes)
	lacks := float64(gatherTime(c.Bytes, m, m, 1)) / chips
	bytes, rough, formula := lacks, v/chips, "(M - 1)/M * V/(S*W_dcn)"
	switch c.Op {
	case AllToAll:
		exact, shortcut := c.ragged(s.Size())
		bytes, rough, formula = exact*lacks/m, shortcut*v/(m*chips), "(M - 1)/M * V/(M*S*W_dcn)"
	case Broadcast, Reduce:
		bytes, formula = v/chips, "V/(S*W_dcn)"
	case Permute:
		bytes, rough, formula = v, v, "V/W_dcn"
	}
	t := term(Resource{Kind: SliceEgress}, q.Bytes(bytes), s.DCN, "", q.Bytes(rough).Over(s.DCN))
	t.Formula, t.Values = c.raggedly(
		formula,
		[]law.Value{c.array(), count("M", m, "network.the-slices"), count("S", chips, "network.slice-chips"),
			rate("W_dcn", s.DCN, "network.dcn-share"), count("N", m*chips, "network.the-chips")},
	)
	return t
}
