package sheet

import (
	"slices"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// A reader who knows a constant of a catalog better sets it by its key, such as tpu_v5e__hbm. The state then also has
// the entry with all that was changed of it, so that every evaluation computes with one and the same record.

// Changed is a constant that a reader set.
type Changed struct {
	Of       *value.Record // as the catalog has it
	Constant *value.Constant
	Value    quantity.Quantity
}

// Constant finds a constant by its key, of an entry of a catalog from which s lets its reader choose; nil if there is
// none.
func (s *Sheet) Constant(key string) (*value.Record, *value.Constant) {
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
func (s *Sheet) choosesFrom(kin *value.Kin) bool {
	return slices.ContainsFunc(s.Inputs, func(in *input.Input) bool {
		t := s.Row(in.Name).Type
		if t.Kind == value.List && t.Of != nil {
			t = *t.Of
		}
		return t.Kind == value.Rec && t.Kin.Root() == kin.Root()
	})
}

// setConstant is st with a constant of r as a reader typed it. A bare number counts in the unit of the catalog.
func (s *Sheet) setConstant(st input.State, r *value.Record, c *value.Constant, text string) (input.State, error) {
	if len(text) > input.MaxTyped {
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
	case c.Least.Value < c.Most.Value && !(c.Least.Value <= q.Value && q.Value <= c.Most.Value):
		return st, phrase.Fault{What: phrase.New("sheet.out-of-range", "value", q.String()),
			Remedy: phrase.New("sheet.give-value", "value", input.FromTo(c.Least, c.Most))}
	case c.Least.Value == c.Most.Value && !(q.Value > 0):
		return st, phrase.New("sheet.constant-not-positive", "value", q.String())
	case q.Value == c.Value.Value:
		return s.Without(st, r.Key(c.Name)), nil
	}
	return input.Amended(st.With(r.Key(c.Name), value.Value{Kind: value.Number, Num: q}), r), nil
}

// Without is st with an input or a constant back at its author's value; st stays as it is.
func (s *Sheet) Without(st input.State, name string) input.State {
	next := st.Without(name)
	if r, c := s.Constant(name); c != nil {
		return input.Amended(next, r)
	}
	return next
}

// Changed are the constants that the reader set in st, in the order of the catalogs.
func (s *Sheet) Changed(st input.State) []Changed {
	var all []Changed
	if len(st) == 0 {
		return all // nothing is changed in most states
	}
	for _, kin := range s.env.Kins {
		for _, r := range kin.Members {
			if _, ok := st[input.AmendedKey(r)]; !ok || kin.Constants == nil {
				continue // an entry of another catalog may have the same ID
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
func (s *Sheet) Published(st input.State) input.State {
	for _, c := range s.Changed(st) {
		st = st.Without(c.Of.Key(c.Constant.Name)).Without(input.AmendedKey(c.Of))
	}
	return st
}
