package instrument

import "github.com/scalebook/scalebook/app/widget"

// Node is one node of a view; see widget.Node.
type Node = widget.Node

// Instrument is an interactive view as plain functions: of what the reader has set, and of nothing else. All but ID,
// Title and View may be left out.
type Instrument struct {
	ID    string // "chips": its name in fences, and of its section, unless the author gives another
	Title string // "Compare chips"
	About string // one sentence for searching and for programs
	Style string // the style sheet in web that its pages load besides instrument.css: "instrument-chips.css"

	// Controls are what the reader may set, in the order in which they are read: what a Fit says may depend on those before.
	Controls func() []Control
	// Cell is the control of a constant that the reader may change although it isn't in the list, by its name. Such names
	// are in lower case, and belong to one constant each: "tpu_v5e__hbm".
	Cell func(name string) (Control, bool)

	// View is everything below the controls. It is called once for each state; the parts that it returns are built when
	// they are needed.
	View func(s *State) []Part
	// Values are the named results, for s.Output and for {{id.name}} in prose.
	Values func(s *State) []Value
	// Summary tells the main result in a sentence, to be heard after a change.
	Summary func(s *State) string
	// Act is what a button of s.Button(label, act) does: the changes that it makes.
	Act func(s *State, act string) []Change
	// Work does a piece, of a millisecond or two, of what takes longer than a frame, and says whether there was one to do. It
	// is called between frames, and the parts that depend on all controls are built again as it comes forward; a change of
	// the state begins anew. What it has found the instrument keeps by the state that it is of.
	Work func(s *State) (did bool)
}

// Part is a piece of a view that is rebuilt by itself. Build gives one element.
type Part struct {
	Key   string // a word, unlike those of the other parts
	Uses  string // the names of the controls that it depends on, "dtype edit_*"; empty if on all
	Steps bool   // the strip of a stepper shows it once for each of its steps
	Build func() *Node
}

// Value is a named result. Text may be left out where Data is a number with its unit.
type Value struct {
	Name, Label string
	Text        string // as it is shown
	Data        string // for programs: a number in base units, or the text
}

// Change sets a control, as a reader could: the empty text is "back to the default" for all but texts.
type Change struct{ Name, Text string }

// Kind tells controls apart.
type Kind uint8

// The kinds of control.
const (
	Number   Kind = iota // a number with a unit: what a person types, 16 GiB, 8k, 4*8192; with a slider if it has a range
	Menu                 // one of Options
	Many                 // several of Options, at most Most, in the order of choosing: their ids with commas
	Switch               // on or off
	Text                 // a short text
	Document             // a long text, typed, pasted, chosen or dropped as a file; never in the address
	Step                 // a stepper: 0 to Steps-1, with buttons, arrow keys and playing
)

// Control is something that the reader may set. The zero values of all but Name and Label do something sensible.
type Control struct {
	Name    string // letters, digits and underscores; as it stands in the address
	Label   string // "Bytes to move"
	Kind    Kind
	Default string // as a person would type it: "16 GiB", "tpu.v5e", "on", "3"
	Help    string // a sentence below it

	Unit     string // of a Number: what a bare number means, "1 GB/s"; the Default's unit if empty
	Min, Max string // of a Number: "1", "64 GiB"; both or none
	Log      bool   // the slider is logarithmic
	Whole    bool   // only whole numbers

	Check func(s *State, text string) error // of a Text or Document: why it can't be taken; what is wrong, and after "; " what would be valid

	Options []Option // of a Menu or Many
	Most    int      // of a Many; 0 is no limit

	Accept string // of a Document: what files it is for, ".json"
	Cap    int    // of a Document: the most bytes; 0 is 256 KiB

	// Then is what else changes when the reader has set the control to something good, or put it back.
	Then func(s *State) []Change

	Steps    int                             // of a Step: how many there are
	Strip    []int                           // of a Step: those that pages without scripts and paper show beside each other
	Every    int                             // of a Step: milliseconds between two while playing; 0 is 1200
	StepName func(s *State, step int) string // of a Step: what happens in it, in a few words

	Placed bool // the view places it itself, by s.Control(name) or s.Field(name, label)
	Hidden bool // there is nothing to set in this state

	// Fit adapts the control to what the controls before it are set to: its options, range, steps, default, label.
	Fit func(s *State, c *Control)
}

// Option is one choice. Group is the heading it stands under in a menu.
type Option struct{ ID, Name, Group string }
