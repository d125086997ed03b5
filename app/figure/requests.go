package figure

import (
	"math"
	"strconv"

	"github.com/scalebook/scalebook/app/machine"
	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
)

// The measures of a memory.
const (
	memoryWide = 520
	memoryTop  = 26
	memoryHigh = 64
	memoryLine = 22 // of the legend
	mostCells  = 64 // sequences that are drawn one by one
)

// Memory draws what is in a memory of that capacity while it serves: the weights, then the KV cache of each sequence,
// then what is free or what doesn't fit. All arguments but sequences are bytes.
func Memory(l phrase.Phrases, capacity, weights, each, sequences float64) *Drawing {
	cache := each * sequences
	used := weights + cache
	m := memory{scale: memoryWide / math.Max(math.Max(capacity, used), 1)}
	d := &Drawing{
		Title: outOf(l, bytesText(used), bytesText(capacity)),
		Note:  l.Say("figure.memory-note"),
	}
	d.head(&m.pen, 17)
	ledger := newLedger(l, d.Title, capacity)
	entry := func(class, key string, size float64) { m.legend(class, ledger.add(l.Say(key), size)) }
	m.part("b1", weights, 1)
	entry("b1", "figure.memory-weights", weights)
	m.part("b2", cache, int(math.Max(1, math.Min(sequences, mostCells))))
	entry("b2", "figure.memory-cache", cache)
	if used > capacity {
		m.part("hatch", capacity-used, 1)
		entry("frame", "figure.memory-lacks", used-capacity)
	} else {
		entry("frame", "figure.memory-free", capacity-used)
	}
	return m.whole(d, ledger)
}

// ledger says what is in a memory, part by part, as a table and in sentences.
type ledger struct {
	Table
	l        phrase.Phrases
	capacity float64
	said     []any
}

func newLedger(l phrase.Phrases, caption string, capacity float64) *ledger {
	return &ledger{l: l, capacity: capacity, Table: Table{Caption: caption, Heads: cells(l, "figure.memory-heads")}}
}

// add writes a part down, and is what a legend says of it.
func (x *ledger) add(name string, size float64) string {
	x.Table.add(name, bytesText(size), shareText(size, x.capacity))
	x.said = append(x.said, x.l.Say("figure.memory-part", "part", name, "bytes", bytesText(size)))
	return commas(x.l, name, bytesText(size))
}

func (x *ledger) about() string { return sentences(x.l, x.said...) }

// memory is a drawing of one under way.
type memory struct {
	pen     markup.Pen
	scale   float64 // of a byte
	filled  float64 // bytes drawn so far
	entries int     // of the legend
}

// part draws bytes in so many cells side by side; below zero they are the last of what is drawn already, crossed out.
func (m *memory) part(class string, bytes float64, cells int) {
	if bytes < 0 {
		left := (m.filled + bytes) * m.scale
		hatched(&m.pen, left, memoryTop, -bytes*m.scale, memoryHigh)
		return
	}
	for i := range cells {
		wide := bytes * m.scale / float64(cells)
		m.pen.Rect(`class="`+class+`"`, m.filled*m.scale+float64(i)*wide, memoryTop, wide, memoryHigh)
	}
	m.filled += bytes
}

// whole puts the drawing together, with the edge of the memory around what it can hold.
func (m *memory) whole(d *Drawing, x *ledger) *Drawing {
	m.pen.Rect(`class="axis"`, 0, memoryTop, x.capacity*m.scale, memoryHigh)
	d.About, d.AltTables = x.about(), []Table{x.Table}
	bottom := memoryTop + memoryHigh + 8 + float64((m.entries+1)/2)*memoryLine
	return d.svg("fig", frame{0, 0, memoryWide, bottom}, &m.pen)
}

// legend writes an entry of the legend, two in a line.
func (m *memory) legend(class, text string) {
	x := float64(m.entries%2) * memoryWide / 2
	y := float64(memoryTop + memoryHigh + 12 + m.entries/2*memoryLine)
	m.pen.Rect(`class="`+class+`"`, x, y, 12, 12)
	m.pen.Label("small", x+18, y+11, text)
	m.entries++
}

// bytesText is a number of bytes as text.
func bytesText(n float64) string { return quantity.Bytes(n).Quantity().String() }

