package network_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/scalebook/scalebook/app/network"
	"github.com/scalebook/scalebook/app/network/schedule"
	q "github.com/scalebook/scalebook/app/quantity"
)

// The laws are held against schedules that are played chunk by chunk, and know nothing of the laws.

func near(got, want float64) bool { return math.Abs(got-want) <= 1e-9*math.Abs(want)+1e-15 }

func cost(t testing.TB, c network.Collective, g network.Group) network.Cost {
	t.Helper()
	got, err := c.Over(g)
	if err != nil {
		t.Fatalf("%s over %s: %v", c.Op, g, err)
	}
	return got
}

// grid is a torus for the schedules.
func grid(t network.Torus) schedule.Grid {
	var g schedule.Grid
	for _, a := range t.Axes {
		g.Sides, g.Wrap = append(g.Sides, a.Size), append(g.Wrap, a.Wrap)
	}
	return g
}

// played is a schedule that has kept its promise.
func played(t testing.TB, s *schedule.Schedule, err error) *schedule.Schedule {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Play(nil); err != nil {
		t.Fatal(err)
	}
	return s
}

// onAxis is a torus of one axis.
func onAxis(n int, wrap bool, link q.Bandwidth, hop q.Seconds) network.Torus {
	return network.Torus{Axes: []network.Axis{{Name: "X", Size: n, Wrap: wrap, OneWay: link, Latency: hop}}}
}

func direction(oneWay bool) schedule.Direction {
	if oneWay {
		return schedule.Unidirectional
	}
	return schedule.Bidirectional
}

// checkAxis holds a cost on one axis against a schedule: steps are hops, the busiest link carries PerLink, and both as
// a stream (the busiest link) and step by step the bytes take Bandwidth. In turn, each step waiting for its latency or
// its bytes, lies between Time and Sum.
func checkAxis(t *testing.T, c network.Cost, s *schedule.Schedule, g schedule.Grid, link, hop float64) {
	t.Helper()
	if len(s.Steps) != c.Hops {
		t.Errorf("%s on %v: %d hops, played %d steps", c.Op, g, c.Hops, len(s.Steps))
	}
	if busiest := s.Busiest(g, 0); !near(float64(c.PerLink), busiest) || !near(float64(c.Bandwidth), busiest/link) {
		t.Errorf("%s on %v: %v bytes over a link in %v s, played %v in %v", c.Op, g, c.PerLink, c.Bandwidth, busiest,
			busiest/link)
	}
	if !near(s.InTurn(g)/link, float64(c.Bandwidth)) {
		t.Errorf("%s on %v: %v s, step by step %v", c.Op, g, c.Bandwidth, s.InTurn(g)/link)
	}
	steps := 0.0
	for _, loads := range s.Loads(g) {
		most := 0.0
		for _, bytes := range loads {
			most = max(most, bytes)
		}
		steps += max(hop, most/link)
	}
	if steps < float64(c.Time)*(1-1e-9) || steps > float64(c.Sum)*(1+1e-9) {
		t.Errorf("%s on %v: step by step %v s, want between %v and %v", c.Op, g, steps, c.Time, c.Sum)
	}
}

// TestAxisAgainstPlay: bidirectional and unidirectional rings, and lines, of any size.
func TestAxisAgainstPlay(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := 2; n <= 33; n++ {
		for _, kind := range []struct{ wrap, oneWay bool }{{true, false}, {true, true}, {false, false}} {
			v, link, hop := 1e6*r.Float64(), 1e9*(1+r.Float64()), 1e-6*r.Float64()
			torus := onAxis(n, kind.wrap, q.Bandwidth(link), q.Seconds(hop))
			g, d := grid(torus), direction(kind.oneWay)
			c := network.Collective{Bytes: q.Bytes(v), OneWay: kind.oneWay}
			gather, err := schedule.AllGather(g, v, d)
			gather = played(t, gather, err)
			c.Op = network.AllGather
			checkAxis(t, cost(t, c, torus), gather, g, link, hop)
			scatter := played(t, schedule.Reverse(gather), nil)
			c.Op = network.ReduceScatter
			checkAxis(t, cost(t, c, torus), scatter, g, link, hop)
			if !kind.oneWay { // a mirror image would go around the other way
				c.Op = network.AllReduce
				law, busiest := cost(t, c, torus), scatter.Then(gather).Busiest(g, 0)
				if !near(float64(law.PerLink), busiest) {
					t.Errorf("all-reduce on %v: %v bytes over a link, played %v", g, law.PerLink, busiest)
				}
			}
			if n <= 16 {
				exchange, err := schedule.AllToAll(g, v, d)
				exchange = played(t, exchange, err)
				c.Op = network.AllToAll
				checkExchange(t, cost(t, c, torus), exchange, g, link)
			}
		}
	}
}

