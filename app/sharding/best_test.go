package sharding

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/scalebook/scalebook/app/network"
	q "github.com/scalebook/scalebook/app/quantity"
)

// priced is a fabric with prices of the test's own.
func priced(m *Mesh, price func(op network.Op, mask uint8) rate) *Fabric {
	f := &Fabric{Mesh: m, kind: onTorus, Pieces: make([][]Piece, len(m.Axes))}
	for op := range f.memory {
		for mask := range f.memory[op] {
			f.memory[op][mask] = price(network.Op(op), uint8(mask))
		}
	}
	return f
}

// prices draws a cost for each collective, those over more axes being cheaper for each byte or not offered.
func prices(r *rand.Rand) func(network.Op, uint8) rate {
	table := map[[2]int]rate{}
	return func(op network.Op, mask uint8) rate {
		key := [2]int{int(op), int(mask)}
		if _, ok := table[key]; !ok {
			per := (0.5 + r.Float64()) / float64(bits.OnesCount8(mask))
			switch op {
			case network.AllReduce:
				per *= 1 + r.Float64()
			case network.AllToAll:
				per *= 0.1 + r.Float64()
			}
			table[key] = rate{perByte: per, shortcut: per * 1.1, latency: r.Float64() * 20, state: 1}
		}
		return table[key]
	}
}

// TestBestIsBestOfAll holds the planner's best equal to the exhaustive search's, on meshes of two and three axes.
func TestBestIsBestOfAll(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	einsums := []string{
		"%s[I, J] . %s[J, K] -> %s[I, K]",
		"%s[G, I, J] . %s[G, J] -> %s[G, I]",
		"%s[I, J, L] . %s[L, J] -> %s[I]",
		"%s[I] . %s[K] -> %s[I, K]",
	}
	compared, most := 0, 72
	if testing.Short() {
		most /= 6
	}
	for compared < most {
		mesh := "X=2, Y=2"
		if compared%4 == 3 {
			mesh = "X=2, Y=4, Z=2"
		}
		m := mustMesh(t, mesh)
		sizes := fmt.Sprintf("G=16, I=%d, J=%d, K=%d, L=16", 16<<r.IntN(5), 16<<r.IntN(5), 16<<r.IntN(5))
		e := mustEinsum(t, fmt.Sprintf(einsums[r.IntN(len(einsums))], "A", "B", "C"), sizes, mesh)
		for i := range 3 {
			scatter(r, e.array(i), m, i == inC)
		}
		price := prices(r)
		chip := Chip{Peak: q.FLOPRate(math.Exp(r.Float64()*8) / 2), HBM: q.Bandwidth(math.Exp(r.Float64() * 6))}
		lower, comms := (&brute{e, price}).best(chip)
		p := NewPlan(e, chip, priced(m, price), Options{Most: 10000})
		if math.IsInf(lower, 1) != (len(p.Strategies) == 0) || !p.Complete {
			t.Fatalf("%s: %d strategies, complete: %v, by hand %v", e, len(p.Strategies), p.Complete, lower)
		}
		compared++
		if len(p.Strategies) == 0 {
			continue
		}
		least := math.Inf(1)
		for _, s := range p.Strategies {
			least = min(least, float64(s.Comms))
		}
		if best := float64(p.Strategies[0].Lower()); math.Abs(best-lower) > 1e-9*lower || math.Abs(least-comms) > 1e-9*comms {
			t.Fatalf(
				"%s: the best takes %v, by hand %v; the least communication is %v, by hand %v\n%s",
				e,
				best,
				lower,
				least,
				comms,
				p.Strategies[0].Title(m),
			)
		}
	}
}

// scatter splits an array at random; of the product a part may be left unreduced.
func scatter(r *rand.Rand, a *Array, m *Mesh, product bool) {
	for _, x := range r.Perm(len(m.Axes)) {
		switch k := r.IntN(len(a.Dims) + 2); {
		case k < len(a.Dims):
			a.Dims[k].Axes = append(a.Dims[k].Axes, x)
		case k == len(a.Dims) && (product || r.IntN(3) == 0):
			a.Unreduced = append(a.Unreduced, x)
		}
	}
	slices.Sort(a.Unreduced)
}
