package widget

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/scalebook/scalebook/app/golden"
	"github.com/scalebook/scalebook/app/library"
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/widget/address"
)

// part is a part of a view as HTML.
func part(v *View, key string) string { return HTML(v.Part(key)) }

// A text that can't be read is kept, with the reason beside it; the last good value stays.
func TestBadTextKeepsTheGoodValue(t *testing.T) {
	v := New(compiled(t, "int8-matmul"))
	if err := v.Set("B", "512"); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"12 parrots", "", "0", "99999999", "3 s", "1/0", strings.Repeat("9", 5000)} {
		if v.Set("B", bad) == nil {
			t.Errorf("%q was taken", bad)
		}
		doc := parse(t, part(v, "input:B"))
		field := find(doc, "input", "name", "B")[0]
		if invalid, _ := get(field, "aria-invalid"); invalid != "true" {
			t.Errorf("%q: aria-invalid=%q", bad, invalid)
		}
		if text, _ := get(field, "value"); text != bad {
			t.Errorf("%q: the field has %q", bad, text)
		}
		describes, _ := get(field, "aria-describedby")
		if note := said(find(doc, "", "id", describes)[0]); !strings.Contains(note, v.errs["B"][1:]) ||
			!strings.Contains(note, "Still 512.") {
			t.Errorf("%q: beside it stands %q", bad, note)
		}
		if x, err := v.Result.Value("ops"); err != nil || x.Num.Value != 2*512*4096*16384 {
			t.Errorf("%q: ops = %v, %v", bad, x, err)
		}
		if len(v.Params()) != 0 {
			t.Errorf("%q goes into the address: %v", bad, v.Params())
		}
	}
}

// A change shows what was there before, and undo brings back exactly the page as it was printed.
func TestUndo(t *testing.T) {
	s := compiled(t, "kinds")
	before := HTML(Section(New(s)))
	v := New(s)
	for name, text := range map[string]string{"chip": "gpu.h100", "mode": "tree", "on_": "off", "d": "bf16",
		"M": "32 GiB",
		"n": "8", "price": "$3/hour", "note_": "x"} {
		if err := v.Set(name, text); err != nil {
			t.Errorf("%s = %s: %v", name, text, err)
			continue
		}
		got := part(v, "input:"+name)
		if len(find(parse(t, got), "", "class", "changed")) != 1 ||
			len(find(parse(t, got), "button", "class", "undo")) != 1 {
			t.Errorf("%s: the change can't be seen: %s", name, got)
		}
		v.Undo(name)
	}
	if got := HTML(Section(v)); got != before {
		t.Error("undoing every change gives another page")
	}
	v.Set("n", "8")
	v.Set("M", "no number")
	v.Reset()
	if got := HTML(Section(v)); got != before {
		t.Error("reset gives another page")
	}
	v.Set("n", "8")
	v.Set("n", "4")
	if v.Changed("n") {
		t.Error("the author's value is called a change")
	}
}

// A row without a value says why, in its place.
func TestNoValue(t *testing.T) {
	v := New(compiled(t, "kinds"))
	doc := parse(t, part(v, "row:bad"))
	out := find(doc, "output", "data-name", "bad")[0]
	if said(out) != v.say("widget.no-value") {
		t.Errorf("it shows %q", said(out))
	}
	if data, _ := get(out, "data-value"); data != "" {
		t.Errorf("data-value=%q", data)
	}
	if why := find(doc, "", "class", "row-error"); len(why) != 1 || len(said(why[0])) < 10 {
		t.Error("it doesn't say why")
	}
	inText := func() string { return v.Shown("bad").Text }
	if got := inText(); got != "—" || !strings.Contains(Unveiled(v.Sheet, v.Result, "bad"), ">—<") {
		t.Errorf("in a sentence it is %q, printed %s", got, Unveiled(v.Sheet, v.Result, "bad"))
	}
	v.Set("n", "5")
	if got := inText(); got != "1 s" {
		t.Errorf("in a sentence, with a value: %q", got)
	}
	if got := said(find(parse(t, part(v, "row:bad")), "output", "", "")[0]); got != "1 s" {
		t.Errorf("with a value: %q", got)
	}
}

