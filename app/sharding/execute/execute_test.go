package execute

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/network"
	"github.com/scalebook/scalebook/app/sharding"
)

// random draws an einsum with roles, sizes, a mesh and shardings of all three arrays, padded ones among them.
func random(r *rand.Rand) (text, sizes, mesh string) {
	axes := 1 + r.IntN(3)
	var names []string
	var m []string
	for i := range axes {
		names = append(names, string(rune('X'+i)))
		m = append(m, fmt.Sprintf("%s=%d", names[i], 2+r.IntN(2)))
	}
	var a, b, c, s []string
	add := func(name string, to ...*[]string) {
		n := 1 + r.IntN(9)
		s = append(s, fmt.Sprintf("%s=%d", name, n))
		for _, t := range to {
			*t = append(*t, name)
		}
	}
	for i := range r.IntN(2) {
		add(fmt.Sprint("B", i), &a, &b, &c)
	}
	for i := range 1 + r.IntN(2) {
		add(fmt.Sprint("J", i), &a, &b)
	}
	for i := range r.IntN(3) {
		add(fmt.Sprint("I", i), &a, &c)
	}
	for i := range r.IntN(2) {
		add(fmt.Sprint("K", i), &b, &c)
	}
	write := func(name string, dims []string) string {
		r.Shuffle(len(dims), func(i, j int) { dims[i], dims[j] = dims[j], dims[i] })
		sub := make([]string, len(dims)+1)
		for _, x := range r.Perm(axes) {
			if k := r.IntN(len(dims) + 3); k < len(dims) || k == len(dims) && r.IntN(3) == 0 {
				sub[k] += names[x]
			}
		}
		out := make([]string, len(dims))
		for i, d := range dims {
			out[i] = d
			if sub[i] != "" {
				out[i] += "_" + sub[i]
			}
		}
		text := name + "[" + strings.Join(out, ", ") + "]"
		if u := sub[len(dims)]; u != "" {
			text += "{U_" + u + "}"
		}
		return text
	}
	return write("A", a) + " . " + write("B", b) + " -> " + write("C", c), strings.Join(s, ", "), strings.Join(m, ", ")
}

// TestStrategiesComputeTheEinsum: every strategy that the planner offers, run chip by chip, is the einsum.
func TestStrategiesComputeTheEinsum(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	plans, strategies, sliced, kinds := 0, 0, 0, map[sharding.Kind]int{}
	most := 400
	if testing.Short() {
		most /= 5
	}
	for plans < most {
		text, sizes, mesh := random(r)
		m, _ := sharding.ParseMesh(mesh, nil)
		s, _ := sharding.ParseSizes(sizes, nil)
		e, err := sharding.ParseEinsum(text, s, m)
		if err != nil {
			continue // more parts than elements
		}
		fabric := sharding.Free(m)
		if plans%2 == 1 {
			fabric = wired(t, m)
		}
		p := sharding.NewPlan(e, sharding.Chip{Peak: 1}, fabric, sharding.Options{Most: 12})
		if len(p.Strategies) == 0 && len(e.C.Unreduced) == 0 {
			t.Fatalf("no strategy for %s, %s on %s", text, sizes, mesh)
		}
		plans++
		for _, st := range p.Strategies {
			strategies++
			if !st.Plain {
				sliced++
			}
			for _, step := range st.Steps {
				kinds[step.Kind]++
			}
			check(t, r, e, st)
		}
	}
	t.Logf("%d strategies of %d plans, %d slice before they communicate, steps %v", strategies, plans, sliced, kinds)
	if sliced < most/8 {
		t.Errorf("only %d strategies slice before they communicate", sliced)
	}
	for k := sharding.AllGather; k <= sharding.Multiply; k++ {
		if kinds[k] < most/20 {
			t.Errorf("only %d steps are %v: the test says too little of them", kinds[k], k)
		}
	}
}

// wired is a mesh on a torus of its own sides.
func wired(t *testing.T, m *sharding.Mesh) *sharding.Fabric {
	var torus network.Torus
	for _, a := range m.Axes {
		torus.Axes = append(torus.Axes, network.Axis{Size: a.Size, Wrap: true, OneWay: 1})
	}
	f, err := sharding.OnTorus(m, torus)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// fill is a tensor of random whole numbers, so that sums are exact.
func fill(r *rand.Rand, a *sharding.Array) Tensor {
	shape := make([]int, len(a.Dims))
	for i, d := range a.Dims {
		shape[i] = int(d.Size)
	}
	t := NewTensor(shape...)
	for i := range t.Data {
		t.Data[i] = float64(r.IntN(17) - 8)
	}
	return t
}

// shares gives the chips along unreduced axes different summands of the same whole.
func shares(a *sharding.Array, m *sharding.Mesh) func([]int) float64 {
	return func(at []int) float64 {
		first := true
		n := 1
		for _, u := range a.Unreduced {
			first = first && at[u] == 0
			n *= m.Axes[u].Size
		}
		if first {
			return 1 - 3*float64(n-1)
		}
		return 3
	}
}

func check(t *testing.T, r *rand.Rand, e *sharding.Einsum, st *sharding.Strategy) {
	t.Helper()
	a, b := fill(r, &e.A), fill(r, &e.B)
	left, err := Place(a, &e.A, e.Mesh, shares(&e.A, e.Mesh))
	if err != nil {
		t.Fatal(err)
	}
	right, err := Place(b, &e.B, e.Mesh, shares(&e.B, e.Mesh))
	if err != nil {
		t.Fatal(err)
	}
	got, err := Run(e, st.Steps, left, right)
	if err != nil {
		t.Fatalf("%s, %s: %v", e, st.Title(e.Mesh), err)
	}
	if got.Array.String(e.Mesh) != e.C.String(e.Mesh) {
		t.Fatalf("%s: %s leaves %s", e, st.Title(e.Mesh), got.Array.String(e.Mesh))
	}
	whole := Multiply(e, a, b)
	shape := ranges(whole.Shape)
	for chip, s := range got.Shards {
		k := 0
		each(s.Held, func(at []int) {
			v := s.Data[k]
			if len(e.C.Unreduced) > 0 {
				v = 0
				for _, i := range group(e.Mesh, e.C.Unreduced, chip) {
					v += got.Shards[i].Data[k]
				}
			}
			if want := whole.Data[offset(shape, at)]; math.Abs(v-want) > 1e-9 {
				t.Fatalf("%s, %s: chip %d has %v at %v, want %v", e, st.Title(e.Mesh), chip, v, at, want)
			}
			k++
		})
	}
}
