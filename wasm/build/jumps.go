package build

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
