package measured

import (
	"math"

	"github.com/scalebook/scalebook/app/measured/summary"
)

// leastRatio is the smallest that errors and widths are given with: predictions and lower ends may be nothing.
const leastRatio = 0.01

// tally sums up predictions that are held against what was measured.
type tally struct {
	errors, widths, ratios []float64
	inside                 int
	points                 []summary.Point
}

// add counts one in. It is drawn in so large a unit, or not if that is 0.
func (t *tally) add(got Interval, want, unit float64) {
	t.errors = append(t.errors, math.Abs(got.Mid/want-1))
	t.ratios = append(t.ratios, math.Log(max(got.Mid/want, leastRatio)))
	t.widths = append(t.widths, got.High/max(got.Low, leastRatio*got.High))
	if got.Low <= want && want <= got.High {
		t.inside++
	}
	if unit > 0 {
		t.points = append(t.points, summary.Point{Predicted: got.Mid * unit, Measured: want * unit})
	}
}

// sumUp sets the figures of a family.
func (t *tally) sumUp(f *summary.Family) {
	if f.Rows, f.Points = len(t.errors), t.points; f.Rows == 0 {
		return
	}
	f.Coverage, f.Needs = float64(t.inside)/float64(f.Rows), needs(t.ratios)
	f.Median, f.P90, f.Width = percentile(t.errors, 0.5), percentile(t.errors, 0.9), percentile(t.widths, 0.5)
}
