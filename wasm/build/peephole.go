package build

import (
	"encoding/binary"
)

// A peephole optimizer: what Go's compiler writes into each function many times is written here in ways that mean the
// same, but pack better. Anything that isn't understood stays as it is.
//
// The address of each argument that a function puts on its stack is made in full: the stack's place, widened to 64
// bits, a constant, a sum, cut to 32 bits again. WebAssembly's loads and stores can add a constant themselves. The two
// differ only for a place less than that constant below 4 GiB, where no stack is; so the constant moves into the load
// or the store, and what made the sum goes.
//
// After each call a function leaves, if its stack is being left, by a branch to its last two instructions, which give
// 1. The branch counts the blocks in between, and the count differs from call to call. To give 1 right there is longer,
// but always the same.

// Opcodes of the WebAssembly binary format that are needed here.
const (
	opBlock, opLoop, opIf    = 0x02, 0x03, 0x04
	opBr, opBrIf, opBrTable  = 0x0c, 0x0d, 0x0e
	opReturn                 = 0x0f
	opCall, opCallIndirect   = 0x10, 0x11
	opDrop, opSelect         = 0x1a, 0x1b
	opLocalGet, opLocalSet   = 0x20, 0x21
	opLocalTee               = 0x22
	opGlobalGet, opGlobalSet = 0x23, 0x24
	opLoad, opStore          = 0x28, 0x36 // the first of each
	opMemorySize, opGrow     = 0x3f, 0x40
	opI64Const               = 0x42
	opF32Const, opF64Const   = 0x43, 0x44
	opI32Add, opI64Add       = 0x6a, 0x7c
	opWrap, opExtend         = 0xa7, 0xad // 64 bits to 32, 32 unsigned to 64
	opLast                   = 0xc4       // of those with one byte
	opMore                   = 0xfc       // begins those with two
)

// farthest is the largest constant that is moved.
const farthest = 1 << 20

// instruction is one of a function: its opcode, where it lies, and its number: a constant, a count of blocks, the
// offset of a load or a store.
type instruction struct {
	op         byte
	begin, end int
	number     int64
}

// peephole is a function's body with its sums moved into loads and stores, its branches to the end written out, and its
// jumps forward made directly (jumps.go).
func peephole(body []byte) []byte {
	code, ok := instructions(body)
	if !ok {
		return body
	}
	into, leaves, forward := sums(code), exits(code), jumps(body, code)
	out := append(make([]byte, 0, len(body)+len(body)/8), body[:code[0].begin]...)
	for i := 0; i < len(code); i++ {
		j, jumps := forward[i]
		switch c := code[i]; {
		case jumps:
			out = binary.AppendUvarint(append(out, j.op), uint64(j.depth))
			i += j.instructions - 1
		case into[i] > 0: // a load or a store takes over the sum that begins at this instruction
			add := code[into[i]+1].number
			out = append(append(out, c.op), body[c.begin+1]) // how the address is aligned takes one byte
			out = binary.AppendUvarint(out, uint64(c.number+add))
		case into[i] < 0: // the four instructions of a sum that was taken over
			i += 3
		case leaves[i] && c.op == opBrIf:
			out = append(out, opIf, empty, opI32Const, 1, opReturn, opEnd)
		case leaves[i]:
			out = append(out, opI32Const, 1, opReturn)
		default:
			out = append(out, body[c.begin:c.end]...)
		}
	}
	return out
}

// empty is the type of a block that takes and gives nothing.
const empty = 0x40

// exits finds the branches that lead out of the outermost block to the end of the function, where it gives 1.
func exits(code []instruction) []bool {
	found := make([]bool, len(code))
	last := len(code) - 3 // the end of the block, the number, the end of the function
	if last < 0 || code[last].op != opEnd || code[last+1].op != opI32Const || code[last+1].number != 1 ||
		code[last+2].op != opEnd {
		return found
	}
	depth, outer := 0, -1 // how many blocks are open; where the first of those was opened
	for i, c := range code[:last] {
		switch c.op {
		case opBlock, opLoop, opIf:
			if depth == 0 {
				outer = i
			}
			depth++
		case opEnd:
			depth--
		}
		found[i] = (c.op == opBr || c.op == opBrIf) && depth > 0 && c.number == int64(depth-1)
	}
	if depth != 1 || code[outer].op != opBlock || code[outer].number != empty {
		return make([]bool, len(code))
	}
	for i := range outer {
		found[i] = false
	}
	return found
}

