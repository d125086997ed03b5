package schedule

import "github.com/scalebook/scalebook/app/phrase"

// Grid is chips in rows along axes, each a ring or a line. Chips are numbered with the last axis fastest.
type Grid struct {
	Sides []int
	Wrap  []bool
}

// Ring is n chips around a ring.
func Ring(n int) Grid { return Grid{Sides: []int{n}, Wrap: []bool{true}} }

// Line is n chips in a row.
func Line(n int) Grid { return Grid{Sides: []int{n}, Wrap: []bool{false}} }

// Chips is the number of chips, 0 if an axis has none or there are too many.
func (g Grid) Chips() int {
	n := 1
	for _, s := range g.Sides {
		if s < 1 || n > MaxChips {
			return 0
		}
		n *= s
	}
	return n
}

func (g Grid) check() error {
	if len(g.Wrap) != len(g.Sides) || len(g.Sides) == 0 {
		return phrase.Fault{
			What:   phrase.New("schedule.bad-grid", "n", len(g.Sides), "wraps", len(g.Wrap)),
			Remedy: phrase.New("schedule.give-grid"),
		}
	}
	return checkChips(g.Chips())
}

// stride is the distance in numbering between neighbours along an axis.
func (g Grid) stride(axis int) int {
	n := 1
	for _, s := range g.Sides[axis+1:] {
		n *= s
	}
	return n
}

// coordinate is the coordinate of a chip along an axis.
func (g Grid) coordinate(chip, axis int) int { return chip / g.stride(axis) % g.Sides[axis] }

// to is the chip with another coordinate along an axis.
func (g Grid) to(chip, axis, coordinate int) int {
	return chip + (coordinate-g.coordinate(chip, axis))*g.stride(axis)
}

// next is the neighbour of a chip along an axis, and whether there is one.
func (g Grid) next(chip, axis, dir int) (int, bool) {
	n := g.Sides[axis]
	c := g.coordinate(chip, axis) + dir
	if c < 0 || c >= n {
		if !g.Wrap[axis] {
			return 0, false
		}
		c = (c + n) % n
	}
	return g.to(chip, axis, c), true
}

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

// Levels is an all-gather through a tree of switches, of groups of every stride-th of its first members x stride
// devices, all groups at once. It goes from the top level down: first rings between devices of the same place in
// different units, then rings inside the units. So every chunk enters every unit once.
func Levels(u Units, members, stride int, bytes float64) (*Schedule, error) {
	if members < 1 || stride < 1 || members > MaxChips/stride {
		return nil, phrase.Fault{
			What:   phrase.New("schedule.bad-groups", "n", members, "stride", stride),
			Remedy: phrase.New("schedule.take-devices", "most", MaxChips),
		}
	}
	devices := members * stride
	sizes, err := u.sizes(devices, stride)
	if err != nil {
		return nil, err
	}
	s := groups(members, stride, bytes)
	held := make([][]int, devices)
	copy(held, s.Begin)
	for level := len(u) - 1; level >= 0; level-- {
		if err := s.levelRing(sizes[level], min(sizes[level+1], devices), stride, held); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// groups is the beginning of the all-gather of several groups: each has bytes to gather.
func groups(members, stride int, bytes float64) *Schedule {
	devices := members * stride
	s := &Schedule{
		Chips: devices,
		Nodes: devices,
		Begin: make([][]int, devices),
		Want:  make([][]int, devices),
	}
	for device := range devices {
		s.Begin[device] = []int{device}
		s.Sizes = append(s.Sizes, bytes/float64(members))
		for c := device % stride; c < devices; c += stride {
			s.Want[device] = append(s.Want[device], c)
		}
	}
	return s
}

// levelRing lets the devices of the same place in the units of one larger unit tell each other what they hold, around a
// ring.
func (s *Schedule) levelRing(unit, larger, stride int, held [][]int) error {
	hop := max(unit, stride)
	around := larger / hop
	if around < 2 {
		return nil
	}
	first := make([][]int, len(held))
	copy(first, held)
	for t := 1; t < around; t++ {
		var all []Transfer
		for device := range held {
			base, place := device/larger*larger, device%larger
			to := base + (place+hop)%larger
			origin := base + ((place-(t-1)*hop)%larger+larger)%larger
			all = append(all, Transfer{From: device, To: to, Axis: -1, Chunks: first[origin]})
			held[to] = append(held[to][:len(held[to]):len(held[to])], first[origin]...)
		}
		if err := s.add(all); err != nil {
			return err
		}
	}
	return nil
}

// sizes are the devices in a unit of each level, from 1 on; units that so many devices do not fill evenly are an error.
func (u Units) sizes(devices, stride int) ([]int, error) {
	sizes := []int{1}
	for _, d := range u {
		last := sizes[len(sizes)-1]
		if d < 1 || d > 1<<20 {
			return nil, phrase.Fault{What: phrase.New("schedule.bad-level", "n", d), Remedy: phrase.New("schedule.at-least-one")}
		}
		next := min(last*d, devices)
		if devices%next != 0 || max(next, stride)%min(next, stride) != 0 {
			return nil, phrase.Fault{
				What:   phrase.New("schedule.uneven", "n", devices, "stride", stride, "unit", next),
				Remedy: phrase.New("schedule.dividing", "unit", next),
			}
		}
		sizes = append(sizes, next)
	}
	if last := sizes[len(sizes)-1]; last < devices {
		return nil, phrase.Fault{
			What:   phrase.New("schedule.small-tree", "n", devices, "devices", last),
			Remedy: phrase.New("schedule.take-fewer"),
		}
	}
	return sizes, nil
}
