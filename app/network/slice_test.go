package network

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/hardware"
	q "github.com/scalebook/scalebook/app/quantity"
)

func chip(t testing.TB, id string) *hardware.Accelerator {
	t.Helper()
	a, err := hardware.Catalog().Get(id)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func slice(t testing.TB, id string, shape ...int) Slice {
	t.Helper()
	s, err := NewSlice(chip(t, id), shape...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func close(got, want, tol float64) bool { return math.Abs(got-want) <= tol*math.Abs(want) }

func wraps(s Slice) (w []bool) {
	for _, a := range s.Axes {
		w = append(w, a.Wrap)
	}
	return w
}

// Which axes wrap around, as Google's pages and the original book's text have it.
func TestWraps(t *testing.T) {
	for _, c := range []struct {
		id    string
		shape []int
		want  []bool
	}{
		{"tpu.v5e", []int{4, 4}, []bool{false, false}},
		{"tpu.v5e", []int{8, 16}, []bool{false, true}},
		{"tpu.v5e", []int{16, 8}, []bool{true, false}},
		{"tpu.v5e", []int{16, 16}, []bool{true, true}},
		{"tpu.v6e", []int{16, 16}, []bool{true, true}},
		{"tpu.v3", []int{16, 32}, []bool{false, true}},
		{"tpu.v2", []int{16, 16}, []bool{true, true}},
		{"tpu.v5p", []int{4, 4, 8}, []bool{true, true, true}},
		{"tpu.v5p", []int{4, 4, 12}, []bool{true, true, true}},
		{"tpu.v5p", []int{2, 2, 4}, []bool{false, false, false}},
		{"tpu.v4", []int{1, 2, 1}, []bool{false, false, false}},
		{"tpu.v7x", []int{16, 16, 36}, []bool{true, true, true}},
	} {
		if got := wraps(slice(t, c.id, c.shape...)); !slices.Equal(got, c.want) {
			t.Errorf("%s %v wraps %v, want %v", c.id, c.shape, got, c.want)
		}
	}
}

// The counts and totals of Google's tables of slices, and of problem 2 of the original chapter on TPUs.
func TestPublishedSlices(t *testing.T) {
	for _, c := range []struct {
		id                  string
		shape               []int
		chips, hosts, cores int
	}{
		{"tpu.v5e", []int{2, 4}, 8, 1, 8},
		{"tpu.v5e", []int{1, 1}, 1, 1, 1}, // an eighth of a host
		{"tpu.v5e", []int{4, 4}, 16, 2, 16},
		{"tpu.v5e", []int{8, 16}, 128, 16, 128},
		{"tpu.v5e", []int{16, 16}, 256, 32, 256},
		{"tpu.v5p", []int{2, 2, 1}, 4, 1, 8},
		{"tpu.v5p", []int{2, 4, 4}, 32, 8, 64},
		{"tpu.v5p", []int{16, 16, 24}, 6144, 1536, 12288},
		{"tpu.v5p", []int{16, 20, 28}, 8960, 2240, 17920},
		{"tpu.v4", []int{16, 16, 16}, 4096, 1024, 8192},
	} {
		s := slice(t, c.id, c.shape...)
		if s.Size() != c.chips || s.Hosts != c.hosts || s.Cores != c.cores {
			t.Errorf(
				"%s %v: %d chips, %d hosts, %d cores; want %d, %d, %d",
				c.id,
				c.shape,
				s.Size(),
				s.Hosts,
				s.Cores,
				c.chips,
				c.hosts,
				c.cores,
			)
		}
	}
	s := slice(t, "tpu.v5p", 16, 20, 28)
	peak, err := s.Peak("bf16")
	if err != nil || float64(peak) != 8960*459e12 {
		t.Errorf("a pod of v5p computes %v, %v", peak, err)
	}
	if !strings.Contains(s.Note.String(), "6144") {
		t.Errorf("the note on a job's size is %q", s.Note.String())
	}
	if hbm, err := slice(t, "tpu.v5e", 16, 16).HBM(); err != nil || hbm != 256*15.75*(1<<30) {
		t.Errorf("a pod of v5e has %v of HBM, %v", hbm, err)
	}
}

// Google prints the bisection bandwidth of whole pods: the links that cross the narrowest cut, one way, at Google's
// bandwidth of a link.
func TestPublishedBisections(t *testing.T) {
	for id, within := range map[string]float64{"tpu.v5e": 1e-9, "tpu.v6e": 1e-9, "tpu.v4": 0.05} {
		a := chip(t, id)
		s := slice(t, id, a.Torus()...)
		link, err := a.Get("ici_link_bandwidth")
		if err != nil {
			t.Fatal(err)
		}
		if google, ok := link.From("google-" + strings.TrimPrefix(id, "tpu.")); ok {
			s = s.WithLink(q.Bandwidth(google.Value.Value))
		}
		printed, err := a.Get("pod_bisection")
		if err != nil || !close(float64(s.Bisection()), printed.Value.Value, within) {
			t.Errorf("%s: bisection %v, Google prints %v (%v)", id, s.Bisection(), printed.Value, err)
		}
	}
}

// countCut counts the one-way links that cross a plane, link by link.
func countCut(t Torus, axis, at int) float64 {
	sum := 0.0
	for i := range t.Axes[axis].Size {
		next := i + 1
		if next == t.Axes[axis].Size {
			if !t.Axes[axis].Wrap {
				continue
			}
			next = 0
		}
		if (i < at) != (next < at) {
			sum += float64(t.Size()/t.Axes[axis].Size) * float64(t.Axes[axis].Neighbour())
		}
	}
	return sum
}

func TestBisectionCounted(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		torus := randomTorus(r, 3, 7)
		least := 0.0
		for i, a := range torus.Axes {
			if a.Size > 1 {
				if c := countCut(torus, i, a.Size/2); least == 0 || c < least {
					least = c
				}
			}
		}
		if got := float64(torus.Bisection()); !close(got, least, 1e-12) {
			t.Fatalf("%s: %v, counted %v", torus.Shape(), got, least)
		}
	}
}

// randomTorus has up to axes axes of up to size chips, some of them rings.
func randomTorus(r *rand.Rand, axes, size int) Torus {
	var t Torus
	for range 1 + r.IntN(axes) {
		t.Axes = append(t.Axes, Axis{
			Size: 1 + r.IntN(size), Wrap: r.IntN(2) == 0, Links: r.IntN(3),
			OneWay: q.Bandwidth(1 + r.IntN(5)), Latency: q.Seconds(r.IntN(3)),
		})
	}
	return t
}

// walk finds distances by flooding the graph of an axis.
func walk(a Axis, from int) []int {
	d := make([]int, a.Size)
	for i := range d {
		d[i] = -1
	}
	d[from] = 0
	for frontier := []int{from}; len(frontier) > 0; {
		var next []int
		for _, i := range frontier {
			for _, j := range []int{i - 1, i + 1} {
				if a.Wrap {
					j = (j + a.Size) % a.Size
				}
				if j >= 0 && j < a.Size && d[j] < 0 {
					d[j] = d[i] + 1
					next = append(next, j)
				}
			}
		}
		frontier = next
	}
	return d
}

// TestSwitchBisection: half of the devices, or the smaller half, send all they can to the others.
func TestSwitchBisection(t *testing.T) {
	for n, want := range map[int]q.Bandwidth{1: 0, 2: 3e9, 7: 9e9, 8: 12e9} {
		if got := (Switch{Devices: n, Egress: 3e9}).Bisection(); got != want {
			t.Errorf("%d devices of 3e9 byte/s: %v, want %v", n, got, want)
		}
	}
}

func TestDistances(t *testing.T) {
	for n := 1; n < 20; n++ {
		for _, wrap := range []bool{false, true} {
			a := Axis{Size: n, Wrap: wrap}
			most := 0
			for i := range n {
				for j, d := range walk(a, i) {
					most = max(most, d)
					if got := (Torus{Axes: []Axis{a}}).Hops([]int{i}, []int{j}); got != d {
						t.Fatalf("N=%d wrap=%v: %d hops from %d to %d, walked %d", n, wrap, got, i, j, d)
					}
				}
			}
			if a.Diameter() != most {
				t.Errorf("N=%d wrap=%v: diameter %d, walked %d", n, wrap, a.Diameter(), most)
			}
		}
	}
}

// Problem 5 of the original chapter on TPUs: from one corner of a v5e 4x4 to the other.
func TestCornerToCorner(t *testing.T) {
	if got := slice(t, "tpu.v5e", 4, 4).Hops([]int{0, 0}, []int{3, 3}); got != 6 {
		t.Errorf("%d hops, want 6", got)
	}
}

func TestIllegalShapes(t *testing.T) {
	for _, c := range []struct {
		id    string
		shape []int
		want  string
	}{
		{"tpu.v5e", []int{3, 5}, "TPU v5e has no slice 3x5; there are 1x1, 2x2, 2x4, 4x4, 4x8, 8x8, 8x16, 16x16"},
		{"tpu.v5e", []int{16, 32}, "no slice 16x32"},
		{"tpu.v5e", []int{4, 4, 4}, "2 axes, not 3"},
		{"tpu.v5e", nil, "2 axes, not 0"},
		{"tpu.v5p", []int{4, 4, 6}, "multiples of 4, up to 8960 chips"},
		{"tpu.v5p", []int{24, 24, 24}, "no slice 24x24x24"},
		{"tpu.v5p", []int{0, 4, 4}, "no slice 0x4x4"},
		{"tpu.v5p", []int{-4, -4, 4}, "no slice -4x-4x4"},
		{"tpu.v5p", []int{1 << 40, 1 << 40, 1 << 40}, "no slice"},
		{"gpu.h100", []int{4, 4}, "not joined in a torus"},
		{"npu.trainium2", []int{4, 4}, "not joined in a torus"},
	} {
		_, err := NewSlice(chip(t, c.id), c.shape...)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %v: %v, want %q", c.id, c.shape, err, c.want)
		}
	}
}

// Every generation with a torus in the catalog has a rule, from a source of the catalog, and its whole pod is legal.
func TestEveryTorusHasARule(t *testing.T) {
	for _, a := range hardware.Catalog().All {
		rule, ok := RuleFor(a)
		if ok != (a.Axes() > 0) || ok && rule.Dims != a.Axes() {
			t.Errorf("%s: rule %+v for %d axes", a.ID, rule, a.Axes())
		}
		if !ok {
			continue
		}
		if !slices.ContainsFunc(hardware.Catalog().Sources(),
			func(s hardware.Source) bool { return s.ID == rule.Source }) ||
			rule.Note == "" {
			t.Errorf("%s: source %q, note %q", a.ID, rule.Source, rule.Note)
		}
		if shape := a.Torus(); shape != nil {
			if s := slice(t, a.ID, shape...); s.Size() != pod(a) {
				t.Errorf("%s: a pod has %d chips, the catalog says %d", a.ID, s.Size(), pod(a))
			}
		}
	}
}
