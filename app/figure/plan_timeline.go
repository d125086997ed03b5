//go:build !lean

package figure

import (
	"strconv"

	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/training"
)

// The measures of the bars below a timetable.
const (
	barHead  = 34 // above the bars: a line, and a title
	barHigh  = 26
	barNames = 78
)

// PlanTimeline draws one step of a plan: its pipeline stage by stage, with what each does in slot t, and below it what
// a step's time goes into, and what of its traffic hides.
func PlanTimeline(p *training.Planned, t int) *Drawing {
	runs, whole := p.Price.Played()
	l := &timeline{pipeline: pipeline{runs: runs, end: p.Price.Slots()}}
	l.now = min(max(t, 0), l.end-1)
	d := &Drawing{Title: "One step of " + p.Price.Plan.String() + ": " + durationText(p.Price.Time.Step())}
	l.pen.Label("head", 0, 17, d.Title)
	for i := range runs {
		l.stage(i)
	}
	l.mark()
	bottom := l.bars(p, float64(pipeTop+len(runs)*pipeRow+barHead))
	d.Now = l.doing()
	d.About = d.Title + ". In slot " + strconv.Itoa(l.now) + ": " + d.Now + "."
	d.Note = "Above: each row is a stage, numbers are microbatches, hatched means that the stage stands still. "
	if !whole {
		d.Note += "Only its first stages and microbatches are drawn, or a schedule like it. "
	}
	d.Note += "Below: what the whole step goes into, to scale; traffic that hides behind computing is hatched."
	d.Twin = []Table{l.lanes, l.table()}
	return d.svg("fig", frame{0, 0, pipeWide, bottom}, &l.pen)
}

// timeline is a drawing of one under way.
type timeline struct {
	pipeline
	now   int
	lanes Table
}

// mark draws where slot now is.
func (l *timeline) mark() {
	left, wide := l.x(l.now), l.x(l.now+1)-l.x(l.now)
	l.pen.Rect(`class="now"`, left, pipeTop-4, wide, float64(len(l.runs)*pipeRow+4))
}

// doing says what the stages do in slot now.
func (l *timeline) doing() string {
	var count [4]int // by pass, and standing still
	for _, runs := range l.runs {
		does := 3
		for _, r := range runs {
			if r.From <= l.now && l.now < r.Until {
				does = int(r.Pass)
			}
		}
		count[does]++
	}
	text := strconv.Itoa(count[0]) + " of " + strconv.Itoa(len(l.runs)) + " stages forward, " + strconv.Itoa(count[1]) +
		" backward"
	if count[2] > 0 {
		text += ", " + strconv.Itoa(count[2]) + " with gradients of weights"
	}
	return text + ", " + strconv.Itoa(count[3]) + " standing still"
}

// lane is a bar of the step's time, of parts that show and of one that hides.
type lane struct {
	name   string
	parts  []string // of Time.Parts
	class  string
	hidden float64
}

// bars draws where the time of a step goes, and says how far down they reach.
func (l *timeline) bars(p *training.Planned, top float64) float64 {
	time := &p.Price.Time
	parts, step := map[string]float64{}, time.Step()
	for _, part := range time.Parts() {
		parts[part.Name] = part.Value
	}
	l.lanes = Table{Caption: "What the step goes into", Heads: []string{"What", "Shows", "Share of the step", "Hidden"}}
	l.pen.Label("small", 0, top-8, "The whole step, "+durationText(step))
	from := 0.0
	for _, lane := range lanes(time) {
		shows := 0.0
		for _, name := range lane.parts {
			shows += parts[name]
		}
		if shows <= 0 && lane.hidden <= 0 {
			continue
		}
		l.bar(lane, from, shows, step, top)
		l.lanes.add(capital(lane.name), durationText(shows), shareText(shows, step), durationText(lane.hidden))
		from, top = from+shows, top+barHigh
	}
	return top
}

// lanes are what a step goes into.
func lanes(t *training.Time) []lane {
	return []lane{
		{"matmuls", []string{"matmuls"}, "f", 0}, {"attention", []string{"attention"}, "f", 0},
		{"kernels", []string{"elementwise kernels", "logits", "waiting for the host"}, "f", 0},
		{"TP", []string{"tensor parallelism"}, "b", 0}, {"CP", []string{"context parallelism"}, "b", 0},
		{"EP", []string{"expert parallelism"}, "b", 0}, {"FSDP", []string{"gathers of weights"}, "b", 0},
		{"PP", []string{"passing on between stages", "waiting among many nodes"}, "b", 0},
		{"bubble", []string{"bubble"}, "w", 0}, {"DP", []string{"gradients between replicas"}, "b", t.DPHidden},
		{"rest", []string{"optimizer", "rest", "allocator near the limit"}, "w", 0},
	}
}

// bar draws a part of the step from a time on; what hides lies before it.
func (l *timeline) bar(a lane, from, shows, step, top float64) {
	scale := (pipeWide - barNames - 60) / step
	left, wide := barNames+from*scale, shows*scale
	l.pen.Label("small", 0, top+15, a.name)
	if hidden := min(a.hidden, from); hidden > 0 {
		hatched(&l.pen, left-hidden*scale, top, hidden*scale, barHigh-6)
	}
	l.pen.Rect(`class="`+a.class+`"`, left, top, max(wide, 1), barHigh-6)
	l.pen.Label("small", left+wide+6, top+15, shareText(shows, step))
}

// durationText is a time as text.
func durationText(t float64) string { return quantity.Seconds(t).Quantity().String() }
