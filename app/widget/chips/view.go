package chips

import (
	"math"
	"slices"
	"strings"

	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/widget/instrument"
)

// view is the tables, the bars, and each chip's constants. These stay in the order of choosing: a list must not move under
// the hand that changes a number in it.
func view(s *instrument.State) []instrument.Part {
	all := sorted(s)
	if len(all) == 0 {
		return []instrument.Part{{Key: "none", Build: func() *instrument.Node {
			return instrument.Note("No chip is chosen. Add one to begin.")
		}}}
	}
	parts := []instrument.Part{{Key: "tables", Build: func() *instrument.Node { return tables(s, all) }},
		{Key: "bars", Build: func() *instrument.Node { return bars(s, all) }}}
	return append(parts, instrument.Part{Key: "sources", Build: func() *instrument.Node { return sources(s, chosen(s)) }})
}

// sorted are the chosen chips in the order of the column that the reader sorts by: one order for all tables.
func sorted(s *instrument.State) []chip {
	all := chosen(s)
	key, up := strings.CutPrefix(s.Text("sort"), "-")
	col, ok := columnOf(key)
	if !ok {
		return all
	}
	numbers := make([]quantity.Quantity, len(all))
	for i, c := range all {
		numbers[i], _ = col.of(c)
	}
	instrument.Sort(len(all), func(i, j int) bool {
		x, y := numbers[i], numbers[j]
		switch {
		case !x.IsFinite() || !y.IsFinite():
			return x.IsFinite() && !y.IsFinite()
		case up:
			return x.Value < y.Value
		}
		return x.Value > y.Value
	}, func(i, j int) {
		all[i], all[j] = all[j], all[i]
		numbers[i], numbers[j] = numbers[j], numbers[i]
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
		if len(group) > 0 && group[0].table.key != col.table.key {
			flush()
		}
		if slices.ContainsFunc(all, func(c chip) bool { x, _ := col.of(c); return x.IsFinite() }) {
			group = append(group, col)
		}
	}
	flush()
	return box
}

func table(s *instrument.State, all []chip, group []column) *instrument.Node {
	t := instrument.Table{Key: group[0].table.key, Caption: group[0].table.caption(s), Sort: "sort", Heads: []instrument.Head{{Text: "Chip"}}}
	for _, col := range group {
		t.Heads = append(t.Heads, instrument.Head{Key: col.key, Text: col.head})
		if col.note != nil {
			t.Heads = append(t.Heads, instrument.Head{Text: col.note.head})
		}
	}
	for _, c := range all {
		row := []instrument.Cell{instrument.Say(c.Name)}
		for _, col := range group {
			row = append(row, col.leveled(c))
			if col.note != nil {
				row = append(row, col.remark(c))
			}
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
	like := quantity.Quantity{}
	for _, c := range all {
		q, _ := col.of(c)
		if !q.IsFinite() {
			q.Value = math.NaN()
		} else {
			like = q
		}
		names, values = append(names, c.Name), append(values, q.Value)
	}
	return s.Bars("bars", col.table.caption(s)+": "+col.head, "", names, values, false, instrument.In(like))
}
