package figure_test

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/scalebook/scalebook/app/figure"
	"github.com/scalebook/scalebook/app/golden"
	"github.com/scalebook/scalebook/app/library"
	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// servedPlans is a search over plans of serving.
const servedPlans = "plans = serving_plans(llama3.70b, gpu.h100, 8, 1024, 1024, 0, fp8, fp8, bf16, \"vllm\", on, 2 " +
	"s, 50 ms)\n"

// A job of training, and a plan of it.
const (
	trainingJob = "let m = llama3.70b\nj = training_job(m, gpu.h100, 64, 524288, 8192, bf16, " +
		"usual_software(gpu.h100))\n"
	trainingPlan = trainingJob + "p = training_plan(j, \"dp=2 tp=8 pp=4 zero=1\", \"\")\n"
)

// laidProduct is a product to draw, or to draw the ways of.
const laidProduct = "p = product_on(tpu.v5p, \"rings\", bf16, \"A[I_X, J] . B[J_X, K] -> C[I_X, K]\", \"X=4, Y=2\", " +
	"\"I=1024\")\n"

// figureSheets draw each figure once.
var figureSheets = map[string]string{
	"chip_bars": "let chips = tpu.v5e, gpu.h100 of accelerators most 6\nlet column = first of columns\ncolumns = " +
		"chip_columns()\nxs = compare_chips(chips, bf16)\nfigure chip_bars(xs, column)",
	"chips_beside": "let chips = tpu.v5e, gpu.h100 of accelerators most 2\ncolumns = chip_columns()\n" +
		"xs = compare_chips(chips, bf16)\nfigure chips_beside(xs, columns)",
	"matmul_roofline": "let B = 32\nfigure matmul_roofline(B, 30 FLOP/byte, 50 TFLOP/s, 900 TFLOP/s, 1.6 TB/s, 5 us, " +
		"90 us)",
	"chip_ridges": "let B = 256\nlet chip = tpu.v5p\nlet chips = tpu.v5p, tpu.v6e of accelerators most 9\n" +
		"figure chip_ridges(B, 8192, 241 FLOP/byte, chips, chip)",
	"mesh_gather":   "let X = 4\nlet Y = 2\nfigure mesh_gather(X, Y, 1, 64 MB, 256 MB, 1 ms, 2 ms)",
	"layer_mosaic":  "let T = 8192\nfigure layer_mosaic(T, 67M, 8M, 210M, 134M, off)",
	"chip_at_work":  "let B = 32\nfigure chip_at_work(B, 2.8 TB/s, 60 TB/s, 459 TFLOP/s, 50 us, 3 us, 10 us)",
	"parallel_step": "let tp = 4\nlet pp = 4\nfigure parallel_step(tp, pp, 16, 8, 1 s, 200 ms, 150 ms)",
	"tiled_matmul":  "let b = 512\nfigure tiled_matmul(b, 4096, 500 MB, 100 MB, 600 us, 700 us, 1 MB, 128 MB)",
	"matmul_areas":  "let B = 8\nfigure matmul_areas(B, 64, 128, 64, off)",
	"two_chips":     "let D = 4096\nfigure two_chips(D, 16384, 8192, 170 us, 370 us)",
	"shared_heads":  "let K = 8\nfigure shared_heads(64, K, 4096 byte, 32768 byte)",
	"expert_choice": "let B = 8\nfigure expert_choice(128, 8, B, 256)",
	"switched_node": "let switches = 4\nfigure switched_node(8, switches, 450 GB/s, 3.6 TB/s, 6.4 TB/s)",
	"slice_torus":   "s = slice_shape(tpu.v5p, \"4x4x8\")\nfigure slice_torus(s)",
	"collective_step": "f = fabric(\"ring\", tpu.v5e, 4, 1, \"4x4\", 45 GB/s, 50 GB/s, 1 us, off)\nc = " +
		"collective_on(f, \"all-gather\", 64 MiB, on)\nfigure collective_step(c, 1)",
	"collective_law": "f = fabric(\"node\", gpu.h200, 8, 1, \"4x4\", 450 GB/s, 50 GB/s, 1 us, on)\nc = " +
		"collective_on(f, \"all-reduce\", 16 MiB, on)\nfigure collective_law(c)",
	"collective_curve": "f = fabric(\"node\", gpu.h200, 8, 1, \"4x4\", 450 GB/s, 50 GB/s, 1 us, on)\nc = " +
		"collective_on(f, \"all-reduce\", 16 MiB, on)\nfigure collective_curve(c, on)",
	"fat_tree":           "t = fat_tree(1536, 8, 64, 3)\nfigure fat_tree(t)",
	"scheme_step":        "figure scheme_step(\"mixed\", 4)",
	"layer_clocks":       "figure layer_clocks(2 ms, 3 ms, 1 ms, on)",
	"two_clocks":         "figure two_clocks(3 ms, 2 ms, on)",
	"ring_matmul":        "figure ring_matmul(4, 3 ms, 2 ms, 1)",
	"pipeline_timetable": "figure pipeline_timetable(\"zb-h1\", 4, 8)",
	"memory_stack":       trainingPlan + "figure memory_stack(p)",
	"step_timeline":      trainingPlan + "figure step_timeline(p, 3)",
	"plan_intervals": trainingPlan + "s = training_search(j, off, 0, 0)\nxs = training_plans(s)\n" +
		"figure plan_intervals(xs, p)",
	"plan_beside": trainingPlan + "q = training_plan(j, \"dp=8 tp=8 zero=3\", \"\")\nxs = plan_differences(p, q)\n" +
		"figure plan_beside(xs)",
	"plan_flags":         trainingPlan + "figure plan_flags(p, \"torchtitan\")",
	"batch_map":          trainingJob + "x = training_map(j)\nfigure batch_map(x)",
	"predicted_measured": "xs = held_families(\"training\")\nf = first of xs\nfigure predicted_measured(f)",
	"scaling_step":       "figure scaling_step(2048, 71.4 ms, 142.8 ms, 178 ms)",
	"step_clock":         "figure step_clock(5 ms, 2 ms, 1 ms, 16)",
	"cache_pages":        "figure cache_pages(off, 9)",
	"batch_slots":        "figure batch_slots(\"continuous\", 20)",
	"queue_in_time":      "let capacity = 8 / (1 s)\nfigure queue_in_time(95%, capacity, 16, 60)",
	"serving_flow": "figure serving_flow(2 request/s, 3 request/s, 5, 40, 100, 1 s, 30 ms, 50 ms, 320 GB, 141 GB, " +
		"1.4 GB, 0.5, 10 ms, 0.08 ms)",
	"layout_front":     "figure layout_front(86 ms, 1.6 ms, 0.7 ms, 0.06 ms, 0.3 ms, 70 GB, 1.3 GB, 16 GB, 16, 70)",
	"tree_load":        "f = tree_flows(\"half\", 16, 2, off, 1)\nfigure tree_load(f, 9 ms, 4 ms)",
	"machine_room":     "figure machine_room(4096, 17920, 97 day, $40M)",
	"memory_fill":      "figure memory_fill(80 GB, 16 GB, 1 GB, 12)",
	"model_parameters": "let m = deepseek.v3\nfigure model_parameters(m)",
	"serving_front": servedPlans + "q = first of plans\npoints = serving_measured(llama3.70b, gpu.h100, 1024, 1024, " +
		"fp8)\n" +
		"figure serving_front(plans, q, points, 50 ms)",
	"serving_intervals": servedPlans + "q = first of plans\nfigure serving_intervals(plans, q)",
	"serving_compare":   servedPlans + "figure serving_compare(plans, plans)",
	"serving_memory":    servedPlans + "q = first of plans\nmem = serving_memory(q)\nfigure serving_memory(mem)",
	"serving_curve":     servedPlans + "q = first of plans\nfigure serving_curve(q, 2 request/s, 1 s)",
	"mesh_shards": "p = sharded_product(\"A[I_X, J] . B[J, K_Y] -> C[I_X, K_Y]\", \"I=64, J=64, K=64\", \"X=4, " +
		"Y=2\")\nfigure mesh_shards(p, 3)",
	"sharded_matmul": laidProduct + "figure sharded_matmul(p, \"AllReduce_X(C)\", 2 ms, 1 ms, 3)",
	"product_splits": laidProduct + "figure product_splits(p)",
	"product_case":   laidProduct + "figure product_case(p)",
	"way_steps":      laidProduct + "w = first of product_ways(p, \"exact\")\nfigure way_steps(w)",
	"way_trial":      laidProduct + "w = first of product_ways(p, \"exact\")\nfigure way_trial(w)",
	"way_curve": laidProduct + "w = first of product_ways(p, \"exact\")\nc = way_curve(w, \"I\")\n" +
		"figure way_curve(c)",
	"layer_boxes": "let m = gpt_oss.120b\nk = first of layer_kinds(m)\ny = model_layer(k, 8192, \"train\", " +
		"\"windowed\")\nb = main_box(y)\nfigure layer_boxes(y, b)",
	"trace_bars":      "t = trace_read(trace_example())\nfigure trace_bars(t)",
	"hlo_tiles":       "s = hlo_shape(\"f32[3,5]{1,0:T(2,2)}\")\nfigure hlo_tiles(s)",
	"ops_roofline":    "p = hlo_profile(hlo_example(), tpu.v5e)\nfigure ops_roofline(p, 4)",
	"hlo_roofline":    "p = hlo_profile(hlo_example(), tpu.v5e)\nfigure hlo_roofline(p)",
	"systolic_array":  "a = systolic_array(4, 6, off, 5)\nfigure systolic_array(a)",
	"stream_timeline": "s = stream(tpu.v5e, bf16, 256, 8192, 1024, 8, 2)\nfigure stream_timeline(s, 8)",
}

