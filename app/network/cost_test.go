package network

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	q "github.com/scalebook/scalebook/app/quantity"
)

var ops = []Op{AllGather, ReduceScatter, AllReduce, AllToAll, Broadcast, Reduce, Permute}

// odd draws numbers that readers give: ordinary ones, and all that should not be.
func odd(r *rand.Rand) float64 {
	return []float64{1, 2.5, 1e9, 4.5e11, 0, -1, math.Inf(1), math.NaN(), 1e300, 5e-324, 1e-9, 7}[r.IntN(12)]
}

func oddInt(r *rand.Rand) int {
	return []int{1, 2, 3, 4, 8, 16, 7, 0, -1, -8, 1 << 40, math.MaxInt, 1, 2, 4}[r.IntN(15)]
}

func oddTorus(r *rand.Rand) Torus {
	var t Torus
	for range r.IntN(4) {
		t.Axes = append(
			t.Axes,
			Axis{
				Size:    oddInt(r),
				Wrap:    r.IntN(2) == 0,
				Links:   r.IntN(4) - 1,
				OneWay:  q.Bandwidth(odd(r)),
				Latency: q.Seconds(odd(r)),
			},
		)
	}
	return t
}

func oddGroup(r *rand.Rand) Group {
	switch r.IntN(5) {
	case 0:
		return Switch{
			Devices: oddInt(r),
			Egress:  q.Bandwidth(odd(r)),
			Latency: q.Seconds(odd(r)),
			Reduces: r.IntN(2) == 0,
			Direct:  r.IntN(2) == 0,
		}
	case 1:
		var t Tree
		for range r.IntN(4) {
			t.Levels = append(
				t.Levels,
				Level{Degree: oddInt(r), Egress: q.Bandwidth(odd(r)), Latency: q.Seconds(odd(r)),
					Reduces: r.IntN(2) == 0},
			)
		}
		return Ranks{Tree: t, Members: oddInt(r), Stride: oddInt(r)}
	case 2:
		return Slices{
			Slices:  oddInt(r),
			Slice:   oddTorus(r),
			DCN:     q.Bandwidth(odd(r)),
			Latency: q.Seconds(odd(r)),
			Serial:  r.IntN(2) == 0,
		}
	case 3:
		return nil
	}
	return oddTorus(r)
}

// TestOddInputs: whatever a reader gives, there is a sound cost or an error that says what would be valid.
func TestOddInputs(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	valid, tries := 0, 60000
	if testing.Short() {
		tries /= 10
	}
	for range tries {
		g := oddGroup(r)
		c := Collective{
			Op:     Op(r.IntN(9)),
			Bytes:  q.Bytes(odd(r)),
			OneWay: r.IntN(4) == 0,
			Shift:  oddInt(r),
			Active: float64(r.IntN(2)) * odd(r),
		}
		cost, err := c.Over(g)
		if err != nil {
			if !strings.Contains(err.Error(), "; ") {
				t.Fatalf("%+v over %#v: %v", c, g, err)
			}
			continue
		}
		valid++
		for _, x := range []float64{float64(cost.Time), float64(cost.Sum), float64(cost.Bandwidth),
			float64(cost.Latency),
			float64(cost.Shortcut), float64(cost.PerLink)} {
			if !(x >= 0) || math.IsInf(x, 1) {
				t.Fatalf("%+v over %#v: %+v", c, g, cost)
			}
		}
		if cost.Time > cost.Sum || cost.Sum > 2*cost.Time || cost.Hops < 0 ||
			cost.Binding.String() == "" || cost.Algorithm.String() == "" {
			t.Fatalf("%+v over %#v: %+v", c, g, cost)
		}
	}
	if valid < tries/100 {
		t.Errorf("only %d groups were valid: the test says too little", valid)
	}
}

// TestAloneCostsNothing: a group of one has nothing to do, on any link.
func TestAloneCostsNothing(t *testing.T) {
	for _, g := range []Group{Torus{}, Torus{Axes: []Axis{{Size: 1}}}, Switch{Devices: 1}, Tree{}.All(),
		Slices{Slices: 1}} {
		for _, op := range ops {
			c, err := Collective{Op: op, Bytes: 1e9}.Over(g)
			if err != nil || c.Time != 0 || c.PerLink != 0 || c.Hops != 0 || c.Binding != (Resource{}) {
				t.Errorf("%s over %s: %+v, %v", op, g, c, err)
			}
		}
	}
}

