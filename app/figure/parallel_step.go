package figure

import (
	"strconv"
	"unicode/utf8"

	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/training"
)

// ParallelStep draws one step of training on chips that are split three ways: the stages of a pipeline, in each of
// them what tensor parallelism adds to every microbatch, and beside them the communication of FSDP. Dragging the
// first stage's edge and the seam of its first pass sets the inputs `pp` and `tp`. The values are the degrees of TP,
// PP and FSDP, the microbatches, and a stage's seconds in a step: to compute, to communicate for TP, and for FSDP.
func ParallelStep(l phrase.Phrases, a values) (*Drawing, error) {
	s := &parallelStep{l: l, tp: a.num(0), pp: a.whole(1), micros: a.whole(3),
		compute: a.num(4), tensor: a.num(5), shards: a.num(6)}
	schedule, _ := training.ParseSchedule("1f1b")
	if s.pp < 1 || s.pp > mostStages || s.micros < 1 || s.micros > mostMicros {
		return nil, phrase.New("figure.pipeline-size")
	}
	slot := (s.compute + s.tensor) / float64(3*s.micros)
	runs, ok := training.Timetable(schedule, s.pp, 2, s.micros, slot, slot, slot)
	if !ok || !(slot > 0) {
		return nil, phrase.New("figure.pipeline-size")
	}
	s.runs = runs
	for _, lane := range runs {
		s.end = max(s.end, lane[len(lane)-1].Until)
	}
	s.step = max(s.end, s.shards)
	s.share = shareText(s.compute, s.step)
	degrees := l.Say("figure.seams-degrees", "fsdp", a.whole(2), "tp", a.whole(0), "pp", s.pp)
	d := &Drawing{
		Title: l.Say("figure.seams", "degrees", degrees, "step", seconds(s.step)),
		Now:   l.Say("figure.seams-now", "share", s.share),
		Twin: []Table{{Caption: l.Say("figure.seams-table"), Heads: cells(l, "figure.tile-heads"), Rows: [][]string{
			{l.Say("figure.seams-compute"), seconds(s.compute)}, {l.Say("figure.seams-tensor"), seconds(s.tensor)},
			{l.Say("figure.seams-bubble"), seconds(s.end - s.compute - s.tensor)},
			{l.Say("figure.seams-shards"), seconds(s.shards)}, {l.Say("figure.seams-step"), seconds(s.step)},
		}}},
	}
	s.degrees = degrees
	d.About = sentences(l, ended(l, d.Title), ended(l, d.Now))
	return d.opening(l, s.draw), nil
}

// parallelStep is a drawing of one under way.
type parallelStep struct {
	l                                         phrase.Phrases
	tp, compute, tensor, shards, end, step    float64
	pp, micros                                int
	runs                                      [][]training.Run
	degrees, share                            string
	left, top, scale, lane, lanesEnd, barHigh float64
}

func (s *parallelStep) x(t float64) float64 { return s.left + t*s.scale }

func (s *parallelStep) draw(c *canvas) {
	s.left, s.top = c.of(78, 30), c.of(96, 92)
	s.lanesEnd = c.h - c.of(74, 62)
	right := c.w - c.of(12, 6)
	s.scale = min((right-s.left)*0.5/s.compute, (right-s.left)/s.step)
	s.lane = (s.lanesEnd - s.top) / float64(s.pp)
	s.barHigh = s.lane - min(5, s.lane*0.12)
	c.Label("strong big", c.of(4, 2), 22, s.degrees)
	c.say("small", c.of(4, 2), 42, "figure.seams-now-line", "share", s.share)
	s.limits(c)
	s.stages(c)
	s.fsdp(c)
	s.names(c)
	s.grips(c)
}

