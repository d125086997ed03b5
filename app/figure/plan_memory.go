//go:build !lean

package figure

import (
	"strconv"

	"github.com/scalebook/scalebook/app/markup"
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
func PlanMemory(p *training.Planned) *Drawing {
	m := &p.Price.Memory
	room, total := training.Usable(p.Pricer.Job().Device.Memory), m.Total()
	interval := p.Pricer.MemoryInterval(&p.Price)
	s := stack{scale: stackWide / max(room, total, 1), room: room}
	d := &Drawing{
		Title: bytesText(total) + " of " + bytesText(room),
		Note: "As wide as its bytes. The numbers lead to the legend; the frame is what a program can use of the chip. Nine " +
			"measured plans in ten lie from " + bytesText(interval.Low) + " to " + bytesText(interval.High) + ".",
	}
	s.pen.Label("head", 0, 17, d.Title)
	twin := Table{Caption: "What the fullest chip holds", Heads: []string{"Part", "Bytes", "Share"}}
	for i, part := range m.Parts() {
		if part.Value <= 0 {
			continue
		}
		s.part(i, part.Value)
		s.legend(i, part.Name+", "+bytesText(part.Value))
		twin.add(capital(part.Name), bytesText(part.Value), shareText(part.Value, total))
		d.About += capital(part.Name) + " " + bytesText(part.Value) + ". "
	}
	s.end(total, &twin, d)
	d.Now = d.Title
	d.Twin = []Table{twin}
	bottom := stackTop + stackHigh + 14 + float64((s.entries+1)/2)*stackLine
	return d.svg("fig", frame{0, 0, stackWide, bottom}, &s.pen)
}

// stack is a drawing of one under way.
type stack struct {
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
		s.pen.Label("mid micro", left+wide/2, stackTop+stackHigh/2+5, strconv.Itoa(s.entries+1))
	}
	s.filled += bytes
}

// end draws the frame, and what is free or lacks.
func (s *stack) end(total float64, twin *Table, d *Drawing) {
	if total > s.room {
		hatched(&s.pen, s.room*s.scale, stackTop, (total-s.room)*s.scale, stackHigh)
		s.legend(-1, "does not fit, "+bytesText(total-s.room))
		twin.add("Does not fit", bytesText(total-s.room), shareText(total-s.room, total))
		d.About += "It does not fit by " + bytesText(total-s.room) + "."
	} else {
		twin.add("Free", bytesText(s.room-total), "")
		d.About += bytesText(s.room-total) + " are free."
	}
	s.pen.Rect(`class="axis"`, 0, stackTop-3, s.room*s.scale, stackHigh+6)
}

// legend writes an entry of the legend, two in a line.
func (s *stack) legend(i int, text string) {
	x := float64(s.entries%2) * stackWide / 2
	y := float64(stackTop + stackHigh + 14 + s.entries/2*stackLine)
	if i < 0 {
		hatched(&s.pen, x, y, 14, 14)
	} else {
		s.pen.Rect(`class="m`+strconv.Itoa(i+1)+`"`, x, y, 14, 14)
		text = strconv.Itoa(s.entries+1) + " " + text
	}
	s.pen.Label("small", x+20, y+12, text)
	s.entries++
}
