package network

import (
	"github.com/scalebook/scalebook/app/phrase"
	q "github.com/scalebook/scalebook/app/quantity"
)

// FatTree is the switches that a number of nodes needs. Every device has a port of its own into the network, and the
// devices of the same place in each node, a rail, meet at the same leaf. Half of a leaf's ports go down and half go up,
// unless the leaves are oversubscribed: then fewer go up, and the levels above have less bandwidth than the nodes.
type FatTree struct {
	Devices, Nodes int
	Ports          int // of every switch
	Down, Up       int // ports of a leaf towards nodes and towards spines
	Units          int // scalable units: as many nodes as a leaf has ports down
	Leafs          int
	Spines         int // 0 if the leafs of one unit are all there is
	Cores          int // 0 if the spines can reach every leaf
	LinksPerPair   int // links between a leaf and each spine; 0 with cores, where a leaf reaches only some
	Levels         int // of switches above the node
}

// NewFatTree counts them for nodes of perNode devices and switches of so many ports, over times as many of a leaf's
// going down as up. Two levels reach as far as a spine has a port for every leaf; beyond, there is a third. More than
// that can reach is an error.
func NewFatTree(devices, perNode, ports int, over float64) (FatTree, error) {
	if err := checkTree(devices, perNode, ports, over); err != nil {
		return FatTree{}, err
	}
	f := FatTree{Devices: devices, Nodes: devices / perNode, Ports: ports}
	f.Down = int(float64(ports) * over / (over + 1))
	f.Up = max(1, int(float64(f.Down)/over))
	if f.Nodes == 1 {
		f.Units = 1
		return f, nil
	}
	f.Units = ceil(f.Nodes, f.Down)
	f.Leafs, f.Levels = f.Units*perNode, 1
	switch {
	case f.Units == 1:
	case f.Leafs <= ports:
		f.Levels, f.Spines = 2, ceil(f.Leafs*f.Up, ports)
		for f.Up%f.Spines != 0 { // each leaf has as many links to every spine
			f.Spines++
		}
		f.LinksPerPair = f.Up / f.Spines
	case f.Leafs <= ports*(ports/2):
		f.Levels, f.Spines = 3, ceil(f.Leafs*f.Up, ports/2)
		f.Cores = ceil(f.Spines*(ports/2), ports)
	default:
		return FatTree{}, phrase.Fault{
			What:   phrase.New("network.too-many-leafs", "n", devices, "leafs", f.Leafs, "ports", ports),
			Remedy: phrase.New("network.more-ports"),
		}
	}
	return f, nil
}

// checkTree refuses sizes that make no tree.
func checkTree(devices, perNode, ports int, over float64) error {
	const most = 1 << 24
	nodes := phrase.New("network.bad-nodes", "n", devices, "node", perNode)
	switch {
	case devices > most || perNode > most:
		return phrase.Fault{What: nodes, Remedy: phrase.New("network.at-most", "most", most)}
	case devices < 1 || perNode < 1 || devices%perNode != 0:
		return phrase.Fault{What: nodes, Remedy: phrase.New("network.whole-nodes")}
	case ports < 2 || ports%2 != 0 || ports > 1<<12:
		return phrase.Fault{What: phrase.New("network.bad-ports", "n", ports), Remedy: phrase.New("network.even-ports")}
	case !(over >= 1 && over < float64(ports)):
		return phrase.Fault{
			What:   phrase.New("network.bad-over", "n", number(over), "ports", ports),
			Remedy: phrase.New("network.give-over"),
		}
	}
	return nil
}

func ceil(a, b int) int { return (a + b - 1) / b }

// SpinePorts is how many ports of a spine are taken, of those that look down and of those that look up.
func (f FatTree) SpinePorts() int {
	if f.Cores > 0 {
		return f.Ports
	}
	return f.Leafs * f.LinksPerPair
}

// Rise is the links that leave a unit for the rest of the tree: those that its nodes fill, and at most those that its
// leafs have.
func (f FatTree) Rise() int {
	if f.Nodes < 1 {
		return 0
	}
	return min(ceil(f.Nodes, f.Units), f.Up) * (f.Devices / f.Nodes)
}

// Bisection is the links between two halves of the tree, one way: those of half the units, or where there is one unit
// those of half the devices. One node has no such links.
func (f FatTree) Bisection() int {
	switch {
	case f.Nodes < 2:
		return 0
	case f.Units < 2:
		return f.Nodes / 2 * (f.Devices / f.Nodes)
	}
	return f.Units / 2 * f.Rise()
}

// Tree is the levels of f for devices of a one-way egress inside their node and a port of the network each: node, unit
// and what joins the units, which is one level however many layers of switches it is made of.
func (f FatTree) Tree(device, port q.Bandwidth) Tree {
	perNode := f.Devices / max(f.Nodes, 1)
	t := Tree{Levels: []Level{{Name: "node", Degree: perNode, Egress: device}}}
	if f.Nodes > 1 {
		inUnit := ceil(f.Nodes, max(f.Units, 1))
		t.Levels = append(t.Levels, Level{Name: "leaf", Degree: inUnit, Egress: q.Bandwidth(perNode) * port})
		if f.Units > 1 {
			t.Levels = append(t.Levels, Level{Name: "spine", Degree: f.Units, Egress: q.Bandwidth(f.Rise()) * port})
		}
	}
	return t
}