// TestEveryFigureDraws: each is offered, has what readers need who don't see it, and refuses what it can't draw.
func TestEveryFigureDraws(t *testing.T) {
	env := library.New()
	figure.Register(env)
	for name := range env.Figures {
		s, errs := sheet.Compile(figureSheets[name], env)
		if len(errs) > 0 || len(s.Figures) != 1 {
			t.Errorf("%s: %v", name, errs)
			continue
		}
		args, err := s.Eval(nil).FigureArgs(0)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		d, err := figure.Draw(phrase.Phrases{}, name, args)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if html := markup.HTML(d.Root); d.Title == "" || d.About == "" || len(d.AltTables) == 0 || len(html) < 300 ||
			strings.Contains(html, "NaN") {
			t.Errorf("%s: %q, %q, %d tables: %s", name, d.Title, d.About, len(d.AltTables), html)
		}
		golden.Check(t, "testdata/figures/"+name+".html", strings.ReplaceAll(markup.HTML(d.Root), "><", ">\n<")+"\n")
		again, _ := figure.Draw(phrase.Phrases{}, name, args)
		if markup.HTML(again.Root) != markup.HTML(d.Root) {
			t.Errorf("%s is drawn in two ways", name)
		}
		if args[0].Kind != value.Rec {
			continue
		}
		args[0] = value.Value{Kind: value.Rec, Record: &value.Record{Name: "something"}}
		if _, err := figure.Draw(phrase.Phrases{}, name, args); err == nil {
			t.Errorf("%s draws anything", name)
		}
	}
}

