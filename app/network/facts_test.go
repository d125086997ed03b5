package network

import (
	"strings"
	"testing"

	q "github.com/scalebook/scalebook/app/quantity"
)

const us, ms = 1e-6, 1e-3

// The values are recomputations of the original book's numbers, chapters on sharding, TPUs and GPUs. Where it prints an
// approximation the shortcut has it, and the exact law what holds.
func TestPublishedLaws(t *testing.T) {
	const V = 33554432.0 // bf16 [2048, 8192]
	seconds := func(s q.Seconds) float64 { return float64(s) }
	for _, c := range []struct {
		what      string
		got, want float64
	}{
		{"all-gather, shortcut", seconds(AllGatherShortcut(1e8, 90e9)), 1111.111111111111 * us},
		{"all-gather, exact", seconds(AllGatherTime(1e8, 16, 90e9)), 1041.6666666666667 * us},
		{"all-reduce, shortcut", seconds(AllReduceShortcut(1e8, 90e9)), 2222.222222222222 * us},
		{"ring, one way: hops", LineHops(8), 7},
		{"ring, both ways: hops", RingHops(8), 4},
		{"v5e line of 4", seconds(AllGatherTime(V, 4, 45e9)), 559.2405333333334 * us},
		{"v5e, as if it were a ring", seconds(AllGatherShortcut(V, 90e9)), 372.82702222222224 * us},
		{"latency-bound below", float64(LatencyBound(8, 1*us, 90e9, 1)), 720000},
		{"a hop latency-bound below", float64(LatencyBound(1, 1*us, 45e9, 1)), 45000},
		{"all-to-all, share of V/W", seconds(AllToAllRing(1, 16, 1)), 0.25},
		{"all-to-all over a quarter of an all-gather", seconds(AllGatherTime(1, 4, 1) / AllToAllRing(1, 4, 1)), 3},
		{"the same, N=16", seconds(AllGatherTime(1, 16, 1) / AllToAllRing(1, 16, 1)), 3.75},
		{"one-way all-to-all over all-gather", seconds(AllToAllRingOneWay(1, 16, 1) / AllGatherTime(1, 16, 1)), 0.5},
		{"both ways over one way, chunks unsplit 4 in the limit", seconds(AllToAllRingOneWay(1, 1024, 1) / AllToAllRing(1, 1024, 2)), 3.99609375},
		{"chunks over the first link of 4, one way", 16 * seconds(AllToAllRingOneWay(1, 4, 1)), 6},
		{"node all-gather", seconds(AllGatherTime(536870912, 8, 450e9)), 0.0010439156622222222},
		{"node, pop quiz 1", seconds(AllGatherTime(V, 8, 450e9)), 6.524472888888889e-05},
		{"node, pop quiz 1, shortcut", seconds(AllGatherShortcut(V, 450e9)), 7.456540444444445e-05},
		{"node all-to-all, exact", seconds(AllToAllSwitch(1, 8, 1)), 0.109375},
		{"node all-to-all, shortcut", seconds(AllToAllSwitchShortcut(1, 8, 1)), 0.125},
		{"ragged, k=4", seconds(AllToAllSwitchShortcut(1, 8, 1)) * RaggedShareShortcut(4, 8), 0.0625},
		{"ragged curve, Z=8", RaggedShare(4, 8) * 7 / 8, 0.362091064453125},
		{"ragged curve, Z=8, approximated", RaggedShareShortcut(4, 8) * 7 / 8, 0.4375},
		{"ragged curve, Z=2", RaggedShare(4, 2) / 2, 0.46875},
		{"ragged curve, Z=40", RaggedShare(4, 40) * 39 / 40, 0.09390430664062513},
		{"pop quiz 2", seconds(AllToAllSwitch(2*1048576*8, 8, 450e9)), 4.077795555555556e-06},
		{"without SHARP, N=8", seconds(AllReduceTime(1, 8, 1)), 1.75},
		{"with SHARP", seconds(AllReduceInNetwork(1, 1)), 1},
		{"across nodes all-to-all, M=2", seconds(AllToAllSwitch(1, 2, 400e9)), 6.25e-13},
		{"the same, shortcut", seconds(AllToAllSwitchShortcut(1, 2, 400e9)), 1.25e-12},
		{"across nodes all-to-all, M=16", seconds(AllToAllSwitch(1, 16, 400e9)), 1.46484375e-13},
		{"level bandwidth, node", float64(LevelBandwidth(8, 450e9)), 514285714285.7143},
		{"level bandwidth, leaf", float64(LevelBandwidth(32, 400e9)), 412903225806.4516},
		{"level bandwidth, spine", float64(LevelBandwidth(4, 12.8e12)), 17066666666666.666},
		{"level bandwidth, two nodes", float64(LevelBandwidth(2, 400e9)), 800e9},
		{"pop quiz 3, Y=4", seconds(ShardedGatherTime(536870912, 64, 4, 8, 400e9)), 0.00130023424},
		{"pop quiz 3, Y=8", seconds(ShardedGatherTime(536870912, 32, 8, 8, 400e9)), 0.0013002342399999998},
		{"pop quiz 3, Y=16", seconds(ShardedGatherTime(536870912, 16, 16, 8, 400e9)), 0.0006291456},
		{"pop quiz 3, Y=16, as the book", seconds(ShardedGatherBetweenNodes(536870912, 16, 8, 400e9)), 0.00067108864},
		{"pop quiz 3, Y=128", seconds(ShardedGatherTime(536870912, 2, 128, 8, 400e9)), 4.194304e-05},
		{"pop quiz 3, Y=256", seconds(ShardedGatherTime(536870912, 1, 256, 8, 400e9)), 0},
		{"inner axis 64 speeds up", seconds(ShardedGatherBetweenNodes(1, 1, 8, 1) / ShardedGatherBetweenNodes(1, 64, 8, 1)), 8},
		{"tree of 8", TreeHops(8), 3},
	} {
		if !close(c.got, c.want, 1e-12) {
			t.Errorf("%s: %v, want %v", c.what, c.got, c.want)
		}
	}
}

