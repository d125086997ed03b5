package library

import (
	"strconv"

	"github.com/scalebook/scalebook/app/network"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet"
)

// maxLevels is how many levels of a tree have fields of their own.
const maxLevels = 3

// nodeFunc is the function node(device).
func (n *networks) nodeFunc() *sheet.Func {
	return &sheet.Func{
		Name: "node", Params: []sheet.Param{of("device", sheet.Type{Kind: sheet.Rec})},
		Doc:    "The node of an accelerator: its devices behind a switch, each with a one-way egress.",
		Source: "the catalog", Result: sheet.Type{Kind: sheet.Rec, Kin: n.trees},
		Call: func(a []sheet.Value) (sheet.Value, error) {
			device, err := n.chip(a[0])
			if err != nil {
				return sheet.Value{}, err
			}
			s, err := network.NewNode(device)
			if err != nil {
				return sheet.Value{}, err
			}
			t := network.Tree{Name: s.Name, Levels: []network.Level{{Name: "node", Degree: s.Devices, Egress: s.Egress}}}
			return n.treeValue(t)
		},
	}
}

// clusterFunc is the function superpod(device).
func (n *networks) clusterFunc() *sheet.Func {
	return &sheet.Func{
		Name: "superpod", Params: []sheet.Param{of("device", sheet.Type{Kind: sheet.Rec})},
		Doc:    "The published cluster of an accelerator, with its levels of switches: of the H100, B200 and GB200.",
		Source: austinGPUs, Result: sheet.Type{Kind: sheet.Rec, Kin: n.trees},
		Call: func(a []sheet.Value) (sheet.Value, error) {
			device, err := n.chip(a[0])
			if err != nil {
				return sheet.Value{}, err
			}
			t, err := network.NewCluster(device)
			if err != nil {
				return sheet.Value{}, err
			}
			return n.treeValue(t)
		},
	}
}

// treeFunc is the function switch_tree(degree_1, egress_1, ...).
func (n *networks) treeFunc() *sheet.Func {
	var params []sheet.Param
	for i := range maxLevels {
		degree, egress := count("degree_"+strconv.Itoa(i+1)), of("egress_"+strconv.Itoa(i+1), bandwidth)
		if i > 0 {
			degree.Optional, degree.Default = true, counted(1, "")
			egress.Optional, egress.Default = true, sheet.Value{Kind: sheet.Number, Num: quantity.Bandwidth(1).Quantity()}
		}
		params = append(params, degree, egress)
	}
	return &sheet.Func{
		Name: "switch_tree", Params: params,
		Doc:    "A tree of switches from the devices up: how many units each level joins, and the egress of one such unit, one way.",
		Source: "its parameters", Result: sheet.Type{Kind: sheet.Rec, Kin: n.trees},
		Call: func(a []sheet.Value) (sheet.Value, error) {
			t := network.Tree{}
			for i := 0; i+1 < len(a); i += 2 {
				degree, err := whole(a[i], "the degree of a level")
				if err != nil {
					return sheet.Value{}, err
				}
				name := [...]string{"node", "leaf", "spine"}[i/2]
				t.Levels = append(t.Levels, network.Level{Name: name, Degree: degree, Egress: quantity.Bandwidth(a[i+1].Num.Value)})
			}
			return n.treeValue(t)
		},
	}
}

// treeValue is a tree as a sheet sees it.
func (n *networks) treeValue(t network.Tree) (sheet.Value, error) {
	if t.Name == "" {
		t.Name = strconv.Itoa(t.Size()) + " devices on switches"
	}
	for _, l := range t.Levels {
		if l.Degree < 1 || !(l.Egress > 0) {
			return sheet.Value{}, &network.Error{What: "level " + l.Name + " joins " + strconv.Itoa(l.Degree) + " units of " + l.Egress.Quantity().String(), Remedy: "give at least one, and a bandwidth above 0"}
		}
	}
	r := &sheet.Record{Name: t.Name, Kin: n.trees, Fields: map[string]sheet.Value{
		"devices":             counted(float64(t.Size()), "device"),
		"levels":              counted(float64(len(t.Levels)), ""),
		"bisection_bandwidth": speed(t.Bisection()),
	}}
	switches := 0
	for i, l := range t.Levels {
		levelFields(r, t, i)
		switches += l.Switches * t.Units(i)
	}
	if switches > 0 {
		r.Fields["switches"] = counted(float64(switches), "")
	}
	if w, err := t.CollectiveBandwidth(); err == nil {
		r.Fields["collective_bandwidth_exact"] = speed(w)
		r.Fields["collective_bandwidth"] = speed(byLevels(t))
	}
	return sheet.Value{Kind: sheet.Rec, Record: r}, nil
}

// byLevels is the least over the levels of what the original takes for a level's collective bandwidth.
func byLevels(t network.Tree) quantity.Bandwidth {
	least := quantity.Bandwidth(0)
	for _, l := range t.Levels {
		if w := network.LevelBandwidth(float64(l.Degree), l.Egress); l.Degree > 1 && (least == 0 || w < least) {
			least = w
		}
	}
	return least
}

