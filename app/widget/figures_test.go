package widget

import (
	"fmt"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/figure"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// figureView is a view of a sheet with a drawing, hidden rows and conditions.
func figureView(t *testing.T, src string) (v *View, drawn *int) {
	t.Helper()
	env := &value.Env{Figures: map[string]*value.Figure{"disc": {Name: "disc", Params: []value.Param{{Name: "size"}}}}}
	s, errs := sheet.Compile(src, env)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	s.ID = "f"
	v, drawn = New(s), new(int)
	v.drawer = func(_ phrase.Phrases, name string, args []value.Value) (*figure.Drawing, error) {
		*drawn++
		if args[0].Num.Value > 7 {
			return nil, fmt.Errorf("%s has room for 7", name)
		}
		size := args[0].String()
		twin := figure.Table{Caption: "Disc", Heads: []string{"What", "Size"}, Rows: [][]string{{"disc", size}}}
		return &figure.Drawing{
			Root:      raw(`<svg><title>Disc ` + size + `</title><g data-set="B=2"></g></svg>`),
			Title:     "Disc",
			AltTables: []figure.Table{twin},
		}, nil
	}
	return v, drawn
}

const figureSource = `
let B = 4 in 1..8
let deep = off
hidden half = B / 2  "Half"
twice = B * 2        "Twice" when deep
thrice = B * 3       "Thrice"
plot twice over B    when deep
figure disc(B) "A disc"
`

func TestFigure(t *testing.T) {
	v, drawn := figureView(t, figureSource)
	if got := part(v, "figure:0"); !strings.Contains(got, "A disc") || !strings.Contains(got, "<td>4</td>") ||
		!strings.Contains(got, "<svg>") {
		t.Errorf("the figure: %s", got)
	}
	before := v.Fingerprint("figure:0")
	if v.Set("deep", "on"); v.Fingerprint("figure:0") != before || *drawn != 1 {
		t.Errorf("a figure whose values stay is drawn again: %d times", *drawn)
	}
	if err := v.Pick("B=2"); err != nil || v.Fingerprint("figure:0") == before {
		t.Errorf("a pick changes nothing: %v", err)
	}
	if got := part(v, "figure:0"); !strings.Contains(got, "<td>2</td>") {
		t.Errorf("after a pick: %s", got)
	}
	if v.Set("B", "8"); !strings.Contains(part(v, "figure:0"), "There is no drawing: disc has room for 7.") {
		t.Errorf("a figure that can't be drawn: %s", part(v, "figure:0"))
	}
}

// What is absent leaves its place, so that the frame stays as it is; hidden rows stand in a fold.
func TestHiddenAndAbsent(t *testing.T) {
	v, _ := figureView(t, figureSource)
	for key, want := range map[string]bool{"row:twice": false, "plot:0": false, "row:thrice": true, "figure:0": true,
		"rest:": true} {
		if got := part(v, key) != `<div hidden></div>`; got != want {
			t.Errorf("%s is shown: %v", key, got)
		}
	}
	html := HTML(Section(v))
	rest := html[strings.Index(html, "All rows"):]
	if !strings.Contains(rest, `data-name="half"`) || strings.Contains(rest, `data-name="thrice"`) ||
		strings.Count(html, `data-name="half"`) != 1 {
		t.Errorf("the fold of hidden rows: %s", rest)
	}
	if text := Text(v.Sheet, v.Result); strings.Contains(text, "Half") || strings.Contains(text, "Twice") ||
		!strings.Contains(text, "Thrice") {
		t.Errorf("as text: %s", text)
	}
	frame := HTML(v.Frame()...)
	v.Set("deep", "on")
	if got := part(v, "row:twice"); !strings.Contains(got, "Twice") || HTML(v.Frame()...) != frame {
		t.Errorf("once the condition holds: %s", got)
	}
}

// Behind a closed fold hidden rows stay as they were drawn, in the book; copies, and pages of others, have them as they
// are.
func TestHiddenRowsBehindClosedFold(t *testing.T) {
	for _, away := range []bool{false, true} {
		v, _ := figureView(t, figureSource)
		v.Away = away
		before, drawn := v.Fingerprint("rest:"), part(v, "rest:")
		if err := v.Set("B", "6"); err != nil {
			t.Fatal(err)
		}
		if csv := CSV(v.Sheet, v.Result); !strings.Contains(csv, "half,Half,step,3,,3") {
			t.Errorf("as CSV: %s", csv)
		}
		if follows := v.Fingerprint("rest:") != before; follows != away || (part(v, "rest:") != drawn) != away {
			t.Errorf("away %v, the fold follows: %v", away, follows)
		}
		if v.Toggle("rest:", true); !strings.Contains(part(v, "rest:"), ">3</output>") {
			t.Errorf("opened it shows %s", part(v, "rest:"))
		}
	}
}
