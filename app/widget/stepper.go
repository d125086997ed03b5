package widget

import (
	"math"
	"slices"
	"strconv"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/input"
)

// Stepper is a number that is stepped through: buttons, and a slider, which also takes the arrow keys. Pages without
// scripts show only where it stands.
type Stepper struct {
	ID, Name, Label string
	At, Last        int    // steps, counted from 0
	Text            string // where it stands
	Playing         bool
	Do              string // what a move of the slider does
	Phrases         phrase.Phrases
}

// Control is the buttons and the slider.
func (s Stepper) Control() *Node {
	play, sign := s.Phrases.Say("widget.step-play"), "▶"
	if s.Playing {
		play, sign = s.Phrases.Say("widget.step-pause"), "❚❚"
	}
	return el("div", class("control"), attr("role", "group"), attr("aria-label", s.Label),
		on("keydown", DoKeys, s.Name),
		s.button(s.Phrases.Say("widget.step-first"), "|◀", "first", s.At == 0),
		s.button(s.Phrases.Say("widget.step-back"), "◀", "back", s.At == 0),
		s.button(play, sign, "play", s.Last == 0),
		s.button(s.Phrases.Say("widget.step-next"), "▶|", "next", s.At == s.Last),
		s.button(s.Phrases.Say("widget.step-last"), "▶▶|", "last", s.At == s.Last),
		el("input", attr("type", "range"), class("slider"), attr("id", s.ID), attr("name", s.Name), attr("min", "0"),
			attr("max", strconv.Itoa(s.Last)), attr("step", "1"), attr("value", strconv.Itoa(s.At)),
			attr("aria-valuetext", s.Text),
			attr("autocomplete", "off"), on("input", s.Do, s.Name)))
}

// button is a button of the stepper. One that has nothing to do keeps the focus, as a disabled one would not.
func (s Stepper) button(label, sign, what string, off bool) *Node {
	var dimmed any
	if off {
		dimmed = attr("aria-disabled", "true")
	}
	return el("button", attr("type", "button"), class("tool step"), attr("id", s.ID+"--"+what),
		attr("aria-label", s.Phrases.Say("widget.about", "subject", label, "said", s.Label)),
		attr("title", label), dimmed, on("click", DoStep, s.Name+" "+what),
		el("span", attr("aria-hidden", "true"), sign))
}

// To is the step that a button leads to from step at; the button that plays begins anew at the end.
func (s Stepper) To(what string) int {
	to := s.At
	switch what {
	case "first":
		to = 0
	case "back":
		to--
	case "next":
		to++
	case "last":
		to = s.Last
	case "play":
		if s.At == s.Last && !s.Playing {
			to = 0
		}
	}
	return max(0, min(s.Last, to))
}

// stepper is an input that is stepped through, as it stands.
func (v *state) stepper(in *input.Input) Stepper {
	s := Stepper{ID: v.id(in.Name), Name: in.Name, Label: v.called(in.Name), Playing: v.playing == in.Name,
		Text: v.stepText(in), Do: DoSlide, Phrases: v.phrases()}
	s.At, s.Last = v.place(in)
	return s
}

// stepText is where a stepper stands: its steps are counted from 1, "5 of 12", or by what they are apart, "60 of 120".
func (v *evaluated) stepText(in *input.Input) string {
	at, last := v.place(in)
	if each := int(in.Step); each > 1 {
		return v.say("widget.step-at", "at", int(in.Min)+at*each, "last", int(in.Min)+last*each)
	}
	return v.say("widget.step-at", "at", at+1, "last", last+1)
}

// place is the step at which a stepper stands and its last one, counted from 0.
func (v *evaluated) place(in *input.Input) (at, last int) {
	if in.Step <= 0 {
		return 0, 0
	}
	last = int(math.Floor((in.Max-in.Min)/in.Step + 1e-9))
	return max(0, min(last, int(math.Round((v.Value(in).Num.Value-in.Min)/in.Step)))), last
}

