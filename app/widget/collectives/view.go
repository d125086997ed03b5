package collectives

import (
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/network"
	"github.com/scalebook/scalebook/app/widget/instrument"
)

func view(s *instrument.State, m *memo) []instrument.Part {
	x := subjectOf(s)
	parts := []instrument.Part{{Key: "presets", Uses: "fabric", Build: func() *instrument.Node { return presets(s) }}}
	if x.err != nil {
		return append(parts, instrument.Part{Key: "none", Build: func() *instrument.Node {
			return instrument.Note(instrument.Capital(x.err.Error()) + ".")
		}})
	}
	parts = append(parts, instrument.Part{Key: "stepper", Build: func() *instrument.Node { return s.Control("step") }})
	parts = append(parts, instrument.Part{Key: "steps", Steps: true, Build: func() *instrument.Node { return stage(s, m, x) }})
	if m.of(s) != nil {
		parts = append(parts, instrument.Part{Key: "twin", Build: func() *instrument.Node {
			return s.Fold("twin", "This step as a table: who sends what to whom, who holds what", false, func(bool) []*instrument.Node {
				return []*instrument.Node{m.of(s).table(s, at(s, m.of(s)))}
			})
		}})
	}
	const all = "fabric op hardware n nodes shape size both adds link share hop"
	return append(parts,
		instrument.Part{Key: "answer", Uses: all, Build: func() *instrument.Node { return answer(s, m, x) }},
		instrument.Part{Key: "working", Uses: all, Build: func() *instrument.Node { return x.working(s) }},
		instrument.Part{Key: "curve", Uses: all + " over", Build: func() *instrument.Node { return x.curve(s) }})
}

// at is the step that is shown.
func at(s *instrument.State, p *play) int { return max(0, min(s.Int("step"), len(p.s.Steps)-1)) }

// stage is the drawing of the step with its clock.
func stage(s *instrument.State, m *memo, x *subject) *instrument.Node {
	box := instrument.El("div", instrument.Class("part"))
	p := m.of(s)
	if p == nil {
		box.Kids = append(box.Kids, instrument.Note(undrawn(x)))
		return box
	}
	k := at(s, p)
	fig := instrument.El("figure", instrument.Class("collective"), instrument.SVG(p.svg(s.ID("step"), k)))
	if text := p.caption(k); text != "" {
		fig.Kids = append(fig.Kids, instrument.El("figcaption", text))
	}
	box.Kids = append(box.Kids, fig)
	if len(p.s.Steps) > 0 {
		box.Kids = append(box.Kids, instrument.El("p", instrument.Class("clock"), "After this step: "+p.soFar(k+1)+"."))
	}
	return box
}

// undrawn says why there are no steps to be seen.
func undrawn(x *subject) string {
	switch {
	case x.adds:
		return "The steps of a tree whose switches add are not drawn; the law and the curve below hold for it. For a single node they are."
	case x.net == slice:
		return "The steps of a broadcast over several axes are not drawn: the law below counts on trees that share no link, as fast as the narrowest cut lets the array in. On a ring or a line they are."
	}
	return "The steps of so many are not drawn; the law and the curve below hold."
}

// caption says what is drawn where that is not plain.
func (p *play) caption(k int) string {
	text := ""
	if p.stand != "" {
		text = "Drawn are " + p.stand + " " + p.x.who() + "s, of the same kind, with messages as large. "
	}
	if p.x.net == slice && len(p.sides) == 3 && p.sides[2] > 1 {
		text += "Each block is a plane of the third axis; slanted arrows go to the next plane or come from the one before. "
	}
	switch {
	case p.s.Chips > inFull && p.owning(k):
		text += "Each box is filled as far as the sum of its " + p.x.who() + "'s own piece is complete. "
	case p.s.Chips > inFull:
		text += "Each box is filled as far as its " + p.x.who() + " has what it will hold. "
	}
	return text + p.apart()
}

// apart says why the steps drawn take longer than the law, where they do.
func (p *play) apart() string {
	t, law := p.clock(len(p.s.Steps)), p.x.cost.Time
	if p.stand != "" || float64(t) <= float64(law)*1.005 {
		return ""
	}
	why := "each step waits for the one before"
	switch {
	case p.x.net == tree && p.units != nil && p.half+len(p.s.Steps) > 1:
		why = "one level waits for the other; the law has them work at the same time, in small pieces"
	case p.x.c.Op == network.Broadcast:
		why = "here are " + strconv.Itoa(len(p.s.Sizes)) + " pieces, and the law is that of very many"
	case p.x.adds:
		why = "here are " + strconv.Itoa(sums) + " pieces, and the law is that of very many"
	case p.x.c.Op == network.AllToAll:
		why = "links wait for the busiest one in each step; the law has all work at the same time, in small pieces"
	case len(p.sides) > 1:
		why = "the axes get equal shares here, and the law has the best mixture"
	}
	return "Drawn so, it takes " + t.Quantity().String() + ", the law's " + law.Quantity().String() + " being a bound: " + why + "."
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
