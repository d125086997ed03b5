package widget

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/scalebook/scalebook/app/chart"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet"
)

// A curve may be what is asked for, as in `ask T over B`. The answer is then its values at the handles, from left to
// right, in the question's field: drawing writes them there, and who doesn't draw types them. So they are kept, and
// brought back, as any other answer is.

// valuesOf reads the values of a curve, as they stand in the field of its question.
func valuesOf(text string, like quantity.Quantity) ([]float64, error) {
	split := func(sign string) []string {
		texts := strings.Split(strings.ReplaceAll(text, ";", sign), sign)
		return slices.DeleteFunc(texts, func(t string) bool { return trimSpace(t) == "" })
	}
	texts := split(", ")
	if len(texts) != handles { // a comma alone may be one of decimals
		texts = split(",")
	}
	if len(texts) != handles {
		return nil, phrase.New("widget.curve-missing", "n", handles)
	}
	values := make([]float64, handles)
	for k, t := range texts {
		q, err := quantity.ParseLike(trimSpace(t), like)
		if err != nil {
			return nil, err
		}
		if err := needsUnit(trimSpace(t), like); err != nil {
			return nil, err
		}
		values[k] = q.Value
	}
	return values, nil
}

// supposeAll puts the values of a curve into the field of its question.
func (v *state) supposeAll(e estimate, values []float64) {
	texts := make([]string, len(values))
	for k, y := range values {
		e.like.Value = y
		texts[k] = e.like.Typed(3)
	}
	v.SetField(v.id(e.name, "guess"), strings.Join(texts, ", "))
}

// trace draws the curve that the field of a question has, if it has one.
func (v *evaluated) trace(d *drawnPlot, e estimate) {
	d.curve = nil
	if values, err := valuesOf(e.text, e.like); err == nil {
		d.curve, d.follows = d.level(v.say("widget.your-curve"), 0), e.text
		d.curve.Y = values
		d.plot.Sketch, d.plot.Guess = d.curve, &chart.Mark{Label: d.curve.Label, X: math.NaN(), Y: math.NaN()}
		d.drawing = d.plot.Draw()
	}
}

// plotOf is the plot in which an asked curve is to be drawn.
func (v *built) plotOf(a *sheet.Ask) *drawnPlot {
	for i := range v.Sheet.Plots {
		if e, ok := v.estimateOn(i); ok && e.name == a.Name && e.whole {
			return v.draw(i)
		}
	}
	return nil
}

// places says where the values of an asked curve lie, for who doesn't draw it.
func (v *built) places(a *sheet.Ask) *Node {
	d := v.plotOf(a)
	if d == nil || d.err != nil {
		return absent()
	}
	texts := make([]string, handles)
	for k, x := range d.abscissae() {
		texts[k] = d.plot.X.Format(x)
	}
	return el("p", class("note"), v.say("widget.curve-places", "name", d.name, "places",
		strings.Join(texts, ", ")))
}

// abscissae are where the handles of a curve stand.
func (d *drawnPlot) abscissae() []float64 {
	xs := make([]float64, handles)
	for k := range xs {
		xs[k] = d.drawing.XAt(float64(k) / (handles - 1))
	}
	return xs
}

// truth is what a row has at the handles; NaN where the plot has no value.
func (d *drawnPlot) truth(name string) *chart.Series {
	s := &chart.Series{Name: name, X: d.abscissae(), Y: make([]float64, handles)}
	i := slices.IndexFunc(d.plot.Series, func(s chart.Series) bool { return s.Name == name })
	for k, x := range s.X {
		s.Y[k] = math.NaN()
		if i >= 0 {
			s.Y[k] = d.drawing.On(&d.plot.Series[i], x)
		}
	}
	return s
}

// checkCurve says where a curve is farthest off, and by how much: as a ratio where the axis has ratios, else as a
// difference; and then what its shape shows.
func (v *built) checkCurve(a *sheet.Ask, g *Guess, like quantity.Quantity) error {
	said, err := valuesOf(g.Text, like)
	d := v.plotOf(a)
	switch {
	case err != nil:
		return err
	case d == nil || d.err != nil:
		return phrase.New("widget.plot-missing")
	}
	is := d.truth(a.Name)
	yours := &chart.Series{X: is.X, Y: said}
	worst, f := d.farthest(yours, is)
	if worst < 0 {
		return phrase.New("widget.plot-missing")
	}
	g.Score = "wrong"
	if f-f == 0 {
		g.Score = score(f, 1)
	}
	g.Verdict = v.fromCurve(d, yours, is, worst, f) + v.shapeOf(d, is, yours)
	return nil
}

// farthest is the handle at which two curves are farthest apart, and by how much: a factor, or on a linear axis one and
// the difference as a share of the true curve's greatest value. It is -1 where there is nothing to compare.
func (d *drawnPlot) farthest(yours, is *chart.Series) (worst int, most float64) {
	worst, scale := -1, 0.0
	for _, y := range is.Y {
		if y-y == 0 {
			scale = math.Max(scale, math.Abs(y))
		}
	}
	for k, y := range is.Y {
		f := 1 + math.Abs(yours.Y[k]-y)/cmp.Or(scale, 1)
		if d.plot.Y.Log {
			f = math.Max(yours.Y[k]/y, y/yours.Y[k])
			if !(f > 0) {
				f = math.Inf(1)
			}
		}
		if !math.IsNaN(y) && f >= most {
			worst, most = k, f
		}
	}
	return worst, most
}

