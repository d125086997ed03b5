package widget

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// input is one input: its label, its control, and what there is to say about it.
func (v *View) input(in *input.Input) *Node {
	if in.Absent {
		return absent()
	}
	if in.Form() == input.DocumentForm {
		return v.documentInput(in)
	}
	kind, control := v.formOf(in)
	box := "input input-" + kind
	if in.Ranged && kind == "number" {
		box += " input-ranged"
	}
	if v.Changed(in.Name) {
		box += " changed"
	}
	if in.Default.Kind == value.Text && len(in.Default.Text) > longText || slices.ContainsFunc(in.Menu, isLong) {
		box += " input-wide"
	}
	n := el("div", class(box), v.label(in), control, v.caret(in), v.note(in))
	if in.Form() == input.StepForm {
		n.Kids = append(
			n.Kids[:2],
			el("p", class("note"), attr("id", v.id(in.Name, "note")), attr("translate", "no"), v.stepText(in)),
		)
	}
	return n
}

// formOf is the control of an input, and the name of its kind.
func (v *View) formOf(in *input.Input) (kind string, control []*Node) {
	var fields []*Node
	switch in.Form() {
	case input.SeveralForm:
		return "many", []*Node{v.severalControl(in)}
	case input.StepForm:
		return "step", []*Node{v.stepControl(in)}
	case input.SwitchForm:
		kind, fields = "switch", v.switchControl(in)
	case input.MenuForm:
		kind, fields = "menu", v.menuControl(in)
		if in.Open() {
			kind, fields = "text", v.openControl(in)
		}
	case input.TextForm:
		kind, fields = "text", v.textControl(in)
	default:
		kind, fields = "number", v.numberControl(in)
	}
	return kind, []*Node{el("div", class("control"), fields)}
}

func (v *View) label(in *input.Input) *Node {
	label := v.called(in.Name)
	if strings.EqualFold(label, in.Name) {
		return el("label", attr("for", v.id(in.Name)), el("span", class("label-text"), label))
	}
	symbol := raw(`<span class="symbol"><math>` + symbolML(in.Name) + `</math></span>`)
	return el("label", attr("for", v.id(in.Name)), el("span", class("label-text"), label), symbol)
}

// common is what every control of an input has.
func (v *View) common(in *input.Input) []any {
	parts := []any{attr("id", v.id(in.Name)), attr("name", in.Name), attr("aria-describedby", v.id(in.Name, "note"))}
	if v.fault(in.Name) != "" {
		parts = append(parts, attr("aria-invalid", "true"))
	}
	return parts
}

// fault is why an input doesn't have what stands in its field: it can't be taken, or doesn't fit any more.
func (v *View) fault(name string) string {
	if e := v.errs[name]; e != "" {
		return e
	}
	if err := v.Result.Misfit(name); err != nil {
		return v.tell(err)
	}
	return ""
}

// numberControl is a text field, and for a ranged input a slider: one control with two handles.
func (v *View) numberControl(in *input.Input) []*Node {
	parts := append([]any{attr("type", "text"), class("field")}, v.common(in)...)
	parts = append(parts, attr("inputmode", "decimal"), attr("autocomplete", "off"), attr("autocapitalize", "off"),
		attr("spellcheck", "false"), attr("size", "9"), attr("value", v.Text(in)),
		on("input", DoInput, in.Name), on("keydown", DoKey, in.Name))
	nodes := []*Node{el("input", parts...)}
	if unit := counted(in); unit != "" {
		nodes = append(nodes, el("span", class("unit"), unit))
	}
	if in.Ranged {
		nodes = append(nodes, v.slider(in))
	}
	return nodes
}

func (v *View) slider(in *input.Input) *Node {
	return v.sliderOf(in, "slider", v.id(in.Name, "slider"), v.called(in.Name))
}

func (v *View) sliderOf(in *input.Input, kind, id, label string) *Node {
	return el("input", attr("type", "range"), class(kind), attr("id", id), attr("aria-label", label), attr("min", "0"),
		attr("max", strconv.Itoa(sliderSteps)), attr("step", "1"), attr("value", v.sliderAt(in)),
		attr("aria-valuetext", v.Value(in).String()), attr("autocomplete", "off"),
		on("input", DoSlide, in.Name), on("keydown", DoKey, in.Name))
}

// sliderAt is where the sliders of an input stand.
func (v *View) sliderAt(in *input.Input) string {
	return strconv.Itoa(scaleOf(in).Position(v.Value(in).Num.Value))
}

