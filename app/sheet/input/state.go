package input

import (
	"maps"
	"slices"

	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/value"
)

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
	for _, c := range r.Kin.Constants(r) {
		if v, ok := st[r.Key(c.Name)]; ok {
			own[c.Name] = v.Num
		}
	}
	if len(own) == 0 {
		return st.Without(AmendedKey(r))
	}
	return st.With(AmendedKey(r), value.Value{Kind: value.Rec, Record: r.Kin.Amend(r, own)})
}

// AmendedKey is no name of an input, nor of a constant.
func AmendedKey(r *value.Record) string { return "=" + r.ID }

// Amend is v with the constants that the reader set: an entry of a catalog, or a list of them.
func (st State) Amend(v value.Value) value.Value {
	switch {
	case len(st) == 0:
	case v.Kind == value.Rec && v.Record != nil && v.Record.Kin != nil && v.Record.Kin.Amend != nil:
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
