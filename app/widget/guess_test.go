package widget

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/sheet"
)

// A step that begins from an asked one would tell its value: it stays veiled as long.
func TestStepsBehindAQuestionStayVeiled(t *testing.T) {
	v := New(compilePad(t, "let N = 8 in 1..64\nT = N * 2 s \"T\"\ntwice = 2 * T \"Twice\"\n"+
		"half = twice / 4 \"Half\"\nmore = N * 3 s \"More\"\nask T \"How long?\"\n"))
	veiled := func(name string) bool {
		row := HTML(v.rowNode(v.row(name)))
		return strings.Contains(row, " data-asked") && !strings.Contains(row, " data-told")
	}
	for name, want := range map[string]bool{"T": true, "twice": true, "half": true, "more": false} {
		if got := veiled(name); got != want {
			t.Errorf("%s veiled: %t", name, got)
		}
		why := strings.Contains(HTML(v.whyOf(v.row(name))), " data-asked")
		if begins := want && name != "T"; why != begins { // the numbers of T itself are what the reader works with
			t.Errorf("the working of %s veiled: %t", name, why)
		}
	}
	before := v.rowFingerprint("twice")
	if v.Tell("T"); veiled("T") || veiled("twice") || v.rowFingerprint("twice") == before {
		t.Error("what follows from T is not shown with it")
	}
}

// Reaching for a value sets the input so that the row has it, or says why it can't.
func TestGoal(t *testing.T) {
	v := New(compiled(t, "int8-matmul"))
	v.SetField(v.id("T_comms", "goal"), "200 us")
	v.goalOf("T_comms").input = "D"
	if said := v.Goal("T_comms"); v.goals["T_comms"].bad {
		t.Fatal(said)
	}
	x, _ := v.Result.Value("T_comms")
	if math.Abs(x.Num.Value/200e-6-1) > 1e-4 {
		t.Errorf("T_comms = %v", x)
	}
	for text, want := range map[string]string{"200": "unit", "1 GB": "", "10 hours": "", "": ""} {
		v.SetField(v.id("T_comms", "goal"), text)
		if said := v.Goal("T_comms"); !v.goals["T_comms"].bad || !strings.Contains(said, want) {
			t.Errorf("%q: %s", text, said)
		}
	}
}

// An estimate is judged as a factor; until then the value is veiled.
func TestGuess(t *testing.T) {
	s := compiled(t, "int8-matmul")
	for text, want := range map[string]string{
		"100": "factor of 2.63, too low", "2630": "factor of 10, too high", "263": "right within 2 %", "-3": "off by",
		"0": "off by",
	} {
		v := New(s)
		if !v.Veiled("B_crit") || v.Veiled("ops") {
			t.Error("the wrong rows are veiled")
		}
		v.SetField(v.id("B_crit", "guess"), text)
		g := v.TakeGuess("B_crit")
		if g.Refused != "" || !strings.Contains(g.Verdict, want) || v.Veiled("B_crit") {
			t.Errorf("%q: %+v", text, g)
		}
	}
	v := New(s)
	for _, text := range []string{"", "   ", "many", "3 s"} {
		v.SetField(v.id("B_crit", "guess"), text)
		if g := v.TakeGuess("B_crit"); g.Refused == "" || !v.Veiled("B_crit") {
			t.Errorf("%q: %+v", text, g)
		}
	}
	if told := Told(s, v.Result, "B_crit"); told != strings.Replace(Number(s, v.Result, "B_crit"), " data-asked", "", 1) ||
		strings.Contains(told, "data-asked") {
		t.Error("veiled where the answer is explained:", told)
	}
	if !strings.Contains(Number(s, v.Result, "B_crit"), "data-asked") ||
		strings.Contains(Number(s, v.Result, "ops"), "data-asked") {
		t.Error("the number in the prose isn't veiled, or the wrong one is")
	}
	if v.Tell("B_crit"); v.Veiled("B_crit") {
		t.Error("still veiled after telling")
	}
	w := New(written(t, "w", "let a = 1\nd = 3 s * a\nask d \"?\"\n"))
	w.SetField("w--d--guess", "3")
	if g := w.TakeGuess("d"); !strings.Contains(g.Refused, "unit") {
		t.Errorf("a bare number for a time: %+v", g)
	}
}

// The factor is the same whichever way an estimate is off, and never below one.
func TestOffBySymmetry(t *testing.T) {
	random, v := rand.New(rand.NewPCG(3, 4)), &View{state: state{Sheet: &sheet.Sheet{}}}
	for range 500 {
		value, f := math.Exp(40*random.Float64()-20), 1.1+10*random.Float64()
		low, high := v.compared("x", value/f, value, "y"), v.compared("x", value*f, value, "y")
		if strings.Replace(low, "low", "high", 1) != high || strings.Contains(low, "factor") != (f >= 1.25) {
			t.Fatalf("%v off by %v: %q and %q", value, f, low, high)
		}
	}
}
