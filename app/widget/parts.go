package widget

import (
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/sheet/explain"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/widget/address"
)

// A view is built in parts. What holds them, the frame, never changes for a sheet; each part is rebuilt only when its
// Fingerprint changes. A frame names a part by a node that has only Part set.

// Frame is the inside of the sheet's body with a hole for each part.
func (v *View) Frame() []*Node {
	s := v.Sheet
	inputs := v.inputHoles()
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
	lead, asks := v.lead(), make([]*Node, len(s.Asks))
	for i, a := range s.Asks {
		asks[i] = hole("ask", a.Name)
	}
	size := sizeOf(s)
	if size == "" { // in a worked answer the question stands first
		frame, asks = append(frame, asks...), nil
	}
	if lead >= 0 {
		key := partKey("figure", strconv.Itoa(lead))
		picture := pick(&above, key)
		if picture == nil {
			picture = pick(&below, key)
		}
		frame = append([]*Node{el("div", class("lead"), picture, inputs)}, frame...)
	} else if len(s.Inputs) > 0 {
		inputs, above, below = beside(s, size, &asks, inputs, above, below)
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
	frame = append(frame, asks...)
	if len(rows.Kids) > 0 {
		frame = append(frame, rows)
	}
	frame = append(frame, below...)
	if hidden {
		frame = append(frame, hole("rest", ""))
	}
	switch {
	case s.Size == sheet.Inline:
		frame = []*Node{v.foldWorking(v.say("widget.behind", "title", s.Title), frame)}
	case lead >= 0:
		rest := append([]*Node{hole("twin", strconv.Itoa(lead))}, frame[3:]...)
		frame = append(frame[:3:3], v.foldWorking(v.say("widget.how"), rest))
	}
	return append(frame, hole("status", ""))
}

// inputHoles are the holes of the inputs, each group of them below its heading.
func (v *View) inputHoles() *Node {
	all := el("fieldset", class("inputs"))
	box, at := all, (*syntax.Heading)(nil)
	for i, in := range v.Sheet.Inputs {
		if in.Group != at {
			at = in.Group
			if key := partKey("group", strconv.Itoa(i)); at.Folded {
				box = el("details", class("group"), attr("data-key", key), bare("open", v.open[key]),
					on("toggle", DoToggle, key),
					el("summary", &Node{Part: key}))
			} else {
				box = el("fieldset", class("group"), el("legend", at.Title))
			}
			all.Kids = append(all.Kids, box)
		}
		box.Kids = append(box.Kids, hole("input", in.Name))
	}
	return all
}

// groupText is the heading of the folded group that begins with input i, and how many of its inputs a reader changed.
func (v *state) groupText(i int) string {
	g, changed := v.Sheet.Inputs[i].Group, 0
	for _, in := range v.Sheet.Inputs {
		if in.Group == g && v.Changed(in.Name) {
			changed++
		}
	}
	if changed == 0 {
		return g.Title
	}
	return v.say("widget.group-changed", "title", g.Title, "count", changed)
}

// lead is the figure with which a sheet opens a chapter, -1 if it doesn't: picture and controls stand first, in one
// screen, and all else is folded below them.
func (v *evaluated) lead() int {
	if v.Sheet.Size == sheet.Opening && len(v.Sheet.Figures) > 0 {
		return 0
	}
	return -1
}

// foldWorking is the fold that holds the working of a sheet whose numbers stand elsewhere: in a sentence, or in its
// picture. What a screen reader is given stays outside of it.
func (v *View) foldWorking(summary string, frame []*Node) *Node {
	const key = "behind"
	return el("details", class("behind"), attr("data-key", key), bare("open", v.open[key]), on("toggle", DoToggle, key),
		el("summary", summary), frame)
}

// sizeOf is how large a sheet is shown: as its author says, but a worked answer whose plot would end below the screen,
// since many inputs stand above it, as a hero. Longer texts need all of the width.
func sizeOf(s *sheet.Sheet) string {
	const many = 5
	if s.Size != "" || len(s.Inputs) < many || len(s.Plots) == 0 {
		return s.Size
	}
	for _, in := range s.Inputs {
		if form := in.Form(); form != input.NumberForm && form != input.MenuForm && form != input.SwitchForm {
			return s.Size
		}
	}
	return sheet.Hero
}

// beside puts the first picture of a hero next to its inputs, so that a reader sees what a slider does, and takes it
// from where it was. What it asks stands above the inputs then, in the same screen as the picture. A hero with fewer
// inputs keeps its picture below them; beside many there is space under a figure, for the picture that follows it or
// else for a plot, and both stay in sight while the inputs are scrolled.
func beside(
	s *sheet.Sheet, size string, asks *[]*Node, inputs *Node, above, below []*Node,
) (*Node, []*Node, []*Node) {
	const fewest, many = 3, 7
	if size != sheet.Hero || len(s.Inputs) < fewest {
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
	shown := first
	if len(s.Inputs) >= many && strings.HasPrefix(first.Part, "figure:") {
		second := pick(from, "plot:", "figure:")
		if second == nil {
			second = pick(&below, "plot:")
		}
		if second != nil {
			shown = el("div", class("pictures"), first, second)
		}
	}
	if len(*asks) > 0 {
		inputs, *asks = el("div", class("asked"), *asks, inputs), nil
	}
	return el("div", class("beside"), inputs, shown), above, below
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
	case "group":
		return el("span", v.groupText(index(name)))
	case "input":
		return v.input(v.fitted(name))
	case "constants":
		return v.constants(v.fitted(name))
	case "ask":
		return v.askNode(name)
	case "row":
		return v.rowNode(v.row(name))
	case "plot":
		return v.plot(index(name))
	case "table":
		return v.table(index(name))
	case "figure":
		return v.figure(index(name))
	case "twin":
		return v.leadTwin(index(name))
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

// Fingerprint says what the part depends on: as long as it stays equal, so does what Part builds, to which
// TestFingerprints holds it. Nodes alone could decide too what is written anew, if every part were built after each
// change and compared. For the 318 sheets of the book that moves a slider and searches nothing it takes 1.3 ms a change
// on average, in WebAssembly on a desktop, where fingerprints take 0.1; on a phone, four times slower, 5 of the 16 ms
// of a frame, and up to 50 ms where an input chooses among many entries. So fingerprints say which parts may differ,
// and nodes what of them does.
func (v *View) Fingerprint(key string) string {
	var p print
	kind, name, _ := strings.Cut(key, ":")
	switch kind {
	case "head":
		p.yes(len(v.typed) > 0 || len(v.orders) > 0, v.open["menu"], v.allOpen()).text(v.copied)
	case "notices":
		p.text(v.notices...)
	case "group":
		p.text(v.groupText(index(name)))
	case "input":
		v.printInput(&p, v.fitted(name))
	case "constants":
		v.printConstants(&p, v.fitted(name), key)
	case "ask":
		v.guesses[name].print(p.yes(v.row(name).Absent))
		p.text(v.fields[v.id(name, "guess")], v.question(name), v.others(name))
	case "row":
		v.printRow(&p, name)
	case "rest":
		if v.restFollows() {
			for _, row := range v.hiddenRows() {
				v.printRow(p.text(row.Def.Name), row.Def.Name)
			}
		}
	case "tasks":
		v.printTasks(&p)
	case "figure", "twin":
		i := index(name)
		p.number(v.drawFigure(i).drawn).yes(v.Result.ShowsFigure(i), v.open[key])
		p.text(v.caption(v.Sheet.Figures[i].Caption))
	case "plot", "table":
		if i := index(name); kind == "plot" && i < len(v.Sheet.Plots) {
			e, _ := v.estimateOn(i)
			p.text(e.print)
		}
		p.number(v.rev).number(v.known()).yes(v.open[key], v.open[partKey("all", name)])
	default:
		p.text(v.status)
	}
	return string(p)
}

// print is what a part depends on, one after the other.
type print []byte

func (p *print) text(all ...string) *print {
	for _, s := range all {
		*p = append(append(*p, s...), 0)
	}
	return p
}

func (p *print) yes(all ...bool) *print {
	for _, yes := range all {
		if yes {
			*p = append(*p, 1)
		} else {
			*p = append(*p, 0)
		}
	}
	return p
}

func (p *print) number(n int) *print { return p.text(strconv.Itoa(n)) }

// printInput also covers what of an input follows other lines.
func (v *View) printInput(p *print, in *input.Input) {
	name := in.Name
	p.text(v.called(name), v.errs[name])
	if in.Form() == input.DocumentForm {
		p.yes(v.Changed(name), in.Absent, v.open[documentKey(name)]).text(v.documentNote(in))
		return
	}
	p.text(v.Text(in), dataValue(v.Value(in)), v.playing)
	if in == v.Sheet.Input(name) {
		return
	}
	p.yes(in.Absent).text(v.fault(name), dataValue(in.Default))
	for _, x := range []float64{in.Min, in.Max} {
		p.text(strconv.FormatFloat(x, 'g', -1, 64))
	}
	for i := range in.Menu {
		p.text(in.Menu[i].ID, in.Menu[i].Name)
	}
}

// id is the id of an element that belongs to a name of this sheet.
func (v *evaluated) id(name string, suffix ...string) string {
	return strings.Join(append([]string{v.Sheet.ID, name}, suffix...), "--")
}

// code is the code of every step, for whoever asks which names a sheet uses.
func code(s *sheet.Sheet) map[string]string {
	m := map[string]string{}
	for _, d := range s.Rows {
		if d.Kind != "input" {
			m[d.Name] = s.Formula(d.Name, explain.Code)
		}
	}
	return m
}

// leaves are the rows that no other row uses: a sheet's results.
func leaves(s *sheet.Sheet) []string {
	codes := code(s)
	var names []string
	for _, d := range s.Rows {
		if d.Kind == "input" || d.Hidden {
			continue
		}
		used := false
		for _, other := range s.Rows {
			used = used || other.Name != d.Name && mentions(codes[other.Name], d.Name)
		}
		for _, in := range s.Inputs {
			used = used || slices.Contains(in.Follows, d.Name)
		}
		if !used {
			names = append(names, d.Name)
		}
	}
	return names
}

// mentions says whether the code names the variable.
func mentions(code, name string) bool {
	for at := 0; ; {
		i := strings.Index(code[at:], name)
		if i < 0 {
			return false
		}
		i += at
		end := i + len(name)
		if (i == 0 || !wordByte(code[i-1]) && code[i-1] != '.') && (end == len(code) || !wordByte(code[end])) {
			return true
		}
		at = end
	}
}

func wordByte(c byte) bool { return address.WordRune(rune(c)) || c >= 0x80 }
