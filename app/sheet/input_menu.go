package sheet

import (
	"strconv"

	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/syntax"
)

// offer makes entries the menu of in. A long list shows its first entries; the others can be set all the same.
func (in *Input) offer(entries []Value) {
	in.entries, in.Menu = entries, nil
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
func entryOption(v Value) Option {
	o := Option{ID: entryID(v), Name: v.String(), Value: v}
	if v.Kind == Rec {
		o.Group = v.Record.Group
	}
	return o
}

// entryID is what addresses carry for an entry of a list; "" if it has no id.
func entryID(v Value) string {
	switch v.Kind {
	case Number:
		if v.Num.Dim.IsZero() && !v.Num.IsPercent() {
			return strconv.FormatFloat(v.Num.Value, 'g', -1, 64)
		}
		if text := v.Num.String(); exactly(text, v.Num) {
			return text
		}
		return v.Num.Exact()
	case Rec:
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

// entry is what the menu has for v: the same entry as it is now, since a record may have other numbers in another
// state.
func (in *Input) entry(v Value) (Value, bool) {
	if in.entries != nil {
		return among(in.entries, v)
	}
	for i := range in.Menu {
		if in.Menu[i].Value.Equal(v) {
			return in.Menu[i].Value, true
		}
	}
	return Value{}, false
}

// find is the entry of list that is v.
func find(list []Value, v Value) (Value, bool) {
	for i := range list {
		if list[i].Equal(v) {
			return list[i], true
		}
	}
	return Value{}, false
}

// among is v as a list offers it: its entry, or, of an open list, what the name of v stands for now.
func among(list []Value, v Value) (Value, bool) {
	if x, ok := find(list, v); ok {
		return x, true
	}
	like := openList(list)
	if like == nil || v.Kind != Rec || v.Record == nil {
		return Value{}, false
	}
	r, err := like.Kin.Named(like, v.Record.ID)
	return Value{Kind: Rec, Record: r}, err == nil
}

// openList is an entry of a list that holds only the usual ones of many, nil if the list is complete.
func openList(list []Value) *Record {
	if len(list) == 0 || list[0].Kind != Rec || list[0].Record == nil || list[0].Record.Kin == nil ||
		list[0].Record.Kin.Named == nil {
		return nil
	}
	return list[0].Record
}

func (in *Input) open() *Record { return openList(in.entries) }

// Open tells whether the reader may write an entry that the menu does not hold.
func (in *Input) Open() bool { return in.open() != nil }

// member tells whether the menu offers v.
func (in *Input) member(v Value) bool {
	_, ok := in.entry(v)
	return ok
}

// beyond is the entry of that id behind those that the menu shows, or nil.
func (in *Input) beyond(id string) *Option {
	if len(in.entries) <= len(in.Menu) {
		return nil
	}
	for _, v := range in.entries {
		if entryID(v) == id && id != "" {
			o := entryOption(v)
			return &o
		}
	}
	return nil
}
