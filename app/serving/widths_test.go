package serving

import (
	"slices"
	"testing"
)

// On a torus MLPs may be split by both widths. The search finds a split where it sends less, only for engines that can
// be told so and only on a torus; a step's parts are still its whole.
func TestTwoWidths(t *testing.T) {
	r := replica(t, "llama3.405b", "tpu.v5p", 2, Plan{TP: 128, WS: 4}, Fitted(""))
	w := Wish{Shape: r.Shape, Chip: r.Chip, Chips: 128, Constants: r.Constants, Load: Load{In: 2000, Out: 500}}
	split := func() (all []Plan) {
		for _, p := range w.Plans() {
			if p.WS > 1 {
				all = append(all, p)
			}
		}
		return all
	}
	if plans := split(); !slices.Contains(plans, Plan{TP: 128, DP: 1, PP: 1, WS: 4}) {
		t.Errorf("of 128 chips the search splits %v", plans)
	}
	one, two := *r, *r
	one.WS = 1
	busy := Work{Sequences: 64, Context: 2000, Prompt: 8192}
	if a, b := one.Step(busy), two.Step(busy); b.Collectives >= a.Collectives {
		t.Errorf("sending takes %v where both widths are split, and %v where one is", b.Collectives, a.Collectives)
	}
	if x := two.Terms(busy); x.Beyond > 1e-9*x.Collectives || x.Widths != r.Layers || x.Sums != r.Layers {
		t.Errorf("%v of %v is sent beyond what is told: %v sums, %v MLPs", x.Beyond, x.Collectives, x.Sums, x.Widths)
	}
	for x := 2; x < 128; x *= 2 { // no other split is faster, whatever is sent
		other := *r
		other.WS = x
		for _, work := range []Work{busy, {Sequences: 1, Context: 10}} {
			if got, best := other.Step(work).Collectives, two.Step(work).Collectives; got < best*(1-rounding) {
				t.Errorf("%v sends in %v, %v in %v", other.Plan, got, two.Plan, best)
			}
		}
	}
	for _, engine := range []string{"vllm", "sglang", "trtllm"} {
		if w.Engine.Name = engine; len(split()) > 0 {
			t.Errorf("%s can't be told to split both widths", engine)
		}
	}
	flags := two.Flags("maxtext", w.Load, 1)
	if number(t, flags, "ici_tensor_parallelism=") != 32 || number(t, flags, "ici_tensor_transpose_parallelism=") != 4 {
		t.Errorf("MaxText is told %s", flags)
	}
	w.Engine.Name = "maxtext"
	if len(split()) == 0 {
		t.Error("MaxText can be told, and isn't")
	}
	w.Chip = replica(t, "llama3.8b", "gpu.gb200", 2, Plan{}, Fitted("")).Chip
	if w.Engine.Name = ""; len(split()) > 0 {
		t.Error("behind a switch there are no axes to split over")
	}
}

// The least traffic of an MLP without a gate is that of the two-dimensional law in closed form (Pope et al.).
func TestTwoWidthsInClosedForm(t *testing.T) {
	const rows, width, inner, wire = 64.0, 8192.0, 32768.0, 540e9
	got := twoWidthsTime(2*rows*width, 2*rows*inner, 4, 64, 3, wire, 0)
	want := 2*63.0/64*2*rows*width/4/(wire*2/3) + 2*3.0/4*2*rows*inner/64/(wire/3)
	near(t, "both widths", got, want, 1e-12)
}
