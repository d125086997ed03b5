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
		Source: law.Catalog, Result: typeOfRecord(n.trees),
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
		Source: law.AustinGPUs, Result: typeOfRecord(n.trees),
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
			egress.Optional, egress.Default = true, value.Value{Kind: value.Number,
				Num: quantity.Bandwidth(0).Quantity()}
		}
		params = append(params, degree, egress)
	}
	return &value.Func{
		Name: "switch_tree", Params: params,
		Doc: "A tree of switches from the devices up: how many units each level joins, and the egress of one such " +
			"unit, one way.",
		Source: "its parameters", Result: typeOfRecord(n.trees),
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
	called := any(t.Name)
	if t.Name == "" {
		called = phrase.Count(t.Size(), "library.devices-on-switches")
		t.Name = english(called)
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
	r := newRecord(n.trees, called)
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
func levelFields(r recordBuilder, t network.Tree, i int) {
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

// treeType declares what nodes and trees of switches know.
func treeType(n *networks) *value.RecordType {
	rt := withFields(value.RecordType{Name: "tree of switches"}, nil)
	members, stride := count("members"), count("stride")
	members.Optional, members.Default = true, counted(0, "")
	stride.Optional, stride.Default = true, counted(1, "")
	n.addCollectives(rt, groups{
		Doc: "over all devices, or over so many members, every stride-th device, while the other groups do the " +
			"same.",
		choices: []value.Param{members, stride},
		pick:    ranksOf,
	})
	return rt
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

// addSlices offers the slices of a pod by their shapes.
func addSlices(env *value.Env) {
	n := &networks{slices: env.Funcs["slice"].Result.Record}
	n.slices.Named = n.named
	slice := typeOfRecord(n.slices)
	n.slices.Methods["with_link"] = n.withLink(slice)
	for _, f := range []*value.Func{n.shaped(slice), n.usual(slice), n.common(slice), n.axes(slice)} {
		f.Source = law.GooglePages
		env.Funcs[f.Name] = f
	}
}

// shaped is the function slice_shape(chip, shape).
func (n *networks) shaped(slice value.Type) *value.Func {
	return &value.Func{
		Name: "slice_shape", Params: []value.Param{param("chip", value.Type{Kind: value.Rec}), param("shape", text)},
		Result: slice, Doc: "A slice of a pod by its shape in chips, such as \"4x4x8\".",
		Call: func(a []value.Value) (value.Value, error) {
			chip, err := n.chip(a[0])
			if err != nil {
				return value.Value{}, err
			}
			return n.cut(chip, a[1].Text, a[0])
		},
	}
}

// usual is the function usual_slice(chip).
func (n *networks) usual(slice value.Type) *value.Func {
	return &value.Func{
		Name: "usual_slice", Params: []value.Param{param("chip", value.Type{Kind: value.Rec})}, Result: slice,
		Doc: "The slice to begin with: 4x4x8, or of pods that have none one of middling size.",
		Call: func(a []value.Value) (value.Value, error) {
			chip, err := n.chip(a[0])
			if err != nil {
				return value.Value{}, err
			}
			if v, err := n.cut(chip, "4x4x8", a[0]); err == nil {
				return v, nil
			}
			shape := ""
			if all := network.Shapes(chip); len(all) > 0 {
				shape = all[len(all)/2]
			}
			return n.cut(chip, shape, a[0])
		},
	}
}

// common is the function chip_slices(chip).
func (n *networks) common(slice value.Type) *value.Func {
	return &value.Func{
		Name: "chip_slices", Params: []value.Param{param("chip", value.Type{Kind: value.Rec})},
		Result: value.ListOf(slice), Work: 1 << 10,
		Doc: "The slices that a chip’s pods commonly have, smallest first; none of a chip that is not joined in a " +
			"torus.",
		Call: func(a []value.Value) (value.Value, error) {
			chip, err := n.chip(a[0])
			if err != nil {
				return value.Value{}, err
			}
			var all []*value.Record
			for _, shape := range network.Shapes(chip) {
				v, err := n.cut(chip, shape, a[0])
				if err != nil {
					return value.Value{}, err
				}
				all = append(all, v.Record)
			}
			return recordList(all), nil
		},
	}
}

// axes is the function slice_axes(slice).
func (n *networks) axes(slice value.Type) *value.Func {
	rt := withFields(value.RecordType{Name: "axis"}, nil)
	return &value.Func{
		Name: "slice_axes", Params: []value.Param{param("slice", slice)},
		Result: listType(rt),
		Doc:    "The axes of a slice: which wrap around, and what moves along each.",
		Call: func(a []value.Value) (value.Value, error) {
			var all []*value.Record
			for _, axis := range a[0].Record.Of.(network.Slice).Axes {
				r := newRecord(rt, axis.Name)
				r.say("axis", axis.Name)
				r.num("chips", float64(axis.Size))
				r.say("wraps", phrase.New("library.wraps-not"))
				if axis.Wrap {
					r.say("wraps", phrase.New("library.wraps"))
				}
				r.num("neighbour", float64(axis.Neighbour()))
				r.num("ring", float64(axis.Ring()))
				r.num("hops", float64(axis.Diameter()))
				all = append(all, r.Record)
			}
			return recordList(all), nil
		},
	}
}

// withLink is the method with_link(bandwidth) of a slice.
func (n *networks) withLink(slice value.Type) *value.Func {
	return &value.Func{
		Name: "with_link", Params: []value.Param{param("slice", slice), param("link", bandwidth)}, Result: slice,
		Doc: "The slice with links of another bandwidth, one way.", Source: law.Catalog,
		Call: func(a []value.Value) (value.Value, error) {
			s := a[0].Record.Of.(network.Slice).WithLink(quantity.Bandwidth(a[1].Num.Value))
			return n.shapedRecord(s, a[0].Record.Fields["chip"]), nil
		},
	}
}

// cut is a slice as a record that tables and menus can name.
func (n *networks) cut(chip *hardware.Accelerator, shape string, of value.Value) (value.Value, error) {
	s, err := network.CutSlice(chip, shape)
	if err != nil {
		return value.Value{}, err
	}
	return n.shapedRecord(s, of), nil
}

// shapedRecord is a slice as a record whose ID is its shape.
func (n *networks) shapedRecord(s network.Slice, of value.Value) value.Value {
	v := n.sliceRecord(s, of)
	v.Record.ID = s.Shape()
	return v
}

// named is a slice of the same chip by the shape that a reader wrote: catalogs list only the usual ones.
func (n *networks) named(like *value.Record, shape string) (*value.Record, error) {
	of := like.Fields["chip"]
	chip, err := n.chip(of)
	if err != nil {
		return nil, err
	}
	v, err := n.cut(chip, shape, of)
	return v.Record, err
}
