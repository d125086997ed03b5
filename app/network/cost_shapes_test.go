package network

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestRagged: fewer choices fill fewer chunks; all of them, or none given, is dense. The shares are those of a draw.
func TestRagged(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, n := range []int{2, 3, 8, 40} {
		for _, k := range []int{1, 2, 4, 8} {
			hits, draws := 0, 20000
			for range draws {
				seen := map[int]bool{}
				for range k {
					seen[r.IntN(n)] = true
				}
				hits += len(seen)
			}
			drawn := float64(hits) / float64(draws*n)
			if got := RaggedShare(float64(k), float64(n)); math.Abs(got-drawn) > 0.01 {
				t.Errorf("k=%d N=%d: share %v, drawn %v", k, n, got, drawn)
			}
			if RaggedShareShortcut(float64(k), float64(n)) < RaggedShare(float64(k), float64(n))*(1-1e-12) {
				t.Errorf("k=%d N=%d: the shortcut is no upper bound", k, n)
			}
			sw := Switch{Devices: n, Egress: 1}
			dense, err1 := Collective{Op: AllToAll, Bytes: 1}.Over(sw)
			some, err2 := Collective{Op: AllToAll, Bytes: 1, Active: float64(k)}.Over(sw)
			if err1 != nil || err2 != nil ||
				!close(float64(some.Time), float64(dense.Time)*RaggedShare(float64(k), float64(n)), 1e-12) {
				t.Errorf("k=%d N=%d: %v of %v, %v %v", k, n, some.Time, dense.Time, err1, err2)
			}
		}
	}
}

// TestSlicesByHand: four slices of a ring of 8, worked by hand.
func TestSlicesByHand(t *testing.T) {
	ring := Torus{Axes: []Axis{{Name: "X", Size: 8, Wrap: true, OneWay: 50}}}
	slow := Slices{Slices: 4, Slice: ring, DCN: 1}
	for _, c := range []struct {
		op     Op
		serial bool
		want   float64 // of 800 bytes
	}{
		{AllGather, false, 75},                     // each chip takes 3/4 of its 100 bytes from the other slices, at 1 byte/s
		{AllGather, true, 75 + 7},                  // and then the slice tells itself 7/8 of 800 at 100
		{AllReduce, false, 150},                    // both ways
		{AllReduce, true, 150 + 14},                //
		{AllToAll, false, 800.0 / 32 * 3 / 4},      // of the 25 bytes of a chip three quarters leave the slice
		{AllToAll, true, 800.0/32*3/4 + 200.0/400}, // and a quarter of V/W2 of the slice's quarter
		{Broadcast, false, 100},                    // each chip carries an eighth of the array
		{Permute, false, 800},
	} {
		s := slow
		s.Serial = c.serial
		got, err := Collective{Op: c.op, Bytes: 800}.Over(s)
		if err != nil || !close(float64(got.Time), c.want, 1e-12) {
			t.Errorf("%s, serial %v: %v, %v, want %v", c.op, c.serial, got.Time, err, c.want)
		}
	}
	fast := Slices{Slices: 4, Slice: ring, DCN: 1e9}
	if got, err := (Collective{Op: AllGather, Bytes: 800}).Over(fast); err != nil || !close(float64(got.Time), 7, 1e-12) ||
		got.Binding.String() != "axis X" {
		t.Errorf("a fast network between slices: %+v, %v", got, err)
	}
}

// TestPermute: a shift around a ring goes the shorter way; on a line the middle link carries as many arrays as chips
// pass over it.
func TestPermute(t *testing.T) {
	for n := 2; n <= 9; n++ {
		for d := -n; d <= 2*n; d++ {
			if d == 0 {
				continue // the default, 1
			}
			for _, wrap := range []bool{true, false} {
				axis := Axis{Size: n, Wrap: wrap, OneWay: 1, Latency: 1e-3}
				c, err := Collective{Op: Permute, Bytes: 1, Shift: d}.Over(Torus{Axes: []Axis{axis}})
				if err != nil {
					t.Fatal(err)
				}
				load, hops := shiftCounted(axis, d)
				if !close(float64(c.PerLink), float64(load), 1e-12) || c.Hops != hops {
					t.Errorf(
						"N=%d wrap=%v shift %d: %v arrays over a link, %d hops; counted %d, %d",
						n,
						wrap,
						d,
						c.PerLink,
						c.Hops,
						load,
						hops,
					)
				}
			}
		}
	}
}

// shiftCounted walks every chip's array to its goal and counts what each link carries.
func shiftCounted(a Axis, d int) (busiest, hops int) {
	load := map[[2]int]int{}
	for from := range a.Size {
		to := ((from+d)%a.Size + a.Size) % a.Size
		ahead := (to - from + a.Size) % a.Size
		dir, n := 1, ahead
		if a.Wrap && 2*ahead > a.Size {
			dir, n = -1, a.Size-ahead
		} else if !a.Wrap {
			dir, n = 1, to-from
			if n < 0 {
				dir, n = -1, -n
			}
		}
		for i := range n {
			load[[2]int{((from+dir*i)%a.Size + a.Size) % a.Size, dir}]++
		}
		hops = max(hops, n)
	}
	for _, l := range load {
		busiest = max(busiest, l)
	}
	return busiest, hops
}

// TestBroadcastAgainstCuts: no set of chips without the root takes the array in faster than its links let it, and some
// set is as slow as the law says: all sets of small tori, counted.
func TestBroadcastAgainstCuts(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 60 {
		torus := randomTorus(r, 3, 3)
		n := torus.Size()
		if n == 1 || n > 12 {
			continue
		}
		c, err := Collective{Op: Broadcast, Bytes: 1}.Over(torus)
		if err != nil {
			t.Fatal(err)
		}
		slowest := 0.0
		for root := range n {
			slowest = max(slowest, 1/narrowest(torus, root))
		}
		if !close(float64(c.Bandwidth), slowest, 1e-12) {
			t.Errorf("%s %+v: %v, the narrowest cut says %v", torus.Shape(), torus.Axes, c.Bandwidth, slowest)
		}
	}
}

// narrowest is the least bandwidth into a set of chips without the root.
func narrowest(t Torus, root int) float64 {
	n, best := t.Size(), math.Inf(1)
	for set := 1; set < 1<<n; set++ {
		if set>>root&1 == 1 {
			continue
		}
		sum := 0.0
		for chip := range n {
			stride := 1
			for _, a := range t.Axes {
				at := chip / stride % a.Size
				for _, dir := range []int{1, -1} {
					to := at + dir
					if (to < 0 || to >= a.Size) && !a.Wrap || a.Size == 1 {
						continue
					}
					next := chip + ((to+a.Size)%a.Size-at)*stride
					if set>>chip&1 == 0 && set>>next&1 == 1 {
						sum += float64(a.Neighbour())
					}
				}
				stride *= a.Size
			}
		}
		best = min(best, sum)
	}
	return best
}
