package figure

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sharding"
	"github.com/scalebook/scalebook/app/training"
)

// The measures of a scheme: the column of names, the columns of chips, and the pictures in them.
const (
	schemeNames = 170
	schemeChip  = 78
	schemePic   = 68
	schemeHigh  = 42
	schemeRow   = 54
	schemeTop   = 54
	schemeRows  = 7 // space for as many arrays, so that nothing moves from step to step
)

// Scheme draws a way to split a layer over four chips, at a step: which shard of each array each chip holds, and which
// arrays a message has just brought.
func Scheme(l phrase.Phrases, id string, step int) (*Drawing, error) {
	s, err := sharding.ReadScheme(id)
	if err != nil {
		return nil, err
	}
	step = min(max(step, 0), len(s.Steps)-1)
	now := s.Steps[step]
	d := &Drawing{
		Title: l.Say("figure.scheme", "scheme", l.Word(s.Name), "n", step+1, "all", len(s.Steps),
			"does", l.Word(now.Does)),
		About:     schemeWords(l, now, s.Mesh),
		Now:       sentences(l, l.Say("figure.ended", "said", l.Word(now.Does)), schemeWords(l, now, s.Mesh)),
		Note:      l.Say("figure.scheme-note"),
		AltTables: []Table{schemeTable(l, s)},
	}
	var pen markup.Pen
	pen.Label("head", 0, 17, l.Say("figure.scheme-does", "n", step+1, "does", l.Word(now.Does)))
	for c := range s.Mesh.Chips() {
		pen.Label("mid small", chipLeft(c)+schemePic/2, schemeTop-8, chipName(s.Mesh, c))
	}
	for i, a := range now.Arrays {
		schemeRowOf(&pen, s.Mesh, a, schemeTop+float64(i*schemeRow))
	}
	return d.svg("fig", frame{0, 0, chipLeft(s.Mesh.Chips()) - (schemeChip - schemePic) + 2,
		schemeTop + schemeRows*schemeRow}, &pen), nil
}

func chipLeft(c int) float64 { return schemeNames + float64(c*schemeChip) }

// chipName says where a chip stands: "X 2", or "X 0 Y 1".
func chipName(m *sharding.Mesh, c int) string { return strings.Join(axisPlaces(m, m.Coords(c)), " ") }

// schemeRowOf draws an array: its notation, the message that brought it, and what each chip holds.
func schemeRowOf(pen *markup.Pen, m *sharding.Mesh, a sharding.SchemeArray, top float64) {
	notation(pen, a.Text, top+18)
	if a.Message != "" {
		pen.Label("small told", 0, top+36, a.Message)
	}
	for c := range m.Chips() {
		schemePicture(pen, a, a.Held(m, m.Coords(c)), chipLeft(c), top)
	}
}

// notation writes an array with its axes as indices.
func notation(pen *markup.Pen, text string, y float64) {
	pen.Put(`<text`).Attr("x", 0).Attr("y", y).Put(">")
	for i, part := range strings.Split(text, "_") {
		if i == 0 {
			pen.Escaped(part)
			continue
		}
		index := strings.IndexAny(part, ",]}")
		pen.Put(`<tspan class="index" dy="4">`).Escaped(part[:index]).Put(`</tspan><tspan dy="-4">`)
		pen.Escaped(part[index:]).Put("</tspan>")
	}
	pen.Put("</text>")
}

// schemePicture draws what a chip holds of an array: the last two dimensions down and to the right, one before them as
// a bar at the left.
func schemePicture(pen *markup.Pen, a sharding.SchemeArray, held []sharding.Range, left, top float64) {
	fill := arrayKind(a.Name)
	if len(a.Unreduced) > 0 {
		fill += " sum"
	}
	if a.Message != "" {
		fill += " came"
	}
	wide := float64(schemePic)
	if len(held) == 3 {
		from, long := stretch(a.Array, held, 0, schemeHigh)
		pen.Rect(`class="whole"`, left, top, 5, schemeHigh).Rect(`class="`+fill+`"`, left, top+from, 5, long)
		left, wide = left+9, wide-9
	}
	y, high := stretch(a.Array, held, len(held)-2, schemeHigh)
	x, long := stretch(a.Array, held, len(held)-1, wide)
	pen.Rect(`class="whole"`, left, top, wide, schemeHigh).Rect(`class="`+fill+`"`, left+x, top+y, long, high)
}

// arrayKind is the class of an array: weights, gradients of weights, or activations.
func arrayKind(name string) string {
	switch {
	case strings.HasPrefix(name, "dW"):
		return "h3"
	case strings.HasPrefix(name, "W"):
		return "h2"
	}
	return "h1"
}

