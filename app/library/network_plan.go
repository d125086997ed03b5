package library

import (
	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/network"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// planFunc is the function fat_tree(devices, per_node, ports, over, port): the switches that it needs.
func (n *networks) planFunc() *value.Func {
	perNode, ports, over, port := count("per_node"), count("ports"), count("over"), param("port", bandwidth)
	for p, usual := range map[*value.Param]value.Value{
		&perNode: counted(8, "device"), &ports: counted(64, ""), &over: counted(1, ""),
		&port: {Kind: value.Number, Num: quantity.Bandwidth(50e9).Quantity()},
	} {
		p.Optional, p.Default = true, usual
	}
	return &value.Func{
		Name: "fat_tree", Params: []value.Param{count("devices"), perNode, ports, over, port},
		Doc: "The switches of a fat tree for devices in nodes of per_node (8) and switches of so many ports (64), each " +
			"port one way (50 GB/s): every device has a port, and those of the same place in their nodes meet at the same " +
			"leaf. Of a leaf’s ports over times (1) as many go down as up.",
		Source: law.AustinGPUs, Result: kinType(n.plans),
		Call: func(a []value.Value) (value.Value, error) {
			var sizes [3]int
			for i, key := range [...]string{"library.number-of-devices", "library.size-of-node", "library.number-of-ports"} {
				size, err := whole(a[i], key)
				if err != nil {
					return value.Value{}, err
				}
				sizes[i] = size
			}
			f, err := network.NewFatTree(sizes[0], sizes[1], sizes[2], a[3].Num.Value)
			if err != nil {
				return value.Value{}, err
			}
			return n.fatTree(f, a[0].Num, a[4].Num.Value), nil
		},
	}
}

// fatTree is a fat tree as a sheet sees it.
func (n *networks) fatTree(f network.FatTree, devices quantity.Quantity, port float64) value.Value {
	r := newRecord(n.plans, phrase.New("library.fat-tree-of", "devices", devices))
	r.Of = f
	for name, x := range map[string]int{
		"devices": f.Devices, "nodes": f.Nodes, "units": f.Units, "leafs": f.Leafs, "spines": f.Spines, "cores": f.Cores,
		"links_per_pair": f.LinksPerPair, "levels": f.Levels, "down": f.Down, "up": f.Up, "spine_ports": f.SpinePorts(),
	} {
		r.num(name, float64(x))
	}
	r.num("rise", float64(f.Rise())*port)
	r.num("bisection", float64(f.Bisection())*port)
	return r.value()
}
