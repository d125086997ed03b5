package network

import (
	"strconv"

	q "github.com/scalebook/scalebook/app/quantity"
)

// FatTree is the switches that a number of nodes needs so that nothing is lost on the way up. Every device has a port
// of its own into the network, and the devices of the same place in each node, a rail, meet at the same leaf. Half of a
// leaf's ports go down and half go up.
type FatTree struct {
	Devices, Nodes int
	Units          int // scalable units: as many nodes as a leaf has ports down
	Leafs          int
	Spines         int // 0 if the leafs of one unit are all there is
	Cores          int // 0 if the spines can reach every leaf
	LinksPerPair   int // links between a leaf and each spine; 0 with cores, where a leaf reaches only some
	Levels         int // of switches above the node
}

// NewFatTree counts them for nodes of perNode devices and switches of so many ports. Two levels reach as far as a spine
// has a port for every leaf; beyond, there is a third. More than that can reach, ports^3/4 devices, is an error.
func NewFatTree(devices, perNode, ports int) (FatTree, error) {
	const most = 1 << 24
	if what := strconv.Itoa(devices) + " devices in nodes of " + strconv.Itoa(perNode); devices > most || perNode > most {
		return FatTree{}, &Error{What: what, Remedy: "give at most " + strconv.Itoa(most)}
	} else if devices < 1 || perNode < 1 || devices%perNode != 0 {
		return FatTree{}, &Error{What: what, Remedy: "give a multiple of the size of a node"}
	}
	if ports < 2 || ports%2 != 0 || ports > 1<<12 {
		return FatTree{}, &Error{
			What:   "switches of " + strconv.Itoa(ports) + " ports",
			Remedy: "give an even number, from 2 to 4096",
		}
	}
	f := FatTree{Devices: devices, Nodes: devices / perNode}
	if f.Nodes == 1 {
		f.Units = 1
		return f, nil
	}
	half := ports / 2
	f.Units = ceil(f.Nodes, half)
	f.Leafs, f.Levels = f.Units*perNode, 1
	switch {
	case f.Units == 1:
	case f.Leafs <= ports:
		f.Levels, f.Spines = 2, ceil(f.Leafs*half, ports)
		for half%f.Spines != 0 { // each leaf has as many links to every spine
			f.Spines++
		}
		f.LinksPerPair = half / f.Spines
	case f.Leafs <= ports*half:
		f.Levels, f.Spines, f.Cores = 3, f.Leafs, ceil(f.Leafs*half, ports)
	default:
		return FatTree{}, &Error{
			What: strconv.Itoa(
				devices,
			) + " devices need " + strconv.Itoa(
				f.Leafs,
			) + " leafs of " + strconv.Itoa(
				ports,
			) + " ports, more than three levels can join",
			Remedy: "take switches with more ports, or fewer devices",
		}
	}
	return f, nil
}

func ceil(a, b int) int { return (a + b - 1) / b }

// Tree is the levels of f for devices of a one-way egress inside their node and a port of the network each: node, unit
// and what joins the units, which is one level however many layers of switches it is made of.
func (f FatTree) Tree(device, port q.Bandwidth) Tree {
	perNode := f.Devices / max(f.Nodes, 1)
	t := Tree{Levels: []Level{{Name: "node", Degree: perNode, Egress: device}}}
	if f.Nodes > 1 {
		inUnit := ceil(f.Nodes, max(f.Units, 1))
		t.Levels = append(t.Levels, Level{Name: "leaf", Degree: inUnit, Egress: q.Bandwidth(perNode) * port})
		if f.Units > 1 {
			t.Levels = append(t.Levels, Level{Name: "spine", Degree: f.Units, Egress: q.Bandwidth(inUnit*perNode) * port})
		}
	}
	return t
}
