package widget

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/quantity"
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
	before := v.Fingerprint("row:twice")
	if v.Reveal("T"); veiled("T") || veiled("twice") || v.Fingerprint("row:twice") == before {
		t.Error("what follows from T is not shown with it")
	}
}

// A step of an asked row's working would leave nothing but the last sum to do: it waits as long, with its formula. What
// the answer is to be written in is given, and so is a constant that a step only looks up. Its number in the text below
// the sheet waits, too; one in a text above, such as a problem's, is given.
func TestStepsOfAnAnswerWait(t *testing.T) {
	for ask, waits := range map[string]string{
		`ask each "How many?"`:       "ops moved all each", // through others, too
		`ask each in ops "In what?"`: "moved all each",
		`ask knee "From where on?"`:  "ops moved all time knee",
	} {
		v := New(written(t, "s", "let chip = tpu.v5e\nlet B = 8 in 1..64\nlet D = 4\nC = chip.flops(bf16)\n"+
			"ops = 2 FLOP * B * D\nall = D * 2\nmoved = all * 1 byte\neach = (ops + 1 FLOP) / moved\n"+
			"time = ops / C\nother = B + 1\nsolve knee: B where time = moved / (1 TB/s)\n"+ask+"\n"))
		for i := range v.Result.Rows {
			d := v.Result.Rows[i].Def
			if d.Kind == "input" {
				continue
			}
			want := slices.Contains(strings.Fields(waits), d.Name)
			row := HTML(v.rowNode(v.row(d.Name)))
			if got := strings.Contains(row, " data-asked"); got != want {
				t.Errorf("%s: %s waits: %t", ask, d.Name, got)
			}
			if why := strings.Contains(HTML(v.buildWhy(v.row(d.Name))), " data-asked"); why && !want || !why && want &&
				!v.asked(d.Name) {
				t.Errorf("%s: the working of %s waits: %t", ask, d.Name, why)
			}
			below := strings.Contains(Below(v.Sheet, v.Result, d.Name), " data-asked")
			above := strings.Contains(Number(v.Sheet, v.Result, d.Name), " data-asked")
			if below != want || v.Shown(d.Name).Veiled != want || above && !v.asked(d.Name) {
				t.Errorf("%s: %s waits below: %t, above: %t", ask, d.Name, below, above)
			}
		}
	}
}

// Beside a question for B t_p / (S t_g), written in these, B / S would be a part of the answer, though that isn't
// worked out from it: a row of nothing but the letters waits. One with other inputs, or of one letter, is no part of
// it.
func TestPartsOfAFormulaWait(t *testing.T) {
	v := New(written(t, "s", "let B = 48\nlet S = 512\nlet T = 8192\nlet t_p = 917 ms\nlet t_g = 20 ms\n"+
		"ended = B / S\nfreed = B * T\nlonger = 2 * t_p\nratio = B * t_p / (S * t_g)\n"+
		"ask ratio in t_p, t_g, B, S \"In terms of these?\"\n"))
	for name, want := range map[string]bool{"ended": true, "freed": false, "longer": false, "ratio": true} {
		if got := strings.Contains(HTML(v.rowNode(v.row(name))), " data-asked"); got != want {
			t.Errorf("%s waits: %t", name, got)
		}
	}
}