// The groups give what the laws and the book give.
func TestPublishedCosts(t *testing.T) {
	v5e := slice(t, "tpu.v5e", 4, 4).WithLatency(1 * us)
	along := func(s Slice, axes ...int) Torus {
		part, err := s.Along(axes...)
		if err != nil {
			t.Fatal(err)
		}
		return part
	}
	v4 := slice(t, "tpu.v4", 4, 4, 4).WithLatency(1 * us)
	for _, c := range []struct {
		what                                      string
		op                                        Op
		bytes                                     q.Bytes
		g                                         Group
		bandwidth, latency, time, shortcut, hops_ float64
	}{
		{"quiz 3a: v5e 4x4 along one axis", AllGather, 33554432, along(v5e, 1), 559.2405333333334, 3, 559.2405333333334, 745.6540444444445, 3},
		{"quiz 3b: latency", AllGather, 131072, along(v5e, 1), 3 * 0.7281777777777778, 3, 3, 2.9127111111111113, 3},
		{"problem 2a", AllGather, 2 * 1024 * 4096 / 4, along(v4, 0), 23.30168888888889 * 3 / 4, 2, 23.30168888888889 * 3 / 4, 23.30168888888889, 2},
		{"problem 2b", AllGather, 2 * 1024 * 4096, along(v4, 0, 1), 46.60337777777778 * 15 / 16, 4, 46.60337777777778 * 15 / 16, 46.60337777777778, 4},
		{"problem 2c", AllReduce, 2 * 1024 * 4096 / 16, along(v4, 2), 11.650844444444445 * 3 / 4, 4, 11.650844444444445 * 3 / 4, 11.650844444444445, 4},
		{"problem 3", AllGather, 256, along(v4, 0), 256.0 / 90e3 * 3 / 4, 2, 2, 256.0 / 90e3, 2},
		{"problem 6a: no wrap", AllReduce, 2 * 8192 * 8192 / 4, along(v5e, 1), 1118.4810666666667, 6, 1118.4810666666667, 1491.308088888889, 6},
		{"problem 6b: no wrap", AllGather, 2 * 8192 * 8192 / 4, along(v5e, 0), 559.2405333333334, 3, 559.2405333333334, 745.6540444444445, 3},
	} {
		got, err := Collective{Op: c.op, Bytes: c.bytes}.Over(c.g)
		if err != nil {
			t.Errorf("%s: %v", c.what, err)
			continue
		}
		for _, v := range []struct {
			name      string
			got, want float64
		}{
			{"bandwidth", float64(got.Bandwidth), c.bandwidth * us}, {"latency", float64(got.Latency), c.latency * us},
			{"time", float64(got.Time), c.time * us}, {"shortcut", float64(got.Shortcut), c.shortcut * us}, {"hops", float64(got.Hops), c.hops_},
		} {
			if !close(v.got, v.want, 1e-12) {
				t.Errorf("%s: %s %v, want %v", c.what, v.name, v.got, v.want)
			}
		}
	}
}

