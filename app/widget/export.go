package widget

import (
	"strings"
	"unicode/utf8"

	"github.com/scalebook/scalebook/app/figure"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/sheet/explain"
	"github.com/scalebook/scalebook/app/sheet/expr"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// Text is an evaluated sheet as plain text, aligned: what a reader pastes into a message.
func Text(s *sheet.Sheet, r *sheet.Result) string {
	lines := exported(s, r)
	var wide [3]int
	for _, l := range lines {
		for i := range wide {
			wide[i] = max(wide[i], len([]rune(l[i])))
		}
	}
	var b strings.Builder
	b.WriteString(s.Title + "\n\n")
	for _, l := range lines {
		b.WriteString(strings.TrimRight(pad(l[0], wide[0])+"  "+pad(l[1], wide[1])+"  "+l[2], " ") + "\n")
	}
	return b.String()
}

// Markdown is an evaluated sheet as a Markdown table.
func Markdown(s *sheet.Sheet, r *sheet.Result) string {
	var b strings.Builder
	b.WriteString("**" + mdCell(s.Title) + "**\n\n| | | |\n|---|---|---:|\n")
	for _, l := range exported(s, r) {
		b.WriteString("| " + mdCell(l[0]) + " | " + mdCell(l[1]) + " | " + mdCell(l[2]) + " |\n")
	}
	return b.String()
}

// CSV is an evaluated sheet for a spreadsheet: name, label, kind, value in base units, base unit, text. A text that a
// spreadsheet could take for a formula begins with an apostrophe.
func CSV(s *sheet.Sheet, r *sheet.Result) string {
	var b strings.Builder
	b.WriteString("name,label,kind,value,unit,text\r\n")
	for i := range r.Rows {
		row := &r.Rows[i]
		if row.Absent {
			continue
		}
		base, unit := "", ""
		if row.Err == nil {
			base = dataValue(row.Value)
			if row.Value.Kind == value.Number {
				unit = row.Value.Num.Dim.String()
			} else {
				base = guarded(base)
			}
		}
		csvLine(&b, row.Def.Name, guarded(row.Def.Label), row.Def.Kind, base, unit,
			guarded(exportText(s.Phrases(), row)))
	}
	for _, c := range s.Changed(r.State) {
		base := dataValue(value.Value{Kind: value.Number, Num: c.Value})
		csvLine(&b, c.Of.Key(c.Constant.Name), guarded(ownLabel(s.Phrases(), &c)), "input", base, c.Value.Dim.String(),
			c.Value.String())
	}
	return b.String()
}

func csvLine(b *strings.Builder, fields ...string) {
	for i, f := range fields {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(csvField(f))
	}
	b.WriteString("\r\n")
}

// exported are label, formula and value of each row.
func exported(s *sheet.Sheet, r *sheet.Result) [][3]string {
	var lines [][3]string
	for i := range r.Rows {
		row := &r.Rows[i]
		if row.Absent || row.Def.Hidden {
			continue
		}
		name := row.Def.Name
		formula := name
		if f := s.Formula(name, explain.Plain); f != "" && row.Def.Kind == "step" {
			formula = name + " = " + f
		} else if f != "" && row.Def.Kind == "solve" {
			formula = f
		}
		lines = append(lines, [3]string{s.Label(r.State, name), formula, exportText(s.Phrases(), row)})
	}
	for _, c := range s.Changed(r.State) {
		lines = append(lines, [3]string{ownLabel(s.Phrases(), &c), c.Of.Key(c.Constant.Name), c.Value.String()})
	}
	return lines
}

// ownLabel is a constant that the reader set, in a copy.
func ownLabel(l phrase.Phrases, c *sheet.Changed) string {
	return l.Say("widget.constant-own", "label", capital(c.Constant.Label), "name", c.Of.Name, "was", c.Constant.Text)
}

func exportText(l phrase.Phrases, row *expr.Row) string {
	if row.Err != nil {
		return l.Say("widget.no-value-why", "why", row.Err)
	}
	return row.In(l)
}

func pad(s string, n int) string {
	if missing := n - len([]rune(s)); missing > 0 {
		return s + strings.Repeat(" ", missing)
	}
	return s
}

func csvField(s string) string {
	if strings.ContainsAny(s, ",\"\r\n") {
		return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
	}
	return s
}

func guarded(s string) string {
	if s != "" && strings.ContainsRune("=+@\t\r", rune(s[0])) {
		return "'" + s
	}
	return s
}

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
func (v *built) exportFigure(i int, form string, b *strings.Builder) []figure.Table {
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
	return d.drawing.AltTables
}

// plainList is a table of a list as texts: what is shown of it, or, for a spreadsheet, all of it.
func (v *View) plainList(i int, form string) figure.Table {
	s, t := v.list(i), v.Sheet.Tables[i]
	if form == "csv" {
		s.columns = listColumns(v.phrases(), s.data, s.data.Rows)
	}
	out := textTable(s.columns, form)
	if out.Caption = v.caption(t.Caption); out.Caption == "" {
		out.Caption = v.called(t.List)
	}
	return out
}

// textTable is the columns of a list as texts, each with its unit in its head.
func textTable(columns []listColumn, form string) (out figure.Table) {
	for c := range columns {
		column := &columns[c]
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

// ListText is a list as a sheet's table shows it, with the same heads, units and digits, for a terminal: numbers stand
// at the end of their columns, and long heads in several lines. A cell without a value is empty.
func ListText(l phrase.Phrases, data *sheet.ListData) string {
	columns := listColumns(l, data, data.Rows)
	for c := range columns {
		for r := range columns[c].cells {
			if cell := &columns[c].cells[r]; cell.err != nil {
				cell.text = ""
			}
		}
	}
	t := textTable(columns, "text")
	lines := append(wrappedHeads(t.Heads, t.Rows), t.Rows...)
	wide := widths(lines)
	var b strings.Builder
	for _, line := range lines {
		text := ""
		for c, cell := range line {
			space := strings.Repeat(" ", wide[c]-utf8.RuneCountInString(cell))
			if columns[c].numbers {
				text += space + cell + "  "
			} else {
				text += cell + space + "  "
			}
		}
		b.WriteString(strings.TrimRight(text, " ") + "\n")
	}
	return b.String()
}

// wrappedHeads are heads in as many lines as it takes for none to be wider than its longest word or the cells below it.
// Short ones stand in the last lines.
func wrappedHeads(heads []string, rows [][]string) [][]string {
	wide := widths(append([][]string{make([]string, len(heads))}, rows...))
	parts, most := make([][]string, len(heads)), 0
	for c, head := range heads {
		words := strings.Fields(head)
		for _, word := range words {
			wide[c] = max(wide[c], utf8.RuneCountInString(word))
		}
		for _, word := range words {
			last := len(parts[c]) - 1
			if last >= 0 && utf8.RuneCountInString(parts[c][last]+" "+word) <= wide[c] {
				parts[c][last] += " " + word
			} else {
				parts[c] = append(parts[c], word)
			}
		}
		most = max(most, len(parts[c]))
	}
	lines := make([][]string, most)
	for i := range lines {
		lines[i] = make([]string, len(heads))
		for c, part := range parts {
			if at := i - (most - len(part)); at >= 0 {
				lines[i][c] = part[at]
			}
		}
	}
	return lines
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

// Twin is a sheet at its author's values as Markdown: its rows, what it asks, its plots in words and as tables, its
// tables and its figures in words.
func Twin(s *sheet.Sheet) string {
	v := New(s)
	v.static = true
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
func (v *built) plotTwin(i int) string {
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
func (v *built) figureWords(i int) string {
	d := v.drawFigure(i)
	if d.err != nil {
		return v.mark("widget.twin-no-drawing", d.err)
	}
	text := "*" + mdCell(d.drawing.Title) + ".* " + mdCell(strings.TrimSpace(d.drawing.About+" "+d.drawing.Note))
	for _, t := range d.drawing.AltTables {
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
