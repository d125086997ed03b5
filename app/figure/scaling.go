package figure

import (
	"github.com/scalebook/scalebook/app/phrase"
)

// scalingRows are the numbers of chips that are drawn, over that of the reader.
var scalingRows = [...]float64{0.5, 1, 2, 4}

// Scaling draws a data-parallel step on a number of chips, on fewer and on more of them: the forward and the backward
// pass, which take half as long on twice as many, and the all-reduce of the gradients, which doesn't. It begins with the
// backward pass, and where it takes longer the chips wait. The values are the number of chips, and the seconds that the
// two passes and the all-reduce take on so many.
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
		Title: l.Say("figure.scaling", "chips", l.Count(int(now.chips+0.5), "figure.run-chips"), "time",
			seconds(now.step))}
	d.About = sentences(l, ended(l, d.Title), ended(l, now.share(l)))
	high := 44 + float64(len(s.rows))*scalingNext
	return d.picturesAt(l, 620, [2]float64{high, high}, func(c *canvas) {
		c.Label("strong", 0, 18, d.Title)
		c.say("small", 0, 40, "figure.room-n")
		for i, r := range s.rows {
			s.draw(c, r, i == 0, 48+float64(i)*scalingNext)
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

// waits is how long the chips wait for the all-reduce.
func (r *scaledStep) waits() float64 { return max(r.reduce-r.backward, 0) }

// share says how much of the step is computed in.
func (r *scaledStep) share(l phrase.Phrases) string {
	return l.Say("figure.scaling-share", "share", shareText(r.forward+r.backward, r.step))
}

// draw draws a step: what is computed, below it the all-reduce, behind it how long it takes. The first one says what is
// what.
func (s *scaling) draw(c *canvas, r scaledStep, first bool, y float64) {
	const left = 60
	scale := (c.w - left - c.of(226, 80)) / max(s.longest, 1e-15)
	class := ""
	if r.chips == s.chips {
		class = "strong"
	}
	c.Label(class, 0, y+16, counted(r.chips))
	x := left + r.forward*scale
	for i, t := range [...]float64{r.forward, r.backward, r.waits()} {
		at := [...]float64{left, x, x + r.backward*scale}[i]
		c.Rect(`class="`+[...]string{"c1", "c2", "idle"}[i]+`"`, at, y, t*scale, 22)
		if first || i == 2 {
			c.fitting([...]string{"on mid", "on mid", "small mid"}[i], at+t*scale/2, y+16, t*scale,
				c.l.Say([...]string{"figure.seams-forward", "figure.seams-backward", "figure.waits"}[i]))
		}
	}
	c.Rect(`class="c3"`, x, y+25, r.reduce*scale, 12)
	if first && r.reduce > 0 {
		c.say("in3 small", x+r.reduce*scale+6, y+36, "figure.scaling-reduce")
	}
	x = left + r.step*scale + 8
	step := seconds(r.step)
	c.Label("strong", x, y+16, step)
	if !c.narrow {
		c.Label("small", x+textWide("strong", step)+16, y+16, r.share(c.l))
	}
}
