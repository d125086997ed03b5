package collectives

import (
	"fmt"
	"strconv"
	"sync"

	"github.com/scalebook/scalebook/app/network"
	"github.com/scalebook/scalebook/app/network/schedule"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/widget/instrument"
)

// What is drawn at most: with every piece, and at all. More chips are drawn as a smaller network of the same kind.
const (
	inFull = 16
	atAll  = 64
	pieces = 8 // of a broadcast
	sums   = 4 // pieces of an all-reduce in the switch
)

// play is a schedule with what each of its wires can do.
type play struct {
	x     *subject
	s     *schedule.Schedule
	wires schedule.Wiring
	grid  schedule.Grid  // of a torus
	units schedule.Units // of switches
	sides []int          // of the chips as they are drawn; of a tree devices and nodes
	array float64        // bytes of the array that is played
	stand string         // what is drawn in place of what; empty if it is drawn as it is
	half  int            // of an all-reduce: the steps in which is added up; 0 if it is no such two halves
	rate  func(schedule.Wire) quantity.Bandwidth
	loads []map[schedule.Wire]float64
}

// memo keeps the last schedule: several parts and controls ask for the same one.
type memo struct {
	sync.Mutex
	key string
	p   *play
}

// of is the schedule of a state, nil if there is none to be drawn.
func (m *memo) of(s *instrument.State) *play {
	x := subjectOf(s)
	if x.err != nil {
		return nil
	}
	key := fmt.Sprint(x.net, x.a.ID, x.n, x.nodes, x.axes, x.link, x.dcn, x.hop, x.adds, x.c, x.size)
	m.Lock()
	defer m.Unlock()
	if m.key != key {
		m.key, m.p = key, newPlay(x)
	}
	return m.p
}

func newPlay(x *subject) *play {
	p := &play{x: x, array: float64(x.c.Bytes)}
	p.shrink()
	s, err := p.build()
	if err != nil || s == nil {
		return nil
	}
	p.s, p.loads = s, s.Loads(p.wires)
	return p
}

// shrink chooses what is drawn: the network itself, or a smaller one whose messages are as large.
func (p *play) shrink() {
	x := p.x
	switch x.net {
	case tree:
		p.sides = []int{x.n, x.nodes}
	case slice:
		for _, a := range x.axes {
			p.sides = append(p.sides, a.Size)
		}
	default:
		p.sides = []int{x.n}
	}
	size := x.group.Size()
	if size <= atAll {
		return
	}
	for i, n := range p.sides {
		most := 4
		if len(p.sides) == 1 || x.net == tree && i == 0 {
			most = 8
		} else if x.net == tree {
			most = 2
		}
		p.sides[i] = min(n, most)
	}
	small := 1
	for _, n := range p.sides {
		small *= n
	}
	share := float64(small) / float64(size)
	switch x.c.Op {
	case network.Broadcast:
		share = 1
	case network.AllToAll:
		share *= share
	}
	p.array *= share
	p.stand = strconv.Itoa(small) + " in place of " + strconv.Itoa(size)
}

func (p *play) build() (*schedule.Schedule, error) {
	if p.x.net == node || p.x.net == tree {
		return p.behindSwitches()
	}
	for i, a := range p.x.axes {
		p.grid.Sides, p.grid.Wrap = append(p.grid.Sides, p.sides[i]), append(p.grid.Wrap, a.Wrap)
	}
	p.wires = p.grid
	p.rate = func(w schedule.Wire) quantity.Bandwidth { return p.x.axes[w.Level].Neighbour() }
	d := schedule.BothWays
	if p.x.c.OneWay {
		d = schedule.OneWay
	}
	switch p.x.c.Op {
	case network.AllToAll:
		return schedule.AllToAll(p.grid, p.array, d)
	case network.Broadcast:
		return p.broadcast()
	}
	gather, err := schedule.AllGather(p.grid, p.array, d)
	return p.gathered(gather, err)
}

// gathered is an all-gather, its mirror image, or both.
func (p *play) gathered(gather *schedule.Schedule, err error) (*schedule.Schedule, error) {
	if err != nil {
		return nil, err
	}
	switch p.x.c.Op {
	case network.ReduceScatter:
		return schedule.Reverse(gather, "reduce-scatter"), nil
	case network.AllReduce:
		p.half = len(gather.Steps)
		return schedule.Reverse(gather, "reduce-scatter").Then(gather, "all-reduce"), nil
	}
	return gather, nil
}

// broadcast is one along a single axis: from the end of a line, or both ways around a ring. Over several axes the law counts
// on trees that share no link, which are not drawn.
func (p *play) broadcast() (*schedule.Schedule, error) {
	n, axis := 0, 0
	for i, side := range p.grid.Sides {
		if side > 1 {
			n, axis = n+1, i
		}
	}
	if n > 1 {
		return nil, nil
	}
	side := p.grid.Sides[axis]
	if side < 2 {
		return schedule.Pipeline(1, p.array, 1)
	}
	if !p.grid.Wrap[axis] || p.x.c.OneWay {
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

func (p *play) behindSwitches() (*schedule.Schedule, error) {
	n := 1
	for _, side := range p.sides {
		p.units = append(p.units, side)
		n *= side
	}
	p.wires = p.units
	node := quantity.Bandwidth(p.sides[0]) * p.x.dcn
	p.rate = func(w schedule.Wire) quantity.Bandwidth {
		if w.Level > 0 {
			return node
		}
		return p.x.link
	}
	switch {
	case p.x.adds && p.x.net == tree:
		return nil, nil
	case p.x.adds:
		return schedule.InSwitch(n, p.array, sums)
	case p.x.c.Op == network.AllToAll:
		return schedule.DirectExchange(n, p.array)
	case p.x.c.Op == network.Broadcast && n > 1:
		return schedule.Pipeline(n, p.array, pieces)
	case p.x.c.Op == network.Broadcast:
		return schedule.Pipeline(1, p.array, 1)
	case p.x.net == tree:
		return p.gathered(schedule.Levels(p.units, n, 1, p.array))
	}
	return p.gathered(schedule.AllGather(schedule.Ring(n), p.array, schedule.OneWay))
}
