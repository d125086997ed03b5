package book

import (
	"html"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/widget"
)

// TestHeadsOfTables: on a phone the columns of a table are narrow, as wide as their values or as tables.css has it.
// No head takes more than five lines there.
func TestHeadsOfTables(t *testing.T) {
	heads := 0
	eachSheet(t, func(page string, s *sheet.Sheet) {
		if strings.HasSuffix(page, "-planner") {
			return
		}
		v := widget.New(s)
		for i := range s.Tables {
			head := headOfTable.FindString(widget.HTML(v.Part("table:" + strconv.Itoa(i))))
			for _, cell := range cellOfHead.FindAllStringSubmatch(head, -1) {
				heads++
				said := html.UnescapeString(tagOf.ReplaceAllString(cell[1], ""))
				if n := linesOfHead(said); n > 5 {
					t.Errorf("%s#%s, table %d: %q takes %d lines on a phone", page, s.ID, i+1, said, n)
				}
			}
		}
	})
	if heads < 300 {
		t.Errorf("only %d heads", heads)
	}
}

var (
	headOfTable = regexp.MustCompile(`(?s)<thead.*?</thead>`)
	cellOfHead  = regexp.MustCompile(`(?s)<th[ >](.*?)</th>`)
	tagOf       = regexp.MustCompile(`^[^<]*>|<[^>]*>`)
)

// linesOfHead is how many lines a head takes where a column is as narrow as it may be: 4rem, in letters of 13 px.
func linesOfHead(s string) int {
	lines, at := 1, 0.
	for _, word := range strings.Fields(s) {
		wide := 13 * ems(word)
		if at > 0 && at+13*ems(" ")+wide > 64 {
			lines, at = lines+1, 0
		}
		if at > 0 {
			at += 13 * ems(" ")
		}
		at += wide
	}
	return lines
}
