package training

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/quantity"
)

// Every constant, of a stack or of all of them, lies inside the range that physics allows what its name says. One at
// the edge stands for a mechanism that is missing, and its source names it after the word "missing"; no other source
// does. Matmuls reach a share of the peak, and what is doubted of a chip widens its intervals.
func TestConstantsArePhysical(t *testing.T) {
	checked := 0
	for _, c := range Sources() {
		var s Stack
		x, err := strconv.ParseFloat(c.Value, 64)
		switch {
		case strings.HasPrefix(c.Name, "reach.") && !(x >= 0.3 && x < 1), c.Name == "doubt" && !(x > 1 && x <= 2),
			c.Name == "older" && !(x > 0.2 && x < 1), c.Name == "loops" && x != 0:
			t.Errorf("%s of %s is %g", c.Name, c.Scope, x)
			continue
		case err != nil || s.constant(c.Name) == nil:
			continue
		}
		checked++
		r := RangeOf(c.Name)
		if r.Why == "" {
			t.Errorf("nobody says what %s can be", c.Name)
		}
		_, missing, _ := strings.Cut(c.Source, "missing: ")
		switch at := edge(c, x, r); {
		case at && len(missing) < 30:
			t.Errorf("%s of %s is %g, at the edge of %g to %g (%s): say which mechanism is missing", c.Name, c.Scope, x,
				r.Low, r.High, r.Why)
		case !at && missing != "":
			t.Errorf("%s of %s is %g, inside of %g to %g: nothing is missing", c.Name, c.Scope, x, r.Low, r.High)
		}
	}
	if checked < 100 {
		t.Errorf("only %d constants", checked)
	}
}

// edge tells whether a constant is outside its range or within a hundredth of its end. What is counted or switched may
// be at an end, and a share of traffic may show whole where the software is known to overlap nothing: a fit that ends
// there says only that something is missing.
func edge(c Constant, x float64, r Range) bool {
	fitted := strings.HasPrefix(c.Source, "fitted") || strings.HasPrefix(c.Source, "assumed")
	switch c.Name {
	case "eager", "flash",
		"norms_split",
		"own_kernels",
		"launch_routed",
		"launch_expert",
		"launch_loop",
		"launch_bias",
		"bias_bytes",
		"token_once",
		"keep_cast",
		"cast_copies",
		"keep_outputs",
		"held_grad",
		"late_sync",
		"copies_each",
		"first_rank",
		"cost_split",
		"sent_grad",
		"sent_token",
		"flat_grad",
		"buckets",
		"bucket_size",
		"narrow",
		"keep_input",
		"keep_routed",
		"live_routed",
		"reach",
		"score_bytes",
		"slow_from":
		return x < r.Low || x > r.High
	}
	if strings.HasPrefix(c.Name, "show_") && x == r.High && !fitted {
		return false
	}
	return x <= r.Low*1.01 || x >= r.High*0.99
}

// TestEdge: a constant in the middle of its range is at no edge, one that was fitted to an end is, and one that is
// there since the software does so isn't.
func TestEdge(t *testing.T) {
	for _, c := range []struct {
		name, source string
		x            float64
		want         bool
	}{
		{"show_dp", "fitted by app/measured/fit", 0.5, false},
		{"show_dp", "fitted by app/measured/fit", 1, true},
		{"show_dp", "fitted by app/measured/fit", 0.05, true},
		{"show_dp", "gradients are reduced after the last microbatch", 1, false},
		{"show_dp", "gradients are reduced after the last microbatch", 1.01, true},
		{"matmul", "set by hand", 0.6, true},
		{"flash", "attention is fused", 1, false},
		{"flash", "attention is fused", 2, true},
	} {
		if got := edge(Constant{Name: c.name, Source: c.source}, c.x, RangeOf(c.name)); got != c.want {
			t.Errorf("%s, %g, %s: %v", c.name, c.x, c.source, got)
		}
	}
}

// A range is a check only if it has two ends and the values of every stack's default are inside.
func TestRangesAreRanges(t *testing.T) {
	for line := range strings.Lines(rangeTable) {
		c := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		var s Stack
		if len(c) != 4 || s.constant(c[0]) == nil {
			t.Errorf("%q is no range of a constant", line)
		}
		if r := RangeOf(c[0]); r.Low > r.High {
			t.Errorf("%s is from %g to %g", c[0], r.Low, r.High)
		}
	}
}

// However far measurements lie from predictions, none beats the peak: six operations for each parameter and token.
func TestNoIntervalBeatsThePeak(t *testing.T) {
	tried := 0
	for _, a := range hardware.Catalog().All {
		if _, err := NewDevice(a); err != nil {
			continue // it can't train
		}
		for _, stack := range []string{"megatron", "nanotron", "fsdp", "xla"} {
			j := newJob(t, "llama3.8b", a.ID, stack, 8, 128, 4096)
			p := NewEstimator(j)
			estimate := p.Estimate(Plan{DP: 8, Zero: 3, Micro: 1})
			i := p.StepInterval(&estimate)
			tokens, embedding := 128.*4096, 128256.*4096
			least := 6 * (j.Model.Total() - embedding) * tokens / 8 / j.Device.Peak[BF16]
			if i.Low < least || i.Low > i.Mid || i.High < i.Mid {
				t.Errorf("%s, %s: %.4g to %.4g to %.4g s, and %.4g at the peak", a.ID, stack, i.Low, i.Mid, i.High,
					least)
			}
			tried++
		}
	}
	if tried < 50 {
		t.Errorf("only %d tried", tried)
	}
}

