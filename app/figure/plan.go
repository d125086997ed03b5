package figure

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/scalebook/scalebook/app/chart"
	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet/value"
	"github.com/scalebook/scalebook/app/training"
)

// PlanFlags shows a plan as a tool takes it, to be copied.
func PlanFlags(l phrase.Phrases, p *training.Planned, tool string) (*Drawing, error) {
	flags, err := p.Estimator.Flags(p.Estimate.Plan, tool)
	if err != nil {
		return nil, err
	}
	title := l.Say("figure.flags", "plan", p.Estimate.Plan.String())
	d := &Drawing{Root: markup.El("pre", markup.Class("flags"), markup.Attr("tabindex", "0"), flags), Title: title,
		About: title, Note: l.Say("figure.flags-note")}
	t := Table{Caption: title, Heads: cells(l, "figure.flags-heads")}
	for i, line := range strings.Split(strings.TrimSpace(flags), "\n") {
		t.add(strconv.Itoa(i+1), line)
	}
	d.AltTables = []Table{t}
	return d, nil
}

// The measures of a stack.
const (
	stackWide = 560
	stackTop  = 28
	stackHigh = 56
	stackLine = 22
)

// PlanMemory draws what the fullest chip of a plan holds, part beside part, against what a program can use of a chip.
func PlanMemory(l phrase.Phrases, p *training.Planned) *Drawing {
	m := &p.Estimate.Memory
	capacity, total := training.AfterContext(p.Estimator.Job().Device.Memory), m.Total()
	interval := p.Estimator.MemoryInterval(&p.Estimate)
	s := stack{l: l, scale: stackWide / max(capacity, total, 1), capacity: capacity}
	d := &Drawing{
		Title: outOf(l, bytesText(total), bytesText(capacity)),
		Note:  l.Say("figure.stack-note", "low", bytesText(interval.Low), "high", bytesText(interval.High)),
	}
	d.head(&s.pen, 17)
	parts := newLedger(l, l.Say("figure.stack"), total)
	parts.Heads[2] = l.Say("figure.share")
	for i, part := range m.Parts() {
		if part.Value <= 0 {
			continue
		}
		name := l.Word(part.Name)
		s.part(i, part.Value)
		s.legend(i, commas(l, name, bytesText(part.Value)))
		parts.add(phrase.Capital(name), part.Value)
	}
	rest := s.end(total, parts)
	s.pen.Rect(`class="axis"`, 0, stackTop-3, capacity*s.scale, stackHigh+6)
	d.About, d.Now, d.AltTables = sentences(l, parts.about(), rest), d.Title, []Table{parts.Table}
	bottom := stackTop + stackHigh + 14 + float64((s.entries+1)/2)*stackLine
	return d.svg("fig", frame{0, 0, stackWide, bottom}, &s.pen)
}

// stack is a drawing of one under way.
type stack struct {
	l        phrase.Phrases
	pen      markup.Pen
	scale    float64 // of a byte
	capacity float64
	filled   float64
	entries  int
}

// part draws a part with its number, if there is room for it.
func (s *stack) part(i int, bytes float64) {
	left, wide := s.filled*s.scale, bytes*s.scale
	s.pen.Rect(`class="m`+strconv.Itoa(i+1)+`"`, left, stackTop, wide, stackHigh)
	if wide >= 14 {
		s.pen.Label("mid micro", left+wide/2, stackTop+stackHigh/2+5, circled(s.entries))
	}
	s.filled += bytes
}

// end draws what lacks, and says that or what is free.
func (s *stack) end(total float64, parts *ledger) string {
	lacks := bytesText(total - s.capacity)
	if total <= s.capacity {
		parts.Table.add(s.l.Say("figure.memory-free"), bytesText(s.capacity-total), "")
		return s.l.Say("figure.stack-free", "bytes", bytesText(s.capacity-total))
	}
	hatched(&s.pen, s.capacity*s.scale, stackTop, (total-s.capacity)*s.scale, stackHigh)
	s.legend(-1, s.l.Say("figure.stack-lacks", "bytes", lacks))
	parts.Table.add(s.l.Say("figure.memory-lacks"), lacks, shareText(total-s.capacity, total))
	return s.l.Say("figure.stack-not-fit", "bytes", lacks)
}

// circled is the sign of a part, counted from 0: no number, since amounts stand beside it.
func circled(i int) string { return string(rune('①' + i)) }

// legend writes an entry of the legend, two in a line.
func (s *stack) legend(i int, text string) {
	x := float64(s.entries%2) * stackWide / 2
	y := float64(stackTop + stackHigh + 14 + s.entries/2*stackLine)
	if i < 0 {
		hatched(&s.pen, x, y, 14, 14)
	} else {
		s.pen.Rect(`class="m`+strconv.Itoa(i+1)+`"`, x, y, 14, 14)
		text = s.l.Say("figure.stack-entry", "n", circled(s.entries), "part", text)
	}
	s.pen.Label("small", x+20, y+12, text)
	s.entries++
}

