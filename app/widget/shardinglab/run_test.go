package shardinglab

import (
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/sharding"
	"github.com/scalebook/scalebook/app/widget"
	"github.com/scalebook/scalebook/app/widget/instrument"
)

// The run of every way of every preset equals the unsharded product.
func TestRuns(t *testing.T) {
	for _, p := range presets() {
		v := begin(t)
		v.Choose("preset", p.id)
		v.Toggle("fold-run", true)
		page := widget.HTML(v.Part("part:run"))
		if !strings.Contains(page, "Equals the unsharded product: yes, in all ") {
			t.Errorf("%s: %s", p.id, page)
		}
	}
}

// Meshes of up to six axes are planned, drawn and run.
func TestManyAxes(t *testing.T) {
	v := begin(t)
	for _, set := range [][2]string{{"mesh", "X=2, Y=2, Z=2, W=2, V=2, T=4"}, {"product", "A[B_X, I, J_YT] . B[B, J_Z, K_WV] -> C[B, I_X, K_YT]"}} {
		if err := v.Set(set[0], set[1]); err != nil {
			t.Fatal(err)
		}
	}
	if v.Toggle("fold-run", true); !strings.Contains(widget.HTML(v.Part("part:run")), "product: yes") {
		t.Error(widget.HTML(v.Part("part:run")))
	}
	if got := strings.Count(widget.HTML(v.Part("part:holders")), "<g "); got != 32 {
		t.Error(got, "chips are drawn")
	}
	if !strings.Contains(widget.HTML(v.Part("part:ways")), "cut short") {
		t.Error("an incomplete search that doesn't say so")
	}
	if v.Set("mesh", "X=2, Y=2, Z=2, W=2, V=2, T=4, S=2") == nil {
		t.Error("seven axes")
	}
}

// A run that loses a summand is seen.
func TestRunSeesFaults(t *testing.T) {
	m, _ := sharding.ParseMesh("X=2", nil)
	sizes := sharding.Sizes{{Name: "I", Value: 4}, {Name: "J", Value: 4}, {Name: "K", Value: 4}}
	e, err := sharding.ParseEinsum("A[I, J_X] . B[J_X, K] -> C[I, K]", sizes, m)
	if err != nil {
		t.Fatal(err)
	}
	plan := sharding.NewPlan(e, sharding.Chip{Peak: 1}, sharding.Free(m), sharding.Options{})
	w := *plan.Named("Einsum, AllReduce_X(C)")
	x := &subject{einsum: e, mesh: m, plan: plan, way: &w}
	if got := x.try(); !got.equal || got.count != 2*4 {
		t.Error(got.String())
	}
	last := *w.Steps[0].To
	last.Unreduced = nil // as if the sum had been taken
	w.Steps = []sharding.Step{{Kind: sharding.Multiply, From: w.Steps[0].From, To: &last, Operand: 2}}
	if got := x.try(); got.equal {
		t.Error(got.String())
	}
}

// The curve meets the answer where the reader is, and each of its places is a plan of its own.
func TestCurve(t *testing.T) {
	v := begin(t)
	if err := v.Set("product", "A[I, J_X] . B[J, K] -> C[I, K]"); err != nil {
		t.Fatal(err)
	}
	x := subjectOf(t, v)
	for x.advance(x.curve.work) {
	}
	for i, p := range x.curve.points {
		if !p.done || p.title == "" {
			t.Fatal(i, "is not planned")
		}
		if near(x.curve.x[i], 8192) && (!near(p.best, result(t, v, "t_total")) || p.title != text(t, v, "way")) {
			t.Error(p)
		}
		if p.best < p.math*(1-1e-9) || p.best < p.comms*(1-1e-9) {
			t.Error(i, "is faster than its parts")
		}
		if i > 0 && p.best < x.curve.points[i-1].best*(1-1e-9) {
			t.Error("more rows take less time at", x.curve.x[i])
		}
	}
	if n := len(x.curve.runs()); n < 2 {
		t.Error("no regime changes:", n)
	}
}

// subjectOf is the subject of a view.
func subjectOf(t testing.TB, v *instrument.View) (x *subject) {
	t.Helper()
	in := New()
	in.View = func(s *instrument.State) []instrument.Part { x = newSubject(s); return nil }
	p, _ := instrument.Place(in, "", "")
	w := p.View()
	for _, par := range v.Params() {
		_ = w.Set(par.Name, par.Text)
	}
	w.Frame()
	return x
}
