package instrument

import "github.com/scalebook/scalebook/app/widget"

// DoChoose is the Do of a widget.Act: the reader chose in a Chooser. On is its act.
const DoChoose = "choose"

// Chooser is a menu that is no control: what it shows follows from the state, and what the reader chooses goes to the
// instrument's Act, as the act with the id of the choice behind a space. Two ways to set one thing stay in step so, as a
// text and the menus that write it. now is the id of the choice that holds; says is the label for those who don't see
// what stands around it.
func (s *State) Chooser(key, label, says, act, now string, options []Option) *Node {
	id := s.ID("choose-" + key)
	if s.v.choosers == nil {
		s.v.choosers = map[string]string{}
	}
	s.v.choosers[id] = now
	menu := El("select", Class("field field-menu"), At("id", id), At("aria-label", says), At("autocomplete", "off"), widget.On("change", DoChoose, act))
	widget.AddOptions(menu, now, s.Still(), options, func(o *Option) (id, name, heading string) { return o.ID, o.Name, o.Group })
	return El("div", Class("chooser"), El("label", At("for", id), label), menu)
}

// Choose is the reader choosing in a Chooser.
func (v *View) Choose(act, id string) { v.Act(act + " " + id) }

// Typed is what the reader wrote for a control, be it refused.
func (s *State) Typed(name string) string { return s.v.text(name) }

// Work does a piece of the instrument's Work, and says whether there was one to do.
func (v *View) Work() (did bool) {
	f := v.of.Instrument.Work
	return f != nil && f(&State{v})
}

// Worked lets the view show how far the work has come.
func (v *View) Worked() { v.changes++ }
