package library

import (
	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/network"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// addSlices offers the slices of a pod by their shapes.
func addSlices(env *value.Env) {
	n := &networks{slices: env.Funcs["slice"].Result.Record}
	n.slices.Named = n.named
	slice := kinType(n.slices)
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
		Doc: "The slices that a chip’s pods commonly have, smallest first; none of a chip that is not joined in a torus.",
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
	kin := withFields(value.RecordType{Name: "axis"}, nil)
	return &value.Func{
		Name: "slice_axes", Params: []value.Param{param("slice", slice)},
		Result: listType(kin),
		Doc:    "The axes of a slice: which wrap around, and what moves along each.",
		Call: func(a []value.Value) (value.Value, error) {
			var all []*value.Record
			for _, axis := range a[0].Record.Of.(network.Slice).Axes {
				r := newRecord(kin, axis.Name)
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
