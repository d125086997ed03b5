package library

import (
	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/network"
	"github.com/scalebook/scalebook/app/sheet"
)

// addSlices offers the slices of a pod by their shapes.
func addSlices(env *sheet.Env) {
	slices := env.Funcs["slice"].Result
	chip := param("chip", sheet.Type{Kind: sheet.Rec})
	n := &networks{catalogs: catalogs(), slices: slices.Kin}
	env.Funcs["chip_slices"] = &sheet.Func{
		Name: "chip_slices", Params: []sheet.Param{chip}, Result: sheet.ListOf(slices), Source: "Google's pages on each " +
			"TPU", Work: 1 << 10,
		Doc: "The slices that a chip's pods commonly have, smallest first; none of a chip that is not joined in a torus.",
		Call: func(a []sheet.Value) (sheet.Value, error) {
			chip, err := n.chip(a[0])
			if err != nil {
				return sheet.Value{}, err
			}
			var all []*sheet.Record
			for _, shape := range network.Shapes(chip) {
				v, err := n.cut(chip, shape, a[0])
				if err != nil {
					return sheet.Value{}, err
				}
				all = append(all, v.Record)
			}
			return recordList(all), nil
		},
	}
	env.Funcs["slice_shape"] = &sheet.Func{
		Name: "slice_shape", Params: []sheet.Param{chip,
			param("shape", text)}, Result: slices, Source: "Google's pages on each TPU",
		Doc: "A slice of a pod by its shape in chips, such as \"4x4x8\".",
		Call: func(a []sheet.Value) (sheet.Value, error) {
			chip, err := n.chip(a[0])
			if err != nil {
				return sheet.Value{}, err
			}
			return n.cut(chip, a[1].Text, a[0])
		},
	}
}

// cut is a slice as a record that tables and menus can name.
func (n *networks) cut(chip *hardware.Accelerator, shape string, of sheet.Value) (sheet.Value, error) {
	s, err := network.CutSlice(chip, shape)
	if err != nil {
		return sheet.Value{}, err
	}
	v := n.sliceRecord(s, of)
	v.Record.ID = s.Shape()
	return v, nil
}
