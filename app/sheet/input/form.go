package input

import "github.com/scalebook/scalebook/app/sheet/value"

// Form is the kind of control that an input takes.
type Form uint8

// The forms of an input.
const (
	NumberForm   Form = iota + 1
	SwitchForm        // on or off
	MenuForm          // one of a menu
	SeveralForm       // some of a menu: the value is a list
	StepForm          // a number that is stepped through, and played
	TextForm          // a line of text
	DocumentForm      // a longer text of the reader's own: typed, pasted, or from a file
)

// Form is the kind of control that in takes.
func (in *Input) Form() Form {
	switch {
	case in.Control != 0:
		return in.Control
	case in.Default.Kind == value.Bool:
		return SwitchForm
	case len(in.Menu) > 0:
		return MenuForm
	case in.Default.Kind == value.Number:
		return NumberForm
	}
	return TextForm
}

// IsNumber tells whether in takes any number, or any of a range: one that solves, sweeps and sliders may vary.
func (in *Input) IsNumber() bool { return in.Form() == NumberForm || in.Form() == StepForm }
