// Package search finds where two curves meet, touch or jump across each other in an [Interval], where one is least, and
// how steep one is. It knows numbers only: the curves are functions, and what it finds are places. Package solve puts
// them into words.
//
// [Meet] looks at some hundred places, closely where the curves change sides (bracket), and where they come near each
// other without doing so (all in meet.go). [Crossings] and [Changeovers] read samples that were taken already,
// as of a plot. [Least] finds the least value of one curve, [Slope] how steep it is.
//
// All of it is bounded: no curve, however wild, is evaluated more than some thousand times.
package search

import (
	"math"
	"slices"

	"github.com/scalebook/scalebook/app/sheet/portable"
)

// Interval is where a search looks, on a linear or a log scale: Lo < Hi, and Lo > 0 on a log scale.
type Interval struct {
	Lo, Hi float64
	Log    bool
}

// Coordinate is where x stands on the scale.
func (p Interval) Coordinate(x float64) float64 {
	if p.Log {
		return portable.Log2(x)
	}
	return x
}

// Value is the inverse of Coordinate.
func (p Interval) Value(u float64) float64 {
	if p.Log {
		return math.Exp2(u)
	}
	return u
}

// Grid is n > 1 values evenly spread over the scale, ends included and exact.
func (p Interval) Grid(n int) []float64 {
	a, b := p.Coordinate(p.Lo), p.Coordinate(p.Hi)
	xs := make([]float64, n)
	for i := range xs {
		t := float64(i) / float64(n-1)
		xs[i] = p.Value(float64(a*(1-t)) + float64(b*t))
	}
	xs[0], xs[n-1] = p.Lo, p.Hi
	return xs
}

// Middle halves the way from a to b on the scale.
func (p Interval) Middle(a, b float64) float64 {
	if p.Log {
		return math.Sqrt(a) * math.Sqrt(b)
	}
	return a + float64(0.5*(b-a))
}

// Nearest is the one of xs that is closest to x on the scale.
func (p Interval) Nearest(xs []float64, x float64) float64 {
	best := xs[0]
	if p.Log && x <= 0 {
		return best
	}
	for _, y := range xs {
		if math.Abs(p.Coordinate(y)-p.Coordinate(x)) < math.Abs(p.Coordinate(best)-p.Coordinate(x)) {
			best = y
		}
	}
	return best
}

// scanGrid is the grid of the scan. A linear range over decades gets log-spaced samples too: what lies near zero would
// otherwise be a single step. Where it is so wide that these don't come down to numbers of everyday size, each decade
// down to a thousandth gets one more.
func (p Interval) scanGrid() []float64 {
	if !(p.Lo < p.Hi) {
		return []float64{p.Lo}
	}
	xs := p.Grid(scanSamples)
	if p.Log {
		return xs
	}
	step := (p.Hi - p.Lo) / (scanSamples - 1)
	small := Interval{step * 1e-6, step, true}.Grid(scanExtra)
	for x := small[0] / 10; small[0] > 1e6 && x > 1e-3; x /= 10 {
		small = append(small, x)
	}
	for _, x := range small {
		for _, x := range [2]float64{-x, x} {
			if x > p.Lo && x < p.Hi {
				xs = append(xs, x)
			}
		}
	}
	slices.Sort(xs)
	return slices.Compact(xs)
}
