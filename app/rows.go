package main

import (
	"io"
	"strings"
	"unicode/utf8"

	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/sheet/explain"
	"github.com/scalebook/scalebook/app/sheet/expr"
)

// writeRows prints a result for people: label, name, value and working, in columns, inputs first among themselves and
// the rest in the order of the text.
func writeRows(w io.Writer, r *sheet.Result) error {
	var out strings.Builder
	if r.Sheet.Title != "" {
		out.WriteString(r.Sheet.Title + "\n\n")
	}
	var lines [][4]string
	inputs := 0
	for _, wanted := range []bool{true, false} {
		for i := range r.Rows {
			if row := &r.Rows[i]; (row.Def.Kind == "input") == wanted && !row.Absent {
				lines = append(lines, rowLine(r, row))
			}
		}
		if wanted {
			inputs = len(lines)
		}
	}
	width := columnWidths(lines)
	for i, line := range lines {
		if i == inputs && inputs > 0 {
			out.WriteByte('\n')
		}
		text := pad(line[0], width[0]) + "  " + pad(line[1], width[1]) + "  "
		if line[3] == "" {
			text += line[2]
		} else {
			text += pad(line[2], width[2]) + "  " + line[3]
		}
		out.WriteString(strings.TrimRight(text, " ") + "\n")
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// rowLine is a row as four texts: label, name, value or the reason for none, working.
func rowLine(r *sheet.Result, row *expr.Row) [4]string {
	line := [4]string{1: row.Def.Name}
	if row.Def.Label != "" {
		line[0] = r.Sheet.Label(r.State, row.Def.Name)
	}
	if row.Err != nil {
		line[2] = "no value: " + oneLine(row.Err.Error())
		return line
	}
	line[2] = row.Text()
	switch row.Def.Kind {
	case "step":
		line[3] = working(r, row.Def.Name)
	case "solve":
		line[3] = r.Note(row.Def.Name)
	}
	return line
}

// working is a step's formula and the same with its numbers: "= 2 B D F = 2 × 256 × 4096". Long ones are left out: the
// columns are there to be read down.
func working(r *sheet.Result, name string) string {
	const long = 60
	text := "= " + oneLine(r.Sheet.Formula(name, explain.Plain))
	if numbers := oneLine(r.Working(name, explain.Plain)); numbers != "" && utf8.RuneCountInString(numbers) <= long {
		text += " = " + numbers
	}
	return text
}

// columnWidths are the widths of the first three columns. Reasons don't widen the third: nothing follows them.
func columnWidths(lines [][4]string) (width [3]int) {
	for _, line := range lines {
		for c := range width {
			if c == 2 && line[3] == "" {
				continue
			}
			width[c] = max(width[c], utf8.RuneCountInString(line[c]))
		}
	}
	return width
}

func pad(text string, width int) string {
	return text + strings.Repeat(" ", max(0, width-utf8.RuneCountInString(text)))
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
