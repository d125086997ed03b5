// Package input is what a reader may set: the control that an [Input] takes, its range or menu, how a typed text is
// read and refused, and the [State] that holds the values which differ from the author's.
package input

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
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
	Was         []syntax.Ident // its former names, which addresses and commands may still have
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
	// of DocumentForm: the names of files that suit, as a file chooser takes them: ".json"
	Accept   string
	Cap      int         // of DocumentForm: bytes at most
	Reads    *value.Func // of DocumentForm: what reads the text, and may refuse it; nil if any text will do
	Shortens *value.Func // of DocumentForm: what puts a long text in short, which means the same; or nil
	Follows  []string    // the lines that its default, range, step, menu and presence follow
	Absent   bool        // its `when` doesn't hold: it has its default, and nobody sees it

	Control   Form          // the kind of control, unless value and menu say it all
	Entries   []value.Value // of a menu made of a list: the list
	Checked   bool          // some of its values are refused
	Fact      bool          // its default is a constant of a catalog
	Published bool          // its default is what somebody measured or printed: no question is asked again with another
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

// SetMenu makes entries the menu of in. A long list shows its first entries; the others can be set all the same.
func (in *Input) SetMenu(entries []value.Value) {
	in.Entries, in.Menu = entries, nil
	seen := map[string]bool{}
	for _, v := range entries[:min(len(entries), syntax.MaxValues)] {
		o := entryOption(v)
		if o.ID != "" && !seen[o.ID] {
			in.Menu = append(in.Menu, o)
		}
		seen[o.ID] = true
	}
}

// entryOption is an entry of a list as a choice.
func entryOption(v value.Value) Option {
	o := Option{ID: entryID(v), Name: v.String(), Value: v}
	if v.Kind == value.Rec {
		o.Group = v.Record.Group
	}
	return o
}

// entryID is what addresses carry for an entry of a list; "" if it has no id.
func entryID(v value.Value) string {
	switch v.Kind {
	case value.Number:
		if v.Num.Dim.IsZero() && !v.Num.IsPercent() {
			return strconv.FormatFloat(v.Num.Value, 'g', -1, 64)
		}
		if text := v.Num.String(); exactly(text, v.Num) {
			return text
		}
		return v.Num.Exact()
	case value.Rec:
		if v.Record != nil {
			return v.Record.ID
		}
		return ""
	}
	return v.String()
}

// exactly tells whether text is read as q, with all its digits.
func exactly(text string, q quantity.Quantity) bool {
	p, err := quantity.Parse(text)
	return err == nil && p.Value == q.Value
}

// Entry is what the menu has for v: the same entry as it is now, since a record may have other numbers in another
// state.
func (in *Input) Entry(v value.Value) (value.Value, bool) {
	if in.Entries != nil {
		return Among(in.Entries, v)
	}
	for i := range in.Menu {
		if in.Menu[i].Value.Equal(v) {
			return in.Menu[i].Value, true
		}
	}
	return value.Value{}, false
}

// Find is the entry of list that is v.
func Find(list []value.Value, v value.Value) (value.Value, bool) {
	for i := range list {
		if list[i].Equal(v) {
			return list[i], true
		}
	}
	return value.Value{}, false
}

// Among is v as a list offers it: its entry, or, of an open list, what the name of v stands for now.
func Among(list []value.Value, v value.Value) (value.Value, bool) {
	if x, ok := Find(list, v); ok {
		return x, true
	}
	like := openList(list)
	if like == nil || v.Kind != value.Rec || v.Record == nil {
		return value.Value{}, false
	}
	r, err := like.Type.Named(like, v.Record.ID)
	return value.Value{Kind: value.Rec, Record: r}, err == nil
}

// openList is an entry of a list that holds only the usual ones of many, nil if the list is complete.
func openList(list []value.Value) *value.Record {
	if len(list) == 0 || list[0].Kind != value.Rec || list[0].Record == nil || list[0].Record.Type == nil ||
		list[0].Record.Type.Named == nil {
		return nil
	}
	return list[0].Record
}

func (in *Input) open() *value.Record { return openList(in.Entries) }

// Open tells whether the reader may write an entry that the menu does not hold.
func (in *Input) Open() bool { return in.open() != nil }

// Member tells whether the menu offers v.
func (in *Input) Member(v value.Value) bool {
	_, ok := in.Entry(v)
	return ok
}

// beyond is the entry of that id behind those that the menu shows, or nil.
func (in *Input) beyond(id string) *Option {
	if len(in.Entries) <= len(in.Menu) {
		return nil
	}
	for _, v := range in.Entries {
		if entryID(v) == id && id != "" {
			o := entryOption(v)
			return &o
		}
	}
	return nil
}
