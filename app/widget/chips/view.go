package chips

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/scalebook/scalebook/app/widget/instrument"
)

// view is the tables, the bars, and each chip's constants.
func view(s *instrument.State) []instrument.Part {
	all := sorted(s)
	if len(all) == 0 {
		return []instrument.Part{{Key: "none", Build: func() *instrument.Node {
			return instrument.Note("No chip is chosen. Add one to begin.")
		}}}
	}
	parts := []instrument.Part{{Key: "tables", Build: func() *instrument.Node { return tables(s, all) }},
		{Key: "bars", Build: func() *instrument.Node { return bars(s, all) }}}
	return append(parts, instrument.Part{Key: "sources", Build: func() *instrument.Node { return sources(s, all) }})
}

// sorted are the chosen chips in the order of the column that the reader sorts by: one order for all tables.
func sorted(s *instrument.State) []chip {
	all := chosen(s)
	key, up := strings.CutPrefix(s.Text("sort"), "-")
	col, ok := columnOf(key)
	if !ok {
		return all
	}
	slices.SortStableFunc(all, func(a, b chip) int {
		x, _ := col.of(a)
		y, _ := col.of(b)
		switch {
		case math.IsNaN(x) && math.IsNaN(y):
			return 0
		case math.IsNaN(x):
			return 1
		case math.IsNaN(y):
			return -1
		case up:
			return cmp.Compare(x, y)
		}
		return cmp.Compare(y, x)
	})
	return all
}

// tables are one for each group of columns. A column that no chip has anything in is left out.
func tables(s *instrument.State, all []chip) *instrument.Node {
	box := instrument.El("div", instrument.Class("part"))
	var group []column
	flush := func() {
		if len(group) > 0 {
			box.Kids = append(box.Kids, table(s, all, group))
		}
		group = nil
	}
	for _, col := range columns() {
		if len(group) > 0 && group[0].group != col.group {
			flush()
		}
		if slices.ContainsFunc(all, func(c chip) bool { x, _ := col.of(c); return x == x }) {
			group = append(group, col)
		}
	}
	flush()
	return box
}

func table(s *instrument.State, all []chip, group []column) *instrument.Node {
	name := group[0].group
	t := instrument.Table{Key: strings.ToLower(name[:5]), Caption: name, Sort: "sort", Heads: []instrument.Head{{Text: "Chip"}}}
	if name == intensity || name == cost {
		t.Caption = strings.TrimSuffix(name, ", at ") + ", at " + s.Text("dtype")
	}
	for _, col := range group {
		t.Heads = append(t.Heads, instrument.Head{Key: col.key, Text: col.head})
	}
	for _, c := range all {
		row := []instrument.Cell{instrument.Say(c.Name)}
		for _, col := range group {
			row = append(row, col.cell(c))
		}
		t.Rows = append(t.Rows, row)
	}
	return s.Table(t)
}

// bars draw one column.
func bars(s *instrument.State, all []chip) *instrument.Node {
	col, _ := columnOf(s.Text("bars"))
	var names []string
	var values []float64
	for _, c := range all {
		x, _ := col.of(c)
		if !instrument.Finite(x) {
			x = math.NaN()
		}
		names, values = append(names, c.Name), append(values, x)
	}
	title := col.head
	switch col.group {
	case intensity:
		title += ": FLOP per byte, at " + s.Text("dtype")
	case arithmetic:
		title += ", dense peak"
	case links:
		title += ", one way"
	}
	return s.Bars("bars", title, "", names, values, false, instrument.In(col.like))
}