// texts are the sequences of the drawing: when they come, and their pages at first and at last.
func texts() []machine.Sequence {
	return []machine.Sequence{
		{Comes: 0, First: 2, Last: 7}, {Comes: 1, First: 3, Last: 5}, {Comes: 2, First: 1, Last: 9},
		{Comes: 3, First: 4, Last: 6}, {Comes: 4, First: 2, Last: 8}, {Comes: 5, First: 1, Last: 4},
		{Comes: 7, First: 3, Last: 7}, {Comes: 9, First: 2, Last: 10}, {Comes: 11, First: 1, Last: 5},
		{Comes: 13, First: 2, Last: 6},
	}
}

// The measures of a memory in pages.
const (
	pageCount = 48
	pagesLong = 12 // that the longest sequence may take, and in a row
	pageWide  = 42
	pageHigh  = 30
	pageTop   = 26
)

// Pages draws a memory for caches at a step, given out in pages or reserved for the longest sequence.
func Pages(l phrase.Phrases, paged bool, step int) *Drawing {
	m := machine.Fill(pageCount, pagesLong, max(0, min(step, 200)), !paged, texts())
	d := &Drawing{
		Title:     pagesText(l, m, step),
		Note:      l.Say("figure.pages-note"),
		AltTables: []Table{pagesTable(l, m)},
	}
	d.About, d.Now = ended(l, d.Title), d.Title
	var p markup.Pen
	d.head(&p, 17)
	for _, class := range []string{"frame", "frame dash", "b1", "b2", "b3"} {
		p.Put(`<path class="`, class, `" d="`)
		for i, page := range m.Memory {
			if x, y := pagePlace(i); pageClass(page) == class {
				p.Box(x+1, y+1, pageWide-2, pageHigh-2)
			}
		}
		p.Put(`"/>`)
	}
	for i, page := range m.Memory {
		if x, y := pagePlace(i); page.Owner > 0 {
			p.Label("mid small", x+pageWide/2, y+20, letter(page.Owner-1))
		}
	}
	bottom := pageTop + pageCount/pagesLong*pageHigh
	return d.svg("fig", frame{-2, 0, pagesLong*pageWide + 16, float64(bottom + 4)}, &p)
}

// pagePlace is where a page is drawn.
func pagePlace(i int) (x, y float64) {
	return float64(i % pagesLong * pageWide), float64(pageTop + i/pagesLong*pageHigh)
}

// pageClass is how a page is drawn.
func pageClass(page machine.Page) string {
	switch {
	case page.Used:
		return "b" + strconv.Itoa(1+(page.Owner-1)%3)
	case page.Owner > 0:
		return "frame dash"
	}
	return "frame"
}

// pagesText says how full the memory is, and with what.
func pagesText(l phrase.Phrases, m *machine.Pages, step int) string {
	return l.Say("figure.pages", "step", step, "run", len(m.Running), "wait", len(m.Waiting), "used", m.Used(), "empty",
		len(m.Memory)-m.Free()-m.Used())
}

// pagesTable says which sequences there are.
func pagesTable(l phrase.Phrases, m *machine.Pages) Table {
	names := func(of []int) string {
		var all []string
		for _, q := range of {
			all = append(all, letter(q-1))
		}
		if len(all) == 0 {
			return l.Say("figure.none")
		}
		return commas(l, all...)
	}
	t := Table{Caption: l.Say("figure.sequences"), Heads: cells(l, "figure.pages-heads")}
	t.add(l.Say("figure.running"), names(m.Running))
	t.add(l.Say("figure.waiting"), names(m.Waiting))
	t.add(l.Say("figure.done"), names(m.Done))
	return t
}

// asked are the requests of the drawing, of unlike lengths: in steps of prompt and of reply.
func asked() []machine.Request {
	return []machine.Request{{Prompt: 2, Reply: 5}, {Prompt: 2, Reply: 15}, {Prompt: 3, Reply: 7},
		{Prompt: 2, Reply: 10},
		{Prompt: 3, Reply: 8}, {Prompt: 2, Reply: 6}, {Prompt: 3, Reply: 9}, {Prompt: 2, Reply: 5}}
}

// The measures of a batch over time.
const (
	slotCount = 4
	slotSteps = 40
	slotWide  = 12
	slotHigh  = 30
	slotLeft  = 52
	slotTop   = 26
)

