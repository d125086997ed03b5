package play

import (
	"github.com/scalebook/scalebook/app/network"
	"github.com/scalebook/scalebook/app/network/schedule"
	"github.com/scalebook/scalebook/app/quantity"
)

// What is drawn at most: with every piece, and at all. More chips are drawn as a smaller network of the same kind.
const (
	InFull = 16
	atAll  = 64
	pieces = 8 // of a broadcast
	sums   = 4 // pieces of an all-reduce in the switch
)

// Play is a collective's schedule on its network, or on a smaller one, with what each of its wires can do.
type Play struct {
	*Setting
	Schedule *schedule.Schedule
	Grid     schedule.Grid  // of a torus
	Units    schedule.Units // of switches
	Sides    []int          // of the chips as they are drawn; of a tree devices and nodes
	Stand    int            // of how many chips the drawn ones stand in place; 0 if all are drawn
	Half     int            // of an all-reduce: the steps in which is added up; 0 if it is no such two halves

	wires schedule.Wiring
	array float64 // bytes of the array that is played
	rate  func(schedule.Wire) quantity.Bandwidth
	loads []map[schedule.Wire]float64
}

func newPlay(x *Setting) *Play {
	p := &Play{Setting: x, array: float64(x.Collective.Bytes)}
	p.shrink()
	s, err := p.build()
	if err != nil || s == nil {
		return nil
	}
	p.Schedule, p.loads = s, s.Loads(p.wires)
	return p
}

// shrink chooses what is drawn: the network itself, or a smaller one whose messages are as large.
func (p *Play) shrink() {
	switch p.Kind {
	case Tree:
		p.Sides = []int{p.N, p.Nodes}
	case Slice:
		for _, a := range p.Axes {
			p.Sides = append(p.Sides, a.Size)
		}
	default:
		p.Sides = []int{p.N}
	}
	size := p.Group.Size()
	if size <= atAll {
		return
	}
	for i, n := range p.Sides {
		most := 4
		if len(p.Sides) == 1 || p.Kind == Tree && i == 0 {
			most = 8
		} else if p.Kind == Tree {
			most = 2
		}
		p.Sides[i] = min(n, most)
	}
	small := 1
	for _, n := range p.Sides {
		small *= n
	}
	share := float64(small) / float64(size)
	switch p.Collective.Op {
	case network.Broadcast:
		share = 1
	case network.AllToAll:
		share *= share
	}
	p.array *= share
	p.Stand = size
}

func (p *Play) build() (*schedule.Schedule, error) {
	if p.Kind == Node || p.Kind == Tree {
		return p.behindSwitches()
	}
	for i, a := range p.Axes {
		p.Grid.Sides, p.Grid.Wrap = append(p.Grid.Sides, p.Sides[i]), append(p.Grid.Wrap, a.Wrap)
	}
	p.wires = p.Grid
	p.rate = func(w schedule.Wire) quantity.Bandwidth { return p.Axes[w.Level].Neighbour() }
	d := schedule.BothWays
	if p.Collective.OneWay {
		d = schedule.OneWay
	}
	switch p.Collective.Op {
	case network.AllToAll:
		return schedule.AllToAll(p.Grid, p.array, d)
	case network.Broadcast:
		return p.broadcast()
	}
	gather, err := schedule.AllGather(p.Grid, p.array, d)
	return p.gathered(gather, err)
}

// gathered is an all-gather, its mirror image, or both.
func (p *Play) gathered(gather *schedule.Schedule, err error) (*schedule.Schedule, error) {
	if err != nil {
		return nil, err
	}
	switch p.Collective.Op {
	case network.ReduceScatter:
		return schedule.Reverse(gather), nil
	case network.AllReduce:
		p.Half = len(gather.Steps)
		return schedule.Reverse(gather).Then(gather), nil
	}
	return gather, nil
}

// broadcast is one along a single axis: from the end of a line, or both ways around a ring. Over several axes the law
// counts on trees that share no link, which are not drawn.
func (p *Play) broadcast() (*schedule.Schedule, error) {
	n, axis := 0, 0
	for i, side := range p.Grid.Sides {
		if side > 1 {
			n, axis = n+1, i
		}
	}
	if n > 1 {
		return nil, nil
	}
	side := p.Grid.Sides[axis]
	if side < 2 {
		return schedule.Pipeline(1, p.array, 1)
	}
	if !p.Grid.Wrap[axis] || p.Collective.OneWay {
		s, err := schedule.Pipeline(side, p.array, pieces)
		return onAxis(s, axis), err
	}
	s, err := schedule.PipelineRing(side, p.array, pieces)
	return onAxis(s, axis), err
}

// onAxis names the axis along which everything goes.
func onAxis(s *schedule.Schedule, axis int) *schedule.Schedule {
	if s == nil {
		return nil
	}
	for i := range s.Steps {
		for j := range s.Steps[i].Transfers {
			s.Steps[i].Transfers[j].Axis = axis
		}
	}
	return s
}

func (p *Play) behindSwitches() (*schedule.Schedule, error) {
	n := 1
	for _, side := range p.Sides {
		p.Units = append(p.Units, side)
		n *= side
	}
	p.wires = p.Units
	node := quantity.Bandwidth(p.Sides[0]) * p.Share
	p.rate = func(w schedule.Wire) quantity.Bandwidth {
		if w.Level > 0 {
			return node
		}
		return p.Link
	}
	switch {
	case p.Adds && p.Kind == Tree:
		return nil, nil
	case p.Adds:
		return schedule.InSwitch(n, p.array, sums)
	case p.Collective.Op == network.AllToAll:
		return schedule.DirectExchange(n, p.array)
	case p.Collective.Op == network.Broadcast && n > 1:
		return schedule.Pipeline(n, p.array, pieces)
	case p.Collective.Op == network.Broadcast:
		return schedule.Pipeline(1, p.array, 1)
	case p.Kind == Tree:
		return p.gathered(schedule.Levels(p.Units, n, 1, p.array))
	}
	return p.gathered(schedule.AllGather(schedule.Ring(n), p.array, schedule.OneWay))
}
