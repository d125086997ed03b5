package network

import (
	"math"
	"strings"
	"testing"

	q "github.com/scalebook/scalebook/app/quantity"
)

const us, ms = 1e-6, 1e-3

// The values are recomputations of the original book's numbers, chapters on sharding, TPUs and GPUs. Where it prints an
// approximation the shortcut has it, and the exact cost what holds.
//
// The groups give what the book gives.
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
		{"quiz 3a: v5e 4x4 along one axis", AllGather, 33554432, along(v5e, 1), 559.2405333333334, 3, 559.2405333333334,
			745.6540444444445, 3},
		{"quiz 3b: latency", AllGather, 131072, along(v5e, 1), 3 * 0.7281777777777778, 3, 3, 2.9127111111111113, 3},
		{"problem 2a", AllGather, 2 * 1024 * 4096 / 4, along(v4, 0), 23.30168888888889 * 3 / 4, 2,
			23.30168888888889 * 3 / 4, 23.30168888888889, 2},
		{"problem 2b", AllGather, 2 * 1024 * 4096, along(v4, 0, 1), 46.60337777777778 * 15 / 16, 4,
			46.60337777777778 * 15 / 16, 46.60337777777778, 4},
		{"problem 2c", AllReduce, 2 * 1024 * 4096 / 16, along(v4, 2), 11.650844444444445 * 3 / 4, 4,
			11.650844444444445 * 3 / 4, 11.650844444444445, 4},
		{"problem 3", AllGather, 256, along(v4, 0), 256.0 / 90e3 * 3 / 4, 2, 2, 256.0 / 90e3, 2},
		{"problem 6a: no wrap", AllReduce, 2 * 8192 * 8192 / 4, along(v5e, 1), 1118.4810666666667, 6,
			1118.4810666666667, 1491.308088888889, 6},
		{"problem 6b: no wrap", AllGather, 2 * 8192 * 8192 / 4, along(v5e, 0), 559.2405333333334, 3, 559.2405333333334,
			745.6540444444445, 3},
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
			{"time", float64(got.Time), c.time * us}, {"shortcut", float64(got.Shortcut), c.shortcut * us},
			{"hops", float64(got.Hops), c.hops_},
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
		if h100.Switches(i) != want.switches || !close(float64(l.Joined()), want.joined, 1e-12) ||
			!close(float64(l.Capacity()), want.capacity, 1e-12) {
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
		for i, l := range c.Levels {
			if l.Source == "" || l.Note == "" || i > 0 && l.Egress > c.Levels[i-1].Joined() {
				t.Errorf("%s: level %+v", c.Name, l)
			}
		}
	}
	if _, err := NewCluster(chip(t, "gpu.l4")); err == nil || !strings.Contains(err.Error(), "H100, B200 and GB200") {
		t.Errorf("a cluster of L4: %v", err)
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
	if err != nil || !close(float64(w), 400e9*128/127, 1e-12) {
		t.Errorf("the whole: %v, %v", w, err)
	}
	gb200, err := NewCluster(chip(t, "gpu.gb200"))
	if err != nil {
		t.Fatal(err)
	}
	c, err := Collective{Op: AllGather, Bytes: 1e9}.Over(gb200.All())
	if err != nil || c.Binding.String() != "level node" || !close(float64(c.Shortcut), 0.0011111111111111111, 1e-12) {
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
		c.want.Devices, c.want.Ports, c.want.Down, c.want.Up = c.devices, 64, 32, 32
		if got, err := NewFatTree(c.devices, 8, 64, 1); err != nil || got != c.want {
			t.Errorf("%d devices: %+v, %v, want %+v", c.devices, got, err, c.want)
		}
	}
	for _, bad := range [][3]int{{65536 + 256, 8, 64}, {100, 8, 64}, {0, 8, 64}, {8, 0, 64}, {64, 8, 3}, {64, 8, 0},
		{1 << 62, 8, 64}} {
		if f, err := NewFatTree(bad[0], bad[1], bad[2], 1); err == nil {
			t.Errorf("%v: %+v, want an error", bad, f)
		}
	}
	for _, over := range []float64{0, 0.5, 64, math.Inf(1), math.NaN()} {
		if f, err := NewFatTree(1024, 8, 64, over); err == nil {
			t.Errorf("%v down for each up: %+v, want an error", over, f)
		}
	}
}

// Three ports down for each up: 48 nodes to a unit, and a third of the nodes' bandwidth between units.
func TestOversubscribedTree(t *testing.T) {
	f, err := NewFatTree(1536, 8, 64, 3)
	want := FatTree{Devices: 1536, Nodes: 192, Ports: 64, Down: 48, Up: 16, Units: 4, Leafs: 32, Spines: 8,
		LinksPerPair: 2, Levels: 2}
	if err != nil || f != want {
		t.Fatalf("%+v, %v, want %+v", f, err, want)
	}
	if f.Rise() != 128 || f.Bisection() != 256 || f.SpinePorts() != 64 {
		t.Errorf("%d links leave a unit, %d join two halves, %d ports of a spine are taken", f.Rise(), f.Bisection(),
			f.SpinePorts())
	}
	tree := f.Tree(450e9, 50e9)
	if got := float64(tree.Levels[2].Egress); got != 128*50e9 {
		t.Errorf("a unit sends %v", got)
	}
	if got := float64(tree.Bisection()); got != float64(f.Bisection())*50e9 {
		t.Errorf("the tree's bisection is %v, that of the links %d", got, f.Bisection())
	}
}

// Every layer of a fat tree has the ports for what hangs on it, and a tree that is not thinned loses nothing.
func TestFatTreePorts(t *testing.T) {
	for _, ports := range []int{4, 16, 64} {
		for _, over := range []float64{1, 1.5, 2, 3} {
			for nodes := 1; nodes < 600; nodes += 7 {
				for _, per := range []int{1, 2, 8} {
					if f, err := NewFatTree(nodes*per, per, ports, over); err == nil {
						fatTreeHolds(t, f, over)
					}
				}
			}
		}
	}
}

func fatTreeHolds(t *testing.T, f FatTree, over float64) {
	t.Helper()
	if f.Down+f.Up > f.Ports || f.Leafs*f.Down < f.Devices && f.Nodes > 1 {
		t.Errorf("%+v: the leafs have too few ports", f)
	}
	if f.Spines > 0 && f.Cores == 0 && (f.Spines*f.Ports < f.Leafs*f.Up || f.LinksPerPair*f.Spines != f.Up ||
		f.SpinePorts() > f.Ports) {
		t.Errorf("%+v: the spines have too few ports, or leafs are not wired evenly", f)
	}
	if f.Cores > 0 && (f.Cores*f.Ports < f.Spines*(f.Ports/2) || f.Spines*(f.Ports/2) < f.Leafs*f.Up) {
		t.Errorf("%+v: the upper levels have too few ports", f)
	}
	if tree := f.Tree(450e9, 50e9); tree.Size() < f.Devices {
		t.Errorf("%+v: a tree of %d devices", f, tree.Size())
	}
	if over == 1 && f.Units > 1 && f.Rise() < f.Devices/f.Units {
		t.Errorf("%+v: %d links leave a unit", f, f.Rise())
	}
}