func (v *View) textControl(in *input.Input) []*Node {
	parts := append([]any{attr("type", "text"), class("field field-text")}, v.common(in)...)
	parts = append(parts, attr("autocomplete", "off"), attr("spellcheck", "false"), attr("value", v.Text(in)),
		on("input", DoInput, in.Name))
	return []*Node{el("input", parts...)}
}

// openControl is a field for an entry that the reader writes, and the usual ones to choose from.
func (v *View) openControl(in *input.Input) []*Node {
	id := v.id(in.Name, "usual")
	field := v.textControl(in)[0]
	field.Add(attr("list", id))
	list := el("datalist", attr("id", id))
	for _, o := range in.Menu {
		list.Add(el("option", attr("value", o.ID)))
	}
	return []*Node{field, list}
}

func (v *View) switchControl(in *input.Input) []*Node {
	parts := append([]any{attr("type", "checkbox"), class("switch")}, v.common(in)...)
	now := v.Value(in)
	return []*Node{
		el("input", append(parts, bare("checked", now.Bool), on("change", DoInput, in.Name))...),
		el("span", class("unit"), now.In(v.phrases()))}
}

// longText is from how many letters of its first text on a field takes a line of its own.
const longText = 24

// isLong says whether a field of the usual width cuts the name of a choice off: a plan, not a chip.
func isLong(o input.Option) bool { return len(o.Name) > 40 }

// longMenu is the number of choices from which on a page that no script has touched carries only the one that is
// chosen. Such a menu has a fixed width, so that nothing moves when the others arrive.
const longMenu = 12

func (v *View) menuControl(in *input.Input) []*Node {
	box := "field field-menu"
	long := len(in.Menu) > longMenu
	if long {
		box += " field-long"
	}
	parts := append([]any{class(box)}, v.common(in)...)
	menu := el("select", append(parts, attr("autocomplete", "off"), on("change", DoInput, in.Name))...)
	now := fieldText(in, v.Value(in))
	only := v.still && long
	options := in.Menu
	if o := in.Option(now); o != nil && !slices.ContainsFunc(options, func(x input.Option) bool { return x.ID == o.ID }) {
		options = append(options[:len(options):len(options)], *o) // of a long list, behind those that the menu shows
	}
	addOptions(menu, now, only, options, func(o *input.Option) (id, name, heading string) { return o.ID, o.Name, o.Group })
	return []*Node{menu}
}

// addOptions puts the options of a menu into it, those with a heading in a group of their own; only the one that holds
// now, if there is no script to choose another.
func addOptions[T any](menu *Node, now string, only bool, options []T, say func(*T) (id, name, heading string)) {
	group, heading := menu, ""
	for i := range options {
		id, name, above := say(&options[i])
		if only && id != now {
			continue
		}
		if above != heading || above == "" {
			group, heading = menu, above
			if heading != "" {
				group = el("optgroup", attr("label", heading))
				menu.Kids = append(menu.Kids, group)
			}
		}
		group.Kids = append(group.Kids, el("option", attr("value", id), bare("selected", id == now), name))
	}
}

// note is the line below a control: why a text was refused, what it was understood as, and the way back.
func (v *View) note(in *input.Input) *Node {
	n := el("p", class("note"), attr("id", v.id(in.Name, "note")), attr("translate", "no"))
	if !v.Changed(in.Name) {
		return n
	}
	was := v.startName(in)
	if e := v.fault(in.Name); e != "" {
		n.Kids = append(n.Kids, el("span", class("error"), spoken(sentence(e))),
			el("span", class("kept"), " "+v.keptText(in)+" "))
	} else if in.Form() == input.DocumentForm {
		n.Add(el("span", class("echo"), v.documentNote(in)))
	} else {
		if echo := v.echo(in); echo != "" {
			n.Kids = append(n.Kids, el("span", class("echo"), "= "+echo+" · "))
		}
		n.Kids = append(n.Kids, el("span", class("was"), v.say("widget.was", "value", was)+" "))
	}
	n.Kids = append(n.Kids, el("button", attr("type", "button"), class("undo"), on("click", DoUndo, in.Name),
		attr("aria-label", v.say("widget.undo-long", "label", v.called(in.Name), "was", was)), v.say("widget.undo")))
	return n
}

// caret points at the place of a text that was refused, if the reason begins with it: "column 14: ...".
func (v *View) caret(in *input.Input) *Node {
	place, ok := strings.CutPrefix(v.errs[in.Name], "column ")
	number, _, _ := strings.Cut(place, ":")
	column := index(number)
	line := []rune(strings.ReplaceAll(v.Text(in), "\t", " "))
	if !ok || in.Form() != input.TextForm || column < 1 || column > len(line)+1 {
		return nil
	}
	from := max(0, column-1-caretRoom)
	to := min(len(line), from+2*caretRoom)
	return el("pre", class("caret"), attr("aria-hidden", "true"),
		string(line[from:to])+"\n"+strings.Repeat(" ", column-1-from)+"^")
}

