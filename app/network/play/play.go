// Package play has collectives played on networks, step by step: who sends what to whom, who holds what, and how long
// it has taken so far. Of networks too large to be looked at a smaller one of the same kind is played.
package play

import (
	"strings"
	"sync"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/network"
	"github.com/scalebook/scalebook/app/network/schedule"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
)

// What is drawn at most: with every piece, and at all. More chips are drawn as a smaller network of the same kind.
const (
	InFull = 16
	atAll  = 64
	pieces = 8 // of a broadcast
	sums   = 4 // pieces of an all-reduce in the switch
)

// Play is a collective's schedule on its network, or on a smaller one, with what each of its links can do.
type Play struct {
	*Setting
	Schedule *schedule.Schedule
	Grid     schedule.Grid  // of a torus
	Units    schedule.Units // of switches
	Sides    []int          // of the chips as they are drawn; of a tree devices and nodes
	StandFor int            // of how many chips the drawn ones stand in place; 0 if all are drawn
	Half     int            // of an all-reduce: the steps in which is added up; 0 if it is no such two halves

	links schedule.Topology
	array float64 // bytes of the array that is played
	rate  func(schedule.Link) quantity.Bandwidth
	loads []map[schedule.Link]float64
}

func newPlay(x *Setting) *Play {
	p := &Play{Setting: x, array: float64(x.Collective.Bytes)}
	p.shrink()
	s, err := p.build()
	if err != nil || s == nil {
		return nil
	}
	p.Schedule, p.loads = s, s.Loads(p.links)
	return p
}

// shrink chooses what is drawn: the network itself, or a smaller one whose transfers are as large.
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
	p.StandFor = size
}

