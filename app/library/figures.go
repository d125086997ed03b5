package library

import (
	"github.com/scalebook/scalebook/app/figure"
	"github.com/scalebook/scalebook/app/sheet"
)

// addFigures offers the drawings. They take records that catalogs have, or functions give, so they come last.
func addFigures(env *sheet.Env) {
	env.Figures = figure.Figures(func(name string) *sheet.Kin {
		for _, kin := range env.Kins {
			if kin.Name == name {
				return kin
			}
		}
		for _, f := range env.Funcs {
			t := f.Result
			if t.Kind == sheet.List {
				t = *t.Of
			}
			if t.Kind == sheet.Rec && t.Kin != nil && t.Kin.Name == name {
				return t.Kin
			}
		}
		return nil
	})
}