// The measures of the bars below a timetable.
const (
	barHead  = 34 // above the bars: a line, and a title
	barHigh  = 26
	barNames = 88 // at least
)

// PlanTimeline draws one step of a plan: its pipeline stage by stage, with what each does in slot t, and below it what
// a step's time goes into, and what of its traffic hides.
func PlanTimeline(l phrase.Phrases, p *training.Planned, t int) *Drawing {
	runs, whole := p.Estimate.Played()
	x := &timeline{pipeline: pipeline{l: l, runs: runs, end: p.Estimate.Slots()}}
	x.now = min(max(t, 0), x.end-1)
	step := seconds(p.Estimate.Time.Step())
	d := &Drawing{Title: l.Say("figure.timeline", "plan", p.Estimate.Plan.String(), "time", step)}
	x.pen.Label("head", 0, 17, l.Say("figure.timeline-head", "time", step)) // a long plan would leave the picture
	for i := range runs {
		x.stage(i)
	}
	x.mark()
	bottom := x.bars(p, float64(pipeTop+len(runs)*pipeRow+barHead))
	d.Now = x.doing()
	slot := l.Say("figure.timeline-slot", "n", x.now, "doing", d.Now)
	d.About = sentences(l, ended(l, d.Title), slot)
	part := ""
	if !whole {
		part = l.Say("figure.timeline-part")
	}
	d.Note = sentences(l, l.Say("figure.timeline-above"), part, l.Say("figure.timeline-below"))
	d.AltTables = []Table{x.lanes, x.table()}
	return d.svg("fig", frame{0, 0, pipeWide, bottom}, &x.pen)
}

// timeline is a drawing of one under way.
type timeline struct {
	pipeline
	now   int
	lanes Table
	names float64 // how wide the names of the bars are
}

// mark draws where slot now is.
func (l *timeline) mark() {
	now := float64(l.now)
	left, wide := l.x(now), l.x(now+1)-l.x(now)
	l.pen.Rect(`class="now"`, left, pipeTop-4, wide, float64(len(l.runs)*pipeRow+4))
}

// doing says what the stages do in slot now.
func (l *timeline) doing() string {
	var count [4]int              // by pass, and standing still
	now := float64(l.now) + 1.0/2 // the middle of the slot
	for _, runs := range l.runs {
		does := 3
		for _, r := range runs {
			if r.From <= now && now < r.Until {
				does = int(r.Pass)
			}
		}
		count[does]++
	}
	key := "figure.doing"
	if count[2] > 0 {
		key = "figure.doing-gradients"
	}
	return l.l.Say(key, "forward", count[0], "all", len(l.runs), "backward", count[1], "gradients", count[2], "still",
		count[3])
}

// lane is a bar of the step's time: what shows, and what hides behind computing.
type lane struct {
	name, class   string
	shows, hidden float64
}

// bars draws where the time of a step goes, and says how far down they reach.
func (l *timeline) bars(p *training.Planned, top float64) float64 {
	time := &p.Estimate.Time
	step := time.Step()
	l.lanes = Table{Caption: l.l.Say("figure.lanes"), Heads: cells(l.l, "figure.lanes-heads")}
	l.pen.Label("small", 0, top-8, l.l.Say("figure.lanes-step", "time", seconds(step)))
	var drawn []lane
	l.names = barNames
	for _, lane := range lanes(l.l, time) {
		if lane.shows > 0 || lane.hidden > 0 {
			drawn = append(drawn, lane)
			l.names = max(l.names, float64(pipeLetter*utf8.RuneCountInString(lane.name)))
		}
	}
	from := 0.0
	for _, lane := range drawn {
		l.bar(lane, from, step, top)
		l.lanes.add(phrase.Capital(lane.name), seconds(lane.shows), shareText(lane.shows, step), seconds(lane.hidden))
		from, top = from+lane.shows, top+barHigh
	}
	return top
}

// lanes are what a step goes into.
func lanes(l phrase.Phrases, t *training.Time) []lane {
	m := t.MicroBatches
	return []lane{
		{l.Say("figure.matmuls"), "f", m * t.Matmul, 0}, {l.Say("figure.lane-attention"), "f", m * t.Attention, 0},
		{l.Say("figure.lane-kernels"), "f", m*t.Elementwise + m*t.Logits + m*t.Host, 0},
		{"TP", "b", m * t.TP, 0}, {"CP", "b", m * t.CP, 0}, {"EP", "b", m * t.EP, 0}, {"FSDP", "b", m * t.Gather, 0},
		{"PP", "b", m*t.PP + m*t.Wait, 0}, {l.Say("figure.lane-bubble"), "w", t.Bubble, 0},
		{"DP", "b", t.DP, t.DPHidden}, {l.Say("figure.lane-rest"), "w", t.Optimizer + t.Rest + t.Retry + t.Straggle, 0},
	}
}

