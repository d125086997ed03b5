package build

// Before a call, $push wants the number of the place before the one that the call returns to, and gives that of the
// latter, which goes into local variable 0 (PC_B). Places are numbered in order; and where a function is entered again,
// PC_B is the place. So at most calls the variable holds the number that $push wants:
//
//	i32.const 4  local.get $self  call $push  local.set 0   ->   local.get 0  local.get $self  call $push  local.set 0
//
// These instructions are the same for all such calls, so that gzip finds them again together with what is around them.

// counted is a function's body in which calls take the number of their place from PC_B, where it is known to be there.
func counted(body []byte, push int) []byte {
	all, ok := instructions(body)
	if !ok {
		return body
	}
	before, ok := placesKnown(body, all, push)
	if !ok {
		return body
	}
	r := rewrite(body)
	for i := 2; i < len(all); i++ {
		if c := all[i-2]; is(all[i], opCall, int64(push)) && c.op == opI32Const && before[i-2].is(c.number) {
			r.replace(c, c, []byte{opLocalGet, 0})
		}
	}
	return r.end()
}

// held is what is known of PC_B at an instruction.
type held struct {
	reached bool  // whether the instruction may run
	varies  bool  // whether it may be one of several numbers, or any
	number  int64 // else it is this one
}

func (k held) is(number int64) bool { return k.reached && !k.varies && k.number == number }

// or is what is known where two paths meet.
func (k held) or(other held) held {
	switch {
	case !k.reached:
		return other
	case other.reached && (other.varies || other.number != k.number):
		k.varies = true
	}
	return k
}

// placesKnown is what is known of PC_B before each instruction; not ok where something isn't understood. Where PC_B
// only helps to put a zero below a value it stays as it was, because splitting leaves that out.
func placesKnown(body []byte, all []instruction, push int) (before []held, ok bool) {
	now := held{reached: true, varies: true}
	before = make([]held, len(all))
	var open []held // for the blocks around an instruction, what is known where branches to them lead
	join := func(depth int, k held) {
		if i := len(open) - 1 - depth; i >= 0 {
			open[i] = open[i].or(k)
		}
	}
	for i, c := range all {
		before[i] = now
		switch c.op {
		case opElse:
			return nil, false
		case opBlock:
			open = append(open, held{})
		case opIf:
			open = append(open, now)
		case opLoop: // branches lead back to here, with any number
			now.varies = true
			open = append(open, held{})
		case opEnd:
			if len(open) == 0 {
				return before, i == len(all)-1
			}
			last := len(open) - 1
			now, open = now.or(open[last]), open[:last]
		case opBr:
			join(int(c.number), now)
			now = held{}
		case opBrIf:
			join(int(c.number), now)
		case opBrTable:
			entered := i > 0 && is(all[i-1], opLocalGet, 0)
			for place, depth := range targets(body[c.begin:c.end]) {
				join(depth, held{now.reached, !entered, int64(place)})
			}
			now = held{}
		case opReturn, opUnreachable:
			now = held{}
		case opLocalSet, opLocalTee:
			swaps := i+3 < len(all) && all[i+3].op == opCallIndirect && swapsZero(all[i:])
			if c.number == 0 && now.reached && !swaps {
				now = now.written(all[:i+1], push)
			}
		}
	}
	return nil, false
}

// written is what is known of PC_B once the last of these instructions has written it.
func (k held) written(all []instruction, push int) held {
	last := func(n int) instruction { return all[max(len(all)-n, 0)] }
	switch {
	case last(2).op == opI32Const:
		k.varies, k.number = false, last(2).number
	case len(all) > 3 && is(last(2), opCall, int64(push)) && last(4).op == opI32Const:
		k.varies, k.number = false, last(4).number+1
	default:
		k.varies = true
	}
	return k
}
