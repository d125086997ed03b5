package widget

import (
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/sheet/explain"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/widget/address"
)

// Fingerprint says what the part depends on: as long as it stays equal, so does what Part builds. It is cheap.
func (v *View) Fingerprint(key string) string {
	kind, name, _ := strings.Cut(key, ":")
	switch kind {
	case "head":
		return strconv.FormatBool(
			len(v.typed) > 0 || len(v.orders) > 0,
		) + v.copied + strconv.FormatBool(
			v.open["menu"],
		) + strconv.FormatBool(
			v.allOpen(),
		)
	case "notices":
		return strings.Join(v.notices, "\n")
	case "input":
		return v.inputFingerprint(v.fitted(name))
	case "constants":
		return v.constantsFingerprint(v.fitted(name), key)
	case "ask":
		return strconv.FormatBool(v.row(name).Absent) + v.guesses[name].fingerprint() + v.fields[v.id(name, "guess")] +
			v.question(name) + v.others(name)
	case "row":
		return v.rowFingerprint(name)
	case "rest":
		return v.restFingerprint()
	case "tasks":
		return v.taskFingerprint()
	case "figure":
		return v.figureFingerprint(index(name)) + strconv.FormatBool(v.open[key])
	case "plot", "table":
		said := ""
		if i := index(name); kind == "plot" && i < len(v.Sheet.Plots) {
			e, _ := v.estimateOn(i)
			said = e.print
		}
		return said + strconv.Itoa(
			v.rev,
		) + strconv.FormatBool(
			v.open[key],
		) + strconv.FormatBool(
			v.open[partKey("all", name)],
		) + strconv.Itoa(
			v.told(),
		)
	}
	return v.status
}

// inputFingerprint also covers what of an input follows other lines.
func (v *View) inputFingerprint(in *input.Input) string {
	name := in.Name
	print := v.called(name) + "\n" + v.errs[name]
	if in.Form() == input.DocumentForm {
		return print + strconv.FormatBool(v.Changed(name)) + strconv.FormatBool(in.Absent) +
			strconv.FormatBool(v.open[documentKey(name)]) + v.documentNote(in)
	}
	print += "\n" + v.Text(in) + "\n" + dataValue(v.Value(in)) + "\n" + v.playing
	if in == v.Sheet.Input(name) {
		return print
	}
	print += "\n" + v.fault(name) + strconv.FormatBool(in.Absent) + "\n" + fieldText(in, in.Default) +
		strconv.FormatFloat(in.Min, 'g', -1, 64) + " " + strconv.FormatFloat(in.Max, 'g', -1, 64)
	for _, o := range in.Menu {
		print += "\n" + o.ID + "\n" + o.Name
	}
	return print
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
