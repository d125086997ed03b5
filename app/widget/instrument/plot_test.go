package instrument_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/chart"
	"github.com/scalebook/scalebook/app/widget"
	"github.com/scalebook/scalebook/app/widget/instrument"
)

// drawn is an instrument with a curve, and a document that must be a number of dots and sets the menu.
func drawn() *instrument.Instrument {
	return &instrument.Instrument{
		ID: "drawn", Title: "A curve", About: "For tests.",
		Controls: func() []instrument.Control {
			return []instrument.Control{
				{Name: "from", Label: "From", Kind: instrument.Menu, Default: "built-in", Options: []instrument.Option{{ID: "built-in", Name: "built-in"}, {ID: "own", Name: "own"}}},
				{Name: "x", Label: "At", Default: "2", Min: "1", Max: "4"},
				{Name: "text", Label: "Text", Kind: instrument.Document,
					Check: func(_ *instrument.State, text string) error {
						if strings.Trim(text, ".") != "" {
							return errors.New("line 1: these are no dots; write dots")
						}
						return nil
					},
					Then: func(s *instrument.State) []instrument.Change {
						if s.Text("text") == "" {
							return []instrument.Change{{Name: "from"}}
						}
						return []instrument.Change{{Name: "from", Text: "own"}}
					}},
			}
		},
		View: func(s *instrument.State) []instrument.Part {
			return []instrument.Part{{Key: "plot", Build: func() *instrument.Node {
				x := s.Number("x")
				return s.Plot("curve", &chart.Plot{
					Title: "Squares", X: chart.Axis{Label: "Number (of them)", Min: 1, Max: 4}, Y: chart.Axis{Label: "Square"},
					Series:  []chart.Series{{Name: "y", Label: "its square", X: []float64{1, 2, 3, 4}, Y: []float64{1, 4, 9, 16}}},
					Current: &chart.Mark{Kind: chart.Vertical, X: x},
				})
			}}}
		},
		Summary: func(s *instrument.State) string { return "It is " + s.Text("from") },
	}
}

func TestDrawnHasNoFaults(t *testing.T) {
	for _, f := range instrument.Faults(drawn(), 0) {
		t.Error(f)
	}
}

// A plot is read where the reader points, as a sheet's is, and stands where the state does.
func TestPlotIsRead(t *testing.T) {
	v := view2(t, drawn(), "")
	at := func() string { return widget.HTML(v.Part("part:plot")) }
	if got := at(); !strings.Contains(got, `aria-valuetext="Number = 2: its square 4"`) || !strings.Contains(got, `<figcaption>Squares</figcaption>`) || !strings.Contains(got, "As a table") {
		t.Error(got)
	}
	if err := v.Set("x", "3"); err != nil || !strings.Contains(at(), `aria-valuetext="Number = 3: its square 9"`) {
		t.Error(err, at())
	}
	if r := v.Read(0, v.CursorNow(0)); r.Words != "Number = 3: its square 9" || len(r.Dots) != 1 || math.IsNaN(r.Dots[0]) {
		t.Error(r)
	}
	if r := v.Read(0, 0); r.Words != "Number = 1: its square 1" {
		t.Error(r)
	}
	if got := v.PositionAt(0, v.Read(0, v.CursorNow(0)).At); got != v.CursorNow(0) {
		t.Errorf("pointing at where it stands is position %d, not %d", got, v.CursorNow(0))
	}
	if r := v.Read(7, 0); r.Words != "" || v.CursorNow(7) != 0 {
		t.Error("a plot that is not there is read:", r)
	}
	found := 0
	for _, k := range v.Controls() {
		if strings.HasSuffix(k.ID, "-cursor") {
			found++
		}
	}
	if found != 1 {
		t.Errorf("%d reading lines among the controls", found)
	}
}

// A document that is refused stays in its field; one that is taken may set other controls, and so may taking it back.
func TestDocumentIsCheckedAndFollowed(t *testing.T) {
	v := view2(t, drawn(), "")
	if err := v.Set("text", "nonsense"); err == nil || !strings.Contains(v.Summary(), "no dots") || !strings.Contains(v.Summary(), "built-in") {
		t.Error(err, v.Summary())
	}
	if err := v.Set("text", "..."); err != nil || v.Summary() != "It is own." {
		t.Error(err, v.Summary())
	}
	if _ = v.Set("text", "worse"); !strings.Contains(v.Summary(), "It is own") || !strings.Contains(widget.HTML(v.Part("input:text")), `aria-invalid="true"`) {
		t.Error("the last good text is gone:", v.Summary())
	}
	fields := 0
	for _, k := range v.Controls() {
		if k.ID == v.ID("text") {
			if fields++; k.Value != "worse" {
				t.Errorf("the field holds %q", k.Value)
			}
		}
	}
	if fields != 1 {
		t.Errorf("the field stands %d times among the controls", fields)
	}
	if v.Undo("text"); v.Summary() != "It is built-in." {
		t.Error(v.Summary())
	}
	print := v.Fingerprint("input:text")
	if _ = v.Set("text", strings.Repeat(".", 5000)); v.Fingerprint("input:text") == print || len(v.Fingerprint("input:text")) > 100 {
		t.Error("the fingerprint of a long text:", len(v.Fingerprint("input:text")))
	}
}
