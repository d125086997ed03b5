package measured

import (
	"os"
	"strings"
	"testing"
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
	for path, got := range map[string]string{"summary/families.tsv": rows.String(),
		"summary/figures.tsv": numbers.String()} {
		if *update {
			if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s has changed:\n%s", path, difference(got, string(want)))
		}
	}
}
