package hlo

import (
	"cmp"
	"strings"
)

// fused adds what a fusion moves: its result, and each operand, or of one that the computation only cuts pieces out of
// those pieces.
func (m *Module) fused(o *Op, c *Cost, inside *Computation) {
	result := &o.Shape
	use := m.uses(inside, 0)
	for i := range o.Operands {
		u := use[i]
		switch {
		case u == nil:
			c.moves(o.operand(i), 1)
		case u.whole:
			c.moves(o.operand(i), u.share)
		default:
			for _, piece := range u.pieces {
				c.moves(piece.at(o.operand(i).Layout.Space), 1)
			}
			if u.updated != nil {
				result = result.with(u.output, u.updated)
			}
		}
	}
	for _, k := range inside.kept {
		result = result.with(k, &Shape{})
	}
	for k := range o.Shape.Tuple {
		if call, part := inside.part(k); call != nil && call.workspace(part, &o.Shape.Tuple[k]) {
			result = result.with(k, &Shape{})
		}
	}
	c.moves(result, 1)
}

// part is the operation that gives a part of a computation's result, and which part of its own that is; nil if that is
// all that it gives.
func (c *Computation) part(k int) (o *Op, part int) {
	if o = c.Root(); o == nil || o.Code != "tuple" {
		return o, k
	}
	if from := o.from(k); from >= 0 && c.Ops[from].Code == "get-tuple-element" {
		part, whole := c.Ops[from].dims("index"), c.Ops[from].from(0)
		if len(part) == 1 && whole >= 0 {
			return &c.Ops[whole], int(part[0])
		}
	}
	return nil, 0
}

// use is what a computation does with a parameter: cuts pieces out of it, writes a piece into it, or all else.
type use struct {
	whole   bool
	share   float64 // of it that is needed, if it is not in pieces
	pieces  []*Shape
	updated *Shape // the piece that is written into it,
	output  int    // which is this part of the result
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
	into := map[int]*use{}                    // by operation: what is written into, and must be a result
	c.used = all                              // also for one that holds itself
	on := make([]bool, len(c.Ops))            // by operation: what goes on there with a collective
	shares := c.shares()
	for i := range c.Ops {
		o := &c.Ops[i]
		if on[i] = c.continues(o); on[i] {
			c.keeps(o, 0)
			continue
		}
		if o.Code == "parameter" {
			if ns, ok := numbers(o.inside); ok && len(ns) == 1 {
				u := &use{whole: o.Root, share: shares[i]}
				of[i], all[int(ns[0])] = u, u
			}
			continue
		}
		within := m.within(o, depth)
		for k := range o.Operands {
			from := o.Operands[k].From
			if u := into[from]; u != nil {
				if u.output = k; o.Code == "bitcast" && !o.Root {
					into[i] = u
				} else if !o.Root || o.Code != "bitcast" && o.Code != "tuple" {
					u.whole = true
				}
			}
			u := of[from]
			switch {
			case o.Root && o.Code == "tuple" && (u != nil || from >= 0 && on[from]): // it passes by
				c.keeps(o, k)
			case o.Target() == asyncStart: // its operands stand before its results
				c.keeps(o, k)
			case u == nil:
			case !o.Root && (o.Code == "bitcast" || o.Code == "get-tuple-element" || o.Code == "pad" && k == 0):
				of[i] = u
			default:
				u.add(c, o, k, within, o.Code == "scatter" && m.applied(o, depth) > 0)
				if u.updated != nil && k == 0 {
					into[i] = u
				}
			}
		}
	}
	return all
}

// shares are how much of the result of each operation a fusion needs, from 0 to 1. Each element of its own result asks
// for those that it is made of: what a slice leaves out is neither read nor computed before it. Two slices are taken to
// be of different places, and all else to need the same.
func (c *Computation) shares() []float64 {
	need := make([]float64, len(c.Ops))
	pieces := make([]float64, len(c.Ops))
	for i := len(c.Ops) - 1; i >= 0; i-- {
		o := &c.Ops[i]
		need[i] = cmp.Or(min(1, need[i]+pieces[i]), 1) // 1 of a result, which nothing takes
		for k := range o.Operands {
			from := o.Operands[k].From
			switch gives, takes := o.Shape.Elements(), o.operand(k).Elements(); {
			case from < 0:
			case k == 0 && (o.Code == "slice" || o.Code == "dynamic-slice" || o.Code == "gather"):
				pieces[from] += need[i] * gives / max(1, takes)
			case gives == takes && strings.Contains(elementwise+moved, "|"+o.Code+"|"):
				need[from] = max(need[from], need[i])
			default:
				need[from] = 1
			}
		}
	}
	return need
}

// moved are operations that give each element of what they take once, besides the elementwise ones.
const moved = "bitcast|copy|reshape|transpose|reverse|"

// keeps notes that a part of a computation's result is what lay there before.
func (c *Computation) keeps(o *Op, part int) {
	if o.Root {
		c.kept = append(c.kept, part)
	}
}

// A collective of a TPU may go on within fusions that also do work of their own. Their computations all hold it: that
// of the first one, which begins it, has a call of asyncStart behind it, and that of the last one, which waits for it,
// a call of asyncDone.
const (
	asyncStart = "AsyncCollectiveStart"
	asyncDone  = "AsyncCollectiveDone"
)

// continues tells whether an operation of a computation goes on with a collective that another fusion began, or waits
// for it.
func (c *Computation) continues(o *Op) bool {
	if o.Code == "custom-call" {
		return o.Target() == asyncDone
	}
	_, sent := sends(o.Code)
	return sent && strings.Contains(o.rest, "async_collective_fusion_config") && c.Root().Target() != asyncStart
}

// async is what a fusion does with such a collective, and its channel.
func (m *Module) async(o *Op) (target, channel string) {
	if inside := m.inside(o); o.Code == "fusion" && inside != nil && len(inside.Ops) > 0 {
		if target = inside.Root().Target(); target == asyncStart || target == asyncDone {
			for i := range inside.Ops {
				channel = cmp.Or(channel, inside.Ops[i].Attr("channel_id"))
			}
		}
	}
	return target, channel
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

// add adds what an operation does with its operand k, which is the parameter; a scatter may add to what is there.
func (u *use) add(c *Computation, o *Op, k int, within map[int]*use, adds bool) {
	inner := within[k]
	switch {
	case inner != nil && !inner.whole && inner.updated == nil:
		u.pieces = append(u.pieces, inner.pieces...)
	case k == 0 && (o.Code == "slice" || o.Code == "dynamic-slice" || o.Code == "gather"):
		u.pieces = append(u.pieces, c.cut(o))
	case k == 0 && o.Code == "dynamic-update-slice" && u.updated == nil:
		u.updated = o.operand(1)
	case k == 0 && o.Code == "scatter" && len(o.Operands) == 3 && u.updated == nil:
		u.updated = o.operand(2)
		if adds {
			u.pieces = append(u.pieces, u.updated)
		}
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
