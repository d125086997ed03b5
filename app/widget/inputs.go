package widget

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/sheet/value"
)

func (v *evaluated) label(in *input.Input) *Node {
	label := v.called(in.Name)
	if strings.EqualFold(label, in.Name) {
		return el("label", attr("for", v.id(in.Name)), el("span", class("label-text"), label))
	}
	symbol := raw(`<span class="symbol"><math>` + symbolML(in.Name) + `</math></span>`)
	return el("label", attr("for", v.id(in.Name)), el("span", class("label-text"), label), " ", symbol)
}

// fault is why an input doesn't have what stands in its field: it can't be taken, or doesn't fit any more.
func (v *state) fault(name string) string {
	if e := v.errs[name]; e != "" {
		return e
	}
	if err := v.Result.Misfit(name); err != nil {
		return v.errorText(err)
	}
	return ""
}

// note is the line below a control: why a text was refused, what it was understood as, and the way back.
func (v *View) note(in *input.Input) *Node {
	n := el("p", class("note"), attr("id", v.id(in.Name, "note")), attr("translate", "no"))
	if !v.Changed(in.Name) {
		return n
	}
	was := v.startName(in)
	if was == "" {
		was = v.say("widget.empty")
	}
	if e := v.fault(in.Name); e != "" {
		n.Add(refusal(e, v.keptText(in)))
	} else if err := v.Result.Misread(in.Name); err != nil {
		n.Add(refusal(v.errorText(err), ""))
	} else {
		n.Add(controlOf(in).remark(v, in, was))
	}
	n.Add(v.undoButton(in.Name, v.called(in.Name), was))
	return n
}

// undoButton puts what a reader changed back to what it was.
func (v *evaluated) undoButton(name, label, was string) *Node {
	return el("button", attr("type", "button"), class("undo"), on("click", DoUndo, name),
		attr("aria-label", v.say("widget.undo-long", "label", label, "was", was)), v.say("widget.undo"))
}

// refusal says why a text was refused, and what holds instead.
func refusal(why, kept string) []*Node {
	return []*Node{el("span", class("error"), spoken(sentence(why))), el("span", class("kept"), " "+kept+" ")}
}

// caret points at the place of a text that was refused, if the reason begins with it: "column 14: ...".
func (v *state) caret(in *input.Input) *Node {
	place, ok := strings.CutPrefix(v.errs[in.Name], "column ")
	number, _, _ := strings.Cut(place, ":")
	column := index(number)
	line := []rune(strings.ReplaceAll(v.Text(in), "\t", " "))
	if !ok || column < 1 || column > len(line)+1 {
		return nil
	}
	from := max(0, column-1-caretContext)
	to := min(len(line), from+2*caretContext)
	return el("pre", class("caret"), attr("aria-hidden", "true"),
		string(line[from:to])+"\n"+strings.Repeat(" ", column-1-from)+"^")
}

// caretContext is how many characters are shown before a fault, and half of how many at all.
const caretContext = 34

// keptText says whether an input still has its last good value, or has another one meanwhile.
func (v *View) keptText(in *input.Input) string {
	value := controlOf(in).shows(v, in, v.Value(in))
	if v.errs[in.Name] != "" {
		return v.say("widget.still", "value", value)
	}
	return v.say("widget.now", "value", value)
}

// echo is what a typed number was understood as, where that isn't plain from the text.
func (v *state) echo(in *input.Input) string {
	x := v.Value(in)
	if x.Kind != value.Number {
		return ""
	}
	s := x.String()
	if t := v.Text(in); t == s || t == fieldText(in, x) || t == v.startText(in) {
		return ""
	}
	return s
}

// sliderSteps is how many positions a slider has, from 0 on: fine enough for the hand, coarse enough for the keyboard.
const sliderSteps = 1000

// scale maps a slider's positions to values of a ranged number input, all in base units.
type scale struct {
	min, max, step float64
	log            bool
	unit           float64 // values are rounded to two digits in this unit
}

func scaleOf(in *input.Input) scale {
	unit := in.Unit.Value
	if unit <= 0 {
		unit = 1
	}
	return scale{in.Min, in.Max, in.Step, in.Log && in.Min > 0, unit}
}

// Position is where on the slider x lies: 0..sliderSteps.
func (s scale) Position(x float64) int {
	f := 0.0
	switch {
	case s.max <= s.min:
	case s.log:
		f = math.Log(x/s.min) / math.Log(s.max/s.min)
	default:
		f = (x - s.min) / (s.max - s.min)
	}
	if !(f > 0) {
		return 0
	}
	return int(math.Round(math.Min(f, 1) * sliderSteps))
}

// Value is what a position means: a round number, a power of two where one is near, and always within the range.
func (s scale) Value(position int) float64 {
	if position <= 0 || s.max <= s.min {
		return s.min
	}
	if position >= sliderSteps {
		return s.max
	}
	f := float64(position) / sliderSteps
	x := s.min + f*(s.max-s.min)
	if s.log {
		x = s.min * math.Pow(s.max/s.min, f)
	}
	return math.Min(s.max, math.Max(s.min, s.snap(x)))
}

