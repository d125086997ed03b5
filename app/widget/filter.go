package widget

import (
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet"
)

// A table of a list with more entries than a glance takes in has a field: it keeps the lines that have all the words
// that the reader types into it.

// filtered is from how many entries on a table has a field to filter it.
const filtered = 13

func (v *View) filterID(i int) string { return v.id("table", strconv.Itoa(i+1)) + "-filter" }

// SetFilter is the reader typing into the field of a table.
func (v *View) SetFilter(id, text string) {
	v.SetField(id, text)
	v.rev++
}

// filter keeps the lines of table i that the reader looks for, and says whether they look for any.
func (v *View) filter(i int, data *sheet.ListData) bool {
	words := strings.Fields(strings.ToLower(v.fields[v.filterID(i)]))
	if len(words) == 0 || len(data.Rows) < filtered {
		return false
	}
	data.Rows = slices.DeleteFunc(data.Rows, func(line sheet.ListRow) bool {
		text := lineText(v.phrases(), data, line)
		return slices.ContainsFunc(words, func(word string) bool { return !hasWord(text, word) })
	})
	return true
}

// lineText is all that a line says, in small letters.
func lineText(l phrase.Phrases, data *sheet.ListData, line sheet.ListRow) string {
	var b strings.Builder
	for c, f := range data.Fields {
		b.WriteString(cellText(l, line, c, f.Name))
		b.WriteByte(' ')
	}
	return strings.ToLower(b.String())
}

// hasWord says whether a text has a word or a part of one. A setting is meant as a whole: tp=1 is not tp=16, and tp=2
// is also the TP2 of a layout. Plans are written without degrees of 1.
func hasWord(text, word string) bool {
	name, setting, _ := strings.Cut(word, "=")
	if setting == "" {
		return strings.Contains(text, word)
	}
	for _, w := range strings.Fields(text) {
		rest, found := strings.CutPrefix(w, name)
		if found && rest != "" && strings.IndexByte("=0123456789", rest[0]) >= 0 {
			return strings.TrimPrefix(rest, "=") == setting
		}
	}
	return setting == "1" && strings.ContainsAny(text, "=×")
}

// filterField is the field of table i, if it has one.
func (v *View) filterField(i int, s *shownList) *Node {
	if s.all < filtered {
		return nil
	}
	id := v.filterID(i)
	return el("p", class("list-filter"), el("label", attr("for", id), v.say("widget.list-filter"), " "),
		el("input", attr("type", "search"), class("field"), attr("id", id), attr("autocomplete", "off"),
			attr("spellcheck", "false"), attr("value", v.fields[id]), on("input", DoFilter, id)))
}