// The tables of the original chapter on GPUs, and the counts of its problems.
func TestPublishedClusters(t *testing.T) {
	h100, err := NewCluster(chip(t, "gpu.h100"))
	if err != nil {
		t.Fatal(err)
	}
	total := 0
	for i, want := range []struct {
		switches         int
		joined, capacity float64
	}{{512, 3.6e12, 6.4e12}, {32, 12.8e12, 25.6e12}, {16, 51.2e12, 51.2e12}} {
		l := h100.Levels[i]
		total += h100.Switches(i)
		if h100.Switches(i) != want.switches || !close(float64(l.Joined()), want.joined, 1e-12) || !close(float64(l.Capacity()), want.capacity, 1e-12) {
			t.Errorf("level %s: %d switches, %v, %v", l.Name, h100.Switches(i), l.Joined(), l.Capacity())
		}
	}
	if h100.Size() != 1024 || total != 560 || !close(float64(h100.Bisection()), 25.6e12, 1e-12) {
		t.Errorf("%d GPUs, %d switches, bisection %v", h100.Size(), total, h100.Bisection())
	}
	gb200, err := NewCluster(chip(t, "gpu.gb200"))
	if err != nil || gb200.Size() != 576 || gb200.Switches(1) != 32 || gb200.Switches(2) != 9 {
		t.Errorf("GB200: %+v, %v", gb200, err)
	}
	b200, err := NewCluster(chip(t, "gpu.b200"))
	if err != nil || b200.Size() != 1024 {
		t.Errorf("B200: %+v, %v", b200, err)
	}
	for _, c := range []Tree{h100, gb200, b200} {
		if err := c.CheckPorts(); err != nil {
			t.Errorf("%s: %v", c.Name, err)
		}
		for i, l := range c.Levels {
			if l.Source == "" || l.Note == "" || i > 0 && l.Egress > c.Levels[i-1].Joined() {
				t.Errorf("%s: level %+v", c.Name, l)
			}
		}
	}
	if _, err := NewCluster(chip(t, "gpu.l4")); err == nil || !strings.Contains(err.Error(), "H100, B200 and GB200") {
		t.Errorf("a cluster of L4: %v", err)
	}
	h100.Levels[2].Switches = 8 // what the appendix's halved switches would amount to
	if err := h100.CheckPorts(); err == nil || !strings.Contains(err.Error(), "needs 1024 ports and has 512") {
		t.Errorf("half the spine: %v", err)
	}
}

