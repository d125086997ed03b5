package widget

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// counting is long work: it counts to n, one a step.
type counting struct{ n, at float64 }

func (c *counting) Step() bool        { c.at++; return c.at < c.n }
func (c *counting) Progress() float64 { return c.at / c.n }
func (c *counting) Value() (value.Value, error) {
	if c.at == 0 {
		return value.Value{}, errors.New("nothing is counted yet")
	}
	return value.Value{Kind: value.Number, Num: quantity.Quantity{Value: c.at}}, nil
}

// countingEnv has the function counted, which counts up to a number.
func countingEnv() *value.Env {
	begin := func(a []value.Value) value.Task { return &counting{n: min(a[0].Num.Value, 1000)} }
	return &value.Env{Funcs: map[string]*value.Func{"counted": {
		Name: "counted", Params: []value.Param{{Name: "n"}}, Begin: begin,
		Call: func(a []value.Value) (value.Value, error) {
			task := begin(a)
			for task.Step() {
			}
			return task.Value()
		}}}}
}

func countingSheet(t *testing.T) *sheet.Sheet {
	t.Helper()
	s, errs := sheet.Compile("let n = 5 in 1..100\nx = counted(n) \"Counted\"\n", countingEnv())
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	s.ID = "c"
	return s
}

// A printed sheet has the whole result; a live one shows what is found so far, how far it is, and a way to stop.
func TestTasks(t *testing.T) {
	s := countingSheet(t)
	if html := Static(s); !strings.Contains(html, `data-value="5"`) || strings.Contains(html, "data-task") {
		t.Errorf("as printed: %s", html)
	}
	v := NewLive(s)
	if got := part(v, "tasks:"); !v.Busy() || !strings.Contains(got, "Counted: working, 0\u00a0%") ||
		!strings.Contains(got, "Cancel") {
		t.Errorf("at first: %s", got)
	}
	v.Work()
	v.Work()
	before := v.Fingerprint("tasks:")
	if !v.Unshown() {
		t.Error("two steps count as shown")
	}
	if v.Worked(); v.Unshown() {
		t.Error("two steps count as not shown")
	}
	if got := part(v, "tasks:"); v.Fingerprint("tasks:") == before || !strings.Contains(got, "working, 40\u00a0%") ||
		v.row("x").Value.Num.Value != 2 {
		t.Errorf("after two steps: %s", got)
	}
	v.Halt("x")
	got := part(v, "tasks:")
	if v.Busy() || !strings.Contains(got, "stopped at 40\u00a0%") || !strings.Contains(got, "Go on") {
		t.Errorf("stopped: %s", got)
	}
	v.Halt("x")
	for v.Work() {
	}
	v.Worked()
	if got := part(v, "tasks:"); strings.Contains(got, "working") || v.row("x").Value.Num.Value != 5 {
		t.Errorf("at its end: %s", got)
	}
	if v.Set("n", "7"); !v.Busy() {
		t.Error("a changed argument begins nothing")
	}
}

// movedSheet has long work and, beside it, a row that follows three inputs. A few evaluations of that row cost as much
// as all that a plot may.
func movedSheet(t *testing.T) *View {
	t.Helper()
	env := countingEnv()
	env.Funcs["heavy"] = &value.Func{Name: "heavy", Params: []value.Param{{Name: "n"}}, Work: 1 << 18,
		Call: func(a []value.Value) (value.Value, error) { return a[0], nil }}
	s, errs := sheet.Compile("let n = 5 in 1..100\nlet a = 3 in 1..9\nlet b = 2 in 1..9\nx = counted(n)\n"+
		"y = heavy(a^2 * b * n) \"The product\"\n", env)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	s.ID = "c"
	v := NewLive(s)
	for v.Work() {
	}
	v.Worked()
	v.Toggle(rowKey("y"), true)
	v.Toggle(moreKey("y"), true)
	return v
}

// Where a sheet has long work, what moves a row is worked out between frames, one evaluation at a time, and comes to
// the same. Closing the fold stops it, and a change of the state begins it anew.
func TestSlopesBetweenFrames(t *testing.T) {
	v := movedSheet(t)
	if got := part(v, "row:y"); !v.Busy() || !strings.Contains(got, "<progress") || strings.Contains(got, "Make it") {
		t.Fatalf("at first, busy %v: %s", v.Busy(), got)
	}
	v.Toggle(moreKey("y"), false)
	if v.Busy() {
		t.Error("a closed fold leaves work to do")
	}
	v.Toggle(moreKey("y"), true)
	steps := 1
	for ; v.Work(); steps++ {
	}
	if steps < 9 {
		t.Errorf("all was done in %d steps, with three inputs and several places of each", steps)
	}
	v.Worked()
	if got := part(v, "row:y"); strings.Contains(got, "<progress") || !strings.Contains(got, "+2.00") ||
		strings.Count(got, "+1.00") != 2 || !strings.Contains(got, "Make it") {
		t.Errorf("at its end: %s", got)
	}
	if v.Set("a", "4"); !strings.Contains(part(v, "row:y"), "<progress") {
		t.Error("in another state the old slopes stay")
	}
}

