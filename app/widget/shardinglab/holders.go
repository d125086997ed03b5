package shardinglab

import (
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/figure"
	"github.com/scalebook/scalebook/app/sharding"
	"github.com/scalebook/scalebook/app/widget/instrument"
)

func (x *subject) all() []*sharding.Array {
	return []*sharding.Array{&x.einsum.A, &x.einsum.B, &x.einsum.C}
}

// holders is the mesh with what each chip holds, and the chip that is looked at in words.
func (x *subject) holders(s *instrument.State) *instrument.Node {
	at := min(max(s.Int("at"), 0), x.mesh.Chips()-1)
	coords := x.mesh.Coords(at)
	drawing := figure.Mesh(x.einsum, at)
	var said []string
	for _, a := range x.all() {
		said = append(said, figure.Holds(a, x.mesh, coords))
	}
	box := div("part", s.Heading("Who holds what"),
		instrument.El("figure", instrument.Class("holders"), s.Stage(drawing.Root), instrument.El("figcaption", drawing.Note)))
	if x.mesh.Chips() > 1 {
		box.Kids = append(box.Kids, s.Control("at"))
	}
	box.Kids = append(box.Kids, instrument.El("p", instrument.Class("lab-chip"), instrument.El("b", "Chip "+strconv.Itoa(at)+" ("+figure.ChipPlace(x.mesh, coords)+")"), " holds "+strings.Join(said, "; ")+"."),
		s.Fold("holders", "As a table", true, func(bool) []*instrument.Node { return []*instrument.Node{s.Twin("held", drawing.Twin[0])} }))
	return box
}