// Equal fingerprints mean equal parts: whatever changes in a part changes its fingerprint.
func TestFingerprints(t *testing.T) {
	v := New(compiled(t, "kinds"))
	w := New(compiled(t, "int8-matmul"))
	watch := func(v *View, do func()) {
		t.Helper()
		type seen struct{ print, html string }
		before := map[string]seen{}
		for _, k := range partsOf(v) {
			before[k] = seen{v.Fingerprint(k), part(v, k)}
		}
		do()
		for _, k := range partsOf(v) {
			if was := before[k]; v.Fingerprint(k) == was.print && part(v, k) != was.html {
				t.Errorf("%s changed but not its fingerprint:\n%s\n%s", k, was.html, part(v, k))
			}
		}
	}
	for _, do := range []func(){
		func() { v.Set("n", "9") }, func() { v.Set("n", "x") }, func() { v.Set("chip", "gpu.h100") },
		func() { v.Toggle("row:T", true) },
		func() { v.Set("mode", "line") }, func() { v.Toggle("more:T", true) },
		func() { v.SetField("kinds--T--goal", "3 ms") },
		func() { v.Goal("T") }, func() { v.ToggleAll(true) }, func() { v.Set("n", "11") },
		func() { v.ToggleAll(false) }, func() { v.Toggle("constants:chip", true) },
		func() { v.Toggle("plot:0", true) }, func() { v.Set("on_", "off") }, func() { v.Say("hello") },
		func() { v.Copied("yes") }, func() { v.Notice([]string{"a"}) },
		func() { v.Toggle("menu", true) }, func() { v.Dismiss() }, func() { v.Reset() },
	} {
		watch(v, do)
	}
	for _, do := range []func(){
		func() { w.SetField("int8-matmul--B_crit--guess", "") }, func() { w.TakeGuess("B_crit") },
		func() { w.SetField("int8-matmul--B_crit--guess", "100") },
		func() { w.TakeGuess("B_crit") }, func() { w.Forget("B_crit") }, func() { w.Set("D", "8k") },
		func() { w.Reveal("B_crit") },
	} {
		watch(w, do)
	}
}

func partsOf(v *View) []string {
	var keys []string
	for _, n := range v.Frame() {
		n.Walk(func(k *Node) {
			if k.Part != "" {
				keys = append(keys, k.Part)
			}
		})
	}
	return keys
}

// What was opened before the sheet came to life stays as it was printed until the reader does something.
func TestOpenedBefore(t *testing.T) {
	s := compiled(t, "kinds")
	printed := New(s)
	printed.static = true
	printed.Toggle("row:T", true)
	printed.Toggle("constants:chip", true)
	v := New(s)
	v.OpenedBefore("row:T")
	v.OpenedBefore("constants:chip")
	for _, key := range []string{"row:T", "constants:chip"} {
		if part(v, key) != part(printed, key) {
			t.Errorf("%s isn't as it was printed: %s", key, part(v, key))
		}
		if before := v.Fingerprint(key); true {
			v.Touched()
			if part(v, key) == part(printed, key) || v.Fingerprint(key) == before {
				t.Errorf("%s stays as it was printed", key)
			}
			v.OpenedBefore("row:T")
			v.OpenedBefore("constants:chip")
		}
	}
}

// What is used of a chip is shown with where it comes from.
func TestConstants(t *testing.T) {
	v := New(compiled(t, "kinds"))
	doc := parse(t, part(v, "constants:chip"))
	if got := said(doc); !strings.Contains(got, "TPU v5p") || !strings.Contains(got, "HBM bandwidth") {
		t.Errorf("got %q", got)
	}
	if sources := find(doc, "", "class", "source"); len(sources) == 0 || said(sources[0]) == " " {
		t.Error("no source")
	}
	// A rate that is used twice has one line, and one field.
	twice := New(written(t, "twice", "title Twice\nlet chip = gpu.h100 \"Chip\"\nlet a = fp8 \"Format\"\n"+
		"T = 1 EFLOP / chip.flops(a) \"In it\"\nT_fp8 = 1 EFLOP / chip.flops(fp8) \"In fp8\"\n"))
	if n := strings.Count(part(twice, "constants:chip"), `name="gpu_h100__flops_fp8"`); n != 1 {
		t.Errorf("%d fields of one constant", n)
	}
	w := New(compiled(t, "int8-matmul"))
	if got := said(parse(t, part(w, "constants:chip"))); !strings.Contains(got, "393 TFLOP/s") ||
		!strings.Contains(part(w, "constants:chip"), `value="394 TFLOP/s"`) {
		t.Errorf("got %q", got)
	}
	for code, want := range map[string]int{"chip.a + chip.b(int8)": 2, "xchip.a": 0, "y.chip.a": 0, "chip": 0,
		"chip.":   0,
		"chip.f(": 1} {
		if got := members(code, "chip"); len(got) != want {
			t.Errorf("%q uses %v", code, got)
		}
	}
}