// checkExchange is checkAxis without the steps in turn: on a line the links are not all busy at each step.
func checkExchange(t *testing.T, c network.Cost, s *schedule.Schedule, g schedule.Grid, link float64) {
	t.Helper()
	busiest := s.Busiest(g, 0)
	if len(s.Steps) != c.Hops || !near(float64(c.PerLink), busiest) || !near(float64(c.Bandwidth), busiest/link) {
		t.Errorf("%s on %v: %d hops, %v bytes over a link; played %d, %v", c.Op, g, c.Hops, c.PerLink, len(s.Steps),
			busiest)
	}
	if g.Wrap[0] && !near(s.InTurn(g)/link, float64(c.Bandwidth)) {
		t.Errorf("%s on %v: %v s, step by step %v", c.Op, g, c.Bandwidth, s.InTurn(g)/link)
	}
}

// TestAllReduceIsBoth: a reduce-scatter and an all-gather, in time, bytes and hops, on every group.
func TestAllReduceIsBoth(t *testing.T) {
	for _, g := range groups(t) {
		priced := func(op network.Op) network.Cost { return cost(t, network.Collective{Op: op, Bytes: 1e6}, g) }
		rs, ag, ar := priced(network.ReduceScatter), priced(network.AllGather), priced(network.AllReduce)
		if rs.Bandwidth != ag.Bandwidth || rs.PerLink != ag.PerLink || rs.Hops != ag.Hops || rs.Latency != ag.Latency {
			t.Errorf("%s: %+v and %+v are not the mirror of each other", g, rs, ag)
		}
		if !near(float64(ar.Bandwidth), float64(rs.Bandwidth+ag.Bandwidth)) || ar.PerLink < ag.PerLink ||
			float64(ar.PerLink) > float64(rs.PerLink+ag.PerLink)*(1+1e-9) ||
			ar.Hops != rs.Hops+ag.Hops ||
			!near(float64(ar.Shortcut), float64(2*ag.Shortcut)) {
			t.Errorf("%s: all-reduce %+v is not both of %+v", g, ar, ag)
		}
	}
}

// groups are one of each kind.
func groups(t testing.TB) []network.Group {
	torus := network.Torus{
		Axes: []network.Axis{{Size: 4, Wrap: true, OneWay: 2, Latency: 3}, {Size: 3, OneWay: 5, Latency: 1}},
	}
	tree := network.Tree{
		Levels: []network.Level{
			{Name: "node", Degree: 8, Egress: 450, Latency: 1},
			{Name: "leaf", Degree: 4, Egress: 400, Latency: 2},
		},
	}
	strided, err := tree.Group(8, 4)
	if err != nil {
		t.Fatal(err)
	}
	return []network.Group{
		onAxis(7, true, 10, 1), onAxis(8, false, 10, 1), torus,
		network.Switch{Devices: 8, Egress: 450, Latency: 1}, network.Switch{Devices: 8, Egress: 450, Direct: true},
		tree.All(), strided, network.Slices{Slices: 3, Slice: torus, DCN: 1, Latency: 9},
		network.Slices{Slices: 3, Slice: torus, DCN: 1, Serial: true}, network.Slices{Slices: 2, DCN: 1},
	}
}