// A row that comes to the same quantity in another way would give the answer. Whole numbers may be equal by chance.
func TestEqualRowsWait(t *testing.T) {
	v := New(written(t, "s", "let B = 8 in 1..64\nread = 2.5 ms\ncaches = B * 0.5 ms\nstep = read + caches\n"+
		"least = (5 + B) * 0.5 ms\nother = 6.5\nlet given = 6.5 ms\nfour = B / 2\ntwo_times_two = sqrt(16)\n"+
		"ask step \"How long?\"\nask four \"How many?\"\n"))
	for name, want := range map[string]bool{"least": true, "other": false, "two_times_two": false, "step": true} {
		if got := strings.Contains(HTML(v.rowNode(v.row(name))), " data-asked"); got != want {
			t.Errorf("%s waits: %t", name, got)
		}
	}
	v.SetField("B", "7")
	if !strings.Contains(HTML(v.rowNode(v.row("least"))), " data-asked") {
		t.Error("with another input the equal row doesn't wait")
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

// An estimate is judged as a factor; until then the value is veiled, and what can be no estimate leaves it so.
func TestGuess(t *testing.T) {
	s := compiled(t, "int8-matmul")
	for text, want := range map[string]string{
		"100": "factor of 2.63, too low", "2630": "factor of 10, too high", "263": "right within 2 %",
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
	for _, text := range []string{"", "   ", "many", "3 s", "-3", "0", "-1e300"} {
		v.SetField(v.id("B_crit", "guess"), text)
		if g := v.TakeGuess("B_crit"); g.Refused == "" || !v.Veiled("B_crit") {
			t.Errorf("%q: %+v", text, g)
		}
	}
	asked := strings.Replace(Number(s, v.Result, "B_crit"), " data-asked", "", 1)
	if unveiled := Unveiled(s, v.Result, "B_crit"); unveiled != asked ||
		strings.Contains(unveiled, "data-asked") {
		t.Error("veiled where the answer is explained:", unveiled)
	}
	if !strings.Contains(Number(s, v.Result, "B_crit"), "data-asked") ||
		strings.Contains(Number(s, v.Result, "ops"), "data-asked") {
		t.Error("the number in the prose isn't veiled, or the wrong one is")
	}
	if v.Reveal("B_crit"); v.Veiled("B_crit") {
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
	random, v := rand.New(rand.NewPCG(3, 4)), &View{}
	v.Sheet = &sheet.Sheet{}
	for range 500 {
		value, f := math.Exp(40*random.Float64()-20), 1.1+10*random.Float64()
		low, high := v.compared("x", value/f, value, "y"), v.compared("x", value*f, value, "y")
		if strings.Replace(low, "low", "high", 1) != high || strings.Contains(low, "factor") != (f >= 1.25) {
			t.Fatalf("%v off by %v: %q and %q", value, f, low, high)
		}
	}
}

const derived = "let C = 200e12 FLOP/s in 1e12..1e15 log \"Peak rate\"\n" +
	"let W = 8e11 byte/s in 1e10..1e13 log \"Bandwidth\"\n" +
	"let w = 2 byte in 1..4 \"Bytes of a weight\"\nB_crit = w * C / (2 FLOP * W) \"Critical batch\"\n" +
	"twice = 2 * B_crit\nask B_crit in C, W, w \"In terms of C, W and w?\"\n"

// A formula is held against the answer with other numbers too: one that fits only these is found out, a lost factor is
// distinguished from a wrong symbol, and what can't be read is refused with the reason.
func TestFormulas(t *testing.T) {
	for said, want := range map[string]struct{ score, verdict string }{
		"w * C / (2 FLOP * W)":            {"1", "exactly right; it is 250. So it is with all other numbers"},
		"w * C / W / 2":                   {"1", "exactly right"},
		"C/W*w/2/(1 FLOP)":                {"1", "exactly right"},
		"w * C / W / (1 FLOP)":            {"2", "off by a factor of 2, too high; it is 250. So it is with all other"},
		"w * w * C / W / (4 byte*1 FLOP)": {"wrong", "It depends on Bytes of a weight in another way"},
		"-w * C / (2 FLOP * W)":           {"wrong", "off by 500"},
	} {
		v := New(written(t, "s", derived))
		v.SetField(v.id("B_crit", "guess"), said)
		g := v.TakeGuess("B_crit")
		if g.Refused != "" || g.Score != want.score || !strings.Contains(g.Verdict, want.verdict) {
			t.Errorf("%s: %+v", said, g)
		}
	}
	for said, want := range map[string]string{
		"":         "say what you expect",
		"250":      "a number doesn’t say what it depends on",
		"beta / 2": "`beta` is not among the symbols", "λ/2": "λ",
		"twice / 2":   "`twice` is not among the symbols; write the formula in C, W, w",
		"C / Q":       "`Q` is not among the symbols; write the formula in C, W, w",
		"C / w":       "your formula gives operations per byte and second",
		"C / ":        "ends too early",
		"C + W":       "",
		"C * nothing": "`nothing`",
		"C) + (W":     "", "C when C > W": "",
		"C # W":       "a formula is one line",
		"1/0 * C / C": "",
	} {
		v := New(written(t, "s", derived))
		v.SetField(v.id("B_crit", "guess"), said)
		if g := v.TakeGuess("B_crit"); g.Refused == "" || !strings.Contains(g.Refused, want) || !v.Veiled("B_crit") {
			t.Errorf("%q: %+v", said, g)
		}
	}
}

// Where a number is asked for, a formula in the inputs will do, and steps will not.
func TestFormulaForANumber(t *testing.T) {
	v := New(written(t, "s", "let x = 50 in 1..64\nlet y = 3 s in 1..9\nhalf = y / 2\nz = 2 * x * y\n"+
		"ask z \"How long?\"\n"))
	for said, want := range map[string]string{"x * y * 2": "1", "x * y": "2", "300 s": "1", "30 s": "10"} {
		v.SetField(v.id("z", "guess"), said)
		if g := v.TakeGuess("z"); g.Score != want {
			t.Errorf("%s: %+v", said, g)
		}
	}
	v.SetField(v.id("z", "guess"), "half * x * 4")
	if g := v.TakeGuess("z"); !strings.Contains(g.Refused, "`half` is not among the symbols") {
		t.Errorf("%+v", g)
	}
}

// Buttons write the symbols of a formula, and a formula is not asked again with other numbers.
func TestSymbols(t *testing.T) {
	v := New(written(t, "s", derived))
	page := HTML(Section(v))
	for _, want := range []string{"write C, Peak rate", "write w, Bytes of a weight", `placeholder="your formula"`} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s in the page", want)
		}
	}
	for _, s := range []string{"w", "C"} {
		v.Symbol("B_crit", s)
	}
	if got := v.fields[v.id("B_crit", "guess")]; got != "w C" {
		t.Errorf("%q", got)
	}
	if v.Reveal("B_crit"); strings.Contains(HTML(Section(v)), "Again with other numbers") {
		t.Error("asked again with other numbers, which change no formula")
	}
}

// An answer is chosen among texts, or between yes and no; until then it shows nowhere. With other numbers it may be the
// same: if it never were, nobody would have to think.
func TestChoices(t *testing.T) {
	srcs := map[string]string{"say": `if(x > 8, "large", "small")`, "odd": "x > 7"}
	for row, want := range map[string][2]string{"say": {"small", "large"}, "odd": {"yes", "no"}} {
		v := New(written(t, "s", "let x = 8 in 1..64 log\n"+row+" = "+srcs[row]+"\nask "+row+" \"Which?\"\n"))
		if page := HTML(v.askNode(row)); strings.Count(page, "<button") != 3 || strings.Contains(page, "<input") {
			t.Errorf("%s: %s", row, page)
		}
		if !v.Veiled(row) {
			t.Errorf("%s shows", row)
		}
		if g := v.Choose(row, want[0]); g.Score != "right" ||
			!strings.Contains(g.Verdict, "You said "+want[0]+": right") {
			t.Errorf("%+v", g)
		}
		g := v.Choose(row, want[1])
		if g.Score != "wrong" || !strings.Contains(g.Verdict, "it is "+want[0]) || v.Veiled(row) {
			t.Errorf("%+v", g)
		}
		said := map[string]bool{}
		for range 12 {
			v.Renew(row)
			said[v.rowText(v.row(row))] = true
		}
		if len(said) != 2 {
			t.Errorf("%s: asked again, the answer is always %v", row, said)
		}
	}
}

// Asked again, a maximum is another operand's where other numbers make it so.
func TestRenewTriesAnotherRegime(t *testing.T) {
	v := New(written(t, "s", "let x = 8 in 1..64\na = 2 * x\nb = 24\ny = max(a, b)\nz = y + x\nask z \"How much?\"\n"))
	before, _ := v.Result.Binding("y")
	v.Reveal("z")
	v.Renew("z")
	if after, _ := v.Result.Binding("y"); after == before {
		t.Errorf("with x = %s it is still %s that binds", v.Text(v.fitted("x")), after)
	}
}

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
		t.Errorf("revealed, the reader's curve is gone: %s", g.Verdict)
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

// A number of the prose waits with the row that it shows: with an asked one, and with a step that begins from one.
func TestProseWaits(t *testing.T) {
	v := New(written(t, "s", "let x = 3 in 1..64\ny = 2 * x\nz = y + 1\nw = x + 1\nask y \"How much?\"\n"))
	for name, waits := range map[string]bool{"x": false, "y": true, "z": true, "w": false} {
		if got := strings.Contains(Number(v.Sheet, v.Result, name), "data-asked"); got != waits {
			t.Errorf("the number of %s in the prose waits: %v", name, got)
		}
	}
	veiled := func() (names string) {
		for i := range v.Result.Rows {
			if s := v.Shown(v.Result.Rows[i].Def.Name); s.Veiled {
				names += s.Name
			}
		}
		return names
	}
	if got := veiled(); got != "yz" {
		t.Errorf("%q wait in the page", got)
	}
	if v.Reveal("y"); veiled() != "" {
		t.Errorf("%q wait although the reader knows", veiled())
	}
}

// The largest of what an asked row is the maximum of is its answer, and waits with it: whichever that is.
func TestBindingOperandWaits(t *testing.T) {
	v := New(written(t, "s", "let x = 3 in 1..64\na = 2 * x\nb = 10\ny = max(a, b)\nask y \"How much?\"\n"))
	for _, now := range []struct{ x, waits, stands string }{{"3", "b", "a"}, {"9", "a", "b"}} {
		if err := v.Set("x", now.x); err != nil {
			t.Fatal(err)
		}
		for name, want := range map[string]bool{now.waits: true, now.stands: false} {
			if got := len(v.reveals(name)) > 0; got != want {
				t.Errorf("x = %s: %s waits: %v", now.x, name, got)
			}
		}
	}
}

// The numbers of an asked maximum wait too, since its answer is one of them, and those of a quotient of two steps;
// those of an asked sum don't.
func TestWorkingOfAskedMaximumWaits(t *testing.T) {
	for formula, waits := range map[string]bool{"max(a, b)": true, "a / b": true, "a + b": false} {
		v := New(written(t, "s", "let x = 3 in 1..64\na = 2 * x\nb = 10\ny = "+formula+"\nask y \"How much?\"\n"))
		if got := strings.Contains(HTML(v.buildWhy(v.row("y"))), "data-asked"); got != waits {
			t.Errorf("the working of %s waits: %v", formula, got)
		}
	}
}

// Two steps wait whose quotient is asked, since it would be read off them. What also needs an input, or a third step,
// must still be thought of.
func TestBothSidesOfAskedRatioWait(t *testing.T) {
	for formula, want := range map[string]string{"b / a": "aby", "(b - a) / a": "y", "b / x": "y", "2 * b": "y"} {
		v := New(written(t, "s", "let x = 3 in 1..64\na = 2 * x\nb = 10\ny = "+formula+"\nask y \"How much?\"\n"))
		got := ""
		for _, name := range []string{"a", "b", "x", "y"} {
			if strings.Contains(Number(v.Sheet, v.Result, name), "data-asked") {
				got += name
			}
		}
		if got != want {
			t.Errorf("%s: %q wait, not %q", formula, got, want)
		}
		if v.Reveal("y"); v.Shown("a").Veiled || v.Shown("b").Veiled {
			t.Errorf("%s: steps wait although the reader knows", formula)
		}
	}
}

const renewable = "let D = 4096 in 64..65536 log \"Width\"\nlet K = 8 in 1..64\nlet N = 32 in 1..64\n" +
	"ratio = D * N / K\nask ratio \"How many, at {D}?\"\n"

// Asked again, a question has other numbers, which it tells, and an answer that waits for an estimate. Numbers stay
// powers of two, and what was the larger of two.
func TestRenew(t *testing.T) {
	v, seen := New(written(t, "s", renewable)), map[string]bool{}
	for range 10 {
		v.Reveal("ratio")
		said := v.Renew("ratio")
		if !v.Veiled("ratio") || !strings.HasPrefix(said, "With other numbers: ") {
			t.Fatal(said)
		}
		if v.Value(v.fitted("K")).Num.Value > v.Value(v.fitted("N")).Num.Value {
			t.Errorf("more keys than queries: %s", said)
		}
		if page := HTML(Section(v)); !strings.Contains(page, said) ||
			!strings.Contains(page, "How many, at "+v.Value(v.fitted("D")).String()+"?") {
			t.Errorf("%s isn't in %s", said, page)
		}
		seen[said] = true
	}
	if len(seen) < 5 {
		t.Errorf("ten times only %d sets of numbers: %v", len(seen), seen)
	}
	v.Reset()
	if page := HTML(Section(v)); strings.Contains(page, "With other numbers") {
		t.Error("with the author's numbers they are called others")
	}
}

// Where no input changes the answer, the numbers stay as they are and the answer stands.
func TestNothingToRenew(t *testing.T) {
	v := New(written(t, "s", "let x = 8 in 1..64\neach = x / x\nask each \"How much?\"\n"))
	v.Reveal("each")
	if said := v.Renew("each"); said != "No other numbers change this answer." || v.Veiled("each") ||
		len(v.Params()) > 0 {
		t.Error(said, v.Params())
	}
}

// What somebody published stays when a question is asked again; where all else is fixed, it is not asked again.
func TestPublishedNumbersStay(t *testing.T) {
	const question = "x = a * b\nask x \"How much?\"\n"
	v := New(written(t, "s", "let a = 3 in 1..64 published\nlet b = 8 in 1..64\n"+question))
	for range 5 {
		v.Reveal("x")
		if said := v.Renew("x"); v.Value(v.fitted("a")).Num.Value != 3 || v.Value(v.fitted("b")).Num.Value == 8 {
			t.Error(said)
		}
	}
	v = New(written(t, "s", "let a = 3 in 1..64 published\nlet b = 8 in 1..64 published\n"+question))
	v.Reveal("x")
	if page := HTML(Section(v)); strings.Contains(page, "x--renew") {
		t.Error("a question of published numbers alone can be asked again")
	}
}

// What was published stands in a sentence as it was published, in its unit and with its digits.
func TestPublishedNumbersKeepTheirDigits(t *testing.T) {
	for option, want := range map[string]string{"": "1.98 PFLOP/s", " published": "1979 TFLOP/s"} {
		v := New(written(t, "s", "let C = 1979 TFLOP/s in 1 TFLOP/s..1e5 TFLOP/s log"+option+"\nx = 2 * C\n"))
		if got := v.Shown("C").Text; got != want || !strings.Contains(Unveiled(v.Sheet, v.Result, "C"), want) {
			t.Errorf("%q: %s, not %s", option, got, want)
		}
		if got := v.Shown("x").Text; got != "3.96 PFLOP/s" {
			t.Error(got)
		}
	}
}

// A right answer is distinguished from a nearly right one.
func TestNearlyRight(t *testing.T) {
	v := New(written(t, "s", "let x = 50 in 1..64\ny = 2 * x\nask y \"How much?\"\n"))
	for said, want := range map[string]string{"100": "exactly right", "101": "right within 2 %",
		"110": "nearly right, 10\u00a0% too high", "200": "a factor of 2, too high"} {
		v.SetField(v.id("y", "guess"), said)
		if g := v.TakeGuess("y"); !strings.Contains(g.Verdict, want) {
			t.Errorf("%s: %s", said, g.Verdict)
		}
	}
}

// A formula can't be drawn: a plot of the row that is asked for waits, without a place for an estimate.
func TestNoSketchOfAFormula(t *testing.T) {
	v := New(written(t, "s", "let x = 5 in 1..9\ny = 2 * x\nplot y over x linear\nask y in x \"How much?\"\n"))
	if page := HTML(Section(v)); v.Estimates(0) || strings.Contains(page, "-handle-") || !v.Veiled("y") {
		t.Error("a number goes into the field for a formula: ", page)
	}
}

// A number without its unit is asked for with one that people would write.
func TestUnitOfAnExample(t *testing.T) {
	for want, like := range map[string]quantity.Quantity{
		"“2 GHz”": {Value: 2e9, Dim: quantity.Dim{quantity.Second: -1}},
		"“2 /s”":  {Value: 3, Dim: quantity.Dim{quantity.Second: -1}},
		"“2 ms”":  {Value: 3, Dim: quantity.Dim{quantity.Second: 1}},
	} {
		if err := needsUnit("2", like); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v", like, err)
		}
	}
}

// The unit of the example is the answer's, and a number of requests a second needs none.
func TestUnitOfAnAnswer(t *testing.T) {
	v := New(written(t, "s", "let n = 2 in 1..9\nf = n * 1 GHz\nr = n * 3 request / (1 s)\n"+
		"ask f \"Which frequency?\"\nask r \"How many requests a second?\"\n"))
	for _, c := range [][3]string{{"f", "2", "“2 GHz”"}, {"f", "2 GHz", "exactly right"}, {"r", "6", "exactly right"},
		{"r", "6 /s", "exactly right"}} {
		v.SetField(v.id(c[0], "guess"), c[1])
		if g := v.TakeGuess(c[0]); !strings.Contains(g.Verdict+g.Refused, c[2]) {
			t.Errorf("%s is %s: %q %q, want %q", c[0], c[1], g.Verdict, g.Refused, c[2])
		}
	}
}

// A choice can be read off the curves that it compares, so their plot waits with it. Curves that a number is worked out
// from don't show it.
func TestCurvesBehindAChoiceStayVeiled(t *testing.T) {
	const curves = "let x = 5 in 1..9\na = 2 * x\nb = 9 - x\nplot a, b over x linear\n"
	for ask, want := range map[string]bool{
		"which = if(a > b, \"a\", \"b\") \"Larger\"\nask which \"Which is larger?\"\n": true,
		"sum = a + b \"Sum\"\nask sum \"How much are both?\"\n":                        false,
	} {
		page := HTML(Section(New(written(t, "s", curves+ask))))
		_, plot, _ := strings.Cut(page, `class="plot"`)
		plot, _, _ = strings.Cut(plot, ">")
		if got := strings.Contains(plot, "data-asked"); plot == "" || got != want {
			t.Errorf("%s: <… class=\"plot\"%s>", ask, plot)
		}
	}
}