// languageTable is the reference of the language, in which a table lists the figures.
const languageTable = "../../content/language.md"

// TestLanguageListsEveryFigure: the reference's table has each of them; -update adds those that it lacks, as their
// declarations describe them.
func TestLanguageListsEveryFigure(t *testing.T) {
	file, err := os.ReadFile(languageTable)
	if err != nil {
		t.Fatal(err)
	}
	env := library.New()
	figure.Register(env)
	whole, missing := listed(string(file), env.Figures)
	if golden.Update() {
		golden.Check(t, languageTable, whole)
	} else if len(missing) > 0 {
		t.Errorf("the table of figures in content/language.md has no %v; make update adds them", missing)
	}
}

// listed is the reference with all figures in its table, and the names of those that it lacked.
func listed(file string, figures map[string]*value.Figure) (whole string, missing []string) {
	before, table, _ := strings.Cut(file, "| figure | draws |")
	end := strings.Index(table, "|\n\n") + 2
	rows := ""
	for _, name := range slices.Sorted(maps.Keys(figures)) {
		if strings.Contains(table[:end], "`"+name+"(") {
			continue
		}
		missing = append(missing, name)
		var params []string
		for _, p := range figures[name].Params {
			params = append(params, p.Name)
		}
		doc := strings.TrimSuffix(figures[name].Doc, ".")
		rows += "| `" + name + "(" + strings.Join(params, ", ") + ")` | " + strings.ToLower(doc[:1]) + doc[1:] + " |\n"
	}
	return before + "| figure | draws |" + table[:end] + rows + table[end:], missing
}

