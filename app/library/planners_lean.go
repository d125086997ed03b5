//go:build lean

package library

import "github.com/scalebook/scalebook/app/sheet"

// addPlanners offers nothing: pages with planners load the other program.
func addPlanners(*sheet.Env) {}