// snap rounds x to what a person would have typed, on the input's grid.
func (s scale) snap(x float64) float64 {
	u := x / s.unit
	if !s.log {
		grid := math.Pow(10, math.Floor(math.Log10((s.max-s.min)/s.unit/100)))
		return s.onGrid(math.Round(u/grid) * grid * s.unit)
	}
	best := s.onGrid(round(u, 2) * s.unit)
	if u < 1 {
		return best
	}
	low := math.Pow(2, math.Floor(math.Log2(u)))
	for _, p := range []float64{low, 2 * low} {
		if p *= s.unit; s.onGrid(p) == p && math.Abs(x-p) < math.Abs(x-best) {
			best = p
		}
	}
	return best
}

// onGrid is the value of the input's grid that is nearest to x.
func (s scale) onGrid(x float64) float64 {
	if s.step <= 0 {
		return x
	}
	return s.min + math.Round((x-s.min)/s.step)*s.step
}

// round is x to the given number of significant decimal digits.
func round(x float64, digits int) float64 {
	if x == 0 || math.IsInf(x, 0) || math.IsNaN(x) {
		return x
	}
	exp := digits - 1 - int(math.Floor(math.Log10(math.Abs(x))))
	if exp < 0 {
		p := math.Pow(10, float64(-exp))
		return math.Round(x/p) * p
	}
	p := math.Pow(10, float64(exp))
	return math.Round(x*p) / p
}

// Next is the position that a key press leads to from the value x: the nearest in that direction that means a value
// beyond x. Big presses go a factor of two on a log scale, a tenth of the range on a linear one.
func (s scale) Next(x float64, direction int, big bool) int {
	position := s.Position(x)
	if big {
		jump := sliderSteps / 10
		if s.log && s.max > s.min {
			jump = int(math.Ceil(math.Ln2 / math.Log(s.max/s.min) * sliderSteps))
		}
		return min(sliderSteps, max(0, position+direction*jump))
	}
	for p := position; direction != 0 && p >= 0 && p <= sliderSteps; p += direction {
		if float64(direction)*(s.Value(p)-x) > 0 {
			return p
		}
	}
	return position
}

// Pull is what a pointer takes hold of in a drawing, as the attribute data-pull of an element says: the input that it
// sets, the axis along which it moves, how values lie between places, and pairs of a place and a value there, as in
// "B x log 40 1 340 1024". Keyboards have the input's own control.
type Pull struct {
	Input   string
	Upright bool
	log     bool
	pairs   []float64
}

// ParsePull reads the attribute; what can't be read is the zero Pull.
func ParsePull(s string) Pull {
	words := strings.Fields(s)
	if len(words) < 7 || len(words)%2 == 0 {
		return Pull{}
	}
	p := Pull{Input: words[0], Upright: words[1] == "y", log: words[2] == "log"}
	for _, w := range words[3:] {
		x, err := strconv.ParseFloat(w, 64)
		if err != nil {
			return Pull{}
		}
		p.pairs = append(p.pairs, x)
	}
	return p
}

// Value is the input's value where the pointer is. Beyond the outermost places it goes on as between the last two.
func (p Pull) Value(at float64) float64 {
	i, n := 0, len(p.pairs)
	for i+4 < n && (at-p.pairs[i+2])*(p.pairs[n-2]-p.pairs[0]) > 0 {
		i += 2
	}
	a, b, x, y := p.pairs[i], p.pairs[i+2], p.pairs[i+1], p.pairs[i+3]
	if a == b {
		return x
	}
	f := (at - a) / (b - a)
	if p.log {
		return x * math.Pow(y/x, f)
	}
	return x + f*(y-x)
}

// Pull sets the input to where the pointer is: to a round number of its range, or to the nearest number of its menu.
func (v *View) Pull(p Pull, at float64) {
	in := v.fitted(p.Input)
	if in == nil || in.Absent || len(p.pairs) == 0 {
		return
	}
	controlOf(in).pull(v, in, p, p.Value(at))
}

func (p Pull) apart(a, b float64) float64 {
	if p.log && a > 0 && b > 0 {
		return math.Abs(math.Log(a / b))
	}
	return math.Abs(a - b)
}

// InText is an input within a sentence: a field that a reader types into or drags, and the same as a number for paper
// and for pages without scripts. It can be used once a script answers for it: see [Printed].
func InText(s *sheet.Sheet, name string) string {
	v := New(s)
	in := v.fitted(name)
	text := v.Text(in)
	n := el("span", class("in-text"), maybe("data-unit", counted(in)),
		el("input", disabled, attr("type", "text"), attr("name", name), attr("data-sheet", s.ID),
			attr("aria-label", v.called(name)), attr("aria-describedby", v.id(name, "note")),
			bare("data-ranged", in.Ranged), attr("inputmode", "decimal"), attr("autocomplete", "off"),
			attr("autocapitalize", "off"), attr("spellcheck", "false"), attr("size", InTextSize(text)),
			attr("value", text)),
		raw(Unveiled(s, v.Result, name)))
	return HTML(n)
}

// InTextSize is how many letters wide a field within a sentence is, where it can't follow its text by itself.
func InTextSize(text string) string { return strconv.Itoa(max(1, utf8.RuneCountInString(text))) }

// InText is what a field within a sentence holds now, and why its text was refused.
func (v *state) InText(name string) (text, fault string) {
	in := v.fitted(name)
	if in == nil {
		return "", ""
	}
	return v.Text(in), v.fault(name)
}

// SliderAt is where on its slider an input stands.
func (v *evaluated) SliderAt(name string) int {
	return scaleOf(v.fitted(name)).Position(v.Value(v.fitted(name)).Num.Value)
}

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
	if !v.static {
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