func (p *Play) build() (*schedule.Schedule, error) {
	if p.Kind == Node || p.Kind == Tree {
		return p.behindSwitches()
	}
	for i, a := range p.Axes {
		p.Grid.Sides, p.Grid.Wrap = append(p.Grid.Sides, p.Sides[i]), append(p.Grid.Wrap, a.Wrap)
	}
	p.links = p.Grid
	p.rate = func(w schedule.Link) quantity.Bandwidth { return p.Axes[w.Level].Neighbour() }
	d := schedule.Bidirectional
	if p.Collective.OneWay {
		d = schedule.Unidirectional
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
	p.links = p.Units
	node := quantity.Bandwidth(p.Sides[0]) * p.Share
	p.rate = func(w schedule.Link) quantity.Bandwidth {
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
	return p.gathered(schedule.AllGather(schedule.Ring(n), p.array, schedule.Unidirectional))
}

// Elapsed is the time after so many steps, each of which takes its latency or its longest link, whichever is longer.
func (p *Play) Elapsed(steps int) quantity.Seconds {
	sum := quantity.Seconds(0)
	for _, loads := range p.loads[:min(steps, len(p.loads))] {
		longest := p.Hop
		for w, bytes := range loads {
			longest = max(longest, quantity.Bytes(bytes).Over(p.rate(w)))
		}
		sum += longest
	}
	return sum
}

// sent are the bytes of all transfers of the first steps.
func (p *Play) sent(steps int) float64 {
	sum := 0.0
	for _, step := range p.Schedule.Steps[:min(steps, len(p.Schedule.Steps))] {
		for _, t := range step.Transfers {
			sum += p.Schedule.Bytes(t)
		}
	}
	return sum
}

// busiest is the link that was busy longest in the first steps, with its bytes; of several that are alike the first.
func (p *Play) busiest(steps int) (most schedule.Link, bytes float64) {
	total := map[schedule.Link]float64{}
	for _, loads := range p.loads[:min(steps, len(p.loads))] {
		for w, b := range loads {
			total[w] += b
		}
	}
	longest := -1.0
	for w, b := range total {
		t := b / float64(p.rate(w))
		if t > longest*(1+1e-9) || t > longest*(1-1e-9) && before(w, most) {
			most, bytes, longest = w, b, max(t, longest)
		}
	}
	return most, bytes
}

func before(a, b schedule.Link) bool {
	if a.Level != b.Level {
		return a.Level < b.Level
	}
	if a.At != b.At {
		return a.At < b.At
	}
	return a.Dir > b.Dir
}

// linkName names a link for a reader.
func (p *Play) linkName(w schedule.Link) *phrase.Phrase {
	switch {
	case p.Units == nil:
		return phrase.New("play.wire", "from", w.At, "to", p.Next(w))
	case w.Level > 0 && w.Dir < 0:
		return phrase.New("play.into-node", "n", w.At)
	case w.Level > 0:
		return phrase.New("play.out-of-node", "n", w.At)
	case w.Dir < 0:
		return phrase.New("play.into-gpu", "n", w.At)
	}
	return phrase.New("play.out-of-gpu", "n", w.At)
}

// Next is the chip at the other end of a link of a grid.
func (p *Play) Next(w schedule.Link) int {
	stride := 1
	for _, n := range p.Grid.Sides[w.Level+1:] {
		stride *= n
	}
	n := p.Grid.Sides[w.Level]
	c := w.At / stride % n
	return w.At + ((c+w.Dir+n)%n-c)*stride
}

// Says is what happens in a step.
func (p *Play) Says(step int) *phrase.Phrase {
	if step >= len(p.Schedule.Steps) {
		return phrase.New("play.nothing-to-send")
	}
	st := p.Schedule.Steps[step]
	least, most := p.Schedule.Bytes(st.Transfers[0]), 0.0
	for _, t := range st.Transfers {
		b := p.Schedule.Bytes(t)
		least, most = min(least, b), max(most, b)
	}
	sends := phrase.Count(len(st.Transfers), "play.messages", "size", p.SizeText(most))
	if least < most*(1-1e-9) {
		sends = phrase.New("play.messages-range", "n", len(st.Transfers), "least", p.SizeText(least),
			"most", p.SizeText(most))
	}
	if stage := p.stage(step); stage != "" {
		return phrase.New("play.stage", "stage", phrase.New(stage), "sends", sends)
	}
	return sends
}

// stage is the key of the part of the collective that a step belongs to; empty if it has but one.
func (p *Play) stage(step int) string {
	half := 0
	switch {
	case p.Half > 0 && step < p.Half:
		half = 1
	case p.Half > 0:
		half = 2
	}
	place := 0
	if p.Kind == Tree && p.Sides[1] > 1 && p.Collective.Op != network.AllToAll && p.Collective.Op != network.Broadcast {
		place = 1
		if t := p.Schedule.Steps[step].Transfers[0]; t.From/p.Sides[0] != t.To/p.Sides[0] {
			place = 2
		}
	}
	return [3][3]string{
		{"", "play.inside", "play.between"},
		{"play.adding", "play.adding-inside", "play.adding-between"},
		{"play.handing", "play.handing-inside", "play.handing-between"},
	}[half][place]
}

// SoFar is the elapsed time and the bytes after so many steps.
func (p *Play) SoFar(steps int) *phrase.Phrase {
	w, bytes := p.busiest(steps)
	return phrase.New("play.so-far", "time", p.Elapsed(steps).Quantity(), "sent", p.SizeText(p.sent(steps)),
		"most", p.SizeText(bytes), "link", p.linkName(w))
}

// Kind is a kind of network.
type Kind string

// The networks there are: chips wired to their neighbours, and devices behind switches.
const (
	Ring  Kind = "ring"
	Line  Kind = "line"
	Slice Kind = "slice" // of a pod
	Node  Kind = "node"
	Tree  Kind = "tree" // several nodes
)

// Switched says whether devices stand behind switches.
func (k Kind) Switched() bool { return k == Node || k == Tree }

// Fabric is a network of one kind of chip.
type Fabric struct {
	Kind        Kind
	Chip        *hardware.Accelerator
	N, Nodes    int            // chips of a ring, line or node; of a tree the devices of a node, and its nodes
	Axes        []network.Axis // of a slice
	Link, Share quantity.Bandwidth
	Hop         quantity.Seconds
	Adds        bool // the switches add
}

// Who is what the chips are called.
func (f *Fabric) Who() string { return f.either("GPU", "chip") }

// either is the first word where devices stand behind switches, else the second.
func (f *Fabric) either(gpu, chip string) string {
	if f.Kind.Switched() {
		return gpu
	}
	return chip
}

// Turns says whether there is a ring to be gone around in one direction only.
func (f *Fabric) Turns() bool {
	size := 1
	for _, a := range f.Axes {
		if size *= a.Size; a.Size > 1 && !a.Wrap {
			return false
		}
	}
	return f.Kind == Ring || f.Kind == Slice && size > 1
}

// group is the network as the laws know it.
func (f *Fabric) group(op network.Op) network.Group {
	switch f.Kind {
	case Node:
		return network.Switch{Devices: f.N, Egress: f.Link, Latency: f.Hop, Reduces: f.Adds,
			Direct: op == network.AllToAll}
	case Tree:
		return f.tree().All()
	case Ring, Line:
		f.Axes = []network.Axis{{Name: "X", Size: f.N, Wrap: f.Kind == Ring, OneWay: f.Link, Latency: f.Hop}}
	}
	return network.Torus{Axes: f.Axes}
}

// node is the level of switches inside the nodes of a tree.
const node = "node"

// tree is nodes joined by a network in which nothing is lost: a node's egress is that of its devices' ports.
func (f *Fabric) tree() network.Tree {
	return network.Tree{Levels: []network.Level{
		{Name: node, Degree: f.N, Egress: f.Link, Latency: f.Hop, Reduces: f.Adds},
		{Name: "network", Degree: f.Nodes, Egress: quantity.Bandwidth(f.N) * f.Share, Latency: f.Hop, Reduces: f.Adds},
	}}
}

// Setting is a collective of an array on a network, with its cost by the exact law.
type Setting struct {
	Fabric
	Collective network.Collective
	Size       quantity.Quantity // of the array, as its reader wrote it
	Group      network.Group
	Cost       network.Cost

	once sync.Once
	play *Play
}

// Set is a collective on a network. Switches add in an all-reduce only; a ring is gone around in one direction only if
// there is one.
func Set(f Fabric, op network.Op, size quantity.Quantity, oneWay bool) (*Setting, error) {
	f.Adds = f.Adds && f.Kind.Switched() && op == network.AllReduce && Sharp(f.Chip)
	x := &Setting{Fabric: f, Size: size}
	x.Collective = network.Collective{Op: op, Bytes: quantity.Bytes(size.Value), OneWay: oneWay && f.Turns()}
	x.Group = x.group(op)
	var err error
	x.Cost, err = x.Collective.Over(x.Group)
	return x, err
}

// Sharp says whether the switches of a device's nodes can add: those with NVSwitches of the third generation on.
func Sharp(chip *hardware.Accelerator) bool {
	return chip != nil && strings.Contains(" gpu.h100 gpu.h200 gpu.h800 gpu.b200 gpu.gb200 gpu.b300 gpu.gb300 "+
		"gpu.rubin ",
		" "+chip.ID+" ")
}

// Play is the steps, nil if none are shown: of broadcasts over several axes, and of trees whose switches add.
func (x *Setting) Play() *Play {
	x.once.Do(func() { x.play = newPlay(x) })
	return x.play
}

// SizeText is a number of bytes as the reader wrote the size, in MiB or in MB.
func (x *Setting) SizeText(n float64) string {
	q := x.Size
	q.Value = n
	return q.String()
}

// Times is the time for another size of the array: by the exact law, and by the shortcut. Both are 0 where there is
// none.
func (x *Setting) Times(bytes float64) (law, shortcut float64) {
	c := x.Collective
	c.Bytes = quantity.Bytes(bytes)
	cost, err := c.Over(x.Group)
	if err != nil {
		return 0, 0
	}
	return float64(cost.Time), float64(max(cost.Shortcut, cost.Latency))
}

// Knee is the size at which the bytes take as long as the hops, 0 if there is none.
func (x *Setting) Knee() float64 {
	if x.Cost.Bandwidth <= 0 || x.Cost.Latency <= 0 {
		return 0
	}
	return float64(x.Collective.Bytes) * float64(x.Cost.Latency/x.Cost.Bandwidth)
}
