//go:build lean

package figure

// plannerTable is empty: pages with planners load the other program.
func plannerTable() []entry { return nil }
