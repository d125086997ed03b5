package widget

import (
	"math"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/sheet"
)

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
