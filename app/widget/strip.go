package widget

import (
	"slices"

	"github.com/scalebook/scalebook/app/sheet/input"
)

// strip is figure i at the values that the stepper's author chose for paper and for pages without scripts: what
// readers see there of the course of things. It is empty once scripts run, and where the stepper moves nothing in the
// figure.
func (v *View) strip(i int) *Node {
	at := slices.IndexFunc(v.Sheet.Inputs, func(in *input.Input) bool { return len(v.fitted(in.Name).Strip) > 0 })
	if at < 0 {
		return nil
	}
	box := el("div", class("strip"))
	if !v.still {
		return box
	}
	own := v.drawFigure(i)
	if own.err != nil {
		return box
	}
	in, now, moved := v.fitted(v.Sheet.Inputs[at].Name), HTML(own.drawing.Root), false
	for _, x := range in.Strip {
		args, err := v.Sheet.Eval(v.State.With(in.Name, x)).FigureArgs(i)
		if err != nil {
			continue
		}
		if d, err := v.drawer(v.phrases(), v.Sheet.Figures[i].Figure.Name, args); err == nil {
			moved = moved || HTML(d.Root) != now
			box.Add(el("div", el("p", class("note"), v.called(in.Name)+": "+x.String()), picture(d)))
		}
	}
	if !moved {
		box.Kids = nil
	}
	return box
}
