package widget

import (
	"math"
	"strings"
	"testing"
)

// A stroke over a veiled plot bends its handles one after the other, and says what the curve has where the sheet
// stands. The curve stays when the true one is shown, its distance is said, and another try begins without it.
func TestSketch(t *testing.T) {
	v := New(written(t, "s", "let x = 5 in 1..9\ny = 2 * x\nplot y over x linear\nask y \"How much?\"\n"))
	d := v.draw(0)
	for k := range handles {
		share := float64(k) / (handles - 1)
		v.PlaceAt(0, d.drawing.Cursor(d.drawing.XAt(share)), 100+40*share)
	}
	e, _ := v.estimateOn(0)
	_, middle := d.drawing.At(0, 120)
	if e.curve == nil || math.Abs(e.curve.Y[handles/2]-middle) > 1e-9 || math.Abs(e.value/middle-1) > 0.05 {
		t.Fatalf("%q for %v: %v", e.text, middle, e.curve)
	}
	v.PlaceStep(0, handleID("plot", 2), sliderSteps/2)
	e, _ = v.estimateOn(0)
	if want := d.drawing.YAt(0.5); math.Abs(e.value/want-1) > 0.05 || e.curve.Y[2] != want {
		t.Errorf("with the keys %v, want %v", e.value, want)
	}
	if page := HTML(Section(v)); strings.Count(page, "-handle-") != handles ||
		!strings.Contains(page, "Your curve at 9 of: x") {
		t.Error(page)
	}
	g := v.TakeGuess("y")
	if v.draw(0).plot.Sketch == nil || !strings.Contains(g.Verdict, "Your curve is off by a factor of ") {
		t.Errorf("told, the reader's curve is gone: %s", g.Verdict)
	}
	v.Forget("y")
	if v.draw(0).plot.Sketch != nil {
		t.Error("it is still there for another try")
	}
}

// A typed estimate takes the place of a curve; the next stroke begins level with it.
func TestTypedAfterSketch(t *testing.T) {
	v := New(written(t, "s", "let x = 5 in 1..9\ny = 2 * x\nplot y over x linear\nask y \"How much?\"\n"))
	v.PlaceStep(0, handleID("plot", 0), 900)
	v.SetField(v.id("y", "guess"), "7")
	if v.draw(0).plot.Sketch != nil {
		t.Error("the curve goes through another value than the one that was typed")
	}
	v.PlaceStep(0, handleID("plot", 0), 900)
	if e, _ := v.estimateOn(0); e.text != "7" || e.curve.Y[handles-1] != 7 {
		t.Errorf("%q %v", e.text, e.curve.Y)
	}
}

// Where a plot asks for a place of its x axis there is one control, as before.
func TestNoSketchAlong(t *testing.T) {
	v := New(compiled(t, "int8-matmul"))
	if page := HTML(Section(v)); strings.Contains(page, "-handle-") {
		t.Error("a curve to draw where a crossing is asked for")
	}
}

// A formula can't be drawn: a plot of the row that is asked for waits, without a place for an estimate.
func TestNoSketchOfAFormula(t *testing.T) {
	v := New(written(t, "s", "let x = 5 in 1..9\ny = 2 * x\nplot y over x linear\nask y in x \"How much?\"\n"))
	if page := HTML(Section(v)); v.Estimates(0) || strings.Contains(page, "-handle-") || !v.Veiled("y") {
		t.Error("a number goes into the field for a formula: ", page)
	}
}
