package library

import (
	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/network"
	"github.com/scalebook/scalebook/app/sheet"
)

// planFunc is the function fat_tree(devices, per_node, ports): the switches that it needs.
func (n *networks) planFunc() *sheet.Func {
	perNode, ports := count("per_node"), count("ports")
	perNode.Optional, perNode.Default = true, counted(8, "device")
	ports.Optional, ports.Default = true, counted(64, "")
	return &sheet.Func{
		Name: "fat_tree", Params: []sheet.Param{count("devices"), perNode, ports},
		Doc: "The switches of a fat tree that loses nothing on the way up, for devices in nodes of per_node (8) and " +
			"switches of so many ports (64): " +
			"every device has a port, and those of the same place in their nodes meet at the same leaf.",
		Source: law.AustinGPUs, Result: sheet.Type{Kind: sheet.Rec, Kin: n.plans},
		Call: func(a []sheet.Value) (sheet.Value, error) {
			var sizes [3]int
			for i, what := range [...]string{"the number of devices", "the size of a node", "the number of ports"} {
				size, err := whole(a[i], what)
				if err != nil {
					return sheet.Value{}, err
				}
				sizes[i] = size
			}
			f, err := network.NewFatTree(sizes[0], sizes[1], sizes[2])
			if err != nil {
				return sheet.Value{}, err
			}
			r := fill(n.plans, "fat tree of "+a[0].Num.String())
			for name, n := range map[string]int{
				"devices": f.Devices, "nodes": f.Nodes, "units": f.Units, "leafs": f.Leafs, "spines": f.Spines, "cores": f.Cores,
				"links_per_pair": f.LinksPerPair, "levels": f.Levels,
			} {
				r.num(name, float64(n))
			}
			return r.value(), nil
		},
	}
}
