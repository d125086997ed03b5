package measured

import (
	"cmp"
	"math"
	"slices"
)

// grouped is how far a row lies off, and its group: rows of one source, model and device are alike.
type grouped struct {
	group string
	off   float64 // the logarithm of measured over predicted, or the miss in parts of what is in doubt
	aside bool    // no constant was fitted to it
}

// keptAside are the rows that no constant was fitted to, since others are nearer than what comes anew: where there are
// enough of them, else all.
func keptAside(rows []grouped) []grouped {
	var own []grouped
	for _, r := range rows {
		if r.aside {
			own = append(own, r)
		}
	}
	if len(own) < fewRuns || len(groupsOf(own)) < fewGroups {
		return rows
	}
	return own
}

// holdingOthers is the interval of rows that holds a share of the rows of groups that it is not made of
// (cross-conformal prediction). Intervals of training, of single machines, of collectives and of engines' starts are
// made so.
func holdingOthers(rows []grouped, share float64) width {
	return narrowest(without(rows, ""), levelOf(rows, groupsOf(rows), share))
}

// groupsOf are the groups of rows in order.
func groupsOf(rows []grouped) (groups []string) {
	for i := range rows {
		groups = append(groups, rows[i].group)
	}
	slices.Sort(groups)
	return slices.Compact(groups)
}

// levelOf is the least share of rows that an interval of them must hold so that intervals of all groups but one hold
// the wanted share of the rows of that one.
func levelOf(rows []grouped, groups []string, share float64) (level float64) {
	const least, most, step = 0.75, 1, 0.01
	if len(groups) < 2 { // there are no others to hold
		return most
	}
	others, own := make([][]heavy, len(groups)), make([][]float64, len(groups))
	for i, group := range groups {
		others[i] = without(rows, group)
		for _, r := range rows {
			if r.group == group {
				own[i] = append(own[i], r.off)
			}
		}
	}
	for level = least; level < most; level += step {
		held := 0
		for i := range groups {
			w := narrowest(others[i], level)
			for _, off := range own[i] {
				if w.holds(off) {
					held++
				}
			}
		}
		if float64(held) >= share*float64(len(rows)) {
			return level
		}
	}
	return most
}

// holds tells whether an error is inside.
func (w width) holds(off float64) bool { return w.low <= off && off <= w.high }

// without are the errors of rows in order, but for those of a group.
func without(rows []grouped, group string) (errors []heavy) {
	for i := range rows {
		if rows[i].group != group {
			errors = append(errors, heavy{rows[i].off, 1})
		}
	}
	slices.SortFunc(errors, func(a, b heavy) int { return cmp.Compare(a.off, b.off) })
	return errors
}

// narrowest is the narrowest interval of errors that should hold a share of others. From the first to the k-th of n
// values in order there lie (k-1)/(n+1) of all others, in the mean; that the narrowest is chosen asks for a little
// more, and so does what is known to a hair.
func narrowest(errors []heavy, share float64) width {
	n := float64(len(errors))
	if n == 0 {
		return width{math.Inf(-1), math.Inf(1)}
	}
	w, little := middle(errors, min(share*(n+1)/n, 1)), math.Log(1.02)
	return width{min(w.low, -little) - little, max(w.high, little) + little}
}
