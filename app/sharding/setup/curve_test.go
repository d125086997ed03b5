package setup

import "testing"

// The curve meets the answer where the reader is, and each of its places is a plan of its own.
func TestCurve(t *testing.T) {
	g := given(t, "tpu.v5p")
	g.Product = "A[I, J_X] . B[J, K] -> C[I, K]"
	w := taken(t, g).Ways(false)[0]
	c := w.NewCurve("I")
	for last := 0.0; c.Step(); {
		if c.Done() <= last || c.Done() >= 1 {
			t.Fatal("no progress:", c.Done())
		}
		last = c.Done()
	}
	if len(c.Known) != places || c.Done() != 1 {
		t.Fatal(len(c.Known), c.Done())
	}
	met := false
	for i, p := range c.Known {
		if near(p.Size, FirstSize) {
			met = near(p.Best, float64(w.Lower())) && p.Title == w.Name()
		}
		if p.Best < p.Math*(1-1e-9) || p.Best < p.Comms*(1-1e-9) {
			t.Error(p.Size, "is faster than its parts")
		}
		if i > 0 && (p.Size <= c.Known[i-1].Size || p.Best < c.Known[i-1].Best*(1-1e-9)) {
			t.Error("more rows take less time at", p.Size)
		}
	}
	if n := len(c.Regimes()); !met || n < 2 {
		t.Error(met, n, "regimes")
	}
	if w.NewCurve("Z").Step() {
		t.Error("a curve over what there is not")
	}
}

// A change to any size is answered within the budget of a frame.
func BenchmarkWays(b *testing.B) {
	for _, x := range Examples() {
		b.Run(x.ID, func(b *testing.B) {
			g := given(b, "tpu.v5p")
			g.Product, g.Mesh, g.Sizes = x.Product, x.Mesh, x.Sizes
			for b.Loop() {
				taken(b, g).Ways(false)
			}
		})
	}
}
