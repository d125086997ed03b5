package figure

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/training"
)

// The measures of a pipeline's timetable, and how much of one is drawn.
const (
	pipeWide   = 520
	pipeNames  = 76
	pipeRow    = 30
	pipeTop    = 30
	pipeLegend = 22 // a line of it
	pipeLetter = 10 // how wide one is at most, where the picture is small
	mostStages = 16
	mostMicros = 48
)

// Pipeline draws when each stage of a pipeline works on which microbatch in one step, and when it is idle.
func Pipeline(l phrase.Phrases, schedule string, stages, micros int) (*Drawing, error) {
	s, ok := training.ParseSchedule(schedule)
	if !ok || stages < 1 || micros < 1 || stages > mostStages || micros > mostMicros {
		return nil, phrase.New("figure.pipeline-size")
	}
	runs, ok := training.Timetable(s, stages, 2, micros, 1, 1, 1)
	if !ok {
		return nil, phrase.New("figure.pipeline-schedule", "schedule", schedule)
	}
	p := &pipeline{l: l, runs: runs, end: slots(runs)}
	d := &Drawing{
		Title: l.Say("figure.pipeline", "stages", stages, "micros", micros, "slots", p.end),
		Now:   l.Say("figure.pipeline-idle", "share", shareText(p.idle(), float64(p.end*stages))),
		Note:  l.Say("figure.pipeline-note"),
		Twin:  []Table{p.table()},
	}
	d.About = sentences(l, ended(l, d.Title), ended(l, d.Now))
	d.head(&p.pen, 17)
	for i := range runs {
		p.stage(i)
	}
	return d.svg("fig", frame{0, 0, pipeWide, p.legend(s == training.ZBH1)}, &p.pen), nil
}

// pipeline is a drawing of one under way.
type pipeline struct {
	l    phrase.Phrases
	runs [][]training.Run
	end  int
	pen  markup.Pen
}

// slots is when the last stage is done.
func slots(stages [][]training.Run) int {
	end := 0.0
	for _, runs := range stages {
		end = max(end, runs[len(runs)-1].Until)
	}
	return int(math.Ceil(end))
}

// idle is how many slots all stages together stand still.
func (p *pipeline) idle() float64 {
	n := float64(p.end * len(p.runs))
	for _, runs := range p.runs {
		for _, r := range runs {
			n -= r.Until - r.From
		}
	}
	return n
}

// x is where a slot begins.
func (p *pipeline) x(slot float64) float64 {
	return pipeNames + slot*(pipeWide-pipeNames)/float64(p.end)
}

// passLooks are the classes of passes and the keys of their names, in their order.
var passLooks = [...][2]string{{"f", "figure.forward"}, {"b", "figure.backward"}, {"w", "figure.weight-gradients"}}

// stage draws the row of a stage.
func (p *pipeline) stage(i int) {
	top := float64(pipeTop + i*pipeRow)
	p.pen.Label("small", 0, top+18, p.l.Say("figure.stage-n", "n", i))
	free := 0.0
	for _, r := range p.runs[i] {
		p.drawIdle(free, r.From, top)
		left, wide := p.x(r.From), p.x(r.Until)-p.x(r.From)
		p.pen.Rect(`class="`+passLooks[r.Pass][0]+`"`, left, top, wide, pipeRow-5)
		if micro := microText(r); wide >= float64(8*utf8.RuneCountInString(micro)+3) {
			p.pen.Label("mid micro", left+wide/2, top+17, micro)
		}
		free = r.Until
	}
	p.drawIdle(free, float64(p.end), top)
}

// microText is a microbatch's number, with a stroke for each chunk of the stage before the one that it goes through.
func microText(r training.Run) string {
	return strconv.Itoa(r.Micro) + strings.Repeat("′", min(r.Chunk, 3))
}

// drawIdle draws that a stage stands drawIdle.
func (p *pipeline) drawIdle(from, until, top float64) {
	if until > from+1e-6 {
		hatched(&p.pen, p.x(from), top, p.x(until)-p.x(from), pipeRow-5)
	}
}

// legend names the colours, in as many lines as it takes, and returns where it ends.
func (p *pipeline) legend(split bool) float64 {
	y, x := float64(pipeTop+len(p.runs)*pipeRow+4), float64(pipeNames)
	name := func(key string, sign func()) {
		said := p.l.Say(key)
		wide := float64(20 + pipeLetter*utf8.RuneCountInString(said))
		if x+wide > pipeWide {
			x, y = pipeNames, y+pipeLegend
		}
		sign()
		p.pen.Label("small", x+20, y+12, said)
		x += wide + 14
	}
	for i, look := range passLooks {
		if i < 2 || split {
			name(look[1], func() { p.pen.Rect(`class="`+look[0]+`"`, x, y, 14, 14) })
		}
	}
	name("figure.stands-still", func() { hatched(&p.pen, x, y, 14, 14) })
	return y + pipeLegend
}

// slotText is a time in slots, to a hundredth.
func slotText(slot float64) string { return strconv.FormatFloat(math.Round(slot*100)/100, 'f', -1, 64) }

// table is the same in words.
func (p *pipeline) table() Table {
	t := Table{Caption: p.l.Say("figure.pipeline-table"), Heads: cells(p.l, "figure.pipeline-heads")}
	for i, runs := range p.runs {
		work := 0.0
		for _, r := range runs {
			work += r.Until - r.From
		}
		t.add(p.l.Say("figure.stage-n", "n", i), slotText(runs[0].From), slotText(runs[len(runs)-1].Until),
			shareText(work, float64(p.end)))
	}
	return t
}