// sums finds, for each load and store, the sum that its address is: into holds where that begins, and -1 there.
func sums(code []instruction) []int {
	into := make([]int, len(code))
	var stack []int // what made each value, as far as it is known
	for i, c := range code {
		takes, gives := effect(c.op)
		if takes < 0 || takes > len(stack) {
			stack, takes = stack[:0], 0
		}
		values := stack[len(stack)-takes:]
		if opLoad <= c.op && c.op < opMemorySize && takes > 0 {
			if at := values[0] - 3; isSum(code, at) && c.number < farthest {
				into[i], into[at] = at, -1
			}
		}
		stack = stack[:len(stack)-takes]
		if gives {
			stack = append(stack, i)
		}
	}
	return into
}

// isSum says whether a local variable of 32 bits and a small constant are added in these four instructions.
func isSum(code []instruction, at int) bool {
	return at > 0 && code[at-1].op == opLocalGet && code[at].op == opExtend && code[at+1].op == opI64Const &&
		code[at+2].op == opI64Add && code[at+3].op == opWrap && code[at+1].number >= 0 && code[at+1].number < farthest
}

// effect is how many values an instruction takes and whether it gives one; -1 where that isn't known here, and after
// which nothing is known of the values below.
func effect(op byte) (takes int, gives bool) {
	switch {
	case op == opLocalGet, op == opGlobalGet, opI32Const <= op && op <= opF64Const, op == opMemorySize:
		return 0, true
	case op == opLocalSet, op == opGlobalSet, op == opDrop:
		return 1, false
	case op == opLocalTee, opLoad <= op && op < opStore, op == opGrow:
		return 1, true
	case opStore <= op && op < opMemorySize:
		return 2, false
	case op == opSelect:
		return 3, true
	case op < 0x45 || op > opLast:
		return -1, false
	case op == 0x45, op == 0x50, 0x67 <= op && op <= 0x69, 0x79 <= op && op <= 0x7b, 0x8b <= op && op <= 0x91,
		0x99 <= op && op <= 0x9f, op >= opWrap: // is it zero, counts of bits, functions of one number, conversions
		return 1, true
	}
	return 2, true
}

// instructions takes a function's body apart.
func instructions(body []byte) ([]instruction, bool) {
	r := &reader{b: body}
	for range r.unsigned() {
		r.unsigned()
		if r.byte(); r.bad {
			return nil, false
		}
	}
	code := make([]instruction, 0, len(body)/2)
	for r.at < len(body) {
		c := instruction{begin: r.at}
		c.op = r.byte()
		c.number = r.operands(c.op)
		c.end = r.at
		code = append(code, c)
	}
	return code, !r.bad && len(code) > 0
}

// operands reads what follows an opcode, and returns the number that matters here.
func (r *reader) operands(op byte) int64 {
	switch {
	case op == opI32Const, op == opI64Const:
		return r.long()
	case op == opBlock, op == opLoop, op == opIf, op == opMemorySize, op == opGrow:
		return int64(r.byte())
	case op == opBr, op == opBrIf, op == opCall, opLocalGet <= op && op <= opGlobalSet:
		return int64(r.unsigned())
	case op == opCallIndirect:
		r.unsigned()
		r.unsigned()
	case op == opBrTable:
		for n := r.unsigned(); n >= 0 && !r.bad; n-- {
			r.unsigned()
		}
	case opLoad <= op && op < opMemorySize:
		r.byte()
		return int64(r.unsigned())
	case op == opF32Const:
		r.bytes(4)
	case op == opF64Const:
		r.bytes(8)
	case op == opMore:
		r.more()
	case 0x05 < op && op < opEnd,
		opReturn < op && op < opDrop,
		opSelect < op && op < opLocalGet,
		0x24 < op && op < opLoad,
		op > opLast:
		r.bad = true
	}
	return 0
}