// caretRoom is how many characters are shown before a fault, and half of how many at all.
const caretRoom = 34

// keptText says whether an input still has its last good value, or has another one meanwhile.
func (v *View) keptText(in *input.Input) string {
	value := v.optionName(in, v.Value(in))
	if v.errs[in.Name] != "" {
		return v.say("widget.still", "value", value)
	}
	return v.say("widget.now", "value", value)
}

// echo is what a typed number was understood as, where that isn't plain from the text.
func (v *View) echo(in *input.Input) string {
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

// optionName is a value of an input as its control shows it.
func (v *View) optionName(in *input.Input, value value.Value) string {
	switch in.Form() {
	case input.SeveralForm:
		return value.String()
	case input.DocumentForm:
		return v.say("widget.document-kept")
	}
	id := fieldText(in, value)
	if in.Open() {
		return id
	}
	for _, o := range in.Menu {
		if o.ID == id {
			return o.Name
		}
	}
	return id
}

// Several is a menu, which stays where it is while one thing after the other is chosen, and what has been chosen,
// each with a way out.
type Several struct {
	ID, Name, Label string
	Chosen          []string // ids
	Options         []input.Option
	Most            int  // 0 for any number
	Still           bool // for a page before its scripts
	Phrases         phrase.Phrases
}

// nobody is the value of the menu of a Several while nothing is chosen in it.
const nobody = "+"

// Control is the menu with what has been chosen.
func (s Several) Control() *Node {
	pills := el("ul", class("pills"), attr("aria-label", s.Label))
	for _, id := range s.Chosen {
		pills.Add(s.pill(id))
	}
	full := s.Most > 0 && len(s.Chosen) >= s.Most
	first := s.Phrases.Say("widget.several-add")
	if full {
		first = s.Phrases.Say("widget.several-full", "most", s.Most)
	}
	menu := el("select", class("field field-menu field-add"), attr("id", s.ID), attr("name", s.Name),
		attr("aria-describedby", s.ID+"--note"),
		attr("autocomplete", "off"), bare("disabled", full), on("change", DoAdd, s.Name),
		el("option", attr("value", nobody), first))
	if !s.Still {
		s.others(menu)
	}
	return el("div", class("control"), menu, pills)
}

// pill is one thing that has been chosen.
func (s Several) pill(id string) *Node {
	name := id
	if i := slices.IndexFunc(s.Options, func(o input.Option) bool { return o.ID == id }); i >= 0 {
		name = s.Options[i].Name
	}
	return el("li", el("span", name), el("button", attr("type", "button"), class("drop"),
		attr("aria-label", s.Phrases.Say("widget.several-drop", "name", name)),
		on("click", DoDrop, s.Name+" "+id), "×"))
}

// others adds the options to the menu under their headings; those that have been chosen can't be chosen again.
func (s Several) others(menu *Node) {
	group, heading := menu, ""
	for _, o := range s.Options {
		if o.Group != heading {
			group, heading = menu, o.Group
			if heading != "" {
				group = el("optgroup", attr("label", heading))
				menu.Add(group)
			}
		}
		group.Add(el("option", attr("value", o.ID), bare("disabled", slices.Contains(s.Chosen, o.ID)), o.Name))
	}
}

// severalControl is the control of an input with several choices.
func (v *View) severalControl(in *input.Input) *Node {
	return Several{ID: v.id(in.Name), Name: in.Name, Label: v.called(in.Name), Chosen: v.chosen(in), Options: in.Menu,
		Most: in.Most, Still: v.still, Phrases: v.phrases()}.Control()
}

// chosen are the ids of what has been chosen.
func (v *View) chosen(in *input.Input) []string {
	if text := fieldText(in, v.Value(in)); text != "" {
		return strings.Split(text, ",")
	}
	return nil
}

// Add is the reader choosing one more of several.
func (v *View) Add(name, id string) {
	if in := v.fitted(name); in != nil && in.Form() == input.SeveralForm && id != nobody {
		_ = v.Set(name, strings.Join(append(v.chosen(in), id), ",")) // what is wrong stands beside the control
	}
}

// Drop is the reader taking one out: "name id".
func (v *View) Drop(what string) {
	name, id, _ := strings.Cut(what, " ")
	if in := v.fitted(name); in != nil && in.Form() == input.SeveralForm {
		rest := slices.DeleteFunc(v.chosen(in), func(x string) bool { return x == id })
		_ = v.Set(name, strings.Join(rest, ","))
	}
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
