package network_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/scalebook/scalebook/app/network"
	"github.com/scalebook/scalebook/app/network/schedule"
	q "github.com/scalebook/scalebook/app/quantity"
)

// On a torus of several axes the law is held against the best mixture of schedules, each played chunk by chunk.

// TestThereAndBack: whatever the order of the axes, on every axis an all-reduce loads all links alike: along a ring
// with twice what the busiest carries in one half of it, along a line of X chips with X/(X - 1) times as much.
func TestThereAndBack(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 15 {
		var torus network.Torus
		for range 1 + r.IntN(3) {
			torus.Axes = append(torus.Axes, network.Axis{Size: 2 + r.IntN(4), Wrap: r.IntN(2) == 0, OneWay: 1})
		}
		g := grid(torus)
		for _, order := range permutations(len(torus.Axes)) {
			gather, err := schedule.AllGatherIn(g, 1, schedule.BothWays, [][]int{order}, []float64{1})
			gather = played(t, gather, err)
			both := played(t, schedule.Reverse(gather), nil).Then(gather)
			for i, a := range torus.Axes {
				want := 2 * gather.Busiest(g, i)
				if !a.Wrap {
					want = gather.Busiest(g, i) * float64(a.Size) / float64(a.Size-1)
				}
				for wire, bytes := range both.Totals(g) {
					if wire.Level == i && !near(bytes, want) {
						t.Fatalf("%s, axes in the order %v: %v carries %v, not %v", torus.Shape(), order, wire, bytes, want)
					}
				}
			}
		}
	}
}

// loads are the bytes of an array of 1 on the busiest link of each axis if all of it goes along the axes in one order.
func loads(t testing.TB, g schedule.Grid, order []int) []float64 {
	s, err := schedule.AllGatherIn(g, 1, schedule.BothWays, [][]int{order}, []float64{1})
	s = played(t, s, err)
	var axes []float64
	for i := range g.Sides {
		axes = append(axes, s.Busiest(g, i))
	}
	return axes
}

// randomAxis has 4 sizes from least on, and links of 4 bandwidths.
func randomAxis(r *rand.Rand, least int) network.Axis {
	return network.Axis{Size: least + r.IntN(4), Wrap: r.IntN(2) == 0, OneWay: q.Bandwidth(1 + r.IntN(4))}
}

func permutations(n int) [][]int {
	if n == 0 {
		return [][]int{nil}
	}
	var all [][]int
	for _, p := range permutations(n - 1) {
		for place := range n {
			all = append(all, slices.Insert(slices.Clone(p), place, n-1))
		}
	}
	return all
}

// TestTorusGatherAgainstBestMixture: of an array cut into parts that go along the axes in all possible orders the best
// mixture takes as long as the law says. The game between the orders and the axes is played out (fictitious play), with
// the loads of each order counted from a played schedule; its value lies between what both sides can enforce.
func TestTorusGatherAgainstBestMixture(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 15 {
		var torus network.Torus
		for range 2 + r.IntN(2) {
			torus.Axes = append(torus.Axes, randomAxis(r, 2))
		}
		law := float64(cost(t, network.Collective{Op: network.AllGather, Bytes: 1}, torus).Bandwidth)
		var game [][]float64
		for _, order := range permutations(len(torus.Axes)) {
			times := loads(t, grid(torus), order)
			for i := range times {
				times[i] /= float64(torus.Axes[i].OneWay)
			}
			game = append(game, times)
		}
		low, high := value(game, 8000)
		if law < low*(1-1e-9) || law > high*(1+1e-9) || high-low > 0.02*high {
			t.Errorf("%s: the law says %v, the best mixture lies between %v and %v", torus.Shape(), law, low, high)
		}
	}
}

// value brackets the value of a game: rows want a small entry, columns a large one.
func value(game [][]float64, rounds int) (low, high float64) {
	rows, cols := make([]float64, len(game)), make([]float64, len(game[0]))
	low, high = 0, math.Inf(1)
	row := 0
	for n := 1; n <= rounds; n++ {
		col := 0
		for j := range cols {
			cols[j] += game[row][j]
			if cols[j] > cols[col] {
				col = j
			}
		}
		high = min(high, cols[col]/float64(n))
		row = 0
		for i := range rows {
			rows[i] += game[i][col]
			if rows[i] < rows[row] {
				row = i
			}
		}
		low = max(low, rows[row]/float64(n))
	}
	return low, high
}

// TestEqualTorusInTurn: where all axes are alike the rotated schedule is as fast as the law step by step.
func TestEqualTorusInTurn(t *testing.T) {
	for _, axes := range []int{2, 3} {
		for size := 2; size <= 5; size++ {
			for _, wrap := range []bool{true, false} {
				var torus network.Torus
				for range axes {
					torus.Axes = append(torus.Axes, network.Axis{Size: size, Wrap: wrap, OneWay: 7})
				}
				g := grid(torus)
				s, err := schedule.AllGather(g, 1, schedule.BothWays)
				s = played(t, s, err)
				law := cost(t, network.Collective{Op: network.AllGather, Bytes: 1}, torus)
				if !near(float64(law.Bandwidth), s.InTurn(g)/7) || !near(float64(law.PerLink), s.Busiest(g, 0)) ||
					law.Hops != len(s.Steps) {
					t.Errorf("%s wrap=%v: law %v s, %v bytes, %d hops; played %v, %v, %d", torus.Shape(), wrap,
						law.Bandwidth, law.PerLink, law.Hops, s.InTurn(g)/7, s.Busiest(g, 0), len(s.Steps))
				}
				both := schedule.Reverse(s).Then(s)
				law = cost(t, network.Collective{Op: network.AllReduce, Bytes: 1}, torus)
				if !near(float64(law.PerLink), both.Busiest(g, 0)) {
					t.Errorf("%s wrap=%v: an all-reduce has %v bytes over a link; played %v", torus.Shape(), wrap,
						law.PerLink, both.Busiest(g, 0))
				}
			}
		}
	}
}

// TestTorusExchangeAgainstPlay: an all-to-all on axes of any kind, the busiest link of each axis counted.
func TestTorusExchangeAgainstPlay(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 60 {
		var torus network.Torus
		for range 1 + r.IntN(3) {
			torus.Axes = append(torus.Axes, randomAxis(r, 1))
		}
		if torus.Size() == 1 {
			continue
		}
		g := grid(torus)
		s, err := schedule.AllToAll(g, 1, schedule.BothWays)
		s = played(t, s, err)
		want := 0.0
		for i, a := range torus.Axes {
			want = max(want, s.Busiest(g, i)/float64(a.OneWay))
		}
		law := cost(t, network.Collective{Op: network.AllToAll, Bytes: 1}, torus)
		if !near(float64(law.Bandwidth), want) || law.Hops != len(s.Steps) {
			t.Errorf("%s: law %v s, %d hops; played %v, %d", torus.Shape(), law.Bandwidth, law.Hops, want, len(s.Steps))
		}
	}
}