// TestScaling: bytes and bandwidth scale the bandwidth term, and nothing else does anything to the latency.
func TestScaling(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 500 {
		torus := randomTorus(r, 3, 6)
		if torus.Size() == 1 {
			continue
		}
		fast := Torus{Axes: append([]Axis(nil), torus.Axes...)}
		for i := range fast.Axes {
			fast.Axes[i].OneWay *= 3
		}
		for _, op := range ops {
			a, err1 := Collective{Op: op, Bytes: 5}.Over(torus)
			b, err2 := Collective{Op: op, Bytes: 15}.Over(fast)
			if err1 != nil || err2 != nil || !close(float64(a.Bandwidth), float64(b.Bandwidth), 1e-12) ||
				a.Latency != b.Latency ||
				a.Hops != b.Hops {
				t.Fatalf("%s over %s: %+v and %+v, %v %v", op, torus, a, b, err1, err2)
			}
		}
	}
}

// TestMoreAxesHelp: a ring of N is never faster than the same chips in two axes of the same links, and rings never
// slower than lines.
func TestMoreAxesHelp(t *testing.T) {
	for a := 2; a <= 8; a++ {
		for b := 2; b <= 8; b++ {
			for _, op := range []Op{AllGather, AllReduce, AllToAll, Broadcast} {
				of := func(g Group) q.Seconds {
					c, err := Collective{Op: op, Bytes: 1}.Over(g)
					if err != nil {
						t.Fatal(err)
					}
					return c.Bandwidth
				}
				one := Torus{Axes: []Axis{{Size: a * b, Wrap: true, OneWay: 1}}}
				two := Torus{Axes: []Axis{{Size: a, Wrap: true, OneWay: 1}, {Size: b, Wrap: true, OneWay: 1}}}
				flat := Torus{Axes: []Axis{{Size: a, OneWay: 1}, {Size: b, OneWay: 1}}}
				if of(two) > of(one)*(1+1e-12) || of(two) > of(flat)*(1+1e-12) {
					t.Errorf("%s on %dx%d: ring %v, torus %v, without wraparound %v", op, a, b, of(one), of(two),
						of(flat))
				}
			}
		}
	}
}

// TestFewOfMany: a small group of a tree that is larger than can be counted.
func TestFewOfMany(t *testing.T) {
	tree := Tree{Levels: []Level{{Degree: 1 << 20, Egress: 1}, {Name: "top", Degree: 1 << 60, Egress: 1}}}
	c, err := Collective{Op: AllGather, Bytes: 1}.Over(Ranks{Tree: tree, Members: 1 << 22})
	if err != nil || c.Binding.String() != "level " || !close(float64(c.Bandwidth), 1-1.0/(1<<22), 1e-12) {
		t.Errorf("%+v, %v", c, err)
	}
}

func TestAlong(t *testing.T) {
	torus := Torus{Axes: []Axis{{Size: 4}, {Size: 5}, {Size: 6}}}
	if part, err := torus.Along(2, 0); err != nil || part.Shape() != "6x4" {
		t.Errorf("%s, %v", part.Shape(), err)
	}
	for _, bad := range [][]int{{3}, {-1}, {1, 1}} {
		if _, err := torus.Along(bad...); err == nil {
			t.Errorf("axes %v", bad)
		}
	}
}

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
		// each chip takes 3/4 of its 100 bytes from the other slices, at 1 byte/s
		{AllGather, false, 75},
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
	if got, err := (Collective{Op: AllGather, Bytes: 800}).Over(fast); err != nil ||
		!close(float64(got.Time), 7, 1e-12) ||
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

