package library

import (
	"strconv"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/network"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// maxLevels is how many levels a tree of a sheet may have, mostDevices how many devices: as many as a group may have
// members.
const (
	maxLevels   = 3
	mostDevices = 1 << 30
)

var levelNames = [maxLevels]string{"node", "leaf", "spine"}

// nodeFunc is the function node(device).
func (n *networks) nodeFunc() *value.Func {
	return &value.Func{
		Name: "node", Params: []value.Param{param("device", value.Type{Kind: value.Rec})},
		Doc:    "The node of an accelerator: its devices behind a switch, each with a one-way egress.",
		Source: law.Catalog, Result: kinType(n.trees),
		Call: n.treeOf(func(device *hardware.Accelerator) (network.Tree, error) {
			s, err := network.NewNode(device)
			level := network.Level{Name: "node", Degree: s.Devices, Egress: s.Egress}
			return network.Tree{Name: s.Name, Levels: []network.Level{level}}, err
		}),
	}
}

// clusterFunc is the function superpod(device).
func (n *networks) clusterFunc() *value.Func {
	return &value.Func{
		Name: "superpod", Params: []value.Param{param("device", value.Type{Kind: value.Rec})},
		Doc:    "The published cluster of an accelerator, with its levels of switches: of the H100, B200 and GB200.",
		Source: law.AustinGPUs, Result: kinType(n.trees),
		Call: n.treeOf(network.NewCluster),
	}
}

// treeOf is a function of a sheet that gives the tree which an accelerator comes in.
func (n *networks) treeOf(build func(*hardware.Accelerator) (network.Tree, error)) func([]value.Value) (
	value.Value, error) {
	return func(a []value.Value) (value.Value, error) {
		device, err := n.chip(a[0])
		if err != nil {
			return value.Value{}, err
		}
		t, err := build(device)
		if err != nil {
			return value.Value{}, err
		}
		return n.treeValue(t)
	}
}

// treeFunc is the function switch_tree(degree_1, egress_1, ...).
func (n *networks) treeFunc() *value.Func {
	var params []value.Param
	for i := range maxLevels {
		degree, egress := count("degree_"+strconv.Itoa(i+1)), param("egress_"+strconv.Itoa(i+1), bandwidth)
		if i > 0 {
			degree.Optional, degree.Default = true, counted(1, "")
			egress.Optional, egress.Default = true, value.Value{Kind: value.Number, Num: quantity.Bandwidth(0).Quantity()}
		}
		params = append(params, degree, egress)
	}
	return &value.Func{
		Name: "switch_tree", Params: params,
		Doc: "A tree of switches from the devices up: how many units each level joins, and the egress of one such " +
			"unit, one way.",
		Source: "its parameters", Result: kinType(n.trees),
		Call: func(a []value.Value) (value.Value, error) {
			t := network.Tree{}
			for i := 0; i+1 < len(a); i += 2 {
				degree, err := whole(a[i], "library.degree-of-level")
				if err != nil {
					return value.Value{}, err
				}
				if i > 0 && degree == 1 && a[i+1].Num.Value == 0 {
					break // the defaults: nobody wrote this level
				}
				t.Levels = append(
					t.Levels,
					network.Level{Name: levelNames[i/2], Degree: degree, Egress: quantity.Bandwidth(a[i+1].Num.Value)},
				)
			}
			return n.treeValue(t)
		},
	}
}

// treeValue is a tree as a sheet sees it.
func (n *networks) treeValue(t network.Tree) (value.Value, error) {
	if t.Name == "" {
		t.Name = english(phrase.Count(t.Size(), "library.devices-on-switches"))
	}
	for _, l := range t.Levels {
		if l.Degree < 1 || !(l.Egress > 0) {
			return value.Value{}, phrase.Fault{
				What:   phrase.Count(l.Degree, "library.level-joins", "level", l.Name, "egress", l.Egress.Quantity()),
				Remedy: phrase.New("library.give-unit-and-bandwidth"),
			}
		}
	}
	if t.Size() > mostDevices {
		return value.Value{}, phrase.Fault{What: phrase.New("library.tree-too-large", "most", mostDevices),
			Remedy: phrase.New("library.give-lower-degrees")}
	}
	r := newRecord(n.trees, t.Name)
	r.num("devices", float64(t.Size()))
	r.num("levels", float64(len(t.Levels)))
	r.num("bisection_bandwidth", float64(t.Bisection()))
	switches := 0
	for i := range min(len(t.Levels), maxLevels) {
		levelFields(r, t, i)
		switches += t.Switches(i)
	}
	if switches > 0 {
		r.num("switches", float64(switches))
	}
	if w, err := t.CollectiveBandwidth(); err == nil {
		r.num("collective_bandwidth_exact", float64(w))
		r.num("collective_bandwidth", float64(byLevels(t)))
	}
	return r.value(), nil
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
func levelFields(r filling, t network.Tree, i int) {
	l, at := t.Levels[i], "_"+strconv.Itoa(i+1)
	r.num("degree"+at, float64(l.Degree))
	r.num("egress"+at, float64(l.Egress))
	r.num("joined"+at, float64(l.Joined()))
	if l.Switches > 0 {
		r.num("switches"+at, float64(t.Switches(i)))
		r.num("capacity"+at, float64(l.Capacity()))
	}
}

// treeOf reads a tree back from its record.
func treeOf(r *value.Record) network.Tree {
	t := network.Tree{Name: r.Name}
	for i := range int(get(r, "levels")) {
		at := "_" + strconv.Itoa(i+1)
		t.Levels = append(t.Levels, network.Level{
			Name: levelNames[i], Degree: int(get(r, "degree"+at)), Egress: quantity.Bandwidth(get(r, "egress"+at)),
		})
	}
	return t
}

// treeKin declares what nodes and trees of switches know.
func treeKin(n *networks) *value.RecordType {
	kin := withFields(value.RecordType{Name: "tree of switches"}, nil)
	members, stride := count("members"), count("stride")
	members.Optional, members.Default = true, counted(0, "")
	stride.Optional, stride.Default = true, counted(1, "")
	n.addCollectives(kin, groups{
		Doc:     "over all devices, or over so many members, every stride-th device, while the other groups do the same.",
		choices: []value.Param{members, stride},
		pick:    ranksOf,
	})
	return kin
}

// ranksOf is a group of a tree: so many members (0: as many as there are), every stride-th device.
func ranksOf(r *value.Record, c []value.Value) (network.Group, error) {
	t := treeOf(r)
	n, err := whole(c[0], "library.number-of-members")
	if err != nil {
		return nil, err
	}
	step, err := whole(c[1], "library.stride")
	if err != nil {
		return nil, err
	}
	if n == 0 {
		n = t.Size() / max(step, 1)
	}
	return t.Group(n, step)
}