// fromCurve says how far apart two curves are where they are farthest.
func (v *built) fromCurve(d *drawnPlot, yours, is *chart.Series, at int, f float64) string {
	x, said, value := d.plot.X.Format(is.X[at]), yours.Y[at], is.Y[at]
	key, off := "widget.curve-high", factor(f)
	if said < value {
		key = "widget.curve-low"
	}
	switch {
	case f < 1.25 && d.plot.Y.Log:
		key, off = "widget.curve-near", quantity.Percent(f-1, 0)
	case f < 1.25:
		key, off = "widget.curve-near", d.plot.Y.Format(math.Abs(said-value))
	case !d.plot.Y.Log || f-f != 0:
		key, off = "widget.curve-above", d.plot.Y.Format(math.Abs(said-value))
		if said < value {
			key = "widget.curve-below"
		}
	}
	return v.say(key, "off", off, "percent", off, "factor", off, "name", d.name, "x", x,
		"said", d.plot.Y.Format(said), "value", d.plot.Y.Format(value))
}

// shapeOf says what the shape of a curve shows: how it runs at its two ends, and where these would meet; and the same
// of the reader's, if there is one.
func (v *built) shapeOf(d *drawnPlot, is, yours *chart.Series) (said string) {
	left, right, ok := d.ends(is)
	if !ok {
		return ""
	}
	key := "widget.curve-change"
	if d.plot.X.Log && d.plot.Y.Log {
		key = "widget.curve-slope"
	}
	said = " " + v.say(key, "left", left, "right", right)
	if yours != nil {
		if left, right, ok := d.ends(yours); ok {
			said += " " + v.say("widget.curve-yours", "left", left, "right", right)
		}
	}
	knee, bends := d.knee(is)
	if !bends {
		return said
	}
	key = "widget.curve-meet"
	if at := d.kink(is.Name); !math.IsNaN(at) {
		key, knee = "widget.curve-knee", at
	}
	said += " " + v.say(key, "name", d.name, "x", d.plot.X.Format(knee))
	switch yours, bends := d.knee(yours); {
	case math.IsNaN(yours):
	case bends:
		said += " " + v.say("widget.curve-knee-yours", "x", d.plot.X.Format(yours))
	default:
		said += " " + v.say("widget.curve-knee-none")
	}
	return said
}

// ends say how a curve changes between its first two handles and its last two: as the power of x that it follows where
// both axes are logarithmic, as a factor where y is, else as a difference.
func (d *drawnPlot) ends(s *chart.Series) (left, right string, ok bool) {
	change := func(k int) string {
		a, b := s.Y[k], s.Y[k+1]
		switch {
		case !d.plot.Y.Log:
			ok = ok && b-a-(b-a) == 0
			return d.plot.Y.Format(b - a)
		case !(a > 0 && b > 0):
			ok = false
			return ""
		case d.plot.X.Log:
			p := math.Log(b/a) / math.Log(s.X[k+1]/s.X[k])
			return quantity.Quantity{Value: math.Round(p*100)/100 + 0}.String()
		}
		return "× " + factor(b/a)
	}
	ok = true
	left, right = change(0), change(handles-2)
	return left, right, ok
}

// bent is how much the slopes of a curve's ends must differ for it to have a knee, of the diagonal of its plot.
const bent = 0.3

// kink is where the plot has a point on a curve, as where another of its terms takes over; NaN if it has none, or
// several.
func (d *drawnPlot) kink(name string) float64 {
	at, of := math.NaN(), 1+slices.IndexFunc(d.plot.Series, func(s chart.Series) bool { return s.Name == name })
	for _, m := range d.plot.Marks {
		switch {
		case m.Kind != chart.Point || m.Of != of:
		case at-at == 0:
			return math.NaN()
		default:
			at = m.X
		}
	}
	return at
}

// knee is where the first and the last piece of a curve would meet, if they differ enough and that is between them;
// NaN without a curve.
func (d *drawnPlot) knee(s *chart.Series) (x float64, bends bool) {
	if s == nil {
		return math.NaN(), false
	}
	n := handles - 1
	height := func(y float64) float64 {
		if d.plot.Y.Log {
			return math.Log(y)
		}
		return y
	}
	y, foot := make([]float64, handles), height(d.drawing.YAt(0))
	for k := range y {
		y[k] = (height(s.Y[k]) - foot) / (height(d.drawing.YAt(1)) - foot) // unlike Share, also beyond the axis
	}
	first, last := (y[1]-y[0])*float64(n), (y[n]-y[n-1])*float64(n)
	at := (y[n] - last - y[0]) / (first - last)
	if !(math.Abs(first-last) > bent && at >= 1/float64(n) && at <= 1-1/float64(n)) {
		return 0, false
	}
	return d.drawing.XAt(at), true
}
