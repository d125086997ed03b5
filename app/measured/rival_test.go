package measured

import (
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/golden"
	"github.com/scalebook/scalebook/app/measured/rows"
	"github.com/scalebook/scalebook/app/serving"
)

// TestRivalOnRowsOfServing: what AIConfigurator predicts for rows kept aside, and what is predicted here for the same
// rows, stands as computed in the table that pages and the command show.
func TestRivalOnRowsOfServing(t *testing.T) {
	const path, tool, ours = "summary/serving_rivals.tsv", "aiconfigurator 0.12.0", "this book"
	theirs := map[string][]string{}
	for line := range strings.Lines(rows.AIConfigurator) {
		if c := strings.Split(strings.TrimSpace(line), "\t"); len(c) == 3 && c[0] != "id" {
			theirs[c[0]] = c[1:]
		}
	}
	if !strings.Contains(rows.AIConfigurator, tool) || len(theirs) < 1000 {
		t.Fatalf("%d predictions of %s", len(theirs), tool)
	}
	cases := served(t)
	off := map[string][]float64{}
	count := 0
	for i, own := range AllErrors(cases, serving.Fitted) {
		c := cases[i]
		said, predicted := theirs[c.ID]
		if !predicted || c.Fitted() {
			continue
		}
		count++
		for j, q := range []string{"first", "token"} {
			x, err := strconv.ParseFloat(said[j], 64)
			if m := c.measured(q); err == nil && m > 0 && x > 0 {
				off[tool+q] = append(off[tool+q], math.Log(x/1e3/m))
				off[ours+q] = append(off[ours+q], own[q])
			}
		}
	}
	median := func(who, q string) float64 { return 100 * Quantile(off[who+q], 0.5, Percent) }
	table, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var kept strings.Builder
	for line := range strings.Lines(string(table)) {
		if !strings.HasPrefix(line, tool) && !strings.HasPrefix(line, ours) {
			kept.WriteString(line)
		}
	}
	fmt.Fprintf(&kept,
		"%s\tclosed\t%d\t\t%.0f\t%.0f\trun on 2026-11-29 on rows kept aside, prefill and decode together\n",
		tool, count, median(tool, "first"), median(tool, "token"))
	fmt.Fprintf(&kept, "%s\tclosed\t%d\t\t%.0f\t%.0f\tthe same rows\n", ours, count, median(ours, "first"),
		median(ours, "token"))
	golden.Check(t, path, kept.String())
}
