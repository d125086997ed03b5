package widget

import (
	"strings"

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
		csvLine(&b, row.Def.Name, guarded(row.Def.Label), row.Def.Kind, base, unit, guarded(exportText(s.Phrases(), row)))
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
	return row.Text()
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