// Elasticities are given in numbers, the strongest first, and only when they are asked for.
func TestMoves(t *testing.T) {
	v := New(compiled(t, "int8-matmul"))
	if got := part(v, "row:T_comms"); strings.Contains(got, "move-value") {
		t.Error("worked out although closed")
	}
	v.Toggle("row:T_comms", true)
	if got := part(v, "row:T_comms"); strings.Contains(got, "move-value") {
		t.Error("worked out although closed")
	}
	v.Toggle("more:T_comms", true)
	doc := parse(t, part(v, "row:T_comms"))
	values := find(doc, "", "class", "move-value")
	if len(values) != 4 || said(values[0]) != "−1.00 %" {
		t.Fatalf("%d moves", len(values))
	}
	names := find(doc, "", "class", "move-name")
	if !strings.HasPrefix(said(names[0]), "HBM bandwidth") {
		t.Errorf("the first is %q", said(names[0]))
	}
}

// A table marks the line where the sheet stands.
func TestTableMarksNow(t *testing.T) {
	v := New(compiled(t, "int8-matmul"))
	if got := find(parse(t, part(v, "table:0")), "tr", "class", "now"); len(got) != 0 {
		t.Error("256 is no line of the table")
	}
	v.Set("B", "240")
	got := find(parse(t, part(v, "table:0")), "tr", "class", "now")
	if len(got) != 1 || !strings.HasPrefix(said(got[0]), "240 tokens") {
		t.Errorf("%d lines are marked", len(got))
	}
}

// The summary for a screen reader names results that nothing else uses, and keeps what is veiled to itself.
func TestSummary(t *testing.T) {
	v := New(compiled(t, "int8-matmul"))
	if got := v.Summary(); strings.Contains(got, "263") || !strings.Contains(got, "bound: memory") {
		t.Errorf("it says %q", got)
	}
	v.Reveal("B_crit")
	if got := v.Summary(); !strings.Contains(got, "Compute-bound above: 263 tokens") {
		t.Errorf("it says %q", got)
	}
	v.Set("B", "x")
	if got := v.Summary(); !strings.HasPrefix(got, "Tokens in the batch: ") {
		t.Errorf("it says %q", got)
	}
}

// Of the results the summary names those that are shown: what waits for another choice is no news.
func TestSummaryNamesWhatIsShown(t *testing.T) {
	v := New(written(t, "shown", "let x = off\na = 1 s\nb = 2 s\nc = 3 s when x\nd = 4 s when x\ne = 5 s when x\n"))
	if got := v.Summary(); got != "a: 1 s; b: 2 s." {
		t.Errorf("it says %q", got)
	}
	v.Set("x", "on")
	if got := v.Summary(); !strings.HasSuffix(got, "c: 3 s; d: 4 s; e: 5 s.") {
		t.Errorf("it says %q", got)
	}
}

// A text that its field takes and the line that reads it does not has the reason beside it, where it was typed.
func TestTextThatALineRefuses(t *testing.T) {
	v := New(written(t, "own", `let typed = "" "A plan"
let n = 512 chip in 1..1024
job = training_job(llama3.8b, gpu.h100, n, 4194304 token, 8192 token, bf16, usual_software(gpu.h100))
plan = training_plan(job, if(typed = "", "dp=512 zero=3", typed), "")
step = plan.step
`))
	for _, c := range []struct{ text, want string }{
		{"dp=3 tp=8", "DP 3 x TP 8 x PP 1 x CP 1 = 24, not 512 devices; choose"}, {"abc", "Can’t read \"abc\""},
		{"dp=64 tp=8", ""},
	} {
		if err := v.Set("typed", c.text); err != nil {
			t.Fatal(err)
		}
		doc := parse(t, part(v, "input:typed"))
		field := find(doc, "input", "name", "typed")[0]
		invalid, _ := get(field, "aria-invalid")
		describes, _ := get(field, "aria-describedby")
		note := said(find(doc, "", "id", describes)[0])
		if (invalid == "true") != (c.want != "") || !strings.Contains(note, c.want) ||
			strings.Contains(note, "Still") ||
			c.want == "" && !strings.Contains(note, "was empty") {
			t.Errorf("%q: aria-invalid=%q, beside it stands %q", c.text, invalid, note)
		}
	}
	v.Set("typed", "dp=512 zero=3")
	v.Set("n", "256")
	if doc := parse(t, part(v, "input:n")); strings.Contains(said(doc), "256 devices") {
		t.Errorf("the number of chips is blamed too: %q", said(doc))
	}
}

func TestExports(t *testing.T) {
	s := written(
		t,
		"x",
		"title A | B\nlet a = 2 \"A, \\\"one\"\nlet n = \"=HYPERLINK(1)\"\nb_c = 3 s * a \"B\"\nbad = 1 / (a - 2)\n",
	)
	r := s.Eval(nil)
	for name, want := range map[string]string{"x.txt": Text(s, r), "x.md": Markdown(s, r), "x.csv": CSV(s, r)} {
		golden.Check(t, "testdata/"+name, want)
	}
	if strings.Contains(CSV(s, r), ",=HYPERLINK") {
		t.Error("a spreadsheet would take a text for a formula")
	}
}

