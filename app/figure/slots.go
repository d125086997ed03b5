package figure

import (
	"strconv"

	"github.com/scalebook/scalebook/app/machine"
	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/phrase"
)

// asked are the requests of the drawing, of unlike lengths: in steps of prompt and of reply.
func asked() []machine.Request {
	return []machine.Request{{Prompt: 2, Reply: 5}, {Prompt: 2, Reply: 15}, {Prompt: 3, Reply: 7}, {Prompt: 2, Reply: 10},
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
		Title: slotsText(l, e, step),
		Note:  l.Say("figure.slots-note"),
		Twin:  []Table{slotsTable(l, e, step)},
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
