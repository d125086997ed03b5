package figure

import (
	"strconv"

	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/training"
)

// The measures of a stack.
const (
	stackWide = 560
	stackTop  = 28
	stackHigh = 56
	stackLine = 22
)

// PlanMemory draws what the fullest chip of a plan holds, part beside part, against what a program can use of a chip.
func PlanMemory(l phrase.Phrases, p *training.Planned) *Drawing {
	m := &p.Price.Memory
	room, total := training.AfterContext(p.Pricer.Job().Device.Memory), m.Total()
	interval := p.Pricer.MemoryInterval(&p.Price)
	s := stack{l: l, scale: stackWide / max(room, total, 1), room: room}
	d := &Drawing{
		Title: outOf(l, bytesText(total), bytesText(room)),
		Note:  l.Say("figure.stack-note", "low", bytesText(interval.Low), "high", bytesText(interval.High)),
	}
	d.head(&s.pen, 17)
	parts := newLedger(l, l.Say("figure.stack"), total)
	parts.Heads[2] = l.Say("figure.share")
	for i, part := range m.Parts() {
		if part.Value <= 0 {
			continue
		}
		s.part(i, part.Value)
		s.legend(i, commas(l, part.Name, bytesText(part.Value)))
		parts.add(phrase.Capital(part.Name), part.Value)
	}
	rest := s.end(total, parts)
	s.pen.Rect(`class="axis"`, 0, stackTop-3, room*s.scale, stackHigh+6)
	d.About, d.Now, d.Twin = sentences(l, parts.about(), rest), d.Title, []Table{parts.Table}
	bottom := stackTop + stackHigh + 14 + float64((s.entries+1)/2)*stackLine
	return d.svg("fig", frame{0, 0, stackWide, bottom}, &s.pen)
}

// stack is a drawing of one under way.
type stack struct {
	l       phrase.Phrases
	pen     markup.Pen
	scale   float64 // of a byte
	room    float64
	filled  float64
	entries int
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
	lacks := bytesText(total - s.room)
	if total <= s.room {
		parts.Table.add(s.l.Say("figure.memory-free"), bytesText(s.room-total), "")
		return s.l.Say("figure.stack-free", "bytes", bytesText(s.room-total))
	}
	hatched(&s.pen, s.room*s.scale, stackTop, (total-s.room)*s.scale, stackHigh)
	s.legend(-1, s.l.Say("figure.stack-lacks", "bytes", lacks))
	parts.Table.add(s.l.Say("figure.memory-lacks"), lacks, shareText(total-s.room, total))
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
