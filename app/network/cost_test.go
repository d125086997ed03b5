package network

import (
	"math"
	"math/rand/v2"
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
				Level{Degree: oddInt(r), Egress: q.Bandwidth(odd(r)), Latency: q.Seconds(odd(r)), Reduces: r.IntN(2) == 0},
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
		for _, x := range []float64{float64(cost.Time), float64(cost.Sum), float64(cost.Bandwidth), float64(cost.Latency),
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

// TestAloneCostsNothing: a group of one has nothing to do, on any wire.
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
					t.Errorf("%s on %dx%d: ring %v, torus %v, without wraparound %v", op, a, b, of(one), of(two), of(flat))
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