// TestListed: a figure that the table lacks gets a row at its end, and nothing else changes.
func TestListed(t *testing.T) {
	const file = "a\n\n| figure | draws |\n|---|---|\n| `one(x)` | one |\n\n`two(` b\n"
	two := &value.Figure{Name: "two", Doc: "A two.", Params: []value.Param{{Name: "x"}, {Name: "y"}}}
	whole, missing := listed(file, map[string]*value.Figure{"one": {Name: "one"}, "two": two})
	if len(missing) != 1 || whole != strings.Replace(file, "one |\n", "one |\n| `two(x, y)` | a two |\n", 1) {
		t.Errorf("%v\n%s", missing, whole)
	}
}

// The words of a timetable's legend stand apart and within the picture, also in the large letters of a phone.
func TestPipelineLegend(t *testing.T) {
	for _, schedule := range []string{"gpipe", "zb-h1"} {
		d, err := figure.Pipeline(phrase.Phrases{}, schedule, 4, 8)
		if err != nil {
			t.Fatal(err)
		}
		ends := map[string]float64{}
		for _, m := range regexp.MustCompile(`<text class="small" x="([\d.]+)" y="([\d.]+)"[^>]*>([a-z ]+)<`).
			FindAllStringSubmatch(markup.HTML(d.Root), -1) {
			x, _ := strconv.ParseFloat(m[1], 64)
			if x-20 < ends[m[2]] {
				t.Errorf("%s: the sign of %q stands on the word before it", schedule, m[3])
			}
			if ends[m[2]] = x + 9.8*float64(len(m[3])); ends[m[2]] > 520 {
				t.Errorf("%s: %q is cut off", schedule, m[3])
			}
		}
		if len(ends) == 0 {
			t.Errorf("%s: no legend", schedule)
		}
	}
}

