package instrument

import (
	"strings"

	"github.com/scalebook/scalebook/app/widget"
)

// The twin of a view is what it says without its looks: for copying, for the plain page, for programs. It is read off the
// same nodes that are shown, so that it cannot say anything else.

// Export is the view as "text", "markdown" or "csv" (of its tables).
func (v *View) Export(form string) string {
	t := &twin{form: form}
	v.build()
	if form != "csv" {
		t.head(v)
	}
	for _, p := range v.parts {
		t.node(p.Build())
	}
	return strings.TrimSpace(t.b.String()) + "\n"
}

// Markdown is the instrument at the settings of its place, for the plain page.
func (p *Placed) Markdown() string { return p.View().Export("markdown") }

type twin struct {
	form string
	b    strings.Builder
}

// head is the title, and what is set.
func (t *twin) head(v *View) {
	mark := ""
	if t.form == "markdown" {
		mark = "**"
	}
	t.block(mark + t.escape(v.of.Title) + mark)
	var lines []string
	for i := range v.controls {
		c := &v.controls[i]
		if c.Placed || c.Hidden || c.Kind == Document {
			continue
		}
		lines = append(lines, "- "+t.escape(c.Label)+": "+t.escape(v.shows(c)))
	}
	t.block(strings.Join(lines, "\n"))
}

// shows is what a control is set to, in words.
func (v *View) shows(c *Control) string {
	switch c.Kind {
	case Many, Menu:
		var names []string
		for _, id := range list((&State{v}).Text(c.Name)) {
			if o := c.option(id); o != nil {
				id = o.Name
			}
			names = append(names, id)
		}
		return strings.Join(names, ", ")
	case Step:
		return v.stepText(c)
	}
	return v.Value(v.Sheet.Input(c.Name)).String()
}

func (t *twin) block(text string) {
	if text != "" && t.form != "csv" {
		t.b.WriteString(text + "\n\n")
	}
}

func (t *twin) escape(s string) string {
	if t.form == "markdown" {
		return strings.NewReplacer("|", `\|`, "\n", " ", "*", `\*`, "_", `\_`, "<", "&lt;", "`", "\\`").Replace(s)
	}
	return s
}

// node writes what stands in a block: tables, what drawings say, and the texts of paragraphs and lines.
func (t *twin) node(n *Node) {
	switch {
	case n == nil || skipped(n):
	case n.Raw != "":
		if words := described(n.Raw); words != "" {
			t.block("Drawing: " + t.escape(words))
		}
	case n.Tag == "table":
		t.table(n)
	case n.Tag == "ul" || n.Tag == "ol":
		var lines []string
		for _, li := range n.Kids {
			lines = append(lines, "- "+t.escape(textOf(li)))
		}
		t.block(strings.Join(lines, "\n"))
	case n.Tag == "" || leaf(n):
		t.block(t.escape(strings.TrimSpace(textOf(n))))
	default:
		for _, k := range n.Kids {
			t.node(k)
		}
	}
}

// skipped says whether a node is there to be used and says nothing.
func skipped(n *Node) bool {
	switch n.Tag {
	case "button", "select", "input", "textarea", "label", "template":
		return true
	}
	class, _ := n.Attr("class")
	return class == "placed" || class == "strip" || class == "edited-mark"
}

// leaf says whether a node holds words and no blocks.
func leaf(n *Node) bool {
	switch n.Tag {
	case "p", "h3", "h4", "h5", "summary", "figcaption", "caption", "dt", "dd":
		return true
	}
	class, _ := n.Attr("class")
	return class == "result"
}

// textOf is the text of a node: of an element that is there to be used, none; of a field in a table, what it holds.
func textOf(n *Node) string {
	if n.Tag == "input" {
		value, _ := n.Attr("value")
		return value
	}
	if class, _ := n.Attr("class"); n.Tag == "button" && class != "sorter" || class == "note" || class == "edited-mark" {
		return ""
	}
	if hidden, _ := n.Attr("aria-hidden"); hidden == "true" {
		return ""
	}
	s := n.Text
	if _, alt, ok := strings.Cut(n.Raw, ` alttext="`); ok { // a formula has its plain text with it
		alt, _, _ = strings.Cut(alt, `"`)
		return strings.NewReplacer("&lt;", "<", "&gt;", ">", "&quot;", `"`, "&amp;", "&").Replace(alt)
	}
	for i, k := range n.Kids {
		if i > 0 && k.Tag != "" && s != "" && !strings.HasSuffix(s, " ") {
			s += " "
		}
		s += textOf(k)
	}
	return s
}

// described is the title and description of a drawing.
func described(svg string) string {
	var said []string
	for _, tag := range []string{"title", "desc"} {
		_, rest, _ := strings.Cut(svg, "<"+tag)
		_, rest, _ = strings.Cut(rest, ">")
		text, _, ok := strings.Cut(rest, "</"+tag+">")
		if ok {
			said = append(said, strings.NewReplacer("&lt;", "<", "&gt;", ">", "&quot;", `"`, "&amp;", "&").Replace(text))
		}
	}
	return strings.Join(said, ". ")
}

func (t *twin) table(n *Node) {
	var rows [][]string
	caption := ""
	n.Walk(func(k *Node) {
		switch k.Tag {
		case "caption":
			caption = textOf(k)
		case "tr":
			var cells []string
			for _, c := range k.Kids {
				text := strings.TrimSpace(textOf(c))
				if value, ok := c.Attr("data-value"); ok && t.form == "csv" && c.Tag == "td" {
					text = value
				}
				cells = append(cells, text)
			}
			rows = append(rows, cells)
		}
	})
	t.block(t.escape(caption))
	if t.form == "text" {
		t.aligned(rows)
		return
	}
	for i, row := range rows {
		for j := range row {
			if t.form == "csv" {
				row[j] = widget.CSVField(row[j])
			} else {
				row[j] = t.escape(row[j])
			}
		}
		if t.form == "csv" {
			t.b.WriteString(strings.Join(row, ",") + "\r\n")
			continue
		}
		t.b.WriteString("| " + strings.Join(row, " | ") + " |\n")
		if i == 0 {
			t.b.WriteString("|" + strings.Repeat(" --- |", len(row)) + "\n")
		}
	}
	t.b.WriteString("\n")
}

// aligned writes lines in columns.
func (t *twin) aligned(rows [][]string) {
	var wide []int
	for _, row := range rows {
		for j, cell := range row {
			if j == len(wide) {
				wide = append(wide, 0)
			}
			wide[j] = max(wide[j], len([]rune(cell)))
		}
	}
	for _, row := range rows {
		line := ""
		for j, cell := range row {
			line += cell + strings.Repeat(" ", wide[j]-len([]rune(cell))+2)
		}
		t.b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	t.b.WriteString("\n")
}
