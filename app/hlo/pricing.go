package hlo

// On prices the operations of a module on a chip.
func (m *Module) On(chip Chip) *Profile {
	p := m.Pricing(chip)
	for p.Step() {
	}
	return p.Profile
}

// Pricing prices the operations of a module step by step, computation by computation.
type Pricing struct {
	*Profile
	times map[*Computation]float64
	left  []*Computation
	at    map[int]int // where an operation of the first of them stands in the profile
	next  int         // of its operations
	first int         // of its operations in the profile
}

// Pricing begins to price the operations of a module on a chip.
func (m *Module) Pricing(chip Chip) *Pricing {
	p := &Pricing{Profile: &Profile{Module: m, Chip: chip}, times: m.runs()}
	for _, c := range m.Computations {
		if p.times[c] > 0 {
			p.left = append(p.left, c)
		}
	}
	return p
}

// Step prices some operations, and says whether there are more.
func (p *Pricing) Step() (more bool) {
	const some = 200
	for range some {
		if len(p.left) == 0 {
			return false
		}
		c := p.left[0]
		if p.next == 0 {
			p.at, p.first = make(map[int]int, len(c.Ops)), len(p.Ops)
		}
		if p.next == len(c.Ops) {
			p.end(c)
			continue
		}
		p.operation(c, p.next)
		p.next++
	}
	return true
}

// operation prices an operation of a computation.
func (p *Pricing) operation(c *Computation, i int) {
	o := &c.Ops[i]
	if o.Code == "while" {
		if _, known := p.trips(c, o); !known {
			p.Looped = append(p.Looped, o)
		}
	}
	p.True += o.Shape.Bytes()
	p.Held += o.Shape.Held()
	e := p.expected(o, p.times[c], c.Thread)
	if e.FLOPs()+e.HBM+e.VMEM+e.Comms > 0 || len(e.Sent) > 0 || e.Unknown {
		p.at[i] = len(p.Ops)
		p.Ops = append(p.Ops, e)
	}
}

// end adds up a computation.
func (p *Pricing) end(c *Computation) {
	p.hide(c, p.at)
	for i := p.first; i < len(p.Ops); i++ {
		p.sum(&p.Ops[i])
	}
	p.left, p.next = p.left[1:], 0
}