// TestFacts: each constant of the table has what a reader needs of it, and the value with which plans are estimated.
func TestFacts(t *testing.T) {
	for _, name := range Stacks() {
		s, err := StackNamed(name)
		if err != nil {
			t.Fatal(err)
		}
		facts := map[string]Fact{}
		for _, f := range s.Facts() {
			facts[f.Name] = f
			value := *s.constant(f.Name)
			if f.Label == "" || f.Source == "" || math.Abs(f.Value.Value-value) > 1e-5*value {
				t.Errorf("%s of %s is %v of %v; %q, %q", f.Name, name, f.Value.Value, value, f.Label, f.Source)
			}
			if !(f.Least.Value <= value && value <= f.Most.Value) {
				t.Errorf("%s of %s, %s, is not from %v to %v", f.Name, name, f.Text, f.Least, f.Most)
			}
			if back, err := quantity.Parse(f.Text); err != nil || back != f.Value {
				t.Errorf("%s of %s reads %q: %v, %v", f.Name, name, f.Text, back, err)
			}
		}
		for _, c := range Sources() {
			if _, found := facts[c.Name]; !found && c.Name != "like" && c.Name != "years" &&
				(c.Scope == "every" || c.Scope == name) {
				t.Errorf("the table doesn't say what %s of %s means", c.Name, c.Scope)
			}
		}
	}
}

// TestStackWith: what somebody changes of a stack leaves the stack of the table alone.
func TestStackWith(t *testing.T) {
	s, err := StackNamed("megatron")
	if err != nil {
		t.Fatal(err)
	}
	with := s.With(map[string]quantity.Quantity{"show_dp": {Value: 0.25}})
	if again, _ := StackNamed("megatron"); with.ShowDP != 0.25 || again.ShowDP != s.ShowDP || with.ShowTP != s.ShowTP {
		t.Error(with.ShowDP, again.ShowDP)
	}
}

// TestSearchWithOwnConstants: whatever a reader makes of the constants, the search finds what estimating every plan
// finds.
func TestSearchWithOwnConstants(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	for _, c := range []struct{ model, device, stack string }{{"llama3.8b", "gpu.h100", "megatron"},
		{"mixtral.8x7b", "gpu.h100", "nanotron"}, {"llama3.8b", "tpu.v5p", "xla"}} {
		for turn := range 12 {
			j := newJob(t, c.model, c.device, c.stack, 16, 32, 4096)
			own := map[string]quantity.Quantity{}
			for _, f := range j.Stack.Facts() {
				share := random.Float64()
				switch turn {
				case 0:
					share = 0
				case 1:
					share = 1
				}
				q := f.Least
				q.Value += share * share * share * (f.Most.Value - f.Least.Value)
				if turn < 2 || random.IntN(3) == 0 {
					own[f.Name] = q
				}
			}
			j.Stack = j.Stack.With(own)
			p := NewEstimator(j)
			s := p.Usual()
			want, _, legal := brute(p, &s, ByTime)
			got := p.Find(Search{Space: s})
			if len(got.Best) != 1 {
				if want.Time.Step() > 0 {
					t.Errorf("%s: nothing found of %d plans, where %v fits; %v", c.model, legal, want.Plan, own)
				}
			} else if step := got.Best[0].Time.Step(); step != want.Time.Step() || !(step > 0) || math.IsInf(step, 0) {
				t.Errorf("%s: found %v, %v s, want %v, %v s; %v", c.model, got.Best[0].Plan, step, want.Plan,
					want.Time.Step(), own)
			}
		}
	}
}

// TestReachGiven: the share of the peak that matmuls reach is the chip's, unless somebody gives another.
func TestReachGiven(t *testing.T) {
	j := newJob(t, "llama3.8b", "gpu.h100", "megatron", 16, 32, 4096)
	plan := Plan{DP: 16, Zero: 3}
	rate := func(reach float64) (rate, step float64) {
		k := j
		k.Stack = j.Stack.With(map[string]quantity.Quantity{"reach": {Value: reach}})
		p := NewEstimator(k)
		estimate := p.Estimate(plan)
		terms := p.Terms(&estimate)
		if reach > 0 && terms.Reach != reach {
			t.Errorf("%v was given, %v is taken", reach, terms.Reach)
		}
		return terms.Rate, estimate.Time.Step()
	}
	own := j.Device.Reach[BF16]
	asItIs, before := rate(0)
	if same, step := rate(own); same != asItIs || step != before {
		t.Error("the chip's own share, given, changes the price")
	}
	if half, step := rate(own / 2); math.Abs(half/asItIs-0.5) > 1e-12 || step <= before {
		t.Errorf("half the share gives %v of the rate, and a step of %v s instead of %v s", half/asItIs, step, before)
	}
}

// checkLines holds every line of the constants' table to its form.
func checkLines(t *testing.T) {
	t.Helper()
	seen := map[string]bool{}
	var s Stack
	for line := range strings.Lines(constantTable) {
		cells := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if len(cells) != 4 || cells[3] == "" {
			t.Errorf("%q has not four cells", line)
			continue
		}
		if key := cells[0] + " " + cells[1]; seen[key] {
			t.Errorf("%s stands twice", key)
		} else {
			seen[key] = true
		}
		others := []string{"doubt", "older", "loops", "like", "years"}
		if !slices.Contains(others, cells[1]) && !strings.HasPrefix(cells[1], "reach.") && s.constant(cells[1]) == nil {
			t.Errorf("nothing reads %s", cells[1])
		}
	}
}