// more reads what follows the first byte of an opcode of two: conversions, and copying and filling memory.
func (r *reader) more() {
	switch n := r.unsigned(); {
	case n < 8:
	case n == 10:
		r.bytes(2)
	case n == 11:
		r.bytes(1)
	default:
		r.bad = true
	}
}

// long reads a signed LEB128 number of 64 bits.
func (r *reader) long() int64 {
	n := int64(0)
	for shift := 0; shift < 70; shift += 7 {
		c := r.byte()
		n |= int64(c&0x7f) << shift
		if c < 0x80 {
			if c&0x40 != 0 && shift < 57 {
				n -= 1 << (shift + 7)
			}
			return n
		}
	}
	r.bad = true
	return 0
}

// Go's compiler lets every jump within a function begin anew: it notes the block of instructions to go to in local
// variable 0, PC_B, and goes back to the begin of a loop around the whole function, where a table leads on (br_table;
// cmd/internal/obj/wasm, preprocess). That is needed to go back, and to enter a function again behind a call. But who
// jumps forward only has to leave the blocks that end there:
//
//	if  i32.const 5  local.set 0  br $loop  end   ->   br_if $block5
//
// That takes fewer bytes, and above all an engine's first compiler makes better code of it, and its second one isn't
// called for a loop that goes around a few times.

// dispatch is where a function begins: blocks around blocks, and the table that leads out of each of them.
type dispatch struct {
	loop   int   // the instruction that begins the loop around them
	blocks int   // how many there are
	table  int   // the instruction br_table
	to     []int // which block each entry of the table leaves, counted from the innermost; the last is for all others
}

// findDispatch finds it; not ok if a function has none, and no jumps then.
func findDispatch(body []byte, code []instruction) (d dispatch, ok bool) {
	for i, c := range code {
		if c.op == opBrTable {
			d.table = i
			break
		}
	}
	at := d.table - 1 // local.get 0
	if at < 1 || d.table+1 == len(code) ||
		code[at].op != opLocalGet || code[at].number != 0 || code[d.table+1].op != opEnd {
		return d, false
	}
	for at--; at >= 0 && code[at].op == opBlock && code[at].number == empty; at-- {
		d.blocks++
	}
	if d.loop = at; at < 0 || code[at].op != opLoop || code[at].number != empty || d.blocks == 0 {
		return d, false
	}
	r := &reader{b: body, at: code[d.table].begin + 1}
	for n := r.unsigned(); n >= 0; n-- {
		d.to = append(d.to, r.unsigned())
	}
	return d, !r.bad
}

// jump is one forward: how many instructions it stands for, its opcode, and how many blocks it leaves.
type jump struct {
	instructions int
	op           byte
	depth        int
}

// jumps finds those that go forward, by the instruction with which each begins.
func jumps(body []byte, code []instruction) map[int]jump {
	d, ok := findDispatch(body, code)
	if !ok {
		return nil
	}
	found := map[int]jump{}
	closed, inner := 0, 0 // blocks of the table that have ended, and other ones that are open
	for i := d.table + 1; i < len(code) && closed <= d.blocks; i++ {
		switch code[i].op {
		case opBlock, opLoop, opIf:
			inner++
		case opEnd:
			if inner == 0 {
				closed++
			} else {
				inner--
			}
		case opI32Const:
			to, ok := d.jumpsTo(code, i, inner+d.blocks-closed)
			switch {
			case !ok || to < closed: // back
			case code[i-1].op == opIf && code[i-1].number == empty && code[i+3].op == opEnd:
				found[i-1] = jump{5, opBrIf, inner + to - closed - 1}
			default:
				found[i] = jump{3, opBr, inner + to - closed}
			}
		}
	}
	return found
}

// jumpsTo is the block to whose end the jump leads that begins with instruction i, out of as many blocks up to the
// loop; not ok if none begins there.
func (d *dispatch) jumpsTo(code []instruction, i, out int) (block int, ok bool) {
	if i+3 >= len(code) || code[i+1].op != opLocalSet || code[i+1].number != 0 || code[i+2].op != opBr ||
		code[i+2].number != int64(out) || code[i].number < 0 || code[i].number >= int64(len(d.to)) {
		return 0, false
	}
	block = d.to[code[i].number]
	return block, block < d.blocks
}