func TestSentence(t *testing.T) {
	for text, want := range map[string]string{"": "", "no chip": "No chip.", "It is.": "It is.",
		"did you mean `int8`?": "Did you mean `int8`?"} {
		if got := sentence(text); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}

// A value behind a curve whose name ends in a number is set apart from it.
func TestReads(t *testing.T) {
	for want, label := range map[string]string{"HBM 8 µs": "HBM", "every = 1: 8 µs": "every = 1"} {
		if got := reads(label, "8 µs"); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// What is read off a plot breaks neither between a number and its unit nor before a dot.
func TestReadoutStaysTogether(t *testing.T) {
	for _, id := range []string{"int8-matmul", "kinds"} {
		for _, e := range find(parse(t, part(New(compiled(t, id)), "plot:0")), "p", "class", "readout") {
			if text := said(e); regexp.MustCompile(`\d [^\d ]|[^:] ·|= `).MatchString(text) {
				t.Errorf("%s: %q may break within a value", id, text)
			}
		}
	}
}

// The axes of a mesh are indices in a row's value, as they are in the lists and sentences beside it.
func TestRowNotation(t *testing.T) {
	v := New(compilePad(t, `step = "AllGather_X(w)" "Cheapest way"`))
	if got := part(v, "row:step"); !strings.Contains(got, `<sub><span class="under">_</span>X</sub>`) {
		t.Errorf("the axis is no index: %s", got)
	}
}

// What keeps a plot from being drawn is reported as it is of a row: names stand as code.
func TestWhyNoPlot(t *testing.T) {
	v := New(compilePad(t, "let chip = tpu.v2\nlet B = 1 in 1..10\nT = B * 1 FLOP / chip.flops(fp8)\nplot T over B"))
	if got := part(v, "plot:0"); !strings.Contains(got, "There is no plot") || strings.Contains(got, "`") {
		t.Errorf("got %s", got)
	}
}

func compilePad(t *testing.T, src string) *sheet.Sheet {
	t.Helper()
	s, errs := sheet.Compile(src, library.New())
	if len(errs) > 0 {
		t.Fatal(errs[0])
	}
	s.ID = address.PadID
	return s
}

// Nothing a reader can do makes a view panic.
func FuzzView(f *testing.F) {
	s := written(
		f,
		"f",
		"let B = 256 token in 1..16384 log\nlet M = 16 GiB\nlet d = int8 of bf16, int8\nlet t = \"x\"\nT = B * M / 3 "+
			"\"T\"\nbad = 1 / (B - 256)\nsolve S: B where T = 1 TB\nask T \"?\"\nplot T over B\ntable T over B = 1, 2\n",
	)
	f.Add("B", "512", "3 GB", uint16(500))
	f.Add("M", "1/0", "x", uint16(0))
	f.Add("t", "\xff\x00", "", uint16(9999))
	f.Fuzz(func(t *testing.T, name, text, other string, position uint16) {
		v := New(s)
		v.Set(name, text)
		v.Slide(name, int(position)-1000)
		v.Nudge(name, int(position)%3-1, position%2 == 0)
		v.SetField(v.id("T", "guess"), other)
		v.TakeGuess("T")
		v.ToggleAll(true)
		for _, k := range []string{"more:T", "more:S", "plot:0"} {
			v.Toggle(k, true)
		}
		v.SetField(v.id("T", "goal"), other)
		v.Goal("T")
		HTML(Section(v))
		v.Controls()
		v.Read(0, int(position))
		v.PositionAt(0, float64(position))
		CSV(s, v.Result)
		if !utf8.ValidString(text) {
			return
		}
		if ps, _, problems := address.Decode(address.Encode(v.Params())); len(problems) > 0 ||
			len(ps) != len(v.Params()) {
			t.Errorf("%v came back as %v, %v", v.Params(), ps, problems)
		}
	})
}

// No tree has holes, whatever an entry of a catalog knows nothing of: the browser's program would fall into them.
func TestNoHolesInTrees(t *testing.T) {
	v := New(
		written(
			t,
			"m",
			"title T\nlet m = llama3.70b\nN = m.params\ncache = m.kv_bytes_at(8192, int8)\nlet chip = gpu.h100\nP = "+
				"chip.flops(fp8)\nV = chip.vmem",
		),
	)
	for _, n := range v.Fill(v.Frame()) {
		n.Walk(func(n *Node) {
			for _, k := range n.Kids {
				if k == nil {
					t.Errorf("a hole in <%s>", n.Tag)
				}
			}
		})
	}
}
