//go:build lean

package library

import "github.com/scalebook/scalebook/app/sheet/value"

// addPlanners offers nothing: pages with planners load the other program.
func addPlanners(*value.Env) {}
