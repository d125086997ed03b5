package sharding

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var (
	listing = regexp.MustCompile("(?s)```text\n( +[A-Z][^`]*PARALLELISM[^`]*)```")
	// listed is a line of a listing: the step that it runs in, and the array that it makes or, behind ~, that arrives.
	listed = regexp.MustCompile(`(\d+) (~ )?(\w+)(?:\[[^\]]*\]|\{[^}]*\})? = (\w+?)_?([XYZ]?)\b`)
)

// collectives are the names that listings have for what brings an array.
var collectives = map[string]string{"AllGather": "all-gather", "ReduceScatter": "reduce-scatter",
	"AllReduce": "all-reduce", "AllToAll": "all-to-all"}

// The listings of chapter 5 have the steps of the box above them: of each step the arrays that its matmuls make, and
// the collectives that run beside them.
func TestListingsHaveTheSteps(t *testing.T) {
	text, err := os.ReadFile("../../content/training.md")
	if err != nil {
		t.Fatal(err)
	}
	heads := map[string]string{"DATA PARALLELISM": "dp", "FSDP (ZeRO-3)": "fsdp", "TENSOR PARALLELISM": "tp",
		"FSDP AND TENSOR PARALLELISM": "mixed", "EXPERT PARALLELISM": "ep"}
	const column = 39
	seen := 0
	for _, m := range listing.FindAllStringSubmatch(string(text), -1) {
		var columns [2]strings.Builder
		for line := range strings.Lines(m[1]) {
			line = strings.TrimRight(line, "\n")
			columns[0].WriteString(line[:min(column, len(line))] + "\n")
			columns[1].WriteString(line[min(column, len(line)):] + "\n")
		}
		for i := range columns {
			head, lines, _ := strings.Cut(columns[i].String(), "\n")
			if id := heads[strings.TrimSpace(head)]; id != "" {
				compareListing(t, id, lines)
				seen++
			}
		}
	}
	if seen != len(heads) {
		t.Errorf("%d listings, want %d", seen, len(heads))
	}
}

func compareListing(t *testing.T, id, lines string) {
	t.Helper()
	scheme, err := ReadScheme(id)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]bool{}
	before := map[string]bool{"dOut": true} // it comes from the layer above
	for i, step := range scheme.Steps {
		for _, a := range step.Arrays {
			name, _, _ := strings.Cut(a.Text, "[")
			switch {
			case i == 0:
			case a.Message != "":
				want[strconv.Itoa(i+1)+" "+name+" by "+a.Message] = true
			case !before[name]:
				want[strconv.Itoa(i+1)+" "+name] = true
			}
			before[name] = true
		}
	}
	got := map[string]bool{}
	for _, m := range listed.FindAllStringSubmatch(lines, -1) {
		what := m[3]
		if m[2] != "" {
			what += " by " + collectives[m[4]] + " over " + m[5]
		}
		got[m[1]+" "+what] = true
	}
	if !maps.Equal(got, want) {
		t.Errorf("%s: the listing has\n%q\nand the box\n%q", id,
			slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
	}
}
