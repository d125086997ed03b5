package widget

import (
	"math"

	"github.com/scalebook/scalebook/app/sheet/input"
)

// sliderSteps is how many positions a slider has, from 0 on: fine enough for the hand, coarse enough for the keyboard.
const sliderSteps = 1000

// scale maps a slider's positions to values of a ranged number input, all in base units.
type scale struct {
	min, max, step float64
	log            bool
	unit           float64 // values are rounded to two digits in this unit
}

func scaleOf(in *input.Input) scale {
	unit := in.Unit.Value
	if unit <= 0 {
		unit = 1
	}
	return scale{in.Min, in.Max, in.Step, in.Log && in.Min > 0, unit}
}

// Position is where on the slider x lies: 0..sliderSteps.
func (s scale) Position(x float64) int {
	f := 0.0
	switch {
	case s.max <= s.min:
	case s.log:
		f = math.Log(x/s.min) / math.Log(s.max/s.min)
	default:
		f = (x - s.min) / (s.max - s.min)
	}
	if !(f > 0) {
		return 0
	}
	return int(math.Round(math.Min(f, 1) * sliderSteps))
}

// Value is what a position means: a round number, a power of two where one is near, and always within the range.
func (s scale) Value(position int) float64 {
	if position <= 0 || s.max <= s.min {
		return s.min
	}
	if position >= sliderSteps {
		return s.max
	}
	f := float64(position) / sliderSteps
	x := s.min + f*(s.max-s.min)
	if s.log {
		x = s.min * math.Pow(s.max/s.min, f)
	}
	return math.Min(s.max, math.Max(s.min, s.snap(x)))
}

// snap rounds x to what a person would have typed, on the input's grid.
func (s scale) snap(x float64) float64 {
	u := x / s.unit
	if !s.log {
		grid := math.Pow(10, math.Floor(math.Log10((s.max-s.min)/s.unit/100)))
		return s.onGrid(math.Round(u/grid) * grid * s.unit)
	}
	best := s.onGrid(round(u, 2) * s.unit)
	if u < 1 {
		return best
	}
	low := math.Pow(2, math.Floor(math.Log2(u)))
	for _, p := range []float64{low, 2 * low} {
		if p *= s.unit; s.onGrid(p) == p && math.Abs(x-p) < math.Abs(x-best) {
			best = p
		}
	}
	return best
}

// onGrid is the value of the input's grid that is nearest to x.
func (s scale) onGrid(x float64) float64 {
	if s.step <= 0 {
		return x
	}
	return s.min + math.Round((x-s.min)/s.step)*s.step
}

// round is x to the given number of significant decimal digits.
func round(x float64, digits int) float64 {
	if x == 0 || math.IsInf(x, 0) || math.IsNaN(x) {
		return x
	}
	exp := digits - 1 - int(math.Floor(math.Log10(math.Abs(x))))
	if exp < 0 {
		p := math.Pow(10, float64(-exp))
		return math.Round(x/p) * p
	}
	p := math.Pow(10, float64(exp))
	return math.Round(x*p) / p
}

// Next is the position that a key press leads to from the value x: the nearest in that direction that means a value
// beyond x. Big presses go a factor of two on a log scale, a tenth of the range on a linear one.
func (s scale) Next(x float64, direction int, big bool) int {
	position := s.Position(x)
	if big {
		jump := sliderSteps / 10
		if s.log && s.max > s.min {
			jump = int(math.Ceil(math.Ln2 / math.Log(s.max/s.min) * sliderSteps))
		}
		return min(sliderSteps, max(0, position+direction*jump))
	}
	for p := position; direction != 0 && p >= 0 && p <= sliderSteps; p += direction {
		if float64(direction)*(s.Value(p)-x) > 0 {
			return p
		}
	}
	return position
}
