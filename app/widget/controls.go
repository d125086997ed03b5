package widget

import (
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// A control is how an input of one form stands in the page, and how it takes what a reader does to it. A new one is a
// type that implements it, with unadorned in it for what it does as others do, and its line in controlOf.
type control interface {
	node(v *View, in *input.Input) *Node                         // the whole of it, with label and note
	holds(v *View, in *input.Input) []Control                    // its elements that hold something, and what
	take(v *View, in *input.Input, text string)                  // what a reader did to it while there was no program
	slide(v *View, in *input.Input, position int)                // its slider is moved
	pull(v *View, in *input.Input, p Pull, x float64)            // a pointer in a drawing pulls it to x
	remark(v *View, in *input.Input, was string) []*Node         // what there is to say of a changed value
	shows(v *View, in *input.Input, x value.Value) (name string) // a value as it shows it
	abridged(in *input.Input) bool                               // whether a printed page lacks some of its choices
}

func controlOf(in *input.Input) control {
	switch in.Form() {
	case input.SwitchForm:
		return switchControl{}
	case input.MenuForm:
		if in.Open() {
			return openControl{}
		}
		return menuControl{}
	case input.SeveralForm:
		return severalControl{}
	case input.StepForm:
		return stepControl{}
	case input.TextForm:
		return textControl{}
	case input.DocumentForm:
		return documentControl{}
	}
	return numberControl{}
}

// input is one input: its label, its control, and what there is to say about it.
func (v *View) input(in *input.Input) *Node {
	if in.Absent {
		return absent()
	}
	return controlOf(in).node(v, in)
}

// inputBox is a labelled control of this kind in its place, with what stands below it.
func (v *state) inputBox(in *input.Input, kind string, below *Node, control ...*Node) *Node {
	box := "input input-" + kind
	if v.Changed(in.Name) {
		box += " changed"
	}
	if in.Default.Kind == value.Text && len(in.Default.Text) > longText || slices.ContainsFunc(in.Menu, isLong) {
		box += " input-wide"
	}
	return el("div", class(box), v.label(in), control, below)
}

// controls are fields side by side.
func controls(fields ...*Node) *Node { return el("div", class("control"), fields) }

// unadorned is what controls do unless they say otherwise.
type unadorned struct{}

func (unadorned) holds(v *View, in *input.Input) []Control {
	return []Control{{ID: v.id(in.Name), Value: v.Text(in)}}
}

func (unadorned) take(v *View, in *input.Input, text string) { _ = v.Set(in.Name, text) }

func (unadorned) slide(*View, *input.Input, int) {}

func (unadorned) pull(*View, *input.Input, Pull, float64) {}

func (unadorned) remark(v *View, in *input.Input, was string) (nodes []*Node) {
	if echo := v.echo(in); echo != "" {
		nodes = append(nodes, el("span", class("echo"), "= "+echo+" · "))
	}
	return append(nodes, el("span", class("was"), v.say("widget.was", "value", was)+" "))
}

func (unadorned) shows(_ *View, in *input.Input, x value.Value) string { return fieldText(in, x) }

func (unadorned) abridged(*input.Input) bool { return false }

// common is what every control of an input has.
func (v *state) common(in *input.Input) []any {
	parts := []any{attr("id", v.id(in.Name)), attr("name", in.Name), attr("aria-describedby", v.id(in.Name, "note"))}
	if v.fault(in.Name) != "" || v.Result.Misread(in.Name) != nil {
		parts = append(parts, attr("aria-invalid", "true"))
	}
	return parts
}

// sliderAt is where the sliders of an input stand.
func (v *evaluated) sliderAt(in *input.Input) string {
	return strconv.Itoa(scaleOf(in).Position(v.Value(in).Num.Value))
}

// numberControl is a text field, and for a ranged input a slider: one control with two handles. The keyboard stops at
// the field, where the arrow keys do what they do on the slider.
type numberControl struct{ unadorned }

func (numberControl) node(v *View, in *input.Input) *Node {
	kind := "number"
	parts := append([]any{attr("type", "text"), class("field")}, v.common(in)...)
	parts = append(parts, attr("inputmode", "decimal"), attr("autocomplete", "off"), attr("autocapitalize", "off"),
		attr("spellcheck", "false"), attr("size", "9"), attr("value", v.Text(in)),
		on("input", DoInput, in.Name), on("keydown", DoKey, in.Name))
	nodes := []*Node{el("input", parts...)}
	if unit := counted(in); unit != "" {
		nodes = append(nodes, el("span", class("unit"), unit))
	}
	if in.Ranged {
		kind += " input-ranged"
		slider := v.sliderOf(in, "slider", v.id(in.Name, "slider"), v.called(in.Name))
		slider.Attrs = append(slider.Attrs, Attr{Name: "tabindex", Value: "-1"})
		nodes = append(nodes, slider)
	}
	return v.inputBox(in, kind, v.note(in), controls(nodes...))
}

func (c numberControl) holds(v *View, in *input.Input) []Control {
	cs := c.unadorned.holds(v, in)
	if in.Ranged {
		cs = append(cs, Control{ID: v.id(in.Name, "slider"), Value: v.sliderAt(in)})
	}
	return cs
}

func (numberControl) slide(v *View, in *input.Input, position int) {
	x := in.Default.Num
	x.Value = scaleOf(in).Value(position)
	v.Set(in.Name, numberText(x, in.Unit))
}

func (c numberControl) pull(v *View, in *input.Input, p Pull, x float64) {
	v.Slide(in.Name, scaleOf(in).Position(x))
}

func (v *evaluated) sliderOf(in *input.Input, kind, id, label string) *Node {
	return el("input", attr("type", "range"), class(kind), attr("id", id), attr("aria-label", label), attr("min", "0"),
		attr("max", strconv.Itoa(sliderSteps)), attr("step", "1"), attr("value", v.sliderAt(in)),
		attr("aria-valuetext", v.Value(in).String()), attr("autocomplete", "off"),
		on("input", DoSlide, in.Name), on("keydown", DoKey, in.Name))
}

type textControl struct{ unadorned }

func (textControl) node(v *View, in *input.Input) *Node {
	n := v.inputBox(in, "text", v.note(in), controls(v.textField(in)))
	if caret := v.caret(in); caret != nil {
		last := len(n.Kids) - 1
		n.Kids = append(n.Kids[:last:last], caret, n.Kids[last])
	}
	return n
}

func (v *state) textField(in *input.Input) *Node {
	parts := append([]any{attr("type", "text"), class("field field-text")}, v.common(in)...)
	parts = append(parts, attr("autocomplete", "off"), attr("spellcheck", "false"), attr("value", v.Text(in)),
		on("input", DoInput, in.Name))
	return el("input", parts...)
}

// openControl is a field for an entry that the reader writes, and the usual ones to choose from.
type openControl struct{ unadorned }

func (openControl) node(v *View, in *input.Input) *Node {
	id := v.id(in.Name, "usual")
	field := v.textField(in)
	field.Add(attr("list", id))
	list := el("datalist", attr("id", id))
	for _, o := range in.Menu {
		list.Add(el("option", attr("value", o.ID)))
	}
	return v.inputBox(in, "text", v.note(in), controls(field, list))
}

func (openControl) abridged(in *input.Input) bool { return len(in.Menu) > longMenu }

type switchControl struct{ unadorned }

func (switchControl) node(v *View, in *input.Input) *Node {
	parts := append([]any{attr("type", "checkbox"), class("switch")}, v.common(in)...)
	now := v.Value(in)
	return v.inputBox(in, "switch", v.note(in), controls(
		el("input", append(parts, bare("checked", now.Bool), on("change", DoInput, in.Name))...),
		el("span", class("unit"), now.In(v.phrases()))))
}

func (switchControl) holds(v *View, in *input.Input) []Control { return menuControl{}.holds(v, in) }

func (switchControl) shows(v *View, in *input.Input, x value.Value) string {
	return menuControl{}.shows(v, in, x)
}

// longText is from how many letters of its first text on a field takes a line of its own.
const longText = 24

// word is what a reader calls a choice.
func (v *evaluated) word(o *input.Option) string {
	if r := o.Value.Record; r != nil && r.Name == o.Name {
		return o.Value.In(v.phrases())
	}
	return v.phrases().Word(o.Name)
}

// isLong says whether a field of the usual width cuts the name of a choice off: a plan, not a chip.
func isLong(o input.Option) bool { return len(o.Name) > 40 }

// longMenu is the number of choices from which on a page that no script has touched carries only the one that is
// chosen. Such a menu has a fixed width, so that nothing moves when the others arrive.
const longMenu = 12

type menuControl struct{ unadorned }

func (menuControl) node(v *View, in *input.Input) *Node {
	box := "field field-menu"
	long := len(in.Menu) > longMenu
	if long {
		box += " field-long"
	}
	parts := append([]any{class(box)}, v.common(in)...)
	menu := el("select", append(parts, attr("autocomplete", "off"), on("change", DoInput, in.Name))...)
	now := fieldText(in, v.Value(in))
	only := v.static && long
	options := in.Menu
	if o := in.Option(now); o != nil && !slices.ContainsFunc(options,
		func(x input.Option) bool { return x.ID == o.ID }) {
		options = append(options[:len(options):len(options)], *o) // of a long list, behind those that the menu shows
	}
	addOptions(v.phrases(), menu, options, func(o *input.Option) *Node {
		if only && o.ID != now {
			return nil
		}
		return el("option", attr("value", o.ID), bare("selected", o.ID == now), v.word(o))
	})
	return v.inputBox(in, "menu", v.note(in), controls(menu))
}

func (menuControl) holds(v *View, in *input.Input) []Control {
	return []Control{{ID: v.id(in.Name), Value: fieldText(in, v.Value(in))}}
}

// pull chooses the entry that is nearest.
func (menuControl) pull(v *View, in *input.Input, p Pull, x float64) {
	var best *input.Option
	for i := range in.Menu {
		if o := &in.Menu[i]; best == nil || p.apart(o.Value.Num.Value, x) < p.apart(best.Value.Num.Value, x) {
			best = o
		}
	}
	if best != nil {
		v.Set(in.Name, best.ID)
	}
}

func (menuControl) shows(v *View, in *input.Input, x value.Value) string {
	id := fieldText(in, x)
	for _, o := range in.Menu {
		if o.ID == id {
			return v.word(&o)
		}
	}
	return id
}

func (menuControl) abridged(in *input.Input) bool { return len(in.Menu) > longMenu }

// addOptions puts the options of a menu into it, those with a heading in a group of their own. option is nil for those
// that are left out.
func addOptions(l phrase.Phrases, menu *Node, options []input.Option, option func(*input.Option) *Node) {
	group, heading := menu, ""
	for i := range options {
		n := option(&options[i])
		if n == nil {
			continue
		}
		if above := options[i].Group; above != heading {
			group, heading = menu, above
			if heading != "" {
				group = el("optgroup", attr("label", l.Word(heading)))
				menu.Add(group)
			}
		}
		group.Add(n)
	}
}

// Several is a menu, which stays where it is while one thing after the other is chosen, and what has been chosen,
// each with a way out.
type Several struct {
	ID, Name, Label string
	Chosen          []string // ids
	Options         []input.Option
	Most            int  // 0 for any number
	Static          bool // for a page before its scripts
	Phrases         phrase.Phrases
}

// nothingChosen is the value of the menu of a Several while nothing is chosen in it.
const nothingChosen = "+"

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
		el("option", attr("value", nothingChosen), first))
	if !s.Static {
		// what has been chosen can't be chosen again
		addOptions(s.Phrases, menu, s.Options, func(o *input.Option) *Node {
			return el("option", attr("value", o.ID), bare("disabled", slices.Contains(s.Chosen, o.ID)),
				s.Phrases.Word(o.Name))
		})
	}
	return el("div", class("control"), menu, pills)
}

