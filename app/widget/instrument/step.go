package instrument

import (
	"strconv"

	"github.com/scalebook/scalebook/app/widget"
)

// stepper is the control of a Step.
func (v *View) stepper(c *Control) *Node {
	s := widget.Stepper{ID: v.ID(c.Name), Name: c.Name, Label: c.Label, At: (&State{v}).Int(c.Name), Last: max(0, c.Steps-1), Text: v.stepText(c),
		Playing: v.playing == c.Name, Do: widget.DoInput}
	return El("div", Class("input input-step"), El("label", At("for", v.ID(c.Name)), El("span", Class("label-text"), c.Label)),
		s.Control(), El("p", Class("note"), At("translate", "no"), v.stepText(c)))
}

// stepText is where a stepper stands: "Step 3 of 9: chip 2 has a half".
func (v *View) stepText(c *Control) string {
	s := &State{v}
	at := s.Int(c.Name)
	text := "Step " + strconv.Itoa(at+1) + " of " + strconv.Itoa(max(1, c.Steps))
	if c.StepName != nil {
		if name := c.StepName(s, at); name != "" {
			text += ": " + name
		}
	}
	return text
}

// Step moves a stepper: first, back, next, last, or play, which also pauses. It says whether it moved.
func (v *View) Step(name, what string) bool {
	c := v.find(name)
	if c == nil || c.Kind != Step {
		return false
	}
	at, last := (&State{v}).Int(name), max(0, c.Steps-1)
	to := at
	switch what {
	case "first":
		to = 0
	case "back":
		to = at - 1
	case "next":
		to = at + 1
	case "last":
		to = last
	case "play":
		if v.playing == name {
			v.playing = ""
		} else if v.playing = name; at == last {
			to = 0
		}
	}
	if what != "play" {
		v.playing = ""
	}
	to = max(0, min(last, to))
	if to != at {
		_ = v.Set(name, strconv.Itoa(to))
	}
	return to != at
}

// Tick is a moment of playing: the stepper goes on, and stops at its end. It returns how many milliseconds to wait for the
// next, 0 if there is none.
func (v *View) Tick() int {
	name := v.playing
	c := v.find(name)
	if name == "" || c == nil {
		return 0
	}
	v.Step(name, "next")
	if c = v.find(name); (&State{v}).Int(name) < c.Steps-1 {
		v.playing = name
	}
	return v.Wait()
}

// Wait is how many milliseconds playing rests on a step, 0 while nothing plays.
func (v *View) Wait() int {
	c := v.find(v.playing)
	switch {
	case v.playing == "" || c == nil:
		return 0
	case c.Every > 0:
		return c.Every
	}
	return 1200
}

// withStrip is a part, and on a page before its scripts also the same part in those steps that its stepper's Strip names:
// what readers without scripts see of the course of things.
func (v *View) withStrip(p Part) *Node {
	n := p.Build()
	if n == nil {
		n = El("div")
	}
	if !p.Steps || v.strip != "" {
		return n
	}
	for i := range v.controls {
		if c := &v.controls[i]; c.Kind == Step && len(c.Strip) > 0 {
			return El("div", n, v.stripOf(p.Key, c))
		}
	}
	return n
}

// stripOf is empty once scripts run: the reader has the stepper then.
func (v *View) stripOf(key string, c *Control) *Node {
	box := El("div", Class("strip"))
	if !v.IsStill() {
		return box
	}
	for _, at := range c.Strip {
		one := v.of.View()
		one.Still()
		one.strip = strconv.Itoa(at)
		if one.Set(c.Name, strconv.Itoa(at)) != nil {
			continue
		}
		one.build()
		for _, p := range one.parts {
			if p.Key == key {
				box.Kids = append(box.Kids, El("div", El("p", Class("note"), one.stepText(one.find(c.Name))), one.Part("part:"+key)))
			}
		}
	}
	return box
}
