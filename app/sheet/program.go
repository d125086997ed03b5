package sheet

import (
	"github.com/scalebook/scalebook/app/sheet/expr"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/sheet/solve"
	"github.com/scalebook/scalebook/app/sheet/syntax"
)

// program is a compiled sheet: one slot for each row, then the hidden sides of the solves, evaluated in order.
type program struct {
	slots  []slot
	order  []int // of slots: each stands after what it uses
	byName map[string]int
	long   bool     // some calls are long work
	room   int      // arguments of all calls
	found  found    // by calls of long work
	sites  []bitset // of each remembered call or field, the inputs that its value depends on
}

// slot is a row of the program, or a hidden side of a solve.
type slot struct {
	def    *expr.RowDef
	input  *input.Input // of an input
	follow *follow      // of an input that follows other lines
	expr   syntax.Expr  // of a step
	node   expr.Node    // of a step, compiled
	solve  *solve.Def   // of a solve
	sides  []int        // of a solve: the slots of its sides
	when   int          // of a row: the slot of the condition under which it is shown, 0 for always
	check  int          // of an input: the slot of the text that says why a value is refused, 0 for none
	uses   []int        // slots that this one reads; of a solve, its sides and its input
	inputs bitset       // the inputs that its value depends on, by slot
	work   int
}

// bitset is a set of small numbers.
type bitset []uint64

func newBitset(n int) bitset    { return make(bitset, (n+63)/64) }
func (b bitset) has(i int) bool { return b[i>>6]&(1<<(i&63)) != 0 }
func (b bitset) add(i int)      { b[i>>6] |= 1 << (i & 63) }
func (b bitset) remove(i int)   { b[i>>6] &^= 1 << (i & 63) }
func (b bitset) union(other bitset) {
	for i := range other {
		b[i] |= other[i]
	}
}

// needed marks what the given slots need, themselves included.
func (p *program) needed(slots []int) bitset {
	need := newBitset(len(p.slots))
	todo := append([]int(nil), slots...)
	for len(todo) > 0 {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if need.has(i) {
			continue
		}
		need.add(i)
		todo = append(todo, p.slots[i].uses...)
	}
	return need
}

// plan splits what the given slots need into what stays and what varies with the input in slot input (-1 for none),
// both in the order of evaluation.
func (p *program) plan(slots []int, input int) (stays, varies []int) {
	need := p.needed(slots)
	for _, i := range p.order {
		switch {
		case !need.has(i):
		case input >= 0 && p.slots[i].inputs.has(input):
			varies = append(varies, i)
		default:
			stays = append(stays, i)
		}
	}
	return stays, varies
}

// depend computes the inputs that each slot depends on. A solve's value does not depend on the input it solves for.
func (p *program) depend() {
	for _, i := range p.order {
		s := &p.slots[i]
		s.inputs = newBitset(len(p.slots))
		if s.input != nil {
			s.inputs.add(i)
		}
		for _, j := range s.uses {
			s.inputs.union(p.slots[j].inputs)
		}
		if s.solve != nil {
			s.inputs.remove(p.byName[s.solve.Input])
		}
	}
}
