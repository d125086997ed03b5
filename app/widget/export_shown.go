package widget

import (
	"strings"
	"unicode/utf8"

	"github.com/scalebook/scalebook/app/figure"
)

// Export is the whole view, as "text", "markdown" or "csv": its rows, then its lists and what its figures show.
func (v *View) Export(form string) string {
	switch form {
	case "markdown":
		return Markdown(v.Sheet, v.Result) + v.exportShown(form)
	case "csv":
		return CSV(v.Sheet, v.Result) + v.exportShown(form)
	}
	return Text(v.Sheet, v.Result) + v.exportShown(form)
}

// exportShown is the lists and the figures that are shown, in the order of the text.
func (v *View) exportShown(form string) string {
	var b strings.Builder
	above, below := shows(v.Sheet)
	for _, hole := range append(above, below...) {
		kind, i, _ := strings.Cut(hole.Part, ":")
		var tables []figure.Table
		switch at := index(i); {
		case kind == "table" && v.Sheet.Tables[at].List != "" && v.Result.ShowsTable(at):
			tables = []figure.Table{v.plainList(at, form)}
		case kind == "figure" && v.Result.ShowsFigure(at):
			tables = v.exportFigure(at, form, &b)
		}
		for i := range tables {
			exportTable(&tables[i], form, &b)
		}
	}
	return b.String()
}

// exportFigure writes what a figure is and what is to be seen, and leaves its tables to be written.
func (v *View) exportFigure(i int, form string, b *strings.Builder) []figure.Table {
	d := v.drawFigure(i)
	if d.err != nil {
		return nil
	}
	caption := v.caption(v.Sheet.Figures[i].Caption)
	if caption == "" {
		caption = d.drawing.Title
	}
	if form != "csv" {
		for _, s := range []string{caption, d.drawing.About, d.drawing.Note} {
			paragraph(s, form, b)
		}
	}
	return d.drawing.Twin
}

// plainList is a table of a list as texts: what is shown of it, or, for a spreadsheet, all of it.
func (v *View) plainList(i int, form string) figure.Table {
	s, t := v.list(i), v.Sheet.Tables[i]
	if form == "csv" {
		s.columns = listColumns(v.phrases(), s.data, s.data.Rows)
	}
	out := figure.Table{Caption: v.caption(t.Caption)}
	if out.Caption == "" {
		out.Caption = v.called(t.List)
	}
	for c := range s.columns {
		column := &s.columns[c]
		head := column.head
		if column.unit != "" {
			head += " (" + column.unit + ")"
		}
		out.Heads = append(out.Heads, head)
		for r := range column.cells {
			if c == 0 {
				out.Rows = append(out.Rows, nil)
			}
			text := column.cells[r].text
			if form == "csv" {
				text = column.cells[r].plain()
			}
			out.Rows[r] = append(out.Rows[r], text)
		}
	}
	return out
}

// exportTable writes a table of texts: aligned, as Markdown, or for a spreadsheet, where a text that could be taken for
// a formula begins with an apostrophe.
func exportTable(t *figure.Table, form string, b *strings.Builder) {
	paragraph(t.Caption, form, b)
	lines := append([][]string{t.Heads}, t.Rows...)
	if form == "csv" {
		b.WriteString("\r\n")
	}
	wide := widths(lines)
	for i, line := range lines {
		for c, text := range line {
			switch form {
			case "csv":
				if c > 0 {
					b.WriteByte(',')
				}
				b.WriteString(csvField(guarded(text)))
			case "markdown":
				b.WriteString("| " + mdCell(text) + " ")
			default:
				if c < len(line)-1 {
					text = pad(text, wide[c]) + "  "
				}
				b.WriteString(text)
			}
		}
		b.WriteString(map[string]string{"csv": "\r\n", "markdown": "|\n"}[form])
		switch {
		case form == "markdown" && i == 0:
			b.WriteString(strings.Repeat("|---", len(line)) + "|\n")
		case form == "text":
			b.WriteByte('\n')
		}
	}
}

func widths(lines [][]string) []int {
	wide := make([]int, len(lines[0]))
	for _, line := range lines {
		for c, text := range line {
			if c < len(wide) {
				wide[c] = max(wide[c], utf8.RuneCountInString(text))
			}
		}
	}
	return wide
}

// paragraph writes a sentence that stands alone, after an empty line.
func paragraph(text, form string, b *strings.Builder) {
	switch {
	case text == "" || form == "csv":
	case form == "markdown":
		b.WriteString("\n" + mdCell(text) + "\n\n")
	default:
		b.WriteString("\n" + text + "\n\n")
	}
}
