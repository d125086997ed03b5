package widget

import (
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/sheet/input"
)

// Control is a form control of a view and what it should hold now. The controls are set apart from the rest of the
// tree, because a reader changes them too.
type Control struct {
	ID    string
	Value string // as Set takes it: a checkbox has on or off
}

// Controls are all controls that stand in the view now.
func (v *View) Controls() []Control {
	var cs []Control
	for _, own := range v.Sheet.Inputs {
		if in := v.fitted(own.Name); !in.Absent {
			cs = append(cs, controlOf(in).holds(v, in)...)
			cs = append(cs, v.constantControls(in)...)
		}
	}
	for _, a := range v.Sheet.Asks {
		if v.Veiled(a.Name) {
			id := v.id(a.Name, "guess")
			cs = append(cs, Control{ID: id, Value: v.fields[id]})
		}
	}
	for i := range v.Sheet.Tables {
		cs = append(cs, v.listControls(i)...)
	}
	for i := range v.Sheet.Plots {
		if d := v.plots[i]; d != nil && d.err == nil && d.rev == v.rev {
			id := v.id("plot", strconv.Itoa(i+1))
			cs = append(cs, Control{ID: v.CursorID(i), Value: strconv.Itoa(d.now)})
			if v.Estimates(i) {
				cs = append(cs, v.handleControls(i, d, id)...)
			}
			if in := v.dragged(i); in != nil {
				cs = append(cs, Control{ID: markerID(id), Value: v.sliderAt(in)})
			}
		}
	}
	return append(cs, v.goalControls()...)
}

func (v *View) goalControls() []Control {
	var cs []Control
	for _, row := range append(v.rows(), v.hiddenRows()...) {
		name := row.Def.Name
		key := moreKey(name)
		if g := v.goals[name]; g != nil && v.open[rowKey(name)] && v.open[key] {
			id := v.id(name, "goal")
			cs = append(cs, Control{ID: id, Value: v.fields[id]}, Control{ID: id + "-input", Value: g.input})
		}
	}
	return cs
}

// Slide is the reader moving an input's slider to a position.
func (v *View) Slide(name string, position int) {
	if in := v.fitted(name); in != nil && in.Ranged {
		controlOf(in).slide(v, in, position)
	}
}

// Nudge is the reader pressing an arrow key in an input's field or slider: one round number up (1) or down (-1), or a
// big step. It says whether the input has anything to nudge.
func (v *View) Nudge(name string, direction int, big bool) bool {
	in := v.fitted(name)
	if in == nil || !in.Ranged || in.Form() != input.NumberForm {
		return false
	}
	v.Slide(name, scaleOf(in).Next(v.Value(in).Num.Value, direction, big))
	return true
}

// Shown is a row's value as it stands in the page.
type Shown struct {
	Name, Text, Data string // Data is for programs
	Veiled           bool
}

// Values are all rows as the page shows them, inputs among them, for numbers in prose.
func (v *View) Values() []Shown {
	out := make([]Shown, 0, len(v.Result.Rows))
	for i := range v.Result.Rows {
		row := &v.Result.Rows[i]
		name := row.Def.Name
		s := Shown{Name: name, Text: inSentence(v.phrases(), row), Veiled: slices.ContainsFunc(v.tells(name), v.Veiled)}
		if row.Err == nil {
			s.Data = dataValue(row.Value)
		}
		out = append(out, s)
	}
	return out
}

// PlotIndex is the plot that a part's key names, or -1.
func PlotIndex(key string) int {
	kind, i, _ := strings.Cut(key, ":")
	if kind != "plot" {
		return -1
	}
	return index(i)
}

// PositionAt is the position of plot i's reading line for a place in the drawing, in its own coordinates: an x, or a y
// if the plot is upright.
func (v *View) PositionAt(i int, place float64) int { return v.draw(i).positionAt(place) }

// index is the number in s, or -1.
func index(s string) int {
	i, err := strconv.Atoi(s)
	if err != nil {
		return -1
	}
	return i
}