// A shift over a tree crosses the egress of a unit once for each of its devices whose goal lies in another unit,
// however far it goes; between slices it is one step.
func TestPermuteBetweenUnits(t *testing.T) {
	const n, unit = 12, 4
	tree := Tree{Levels: []Level{{Degree: unit, Egress: 1}, {Degree: n / unit, Egress: 1e-3}}}
	for d := 1; d < 2*n; d++ {
		leaving := 0
		for from := range unit {
			if (from+d)%n/unit != 0 {
				leaving++
			}
		}
		c, err := Collective{Op: Permute, Bytes: 1, Shift: d}.Over(Ranks{Tree: tree, Members: n})
		if want := float64(leaving) / 1e-3; err != nil || leaving > 0 && !close(float64(c.Time), want, 1e-12) {
			t.Errorf("shift %d: %v, %v; counted %v", d, c.Time, err, want)
		}
	}
	slices := Slices{Slices: 4, Slice: Torus{Axes: []Axis{{Size: 8, Wrap: true, OneWay: 50}}}, DCN: 1, Latency: 0.5}
	if c, err := (Collective{Op: Permute, Bytes: 800}).Over(slices); err != nil || c.Hops != 1 || c.Latency != 0.5 {
		t.Errorf("between slices: %d hops in %v, %v; want 1 in 0.5 s", c.Hops, c.Latency, err)
	}
}

// TestAllAxesBind: where all axes together take as long as one of them, all are named.
func TestAllAxesBind(t *testing.T) {
	torus := Torus{Axes: []Axis{{Name: "X", Size: 2, OneWay: 1}, {Name: "Y", Size: 2, OneWay: 2}}}
	c, err := Collective{Op: AllGather, Bytes: 4}.Over(torus) // X: 1/4 of 4 over 1; both: 3/4 of 4 over 3
	if err != nil || c.Time != 1 || c.Binding.String() != "axes X, Y" {
		t.Errorf("%v, bound by %v, %v; want 1 s, axes X, Y", c.Time, c.Binding, err)
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
	summing := Ranks{Members: 8, Tree: Tree{Levels: slices.Clone(tree.Tree.Levels)}}
	for i := range summing.Tree.Levels {
		summing.Tree.Levels[i].Reduces = true
	}
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
		{summing, AllReduce, 8, 4, 8e9, "8 out of a device, 8 out of a node over 2; up and down in both levels"},
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
			t.Errorf("%s on %v takes %v s and %d steps, by hand %v s and %d: %s", c.op, c.group, got.Bandwidth,
				got.Hops, c.seconds, c.hops, c.how)
		}
		if _, two := c.group.(Slices); !two && (got.PerLink/c.link-1 > 1e-9 || got.PerLink/c.link-1 < -1e-9) {
			t.Errorf("%s on %v loads its busiest link with %v, by hand %v", c.op, c.group, got.PerLink, c.link)
		}
	}
}

// TestBusSharesCounted: of eight devices each lacks, or gives away, seven eighths; a row of an all-to-all is an eighth
// of the array.
func TestBusSharesCounted(t *testing.T) {
	for op, want := range map[Op]float64{AllGather: 7. / 8, ReduceScatter: 7. / 8, AllReduce: 14. / 8,
		AllToAll:  7. / 64,
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

// The devices that a token's experts lie on are those of a draw: groups first, then experts in them.
func TestReachedIsThatOfADraw(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	const draws = 20000
	for _, c := range []struct{ experts, k, devices, groups, chosen int }{
		{256, 8, 64, 8, 4}, {256, 8, 8, 8, 4}, {256, 8, 4, 8, 4}, {256, 8, 2, 8, 4}, {160, 6, 16, 8, 3},
		{128, 8, 16, 1, 1}, {128, 8, 16, 0, 0},
	} {
		met := 0
		for range draws {
			groups, chosen := max(c.groups, 1), max(c.chosen, 1)
			size, seen := c.experts/groups, map[int]bool{}
			among := r.Perm(groups)[:chosen]
			for range c.k { // each expert at random, as the law has it
				seen[(among[r.IntN(chosen)]*size+r.IntN(size))*c.devices/c.experts] = true
			}
			met += len(seen)
		}
		want := float64(met) / draws
		got := Reached(float64(c.k), float64(c.devices), float64(c.groups), float64(c.chosen))
		if math.Abs(got/want-1) > 0.02 {
			t.Errorf("%+v: %.3f devices; drawn %.3f", c, got, want)
		}
	}
}
