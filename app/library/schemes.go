package library

import (
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sharding"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// addSchemes offers what the figure of a layer split over chips may be asked beforehand.
func addSchemes(env *value.Env) {
	env.Funcs["scheme_steps"] = &value.Func{
		Name: "scheme_steps", Params: []value.Param{param("scheme", text)}, Result: value.Type{Kind: value.Number},
		Source: "the steps of Austin et al., How To Scale Your Model (2025), part 5",
		Doc:    "How many steps a way to split a layer has: dp, fsdp, tp, mixed, ep or cp.",
		Call: func(a []value.Value) (value.Value, error) {
			s, err := sharding.ReadScheme(a[0].Text)
			if err != nil {
				return value.Value{}, err
			}
			return value.Value{Kind: value.Number, Num: quantity.Quantity{Value: float64(len(s.Steps))}}, nil
		},
	}
}
