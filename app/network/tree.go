package network

import (
	q "github.com/scalebook/scalebook/app/quantity"
)

// Level is one level of a tree of switches: Degree units of the level below hang on it.
type Level struct {
	Name    string      // "node", "leaf", "spine"
	Degree  int         // units of the level below that one unit of this level joins; at least 1
	Egress  q.Bandwidth // from one of those units into this level, one way, all cables together
	Latency q.Seconds   // of one step through this level
	Reduces bool        // its switches add what passes through them (SHARP)

	// What one unit of this level is built of; zero where nobody says.
	Switches int
	Ports    int         // of each switch, up and down
	Port     q.Bandwidth // of a port, one way
	Source   string      // the ID of a source of the catalog
	Note     string
}

// Tree is levels of switches from the devices up: the first level joins devices to nodes, the second nodes, and so on.
type Tree struct {
	Name   string
	Levels []Level
}

// Size is the number of devices: the product of the degrees, 0 if one of them is below 1.
func (t Tree) Size() int {
	degrees := make([]int, len(t.Levels))
	for i, l := range t.Levels {
		degrees[i] = l.Degree
	}
	return product(degrees)
}

// Ranks are the devices of a tree that take part in a collective: Members of them, every Stride-th. They stand in the
// first Members x Stride devices of the tree, numbered node by node, and all Stride such groups do the same at the same
// time, as when an array is sharded over an inner axis of Stride as well. The zero Stride is 1.
type Ranks struct {
	Tree    Tree
	Members int
	Stride  int
}

// All is every device of the tree.
func (t Tree) All() Ranks { return Ranks{Tree: t, Members: t.Size(), Stride: 1} }

// Group is members devices, every stride-th; see Ranks.
func (t Tree) Group(members, stride int) (Ranks, error) {
	r := Ranks{Tree: t, Members: members, Stride: stride}
	return r, r.check()
}

// Size is the number of devices that take part in one group.
func (r Ranks) Size() int { return r.Members }
