package library

import (
	"slices"
	"strings"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/network"
	"github.com/scalebook/scalebook/app/network/play"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// addCatalogs offers what a menu may be made of: the chips that have certain constants, and the formats of a chip.
func addCatalogs(env *value.Env) {
	chips := env.RecordTypes[0]
	chip := kinType(chips)
	env.Funcs["accelerators_with"] = &value.Func{
		Name: "accelerators_with", Params: []value.Param{param("fields",
			text)}, Result: value.ListOf(chip), Source: law.Catalog,
		Doc: "The accelerators of which all these constants are known: accelerators_with(\"vmem hbm_bandwidth flops.bf16\").",
		Call: func(a []value.Value) (value.Value, error) {
			var all []*value.Record
			for _, r := range chips.Members {
				if has(r, a[0].Text) {
					all = append(all, r)
				}
			}
			return recordList(all), nil
		},
	}
	env.Funcs["chip_dtypes"] = &value.Func{
		Name: "chip_dtypes", Params: []value.Param{param("chip", chip)}, Result: value.ListOf(dtype), Source: law.Catalog,
		Doc: "The number formats of which the peak rate of a chip is known, widest first.",
		Call: func(a []value.Value) (value.Value, error) {
			known := a[0].Record.Of.(*hardware.Accelerator).DTypes()
			v := value.Value{Kind: value.List}
			for _, d := range env.DTypes {
				if slices.Contains(known, d.Text) {
					v.List = append(v.List, d)
				}
			}
			return v, nil
		},
	}
	env.Funcs["usual_shape"] = &value.Func{
		Name: "usual_shape", Params: []value.Param{param("chip", chip)}, Result: text, Source: law.GooglePages,
		Doc: "The shape of a slice to begin with: \"4x4\", or \"4x4x4\" where pods have three axes.",
		Call: func(a []value.Value) (value.Value, error) {
			rule, ok := network.RuleFor(a[0].Record.Of.(*hardware.Accelerator))
			if ok && rule.Dims == 3 {
				return words("4x4x4"), nil
			}
			return words("4x4"), nil
		},
	}
	env.Funcs["sharp"] = &value.Func{
		Name: "sharp", Params: []value.Param{param("chip", chip)}, Result: flag, Source: "NVIDIA’s pages on NVSwitch",
		Doc: "Whether the switches of the device’s nodes can add up (SHARP).",
		Call: func(a []value.Value) (value.Value, error) {
			return value.Value{Kind: value.Bool, Bool: play.Sharp(a[0].Record.Of.(*hardware.Accelerator))}, nil
		},
	}
}

// has tells whether a chip has all these constants.
func has(r *value.Record, fields string) bool {
	for field := range strings.FieldsSeq(fields) {
		if !r.Of.(*hardware.Accelerator).Has(field) {
			return false
		}
	}
	return true
}
