package widget

import (
	"errors"
	"fmt"
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
	v.Worked()
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

// TestHeroOfManyInputsHasItsPlotBesideThemToo: beside seven inputs a figure leaves room for a plot below it.
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
			for _, n := range v.Frame() {
				if kids := n.Kids; len(kids) > 1 && strings.HasPrefix(kids[1].Part, "figure:") && len(kids)-1 != want {
					t.Errorf("%d inputs have %d pictures beside them, not %d: %s", inputs, len(kids)-1, want, rest)
				}
			}
		}
	}
}