// pill is one thing that has been chosen.
func (s Several) pill(id string) *Node {
	name := id
	if i := slices.IndexFunc(s.Options, func(o input.Option) bool { return o.ID == id }); i >= 0 {
		name = s.Phrases.Word(s.Options[i].Name)
	}
	return el("li", el("span", name), el("button", attr("type", "button"), class("drop"),
		attr("aria-label", s.Phrases.Say("widget.several-drop", "name", name)),
		on("click", DoDrop, s.Name+" "+id), "×"))
}

// severalControl is a Several.
type severalControl struct{ unadorned }

func (severalControl) node(v *View, in *input.Input) *Node {
	return v.inputBox(in, "many", v.note(in), Several{ID: v.id(in.Name), Name: in.Name, Label: v.called(in.Name),
		Chosen: v.chosen(in), Options: in.Menu, Most: in.Most, Static: v.static, Phrases: v.phrases()}.Control())
}

func (severalControl) holds(v *View, in *input.Input) []Control {
	return []Control{{ID: v.id(in.Name), Value: nothingChosen}}
}

// take adds to what has been chosen.
func (severalControl) take(v *View, in *input.Input, text string) { v.Add(in.Name, text) }

func (severalControl) shows(_ *View, _ *input.Input, x value.Value) string { return x.String() }

