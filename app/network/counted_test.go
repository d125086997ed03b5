package network

import (
	"testing"

	q "github.com/scalebook/scalebook/app/quantity"
)

// TestCostsCounted: what collectives of 8e9 bytes take on small groups, seconds and steps counted by hand. Links have
// 1e9 bytes/s one way, so that a ring's chips take in 2e9 and a device behind a switch 1e9.
func TestCostsCounted(t *testing.T) {
	const link, far = q.Bandwidth(1e9), q.Bandwidth(1e8)
	axis := func(n int, wrap bool) Axis { return Axis{Name: "X", Size: n, Wrap: wrap, OneWay: link, Latency: 1} }
	ring, line := Torus{Axes: []Axis{axis(4, true)}}, Torus{Axes: []Axis{axis(4, false)}}
	node := Switch{Devices: 8, Egress: link, Latency: 1}
	adds := node
	adds.Reduces = true
	tree := Ranks{Members: 8, Tree: Tree{Levels: []Level{{Name: "node", Degree: 4, Egress: link, Latency: 1},
		{Name: "leaf", Degree: 2, Egress: 2 * link, Latency: 1}}}}
	pair := Slices{Slices: 2, Slice: ring, DCN: far, Latency: 1}
	for _, c := range []struct {
		group   Group
		op      Op
		seconds q.Seconds // of the bytes alone
		hops    int
		link    q.Bytes // over the busiest link
		how     string
	}{
		{ring, AllGather, 8 * 3. / 4 / 2, 2, 3e9, "each lacks 3/4 of 8, half from each side; half way around"},
		{ring, AllReduce, 2 * 8 * 3. / 4 / 2, 4, 6e9, "scattered and gathered"},
		{ring, AllToAll, 8. / 4 / 2, 2, 1e9, "a chunk goes 4/4 hops in the mean"},
		{line, AllGather, 8 * 3. / 4, 3, 6e9, "the end has one neighbour"},
		{line, AllReduce, 2 * 8 * 3. / 4, 6, 8e9, "each link carries all 8 in both stages together"},
		{line, AllToAll, 8. / 4, 3, 2e9, "4 of 16 pairs cross the middle"},
		{node, AllGather, 7, 7, 7e9, "7/8 of 8, around a ring"},
		{node, AllReduce, 14, 14, 14e9, "scattered and gathered"},
		{node, AllToAll, 7. / 8, 7, 7e9 / 8, "8/64 to each of 7"},
		{adds, AllReduce, 8, 2, 8e9, "once in and once out"},
		{tree, AllGather, 7, 4, 7e9, "a device lacks 7/8, a node half of 8 over 2; 3 steps in nodes, 1 between"},
		{tree, AllToAll, 1, 4, 2e9, "a node sends half of its 4 over 2"},
		{pair, AllGather, 8. / 2 / 4 / 0.1, 3, 3e9, "a slice lacks half, its 4 chips fetch it; 2 steps and 1 between"},
		{pair, AllToAll, 8. / 2 / 4 / 2 / 0.1, 3, 5e8, "half of a slice's half"},
	} {
		got, err := Collective{Op: c.op, Bytes: 8e9}.Over(c.group)
		if err != nil {
			t.Fatal(err)
		}
		if off := got.Bandwidth/c.seconds - 1; off > 1e-9 || off < -1e-9 || got.Hops != c.hops ||
			got.Latency != q.Seconds(c.hops) {
			t.Errorf("%s on %v takes %v s and %d steps, by hand %v s and %d: %s", c.op, c.group, got.Bandwidth, got.Hops,
				c.seconds, c.hops, c.how)
		}
		if _, two := c.group.(Slices); !two && (got.PerLink/c.link-1 > 1e-9 || got.PerLink/c.link-1 < -1e-9) {
			t.Errorf("%s on %v loads its busiest link with %v, by hand %v", c.op, c.group, got.PerLink, c.link)
		}
	}
}

// TestBusSharesCounted: of eight devices each lacks, or gives away, seven eighths; a row of an all-to-all is an eighth
// of the array.
func TestBusSharesCounted(t *testing.T) {
	for op, want := range map[Op]float64{AllGather: 7. / 8, ReduceScatter: 7. / 8, AllReduce: 14. / 8, AllToAll: 7. / 64,
		Broadcast: 1} {
		if got, _ := op.BusShare(8); got != want {
			t.Errorf("bus share of %s is %v, by hand %v", op, got, want)
		}
	}
}

// TestPipedCounted: 4 s of bytes, a start of 1 s, and as many pieces as take least of steps that start for 4 s
// together.
func TestPipedCounted(t *testing.T) {
	if got := (Piped{Start: 1, Bandwidth: 1e9, Fill: 4}).Time(4e9); got != 1+4+2*4 {
		t.Errorf("%v s, by hand 13", got)
	}
}