// bar draws a part of the step from a time on; what hides lies before it.
func (l *timeline) bar(a lane, from, step, top float64) {
	scale := (pipeWide - l.names - 66) / step
	left, wide := l.names+from*scale, a.shows*scale
	l.pen.Label("small", 0, top+15, a.name)
	if hidden := min(a.hidden, from); hidden > 0 {
		hatched(&l.pen, left-hidden*scale, top, hidden*scale, barHigh-6)
	}
	l.pen.Rect(`class="`+a.class+`"`, left, top, max(wide, 1), barHigh-6)
	l.pen.Label("small", left+wide+6, top+15, shareText(a.shows, step))
}

// The measures of the picture of intervals.
const (
	rangeTop  = 52
	rangeRow  = 40
	rangeMost = 6
)

// PlanIntervals draws the steps of the fastest plans as intervals, the chosen one among them: on the band of the
// fastest, plans can't be distinguished.
func PlanIntervals(l phrase.Phrases, plans []*training.Planned, chosen *training.Planned) *Drawing {
	shown := slices.Clone(plans[:min(len(plans), rangeMost)])
	same := func(p *training.Planned) bool { return p.Estimate.Plan == chosen.Estimate.Plan }
	if !slices.ContainsFunc(shown, same) {
		shown = append(shown, chosen)
	}
	d := &Drawing{Title: l.Say("figure.intervals"), Note: l.Say("figure.intervals-note")}
	t := Table{Caption: d.Title, Heads: cells(l, "figure.intervals-heads")}
	var ranges []span
	for _, p := range shown {
		x := step(p)
		ranges = append(ranges, span{p.Estimate.Plan.String(), x.Low, x.Mid, x.High, same(p)})
		t.add(ranges[len(ranges)-1].name, seconds(x.Mid), seconds(x.Low), seconds(x.High))
	}
	own := step(chosen)
	d.Now = l.Say("figure.intervals-now", "plan", chosen.Estimate.Plan.String(), "low", seconds(own.Low), "high",
		seconds(own.High))
	d.About, d.AltTables = sentences(l, d.Now), []Table{t}
	return d.spans(ranges, seconds)
}

// span is a named interval.
type span struct {
	name           string
	low, mid, high float64
	chosen         bool
}

// spans draws intervals below one another, from the least end to the greatest, on the band of the first.
func (d *Drawing) spans(all []span, say func(float64) string) *Drawing {
	var pen markup.Pen
	least, most := all[0].low, all[0].high
	for _, b := range all {
		least, most = min(least, b.low), max(most, b.high)
	}
	at := func(x float64) float64 { return (x - least) / max(most-least, 1e-300) * stackWide }
	left, right := at(all[0].low), at(all[0].high)
	bottom := float64(rangeTop + len(all)*rangeRow)
	d.head(&pen, 17)
	pen.Rect(`class="band"`, left, rangeTop-8, right-left, bottom-rangeTop+8)
	pen.Label("small", left, rangeTop-14, say(all[0].low))
	pen.Label("small end", right, rangeTop-14, say(all[0].high))
	for i, b := range all {
		y, class := float64(rangeTop+i*rangeRow), "f"
		if b.chosen {
			class = "now"
		}
		pen.Label("small", 0, y+12, b.name)
		pen.Rect(`class="`+class+`"`, at(b.low), y+18, at(b.high)-at(b.low), 14)
		pen.Rect(`class="tick"`, at(b.mid)-1.5, y+16, 3, 18)
		pen.Label("small end", stackWide, y+12, say(b.mid))
	}
	return d.svg("fig", frame{0, 0, stackWide, bottom}, &pen)
}

func step(p *training.Planned) training.Interval { return p.Estimator.StepInterval(&p.Estimate) }

