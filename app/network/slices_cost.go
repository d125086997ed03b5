package network

import (
	"strconv"

	"github.com/scalebook/scalebook/app/law"
	q "github.com/scalebook/scalebook/app/quantity"
)

// String names s for a reader: "4 slices of 16x16".
func (s Slices) String() string {
	if s.Slices == 1 {
		return s.Slice.String()
	}
	return strconv.Itoa(s.Slices) + " slices of " + s.Slice.Shape()
}

func (s Slices) cost(c Collective) (Cost, error) {
	if s.Slices == 1 {
		return s.Slice.cost(c)
	}
	if err := checkLink("the data-centre network", s.DCN, s.Latency); err != nil {
		return Cost{}, err
	}
	inside, err := s.inside(c)
	if err != nil {
		return Cost{}, err
	}
	w := way{
		algorithm: "inside the slices and between them, overlapped",
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
		w.stages = []Stage{{Name: c.Op.String(), Why: "between the slices"}}
		if c.Op == AllReduce {
			w.stages = append(w.stages, w.stages[0])
		}
	}
	stages := make([]Stage, 0, 2*len(w.stages))
	for i, st := range w.stages {
		w.addHops(steps, s.Latency)
		if s.Serial {
			w.algorithm = "inside the slices, then between them"
			between := Stage{
				Name:  st.Name + " between slices",
				Why:   "each chip with those of the same place in the other slices",
				Terms: []Term{dcn},
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
		c.part = "what a slice has for its own chips"
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
	t := term("data-centre network", q.Bytes(bytes), s.DCN, "", q.Bytes(rough).Over(s.DCN))
	t.Formula, t.Values = c.raggedly(
		formula,
		[]law.Value{c.array(), count("M", m, "the slices"), count("S", chips, "the chips of a slice"),
			rate("W_dcn", s.DCN, "a chip's share of the data-centre network, one way"), count("N", m*chips, "the chips")},
	)
	return t
}
