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
	d, err := tryDrawing(t, line)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// tryDrawing is the figure of a sheet of one line, or why it isn't drawn.
func tryDrawing(t *testing.T, line string) (*figure.Drawing, error) {
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
	return figure.Draw(phrase.Phrases{}, s.Figures[0].Figure.Name, args)
}

// What has no place on a logarithmic axis is refused, and so is a layer that costs nothing.
func TestOpeningsRefuse(t *testing.T) {
	for _, line := range []string{
		"figure matmul_roofline(0, 0 FLOP/byte, 0 FLOP/s, 1 PFLOP/s, 1 TB/s, 0 s, 0 s)",
		"figure matmul_roofline(32, 32 FLOP/byte, 32 TFLOP/s, 1 PFLOP/s, 0 byte/s, 1 ms, 1 ms)",
		"figure chip_at_work(-1, 2 TB/s, 40 TB/s, 1 PFLOP/s, 3 ms, 2 ms, 1 ms)",
		"figure layer_mosaic(8192, 0, 0, 0, 0, off)",
	} {
		if _, err := tryDrawing(t, line); err == nil || !strings.Contains(err.Error(), "above 0") {
			t.Errorf("%s: %v", line, err)
		}
	}
}

// A step of a layout, by hand: 86/16 ms to read the weights, 70 caches of 1.6/16 ms, 70 times 0.06 ms over the links
// and six hops of 0.3 ms are 18.375 ms, so 54.4 tokens a second for a user and 70/16 as many for a chip. With 200
// sequences it computes longer than it reads: 200 times 0.7/16 ms. On 32 chips, 4 x 8, there are ten hops: 13.3875 ms.
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

// A step of training split over stages, by hand: 8 microbatches on 4 stages take 1 + 3/8 times what a stage computes
// and sends, 1.375 times 1.12336 s; on one stage nothing is idle; FSDP that takes longer than all that decides.
func TestStepOfStages(t *testing.T) {
	for line, want := range map[string]string{
		"figure parallel_step(4, 4, 256, 8, 944.4052 ms, 178.957 ms, 146.4127 ms)":  "1.54 s",
		"figure parallel_step(4, 1, 1024, 8, 944.4052 ms, 178.957 ms, 146.4127 ms)": "1.12 s",
		"figure parallel_step(1, 4, 1024, 8, 800 ms, 0 s, 5 s)":                     ": 5 s",
	} {
		if d := drawnFrom(t, line); !strings.Contains(d.Title, want) {
			t.Errorf("%s: %q lacks %s", line, d.Title, want)
		}
	}
}

// What is out of range is drawn within the picture, and nothing is no number: a load above capacity, a run that is
// longer than its axis, a level that takes no time, a model that fits nowhere.
func TestOpeningsAtTheirEnds(t *testing.T) {
	for _, line := range []string{
		"figure serving_flow(9 request/s, 3 request/s, 1e9, 100, 100, 1 hour, 30 ms, 50 ms, 320 GB, 141 GB, 1.4 GB, 0.5, " +
			"10 ms, 0.08 ms)",
		"figure serving_flow(0 request/s, 0 request/s, 0, 0, 0, 0 s, 0 s, 0 s, 0 GB, 0 GB, 0 GB, 0, 0 s, 0 s)",
		"figure machine_room(1, 17920, 1000 year, $1)", "figure machine_room(0, 0, 0 s, $0)",
		"figure machine_room(17920, 17920, 22 day, $40M)", "figure tree_load(\"all-to-all\", 7, 0 s, 0 s, 0 s)",
		"figure layout_front(86 ms, 1.6 ms, 0.7 ms, 0.06 ms, 0.3 ms, 900 TB, 1.3 GB, 16 GB, 0, 0)",
		"figure matmul_roofline(1e12, 4096 FLOP/byte, 1 PFLOP/s, 1 PFLOP/s, 1 TB/s, 1 year, 1 s)",
		"figure layer_mosaic(1e30, 1, 1, 1, 1e30, on)",
		"figure mesh_gather(-3, 1e9, 7, 1 MB, 1 MB, 1 s, 1 s)",
		"figure layout_front(0 s, 0 s, 0 s, 0 s, 0 s, 0 GB, 0 GB, 0 GB, 8, 1)",
	} {
		got := markup.HTML(drawnFrom(t, line).Root)
		if strings.Contains(got, "NaN") || strings.Contains(got, "Inf") || strings.Contains(got, "1000000000000") {
			t.Errorf("%s: %.300s", line, got)
		}
	}
}