// levelFields are what a sheet may ask of level i, numbered from 1.
func levelFields(r *sheet.Record, t network.Tree, i int) {
	if i >= maxLevels {
		return
	}
	l, at := t.Levels[i], "_"+strconv.Itoa(i+1)
	r.Fields["degree"+at] = counted(float64(l.Degree), "")
	r.Fields["egress"+at] = speed(l.Egress)
	r.Fields["joined"+at] = speed(l.Joined())
	if l.Switches > 0 {
		r.Fields["switches"+at] = counted(float64(t.Switches(i)), "")
		r.Fields["capacity"+at] = speed(l.Capacity())
	}
}

// treeOf reads a tree back from its record.
func treeOf(r *sheet.Record) network.Tree {
	t := network.Tree{Name: r.Name}
	names := [...]string{"node", "leaf", "spine"}
	for i := range maxLevels {
		at := "_" + strconv.Itoa(i+1)
		degree, ok := r.Fields["degree"+at]
		if !ok {
			break
		}
		t.Levels = append(t.Levels, network.Level{Name: names[i], Degree: int(degree.Num.Value), Egress: quantity.Bandwidth(r.Fields["egress"+at].Num.Value)})
	}
	return t
}

func speed(w quantity.Bandwidth) sheet.Value {
	return sheet.Value{Kind: sheet.Number, Num: w.Quantity()}
}

// treeKin declares what nodes and trees of switches know.
func treeKin() *sheet.Kin {
	kin := &sheet.Kin{Name: "tree of switches", Fields: []sheet.Field{
		{Name: "devices", Label: "devices", Type: plain},
		{Name: "levels", Label: "levels of switches", Type: plain},
		{Name: "switches", Label: "switches in all", Type: plain},
		{Name: "bisection_bandwidth", Label: "bandwidth between two halves, one way", Type: bandwidth},
		{Name: "collective_bandwidth", Label: "least over the levels of D W/(D-1), as the original has it", Type: bandwidth},
		{Name: "collective_bandwidth_exact", Label: "array over the time of its all-gather over all devices", Type: bandwidth},
	}}
	for i := range maxLevels {
		at := strconv.Itoa(i + 1)
		kin.Fields = append(kin.Fields,
			sheet.Field{Name: "degree_" + at, Label: "units that a unit of level " + at + " joins", Type: plain},
			sheet.Field{Name: "egress_" + at, Label: "egress of each of them into level " + at + ", one way", Type: bandwidth},
			sheet.Field{Name: "joined_" + at, Label: "bandwidth of all cables into a unit of level " + at + ", one way", Type: bandwidth},
			sheet.Field{Name: "switches_" + at, Label: "switches of level " + at, Type: plain},
			sheet.Field{Name: "capacity_" + at, Label: "bandwidth of all switch ports in a unit of level " + at + ", one way", Type: bandwidth})
	}
	tree := of("tree", sheet.Type{Kind: sheet.Rec, Kin: kin})
	kin.Methods = map[string]*sheet.Func{}
	for _, op := range timedOps() {
		kin.Methods[op.name] = treeMethod(tree, op)
	}
	return kin
}

// timedOp is a collective whose time records can be asked for.
type timedOp struct {
	name string
	op   network.Op
	doc  string
}

func timedOps() []timedOp {
	return []timedOp{
		{"all_gather_time", network.AllGather, "an all-gather of V bytes in all"},
		{"reduce_scatter_time", network.ReduceScatter, "a reduce-scatter of an array of V bytes on every chip"},
		{"all_reduce_time", network.AllReduce, "an all-reduce of an array of V bytes on every chip"},
		{"all_to_all_time", network.AllToAll, "an all-to-all of an array of V bytes over all chips"},
	}
}

// treeMethod is the exact time of a collective over members of a tree: all of them, or every stride-th.
func treeMethod(tree sheet.Param, op timedOp) *sheet.Func {
	members, stride := count("members"), count("stride")
	members.Optional, members.Default = true, counted(0, "")
	stride.Optional, stride.Default = true, counted(1, "")
	return &sheet.Func{
		Name: op.name, Params: []sheet.Param{tree, of("V", bytes), members, stride}, Result: seconds, Source: "app/network, held against schedules played step by step",
		Doc: "Exact time of " + op.doc + ", over all devices or over so many members of a group, every stride-th device, while the other groups do the same.",
		Call: func(a []sheet.Value) (sheet.Value, error) {
			t := treeOf(a[0].Record)
			n, err := whole(a[2], "the number of members")
			if err != nil {
				return sheet.Value{}, err
			}
			step, err := whole(a[3], "the stride")
			if err != nil {
				return sheet.Value{}, err
			}
			if n == 0 {
				n = t.Size() / max(step, 1)
			}
			g, err := t.Group(n, step)
			if err != nil {
				return sheet.Value{}, err
			}
			return timeOver(op.op, a[1], g)
		},
	}
}

// timeOver is the time of a collective over a group.
func timeOver(op network.Op, v sheet.Value, g network.Group) (sheet.Value, error) {
	c, err := network.Collective{Op: op, Bytes: quantity.Bytes(v.Num.Value)}.Over(g)
	return sheet.Value{Kind: sheet.Number, Num: c.Time.Quantity()}, err
}
