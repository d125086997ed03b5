package figure

import (
	"errors"
	"strconv"

	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/training"
)

// The measures of a pipeline's timetable, and how much of one is drawn.
const (
	pipeWide   = 520
	pipeNames  = 58
	pipeRow    = 30
	pipeTop    = 30
	pipeLegend = 26
	mostStages = 16
	mostMicros = 48
)

// Pipeline draws when each stage of a pipeline works on which microbatch in one step, and when it stands still.
func Pipeline(schedule string, stages, micros int) (*Drawing, error) {
	s, ok := training.ParseSchedule(schedule)
	if !ok || stages < 1 || micros < 1 || stages > mostStages || micros > mostMicros {
		return nil, errors.New("a pipeline of that size isn't drawn; give 1 to 16 stages and 1 to 48 microbatches")
	}
	runs, ok := training.Timetable(s, stages, micros)
	if !ok {
		return nil, errors.New("the schedule " + schedule + " isn't played; give gpipe, 1f1b or zb-h1")
	}
	p := &pipeline{runs: runs, end: slots(runs)}
	idle := p.idle()
	d := &Drawing{
		Title: "One step of " + strconv.Itoa(stages) + " stages and " + strconv.Itoa(micros) + " microbatches, " +
			strconv.Itoa(p.end) + " slots",
		Note: "Each row is a stage, time runs to the right, and the numbers are microbatches. Hatched: the stage stands " +
			"still. A forward pass takes one slot, a backward pass two, or one and one more for the gradients of weights.",
		Twin: []Table{p.table()},
	}
	d.About = d.Title + ". A stage stands still for " + shareText(float64(idle), float64(p.end*stages)) + " of the time. "
	d.Now = "a stage stands still for " + shareText(float64(idle), float64(p.end*stages)) + " of the time"
	p.pen.Label("head", 0, 17, d.Title)
	for i := range runs {
		p.stage(i)
	}
	p.legend(s == training.ZBH1)
	return d.svg("fig", frame{0, 0, pipeWide, float64(pipeTop + stages*pipeRow + pipeLegend)}, &p.pen), nil
}

// pipeline is a drawing of one under way.
type pipeline struct {
	runs [][]training.Run
	end  int
	pen  markup.Pen
}

// slots is when the last stage is done.
func slots(stages [][]training.Run) int {
	end := 0
	for _, runs := range stages {
		end = max(end, runs[len(runs)-1].Until)
	}
	return end
}

// idle is how many slots all stages together stand still.
func (p *pipeline) idle() int {
	n := p.end * len(p.runs)
	for _, runs := range p.runs {
		for _, r := range runs {
			n -= r.Until - r.From
		}
	}
	return n
}

// x is where a slot begins.
func (p *pipeline) x(slot int) float64 {
	return pipeNames + float64(slot)*(pipeWide-pipeNames)/float64(p.end)
}

// passLooks are the classes and the names of passes, in their order.
var passLooks = [...][2]string{{"f", "forward"}, {"b", "backward"}, {"w", "gradients of weights"}}

// stage draws the row of a stage.
func (p *pipeline) stage(i int) {
	top := float64(pipeTop + i*pipeRow)
	p.pen.Label("small", 0, top+18, "Stage "+strconv.Itoa(i))
	free := 0
	for _, r := range p.runs[i] {
		p.still(free, r.From, top)
		left, wide := p.x(r.From), p.x(r.Until)-p.x(r.From)
		p.pen.Rect(`class="`+passLooks[r.Pass][0]+`"`, left, top, wide, pipeRow-5)
		if wide >= 11 {
			p.pen.Label("mid micro", left+wide/2, top+17, strconv.Itoa(r.Micro))
		}
		free = r.Until
	}
	p.still(free, p.end, top)
}

// still draws that a stage stands still.
func (p *pipeline) still(from, until int, top float64) {
	if until > from {
		hatched(&p.pen, p.x(from), top, p.x(until)-p.x(from), pipeRow-5)
	}
}

// legend names the colours.
func (p *pipeline) legend(split bool) {
	y, x := float64(pipeTop+len(p.runs)*pipeRow+4), float64(pipeNames)
	for i, look := range passLooks {
		if i < 2 || split {
			p.pen.Rect(`class="`+look[0]+`"`, x, y, 14, 14).Label("small", x+20, y+12, look[1])
			x += 96 + float64(i/2)*82
		}
	}
	hatched(&p.pen, x, y, 14, 14)
	p.pen.Label("small", x+20, y+12, "stands still")
}

// table is the same in words.
func (p *pipeline) table() Table {
	t := Table{Caption: "Who works when", Heads: []string{"Stage", "Begins", "Ends", "Works, of all slots"}}
	for i, runs := range p.runs {
		work := 0
		for _, r := range runs {
			work += r.Until - r.From
		}
		t.add("Stage "+strconv.Itoa(i), strconv.Itoa(runs[0].From), strconv.Itoa(runs[len(runs)-1].Until),
			shareText(float64(work), float64(p.end)))
	}
	return t
}
