package figure

import (
	"math"

	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/phrase"
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
func DecodeStep(l phrase.Phrases, weights, caches, work float64, sequences int) *Drawing {
	step := caches + math.Max(weights, work)
	s := decode{scale: stepWide / fullScale(step), step: step}
	d := &Drawing{Title: l.Count(sequences, "figure.decode", "time", seconds(step)), Note: l.Say("figure.decode-note")}
	s.twin = Table{Caption: d.Title, Heads: cells(l, "figure.decode-heads")}
	bound := l.Say("figure.decode-memory")
	if work > weights {
		bound = l.Say("figure.decode-both")
	}
	d.About, d.Now = sentences(l, ended(l, d.Title), bound), d.Title
	d.head(&s.pen, 17)
	s.lane(0, l.Say("figure.memory"))
	s.bar(0, 0, caches, "b2", min(max(sequences, 1), mostCells), l.Say("figure.caches"))
	s.bar(0, caches, weights, "b1", 1, l.Say("figure.weights"))
	s.lane(1, l.Say("figure.arithmetic"))
	s.bar(1, caches, work, "b3", 1, l.Say("figure.matmuls"))
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
	if text := name + " " + seconds(time); wide > 8*float64(len(text)) {
		s.pen.Label("mid small", stepLeft+from*s.scale+wide/2, y+25, text)
	}
	s.twin.add(phrase.Capital(name), seconds(time), shareText(time, s.step))
}
