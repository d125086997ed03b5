package widget

import (
	"strings"

	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/widget/address"
)

// PadSource is the text of the view's sheet for the scratch pad.
func (v *View) PadSource() string { return strings.TrimSpace(v.Sheet.Source) + "\n" }

// PadAddress is the address of the scratch pad of the site at base, holding the view's sheet, which code is the code
// of, and what the reader changed in it.
func (v *View) PadAddress(base, code string) string {
	ps := v.Params()
	for i := range ps {
		ps[i].Sheet = address.PadID
	}
	return base + "scratch/" + address.Query(ps, nil) + "#s=" + code
}

// Edited is the view after its author changed the text of the sheet to that of s: what the reader typed, opened and
// guessed stays, as far as s still has a place for it. So does what long work has found whose arguments are the same.
func (v *View) Edited(s *sheet.Sheet) *View {
	next := newView(s, v.tasks.Next())
	next.rev, next.Heading = v.rev+1, v.Heading
	for _, in := range s.Inputs {
		if text, ok := v.typed[in.Name]; ok && next.Set(in.Name, text) != nil {
			next.Undo(in.Name)
		}
	}
	next.open, next.fields = v.open, v.fields
	for _, a := range s.Asks {
		if g := v.guesses[a.Name]; g != nil && sameAsk(v.Sheet, a) {
			next.guesses[a.Name] = g
		}
	}
	return next
}

func sameAsk(s *sheet.Sheet, a sheet.Ask) bool {
	for _, b := range s.Asks {
		if a == b {
			return true
		}
	}
	return false
}
