package widget

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scalebook/scalebook/app/quantity"
)

// Every text that a field is given of itself means the value it stands for, to the last bit but one (of percents).
func TestFieldTextIsExact(t *testing.T) {
	s := written(
		t,
		"x",
		"let a = 16 GiB\nlet b = 8.1e11 byte/s\nlet c = 2.1 $/hour\nlet d = 256 token\nlet e = 87.2 us\nlet f = 25%\nlet "+
			"g = 197 TFLOP/s\nlet h = 1 byte/token\n",
	)
	random := rand.New(rand.NewPCG(1, 2))
	for _, in := range s.Inputs {
		for range 2000 {
			q := in.Default.Num
			q.Value *= math.Exp(20 * (random.Float64() - 0.5))
			if random.IntN(2) == 0 {
				q.Value = round(q.Value, 1+random.IntN(5))
			}
			text := numberText(q, in.Unit)
			back, err := quantity.ParseLike(text, in.Unit)
			if err != nil || math.Abs(back.Value/q.Value-1) > 3e-16 || len(text) > 40 {
				t.Fatalf("%s: %v is written %q, which means %v, %v", in.Name, q.Value, text, back.Value, err)
			}
		}
	}
	for i, want := range []string{"16 GiB", "810 GB/s", "$2.10/hour", "256", "87.2 µs", "25 %", "197 TFLOP/s",
		"1 byte/token"} {
		if got := fieldText(s.Inputs[i], s.Inputs[i].Default); got != want {
			t.Errorf("%s: %q, want %q", s.Inputs[i].Name, got, want)
		}
	}
}

// A slider grows with its position, stays within its range and on its grid, and stands where the value is.
func TestSliderLaws(t *testing.T) {
	for _, s := range []scale{
		{1, 16384, 0, true, 1}, {128, 65536, 1, true, 1}, {1, 64, 1, false, 1}, {0, 1, 0, false, 1}, {-5, 5, 0.5, false, 1},
		{1 << 30, 1 << 40, 0, true, 1 << 30}, {1e-6, 1, 0, true, 1e-6}, {3, 3, 0, false, 1}, {1e9, 1e14, 0, true, 1e12},
		{8, 4096, 8, true, 1},
	} {
		last := math.Inf(-1)
		for p := 0; p <= sliderSteps; p++ {
			x := s.Value(p)
			if !(x >= last && x >= s.min && x <= s.max) {
				t.Fatalf("%v: %v at %d, after %v", s, x, p, last)
			}
			if s.step > 0 && x < s.max && math.Abs(math.Remainder((x-s.min)/s.step, 1)) > 1e-6 {
				t.Fatalf("%v: %v at %d is off the grid", s, x, p)
			}
			if back := s.Position(x); s.max > s.min && math.Abs(float64(back-p)) > 45 && s.step == 0 {
				t.Errorf("%v: %v at %d is shown at %d", s, x, p, back)
			}
			last = x
		}
		if s.Value(0) != s.min || s.Value(sliderSteps) != s.max {
			t.Errorf("%v: the ends are %v and %v", s, s.Value(0), s.Value(sliderSteps))
		}
		for x, presses := s.min, 0; x < s.max; presses++ {
			next := s.Value(s.Next(x, 1, false))
			if !(next > x) || presses > sliderSteps {
				t.Fatalf("%v: the keyboard is stuck at %v", s, x)
			}
			x = next
		}
	}
}

// Pressing a key up and down again comes back, and always says something new.
func TestNudge(t *testing.T) {
	v := New(compiled(t, "int8-matmul"))
	for range 30 {
		before := v.Value(v.Sheet.Input("B")).Num.Value
		if !v.Nudge("B", 1, false) {
			t.Fatal("B can't be nudged")
		}
		if after := v.Value(v.Sheet.Input("B")).Num.Value; after <= before {
			t.Fatalf("up from %v came to %v", before, after)
		}
	}
	v.Reset()
	v.Nudge("B", 1, true)
	if got := v.Value(v.Sheet.Input("B")).Num.Value; got != 512 {
		t.Errorf("a big step up from 256 came to %v", got)
	}
	if v.Nudge("chip", 1, false) || v.Nudge("W_hbm", 1, false) || v.Nudge("nope", 1, false) {
		t.Error("what has no range was nudged")
	}
}
