package sheet

import (
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/sheet/syntax"
)

// ListOf is the type of lists whose entries are of type t.
func ListOf(t Type) Type { return Type{Kind: List, Of: &t} }

// listText names the entries of a list: all of a short one, the first few of a longer one.
func listText(list []Value) string {
	var b strings.Builder
	for i, v := range list[:min(len(list), maxNamed)] {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(v.String())
	}
	switch more := len(list) - maxNamed; {
	case len(list) == 0:
		return "none"
	case more > 0:
		b.WriteString(" and " + strconv.Itoa(more) + " more")
	}
	return b.String()
}

// listText says what a list holds: "a list of records (accelerator)".
func (t Type) listText() string {
	if t.Of == nil {
		return "a list"
	}
	switch t.Of.Kind {
	case Number:
		return "a list of numbers, each " + dimText(t.Of.Dim)
	case Rec:
		return strings.Replace("a list of "+t.Of.String(), "of a record", "of records", 1)
	}
	return "a list, each " + t.Of.String()
}

// hasEntries tells whether each entry is what the declaration of the list promised.
func (f *frame) hasEntries(list []Value, typ Type, e syntax.Expr) bool {
	if len(list) > maxEntries {
		f.fail(e, "is a list of more than "+strconv.Itoa(maxEntries)+" entries")
		return false
	}
	for i := range list {
		of := typ.Of
		if of == nil {
			of = typ.entry(list)
		}
		if !f.has(list[i], *of, e) {
			return false
		}
	}
	return true
}

// entry is the type of the entries of a list whose declaration doesn't say: that of the first.
func (t Type) entry(list []Value) *Type {
	of := list[0].Type()
	return &of
}

// Same tells whether v and w are one and the same value, not only alike: records with one ID that were worked out at
// different times may differ in what they hold.
func (v Value) Same(w Value) bool {
	switch {
	case v.Kind != w.Kind:
		return false
	case v.Kind == Rec:
		return v.Record == w.Record
	case v.Kind == List:
		return slices.EqualFunc(v.List, w.List, Value.Same)
	case v.Kind == Number:
		return v.Num == w.Num
	}
	return v.Equal(w)
}
