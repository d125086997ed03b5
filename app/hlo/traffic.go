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

// use is what a computation does with a parameter: cuts pieces out of it, writes a piece into it, or all else.
type use struct {
	whole   bool
	pieces  []*Shape
	updated *Shape // the piece that is written into it
}

// maxFused is how deep fusions within fusions are followed; below that they count as reading all.
const maxFused = 8

// uses are the uses of each parameter, by its number. What renames a parameter, or pads it, counts as the parameter; of
// a fusion within counts what that does with it.
func (m *Module) uses(c *Computation, depth int) map[int]*use {
	if c.used != nil || depth > maxFused {
		return c.used
	}
	of, all := map[int]*use{}, map[int]*use{} // by operation, by parameter
	c.used = all                              // also for one that holds itself
	for i := range c.Ops {
		o := &c.Ops[i]
		if o.Code == "parameter" {
			if ns, ok := numbers(o.inside); ok && len(ns) == 1 {
				u := &use{whole: o.Root}
				of[i], all[int(ns[0])] = u, u
			}
			continue
		}
		within := m.within(o, depth)
		for k := range o.Operands {
			u := of[o.Operands[k].From]
			switch {
			case u == nil:
			case !o.Root && (o.Code == "bitcast" || o.Code == "get-tuple-element" || o.Code == "pad" && k == 0):
				of[i] = u
			default:
				u.add(c, o, k, within)
			}
		}
	}
	return all
}

// within are the uses of the operands of a fusion; nil of all else.
func (m *Module) within(o *Op, depth int) map[int]*use {
	if o.Code != "fusion" {
		return nil
	}
	for _, name := range o.calls("calls") {
		if inner := m.named[name]; inner != nil {
			return m.uses(inner, depth+1)
		}
	}
	return nil
}

// add adds what an operation does with its operand k, which is the parameter.
func (u *use) add(c *Computation, o *Op, k int, within map[int]*use) {
	inner := within[k]
	switch {
	case inner != nil && !inner.whole && inner.updated == nil:
		u.pieces = append(u.pieces, inner.pieces...)
	case k == 0 && (o.Code == "slice" || o.Code == "dynamic-slice" || o.Code == "gather"):
		u.pieces = append(u.pieces, c.cut(o))
	case k == 0 && o.Code == "dynamic-update-slice" && o.Root:
		u.updated = o.operand(1)
	default:
		u.whole = true
	}
}

// cut is what a slice reads: of an array that was padded no more than the array has along each dimension.
func (c *Computation) cut(o *Op) *Shape {
	from := &c.Ops[o.Operands[0].From]
	padded := from.operand(0).Dims
	if from.Code != "pad" || len(padded) != len(o.Shape.Dims) {
		return &o.Shape
	}
	part := o.Shape
	part.Dims = make([]float64, len(padded))
	for i := range padded {
		part.Dims[i] = min(o.Shape.Dims[i], padded[i])
	}
	return &part
}