// schemeWords is who holds what after a step, and what has been sent.
func schemeWords(l phrase.Phrases, s sharding.SchemeStep, m *sharding.Mesh) string {
	var arrays []string
	for _, a := range s.Arrays {
		key := "figure.scheme-after-an"
		switch {
		case a.Message == "":
			key = "figure.scheme-holds"
		case strings.HasPrefix(a.Message, "reduce"):
			key = "figure.scheme-after-a"
		}
		arrays = append(arrays, l.Say(key, "array", a.Text, "share", l.Say(shareHeld(a, m)), "message", a.Message))
	}
	return l.Say("figure.scheme-each", "arrays", clauses(l, arrays))
}

// shareHeld is the key of how much of an array a chip holds.
func shareHeld(a sharding.SchemeArray, m *sharding.Mesh) string {
	n := 1
	for _, d := range a.Dims {
		n *= d.Shards(m)
	}
	switch {
	case len(a.Unreduced) > 0:
		return "figure.held-a-summand"
	case n == 1:
		return "figure.held-all"
	case n == 2:
		return "figure.held-half"
	}
	return "figure.held-quarter"
}

// schemeTable is all steps in words.
func schemeTable(l phrase.Phrases, s *sharding.Scheme) Table {
	t := Table{Caption: l.Say("figure.scheme-table", "scheme", l.Word(s.Name)),
		Heads: cells(l, "figure.scheme-heads")}
	for i, step := range s.Steps {
		t.add(strconv.Itoa(i+1), l.Word(step.Does), schemeWords(l, step, s.Mesh))
	}
	return t
}

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
		AltTables: []Table{{Caption: l.Say("figure.seams-table"), Heads: cells(l, "figure.tile-heads"),
			Rows: [][]string{
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
	s.left, s.top = c.of(92, 30), c.of(96, 92)
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
	alone := c.l.Say("figure.seams-alone", "time", seconds(s.compute))
	c.Label("small end", max(ideal-4, textWide("", alone)+8), c.h-c.of(8, 6), alone)
}

// stages draw what each stage does: a pass computes, then communicates for TP; between passes it is idle.
func (s *parallelStep) stages(c *canvas) {
	var looks [4]markup.Pen // forward, backward, TP, idle
	var numbers markup.Pen
	part := s.tensor / (s.compute + s.tensor)
	for i, lane := range s.runs {
		y, free := s.top+float64(i)*s.lane, 0.0
		name := c.of2(c.l.Say("figure.stage-n", "n", i), strconv.Itoa(i))
		if x, base := c.of(4, 2), y+s.barHigh/2+5; s.lane > 14 && !knobAt(s.edge(c)).meets(frame{
			x, base - 11, x + textWide("small", name), base}) {
			c.Label("small", x, base, name)
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
	x := c.of(s.left, 2)
	for i, key := range [...]string{"figure.seams-forward", "figure.seams-backward",
		"figure.seams-tensor-name", "figure.seams-bubble"} {
		c.Rect(`class="`+stepLooks[i]+`"`, x, y-11, 12, 12)
		text := c.l.Say(key)
		c.Label("small", x+c.of(18, 15), y, text)
		x += c.of(46, 24) + c.of(7.6, 8.4)*float64(utf8.RuneCountInString(text))
	}
}

// edge is where the edge below the first stage is gripped: left of the stages, right of their names.
func (s *parallelStep) edge(c *canvas) (x, y float64) { return c.of(76, 16), s.top + s.lane }

// grips are the edge below the first stage and the seam in its first pass, from above, where the edge's is never.
func (s *parallelStep) grips(c *canvas) {
	var rows []float64
	for n := mostStages; n >= 1; n /= 2 {
		rows = append(rows, s.top+(s.lanesEnd-s.top)/float64(n), float64(n))
	}
	c.pull("pp", "y", "log", rows...)
	x, y := s.edge(c)
	c.knob(x, y, true)
	const double = 60 // how far one pulls for twice the degree
	first := s.runs[0][0]
	seam := s.x(first.From + (first.Until-first.From)*s.compute/(s.compute+s.tensor))
	c.pull("tp", "x", "log", seam-double, s.tp/2, seam, s.tp, seam+double, s.tp*2)
	c.knob(seam, s.top-12, false)
}

// The measures of a pipeline's timetable, and how much of one is drawn.
const (
	pipeWide   = 520
	pipeNames  = 86
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
		Title:     l.Say("figure.pipeline", "stages", stages, "micros", micros, "slots", p.end),
		Now:       l.Say("figure.pipeline-idle", "share", shareText(p.idle(), float64(p.end*stages))),
		Note:      l.Say("figure.pipeline-note"),
		AltTables: []Table{p.table()},
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