// planner is the sheet of the serving planner's page.
func planner(t *testing.T) *sheet.Sheet {
	t.Helper()
	page, err := os.ReadFile("../../content/serving-planner.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(page), "```sheet serving hero\n")
	text, _, _ = strings.Cut(text, "```")
	env := library.New()
	figure.Register(env)
	s, errs := sheet.Compile(text, env)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	return s
}

// set is a state of a sheet, from inputs as addresses write them.
func set(t *testing.T, s *sheet.Sheet, inputs string) input.State {
	t.Helper()
	st := input.State{}
	for input := range strings.FieldsSeq(inputs) {
		name, text, _ := strings.Cut(input, "=")
		var err error
		if st, err = s.Set(st, name, text); err != nil {
			t.Fatal(input, err)
		}
	}
	return st
}

// The sheet's laws and the search estimate a step alike: dense or with experts, latent attention or not, windows or
// not, on switches and on a torus, every kind of plan, with a prompt or without.
func TestServingSheetEqualsSearch(t *testing.T) {
	s := planner(t)
	for _, inputs := range []string{
		"", "m=llama3.8b N=4", "m=deepseek.r1 chip=gpu.h200 N=16", "m=gpt_oss.120b w=bf16 x=mxfp4 N=2 engine=trtllm",
		"m=qwen3.235b_a22b chip=gpu.b200 engine=sglang work=code", "m=gemma3.27b chip=tpu.v6e N=16 engine=maxtext",
		"m=mixtral.8x7b N=32 chip=tpu.v5p engine=maxtext work=agent d=fp8",
		"m=llama3.405b chip=gpu.gb200 w=nvfp4 work=agent",
	} {
		for _, pass := range []string{"decode", "prefill"} {
			st := set(t, s, inputs+" ttft_most=0 tpot_most=0 view=step pass="+pass)
			v, err := s.Eval(st).Value("plans")
			if err != nil {
				t.Errorf("%s: %v", inputs, err)
				continue
			}
			for i := 0; i < len(v.List); i += max(len(v.List)/4, 1) {
				r := s.Eval(st.With("plan", v.List[i]))
				if apart, err := r.Value("apart_from"); err != nil || apart.Num.Value > 1e-12 ||
					apart.Num.Value < -1e-12 {
					t.Errorf("%s, %s, %v: the sheet differs by %v, %v", inputs, pass, v.List[i], apart, err)
				}
			}
		}
	}
}

// foreign is a made-up language: each letter of a sentence, but not of its gaps, is ж.
func foreign(t *testing.T) phrase.Phrases {
	t.Helper()
	letters := regexp.MustCompile(`[A-Za-z]`)
	var lines []string
	for _, name := range []string{"en.txt"} {
		english, err := os.ReadFile("../phrase/" + name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(english)) {
			key, rest, _ := strings.Cut(line, "\t")
			if !strings.HasPrefix(key, "figure.") {
				continue
			}
			line = key + "\t"
			for rest != "" {
				before, gap, after := phrase.Gap(rest)
				line += letters.ReplaceAllString(before, "ж")
				if gap != "" {
					line += "{" + gap + "}"
				}
				rest = after
			}
			lines = append(lines, line)
		}
	}
	slices.Sort(lines)
	return phrase.Read(strings.Join(lines, ""))
}

// TestEveryFigureSpeaks: its title, what is told of it and the heads of its tables are in the language that it is drawn
// in.
func TestEveryFigureSpeaks(t *testing.T) {
	env, language := library.New(), foreign(t)
	figure.Register(env)
	for name := range env.Figures {
		if name == "chip_bars" { // says what the catalog says of a field
			continue
		}
		s, errs := sheet.Compile(figureSheets[name], env)
		if len(errs) > 0 {
			t.Fatal(name, errs)
		}
		args, err := s.Eval(nil).FigureArgs(0)
		if err != nil {
			t.Fatal(name, err)
		}
		d, err := figure.Draw(language, name, args)
		if err != nil {
			t.Fatal(name, err)
		}
		said := map[string]string{"title": d.Title, "note": d.Note, "heads": strings.Join(d.AltTables[0].Heads, " ")}
		for part, text := range said {
			if text != "" && !strings.Contains(text, "ж") {
				t.Errorf("%s: its %s is %q in any language", name, part, text)
			}
			if _, gap, _ := phrase.Gap(text); gap != "" {
				t.Errorf("%s: nothing fills {%s} of its %s", name, gap, part)
			}
		}
	}
}

// A longer language moves the bars of a step, so that their names stand beside them and not in them.
func TestBarsLeaveSpaceForTheirNames(t *testing.T) {
	env := library.New()
	figure.Register(env)
	s, errs := sheet.Compile(figureSheets["step_timeline"], env)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	args, err := s.Eval(nil).FigureArgs(0)
	if err != nil {
		t.Fatal(err)
	}
	first := func(l phrase.Phrases) float64 {
		d, err := figure.Draw(l, "step_timeline", args)
		if err != nil {
			t.Fatal(err)
		}
		_, after, _ := strings.Cut(markup.HTML(d.Root), ">"+l.Say("figure.matmuls")+"</text>")
		_, after, _ = strings.Cut(after, ` x="`)
		text, _, _ := strings.Cut(after, `"`)
		x, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	const name = "матричные умножения"
	usual, long := first(phrase.Phrases{}), first(phrase.Read("figure.matmuls\t"+name+"\n"))
	if long < 9*float64(utf8.RuneCountInString(name)) || long <= usual {
		t.Errorf("the bars begin at %v, those with a long name at %v", usual, long)
	}
}
