package widget

import (
	"regexp"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/golden"
	"github.com/scalebook/scalebook/app/library"
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/widget/address"
)

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
	w := New(compiled(t, "int8-matmul"))
	if got := said(parse(t, part(w, "constants:chip"))); !strings.Contains(got, "393 TFLOP/s") ||
		!strings.Contains(part(w, "constants:chip"), `value="394 TFLOP/s"`) {
		t.Errorf("got %q", got)
	}
	for code, want := range map[string]int{"chip.a + chip.b(int8)": 2, "xchip.a": 0, "y.chip.a": 0, "chip": 0, "chip.": 0,
		"chip.f(": 1} {
		if got := members(code, "chip"); len(got) != want {
			t.Errorf("%q uses %v", code, got)
		}
	}
}

// Elasticities are told in numbers, the strongest first, and only when they are asked for.
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
	v.Tell("B_crit")
	if got := v.Summary(); !strings.Contains(got, "Compute-bound above: 263 tokens") {
		t.Errorf("it says %q", got)
	}
	v.Set("B", "x")
	if got := v.Summary(); !strings.HasPrefix(got, "Tokens in the batch: ") {
		t.Errorf("it says %q", got)
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

// What keeps a plot from being drawn is told as it is of a row: names stand as code.
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
