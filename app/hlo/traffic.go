package hlo

import "strings"

// free are the operations that move nothing: names for what is there, and the ends of what was begun before.
const free = "|parameter|constant|tuple|get-tuple-element|bitcast|after-all|add-dependency|partition-id|replica-id|" +
	"opt-barrier|domain|while|call|conditional|async|"

// traffic adds the bytes that an operation reads and writes in each memory.
func (o *Op) traffic(c *Cost) {
	if strings.Contains(free, "|"+o.Code+"|") || o.ends() || o.isMark() {
		return
	}
	result := &o.Shape
	switch o.Code {
	case "slice", "dynamic-slice", "gather":
		o.partly(c)
		return
	case "dynamic-update-slice":
		c.moves(o.operand(1), 2)
		return
	case "scatter":
		arrays := (len(o.Operands) - 1) / 2 // each with its updates; the places stand between them
		c.moves(o.operand(arrays), 1)
		for i := range arrays {
			c.moves(o.operand(arrays+1+i), 2)
		}
		return
	case "send":
		c.moves(o.operand(0), 1)
		return
	case "recv":
		c.moves(o.gives(), 1)
		return
	case "custom-call":
		for i := range result.Tuple {
			if part := &result.Tuple[i]; !o.scratch(i, part) {
				c.moves(part, 1)
			}
		}
		if len(result.Tuple) > 0 {
			result = &Shape{}
		}
	}
	c.moves(result, 1)
	for i := range o.Operands {
		c.moves(o.operand(i), 1)
	}
}

// partly is the traffic of an operation that reads only as much as it gives, and the places from which.
func (o *Op) partly(c *Cost) {
	from, gives := o.operand(0), &o.Shape
	c.moves(gives, 1)
	part := *gives
	part.Layout.Space = from.Layout.Space
	c.moves(&part, 1)
	if o.Code == "gather" {
		c.moves(o.operand(1), 1)
	}
}

// moves adds the bytes of a shape, so many times.
func (c *Cost) moves(s *Shape, times float64) {
	c.HBM += s.In(0) * times
	c.VMEM += s.In(1) * times
}

// fused adds what a fusion moves: its result, and each operand, or of one that the computation only cuts pieces out of
// those pieces.
func (m *Module) fused(o *Op, c *Cost, inside *Computation) {
	result := &o.Shape
	use := m.uses(inside, 0)
	for i := range o.Operands {
		u := use[i]
		switch {
		case u == nil || u.whole:
			c.moves(o.operand(i), 1)
		default:
			space := o.operand(i).Layout.Space
			for _, piece := range u.pieces {
				part := *piece
				part.Layout.Space = space
				c.moves(&part, 1)
			}
			if u.updated != nil && len(result.Tuple) == 0 {
				result = u.updated
			}
		}
	}
	c.moves(result, 1)
}
