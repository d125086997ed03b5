package widget

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet"
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
		{1, 16384, 0, true, 1}, {128, 65536, 1, true, 1}, {1, 64, 1, false, 1}, {0, 1, 0, false, 1},
		{-5, 5, 0.5, false, 1}, {1 << 30, 1 << 40, 0, true, 1 << 30}, {1e-6, 1, 0, true, 1e-6}, {3, 3, 0, false, 1},
		{1e9, 1e14, 0, true, 1e12}, {8, 4096, 8, true, 1},
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

// Near the line where the sheet stands a pointer takes hold of it, and drags the input to a round number. Elsewhere it
// reads. A plot that still waits for an estimate, or runs over a menu, has nothing to take hold of.
func TestDrag(t *testing.T) {
	v := New(written(t, "s", "let x = 30 in 1..10000 log \"Size\"\ny = 2 * x\nplot y over x log\n"))
	d := v.draw(0)
	here := d.drawing.Cursor(30)
	if !v.Grips(0, here+reach-1) || v.Grips(0, here+reach+1) {
		t.Error("the line can be taken hold of, and only there")
	}
	v.Drag(0, d.drawing.Cursor(100))
	if got := v.Value(v.fitted("x")).Num.Value; got < 97 || got > 103 {
		t.Errorf("dragged to 100, x is %v", got)
	}
	v.Drag(0, -50)
	if got := v.Value(v.fitted("x")).Num.Value; got != 1 {
		t.Errorf("dragged beyond the left end, x is %v", got)
	}
	page := HTML(Section(v))
	if !strings.Contains(page, `aria-label="Move in the plot: Size"`) ||
		!strings.Contains(page, `id="s--plot--1-mark"`) {
		t.Error(page)
	}
}

func TestNothingToDrag(t *testing.T) {
	for _, text := range []string{
		"let x = 5 in 1..9\ny = 2 * x\nplot y over x linear\nask y \"How much?\"\n",
		"let chip = tpu.v5e\nW = chip.hbm_bandwidth\nplot W over chip\n",
		"let x = 5 in 1..9 step 1 play\ny = 2 * x\nplot y over x linear\n",
	} {
		v := New(written(t, "s", text))
		if v.Grips(0, v.draw(0).drawing.Cursor(5)) {
			t.Errorf("something can be dragged in %s", text)
		}
	}
}

// What is pulled in a drawing sets its input to a round number at the pointer's place, within the range, or to the
// nearest number of a menu; an attribute that says nothing sets nothing.
func TestPull(t *testing.T) {
	v := New(written(t, "s", "let B = 30 in 1..10000 log \"Size\"\nlet n = 4 of 1, 2, 4, 8\n"+
		"let t = 0 in 0..9 step 1 play\ny = B * n * t\n"))
	for _, c := range []struct {
		attr, input string
		at, want    float64
	}{
		{"B x log 0 1 100 100", "B", 50, 10},
		{"B x log 0 1 100 100", "B", 300, 10000},
		{"B y linear 100 0 0 100", "B", 75, 25},
		{"B y log 300 1 200 10 0 1000", "B", 100, 100},
		{"B y log 300 1 200 10 0 1000", "B", 250, 3.2},
		{"n x log 0 1 30 8", "n", 19, 4},
		{"n x log 0 1 30 8", "n", 400, 8},
		{"t x linear 0 0 90 9", "t", 52, 5},
	} {
		p := ParsePull(c.attr)
		v.Pull(p, c.at)
		if got := v.Value(v.fitted(c.input)).Num.Value; p.Input != c.input || math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s pulled to %v: %s = %v, want %v", c.attr, c.at, p.Input, got, c.want)
		}
	}
	for _, attr := range []string{"", "B x log", "B x log 0 1", "B x log 0 1 2",
		"B x log 0 1 2 z", "C x log 0 1 100 100"} {
		v.Pull(ParsePull(attr), 50)
	}
	if got := v.Value(v.fitted("B")).Num.Value; math.Abs(got-3.2) > 1e-9 {
		t.Errorf("what can't be read has set %v", got)
	}
}

func FuzzPull(f *testing.F) {
	f.Add("B x log 0 1 100 100", 50.0)
	f.Add("B y linear 0 0 0 NaN", 1e308)
	v := New(written(f, "s", "let B = 30 in 1..10000 log \"Size\"\ny = B * 2\n"))
	f.Fuzz(func(t *testing.T, attr string, at float64) {
		v.Pull(ParsePull(attr), at)
		if x := v.Value(v.fitted("B")).Num.Value; !(x >= 1 && x <= 10000) {
			t.Errorf("%q at %v: %v", attr, at, x)
		}
	})
}

// drawnSheet is a sheet that may have figures.
func drawnSheet(t *testing.T, src string) *sheet.Sheet {
	t.Helper()
	s, errs := sheet.Compile(src, Env())
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	s.ID = "s"
	return s
}

// A sheet that opens a chapter has its picture and then its controls, and all else in a fold below them.
func TestOpening(t *testing.T) {
	s := drawnSheet(t, "title A fill\nlet n = 4 in 1..8 step 1 \"Chips\"\n"+
		"figure memory_fill(80 GB, n * 1 GB, 1 GB, 3) \"Pull it\"\n"+
		"m = n * 1 GB\nhidden k = n\n")
	s.Size = "opening"
	page, at := HTML(Section(New(s))), 0
	for _, part := range []string{`data-size="opening"`, `class="lead"`,
		`<figure class="drawing"`, `<figcaption>Pull it`, `class="inputs"`,
		`class="sheet-head"`, `class="behind"`, `How these numbers follow`,
		`class="twin"`, `class="rows"`, `class="rest"`, `role="status"`} {
		i := strings.Index(page[at:], part)
		if i < 0 {
			t.Fatalf("%s doesn't stand in its place", part)
		}
		at += i
	}
	if n := strings.Count(page, `class="twin"`); n != 1 {
		t.Errorf("the picture stands in words %d times", n)
	}
	v := New(s)
	before := v.Fingerprint("twin:0")
	if v.Set("n", "5"); v.Fingerprint("twin:0") == before {
		t.Error("the words don't follow the picture")
	}
}

// A pull of what is stepped through takes the nearest step, of whatever size.
func TestPullOfSteps(t *testing.T) {
	v := New(written(t, "x", "let n = 10 in 10..90 step 20 play\ny = 2 * n\n"))
	for at, want := range map[float64]float64{0: 10, 34: 30, 41: 50, 200: 90} {
		v.Pull(ParsePull("n x linear 0 0 100 100"), at)
		if got := v.Value(v.fitted("n")).Num.Value; got != want {
			t.Errorf("at %v: %v, not %v", at, got, want)
		}
	}
}
