package collectives

import (
	"strings"

	"github.com/scalebook/scalebook/app/figure"
	"github.com/scalebook/scalebook/app/network/play"
	"github.com/scalebook/scalebook/app/widget/instrument"
)

func view(s *instrument.State) []instrument.Part {
	x := subjectOf(s)
	parts := []instrument.Part{{Key: "presets", Uses: "fabric", Build: func() *instrument.Node { return presets(s) }}}
	if x.err != nil {
		return append(parts, instrument.Part{Key: "none", Build: func() *instrument.Node {
			return instrument.Note(instrument.Capital(x.err.Error()) + ".")
		}})
	}
	parts = append(parts, instrument.Part{Key: "stepper", Build: func() *instrument.Node { return s.Control("step") }})
	parts = append(parts, instrument.Part{Key: "steps", Steps: true, Build: func() *instrument.Node { return stage(s, x) }})
	if steps(s) != nil {
		parts = append(parts, instrument.Part{Key: "twin", Build: func() *instrument.Node {
			return s.Fold("twin", "This step as a table: who sends what to whom, who holds what", false, func(bool) []*instrument.Node {
				return []*instrument.Node{s.Twin("twin", figure.Collective(steps(s), at(s, steps(s))).Twin[0])}
			})
		}})
	}
	const all = "fabric op hardware n nodes shape size both adds link share hop"
	return append(parts,
		instrument.Part{Key: "answer", Uses: all, Build: func() *instrument.Node { return answer(s, x) }},
		instrument.Part{Key: "working", Uses: all, Build: func() *instrument.Node { return x.working(s) }},
		instrument.Part{Key: "curve", Uses: all + " over", Build: func() *instrument.Node { return x.curve(s) }})
}

// at is the step that is shown.
func at(s *instrument.State, p *play.Play) int {
	return max(0, min(s.Int("step"), len(p.Schedule.Steps)-1))
}

// stage is the drawing of the step with its clock.
func stage(s *instrument.State, x *subject) *instrument.Node {
	box := instrument.El("div", instrument.Class("part"))
	p := steps(s)
	if p == nil {
		box.Kids = append(box.Kids, instrument.Note(instrument.Capital(x.Undrawn())+"."))
		return box
	}
	k := at(s, p)
	d := figure.Collective(p, k)
	box.Kids = append(box.Kids, instrument.El("figure", instrument.Class("collective"), d.Root, instrument.El("figcaption", d.Note)))
	return box
}

// examples are settings to begin with: a name, and what is set.
const examples = `Ring of 4|fabric=ring op=all-gather hardware=tpu.v5e n=4 size=64+MiB
16 of a v5e, measured|fabric=ring op=all-gather hardware=tpu.v5e n=16 size=512+KiB
All-to-all on 4 × 4|fabric=slice op=all-to-all hardware=tpu.v5e shape=4x4 size=64+MiB
4 × 4 × 4 of a v5p|fabric=slice op=all-reduce hardware=tpu.v5p shape=4x4x4 size=1+GiB
8 H200 in the switch, measured|fabric=node op=all-reduce hardware=gpu.h200 n=8 adds=on size=16+MiB
4 nodes of B200, measured|fabric=tree op=all-reduce hardware=gpu.b200 n=8 nodes=4 adds=off size=1+GiB`

// presets are buttons for them.
func presets(s *instrument.State) *instrument.Node {
	row := instrument.El("div", instrument.Class("presets placed"), instrument.At("role", "group"), instrument.At("aria-label", "To begin with"))
	for line := range strings.Lines(examples) {
		name, sets, _ := strings.Cut(line, "|")
		changes := []instrument.Change{{Name: "link"}, {Name: "share"}, {Name: "step"}}
		for set := range strings.FieldsSeq(sets) {
			what, text, _ := strings.Cut(set, "=")
			changes = append(changes, instrument.Change{Name: what, Text: strings.ReplaceAll(text, "+", " ")})
		}
		row.Kids = append(row.Kids, s.Button(name, changes...))
	}
	return row
}
