package sheet

import (
	"slices"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
)

// A reader who knows a constant of a catalog better sets it by its key, such as tpu_v5e__hbm. The state then also has
// the entry with all that was changed of it, so that every evaluation computes with one and the same record.

// Changed is a constant that a reader set.
type Changed struct {
	Of       *Record // as the catalog has it
	Constant *Constant
	Value    quantity.Quantity
}

// Constant finds a constant by its key, of an entry of a catalog from which s lets its reader choose; nil if there is
// none.
func (s *Sheet) Constant(key string) (*Record, *Constant) {
	if s.Input(key) != nil {
		return nil, nil
	}
	r, c := s.env.Constant(key)
	if c == nil || !s.choosesFrom(r.Kin) {
		return nil, nil
	}
	return r, c
}

// choosesFrom tells whether an input of s is an entry of a catalog, or several.
func (s *Sheet) choosesFrom(kin *Kin) bool {
	return slices.ContainsFunc(s.Inputs, func(in *Input) bool {
		t := s.Row(in.Name).Type
		if t.Kind == List && t.Of != nil {
			t = *t.Of
		}
		return t.Kind == Rec && t.Kin.Root() == kin.Root()
	})
}

// setConstant is st with a constant of r as a reader typed it. A bare number counts in the unit of the catalog.
func (s *Sheet) setConstant(st State, r *Record, c *Constant, text string) (State, error) {
	if len(text) > maxTyped {
		return st, phrase.New("sheet.text-too-long")
	}
	unit, err := quantity.UnitOf(c.Text)
	if err != nil {
		return st, err
	}
	q, err := quantity.ParseLike(text, unit)
	switch {
	case err != nil:
		return st, err
	case !(q.Value > 0):
		return st, phrase.New("sheet.constant-not-positive", "value", q.String())
	case q.Value == c.Value.Value:
		return s.Without(st, r.Key(c.Name)), nil
	}
	return amended(st.With(r.Key(c.Name), Value{Kind: Number, Num: q}), r), nil
}

// Without is st with an input or a constant back at its author's value; st stays as it is.
func (s *Sheet) Without(st State, name string) State {
	next := st.Without(name)
	if r, c := s.Constant(name); c != nil {
		return amended(next, r)
	}
	return next
}

// amended is st with the entry r as the constants that st has make it.
func amended(st State, r *Record) State {
	own := map[string]quantity.Quantity{}
	for _, c := range r.Kin.Constants(r) {
		if v, ok := st[r.Key(c.Name)]; ok {
			own[c.Name] = v.Num
		}
	}
	if len(own) == 0 {
		return st.Without(amendedKey(r))
	}
	return st.With(amendedKey(r), Value{Kind: Rec, Record: r.Kin.Amend(r, own)})
}

// amendedKey is no name of an input, nor of a constant.
func amendedKey(r *Record) string { return "=" + r.ID }

// Changed are the constants that the reader set in st, in the order of the catalogs.
func (s *Sheet) Changed(st State) []Changed {
	var all []Changed
	if len(st) == 0 {
		return all // nothing is changed in most states
	}
	for _, kin := range s.env.Kins {
		for _, r := range kin.Members {
			if _, ok := st[amendedKey(r)]; !ok {
				continue
			}
			constants := kin.Constants(r)
			for i := range constants {
				if v, ok := st[r.Key(constants[i].Name)]; ok {
					all = append(all, Changed{r, &constants[i], v.Num})
				}
			}
		}
	}
	return all
}

// Published is st with all constants as the catalogs have them.
func (s *Sheet) Published(st State) State {
	for _, c := range s.Changed(st) {
		st = st.Without(c.Of.Key(c.Constant.Name)).Without(amendedKey(c.Of))
	}
	return st
}

// amend is v with the constants that the reader set: an entry of a catalog, or a list of them.
func (st State) amend(v Value) Value {
	switch {
	case len(st) == 0:
	case v.Kind == Rec && v.Record != nil && v.Record.Kin != nil && v.Record.Kin.Amend != nil:
		if own, ok := st[amendedKey(v.Record)]; ok {
			return own
		}
	case v.Kind == List && len(v.List) > 0 && st.amends(v.List):
		list := make([]Value, len(v.List))
		for i, x := range v.List {
			list[i] = st.amend(x)
		}
		return Value{Kind: List, List: list}
	}
	return v
}

// amends tells whether the reader set constants of an entry of the list.
func (st State) amends(list []Value) bool {
	return slices.ContainsFunc(list, func(v Value) bool { return v.Kind == Rec && !st.amend(v).Same(v) })
}
