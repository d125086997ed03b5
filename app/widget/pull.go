package widget

import (
	"math"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/sheet/input"
)

// Pull is what a pointer takes hold of in a drawing, as the attribute data-pull of an element says: the input that it
// sets, the axis along which it moves, how values lie between places, and pairs of a place and a value there, as in
// "B x log 40 1 340 1024". Keyboards have the input's own control.
type Pull struct {
	Input   string
	Upright bool
	log     bool
	pairs   []float64
}

// ParsePull reads the attribute; what can't be read is the zero Pull.
func ParsePull(s string) Pull {
	words := strings.Fields(s)
	if len(words) < 7 || len(words)%2 == 0 {
		return Pull{}
	}
	p := Pull{Input: words[0], Upright: words[1] == "y", log: words[2] == "log"}
	for _, w := range words[3:] {
		x, err := strconv.ParseFloat(w, 64)
		if err != nil {
			return Pull{}
		}
		p.pairs = append(p.pairs, x)
	}
	return p
}

// Value is the input's value where the pointer is. Beyond the outermost places it goes on as between the last two.
func (p Pull) Value(at float64) float64 {
	i, n := 0, len(p.pairs)
	for i+4 < n && (at-p.pairs[i+2])*(p.pairs[n-2]-p.pairs[0]) > 0 {
		i += 2
	}
	a, b, x, y := p.pairs[i], p.pairs[i+2], p.pairs[i+1], p.pairs[i+3]
	if a == b {
		return x
	}
	f := (at - a) / (b - a)
	if p.log {
		return x * math.Pow(y/x, f)
	}
	return x + f*(y-x)
}

// Pull sets the input to where the pointer is: to a round number of its range, or to the nearest number of its menu.
func (v *View) Pull(p Pull, at float64) {
	in := v.fitted(p.Input)
	if in == nil || in.Absent || len(p.pairs) == 0 {
		return
	}
	x := p.Value(at)
	switch in.Form() {
	case input.MenuForm:
		var best *input.Option
		for i := range in.Menu {
			if o := &in.Menu[i]; best == nil || p.apart(o.Value.Num.Value, x) < p.apart(best.Value.Num.Value, x) {
				best = o
			}
		}
		if best != nil {
			v.Set(in.Name, best.ID)
		}
	case input.StepForm:
		last := math.Floor((in.Max-in.Min)/in.Step + 1e-9)
		v.Slide(in.Name, int(min(max(math.Round((x-in.Min)/in.Step), 0), last)))
	default:
		v.Slide(in.Name, scaleOf(in).Position(x))
	}
}

func (p Pull) apart(a, b float64) float64 {
	if p.log && a > 0 && b > 0 {
		return math.Abs(math.Log(a / b))
	}
	return math.Abs(a - b)
}
