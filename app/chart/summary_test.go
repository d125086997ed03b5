package chart

import (
	"math"
	"slices"
	"strings"
	"testing"
)

func TestTwin(t *testing.T) {
	for _, p := range examples() {
		header, rows := p.Twin()
		for _, r := range rows {
			if len(r) != len(header) {
				t.Errorf("%s: a row of %d under a header of %d", p.ID, len(r), len(header))
			}
		}
		if len(rows) > max(twinRows, 2+1+len(p.Marks), len(p.X.Categories)) {
			t.Errorf("%s: %d rows", p.ID, len(rows))
		}
	}
	_, rows := matmul().Twin()
	marked := slices.IndexFunc(rows, func(r []string) bool { return strings.Contains(r[3], "Compute-bound above") })
	if marked < 0 || rows[marked][1] != rows[marked][2] {
		t.Errorf("the crossing is not in the twin, or is none: %v", rows)
	}
}

func TestSummary(t *testing.T) {
	line := func(ys ...float64) *Plot {
		xs := make([]float64, len(ys))
		for i := range xs {
			xs[i] = float64(i)
		}
		return &Plot{Series: []Series{{Label: "Cost", X: xs, Y: ys}}}
	}
	for _, c := range []struct {
		p    *Plot
		want string
	}{
		{line(1, 2, 3), "Cost rises from 1 to 3."},
		{line(3, 2, 1), "Cost falls from 3 to 1."},
		{line(1, 3, 2), "Cost rises from 1 to 3 at 1, then falls to 2."},
		{line(3, 1, 2), "Cost falls from 3 to 1 at 1, then rises to 2."},
		{line(1, 2, 2), "Cost rises from 1 to 2 at 1, then stays there."},
		{line(1, 1, 2), "Cost stays at 1 up to 1, then rises to 2."},
		{line(1, 2, 1, 2), "Cost varies between 1 and 2."},
		{line(5, 5), "Cost stays at 5."},
		{line(3.9e-11, 1, 2), "Cost rises from 0 to 2."},
		{line(7), "Cost is 7 at 0."},
		{line(), "Nothing to draw: there are no values."},
		{line(math.NaN(), math.Inf(1)), "Nothing to draw: there are no values."},
		{matmul(), "Time to compute rises from 341 ns to 5.58 ms; it overtakes time to move the bytes at 263."},
	} {
		if got := c.p.Summary(); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}
