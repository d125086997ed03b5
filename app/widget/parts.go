package widget

import (
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/sheet"
)

// A view is built in parts. What holds them, the frame, never changes for a sheet; each part is rebuilt only when its
// Fingerprint changes. A frame names a part by a node that has only Part set.

// Frame is the inside of the sheet's body with a hole for each part.
func (v *View) Frame() []*Node {
	s := v.Sheet
	inputs := el("div", class("inputs"))
	for _, in := range s.Inputs {
		inputs.Kids = append(inputs.Kids, hole("input", in.Name))
	}
	rows := el("div", class("rows"))
	for _, row := range v.rows() {
		rows.Kids = append(rows.Kids, hole("row", row.Def.Name))
	}
	frame := []*Node{hole("head", ""), hole("notices", "")}
	if len(s.Inputs) > 0 {
		frame = append(frame, inputs)
	}
	for _, in := range s.Inputs {
		if in.Default.Kind == sheet.Rec {
			frame = append(frame, hole("constants", in.Name))
		}
	}
	for _, a := range s.Asks {
		frame = append(frame, hole("ask", a.Name))
	}
	if len(rows.Kids) > 0 {
		frame = append(frame, rows)
	}
	for i := range s.Plots {
		frame = append(frame, hole("plot", strconv.Itoa(i)))
	}
	for i := range s.Tables {
		frame = append(frame, hole("table", strconv.Itoa(i)))
	}
	return append(frame, hole("status", ""))
}

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
		return v.input(v.Sheet.Input(name))
	case "constants":
		return v.constants(v.Sheet.Input(name))
	case "ask":
		return v.ask(name)
	case "row":
		return v.rowNode(v.row(name))
	case "plot":
		return v.plot(index(name))
	case "table":
		return v.table(index(name))
	}
	return v.statusNode()
}

// Fingerprint says what the part depends on: as long as it stays equal, so does what Part builds. It is cheap.
func (v *View) Fingerprint(key string) string {
	kind, name, _ := strings.Cut(key, ":")
	switch kind {
	case "head":
		return strconv.FormatBool(len(v.typed) > 0) + v.copied + strconv.FormatBool(v.open["menu"]) + strconv.FormatBool(v.allOpen())
	case "notices":
		return strings.Join(v.notices, "\n")
	case "input":
		in := v.Sheet.Input(name)
		return v.called(name) + "\n" + v.Text(in) + "\n" + v.errs[name] + "\n" + dataValue(v.Value(in))
	case "constants":
		return dataValue(v.Value(v.Sheet.Input(name))) + strconv.FormatBool(v.open[key]) + strconv.FormatBool(v.kept[key])
	case "ask":
		return v.guesses[name].fingerprint() + v.fields[v.id(name, "guess")]
	case "row":
		return v.rowFingerprint(name)
	case "plot", "table":
		return strconv.Itoa(v.rev) + strconv.FormatBool(v.open[key]) + strconv.Itoa(v.told())
	}
	return v.status
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

func index(s string) int {
	i, err := strconv.Atoi(s)
	if err != nil {
		return -1
	}
	return i
}

// id is the id of an element that belongs to a name of this sheet.
func (v *View) id(name string, suffix ...string) string {
	return strings.Join(append([]string{v.Sheet.ID, name}, suffix...), "--")
}

// code is the code of every step, for whoever asks which names a sheet uses.
func code(s *sheet.Sheet) map[string]string {
	m := map[string]string{}
	for _, d := range s.Rows {
		if d.Kind != "input" {
			m[d.Name] = s.Formula(d.Name, sheet.Code)
		}
	}
	return m
}

// leaves are the rows that no other row uses: a sheet's results.
func leaves(s *sheet.Sheet) []string {
	codes := code(s)
	var names []string
	for _, d := range s.Rows {
		if d.Kind == "input" {
			continue
		}
		used := false
		for _, other := range s.Rows {
			used = used || other.Name != d.Name && mentions(codes[other.Name], d.Name)
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

func wordByte(c byte) bool { return wordRune(rune(c)) || c >= 0x80 }
