package library

import (
	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/sheet"
)

// Work works a formula out with named values, as sheets do with their steps: for the terms of costs, which rooms
// without sheets carry as text.
func Work(formula string, values []law.Value, f sheet.Format) (sheet.Working, error) {
	named := make([]sheet.Named, len(values))
	for i, v := range values {
		named[i] = sheet.Named{Name: v.Name, Value: sheet.Value{Kind: sheet.Number, Num: v.Num}}
	}
	return sheet.Work(formula, named, nil, f)
}
