package build

import (
	"encoding/binary"
	"slices"
	"strings"
)

// A second peephole optimizer, behind all that reads code as Go's compiler writes it: where a few instructions in a row
// do what fewer do, it writes those. Then blocks to whose end nothing leads any more go, and their counts in branches.
//
//	i64.const  i32.wrap                                   ->  i32.const
//	i64.load  i32.wrap, i64.extend  i64.store8            ->  i32.load, i32.store8
//	i64.lt  i32.eqz                                       ->  i64.ge
//	call of what never returns  if  i32.const 1  return   ->  call  return
//	frame off the stack, then the place to return to      ->  both at once
//	i64.extend  i64.const  i64.add  i32.wrap              ->  i32.const  i32.add
//
// In between, values are used where they are made (locals.go).

// Opcodes that only this needs.
const (
	opNop                               = 0x01
	opI32Eqz, opI64Eqz                  = 0x45, 0x50
	opI64Load                           = 0x29
	opI64Store8, opI64Store16, opI64Low = 0x3c, 0x3d, 0x3e // the last stores 32 bits
)

// opposite are comparisons of whole numbers, each with the one that is true where it is false. Those of numbers with a
// point have none: of two that can't be compared neither is less.
var opposite = pairs([][2]byte{
	{0x46, 0x47}, {0x48, 0x4e}, {0x49, 0x4f}, {0x4a, 0x4c}, {0x4b, 0x4d}, // of 32 bits: eq ne, lt ge, gt le
	{0x51, 0x52}, {0x53, 0x59}, {0x54, 0x5a}, {0x55, 0x57}, {0x56, 0x58}, // of 64 bits
})

// pairs lead from each of two to the other.
func pairs(all [][2]byte) map[byte]byte {
	to := map[byte]byte{}
	for _, p := range all {
		to[p[0]], to[p[1]] = p[1], p[0]
	}
	return to
}

// narrow are loads and stores of numbers of 64 bits, each with what does the same with the lower 32 bits of them.
var narrow = map[byte]byte{
	opI64Load: opI32Load, 0x30: 0x2c, 0x31: opI32Load8, 0x32: 0x2e, 0x33: 0x2f, 0x34: opI32Load, 0x35: opI32Load,
	opI64Store8: 0x3a, opI64Store16: 0x3b, opI64Low: opI32Store,
}

// written is an instruction and how it is written.
type written struct {
	instruction
	text []byte
}

// writing is an instruction with a number, or with none.
func writing(op byte, number int64) written {
	text := []byte{op}
	switch {
	case op == opI32Const:
		text = appendSigned(text, int(number))
	case op == opBr, op == opBrIf:
		text = binary.AppendUvarint(text, uint64(number))
	}
	return written{instruction{op: op, number: number}, text}
}

// shorten makes the code of a program shorter.
func (s sections) shorten() bool {
	code := s.body(codeSection)
	if code == nil {
		return true
	}
	m, ok := readModule(s.write())
	if !ok {
		return false
	}
	never := func(function int) bool { return neverReturns(m.name(function)) }
	out := binary.AppendUvarint(nil, uint64(len(m.bodies)))
	for _, body := range m.bodies {
		body = shorter(body, never)
		if fewer, ok := withoutLocals(body); ok {
			body = shorter(fewer, never)
		}
		out = append(out, sized(body)...)
	}
	*code = out
	return true
}

// neverReturns says whether a function of the runtime, called by the compiler, ends in a panic or on another stack.
// What it gives is always 1: the stack is being left.
func neverReturns(name string) bool {
	switch name {
	case "runtime.gopanic", sigpanic, "runtime.panicdivide", "runtime.panicshift", "runtime.panicdottypeE",
		"runtime.panicdottypeI", "runtime.panicnildottype", "runtime.panicrangestate", "runtime.panicwrap",
		"runtime.morestack", "runtime.morestack_noctxt":
		return true
	}
	return strings.HasPrefix(name, "runtime.goPanic")
}

// sigpanic is called where a pointer is nil.
const sigpanic = "runtime.sigpanic"

// shorter is a function's body with fewer instructions; never says which functions never return.
func shorter(body []byte, never func(function int) bool) []byte {
	all, ok := instructions(body)
	if !ok {
		return body
	}
	s := &shortener{never: never}
	for _, c := range all {
		s.out = append(s.out, written{c, body[c.begin:c.end]})
		for s.step() {
		}
	}
	out := slices.Clone(body[:all[0].begin])
	for _, w := range withoutBlocks(s.out) {
		out = append(out, w.text...)
	}
	return out
}

// shortener writes a function's instructions.
type shortener struct {
	out   []written
	never func(function int) bool
}

// last is the nth instruction from the end; one that does nothing where there are fewer.
func (s *shortener) last(n int) written {
	if n > len(s.out) {
		return written{instruction{op: opNop}, nil}
	}
	return s.out[len(s.out)-n]
}

// ends says whether the last instructions have these opcodes.
func (s *shortener) ends(opcodes ...byte) bool {
	for i, op := range opcodes {
		if s.last(len(opcodes)-i).op != op {
			return false
		}
	}
	return len(opcodes) <= len(s.out)
}

// replace writes others in place of the last n instructions.
func (s *shortener) replace(n int, with ...written) bool {
	s.out = append(s.out[:len(s.out)-n], with...)
	return true
}

