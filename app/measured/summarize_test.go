package measured

import (
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/golden"
)

// Pages tell what is so: the tables that they read are what predictions come to. Run with -update after a change of
// constants, and read the difference.
func TestSummaryIsOfToday(t *testing.T) {
	families, figures := Summarize()
	var rows, numbers strings.Builder
	for _, f := range families {
		rows.WriteString(f.Line())
	}
	for _, f := range figures {
		numbers.WriteString(f.Line())
	}
	var software, missed strings.Builder
	runs, misses := PublishedRuns(AllRuns())
	for _, r := range runs {
		software.WriteString(r.Line())
	}
	for _, m := range misses {
		missed.WriteString(m.Line())
	}
	for path, got := range map[string]string{"summary/families.tsv": rows.String(), "summary/runs.tsv": software.String(),
		"summary/misses.tsv": missed.String(), "summary/figures.tsv": numbers.String()} {
		golden.Check(t, path, got)
	}
}
