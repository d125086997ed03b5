package widget

import (
	"strconv"

	"github.com/scalebook/scalebook/app/sheet/value"
)

// listPick is the first cell of a line, as the label of its radio button if the line can be chosen.
func (v *View) listPick(i int, s *shownList, r int, label *Node) *Node {
	set := v.pickOf(i, s.lines[r].Entry)
	if set == "" {
		return label
	}
	return el(
		"label",
		class("pick"),
		el(
			"input",
			attr("type", "radio"),
			attr("name", v.id("table", strconv.Itoa(i+1), "pick")),
			attr("id", v.radioID(i, r)),
			attr("data-set", set),
			bare("checked", r == s.chosen),
			on("change", DoSet, set),
		),
		label,
	)
}

// radioID is the id of a radio button by its line, not by its entry: the element stays where it is when the order
// changes.
func (v *View) radioID(i, line int) string {
	return v.id("table", strconv.Itoa(i+1), "line", strconv.Itoa(line+1))
}

// pickOf is what choosing an entry sets: "way=ring", or nothing if table i chooses nothing or the entry has no name.
func (v *View) pickOf(i int, entry value.Value) string {
	in := v.Sheet.Input(v.Sheet.Tables[i].Chooses)
	if in == nil || entry.Kind == value.Rec && (entry.Record == nil || entry.Record.ID == "") {
		return ""
	}
	return in.Name + "=" + in.Typed(entry)
}