func (severalControl) abridged(*input.Input) bool { return true }

// chosen are the ids of what has been chosen.
func (v *evaluated) chosen(in *input.Input) []string {
	if text := fieldText(in, v.Value(in)); text != "" {
		return strings.Split(text, ",")
	}
	return nil
}

// Add is the reader choosing one more of several.
func (v *state) Add(name, id string) {
	if in := v.fitted(name); in != nil && in.Form() == input.SeveralForm && id != nothingChosen {
		_ = v.Set(name, strings.Join(append(v.chosen(in), id), ",")) // what is wrong stands beside the control
	}
}

// Drop is the reader taking one out: "name id".
func (v *state) Drop(what string) {
	name, id, _ := strings.Cut(what, " ")
	if in := v.fitted(name); in != nil && in.Form() == input.SeveralForm {
		rest := slices.DeleteFunc(v.chosen(in), func(x string) bool { return x == id })
		_ = v.Set(name, strings.Join(rest, ","))
	}
}

// Control is a form control of a view and what it should hold now. The controls are set apart from the rest of the
// tree, because a reader changes them too.
type Control struct {
	ID    string
	Value string // as Set takes it: a checkbox has on or off
}

// Controls are all controls that stand in the view now.
func (v *View) Controls() []Control {
	var cs []Control
	for _, own := range v.Sheet.Inputs {
		if in := v.fitted(own.Name); !in.Absent {
			cs = append(cs, controlOf(in).holds(v, in)...)
			cs = append(cs, v.constantControls(in)...)
		}
	}
	for _, a := range v.Sheet.Asks {
		if v.Veiled(a.Name) {
			id := v.id(a.Name, "guess")
			cs = append(cs, Control{ID: id, Value: v.fields[id]})
		}
	}
	for i := range v.Sheet.Tables {
		cs = append(cs, v.listControls(i)...)
	}
	for i := range v.Sheet.Plots {
		if d := v.plots[i]; d != nil && d.err == nil && d.rev == v.rev {
			id := v.id("plot", strconv.Itoa(i+1))
			cs = append(cs, Control{ID: v.CursorID(i), Value: strconv.Itoa(d.now)})
			if v.Estimates(i) {
				cs = append(cs, v.handleControls(i, d, id)...)
			}
			if in := v.dragged(i); in != nil {
				cs = append(cs, Control{ID: markerID(id), Value: v.sliderAt(in)})
			}
		}
	}
	return append(cs, v.goalControls()...)
}