// Slots draws an engine with four slots that serves eight requests, up to a step.
func Slots(l phrase.Phrases, policy machine.Policy, step int) *Drawing {
	step = max(0, min(step, slotSteps))
	e := machine.Serve(policy, slotCount, slotSteps, asked())
	d := &Drawing{
		Title:     slotsText(l, e, step),
		Note:      l.Say("figure.slots-note"),
		AltTables: []Table{slotsTable(l, e, step)},
	}
	d.About, d.Now = ended(l, d.Title), d.Title
	var p markup.Pen
	d.head(&p, 17)
	for i := range e.Slots {
		p.Label("small", 0, slotY(i)+20, l.Say("figure.slot", "n", i+1))
		p.Rect(`class="frame"`, slotLeft, slotY(i), slotSteps*slotWide, slotHigh)
	}
	drawTurns(&p, e, step, machine.Reading, "b3")
	drawTurns(&p, e, step, machine.Writing, "b1")
	drawStalls(&p, e, step)
	bottom := slotTop + slotCount*(slotHigh+6)
	for i, k := range [3][2]string{{"b3", "figure.slot-reads"}, {"b1", "figure.slot-writes"},
		{"frame", "figure.slot-empty"}} {
		x := float64(slotLeft + i*160)
		p.Rect(`class="`+k[0]+`"`, x, float64(bottom+4), 12, 12)
		p.Label("small", x+18, float64(bottom+15), l.Say(k[1]))
	}
	return d.svg("fig", frame{0, 0, slotLeft + slotSteps*slotWide + 2, float64(bottom + 22)}, &p)
}

// slotY is where a slot is drawn.
func slotY(i int) float64 { return float64(slotTop + i*(slotHigh+6)) }

// drawTurns draws all cells in which slots do one thing.
func drawTurns(p *markup.Pen, e *machine.Engine, step int, doing machine.Doing, class string) {
	p.Put(`<path class="`, class, `" d="`)
	for i, turns := range e.Slots {
		for t := range step {
			if turns[t].Doing == doing {
				p.Box(float64(slotLeft+t*slotWide), slotY(i), slotWide, slotHigh)
			}
		}
	}
	p.Put(`"/>`)
}

// drawStalls draws who stands still, and the letter of each request where it begins.
func drawStalls(p *markup.Pen, e *machine.Engine, step int) {
	for i, turns := range e.Slots {
		for t := range step {
			x := float64(slotLeft + t*slotWide)
			if turns[t].Doing == machine.Stalled {
				hatched(p, x, slotY(i), slotWide, slotHigh)
			}
			begins := t == 0 || turns[t-1].Doing == machine.Idle || turns[t-1].Request != turns[t].Request
			if begins && turns[t].Doing != machine.Idle {
				p.Label("strong", x+2, slotY(i)+20, letter(turns[t].Request))
			}
		}
	}
}

// letter names a request or a sequence, counted from 0.
func letter(i int) string { return string(rune('A' + i%26)) }

// slotsText says what the slots do in a step, and how many requests are done by then.
func slotsText(l phrase.Phrases, e *machine.Engine, step int) string {
	var doing [4]int
	if step > 0 {
		for _, turns := range e.Slots {
			doing[turns[step-1].Doing]++
		}
	}
	done := 0
	for _, d := range e.Done {
		if d >= 0 && d < step {
			done++
		}
	}
	return l.Say("figure.slots", "n", step, "write", doing[machine.Writing], "read", doing[machine.Reading], "still",
		doing[machine.Stalled], "done", done)
}

// slotsTable says when each request's tokens came.
func slotsTable(l phrase.Phrases, e *machine.Engine, step int) Table {
	t := Table{Caption: l.Say("figure.requests"), Heads: cells(l, "figure.slots-heads")}
	when := func(at int) string {
		if at < 0 || at >= step {
			return l.Say("figure.not-yet")
		}
		return l.Say("figure.step-n", "n", at+1)
	}
	for i, r := range asked() {
		t.add(letter(i), strconv.Itoa(r.Prompt), strconv.Itoa(r.Reply), when(e.First[i]), when(e.Done[i]))
	}
	return t
}

