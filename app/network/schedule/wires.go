package schedule

// Wire is one way of one link: of a Grid, from a chip along an axis; of Units, out of or into a unit of a level.
type Wire struct {
	Level int // the axis, or the level: 0 is a device's own
	At    int // the chip, or the unit
	Dir   int // +1 or -1 along the axis; +1 out of a unit, -1 into it
}

// Wiring says which wires a transfer occupies.
type Wiring interface {
	Wires(t Transfer) []Wire
}

// Wires of a transfer along an axis is the one wire from its sender.
func (g Grid) Wires(t Transfer) []Wire { return []Wire{{Level: t.Axis, At: t.From, Dir: t.Dir}} }

// Units is a tree of switches, from the devices up: Degrees[0] devices in a unit of the first level, and so on. One
// level is a single switch.
type Units []int

// devices is how many there are.
func (u Units) devices() int {
	n := 1
	for _, d := range u {
		n *= d
	}
	return n
}

// Wires of a transfer go out of the sender's units and into the receiver's, up to the level that joins them. What goes
// to a switch that adds, or comes from it, occupies the device's own wire only.
func (u Units) Wires(t Transfer) []Wire {
	switch n := u.devices(); {
	case t.To >= n:
		return []Wire{{At: t.From, Dir: +1}}
	case t.From >= n:
		return []Wire{{At: t.To, Dir: -1}}
	}
	var wires []Wire
	for level, size := 0, 1; t.From/size != t.To/size; level++ {
		wires = append(wires, Wire{Level: level, At: t.From / size, Dir: +1}, Wire{Level: level, At: t.To / size, Dir: -1})
		size *= u[level]
	}
	return wires
}

// Loads are the bytes that each wire carries in each step.
func (s *Schedule) Loads(w Wiring) []map[Wire]float64 {
	loads := make([]map[Wire]float64, len(s.Steps))
	for i, step := range s.Steps {
		loads[i] = map[Wire]float64{}
		for _, t := range step.Transfers {
			for _, wire := range w.Wires(t) {
				loads[i][wire] += s.Bytes(t)
			}
		}
	}
	return loads
}

// Totals are the bytes that each wire carries over all steps: what counts if small pieces keep every wire busy.
func (s *Schedule) Totals(w Wiring) map[Wire]float64 {
	total := map[Wire]float64{}
	for _, loads := range s.Loads(w) {
		for wire, bytes := range loads {
			total[wire] += bytes
		}
	}
	return total
}

// Busiest is the most bytes that a wire of a level carries over all steps.
func (s *Schedule) Busiest(w Wiring, level int) float64 {
	most := 0.0
	for wire, bytes := range s.Totals(w) {
		if wire.Level == level {
			most = max(most, bytes)
		}
	}
	return most
}

// InTurn is the sum over the steps of the most bytes on any wire: what counts if every step waits for the one before.
func (s *Schedule) InTurn(w Wiring) float64 {
	sum := 0.0
	for _, loads := range s.Loads(w) {
		most := 0.0
		for _, bytes := range loads {
			most = max(most, bytes)
		}
		sum += most
	}
	return sum
}