// TestTreeAgainstPlay: what enters and leaves the units of every level, for groups of any stride.
func TestTreeAgainstPlay(t *testing.T) {
	degrees := schedule.Units{4, 3, 2}
	tree := network.Tree{
		Levels: []network.Level{
			{Name: "node", Degree: 4, Egress: 9},
			{Name: "leaf", Degree: 3, Egress: 20},
			{Name: "spine", Degree: 2, Egress: 50},
		},
	}
	groupsPlayed := 0
	for members := 2; members <= 24; members++ {
		for stride := 1; stride <= 24/members; stride++ {
			g, err := tree.Group(members, stride)
			if err != nil {
				continue
			}
			groupsPlayed++
			s, err := schedule.Levels(degrees, members, stride, 1)
			s = played(t, s, err)
			law := cost(t, network.Collective{Op: network.AllGather, Bytes: 1}, g)
			for _, term := range law.Stages[0].Terms {
				level := map[string]int{"level node": 0, "level leaf": 1, "level spine": 2}[term.Resource.String()]
				if got := s.Busiest(degrees, level); !near(float64(term.Bytes), got) {
					t.Errorf("%s, %s: law %v bytes, played %v", g, term.Resource, term.Bytes, got)
				}
			}
			if law.Hops != len(s.Steps) {
				t.Errorf("%s: %d hops, played %d", g, law.Hops, len(s.Steps))
			}
		}
	}
	if groupsPlayed < 12 {
		t.Errorf("only %d groups", groupsPlayed)
	}
	s, err := schedule.DirectExchange(24, 1)
	s = played(t, s, err)
	for i, term := range cost(t, network.Collective{Op: network.AllToAll, Bytes: 1}, tree.All()).Stages[0].Terms {
		if got := s.Busiest(degrees, i); !near(float64(term.Bytes), got) {
			t.Errorf("all-to-all, %s: law %v bytes, played %v", term.Resource, term.Bytes, got)
		}
	}
}

// TestSwitchAgainstPlay: rings, pairs that double, everyone at once, and the switch that adds.
func TestSwitchAgainstPlay(t *testing.T) {
	for n := 2; n <= 20; n++ {
		u, sw := schedule.Units{n}, network.Switch{Devices: n, Egress: 1}
		priced := func(op network.Op, s network.Switch) float64 {
			return float64(cost(t, network.Collective{Op: op, Bytes: 1}, s).PerLink)
		}
		ring, err := schedule.AllGather(schedule.Ring(n), 1, schedule.Unidirectional)
		check(t, fmt.Sprint("ring of ", n), played(t, ring, err).Busiest(u, 0), priced(network.AllGather, sw))
		direct, err := schedule.Direct(n, 1)
		check(t, "direct", played(t, direct, err).Busiest(u, 0), priced(network.AllGather, sw))
		exchange, err := schedule.DirectExchange(n, 1)
		check(t, "all-to-all", played(t, exchange, err).Busiest(u, 0), priced(network.AllToAll, sw))
		adding, err := schedule.InSwitch(n, 1, 5)
		sw.Reduces = true
		check(t, "in the switch", played(t, adding, err).Busiest(u, 0), priced(network.AllReduce, sw))
	}
}

func check(t *testing.T, what string, played, law float64) {
	t.Helper()
	if !near(played, law) {
		t.Errorf("%s: played %v, the law says %v", what, played, law)
	}
}

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
			gather, err := schedule.AllGatherIn(g, 1, schedule.Bidirectional, [][]int{order}, []float64{1})
			gather = played(t, gather, err)
			both := played(t, schedule.Reverse(gather), nil).Then(gather)
			for i, a := range torus.Axes {
				want := 2 * gather.Busiest(g, i)
				if !a.Wrap {
					want = gather.Busiest(g, i) * float64(a.Size) / float64(a.Size-1)
				}
				for link, bytes := range both.Totals(g) {
					if link.Level == i && !near(bytes, want) {
						t.Fatalf("%s, axes in the order %v: %v carries %v, not %v", torus.Shape(), order, link, bytes,
							want)
					}
				}
			}
		}
	}
}

// loads are the bytes of an array of 1 on the busiest link of each axis if all of it goes along the axes in one order.
func loads(t testing.TB, g schedule.Grid, order []int) []float64 {
	s, err := schedule.AllGatherIn(g, 1, schedule.Bidirectional, [][]int{order}, []float64{1})
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
				s, err := schedule.AllGather(g, 1, schedule.Bidirectional)
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
		s, err := schedule.AllToAll(g, 1, schedule.Bidirectional)
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
