package build

import "slices"

// Go's compiler puts values into local variables and reads them again, as a machine with registers would. A stack
// machine needs fewer of these steps:
//
//	a value  local.set 4  local.get 1  local.get 4  ->  local.get 1  a value  local.tee 4
//	local.tee 4, if nobody reads it                 ->  nothing
//	local.get 4  local.set 4                        ->  nothing
//
// Which variables are read again follows from where branches lead. Memory is read and written in the same order as
// before, and so is everything the garbage collector looks at.

// mostLocals is how many local variables a function may have: a set of them is a number of 64 bits.
const mostLocals = 64

// withoutLocals is a function's body with fewer reads and writes of local variables; not ok where nothing changes or
// something isn't understood.
func withoutLocals(body []byte) (fewer []byte, ok bool) {
	all, ok := instructions(body)
	if !ok {
		return nil, false
	}
	live, ok := liveBehind(body, all)
	if !ok {
		return nil, false
	}
	var u user
	for i, c := range all {
		u.out = append(u.out, used{c, live[i]})
		for u.step() {
		}
	}
	if len(u.out) == len(all) {
		return nil, false
	}
	fewer = slices.Clone(body[:all[0].begin])
	for _, w := range u.out {
		fewer = append(fewer, w.op)
		fewer = append(fewer, body[w.begin+1:w.end]...)
	}
	return fewer, true
}

// liveBehind is, for each instruction, which local variables may be read behind it before they are written; not ok
// where blocks aren't understood or a function has too many variables.
func liveBehind(body []byte, all []instruction) (live []uint64, ok bool) {
	begin, ok := begins(all)
	if !ok {
		return nil, false
	}
	before := make([]uint64, len(all)+1)
	for changed := true; changed; { // again, as long as a branch back to a loop brings more
		changed = false
		var open []int // the ends of the blocks around an instruction
		target := func(depth int) uint64 {
			k := len(open) - 1 - depth
			if k < 0 {
				return 0
			}
			if first := begin[open[k]]; all[first].op == opLoop {
				return before[first]
			}
			return before[open[k]]
		}
		for i := len(all) - 1; i >= 0; i-- {
			now := before[i+1]
			switch c := all[i]; c.op {
			case opEnd:
				if i < len(all)-1 {
					open = append(open, i)
				}
			case opBlock, opLoop, opIf:
				if c.op == opIf {
					now |= before[open[len(open)-1]]
				}
				open = open[:len(open)-1]
			case opBr:
				now = target(int(c.number))
			case opBrIf:
				now |= target(int(c.number))
			case opBrTable:
				now = 0
				for _, depth := range targets(body[c.begin:c.end]) {
					now |= target(depth)
				}
			case opReturn, opUnreachable:
				now = 0
			case opLocalSet, opLocalTee:
				now &^= 1 << c.number
			case opLocalGet:
				now |= 1 << c.number
			}
			if before[i] != now {
				before[i], changed = now, true
			}
		}
	}
	return before[1:], true
}

// begins is where the block begins that each end ends, but for that of the function; not ok where blocks or variables
// aren't understood.
func begins(all []instruction) (begin map[int]int, ok bool) {
	begin = map[int]int{}
	var open []int
	for i, c := range all {
		switch c.op {
		case opBlock, opLoop, opIf:
			open = append(open, i)
		case opEnd:
			if len(open) == 0 {
				return begin, i == len(all)-1
			}
			begin[i], open = open[len(open)-1], open[:len(open)-1]
		case opElse:
			return nil, false
		case opLocalGet, opLocalSet, opLocalTee:
			if c.number < 0 || c.number >= mostLocals {
				return nil, false
			}
		}
	}
	return nil, false
}

// opElse is an opcode that Go's compiler doesn't write.
const opElse = 0x05

// used is an instruction and the variables that may be read behind it.
type used struct {
	instruction
	live uint64
}

// dead says whether nobody reads the variable of an instruction behind it.
func (u used) dead() bool { return u.live>>u.number&1 == 0 }

// user writes a function's instructions anew, so that values are used where they are made.
type user struct{ out []used }

// step lets the last instructions be fewer, and says whether it could.
func (u *user) step() bool {
	n := len(u.out)
	if n < 2 {
		return false
	}
	c, before := u.out[n-1], u.out[n-2]
	switch {
	case c.op == opLocalTee && c.dead():
		u.out = u.out[:n-1]
	case c.op == opLocalSet && (c.dead() && gives(before.op) || is(before.instruction, opLocalGet, c.number)):
		u.out = u.out[:n-2]
	case c.op == opLocalGet && c.number != 0: // split.go looks for what is done with PC_B
		return u.move()
	default:
		return false
	}
	return true
}

// gives says whether an instruction only gives a value that was there before.
func gives(op byte) bool {
	return op == opLocalGet || op == opGlobalGet || opI32Const <= op && op <= opF64Const
}

// mostBetween is how many instructions may lie between where a variable is written and where it is read.
const mostBetween = 4

// move takes the value that a variable got to where the last instruction reads it, if nothing lies in between but what
// gives other values; these then come first.
func (u *user) move() bool {
	n := len(u.out)
	read := u.out[n-1]
	set := n - 2
	for set >= 0 && gives(u.out[set].op) && !is(u.out[set].instruction, opLocalGet, read.number) {
		set--
	}
	if set < 0 || !is(u.out[set].instruction, opLocalSet, read.number) || n-2-set > mostBetween {
		return false
	}
	between := slices.Clone(u.out[set+1 : n-1])
	begin := set
	if len(between) > 0 {
		if begin = u.begin(set, between); begin < 0 {
			return false
		}
	}
	for i := range between { // they now lie before all that the value needs
		between[i].live = ^uint64(0)
	}
	value := slices.Clone(u.out[begin:set])
	u.out = append(append(u.out[:begin], between...), value...)
	if read.op = opLocalTee; !read.dead() {
		u.out = append(u.out, read)
	}
	return true
}

// begin is where the value begins that is written at an instruction; -1 where others can't come before it.
func (u *user) begin(set int, others []used) int {
	for at, need := set-1, 1; at >= 0; at-- {
		c := u.out[at]
		takes, gives := effect(c.op)
		if takes < 0 || !gives || c.op == opLocalTee && slices.ContainsFunc(others, func(o used) bool {
			return is(o.instruction, opLocalGet, c.number)
		}) {
			return -1
		}
		if need += takes - 1; need == 0 {
			return at
		}
	}
	return -1
}
