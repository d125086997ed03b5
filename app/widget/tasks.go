package widget

import (
	"strconv"

	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/sheet/expr"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/widget/address"
)

// Long work of a sheet goes on between frames. The view shows how far it has come and what is found so far, and lets
// the reader stop it.

// NewLive is New for a reader's browser: long work is started, and left to Work.
func NewLive(s *sheet.Sheet) *View { return newView(s, &sheet.Tasks{}) }

// Untouched is the view of the same sheet as its author left it. It shares with v what stays the same in every state,
// and what closed folds hold.
func (v *View) Untouched() *View {
	u := NewLive(v.Sheet)
	u.Heading, u.sets, u.why = v.Heading, v.sets, v.why
	return u
}

// Work does a piece of the long work that the present state asks for, and says whether there is one left.
func (v *View) Work() (more bool) {
	if v.tasks.Busy() {
		v.unshown = true
		v.tasks.Step()
	} else if q := v.nextSlopes(); q != nil {
		q.step()
	} else if name := v.nextGoal(); name != "" {
		v.seekOn(name)
	}
	return v.Busy()
}

// Busy says whether there is long work to do.
func (v *View) Busy() bool { return v.tasks.Busy() || v.nextSlopes() != nil || v.nextGoal() != "" }

// Worked lets the view show how far the work has come. Slopes show themselves: the results stay.
func (v *state) Worked() {
	if v.working || v.tasks.Busy() {
		clear(v.slopes)
		v.renew()
	}
	v.unshown = false
	v.working = v.tasks.Busy() // what has ended may be what other work waited for
}

// Unshown says whether work was done that the view doesn't show yet: Worked does.
func (v *state) Unshown() bool { return v.unshown }

// Long is the long work of the view, for others that share it.
func (v *state) Long() *sheet.Tasks { return v.tasks }

// Given is what the reader set, documents too: what another view of the sheet takes to come to the same state.
func (v *state) Given() []address.Param {
	ps := v.Params()
	for _, in := range v.Sheet.Inputs {
		if in.Form() == input.DocumentForm && v.Changed(in.Name) && v.errs[in.Name] == "" {
			ps = append(ps, address.Param{Sheet: v.Sheet.ID, Name: in.Name, Text: v.Text(in)})
		}
	}
	return ps
}

// Follow brings a fresh view to the state of another, by what was Given there. What it can't take it leaves out.
func (v *state) Follow(ps []address.Param) {
	for _, p := range ps {
		if in := v.fitted(p.Name); in != nil && in.Form() == input.DocumentForm {
			v.Set(p.Name, p.Text)
		}
	}
	v.Apply(ps)
}

// Halt stops the long work of a row, or goes on with it.
func (v *state) Halt(name string) {
	row := v.row(name)
	if row == nil || row.Under == nil {
		return
	}
	if row.Under.Stopped {
		v.tasks.Resume(row)
	} else {
		v.tasks.Stop(row)
	}
	v.adopt(v.State)
}

// under are the rows for which work goes on.
func (v *evaluated) under() []*expr.Row {
	var rows []*expr.Row
	for i := range v.Result.Rows {
		if row := &v.Result.Rows[i]; row.Under != nil && !row.Absent {
			rows = append(rows, row)
		}
	}
	return rows
}

// taskBox says how far long work has come. It keeps its place when there is none, so that nothing below moves.
func (v *state) taskBox() *Node {
	box := el("div", class("tasks"), v.readingRows())
	for _, row := range v.under() {
		done := quantity.Percent(row.Under.Done, 0)
		said, stop := v.say("widget.task-working", "done", done), v.say("widget.task-cancel")
		if row.Under.Stopped {
			said, stop = v.say("widget.task-stopped", "done", done), v.say("widget.task-resume")
		}
		box.Add(v.taskRow(row.Def.Name, row.Under.Done, said, stop))
	}
	return box
}

// progressOf is a bar that shows how much of something is done.
func progressOf(done float64, name, said string) *Node {
	return el("progress", attr("max", "1"), attr("value", strconv.FormatFloat(done, 'f', 2, 64)),
		attr("aria-label", name), said)
}

// taskRow says how far one piece of long work has come, with a button to stop it.
func (v *evaluated) taskRow(row string, done float64, said, stop string) *Node {
	name := v.called(row)
	return el("p", class("task"), attr("data-task", row), v.say("widget.about", "subject", name, "said", said)+" ",
		progressOf(done, name, said),
		tool(stop, DoHalt, row, attr("aria-label", v.say("widget.about", "subject", stop, "said", name))))
}

func (v *state) printTasks(p *print) {
	for _, in := range v.Sheet.Inputs {
		if done, ok := v.reading[in.Name]; ok {
			p.text(in.Name, quantity.Percent(done, 0))
		}
	}
	for _, row := range v.under() {
		p.text(row.Def.Name, quantity.Percent(row.Under.Done, 0)).yes(row.Under.Stopped)
	}
}
