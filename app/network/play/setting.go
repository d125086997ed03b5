// Package play has collectives played on networks, step by step: who sends what to whom, who holds what, and how long
// it has taken so far. Of networks too large to be looked at a smaller one of the same kind is played.
package play

import (
	"strings"
	"sync"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/network"
	"github.com/scalebook/scalebook/app/quantity"
)

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
		return network.Switch{Devices: f.N, Egress: f.Link, Latency: f.Hop, Reduces: f.Adds, Direct: op == network.AllToAll}
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
	return chip != nil && strings.Contains(" gpu.h100 gpu.h200 gpu.h800 gpu.b200 gpu.gb200 gpu.b300 gpu.gb300 gpu.rubin ",
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
