package widget

import (
	"math"

	"github.com/scalebook/scalebook/app/sheet"
)

// sliderSteps is how many positions a slider has, from 0 on: fine enough for the hand, coarse enough for the keyboard.
const sliderSteps = 1000

// scale maps a slider's positions to values of a ranged number input, all in base units.
type scale struct {
	min, max, step float64
	log            bool
	unit           float64 // values are rounded to two digits in this unit
}

func scaleOf(in *sheet.Input) scale {
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
	if position <= 0 {
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

// snap rounds x to what a person would have typed.
func (s scale) snap(x float64) float64 {
	if s.step > 0 {
		x = s.min + math.Round((x-s.min)/s.step)*s.step
		if s.log {
			return s.near(x, s.step)
		}
		return x
	}
	u := x / s.unit
	if s.log {
		if p := math.Pow(2, math.Round(math.Log2(u))); u >= 1 && math.Abs(u/p-1) < 0.02 {
			return p * s.unit
		}
		return round(u, 2) * s.unit
	}
	grid := math.Pow(10, math.Floor(math.Log10((s.max-s.min)/s.unit/100)))
	return math.Round(u/grid) * grid * s.unit
}

// near is the power of two beside a whole number x, or x to two digits, kept on the grid.
func (s scale) near(x, step float64) float64 {
	if p := math.Pow(2, math.Round(math.Log2(x))); math.Abs(x/p-1) < 0.02 && onGrid(p-s.min, step) {
		return p
	}
	if r := round(x, 2); onGrid(r-s.min, step) {
		return r
	}
	return x
}

func onGrid(x, step float64) bool { return math.Abs(x/step-math.Round(x/step)) < 1e-9 }

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

// Next is the position that a key press leads to from position: the nearest in that direction that means another
// value. Big presses go a factor of two on a log scale, a tenth of the range on a linear one.
func (s scale) Next(position, direction int, big bool) int {
	if big {
		jump := sliderSteps / 10
		if s.log {
			jump = int(math.Ceil(math.Ln2 / math.Log(s.max/s.min) * sliderSteps))
		}
		return min(sliderSteps, max(0, position+direction*jump))
	}
	now := s.Value(position)
	for p := position + direction; p >= 0 && p <= sliderSteps; p += direction {
		if s.Value(p) != now {
			return p
		}
	}
	return position
}
