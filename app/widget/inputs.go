package widget

import (
	"slices"
	"strconv"
	"strings"

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
	word := "off"
	if now.Bool {
		word = "on"
	}
	return []*Node{
		el("input", append(parts, bare("checked", now.Bool), on("change", DoInput, in.Name))...),
		el("span", class("unit"), word)}
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
