package build

import "encoding/binary"

// rewriter copies a function's body and replaces instructions on the way.
type rewriter struct {
	body, out []byte
	done      int
}

func rewrite(body []byte) *rewriter {
	return &rewriter{body: body, out: make([]byte, 0, len(body)+len(body)/16)}
}

// replace writes what stands instead of the instructions from first to last.
func (r *rewriter) replace(first, last instruction, with []byte) {
	r.out = append(append(r.out, r.body[r.done:first.begin]...), with...)
	r.done = last.end
}

func (r *rewriter) end() []byte { return append(r.out, r.body[r.done:]...) }

// call appends a call of a function, and what follows it.
func call(out []byte, function int, then ...byte) []byte {
	return append(binary.AppendUvarint(append(out, opCall), uint64(function)), then...)
}

// slotOf appends the number of a function's slot.
func slotOf(out []byte, function int) []byte {
	return appendSigned(append(out, opI32Const), slots+function)
}

// rewritten is a function's body in its module. Most calls enter a function at its begin (PC_B is 0). A module that is
// the last knows that all functions are there when it runs, so that it notes no slots.
func (s *splitter) rewritten(i int) []byte {
	body, k := s.bodies[i], s.in[i]
	enter, through, last := s.enter, s.through, k == modules-1
	if k != inFirst {
		enter, through = s.later[k].enter, s.later[k].enter+1
	}
	r, all := rewrite(body), code(body)
	for i, c := range all {
		to := int(c.number) - s.imported
		switch {
		case c.op == opCallIndirect && i >= 3 && swapsZero(all[i-3:i]):
			r.replace(all[i-3], c, call(nil, enter))
		case c.op == opCallIndirect && !last:
			r.replace(c, c, call(nil, through))
		case c.op != opCall || to < 0:
		case s.in[to] == k:
			r.replace(c, c, call(nil, s.place[to]))
		default:
			number, imported := s.later[k].number[to]
			switch zero := i >= 1 && isZero(all[i-1]); {
			case imported:
				r.replace(c, c, call(nil, number))
			case zero:
				r.replace(all[i-1], c, call(slotOf(nil, to), enter))
			case s.in[to] > k:
				r.replace(c, c, call(slotOf(nil, to), through))
			default:
				r.replace(c, c, append(slotOf(nil, to), opCallIndirect, byte(s.ordinary), 0))
			}
		}
	}
	return r.end()
}

func isZero(c instruction) bool { return c.op == opI32Const && c.number == 0 }

// swapsZero says whether instructions put a zero below a value, by way of PC_B, which nobody reads after that.
func swapsZero(all []instruction) bool {
	return all[0].op == opLocalSet && all[0].number == 0 && isZero(all[1]) &&
		all[2].op == opLocalGet && all[2].number == 0
}

// enterSlot calls the function of a slot from its begin, by a $through of that number.
func (s *splitter) enterSlot(through int) []byte {
	var c coder
	return call(c.raw(0).number(0).get(0).b, through, opEnd)
}

// throughSlot calls the function of a slot and notes the slot before, in a global of that number: (PC_B, slot) ->
// whether the stack is being left.
func (s *splitter) throughSlot(noted int) []byte {
	var c coder
	c.raw(0).get(1).raw(opGlobalSet, byte(noted))
	return c.get(0).get(1).raw(opCallIndirect, byte(s.ordinary), 0, opEnd).b
}

// placeholder stands in for each function of a module that isn't there yet.
func (s *splitter) placeholder(module int) []byte {
	var c coder
	c.raw(0, opGlobalGet, registerSP).number(8).raw(opI32Sub)
	c.get(0).raw(opExtend, opGlobalGet, byte(s.noted), opExtend, opI64Const, 16, opI64ShiftLeft, opI64Or)
	c.raw(opI64Store, 3, 0)
	c.number(1).raw(opGlobalSet, registerPause).number(module).raw(opGlobalSet, byte(s.missing))
	return c.number(1).raw(opEnd).b
}

// Opcodes that only splitting needs.
const (
	opUnreachable           = 0x00
	opI64Store              = 0x37
	opI64Or, opI64ShiftLeft = 0x84, 0x86
)
