package sharding

import q "github.com/scalebook/scalebook/app/quantity"

// peak is the most that a chip holds at once.
func peak(e *Einsum, steps []Step, left, right *Array) q.Bytes {
	m := e.Mesh
	given := e.A.LocalBytes(m) + e.B.LocalBytes(m)
	var ready [2]q.Bytes // what operands take beside what was given
	if !sameLayout(&e.A, left) {
		ready[inA] = left.LocalBytes(m)
	}
	if !sameLayout(&e.B, right) {
		ready[inB] = right.LocalBytes(m)
	}
	most := given
	waiting := q.Bytes(0)
	for _, t := range steps {
		now := given
		switch {
		case t.Kind == Multiply:
			now += ready[inA] + ready[inB] + t.To.LocalBytes(m)
		case t.Operand == inC && t.Kind == AllReduce:
			now += t.To.LocalBytes(m)
		case t.Operand == inC:
			now += t.From.LocalBytes(m) + t.To.LocalBytes(m)
		default:
			if t.Operand == inB {
				waiting = ready[inA]
			}
			now += waiting + t.To.LocalBytes(m)
			if given := e.array(t.Operand); !sameLayout(given, t.From) {
				now += t.From.LocalBytes(m)
			}
		}
		most = max(most, now)
	}
	return most
}

// sameLayout tells whether two forms of one array are sharded alike.
func sameLayout(a, b *Array) bool { return layoutOf(a) == layoutOf(b) }
