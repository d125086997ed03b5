package figure

import (
	"math"
	"strconv"

	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/quantity"
)

// The measures of a decode step.
const (
	stepWide = 430
	stepLeft = 92
	stepTop  = 28
	stepHigh = 40
	stepNext = 54
)

// DecodeStep draws what memory and arithmetic do in a decode step: caches are read, a cell for each sequence, then
// weights, while the products with them are computed. All arguments but sequences are seconds.
func DecodeStep(weights, caches, work float64, sequences int) *Drawing {
	step := caches + math.Max(weights, work)
	s := decode{scale: stepWide / fullScale(step), step: step}
	s.twin.Heads = []string{"What", "Time", "Share of the step"}
	bound := "the memory"
	if work > weights {
		bound = "memory for the caches, the arithmetic for the rest"
	}
	d := &Drawing{
		Title: "A step of " + strconv.Itoa(sequences) + ": " + stepText(step),
		Note:  "Time runs to the right. Above, what the memory delivers; below, what the matrix units compute meanwhile.",
	}
	s.pen.Label("head", 0, 17, d.Title)
	s.lane(0, "memory")
	s.bar(0, 0, caches, "b2", min(max(sequences, 1), mostCells), "caches")
	s.bar(0, caches, weights, "b1", 1, "weights")
	s.lane(1, "arithmetic")
	s.bar(1, caches, work, "b3", 1, "matmuls")
	s.twin.Caption = d.Title
	d.About = d.Title + ". It waits for " + bound + "."
	d.Now = d.Title
	d.Twin = []Table{s.twin}
	return d.svg("fig", frame{0, 0, stepLeft + stepWide + 4, stepTop + 2*stepNext}, &s.pen)
}

// fullScale is the time that the width of the drawing stands for: the next power of two of milliseconds, so that a bar
// that grows is seen to grow.
func fullScale(step float64) float64 {
	return math.Exp2(math.Ceil(math.Log2(math.Max(step, 1e-6)*1000))) / 1000
}

// decode is a drawing under way.
type decode struct {
	scale, step float64
	pen         markup.Pen
	twin        Table
}

func (s *decode) lane(i int, name string) {
	y := float64(stepTop + i*stepNext)
	s.pen.Label("small", 0, y+25, name)
	s.pen.Rect(`class="frame"`, stepLeft, y, stepWide, stepHigh)
}

// bar draws a time in a lane, in so many cells, with its name if there is room for it.
func (s *decode) bar(lane int, from, time float64, class string, cells int, name string) {
	y, wide := float64(stepTop+lane*stepNext), time*s.scale
	s.pen.Put(`<path class="`, class, `" d="`)
	for i := range cells {
		w := wide / float64(cells)
		s.pen.Box(stepLeft+from*s.scale+float64(i)*w, y, w, stepHigh)
	}
	s.pen.Put(`"/>`)
	if text := name + " " + stepText(time); wide > 8*float64(len(text)) {
		s.pen.Label("mid small", stepLeft+from*s.scale+wide/2, y+25, text)
	}
	s.twin.add(capital(name), stepText(time), shareText(time, s.step))
}

// stepText is a time as text.
func stepText(t float64) string { return quantity.Seconds(t).Quantity().String() }
