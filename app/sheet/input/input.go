// Package input is what a reader may set: the control that an [Input] takes, its range or menu, how a typed text is
// read and refused, and the [State] that holds the values which differ from the author's.
package input

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// Input is what a `let` declares. Where it follows from other lines, Result.Input has it as it is in a state.
type Input struct {
	Name, Label string
	Group       *syntax.Heading // the heading that it stands under; nil for none
	Pos         syntax.Pos
	Default     value.Value
	Ranged      bool    // has `in min..max`; otherwise Min and Max are 0
	Min, Max    float64 // in base units
	Log         bool
	Step        float64           // the grid of values from Min on (from 0 if not Ranged), in base units; 0: any value
	Unit        quantity.Quantity // 1 of the unit that its author wrote: what a bare number of a reader counts in
	Menu        []Option          // what the reader may choose; of a long list the first of its entries
	Most        int               // of SeveralForm: how many may be chosen; 0 for any number
	Pace        int               // of StepForm: milliseconds that playing rests on a step
	Strip       []value.Value     // of StepForm: the values that paper shows beside each other
	Accept      string            // of DocumentForm: the names of files that suit, as a file chooser takes them: ".json"
	Cap         int               // of DocumentForm: bytes at most
	Reads       *value.Func       // of DocumentForm: what reads the text, and may refuse it; nil if any text will do
	Shortens    *value.Func       // of DocumentForm: what puts a long text in short, which means the same; or nil
	Follows     []string          // the lines that its default, range, step, menu and presence follow
	Absent      bool              // its `when` doesn't hold: it has its default, and nobody sees it

	Control   Form          // the kind of control, unless value and menu say it all
	Entries   []value.Value // of a menu made of a list: the list
	Checked   bool          // some of its values are refused
	Fact      bool          // its default is a constant of a catalog
	Dependent bool          // what stands here follows from other lines; it is what they give in the author's state
}

// Option is one choice of a menu.
type Option struct {
	ID    string // what State, addresses and -set carry: "tpu.v5p", "int8", "on", a choice's word
	Name  string
	Group string
	Value value.Value
}

// Option is the choice of that id or name, or nil. Case matters only where two differ in nothing else.
func (in *Input) Option(id string) *Option {
	for i := range in.Menu {
		if in.Menu[i].ID == id {
			return &in.Menu[i]
		}
	}
	for i := range in.Menu {
		if strings.EqualFold(in.Menu[i].ID, id) || strings.EqualFold(in.Menu[i].Name, id) {
			return &in.Menu[i]
		}
	}
	return in.beyond(id)
}

// IDs are the choices of a menu, as addresses carry them.
func (in *Input) IDs() []string {
	ids := make([]string, len(in.Menu))
	for i := range in.Menu {
		ids[i] = in.Menu[i].ID
	}
	return ids
}

// Rename gives the choices the names and headings that the author wrote.
func (in *Input) Rename(of []syntax.Choice) {
	for i := range in.Menu {
		o := &in.Menu[i]
		o.Name, o.Group = cmp.Or(of[i].Name, o.Name), cmp.Or(of[i].Group, o.Group)
	}
}

// Members are the values of a menu.
func (in *Input) Members() []value.Value {
	values := make([]value.Value, len(in.Menu))
	for i := range in.Menu {
		values[i] = in.Menu[i].Value
	}
	return values
}

// State is the reader's values of the inputs they changed, by name; nil is the sheet as its author left it.
// Treat it as immutable: With returns a new one.
type State map[string]value.Value

// With is st with one input changed; st stays as it is.
func (st State) With(name string, v value.Value) State {
	next := make(State, len(st)+1)
	maps.Copy(next, st)
	next[name] = v
	return next
}

// Without is st with one input back at its author's value; st stays as it is.
func (st State) Without(name string) State {
	next := maps.Clone(st)
	delete(next, name)
	return next
}

// Amended is st with the entry r as the constants that st has make it.
func Amended(st State, r *value.Record) State {
	own := map[string]quantity.Quantity{}
	for _, c := range r.Type.Constants(r) {
		if v, ok := st[r.Key(c.Name)]; ok {
			own[c.Name] = v.Num
		}
	}
	if len(own) == 0 {
		return st.Without(AmendedKey(r))
	}
	return st.With(AmendedKey(r), value.Value{Kind: value.Rec, Record: r.Type.Amend(r, own)})
}

// AmendedKey is no name of an input, nor of a constant.
func AmendedKey(r *value.Record) string { return "=" + r.ID }

// Amend is v with the constants that the reader set: an entry of a catalog, or a list of them.
func (st State) Amend(v value.Value) value.Value {
	switch {
	case len(st) == 0:
	case v.Kind == value.Rec && v.Record != nil && v.Record.Type != nil && v.Record.Type.Amend != nil:
		if own, ok := st[AmendedKey(v.Record)]; ok {
			return own
		}
	case v.Kind == value.List && len(v.List) > 0 && st.amends(v.List):
		list := make([]value.Value, len(v.List))
		for i, x := range v.List {
			list[i] = st.Amend(x)
		}
		return value.Value{Kind: value.List, List: list}
	}
	return v
}

// amends tells whether the reader set constants of an entry of the list.
func (st State) amends(list []value.Value) bool {
	return slices.ContainsFunc(list, func(v value.Value) bool { return v.Kind == value.Rec && !st.Amend(v).Same(v) })
}