// limits draws when a step would end that only computes, and when this one does.
func (s *parallelStep) limits(c *canvas) {
	ideal, end := s.x(s.compute), s.x(s.step)
	bottom := c.h - c.of(26, 22)
	c.Put(`<path class="thin dash" d="`).Move(ideal, s.top-8).Line(ideal, bottom).Put(`"/>`)
	c.Put(`<path class="finish" d="`).Move(end, s.top-8).Line(end, bottom).Put(`"/>`)
	c.Label("strong end", end, s.top-14, c.l.Say("figure.seams-ends", "step", seconds(s.step)))
	c.Label("small end", ideal-4, c.h-c.of(8, 6), c.l.Say("figure.seams-alone", "time", seconds(s.compute)))
}

// stages draw what each stage does: a pass computes, then communicates for TP; between passes it is idle.
func (s *parallelStep) stages(c *canvas) {
	var looks [4]markup.Pen // forward, backward, TP, idle
	var numbers markup.Pen
	part := s.tensor / (s.compute + s.tensor)
	for i, lane := range s.runs {
		y, free := s.top+float64(i)*s.lane, 0.0
		if s.lane > 14 {
			c.Label("small", c.of(4, 2), y+s.barHigh/2+5, c.of2(c.l.Say("figure.stage-n", "n", i), strconv.Itoa(i)))
		}
		box := func(look int, from, until float64) {
			if wide := (until - from) * s.scale; wide > 0.3 {
				looks[look].Box(s.x(from), y, wide, s.barHigh)
			}
		}
		for _, r := range lane {
			box(3, free, r.From)
			seam := r.Until - (r.Until-r.From)*part
			box(min(int(r.Pass), 1), r.From, seam)
			box(2, seam, r.Until)
			if wide := (seam - r.From) * s.scale; r.Pass == 0 && wide > 16 && s.barHigh > 16 {
				numbers.Label("micro mid", s.x(r.From)+wide/2, y+s.barHigh/2+4, strconv.Itoa(r.Micro))
			}
			free = r.Until
		}
		box(3, free, s.end)
	}
	for i, class := range stepLooks {
		c.Path(class, looks[i].String())
	}
	c.Put(numbers.String())
}

// stepLooks are the classes of what a stage does.
var stepLooks = [...]string{"f", "b", "tensor", "idle"}

// fsdp draws the gathers and reductions of FSDP, which run beside all that.
func (s *parallelStep) fsdp(c *canvas) {
	y := s.lanesEnd + 8
	c.Label("small", c.of(4, 2), y+14, c.of2("FSDP", ""))
	c.Rect(`class="shards"`, s.left, y, max(1, s.shards*s.scale), 18)
	text := c.l.Say("figure.seams-shards-for", "time", seconds(s.shards))
	if s.x(s.shards) > c.w*0.55 {
		c.Label("tile-name strong", s.left+8, y+14, text)
	} else {
		c.Label("strong in3", s.x(s.shards)+6, y+14, text)
	}
}

// names writes what the colours are, in them.
func (s *parallelStep) names(c *canvas) {
	y := s.top - c.of(34, 32)
	x := c.of(78, 2)
	for i, key := range [...]string{"figure.seams-forward", "figure.seams-backward",
		"figure.seams-tensor-name", "figure.seams-bubble"} {
		c.Rect(`class="`+stepLooks[i]+`"`, x, y-11, 12, 12)
		text := c.l.Say(key)
		c.Label("small", x+c.of(18, 15), y, text)
		x += c.of(46, 24) + c.of(7.6, 8.4)*float64(utf8.RuneCountInString(text))
	}
}

// grips are the edge below the first stage and the seam in its first pass.
func (s *parallelStep) grips(c *canvas) {
	var rows []float64
	for n := mostStages; n >= 1; n /= 2 {
		rows = append(rows, s.top+(s.lanesEnd-s.top)/float64(n), float64(n))
	}
	c.pull("pp", "y", "log", rows...)
	c.knob(c.of(60, 16), s.top+s.lane, true)
	const double = 60 // how far one pulls for twice the degree
	first := s.runs[0][0]
	seam := s.x(first.From + (first.Until-first.From)*s.compute/(s.compute+s.tensor))
	c.pull("tp", "x", "log", seam-double, s.tp/2, seam, s.tp, seam+double, s.tp*2)
	c.knob(seam, s.top+2, false)
}
