package figure_test

import (
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/figure"
	"github.com/scalebook/scalebook/app/library"
	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet"
)

// drawnFrom is the figure of a sheet of one line.
func drawnFrom(t *testing.T, line string) *figure.Drawing {
	t.Helper()
	env := library.New()
	figure.Offer(env)
	s, errs := sheet.Compile(line, env)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	args, err := s.Eval(nil).FigureArgs(0)
	if err != nil {
		t.Fatal(err)
	}
	d, err := figure.Draw(phrase.Phrases{}, s.Figures[0].Figure.Name, args)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// A step of a layout, by hand: 86/16 ms to read the weights, 70 caches of 1.6/16 ms, 70 times 0.06 ms over the links and
// six hops of 0.3 ms are 18.375 ms, so 54.4 tokens a second for a user and 70/16 as many for a chip. With 200 sequences it
// computes longer than it reads: 200 times 0.7/16 ms. On 32 chips, 4 x 8, there are ten hops: 13.3875 ms.
func TestStepOfLayout(t *testing.T) {
	const costs = "figure layout_front(86 ms, 1.6 ms, 0.7 ms, 0.06 ms, 0.3 ms, 70 GB, 1.3 GB, 16 GB, "
	for layout, want := range map[string][2]string{
		"16, 70)":  {"54.4", "238"},
		"16, 200)": {"23.5", "294"},
		"32, 70)":  {"74.7", "163"},
	} {
		d := drawnFrom(t, costs+layout)
		for _, x := range want {
			if !strings.Contains(d.Title, x) {
				t.Errorf("%s: %q lacks %s", layout, d.Title, x)
			}
		}
	}
}

// What is out of range is drawn within the picture, and nothing is no number: a load above capacity, a run that is longer
// than its axis, a level that takes no time, a model that fits nowhere.
func TestOpeningsAtTheirEnds(t *testing.T) {
	for _, line := range []string{
		"figure serving_flow(9 request/s, 3 request/s, 1e9, 100, 100, 1 hour, 30 ms, 50 ms, 320 GB, 141 GB, 1.4 GB, 0.5, 10 ms, 0.08 ms)",
		"figure serving_flow(0 request/s, 0 request/s, 0, 0, 0, 0 s, 0 s, 0 s, 0 GB, 0 GB, 0 GB, 0, 0 s, 0 s)",
		"figure machine_room(1, 17920, 1000 year, $1)", "figure machine_room(0, 0, 0 s, $0)",
		"figure machine_room(17920, 17920, 22 day, $40M)", "figure tree_load(\"all-to-all\", 7, 0 s, 0 s, 0 s)",
		"figure layout_front(86 ms, 1.6 ms, 0.7 ms, 0.06 ms, 0.3 ms, 900 TB, 1.3 GB, 16 GB, 0, 0)",
		"figure layout_front(0 s, 0 s, 0 s, 0 s, 0 s, 0 GB, 0 GB, 0 GB, 8, 1)",
	} {
		got := markup.HTML(drawnFrom(t, line).Root)
		if strings.Contains(got, "NaN") || strings.Contains(got, "Inf") || strings.Contains(got, "1000000000000") {
			t.Errorf("%s: %.300s", line, got)
		}
	}
}
