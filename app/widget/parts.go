package widget

import (
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/sheet"
)

// A view is built in parts. What holds them, the frame, never changes for a sheet; each part is rebuilt only when its
// Fingerprint changes. A frame names a part by a node that has only Part set.

// Frame is the inside of the sheet's body with a hole for each part.
func (v *View) Frame() []*Node {
	s := v.Sheet
	inputs := el("fieldset", class("inputs"))
	for _, in := range s.Inputs {
		inputs.Kids = append(inputs.Kids, hole("input", in.Name))
	}
	rows, hidden := el("div", class("rows")), false
	for i := range s.Rows {
		switch row := &s.Rows[i]; {
		case row.Kind == "input":
		case row.Hidden:
			hidden = true
		default:
			rows.Kids = append(rows.Kids, hole("row", row.Name))
		}
	}
	above, below := shows(s)
	frame := []*Node{hole("head", ""), hole("notices", "")}
	if len(s.Inputs) > 0 {
		inputs, above, below = beside(s, inputs, above, below)
		frame = append(frame, inputs)
	}
	if s.Long() {
		frame = append(frame, hole("tasks", ""))
	}
	frame = append(frame, above...)
	for _, in := range s.Inputs {
		r := in.Default.Record
		if fromCatalog := r != nil && r.Type != nil && len(r.Type.Members) > 0; fromCatalog || v.hasConstants(in) {
			frame = append(frame, hole("constants", in.Name))
		}
	}
	for _, a := range s.Asks {
		frame = append(frame, hole("ask", a.Name))
	}
	if len(rows.Kids) > 0 {
		frame = append(frame, rows)
	}
	frame = append(frame, below...)
	if hidden {
		frame = append(frame, hole("rest", ""))
	}
	if s.Size == sheet.Inline {
		frame = []*Node{v.foldWorking(frame)}
	}
	return append(frame, hole("status", ""))
}

// foldWorking is the fold that holds the working of a sheet whose numbers stand in a sentence. What a screen reader is
// told stays outside of it.
func (v *View) foldWorking(frame []*Node) *Node {
	const key = "behind"
	return el("details", class("behind"), attr("data-key", key), bare("open", v.open[key]), on("toggle", DoToggle, key),
		el("summary", v.say("widget.behind", "title", v.Sheet.Title)), frame)
}

// beside puts the first picture of a hero next to its inputs, so that a reader sees what a slider does, and takes it
// from where it was. A hero with fewer inputs keeps its picture below them; beside many there is room under a figure,
// for the picture that follows it or else for a plot.
func beside(s *sheet.Sheet, inputs *Node, above, below []*Node) (*Node, []*Node, []*Node) {
	const fewest, many = 3, 7
	if s.Size != sheet.Hero || len(s.Inputs) < fewest {
		return inputs, above, below
	}
	from := &above
	first := pick(from, "plot:", "figure:")
	if first == nil {
		from = &below
		first = pick(from, "plot:", "figure:")
	}
	if first == nil {
		return inputs, above, below
	}
	box := el("div", class("beside"), inputs, first)
	if len(s.Inputs) >= many && strings.HasPrefix(first.Part, "figure:") {
		second := pick(from, "plot:", "figure:")
		if second == nil {
			second = pick(&below, "plot:")
		}
		if second != nil {
			box.Kids = append(box.Kids, second)
		}
	}
	return box, above, below
}

// pick takes the first hole for a part of one of these kinds out of a list; nil if there is none.
func pick(list *[]*Node, kinds ...string) *Node {
	for i, n := range *list {
		for _, kind := range kinds {
			if strings.HasPrefix(n.Part, kind) {
				*list = slices.Delete(slices.Clone(*list), i, i+1)
				return n
			}
		}
	}
	return nil
}

// shows are the holes for plots, tables and figures, in the order of the text: those that stand above the first shown
// row, and the others.
func shows(s *sheet.Sheet) (above, below []*Node) {
	type place struct {
		line int
		hole *Node
	}
	var all []place
	for i, p := range s.Plots {
		all = append(all, place{p.Pos.Line, hole("plot", strconv.Itoa(i))})
	}
	for i, t := range s.Tables {
		all = append(all, place{t.Pos.Line, hole("table", strconv.Itoa(i))})
	}
	for i, f := range s.Figures {
		all = append(all, place{f.Pos.Line, hole("figure", strconv.Itoa(i))})
	}
	sortBy(len(all), func(i, j int) bool { return all[i].line < all[j].line },
		func(i, j int) { all[i], all[j] = all[j], all[i] })
	first := firstRow(s)
	for _, p := range all {
		if p.line < first {
			above = append(above, p.hole)
		} else {
			below = append(below, p.hole)
		}
	}
	return above, below
}

// firstRow is the line of the first row that is shown, 0 if there is none.
func firstRow(s *sheet.Sheet) int {
	first := 0
	for i := range s.Rows {
		r := &s.Rows[i]
		if r.Kind != "input" && !r.Hidden && (first == 0 || r.Pos.Line < first) {
			first = r.Pos.Line
		}
	}
	return first
}

// sortBy brings n things into order; equal ones stay as they stand. It is for the few parts and lines of a view, and
// costs the browser's program less than the library's.
func sortBy(n int, before func(i, j int) bool, swap func(i, j int)) {
	for i := 1; i < n; i++ {
		for j := i; j > 0 && before(j, j-1); j-- {
			swap(j, j-1)
		}
	}
}

// absent is what stands in the place of a part that its sheet's author wants only at times.
func absent() *Node { return el("div", bare("hidden", true)) }

func hole(kind, name string) *Node { return &Node{Part: partKey(kind, name)} }

func partKey(kind, name string) string { return kind + ":" + name }

// Part builds the part with this key.
func (v *View) Part(key string) *Node {
	kind, name, _ := strings.Cut(key, ":")
	switch kind {
	case "head":
		return v.head()
	case "notices":
		return v.noticeBox()
	case "input":
		return v.input(v.fitted(name))
	case "constants":
		return v.constants(v.fitted(name))
	case "ask":
		return v.ask(name)
	case "row":
		return v.rowNode(v.row(name))
	case "plot":
		return v.plot(index(name))
	case "table":
		return v.table(index(name))
	case "figure":
		return v.figure(index(name))
	case "rest":
		return v.rest()
	case "tasks":
		return v.taskBox()
	}
	return v.statusNode()
}

// Fill is a copy of a frame with every part built.
func (v *View) Fill(nodes []*Node) []*Node { return Fill(nodes, v.Part) }

// Fill is a copy of a frame in which part has built every part.
func Fill(nodes []*Node, part func(key string) *Node) []*Node {
	out := make([]*Node, len(nodes))
	for i, n := range nodes {
		if n.Part != "" {
			out[i] = part(n.Part)
			continue
		}
		c := *n
		c.Kids = Fill(n.Kids, part)
		out[i] = &c
	}
	return out
}
