package schedule

import "github.com/scalebook/scalebook/app/phrase"

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
