package widget

import (
	"strings"

	"github.com/scalebook/scalebook/app/figure"
	"github.com/scalebook/scalebook/app/sheet"
)

// Twin is a sheet at its author's values as Markdown: its rows, what it asks, its plots in words and as tables, its
// tables and its figures in words.
func Twin(s *sheet.Sheet) string {
	v := New(s)
	v.still = true
	parts := []string{strings.TrimSpace(Markdown(s, v.Result))}
	for _, a := range s.Asks {
		parts = append(parts, v.mark("widget.twin-ask", v.question(a.Name)))
	}
	for i := range s.Plots {
		if v.Result.ShowsPlot(i) {
			parts = append(parts, v.plotTwin(i))
		}
	}
	for i := range s.Tables {
		switch {
		case !v.Result.ShowsTable(i):
		case s.Tables[i].List != "":
			parts = append(parts, tableTwin(v.plainList(i, "markdown")))
		default:
			parts = append(parts, gridTwin(v.table(i)))
		}
	}
	for i := range s.Figures {
		if v.Result.ShowsFigure(i) {
			parts = append(parts, v.figureWords(i))
		}
	}
	return strings.Join(parts, "\n\n") + "\n"
}

// plotTwin is a plot in words, and as a table.
func (v *View) plotTwin(i int) string {
	d := v.draw(i)
	if d.err != nil {
		return v.mark("widget.twin-no-plot", d.err)
	}
	header, rows := d.drawing.AltTable()
	title := d.plot.Title
	if title == "" {
		title = v.say("widget.twin-plot", "n", i+1)
	}
	return "*" + mdCell(title) + ".* " + mdCell(d.drawing.Summary()) + "\n\n" + mdTable(header, rows)
}

// figureWords is a figure in words.
func (v *View) figureWords(i int) string {
	d := v.drawFigure(i)
	if d.err != nil {
		return v.mark("widget.twin-no-drawing", d.err)
	}
	text := "*" + mdCell(d.drawing.Title) + ".* " + mdCell(strings.TrimSpace(d.drawing.About+" "+d.drawing.Note))
	for _, t := range d.drawing.Twin {
		text += "\n\n" + tableTwin(t)
	}
	return text
}

// tableTwin is a table of texts as Markdown.
func tableTwin(t figure.Table) string {
	return strings.TrimSpace(mdCell(t.Caption) + "\n\n" + mdTable(t.Heads, t.Rows))
}

// gridTwin is a table of a sheet below its caption.
func gridTwin(grid *Node) string {
	caption := ""
	var lines [][]string
	grid.Walk(func(n *Node) {
		switch n.Tag {
		case "caption":
			caption = n.TextContent()
		case "tr":
			var cells []string
			for _, k := range n.Kids {
				cells = append(cells, k.TextContent())
			}
			lines = append(lines, cells)
		}
	})
	if len(lines) == 0 {
		return mdCell(caption)
	}
	return strings.TrimSpace(mdCell(caption) + "\n\n" + mdTable(lines[0], lines[1:]))
}

// mdTable is a table in Markdown.
func mdTable(header []string, rows [][]string) string {
	var b strings.Builder
	line := func(cells []string) {
		b.WriteString("|")
		for i := range header {
			text := ""
			if i < len(cells) {
				text = mdCell(cells[i])
			}
			b.WriteString(" " + text + " |")
		}
	}
	line(header)
	b.WriteString("\n|" + strings.Repeat(" --- |", len(header)))
	for _, row := range rows {
		b.WriteByte('\n')
		line(row)
	}
	return b.String()
}

// mdCell is a text that nothing in a table of Markdown takes for a mark.
func mdCell(s string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ", "*", `\*`, "_", `\_`, "<", "&lt;", "`", "\\`").Replace(s)
}