// PlanBeside draws what the steps of two plans go into, the part that takes longest first: above what it takes in the
// first plan, below what it takes in the second. What takes less than a hundredth of that is in the table only.
func PlanBeside(l phrase.Phrases, terms []value.Value) *Drawing {
	const top, row, left = 56, 34, 250
	longest := func(v value.Value) float64 { return max(field(v.Record, "time"), field(v.Record, "other")) }
	most := 0.0
	for _, v := range terms {
		most = max(most, longest(v))
	}
	d := &Drawing{Title: l.Say("figure.beside")}
	t := Table{Caption: d.Title, Heads: cells(l, "figure.beside-heads")}
	var shown []value.Value
	for _, v := range terms {
		if longest(v) > most/100 {
			shown = append(shown, v)
		}
		t.add(v.Record.Fields["part"].In(l), seconds(field(v.Record, "time")), seconds(field(v.Record, "other")))
	}
	if len(shown) == 0 {
		return textOnly(d.Title, l.Say("figure.beside-none"))
	}
	chart.Ascending(shown, func(v value.Value) float64 { return -longest(v) })
	var pen markup.Pen
	d.head(&pen, 17)
	looks := [...]struct{ class, name, key string }{{"f", "time", "figure.beside-one"},
		{"now", "other", "figure.beside-two"}}
	for k, look := range looks {
		pen.Rect(`class="`+look.class+`"`, float64(left+k*100), 28, 12, 12)
		pen.Label("small", float64(left+k*100+18), 39, l.Say(look.key))
	}
	wide := float64(stackWide-left-70) / most
	for i, v := range shown {
		y := float64(top + i*row)
		pen.Label("small end", left-8, y+18, v.Record.Fields["part"].In(l))
		for k, look := range looks {
			x := field(v.Record, look.name)
			pen.Rect(`class="`+look.class+`"`, left, y+float64(14*k), max(x*wide, 1), 12)
			pen.Label("micro", left+max(x*wide, 1)+5, y+float64(14*k)+10, seconds(x))
		}
	}
	first := shown[0].Record
	d.Now = l.Say("figure.beside-now", "part", first.Fields["part"].In(l), "one", seconds(field(first, "time")), "two",
		seconds(field(first, "other")))
	d.About, d.AltTables = sentences(l, d.Now), []Table{t}
	return d.svg("fig", frame{0, 0, stackWide, float64(top + len(shown)*row)}, &pen)
}

// The measures of a map.
const (
	mapNames = 106
	mapCell  = 84
	mapHigh  = 46
	mapTop   = 26
)

// BatchMap draws which batch for each chip is bound by what, over chips.
func BatchMap(l phrase.Phrases, m *training.Map) *Drawing {
	var p markup.Pen
	d := &Drawing{Title: l.Say("figure.map", "model", m.Model, "device", m.Device), Note: l.Say("figure.map-note")}
	t := Table{Caption: d.Title, Heads: []string{l.Say("figure.map-tokens")}}
	for c, n := range m.Chips {
		name := l.Say("figure.map-chips", "n", counted(float64(n)))
		if t.Heads = append(t.Heads, name); c > 0 {
			name = counted(float64(n)) // the first says of what
		}
		p.Label("mid small", mapNames+float64(c)*mapCell+mapCell/2, mapTop-10, name)
	}
	compute, wires, none := 0, 0, 0
	for i := range m.Tokens { // the largest batch is at the top
		row := len(m.Tokens) - 1 - i
		top := float64(mapTop + i*mapHigh)
		name := counted(float64(m.Tokens[row]))
		p.Label("small", 0, top+mapHigh/2+4, l.Say("figure.map-each", "n", name))
		cells := []string{name}
		for c := range m.Chips {
			cell := &m.Cells[row][c]
			drawPlace(&p, cell, mapNames+float64(c)*mapCell, top)
			cells = append(cells, placeText(l, cell))
			switch {
			case !cell.Fits:
				none++
			case cell.Bound == training.ByWires:
				wires++
			default:
				compute++
			}
		}
		t.Rows = append(t.Rows, cells)
	}
	d.About = l.Say("figure.map-about", "computing", compute, "traffic", wires, "none", none)
	d.AltTables = []Table{t}
	wide := max(mapNames+float64(len(m.Chips))*mapCell, 360)
	return d.svg("fig", frame{0, 0, wide, float64(mapTop + len(m.Tokens)*mapHigh + 4)}, &p)
}

func drawPlace(p *markup.Pen, cell *training.Cell, left, top float64) {
	const gap = 4
	wide, high := float64(mapCell-gap), float64(mapHigh-gap)
	switch {
	case !cell.Priced:
		p.Rect(`class="boxes"`, left, top, wide, high)
		return
	case !cell.Fits:
		hatched(p, left, top, wide, high)
		return
	case cell.Bound == training.ByWires:
		p.Rect(`class="wires"`, left, top, wide, high)
	default:
		p.Rect(`class="compute"`, left, top, wide, high)
	}
	p.Rect(`class="used"`, left, top, wide*min(cell.Use, 1), high)
	p.Label("mid", left+wide/2, top+high/2+5, percent(cell.Use))
}

// placeText is a place in words.
func placeText(l phrase.Phrases, cell *training.Cell) string {
	switch {
	case !cell.Priced:
		return l.Say("figure.map-not-yet")
	case !cell.Fits:
		return l.Say("figure.map-none", "why", cell.Why)
	case cell.Bound == training.ByWires:
		return l.Say("figure.map-traffic", "use", percent(cell.Use), "plan", cell.Price.Plan)
	}
	return l.Say("figure.map-computing", "use", percent(cell.Use), "plan", cell.Price.Plan)
}
