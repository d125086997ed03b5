package training

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scalebook/scalebook/app/quantity"
)

// TestFacts: each constant of the table has what a reader needs of it, and the value with which plans are priced.
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

// TestSearchWithOwnConstants: whatever a reader makes of the constants, the search finds what pricing every plan finds.
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
			p := NewPricer(j)
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
		p := NewPricer(k)
		price := p.Price(plan)
		terms := p.Terms(&price)
		if reach > 0 && terms.Reach != reach {
			t.Errorf("%v was given, %v is taken", reach, terms.Reach)
		}
		return terms.Rate, price.Time.Step()
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
