package library

import (
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sharding"
	"github.com/scalebook/scalebook/app/sheet"
)

// addSchemes offers what the figure of a layer split over chips may be asked beforehand.
func addSchemes(env *sheet.Env) {
	env.Funcs["scheme_steps"] = &sheet.Func{
		Name: "scheme_steps", Params: []sheet.Param{param("scheme", text)}, Result: sheet.Type{Kind: sheet.Number},
		Source: "the steps of Austin et al., How To Scale Your Model (2025), part 5",
		Doc:    "How many steps a way to split a layer has: dp, fsdp, tp, mixed, ep or cp.",
		Call: func(a []sheet.Value) (sheet.Value, error) {
			s, err := sharding.ReadScheme(a[0].Text)
			if err != nil {
				return sheet.Value{}, err
			}
			return sheet.Value{Kind: sheet.Number, Num: quantity.Quantity{Value: float64(len(s.Steps))}}, nil
		},
	}
}