// stepControl is a Stepper.
type stepControl struct{ unadorned }

func (stepControl) node(v *View, in *input.Input) *Node {
	note := el("p", class("note"), attr("id", v.id(in.Name, "note")), attr("translate", "no"), v.stepText(in))
	return v.inputBox(in, "step", note, v.stepper(in).Control())
}

func (stepControl) holds(v *View, in *input.Input) []Control {
	return []Control{{ID: v.id(in.Name), Value: strconv.Itoa(v.stepper(in).At)}}
}

func (c stepControl) take(v *View, in *input.Input, text string) { c.slide(v, in, index(text)) }

func (stepControl) slide(v *View, in *input.Input, position int) {
	v.playing = ""
	v.toStep(in, position)
}

func (c stepControl) pull(v *View, in *input.Input, _ Pull, x float64) {
	last := math.Floor((in.Max-in.Min)/in.Step + 1e-9)
	v.Slide(in.Name, int(min(max(math.Round((x-in.Min)/in.Step), 0), last)))
}

// Step moves a stepper: first, back, next, last, or play, which also pauses. It says whether it moved.
func (v *state) Step(name, what string) bool {
	in := v.fitted(name)
	if in == nil || in.Form() != input.StepForm {
		return false
	}
	s := v.stepper(in)
	to := s.To(what)
	switch {
	case what != "play", s.Playing:
		v.playing = ""
	default:
		v.playing = name
	}
	if to != s.At {
		v.toStep(in, to)
	}
	v.rev++
	return to != s.At
}

// toStep sets a stepper to a step, counted from 0.
func (v *state) toStep(in *input.Input, step int) {
	q := quantity.Quantity{Value: in.Min + float64(step)*in.Step, Dim: in.Default.Num.Dim,
		Label: in.Default.Num.Label, Binary: in.Unit.Binary}
	_ = v.Set(in.Name, numberText(q, in.Unit))
}

// Tick is a moment of playing: the stepper goes on, and stops at its end. It returns how many milliseconds to wait
// for the next, 0 if there is none.
func (v *state) Tick() int {
	name := v.playing
	in := v.fitted(name)
	if name == "" || in == nil {
		return 0
	}
	v.Step(name, "next")
	if s := v.stepper(v.fitted(name)); s.At < s.Last {
		v.playing = name
	}
	return v.StepDelay()
}

// StepDelay is how many milliseconds playing rests on a step, 0 while nothing plays.
func (v *state) StepDelay() int {
	in := v.fitted(v.playing)
	if v.playing == "" || in == nil || in.Absent {
		return 0
	}
	return in.Pace
}

// strip is figure i at the values that the stepper's author chose for paper and for pages without scripts: what
// readers see there of the course of things. It is empty once scripts run, and where the stepper moves nothing in the
// figure.
func (v *View) strip(i int) *Node {
	at := slices.IndexFunc(v.Sheet.Inputs, func(in *input.Input) bool { return len(v.fitted(in.Name).Strip) > 0 })
	if at < 0 {
		return nil
	}
	box := el("div", class("strip"))
	if !v.still {
		return box
	}
	own := v.drawFigure(i)
	if own.err != nil {
		return box
	}
	in, now, moved := v.fitted(v.Sheet.Inputs[at].Name), HTML(own.drawing.Root), false
	for _, x := range in.Strip {
		args, err := v.Sheet.Eval(v.State.With(in.Name, x)).FigureArgs(i)
		if err != nil {
			continue
		}
		if d, err := v.drawer(v.phrases(), v.Sheet.Figures[i].Figure.Name, args); err == nil {
			moved = moved || HTML(d.Root) != now
			box.Add(el("div", el("p", class("note"), v.called(in.Name)+": "+x.String()), picture(d)))
		}
	}
	if !moved {
		box.Kids = nil
	}
	return box
}
