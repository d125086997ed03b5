package instrument

import (
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet"
)

// State is what the reader has set. Everything it says holds: a text that can't be read leaves the last good value. A
// name that there is no control of is the zero value. It must not be kept beyond the call it was given to, and what is
// built from it.
type State struct{ v *View }

// Quantity is the value of a Number or Step.
func (s *State) Quantity(name string) quantity.Quantity {
	if in := s.v.Sheet.Input(name); in != nil {
		return s.v.Value(in).Num
	}
	return quantity.Quantity{}
}

// Number is the value of a Number or Step in base units.
func (s *State) Number(name string) float64 { return s.Quantity(name).Value }

// Int is Number, for whole numbers.
func (s *State) Int(name string) int { return int(s.Number(name)) }

// On says whether a Switch is on.
func (s *State) On(name string) bool {
	in := s.v.Sheet.Input(name)
	return in != nil && s.v.Value(in).Bool
}

// Text is the id that a Menu is set to, or the text of a Text or Document.
func (s *State) Text(name string) string {
	c := s.v.find(name)
	if c != nil && c.own() {
		return s.v.ownText(c)
	}
	if in := s.v.Sheet.Input(name); in != nil && s.v.Value(in).Kind == sheet.Text {
		return s.v.Value(in).Text
	}
	return ""
}

// List are the ids that a Many is set to.
func (s *State) List(name string) []string { return list(s.Text(name)) }

// Heading is a heading within the instrument, one level below its title.
func (s *State) Heading(text string) *Node {
	if s.v.TitleTag() == "h2" {
		return El("h3", text)
	}
	return El("h4", text)
}

// Preset says whether the author of the place has set a control: a Fit should leave its default alone then, as far as that
// still can be.
func (s *State) Preset(name string) bool {
	_, ok := s.v.of.setting(name)
	return ok
}

// Changed says whether the reader has changed a control, be it only to a text that can't be read.
func (s *State) Changed(name string) bool { return s.v.Changed(name) }

// Named says whether a Cell has been named: by a reader, an author, or a field that was shown. Only then has it a value.
func (s *State) Named(name string) bool { return s.v.Sheet.Input(name) != nil }

// Edited are the names of the Cells that have been changed, in order.
func (s *State) Edited() []string {
	var names []string
	for _, c := range s.v.cells {
		if s.v.View.Changed(c.Name) {
			names = append(names, c.Name)
		}
	}
	slices.Sort(names)
	return names
}

// Refused is why what the reader wrote for a control was refused, "" if it wasn't.
func (s *State) Refused(name string) string {
	if why := s.v.wrong[name]; why != "" {
		return why
	}
	return s.v.View.Refused(name)
}

// Still says that this is for a page before its scripts: closed folds may be left empty there, to keep the page light.
func (s *State) Still() bool { return s.v.IsStill() }

// ID is an id for an element, unlike all others of the page. Give no element another.
func (s *State) ID(name string) string {
	if s.v.strip != "" {
		name += "--" + s.v.strip
	}
	return s.v.View.ID("view", name)
}

// uses is what a part depends on: the texts of the controls that it names.
func (v *View) uses(names string) string {
	var b strings.Builder
	add := func(name string) {
		text := v.text(name)
		if c := v.find(name); c != nil && c.Kind == Document { // it may be long, and this is asked often
			text = strconv.Itoa(v.editions[name])
		}
		b.WriteString(name + "=" + text + "\x00" + v.wrong[name] + v.Refused(name) + "\x00")
	}
	for _, name := range strings.Fields(names) {
		prefix, family := strings.CutSuffix(name, "*")
		if !family {
			add(name)
			continue
		}
		for _, c := range v.cells {
			if strings.HasPrefix(c.Name, prefix) {
				add(c.Name)
			}
		}
	}
	return b.String()
}
