package network

import "slices"

// The tree that flows are placed on: leaves of so many nodes. Each leaf has one link to every spine, and a link carries
// what a node can send.
const (
	LeafNodes  = 4
	MostLeaves = 8
	MostSpines = 8
)

// Flows are what nodes offer to the links between leaves and spines, in what one link carries. The nodes fill leaf
// after leaf. A switch either chooses one spine for each flow, by a hash of who sends to whom (equal-cost multipath
// routing, RFC 2992), or spreads the packets of a flow over all spines (Dixit and others, INFOCOM 2013).
type Flows struct {
	Nodes, Spines int
	Up, Down      [MostLeaves][MostSpines]float64
}

// Patterns are those by which nodes send.
func Patterns() []string { return []string{"next", "half", "all"} }

// PlaceFlows places the flows of nodes that all send as fast as they can: each to the "next", each to the one "half" of
// them away, or each to "all" others alike. Of another pattern there are no flows. Nodes and spines beyond what the
// tree holds are left out; hash chooses one of 256 hashes.
func PlaceFlows(pattern string, nodes, spines int, spread bool, hash int) *Flows {
	f := &Flows{Nodes: min(max(nodes, 1), LeafNodes*MostLeaves), Spines: min(max(spines, 1), MostSpines)}
	for from := range f.Nodes {
		for step := 1; step < f.Nodes; step++ {
			if rate := rateOfStep(pattern, step, f.Nodes); rate > 0 {
				f.place(from, (from+step)%f.Nodes, rate, spread, hash)
			}
		}
	}
	return f
}

// rateOfStep is what a node sends to the one so many places on, over what it can send.
func rateOfStep(pattern string, step, nodes int) float64 {
	switch {
	case pattern == "all":
		return 1 / float64(nodes-1)
	case pattern == "next" && step == 1, pattern == "half" && step == nodes/2:
		return 1
	}
	return 0
}

// place adds one flow to the links that it takes: none within a leaf.
func (f *Flows) place(from, to int, rate float64, spread bool, hash int) {
	up, down := &f.Up[from/LeafNodes], &f.Down[to/LeafNodes]
	if up == &f.Up[to/LeafNodes] {
		return
	}
	if spread {
		for i := range f.Spines {
			up[i] += rate / float64(f.Spines)
			down[i] += rate / float64(f.Spines)
		}
		return
	}
	i := int(mix(uint32(from<<16|to<<8|hash&0xff)) % uint32(f.Spines))
	up[i] += rate
	down[i] += rate
}

// mix is the finalizer of MurmurHash3: each bit of x decides about every bit of the result.
func mix(x uint32) uint32 {
	x = (x ^ x>>16) * 0x85ebca6b
	x = (x ^ x>>13) * 0xc2b2ae35
	return x ^ x>>16
}

// Busiest is the link that is offered most: its load, its leaf and spine, counted from 0, and whether it goes up.
func (f *Flows) Busiest() (load float64, leaf, spine int, up bool) {
	for _, goesUp := range []bool{true, false} {
		links := &f.Down
		if goesUp {
			links = &f.Up
		}
		for l := range links {
			if most := slices.Max(links[l][:]); most > load*(1+1e-9) {
				load, leaf, spine, up = most, l, slices.Index(links[l][:], most), goesUp
			}
		}
	}
	return load, leaf, spine, up
}