// step makes the last instructions shorter, and says whether it could.
func (s *shortener) step() bool {
	c, before := s.last(1), s.last(2)
	to, narrows := narrow[before.op]
	not, compares := opposite[before.op]
	switch {
	case c.op == opNop && len(s.out) > 0:
		return s.replace(1)
	case c.op == opWrap && before.op == opI64Const:
		return s.replace(2, writing(opI32Const, int64(int32(before.number))))
	case c.op == opWrap && before.op == opExtend:
		return s.replace(2)
	case s.ends(opExtend, opI64Const, opI64Add, opWrap):
		return s.replace(4, writing(opI32Const, int64(int32(s.last(3).number))), writing(opI32Add, 0))
	case c.op == opWrap && before.op < opStore && narrows:
		return s.replace(2, as(before, to))
	case opI64Store8 <= c.op && c.op <= opI64Low && before.op == opExtend:
		return s.replace(2, as(c, narrow[c.op]))
	case c.op == opI64Eqz && before.op == opExtend:
		return s.replace(2, writing(opI32Eqz, 0))
	case c.op == opI32Eqz && compares:
		return s.replace(2, writing(not, 0))
	case (c.op == opIf || c.op == opBrIf) && before.op == opI32Eqz && s.last(3).op == opI32Eqz:
		return s.replace(3, c)
	case c.op == opEnd && s.ends(opCall, opGlobalGet, opLocalSet, opIf, opI32Const, opReturn, opEnd) &&
		s.last(3).number == 1 && s.never(int(s.last(7).number)):
		return s.replace(6, s.last(2))
	case c.op == opReturn:
		return s.leave()
	}
	return false
}

// leave makes it shorter to leave a function: nobody reads its copy of the register SP any more.
func (s *shortener) leave() bool {
	if !s.ends(opGlobalSet, opI32Const, opReturn) || s.last(3).number != registerSP {
		return false
	}
	switch rest := s.out[max(0, len(s.out)-3):]; {
	case is(s.last(4).instruction, opLocalTee, localSP):
		return s.replace(4, slices.Clone(rest)...)
	case s.ends(opI32Const, opI32Add, opLocalTee, opGlobalSet, opLocalGet, opI32Const, opI32Add, opGlobalSet,
		opI32Const,
		opReturn) && s.last(7).number == registerSP && s.last(8).number == localSP && s.last(6).number == localSP:
		sum := writing(opI32Const, s.last(10).number+s.last(5).number)
		return s.replace(10, append([]written{sum, s.last(9)}, slices.Clone(rest)...)...)
	}
	return false
}

// as is a load or a store with another opcode of 32 bits, whose addresses need be multiples of four at most.
func as(w written, op byte) written {
	text := slices.Clone(w.text)
	text[0], text[1] = op, min(text[1], 2)
	return written{instruction{op: op, number: w.number}, text}
}

// withoutBlocks drops blocks and loops that no branch leads to.
func withoutBlocks(all []written) (out []written) {
	end, used := blocks(all)
	var open []bool // whether each block that is open stays
	drop := map[int]bool{}
	// depth counts the blocks that stay among those that a branch leaves.
	depth := func(before int) int {
		n := 0
		for _, stays := range open[max(0, len(open)-before):] {
			if stays {
				n++
			}
		}
		return n
	}
	for i, w := range all {
		switch w.op {
		case opBlock, opLoop, opIf:
			stays := w.op == opIf || w.number != empty || used[i]
			if open = append(open, stays); !stays {
				drop[i], drop[end[i]] = true, true
			}
		case opEnd:
			open = open[:max(0, len(open)-1)]
		case opBr, opBrIf:
			if to := depth(int(w.number)); to != int(w.number) {
				w = writing(w.op, int64(to))
			}
		case opBrTable:
			table := targets(w.text)
			w.text = binary.AppendUvarint([]byte{opBrTable}, uint64(len(table)-1))
			for _, to := range table {
				w.text = binary.AppendUvarint(w.text, uint64(depth(to)))
			}
		}
		if !drop[i] {
			out = append(out, w)
		}
	}
	if n := len(out); n > 3 && out[n-3].op == opUnreachable && out[n-2].op == opI32Const { // what the function gives
		out = append(out[:n-2], out[n-1])
	}
	return out
}

// blocks finds where each block ends and which ones branches lead to, by where they begin.
func blocks(all []written) (end map[int]int, used map[int]bool) {
	end, used = map[int]int{}, map[int]bool{}
	var open []int
	use := func(depth int) {
		if k := len(open) - 1 - depth; k >= 0 {
			used[open[k]] = true
		}
	}
	for i, w := range all {
		switch w.op {
		case opBlock, opLoop, opIf:
			open = append(open, i)
		case opEnd:
			if k := len(open) - 1; k >= 0 {
				end[open[k]] = i
				open = open[:k]
			}
		case opBr, opBrIf:
			use(int(w.number))
		case opBrTable:
			for _, to := range targets(w.text) {
				use(to)
			}
		}
	}
	return end, used
}

// targets are the entries of a table of branches, as it is written; the last is for all others.
func targets(table []byte) (all []int) {
	r := &reader{b: table, at: 1}
	for n := r.unsigned(); n >= 0 && !r.bad; n-- {
		all = append(all, r.unsigned())
	}
	return all
}
