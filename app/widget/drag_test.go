package widget

import (
	"strings"
	"testing"
)

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
	if !strings.Contains(page, `aria-label="Move in the plot: Size"`) || !strings.Contains(page, `id="s--plot--1-mark"`) {
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
