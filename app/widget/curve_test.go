package widget

import (
	"math"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/library"
	"github.com/scalebook/scalebook/app/sheet"
)

const curved = "let x = 8 in 1..10000 log \"Size\"\nlet a = 100 in 1..1000\ny = max(a * 1 s, x * 1 s)\n" +
	"plot y over x log\nask y over x \"How does it grow?\"\n"

// A curve that was drawn is what the field of its question has, and answers it: judged as a ratio on a logarithmic
// axis, with the slopes of its ends and its knee. It is there again when its reader comes back.
func TestAskedCurve(t *testing.T) {
	v := New(written(t, "s", curved))
	d := v.draw(0)
	for k, y := range []float64{100, 100, 100, 1000, 30000} {
		v.PlaceStep(0, handleID("plot", k), int(math.Round(d.drawing.Share(y)*sliderSteps)))
	}
	text := v.fields[v.id("y", "guess")]
	if strings.Count(text, ",") != handles-1 || v.draw(0).plot.Sketch == nil {
		t.Fatalf("%q", text)
	}
	if page := HTML(Section(v)); !strings.Contains(page, "1, 10, 100, 1000, 10") || !v.Veiled("y") {
		t.Error("nothing says where the values lie: ", page)
	}
	v.SetField(v.id("y", "guess"), "100 s, 100 s, 100 s; 1000 s, 5 h")
	g := v.TakeGuess("y")
	for _, want := range []string{"at x = 10,000:", "a factor of 1.8 too high; it is 2.78 hours", "slope 0 in the first",
		"1 in the last", "Yours: 0 and 1.26", "Its knee is at x = 100.",
		"The ends of yours would meet at 160."} {
		if !strings.Contains(g.Verdict, want) {
			t.Errorf("%q isn't in %q %q", want, g.Verdict, g.Refused)
		}
	}
	if g.Score != "1.8" || v.Veiled("y") || v.draw(0).plot.Sketch == nil {
		t.Error(g.Score, "the curve is gone when the true one is shown")
	}
	again := New(written(t, "s", curved))
	again.KeepGuess("y", g)
	if s := again.draw(0).plot.Sketch; s == nil || s.Y[4] != 5*3600 {
		t.Error("a later visit doesn't show the curve")
	}
	again.Forget("y")
	if again.draw(0).plot.Sketch != nil || !again.Veiled("y") {
		t.Error("another try begins with the curve of before")
	}
	for range 5 {
		if again.Reveal("y"); strings.Contains(again.Renew("y"), "Size") {
			t.Error("asked again, the curve's own axis has another place")
		}
	}
}

// The knee is where the plot has it, where another term takes over, at 8 * (10 - 3); a curve that bends smoothly has
// none, only ends that would meet.
func TestKneeOfTheCurve(t *testing.T) {
	for formula, want := range map[string]string{
		"1 s / max(10, 3 + x / 8)": "Its knee is at x = 56",
		"1 s / (10 + x / 8)":       "its two ends, continued, would meet at x = ",
	} {
		v := New(written(t, "s", "let x = 8 in 1..10000 log \"Size\"\ny = "+formula+
			"\nplot y over x log\nask y over x \"How?\"\n"))
		if g := v.Reveal("y"); !strings.Contains(g.Verdict, want) {
			t.Errorf("%s: %q", formula, g.Verdict)
		}
	}
}

// On a linear axis a curve is off by a difference; a level one bends nowhere; what is no curve is refused and kept.
func TestAskedCurveOnLinearAxes(t *testing.T) {
	v := New(written(t, "s", "let x = 5 in 0..8\ny = x * 2 s\nplot y over x linear\nask y over x \"How?\"\n"))
	for text, want := range map[string]string{
		"0 s, 4 s, 8 s, 12 s, 24 s":   "8 s too high; it is 16 s",
		"0 s, 4 s, 8 s, 12 s, 16 s":   "changes by 4 s, in the last by 4 s. Yours: 4 s and 4 s.",
		"0 s, 4 s, 0 s, 12 s, 16 s":   "at x = 4: you drew 0 s, 8 s too low",
		"0 s; 4 s; 8 s; 12 s; 15 s":   "at most 1 s off",
		"-4 s, -4 s, 8 s, 12 s, 16 s": "too low",
		"0 s,4 s,8 s,12 s,24 s":       "8 s too high; it is 16 s",
		"0,5 s; 4 s; 8 s; 12 s; 24 s": "8 s too high; it is 16 s",
	} {
		v.SetField(v.id("y", "guess"), text)
		if g := v.TakeGuess("y"); !strings.Contains(g.Verdict, want) || strings.Contains(g.Verdict, "knee") {
			t.Errorf("%s: %q %q", text, g.Verdict, g.Refused)
		}
	}
	for _, text := range []string{"", "4 s", "1, 2, 3, 4, 5", "1,2,3,4,5", "1 s, 2 s, 3 s, 4 s, 5 byte", ", , , , ",
		"NaN, NaN, NaN, NaN, NaN"} {
		v.SetField(v.id("y", "guess"), text)
		if g := v.TakeGuess("y"); g.Refused == "" || !v.Veiled("y") || v.fields[v.id("y", "guess")] != text {
			t.Errorf("%q: %+v", text, g)
		}
	}
	if g := v.Reveal("y"); strings.Contains(g.Verdict, "Yours") || !strings.Contains(g.Verdict, "changes by 4 s") {
		t.Error(g.Verdict)
	}
}

// Where no plot has the curve it can't be asked for.
func TestAskedCurveNeedsAPlot(t *testing.T) {
	_, errs := sheet.Compile("let x = 5 in 1..9\ny = 2 * x\nplot y over x\nask y over z \"How?\"\n", library.New())
	if len(errs) != 1 || !strings.Contains(errs[0].Error(), "no plot shows `y` over `z`") {
		t.Error(errs)
	}
}
