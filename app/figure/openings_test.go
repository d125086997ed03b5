package figure_test

import (
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/scalebook/scalebook/app/figure"
	"github.com/scalebook/scalebook/app/library"
	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/sheet/input"
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
	figure.Register(env)
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
	for _, shards := range []string{"-3, 2", "2, 0", "9, 1", "1, 1e9", "0.4, 1"} {
		line := "figure mesh_gather(" + shards + ", 1, 1 MB, 1 MB, 1 s, 1 s)"
		if _, err := tryDrawing(t, line); err == nil || !strings.Contains(err.Error(), "1 to 8 shards") {
			t.Errorf("%s: %v", line, err)
		}
	}
}

// The sheet that opens chapter 8 and its drawing estimate a step alike. Both are held to a search over all layouts and
// batches, with the step written out anew: a grid of 2 by 4 chips has 4 hops from corner to corner, one of 4 by 4 six.
func TestLayoutsOfTheSheet(t *testing.T) {
	page, err := os.ReadFile("../../content/applied-inference.md")
	if err != nil {
		t.Fatal(err)
	}
	_, source, _ := strings.Cut(string(page), "```sheet deal opening\n")
	source, _, _ = strings.Cut(source, "\n```")
	env := library.New()
	figure.Register(env)
	s, errs := sheet.Compile(source, env)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	for _, inputs := range [][3]string{{"50 token/s", "8192 token", "int8"}, {"5 token/s", "512 token", "int4"},
		{"20 token/s", "32768 token", "bf16"}, {"20 token/s", "8192 token", "int8"},
		{"73 token/s", "2048 token", "int4"}, {"110 token/s", "1024 token", "int8"}} {
		var state input.State
		for i, name := range []string{"speed", "T", "w"} {
			if state, err = s.Set(state, name, inputs[i]); err != nil {
				t.Fatal(err)
			}
		}
		r := s.Eval(state)
		num := func(name string) float64 {
			v, err := r.Value(name)
			if err != nil {
				t.Fatal(inputs, name, err)
			}
			return v.Num.Value
		}
		step := func(n, hops, batch float64) float64 {
			return batch*num("grow")/n + max(num("read"), batch*num("mul"))/n + batch*num("T_link") + hops*num("hop")
		}
		const hbm = 15.75 * (1 << 30)
		chips, largest, most := 0., 0., 0.
		for n, hops := range map[float64]float64{8: 4, 16: 6, 32: 10, 64: 14} {
			for batch := 1.; batch*num("cache") <= n*hbm-num("weights") &&
				step(n, hops, batch) <= 1/num("speed"); batch++ {
				if rate := batch / n / step(n, hops, batch); rate > most {
					chips, largest, most = n, batch, rate
				}
			}
		}
		if chips > 0 && (num("N") != chips || num("B") != largest) {
			t.Errorf("%v: the sheet has %v chips and %v sequences, a search %v and %v", inputs, num("N"), num("B"),
				chips, largest)
		}
		args, err := r.FigureArgs(0)
		if err != nil {
			t.Fatal(err)
		}
		d, err := figure.Draw(phrase.Phrases{}, "layout_front", args)
		if err != nil {
			t.Fatal(err)
		}
		for _, rate := range []float64{num("per_user"), num("per_chip")} {
			if said := strconv.FormatFloat(rate, 'g', 3, 64); !strings.Contains(d.Title, said) {
				t.Errorf("%v: the sheet has %s tokens a second, the drawing %q", inputs, said, d.Title)
			}
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
		"figure machine_room(17920, 17920, 22 day, $40M)",
		"f = tree_flows(\"half\", 1, 1, off, 1e15)\nfigure tree_load(f, 0 s, 0 s)",
		"f = tree_flows(\"half\", 32, 1, off, -1)\nfigure tree_load(f, 1000 year, 0 s)",
		"figure layout_front(86 ms, 1.6 ms, 0.7 ms, 0.06 ms, 0.3 ms, 900 TB, 1.3 GB, 16 GB, 0, 0)",
		"figure matmul_roofline(1e12, 4096 FLOP/byte, 1 PFLOP/s, 1 PFLOP/s, 1 TB/s, 1 year, 1 s)",
		"figure layer_mosaic(1e30, 1, 1, 1, 1e30, on)",
		"figure mesh_gather(8, 8, 7, 1 MB, 1 MB, 0 s, 1 s)",
		"let xs = tpu.v5p of accelerators most 3\nfigure chip_ridges(1e12, 1, 1e-9 FLOP/byte, xs, tpu.v5e)",
		"let xs = tpu.v5p, gpu.h100 of accelerators most 3\n" +
			"figure chip_ridges(1e-9, 1e12, 1e15 FLOP/byte, xs, tpu.v5e)",
		laidProduct + "figure sharded_matmul(p, \"\", 0 s, 0 s, -7)",
		laidProduct + "figure sharded_matmul(p, \"AllReduce_X(C)\", 1000 year, 0 s, 1e15)",
		laidProduct + "figure sharded_matmul(p, \"AllReduce_X(C)\", -1 s, -1 s, 2.4)",
		"p = hlo_profile(hlo_mlp(), tpu.v5e)\nfigure ops_roofline(p, -1e9)",
		"p = hlo_profile(hlo_mlp(), tpu.v7x)\nfigure ops_roofline(p, 1e15)",
		"p = hlo_profile(\"%a = f32[8,8]{1,0} parameter(0)\", tpu.v5e)\nfigure ops_roofline(p, 0)",
		"p = hlo_profile(\"%a = f32[0,8]{1,0} negate(%b)\", tpu.v5e)\nfigure ops_roofline(p, 0)",
		"p = hlo_profile(hlo_recorded(), gpu.v100)\nfigure ops_roofline(p, 3)",
		"figure layout_front(0 s, 0 s, 0 s, 0 s, 0 s, 0 GB, 0 GB, 0 GB, 8, 1)",
	} {
		got := markup.HTML(drawnFrom(t, line).Root)
		if strings.Contains(got, "NaN") || strings.Contains(got, "Inf") || strings.Contains(got, "1000000000000") {
			t.Errorf("%s: %.300s", line, got)
		}
	}
}

// On a mesh of 4 by 2 a collective over Y is between the two devices of each of 4 rows; one over X between the 3 pairs
// of neighbours in each of 2 columns; nothing that is sent joins nothing.
func TestExchangesOnTheMesh(t *testing.T) {
	for sends, want := range map[string]int{"ReduceScatter_Y(C)": 4, "AllReduce_X(C)": 6, "": 0,
		"AllGather_X(A), AllGather_Y(B)": 10, "AllGather_XY(A)": 10} {
		html := markup.HTML(drawnFrom(t, laidProduct+"figure sharded_matmul(p, \""+sends+"\", 2 ms, 1 ms, 3)").Root)
		_, after, _ := strings.Cut(html, `<path class="sent" d="`)
		lines, _, _ := strings.Cut(after, `"`)
		if got := strings.Count(lines, "M"); got != want {
			t.Errorf("%q joins %d pairs, want %d", sends, got, want)
		}
	}
}

// Ridge points by hand: a v5p does 459 TFLOP/s and reads 2.765 TB/s, 166 FLOP for each byte; a v6e 918 TFLOP/s and
// 1.638 TB/s, 560.4. A matmul with 240 is compute-bound on the first alone; it reaches 240/560.4 = 42.8 % of the peak
// of the second. A chip without a rate in bf16 is refused by its name.
func TestChipsAtTheirRidges(t *testing.T) {
	const list = "let xs = tpu.v5p, tpu.v6e of accelerators most 3\n"
	d := drawnFrom(t, list+"figure chip_ridges(256, 8192, 240 FLOP/byte, xs, tpu.v5p)")
	if !strings.Contains(d.Title, "1 of 2 chips") {
		t.Error(d.Title)
	}
	for i, want := range [][]string{{"TPU v5p", "2023", "166", "100"}, {"TPU v6e (Trillium)", "2024", "560", "42.8"}} {
		for k, cell := range d.AltTables[0].Rows[i] {
			if !strings.HasPrefix(cell, want[k]) {
				t.Errorf("row %d has %q, want %q", i, cell, want[k])
			}
		}
	}
	for _, line := range []string{list + "figure chip_ridges(256, 8192, 0 FLOP/byte, xs, tpu.v5p)",
		"let xs = gpu.v100 of accelerators most 3\nfigure chip_ridges(256, 8192, 9 FLOP/byte, xs, tpu.v5p)"} {
		if _, err := tryDrawing(t, line); err == nil {
			t.Errorf("%s is drawn", line)
		}
	}
}

// The hops of an all-gather of 4 chips, by hand: after the first of two, one hop of 497 µs; after both, the whole, 746
// µs, since in the last hop each link carries half.
func TestTimeOfGather(t *testing.T) {
	for step, want := range []string{"0 of 2 hops: 0 s", "1 of 2 hops: 497 µs of 746 µs",
		"2 of 2 hops: 746 µs of 746 µs"} {
		line := "figure mesh_gather(4, 3, " + strconv.Itoa(step) + ", 44.7 MB, 179 MB, 497 us, 746 us)"
		html := strings.ReplaceAll(strings.ReplaceAll(markup.HTML(drawnFrom(t, line).Root), "\u202f", " "), "\u00a0",
			" ")
		if !strings.Contains(html, want) {
			t.Errorf("step %d lacks %q", step, want)
		}
	}
}

// Each chip of the picture that opens chapter 11 has its name, also on a phone, where ten of them stand in 250 pixels,
// and the line of the batch strikes through none.
func TestRidgesAreNamed(t *testing.T) {
	const line = "let xs = tpu.v4, tpu.v5e, tpu.v5p, tpu.v6e, tpu.v7x, gpu.a100, gpu.h100, gpu.b200, gpu.rubin, " +
		"gpu.mi455x of accelerators most 12\nfigure chip_ridges("
	for _, values := range []string{"4, 8192, 4 FLOP/byte", "64, 8192, 63 FLOP/byte", "256, 8192, 241 FLOP/byte",
		"512, 8192, 455 FLOP/byte", "8192, 8192, 2730 FLOP/byte"} {
		html := markup.HTML(drawnFrom(t, line+values+", xs, tpu.v5p)").Root)
		wide, phone, _ := strings.Cut(html, "open narrow")
		for _, drawn := range []string{wide, phone} {
			at := regexp.MustCompile(`class="seam" d="M[0-9.]+ ([0-9.]+)`).FindStringSubmatch(drawn)
			for _, n := range regexp.MustCompile(`class="halo" x="[0-9.]+" y="([0-9.]+)">[^<]+`).
				FindAllStringSubmatch(drawn, -1) {
				if math.Abs(num(n[1])-5-num(at[1])) < 9 {
					t.Errorf("%s: the line strikes through %s", values, n[0])
				}
			}
		}
		for _, name := range []string{"v4", "v5e", "v5p", "v6e", "TPU7x", "A100", "H100", "B200", "Rubin", "MI455X"} {
			if !strings.Contains(phone, name+"</text>") {
				t.Errorf("%s: %s has no name", values, name)
			}
		}
	}
}

// knobs are the discs of a picture that are dragged, each with its place.
var knobs = regexp.MustCompile(`class="knob" cx="([0-9.-]+)" cy="([0-9.-]+)"`)

// What can be dragged is never covered by the reach of another, 24 units, however few stages or shards there are, and
// stands clear of the names of stages.
func TestGripsStandApart(t *testing.T) {
	stage := regexp.MustCompile(`class="small" x="([0-9.]+)" y="([0-9.]+)">(?:Stage )?[0-9]+<`)
	var lines []string
	for _, n := range []string{"1", "2", "4", "8", "16"} {
		for _, tp := range []string{"1", "16"} {
			lines = append(lines, "figure parallel_step("+tp+", "+n+", 4, 8, 944 ms, 100 ms, 146 ms)")
		}
		for _, y := range []string{"1", "3", "8"} {
			lines = append(lines, "figure mesh_gather("+y+", "+y+", 1, 44.7 MB, 179 MB, 497 us, 746 us)")
		}
	}
	for _, line := range lines {
		for _, drawn := range strings.SplitAfter(markup.HTML(drawnFrom(t, line).Root), "</svg>") {
			at := knobs.FindAllStringSubmatch(drawn, -1)
			for i, a := range at {
				for _, b := range at[:i] {
					if far := math.Hypot(num(a[1])-num(b[1]), num(a[2])-num(b[2])); far < 24 {
						t.Errorf("%s: two grips are %.0f units apart", line, far)
					}
				}
				for _, s := range stage.FindAllStringSubmatch(drawn, -1) {
					end := num(s[1]) + 7*float64(len(s[0])-strings.Index(s[0], ">")-2)
					if math.Abs(num(s[2])-5-num(a[2])) < 12 && end > num(a[1])-13 && num(a[1]) < 80 {
						t.Errorf("%s: a grip covers %s", line, s[0])
					}
				}
			}
		}
	}
}

func num(s string) float64 {
	x, _ := strconv.ParseFloat(s, 64)
	return x
}

// Names stand in the middle of their boxes, and only where they fit: "gate" and "down" also where the context takes
// nearly all of the layer.
func TestNamesOfBoxesFit(t *testing.T) {
	box := regexp.MustCompile(`part" x="([0-9.]+)" y="([0-9.]+)" width="([0-9.]+)" height="([0-9.]+)"`)
	name := regexp.MustCompile(`class="mid (?:strong|micro)" x="([0-9.]+)" y="([0-9.]+)">([^<]+)<`)
	for _, context := range []string{"38e6", "134e6", "6.4e9"} {
		line := "figure layer_mosaic(8192, 42e6, 5.2e6, 131e6, " + context + ", off)"
		for _, drawn := range strings.SplitAfter(markup.HTML(drawnFrom(t, line).Root), "</svg>") {
			boxes := box.FindAllStringSubmatch(drawn, -1)
			for _, n := range name.FindAllStringSubmatch(drawn, -1) {
				if !slices.ContainsFunc(boxes, func(b []string) bool {
					x, y, wide := num(n[1])-num(b[1]), num(n[2])-num(b[2]), num(b[3])
					letters := 6 * float64(utf8.RuneCountInString(n[3]))
					return math.Abs(x-wide/2) < 1 && y > 0 && y < num(b[4]) && letters <= wide
				}) {
					t.Errorf("%s: %q is in the middle of no box, or wider than it", line, n[3])
				}
			}
		}
	}
}
