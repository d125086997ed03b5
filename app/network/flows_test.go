package network

import (
	"math"
	"testing"
)

// What leaves a leaf, by hand: of four nodes that all send to the node half a job away, four; of four in a ring, one;
// of four among n that send to all alike, 4 (n - 4) / (n - 1). Spread over the spines, each link has its part of that;
// by a hash, the links of a leaf have all of it together, and no part of a flow that is not all of it.
func TestPlaceFlows(t *testing.T) {
	for nodes := LeafNodes; nodes <= 32; nodes += LeafNodes {
		n := float64(nodes)
		for pattern, leaves := range map[string]float64{"half": 4, "next": 1, "all": 4 * (n - 4) / (n - 1), "none": 0} {
			if nodes == LeafNodes {
				leaves = 0
			}
			for spines := 1; spines <= MostSpines; spines++ {
				spread := PlaceFlows(pattern, nodes, spines, true, 0)
				if load, _, _, _ := spread.Busiest(); math.Abs(load-leaves/float64(spines)) > 1e-9 {
					t.Errorf("%s, %d nodes, %d spines: a load of %v, by hand %v", pattern, nodes, spines, load,
						leaves/float64(spines))
				}
				checkHashed(t, pattern, leaves, nodes, spines)
			}
		}
	}
}

// Each pattern that is offered sends something, and each node no more than it can.
func TestPatternsSend(t *testing.T) {
	for _, pattern := range Patterns() {
		sent := 0.0
		for step := 1; step < 8; step++ {
			sent += rateOfStep(pattern, step, 8)
		}
		if math.Abs(sent-1) > 1e-9 {
			t.Errorf("%s: a node sends %v of what it can", pattern, sent)
		}
	}
}

func checkHashed(t *testing.T, pattern string, leaves float64, nodes, spines int) {
	f := PlaceFlows(pattern, nodes, spines, false, 3)
	for leaf := range nodes / LeafNodes {
		up, down := 0., 0.
		for i := range MostSpines {
			up += f.Up[leaf][i]
			down += f.Down[leaf][i]
			if _, part := math.Modf(f.Up[leaf][i]); pattern != "all" && part != 0 {
				t.Errorf("%s: a part of a flow, %v", pattern, f.Up[leaf][i])
			}
		}
		if math.Abs(up-leaves) > 1e-9 || math.Abs(down-leaves) > 1e-9 {
			t.Errorf("%s, %d nodes, %d spines: leaf %d sends %v and gets %v, by hand %v", pattern, nodes, spines, leaf,
				up, down, leaves)
		}
	}
}

// Hashes choose each spine alike: over 100 of them, each of four has a quarter of the 3,200 flows, within five standard
// deviations, 5 sqrt(3200/4 3/4) = 122.
func TestHashesAreFair(t *testing.T) {
	var flows [MostSpines]float64
	for hash := range 100 {
		f := PlaceFlows("half", 32, 4, false, hash)
		for leaf := range f.Up {
			for i, x := range f.Up[leaf] {
				flows[i] += x
			}
		}
	}
	for i, x := range flows[:4] {
		if math.Abs(x-800) > 122 {
			t.Errorf("spine %d has %v of 3200 flows", i, x)
		}
	}
}

// Four flows of a leaf choose among four spines. Of 256 ways four have all on one, 48 have three on one. So with eight
// leaves the busiest link has four with a chance of 1 - (252/256)^8 = 0.118, three or more with 1 - (204/256)^8 =
// 0.837, else two, and on average 2.955. A hash spreads by 0.52, the mean of 100 by 0.052: five of these are 0.26.
func TestHashesCollide(t *testing.T) {
	sum := 0.
	for hash := range 100 {
		load, _, _, _ := PlaceFlows("half", 32, 4, false, hash).Busiest()
		sum += load
	}
	if mean := sum / 100; math.Abs(mean-2.955) > 0.26 {
		t.Errorf("the busiest link has %v flows on average, by hand 2.955", mean)
	}
}

// A hash is of both who sends and who gets: of the 112 flows that leave a leaf to 28 nodes, and of those that come,
// none of eight spines is left out, but with a chance of 8 (7/8)^112 = 3 in a million. By the sender or the receiver
// alone the four of a leaf would have four spines at most.
func TestHashesAreOfBothEnds(t *testing.T) {
	f := PlaceFlows("all", 32, 8, false, 3)
	for leaf := range f.Up {
		for i := range f.Up[leaf] {
			if f.Up[leaf][i] == 0 || f.Down[leaf][i] == 0 {
				t.Errorf("leaf %d, spine %d: %v up, %v down", leaf, i, f.Up[leaf][i], f.Down[leaf][i])
			}
		}
	}
}

// MurmurHash3 of no bytes is its finalizer of the seed: published vectors have these of the seeds 0, 1 and 2^32-1.
func TestMix(t *testing.T) {
	for x, want := range map[uint32]uint32{0: 0, 1: 0x514e28b7, 0xffffffff: 0x81f16f39} {
		if got := mix(x); got != want {
			t.Errorf("mix(%#x) is %#x, want %#x", x, got, want)
		}
	}
}