func (v *View) goalControls() []Control {
	var cs []Control
	for _, row := range append(v.rows(), v.hiddenRows()...) {
		name := row.Def.Name
		key := moreKey(name)
		if g := v.goals[name]; g != nil && v.open[rowKey(name)] && v.open[key] {
			id := v.id(name, "goal")
			cs = append(cs, Control{ID: id, Value: v.fields[id]}, Control{ID: id + "-input", Value: g.input})
		}
	}
	return cs
}

// Slide is the reader moving an input's slider to a position.
func (v *View) Slide(name string, position int) {
	if in := v.fitted(name); in != nil && in.Ranged {
		controlOf(in).slide(v, in, position)
	}
}

// Nudge is the reader pressing an arrow key in an input's field or slider: one round number up (1) or down (-1), or a
// big step. It says whether the input has anything to nudge.
func (v *View) Nudge(name string, direction int, big bool) bool {
	in := v.fitted(name)
	if in == nil || !in.Ranged || in.Form() != input.NumberForm {
		return false
	}
	v.Slide(name, scaleOf(in).Next(v.Value(in).Num.Value, direction, big))
	return true
}

// Shown is a row's value as it stands in the page.
type Shown struct {
	Name, Text, Data string // Data is for programs
	Veiled           bool
}

// Shown is a row or an input as the page shows it, for a number in prose; it has no name if there is none.
func (v *built) Shown(name string) (s Shown) {
	row := v.row(name)
	if row == nil {
		return s
	}
	s = Shown{Name: name, Text: inSentence(v.Sheet, row), Veiled: slices.ContainsFunc(v.shows(name), v.Veiled)}
	if row.Err == nil {
		s.Data = dataValue(row.Value)
	}
	return s
}

// PlotIndex is the plot that a part's key names, or -1.
func PlotIndex(key string) int {
	kind, i, _ := strings.Cut(key, ":")
	if kind != "plot" {
		return -1
	}
	return index(i)
}

// PositionAt is the position of plot i's reading line for a place in the drawing, in its own coordinates: an x, or a y
// if the plot is upright.
func (v *built) PositionAt(i int, place float64) int { return v.draw(i).positionAt(place) }

// index is the number in s, or -1.
func index(s string) int {
	i, err := strconv.Atoi(s)
	if err != nil {
		return -1
	}
	return i
}
