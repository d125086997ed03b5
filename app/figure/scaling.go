package figure

import (
	"github.com/scalebook/scalebook/app/phrase"
)

// scalingRows are the numbers of chips that are drawn, over that of the reader.
var scalingRows = [...]float64{0.5, 1, 2, 4}

// Scaling draws a data-parallel step on a number of chips, on fewer and on more of them: the forward and the backward
// pass, which share out their work, and the all-reduce of the gradients, which doesn't. It begins with the backward pass,
// and where it takes longer the chips wait. The values are the number of chips, and the seconds that the two passes and
// the all-reduce take on so many.
func Scaling(l phrase.Phrases, a values) *Drawing {
	s := &scaling{chips: a.num(0), forward: a.num(1), backward: a.num(2), reduce: a.num(3)}
	twin := Table{Caption: l.Say("figure.scaling-table"), Heads: cells(l, "figure.scaling-heads")}
	for _, k := range scalingRows {
		if s.chips*k < 1 {
			continue
		}
		r := s.row(k)
		s.rows, s.longest = append(s.rows, r), max(s.longest, r.step)
		twin.add(counted(r.chips), seconds(r.forward), seconds(r.backward), seconds(r.reduce), seconds(r.waits()),
			seconds(r.step), shareText(r.forward+r.backward, r.step))
	}
	now := s.row(1)
	d := &Drawing{Note: l.Say("figure.scaling-note"), AltTables: []Table{twin},
		Title: l.Say("figure.scaling", "chips", chipsText(l, now.chips), "time", seconds(now.step), "share",
			shareText(now.forward+now.backward, now.step))}
	d.About = ended(l, d.Title)
	high := 30 + float64(len(s.rows))*scalingNext
	return d.picturesAt(l, 620, [2]float64{high, high}, func(c *canvas) {
		c.say("strong", 0, 18, "figure.scaling-title", "chips", chipsText(l, now.chips), "time", seconds(now.step))
		for i, r := range s.rows {
			s.draw(c, r, i == 0, 34+float64(i)*scalingNext)
		}
	})
}

// scalingNext is from one row to the next.
const scalingNext = 58

// scaling is a drawing of steps under way.
type scaling struct {
	chips, forward, backward, reduce, longest float64
	rows                                      []scaledStep
}

// scaledStep is a step on some number of chips, in seconds.
type scaledStep struct{ chips, forward, backward, reduce, step float64 }

// row is the step on k times as many chips. One chip alone has nothing to add up.
func (s *scaling) row(k float64) scaledStep {
	r := scaledStep{chips: s.chips * k, forward: s.forward / k, backward: s.backward / k, reduce: s.reduce}
	if r.chips <= 1 {
		r.reduce = 0
	}
	r.step = r.forward + max(r.backward, r.reduce)
	return r
}

// chipsText is a number of chips with its noun.
func chipsText(l phrase.Phrases, n float64) string {
	return l.Count(int(n+0.5), "figure.run-chips")
}

// waits is how long the chips wait for the all-reduce.
func (r *scaledStep) waits() float64 { return max(r.reduce-r.backward, 0) }

// draw draws a step: what is computed, below it the all-reduce, behind it how long it takes. The first one says what is
// what.
func (s *scaling) draw(c *canvas, r scaledStep, first bool, y float64) {
	left, class := c.of(106, 60), ""
	scale := (c.w - left - c.of(226, 80)) / max(s.longest, 1e-15)
	if r.chips == s.chips {
		class = "strong"
	}
	name := counted(r.chips)
	if !c.narrow {
		name = chipsText(c.l, r.chips)
	}
	c.Label(class, 0, y+16, name)
	x := left
	bar := func(class, text string, y, x, time, high float64, key string) {
		c.Rect(`class="`+class+`"`, x, y, time*scale, high)
		if first || class == "idle" {
			c.fitting(text, x+time*scale/2, y+high/2+5, time*scale, c.l.Say(key))
		}
	}
	bar("c1", "on mid", y, x, r.forward, 22, "figure.seams-forward")
	x += r.forward * scale
	bar("c2", "on mid", y, x, r.backward, 22, "figure.seams-backward")
	if wait := r.waits(); wait > 0 {
		bar("idle", "small mid", y, x+r.backward*scale, wait, 22, "figure.waits")
	}
	c.Rect(`class="c3"`, x, y+25, r.reduce*scale, 12)
	if first && r.reduce > 0 {
		c.say("in3 small", x+r.reduce*scale+6, y+36, "figure.scaling-reduce")
	}
	x = left + r.step*scale + 8
	step := seconds(r.step)
	c.Label("strong", x, y+16, step)
	if !c.narrow {
		c.say("small", x+textWide("strong", step)+16, y+16, "figure.scaling-share", "share",
			shareText(r.forward+r.backward, r.step))
	}
}
