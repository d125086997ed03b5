package build

import (
	"encoding/binary"
	"slices"
)

// Before each call, Go's code grows its stack by a word and writes there where the callee returns to: a number of 64
// bits, with the function's slot (PC_F) in its upper half and the place in the function (PC_B) in the lower 16 bits.
//
//	local.get $sp  i32.const 8  i32.sub  local.tee $sp  global.set $SP
//	local.get $sp  i64.const PC_F<<16|PC_B  i64.store
//
// What differs from function to function, in the midst of what is always the same, keeps gzip from finding the same
// again. So a function notes its number once, in a local variable, and one function, $push, does the rest:
//
//	i32.const PC_B-1  local.get $self  call $push  local.set 0
//
// $push takes the stack's place from the register SP and leaves the variable $sp as it is. Nobody reads that before the
// call, and behind the call it is taken from the register anyway; a call where this can't be seen stays as it was. What
// $push gives is PC_B, for the next call, which often has the next number (counts.go).

// Local variables of Go's functions, behind the place where they are entered (PC_B): a copy of the register SP and,
// new, the function's number; those of Go follow.
const localSP, localSelf = 1, 2

// pushes is how many instructions write where a call returns to.
const pushes = 8

// shareReturns lets the functions of a program call $push, which is added to it. What isn't as Go's compiler writes it
// stays.
func (s sections) shareReturns() bool {
	types, functions, code := s.body(typeSection), s.body(functionSection), s.body(codeSection)
	if types == nil || functions == nil || code == nil {
		return true
	}
	imported, ok := 0, true
	if imports := s.body(importSection); imports != nil {
		imported, ok = importedFunctions(*imports)
	}
	c := &reader{b: *code}
	count := c.unsigned()
	var bodies [][]byte
	for i := 0; i < count && !c.bad; i++ {
		bodies = append(bodies, sized(withPush(c.bytes(c.unsigned()), i, imported+count)))
	}
	if !ok || c.bad {
		return false
	}
	kind, ok := appended(types, []byte{0x60, 2, i32, i32, 1, i32})
	if !ok {
		return false
	}
	_, ok = appended(functions, binary.AppendUvarint(nil, uint64(kind)))
	*code = vector(append(bodies, sized(push())))
	return ok
}

// push is the function (PC_B less one, number of the function) -> PC_B.
func push() []byte {
	var c coder
	c.raw(0, opGlobalGet, registerSP).number(8).raw(opI32Sub, opGlobalSet, registerSP, opGlobalGet, registerSP)
	c.get(1).number(slots).raw(opI32Add).number(16).raw(opI32ShiftLeft)
	c.get(0).number(1).raw(opI32Add, opLocalTee, 0, opI32Or, opExtend, opI64Store, 3, 0)
	return c.get(0).raw(opEnd).b
}

// withPush is the body of the function with this number, with calls of $push.
func withPush(body []byte, number, push int) []byte {
	all, ok := instructions(body)
	if !ok {
		return body
	}
	found := returns(all, number)
	self, r := appendSigned([]byte{opI32Const}, number), rewrite(body)
	noted := len(found) > 1
	if noted {
		locals := body[:all[0].begin]
		if len(locals) < 3 || locals[0] >= 0x80 || locals[1] != 1 || locals[2] != i32 { // the first group is $sp alone
			return body
		}
		r.out, r.done = slices.Concat(locals[:1], []byte{2}, locals[2:]), len(locals)
		r.replace(all[1], all[1], append(slices.Concat([]byte{opLocalSet, localSP}, self), opLocalSet, localSelf))
		self = []byte{opLocalGet, localSelf}
	}
	for i := 0; i < len(all); i++ {
		switch c := all[i]; {
		case len(found) > 0 && i == found[0]:
			place := appendSigned([]byte{opI32Const}, int(all[i+6].number&placeMask)-1)
			r.replace(c, all[i+pushes-1], call(append(place, self...), push, opLocalSet, 0))
			i, found = i+pushes-1, found[1:]
		case noted && opLocalGet <= c.op && c.op <= opLocalTee && c.number >= localSelf:
			r.replace(c, c, binary.AppendUvarint([]byte{c.op}, uint64(c.number)+1))
		}
	}
	return r.end()
}

// returns finds where a function writes what its callees return to; nothing where its copy of the register SP isn't
// always equal to that.
func returns(all []instruction, number int) (found []int) {
	if !copiesSP(all) {
		return nil
	}
	for i, c := range all {
		fromSP := i > 0 && is(all[i-1], opGlobalGet, registerSP)
		toSP := i+1 < len(all) && is(all[i+1], opGlobalSet, registerSP)
		switch {
		case is(c, opLocalSet, localSP) && !fromSP, is(c, opLocalTee, localSP) && !toSP,
			is(c, opGlobalSet, registerSP) && (i == 0 || !is(all[i-1], opLocalTee, localSP)):
			return nil
		case i+pushes < len(all) && isReturn(all[i:], number) && callFollows(all[i+pushes:]):
			found = append(found, i)
		}
	}
	return found
}

// copiesSP says whether instructions begin with copying the register SP.
func copiesSP(all []instruction) bool {
	return len(all) > 1 && is(all[0], opGlobalGet, registerSP) && is(all[1], opLocalSet, localSP)
}

func is(c instruction, op byte, number int64) bool { return c.op == op && c.number == number }

// isReturn says whether instructions begin with those that write where a call in this function returns to.
func isReturn(all []instruction, number int) bool {
	to := all[6].number
	return is(all[0], opLocalGet, localSP) && is(all[1], opI32Const, 8) && all[2].op == opI32Sub &&
		is(all[3], opLocalTee, localSP) && is(all[4], opGlobalSet, registerSP) && is(all[5], opLocalGet, localSP) &&
		all[6].op == opI64Const && to>>16 == int64(slots+number) && is(all[7], opI64Store, 0)
}

// callFollows says whether instructions come to a call, behind which the copy of the register SP is made anew, and
// don't use it before.
func callFollows(all []instruction) bool {
	for i, c := range all {
		switch {
		case c.op == opCall, c.op == opCallIndirect:
			return copiesSP(all[i+1:])
		case c.op < opDrop, c.number == localSP && opLocalGet <= c.op && c.op <= opLocalTee,
			c.number == registerSP && (c.op == opGlobalGet || c.op == opGlobalSet):
			return false
		}
	}
	return false
}

// Opcodes that only this needs.
const (
	opI32Or, opI32ShiftLeft = 0x72, 0x74
)