// A goal of such a sheet is looked for between frames too.
func TestGoalBetweenFrames(t *testing.T) {
	v := movedSheet(t)
	part(v, "row:y")
	for v.Work() {
	}
	part(v, "row:y")
	v.fields[v.id("y", "goal")] = "180"
	v.SetField(v.id("y", "goal")+"-input", "n")
	if said := v.Goal("y"); said != "" || !v.Busy() ||
		!strings.Contains(part(v, "row:y"), "Searching: 0 tried so far") {
		t.Fatalf("at once: %q, %s", said, part(v, "row:y"))
	}
	for v.Work() {
	}
	if said := v.Met(); !strings.Contains(said, "is now 10;") || v.Met() != "" {
		t.Errorf("met: %q", said)
	}
	if y := v.row("y").Value.Num.Value; y != 180 {
		t.Errorf("y is %v", y)
	}
	v.fields[v.id("y", "goal")] = "1e9"
	v.SetField(v.id("y", "goal")+"-input", "b")
	part(v, "row:y")
	v.Goal("y")
	for v.Work() {
	}
	if said := v.Met(); !strings.Contains(said, "out of reach") || v.State["b"].Num.Value != 0 {
		t.Errorf("out of reach: %q", said)
	}
	v.Goal("y")
	v.Set("a", "5")
	for v.Work() {
	}
	if said := v.Met(); said != "" {
		t.Errorf("a search in a state that is gone ends with %q", said)
	}
}

// The size that an author gave a sheet is an attribute of its section, for the style to go by.
func TestSize(t *testing.T) {
	s := countingSheet(t)
	if strings.Contains(Static(s), "data-size") {
		t.Error("a worked answer has a size")
	}
	if s.Size = "hero"; !strings.Contains(Static(s), ` data-sheet="c" data-size="hero"`) {
		t.Error("a hero has none")
	}
}

// TestHeroShowsItsPictureBesideItsInputs: the first plot or figure leaves its place, and no other sheet changes.
func TestHeroShowsItsPictureBesideItsInputs(t *testing.T) {
	s, _ := sheet.Compile(
		"let a = 1 in 1..9\nlet b = 2 in 1..9\nlet c = 3 in 1..9\ny = a * b * c\ntable y over a = 1, 2\nplot y over "+
			"b\nplot y over c\n",
		&value.Env{},
	)
	s.ID = "h"
	plain := Static(s)
	if strings.Contains(plain, "beside") {
		t.Error("a worked answer has its plot beside its inputs")
	}
	s.Size = "hero"
	hero := Static(s)
	at := func(part string) int { return strings.Index(hero, part) }
	first := at(`data-plot="0"`)
	if first < 0 {
		first = at(`class="plot"`)
	}
	if at(`class="beside"`) < 0 || first < at(`class="inputs"`) || first > at(`class="rows"`) {
		t.Errorf("the first plot is not beside the inputs: %s", hero)
	}
	if strings.Count(hero, `class="plot"`) != strings.Count(plain, `class="plot"`) {
		t.Error("a plot got lost")
	}
}

// TestHeroOfManyInputsHasItsPlotBesideThemToo: beside seven inputs a figure leaves space for a plot below it.
func TestHeroOfManyInputsHasItsPlotBesideThemToo(t *testing.T) {
	for inputs, want := range map[int]int{6: 1, 7: 2} {
		src := ""
		for i := range inputs {
			src += fmt.Sprintf("let x%d = 2 in 1..9\n", i)
		}
		for _, rest := range []string{"figure disc(x0)\ny = x0 * x1\nplot y over x0\nplot y over x1\n",
			"y = x0 * x1\nfigure disc(x0)\nfigure disc(y)\n"} {
			v, _ := figureView(t, src+rest)
			v.Sheet.Size = sheet.Hero
			frame := v.Frame()
			at := slices.IndexFunc(frame, func(n *Node) bool { class, _ := n.Attr("class"); return class == "beside" })
			pictures := frame[at].Kids[1:]
			if pictures[0].Part == "" {
				pictures = pictures[0].Kids // both stay in sight together
			}
			if pictures[0].Part != "figure:0" || len(pictures) != want {
				t.Errorf("%d inputs have %d pictures beside them, not %d: %s", inputs, len(pictures), want, rest)
			}
		}
	}
}

// TestManyInputsHaveThePlotBesideThem: the question and the inputs of a worked answer stand beside its plot where it
// would end below the screen otherwise, and the question first. A line of text needs all of the width.
func TestManyInputsHaveThePlotBesideThem(t *testing.T) {
	const numbers = "let a = 1 in 1..9\nlet b = 2 in 1..9\nlet c = 3 in 1..9\nlet d = 4 in 1..9\n"
	for last, want := range map[string]bool{"let e = 5 in 1..9\n": true, "let e = \"of one's own\"\n": false,
		"": false} {
		s, errs := sheet.Compile(numbers+last+"y = a * b * c * d\nplot y over b\nask y \"How large?\"\n", &value.Env{})
		if len(errs) > 0 {
			t.Fatal(errs)
		}
		s.ID = "m"
		html := Static(s)
		at := func(part string) int { return strings.Index(html, part) }
		if got := at(`data-size="hero"`) > 0; got != want || got != (at(`class="beside"`) > 0) {
			t.Errorf("with %q the plot is beside the inputs: %v, want %v", last, got, want)
		}
		if ask, inputs := at(`class="ask"`), at(`class="inputs"`); ask < 0 || ask > inputs ||
			inputs > at(`class="plot"`) {
			t.Errorf("with %q the question doesn't stand first, or the plot not last: %s", last, html)
		}
	}
}
