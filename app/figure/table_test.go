package figure

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// Each line of a table has its drawer, and each drawer its line.
func TestTablesHaveTheirDrawers(t *testing.T) {
	drawers := regexp.MustCompile(`(?m)^\t\t\{"(\w+)", `)
	for file, of := range map[string]struct {
		table string
		found []entry
	}{"table.go": {chapterFigures, chapterTable()}, "planners.go": {plannerFigures, plannerTable()},
		"readers.go": {readerFigures, readerTable()}} {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		lines, n := strings.Count(of.table, "\n"), len(drawers.FindAllString(string(source), -1))
		if lines != n || len(of.found) != n || n < 5 {
			t.Errorf("%s: %d lines, %d drawers, %d figures", file, lines, n, len(of.found))
		}
		for _, e := range of.found {
			if e.Name == "" || e.Doc == "" || e.draw == nil {
				t.Errorf("%s: %+v", file, e.Name)
			}
		}
	}
}