// The measures of a queue over time.
const (
	crowdWide    = 504
	crowdHigh    = 180
	crowdLeft    = 40
	crowdTop     = 30
	crowdSeconds = 120
	crowdSeed    = 7
	mostCrowd    = 4096 // slots that are drawn
)

// Crowd draws the requests under way, over two minutes up to a second, at a machine that completes capacity requests
// a second with all its slots taken and is asked for load times as many. Those who come, come by a fixed draw of lots.
func Crowd(l phrase.Phrases, load, capacity float64, slots, second int) *Drawing {
	slots, second = max(1, min(slots, mostCrowd)), max(0, min(second, crowdSeconds))
	capacity = math.Min(math.Max(capacity, 0), 1000)
	moments := machine.Crowd(math.Min(load, 10)*capacity, capacity, slots, crowdSeconds, crowdSeed)
	top := slots
	for _, m := range moments {
		top = max(top, m.Served+m.Waiting)
	}
	c := crowd{moments: moments[:second], scale: crowdHigh / float64(top)}
	d := &Drawing{
		Title:     crowdText(l, moments, second),
		Note:      l.Say("figure.crowd-note"),
		AltTables: []Table{crowdTable(l, moments, second)},
	}
	d.About, d.Now = ended(l, d.Title), d.Title
	d.head(&c.pen, 17)
	c.draw(top, slots)
	return d.svg("fig", frame{0, 0, crowdLeft + crowdWide + 26, crowdTop + crowdHigh + 26}, &c.pen)
}

// crowd is a drawing under way.
type crowd struct {
	moments []machine.Moment
	scale   float64 // of a request
	pen     markup.Pen
}

func (c *crowd) draw(top, slots int) {
	served := func(m machine.Moment) int { return m.Served }
	all := func(m machine.Moment) int { return m.Served + m.Waiting }
	none := func(machine.Moment) int { return 0 }
	c.area("b2", served, all)
	c.area("b1", none, served)
	c.pen.Put(`<path class="line dash" d="`).Move(crowdLeft, c.y(slots)).Put("h").Number(crowdWide).Put(`"/>`)
	c.pen.Put(`<path class="axis" d="`).Move(crowdLeft, crowdTop).Put("v").Number(crowdHigh).Put("h").Number(crowdWide).
		Put(`"/>`)
	c.pen.Label("small", 0, crowdTop+12, strconv.Itoa(top))
	c.pen.Label("small", 0, crowdTop+crowdHigh, "0")
	for s := 0; s <= crowdSeconds; s += 30 {
		c.pen.Label("small mid", c.x(s), crowdTop+crowdHigh+20, strconv.Itoa(s)+" s")
	}
}

// area fills what lies between two counts, in steps of a second.
func (c *crowd) area(class string, from, to func(machine.Moment) int) {
	if len(c.moments) == 0 {
		return
	}
	c.pen.Put(`<path class="`, class, `" d="`).Move(c.x(0), c.y(from(c.moments[0])))
	for i, m := range c.moments {
		c.pen.Line(c.x(i), c.y(to(m))).Put("h").Number(c.x(1) - c.x(0))
	}
	for i := len(c.moments) - 1; i >= 0; i-- {
		c.pen.Line(c.x(i+1), c.y(from(c.moments[i]))).Put("h").Number(c.x(0) - c.x(1))
	}
	c.pen.Put(`z"/>`)
}

func (c *crowd) x(second int) float64 {
	return crowdLeft + float64(second)*crowdWide/crowdSeconds
}

func (c *crowd) y(requests int) float64 { return crowdTop + crowdHigh - float64(requests)*c.scale }

func crowdText(l phrase.Phrases, moments []machine.Moment, second int) string {
	m := machine.Moment{}
	if second > 0 {
		m = moments[second-1]
	}
	return l.Say("figure.crowd", "n", second, "served", m.Served, "waiting", m.Waiting)
}

// crowdTable says it for each quarter of a minute.
func crowdTable(l phrase.Phrases, moments []machine.Moment, second int) Table {
	t := Table{Caption: l.Say("figure.crowd-table"), Heads: cells(l, "figure.crowd-heads")}
	for s := 15; s <= second; s += 15 {
		m := moments[s-1]
		t.add(strconv.Itoa(s)+" s", strconv.Itoa(m.Served), strconv.Itoa(m.Waiting))
	}
	return t
}