// Within a scalable unit the exact law and the book's agree at the leaf, 413 GB/s; over the whole SuperPod a node must
// take in more than its own unit has, and the exact law says 403.
func TestTreeBandwidth(t *testing.T) {
	h100, err := NewCluster(chip(t, "gpu.h100"))
	if err != nil {
		t.Fatal(err)
	}
	unit := Tree{Levels: h100.Levels[:2]}
	if w, err := unit.CollectiveBandwidth(); err != nil || !close(float64(w), 412903225806.4516, 1e-12) {
		t.Errorf("one unit: %v, %v", w, err)
	}
	w, err := h100.CollectiveBandwidth()
	if err != nil || !close(float64(w), 400e9*128/127, 1e-12) || !close(float64(w), float64(LevelBandwidthExact(8, 1024, 400e9)), 1e-12) {
		t.Errorf("the whole: %v, %v", w, err)
	}
	gb200, err := NewCluster(chip(t, "gpu.gb200"))
	if err != nil {
		t.Fatal(err)
	}
	c, err := Collective{Op: AllGather, Bytes: 1e9}.Over(gb200.All())
	if err != nil || c.Binding != "level node" || !close(float64(c.Shortcut), 0.0011111111111111111, 1e-12) {
		t.Errorf("GB200: %+v, %v: the node binds, not the network", c, err)
	}
}

func TestPublishedFatTrees(t *testing.T) {
	for _, c := range []struct {
		devices int
		want    FatTree
	}{
		{8, FatTree{Nodes: 1, Units: 1}},
		{256, FatTree{Nodes: 32, Units: 1, Leafs: 8, Levels: 1}},
		{768, FatTree{Nodes: 96, Units: 3, Leafs: 24, Spines: 16, LinksPerPair: 2, Levels: 2}},
		{1016, FatTree{Nodes: 127, Units: 4, Leafs: 32, Spines: 16, LinksPerPair: 2, Levels: 2}},
		{1024, FatTree{Nodes: 128, Units: 4, Leafs: 32, Spines: 16, LinksPerPair: 2, Levels: 2}},
		{2048, FatTree{Nodes: 256, Units: 8, Leafs: 64, Spines: 32, LinksPerPair: 1, Levels: 2}},
		{4096, FatTree{Nodes: 512, Units: 16, Leafs: 128, Spines: 128, Cores: 64, Levels: 3}},
		{65536, FatTree{Nodes: 8192, Units: 256, Leafs: 2048, Spines: 2048, Cores: 1024, Levels: 3}},
	} {
		c.want.Devices = c.devices
		if got, err := NewFatTree(c.devices, 8, 64); err != nil || got != c.want {
			t.Errorf("%d devices: %+v, %v, want %+v", c.devices, got, err, c.want)
		}
	}
	for _, bad := range [][3]int{{65536 + 256, 8, 64}, {100, 8, 64}, {0, 8, 64}, {8, 0, 64}, {64, 8, 3}, {64, 8, 0}, {1 << 62, 8, 64}} {
		if f, err := NewFatTree(bad[0], bad[1], bad[2]); err == nil {
			t.Errorf("%v: %+v, want an error", bad, f)
		}
	}
}

// Every layer of a fat tree has the ports for what hangs on it, and loses nothing on the way up.
func TestFatTreePorts(t *testing.T) {
	for _, ports := range []int{4, 16, 64} {
		for _, per := range []int{1, 2, 8} {
			for nodes := 1; nodes < 600; nodes += 7 {
				f, err := NewFatTree(nodes*per, per, ports)
				if err != nil {
					continue
				}
				half := ports / 2
				if f.Leafs*half < f.Devices && f.Nodes > 1 {
					t.Errorf("%+v: the leafs have too few ports down", f)
				}
				if f.Spines > 0 && f.Cores == 0 && (f.Spines*ports < f.Leafs*half || f.LinksPerPair*f.Spines != half || f.LinksPerPair*f.Leafs > ports) {
					t.Errorf("%+v: the spines have too few ports, or leafs are not wired evenly", f)
				}
				if f.Cores > 0 && f.Cores*ports < f.Spines*half {
					t.Errorf("%+v: the cores have too few ports", f)
				}
				if tree := f.Tree(450e9, 50e9); tree.Size() < f.Devices {
					t.Errorf("%+v: a tree of %d devices", f, tree.Size())
				}
			}
		}
	}
}
