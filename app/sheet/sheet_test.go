package sheet

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// The example of the design, as its parts are seen from outside.
func TestParts(t *testing.T) {
	s := sheetOf(t, int8Matmul)
	if s.Title != "An int8 matmul on one chip" || s.Source != int8Matmul || s.ID != "" {
		t.Errorf("title %q", s.Title)
	}
	var rows []string
	for _, r := range s.Rows {
		rows = append(rows, r.Name+" "+r.Kind)
	}
	want := "chip input, W_hbm input, B input, D input, F input, ops step, moved step, intensity step, T_math step, " +
		"T_comms step, T_lower step, T_upper step, bound step, B_crit solve"
	if got := strings.Join(rows, ", "); got != want {
		t.Errorf("rows %s", got)
	}
	if r := s.Row("T_math"); r.Label != "Time to compute" || r.Type.Dim != dimTime ||
		r.Pos != (Pos{Line: 12, Col: 1, Len: 6}) {
		t.Errorf("%+v", r)
	}
	if len(s.Asks) != 1 || s.Asks[0].Name != "B_crit" ||
		s.Asks[0].Question != "From which batch on is this matmul compute-bound?" {
		t.Errorf("%+v", s.Asks)
	}
	if p := s.Plots[0]; fmt.Sprintln(
		p.Y,
		p.Over,
		p.Sweep,
		p.For,
		p.Marks,
		p.Caption,
	) != "[T_math T_comms] B <nil> <nil> [] \n" ||
		p.Pos != (Pos{Line: 20, Col: 1, Len: 27}) {
		t.Errorf("%+v", p)
	}
	if tb := s.Tables[0]; len(tb.Over.Values) != 4 || tb.Over.Values[3].Num.Value != 1024 ||
		tb.Over.Values[3].Num.Label.Over != "token" {
		t.Errorf("%+v", tb)
	}
	if e := s.Expects[0]; e.Name != "T_math" || e.Want.Num.Value != 87.2e-6 || e.Within != 0.001 ||
		e.Fact != "roofline.q1.d/t_math_us" {
		t.Errorf("%+v", e)
	}
	if s.Row("B_crit.left") != nil || s.Row("nothing") != nil {
		t.Error("a hidden row shows")
	}
	if v, err := s.Eval(nil).Value("nothing"); err == nil {
		t.Errorf("nothing = %v", v)
	}
}

func TestPlotStatement(t *testing.T) {
	s := sheetOf(t, `let B = 256 token in 1..16384 log
let M = 4 GiB in 1..64
let d = int8
a = B * 1 s
b = M / 1 byte
plot a over B in 2..1k for d = int8, bf16 linear mark B, b "A caption"
plot a over d log
plot a over M in 2..8 for d
`)
	p := s.Plots[0]
	if *p.Sweep != [2]float64{2, 1000} || *p.Log || p.For.Name != "d" || len(p.For.Values) != 2 ||
		strings.Join(p.Marks, " ") != "B b" ||
		p.Caption != "A caption" {
		t.Errorf("%+v", p)
	}
	if p := s.Plots[1]; !*p.Log || p.Over != "d" || p.For != nil {
		t.Errorf("%+v", p)
	}
	if p := s.Plots[2]; *p.Sweep != [2]float64{2 << 30, 8 << 30} || p.For.Values != nil {
		t.Errorf("%+v", p)
	}
}

func TestTable(t *testing.T) {
	s := sheetOf(t, `let chip = tpu.v5e
let B = 3 in 1..99
link = chip.link
y = B * 1 s
table link, y over chip
table y over B = 1, 2
`)
	d := s.TableData(input.State{"B": num(7, [5]int8{})}, s.Tables[0])
	if fmt.Sprint(d.Header, d.Units) != "[chip link y] [ byte/s s]" || len(d.Rows) != 2 {
		t.Fatalf("%v %v, %d rows", d.Header, d.Units, len(d.Rows))
	}
	if r := d.Rows[0]; r.Input.String() != "TPU v5e" || r.Cells[0].Value.Num.Value != 4.5e10 ||
		r.Cells[1].Value.Num.Value != 7 {
		t.Errorf("%+v", r)
	}
	if r := d.Rows[1]; r.Cells[0].Err == nil || r.Cells[0].Err.Error() != "no entry for link bandwidth of H100 SXM" ||
		r.Cells[1].Value.Num.Value != 7 {
		t.Errorf("%+v", r)
	}
	// The cells of different rows are their own.
	if d := s.TableData(nil, s.Tables[1]); d.Rows[0].Cells[0].Value.Num.Value != 1 ||
		d.Rows[1].Cells[0].Value.Num.Value != 2 {
		t.Errorf("%+v", d.Rows)
	}
	if d := s.TableData(nil, &Table{Columns: []string{"nothing"},
		Over: Vary{Name: "chip"}}); d.Rows[0].Cells[0].Err == nil {
		t.Error("a column that does not exist has values")
	}
	if d := s.TableData(nil, &Table{Over: Vary{Name: "nothing"}}); len(d.Rows) != 0 {
		t.Error("an input that does not exist has rows")
	}
}

func TestCheck(t *testing.T) {
	s := sheetOf(t, `let B = 256 token in 1..16384
let chip = tpu.v5e
let ok = on
let mode = ring of ring, tree
t = B * 1 us
zero = B * 0
bound = if(t > 1 ms, "compute", "memory")
link = chip.link
expect t = 256 us
expect t = 256.1 us
expect t = 256.1 us within 0.1%
expect t = 128 us at B = 128
expect t = 128 us within 1% at B = 129, chip = gpu.h100 as "some/fact"
expect bound = "memory"
expect bound = compute at B = 2000
expect bound = "compute"
expect ok = on
expect ok = off
expect mode = tree at mode = tree
expect link = 45 GB/s
expect link = 45 GB/s at chip = gpu.h100
expect chip = tpu.v5e
expect zero = 0
expect zero = 0.5
expect zero = 0.5 within 60%
expect t = 256.0000001 us
expect t = 256.000001 us
expect t < 256 us
expect t <= 256 us
expect t > 256 us
expect t >= 256 us
expect t < 1 ms at B = 2000
expect t > 1 ms at B = 2000
expect zero >= 0
expect zero < 1e-9
`)
	want := "true false true true true true true false true false true true false true true false false true false " +
		"false true false true false true true true"
	var got []string
	for _, r := range s.Check() {
		got = append(got, fmt.Sprint(r.OK))
		if r.OK && r.Err != nil {
			t.Errorf("line %d: %v", r.Expect.Pos.Line, r.Err)
		}
	}
	if strings.Join(got, " ") != want {
		t.Errorf("got  %s\nwant %s", strings.Join(got, " "), want)
	}
	if r := s.Check()[12]; r.Err == nil || r.Err.Error() != "no entry for link bandwidth of H100 SXM" {
		t.Errorf("%+v", r)
	}
	if e := s.Expects[4]; e.Fact != "some/fact" || e.Within != 0.01 || len(e.At) != 2 {
		t.Errorf("%+v", e)
	}
}

func TestDiagnostics(t *testing.T) {
	_, errs := Compile("a = 1\nb = a + 1 s\n", nil)
	got := strings.Join(syntax.Diagnostics("content/x.md", 12, 2, errs), "\n")
	want := "content/x.md:13:7: cannot add `1 s`, time (s), to `a`, a plain number; both sides need the same unit"
	if got != want {
		t.Errorf("%s", got)
	}
	if got := errs[0].Error(); !strings.HasPrefix(got, "2:5: cannot add") {
		t.Errorf("%s", got)
	}
}

// The limits have messages of their own, and what lies just within them is taken.
func TestLimits(t *testing.T) {
	line := func(n int, text string) string { return strings.Repeat(text, n) }
	many := func(n int, text string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, text, i)
		}
		return b.String()
	}
	head := "let B = 3 in 1..9\nlet C = 3 in 1..9\na = B\n"
	for _, c := range []struct{ name, fits, beyond, want string }{
		{"bytes", "#" + line(65535, "x"), "#" + line(65536, "x"),
			"1:1: this sheet is too long: 65537 bytes; a sheet has at most 65536 bytes; split it"},
		{"statements", many(400, "a%d = 1\n"), many(401, "a%d = 1\n"),
			"401:1: this sheet has too many statements; at most 400; split it"},
		{"depth", "a = " + line(64, "(") + "1" + line(64, ")"), "a = " + line(65, "(") + "1" + line(65, ")"),
			"1:70: this is nested too deeply; split it into steps; at most 64 levels"},
		{"signs", "a = " + line(64, "-") + "1", "a = " + line(65, "-") + "1",
			"1:70: this is nested too deeply; split it into steps; at most 64 levels"},
		{"nodes", "a = 1" + line(499, "+1"), "a = 1" + line(500, "+1"),
			"1:5: this statement is too long; split it into steps of at most 1000 operands and operators"},
		{"name", line(64, "x") + " = 1", line(65, "x") + " = 1",
			"1:1: this name is too long; names have at most 64 bytes"},
		{"label", `a = 1 "` + line(498, "x") + `"`, `a = 1 "` + line(501, "x") + `"`,
			"1:7: this text is too long; at most 500 bytes"},
		{"title", "title " + line(500, "x"), "title " + line(501, "x"),
			"1:7: this text is too long; at most 500 bytes"},
		{"curves", head + "plot a" + line(11, ", a") + " over B", head + "plot a" + line(12, ", a") + " over B",
			"4:42: too many names; at most 12; use several statements"},
		{"for", head + "plot a over B for C = 1" + line(11, ", 2"), head + "plot a over B for C = 1" + line(12, ", 2"),
			"4:19: `C` has too many values here; give fewer of them"},
		{"columns", head + "table a" + line(15, ", a") + " over B = 1", head + "table a" + line(16, ", a") +
			" over B = 1",
			"4:55: too many names; at most 16; use several statements"},
		{"values", head + "table a over B = 1" + line(199, ", 2"), head + "table a over B = 1" + line(200, ", 2"),
			"4:618: too many values; at most 200"},
		{"choices", "let m = x0 of x" + many(199, "%d, x") + "y", "let m = x0 of x" + many(200, "%d, x") + "y", ""},
		{"fuel", "", "", ""},
	} {
		if s, errs := Compile(c.fits, testEnv()); s == nil {
			t.Errorf("%s: %v", c.name, errs[0])
		}
		_, errs := Compile(c.beyond, testEnv())
		switch {
		case c.want == "" && c.beyond == "":
		case len(errs) != 1:
			t.Errorf("%s: %d errors: %v", c.name, len(errs), errs)
		case c.want != "" && errs[0].Error() != c.want:
			t.Errorf("%s: %v\nwant %s", c.name, errs[0], c.want)
		}
	}
}

// Solves inside solves end with words, not with the reader's patience.
func TestFuel(t *testing.T) {
	s := sheetOf(t, hostile()["deepest solves"])
	r := s.Eval(nil)
	if _, err := r.Value("t9"); err == nil || !strings.Contains(err.Error(), "takes too long") {
		t.Errorf("t9: %v", err)
	}
	if v, err := r.Value("s1"); err != nil {
		t.Errorf("s1 = %v, %v", v, err)
	}
}

// What the environment offers is not taken on trust.
func TestFaultyEnvironment(t *testing.T) {
	env := testEnv()
	env.Values["inf"] = num(math.Inf(1), [5]int8{})
	env.Values["nan"] = num(math.NaN(), dimTime)
	env.Values["void"] = value.Value{Kind: value.Rec}
	env.Funcs["half"] = &value.Func{Name: "half"}
	moody := func([]value.Type) (value.Type, error) { panic("not today") }
	env.Funcs["moody"] = &value.Func{Name: "moody", ResultOf: moody}
	s, errs := Compile("a = inf\nb = nan\nc = inf * 0\nd = half()\nlet e = 2 in 1..3\nf = inf\nplot f over e\n", env)
	if errs != nil {
		t.Fatal(errs[0])
	}
	for _, r := range s.Eval(nil).Rows {
		if (r.Err == nil) != (r.Def.Name == "e") {
			t.Errorf("%s = %v, %v", r.Def.Name, r.Value, r.Err)
		}
	}
	s.PlotData(nil, s.Plots[0])
	for src, want := range map[string]string{
		"let a = inf":   "1:9: this has no value: `inf` is too large a number; write one that has",
		"let a = void":  "1:9: `void` is no entry of a catalog, and cannot be chosen; write a step instead of `let`",
		"a = void.x":    "1:5: this record has no field `x`; it has no fields",
		"a = void.x()":  "1:5: this record has no method `x`; it has no methods",
		"a = moody()":   "1:5: `moody`: no result for these arguments (not today); write moody()",
		"a = xyz.x + 1": "1:5: unknown name `xyz`; define it in a line of its own, `xyz = ...` or `let xyz = ...`",
		"let k = fast of fast, slow\nt = if(k = fast, 1, 2)": "2:12: unknown name `fast`; write \"fast\": it is a " +
			"choice of `k`, and words stand in quotes in a formula",
	} {
		if _, errs := Compile(src, env); len(errs) != 1 || errs[0].Error() != want {
			t.Errorf("%s: %v", src, errs)
		}
	}
	if _, errs := Compile("a = tpu.v5e", nil); len(errs) != 1 {
		t.Errorf("without an environment: %v", errs)
	}
}

// An input refuses what its check has a reason against, and keeps the last good value.
func TestRefusals(t *testing.T) {
	s, errs := Compile(`let most = 8
let B = 4 in 1..100 check if(B > most, "more than there is", "") "Batch"
let word = "good" check if(word = "bad", "this is bad", "")
twice = 2 * B`, testEnv())
	if len(errs) > 0 {
		t.Fatal(errs[0])
	}
	st, err := s.Set(nil, "B", "7")
	if err != nil {
		t.Fatal(err)
	}
	if next, err := s.Set(st, "B", "9"); err == nil || err.Error() != "more than there is" || len(next) != 1 {
		t.Error(next, err)
	}
	if st, err = s.Set(st, "most", "9"); err != nil {
		t.Fatal(err)
	}
	if st, err = s.Set(st, "B", "9"); err != nil {
		t.Error("the check doesn't follow the other inputs:", err)
	}
	if v, err := s.Eval(st).Value("twice"); err != nil || v.Num.Value != 18 {
		t.Error(v, err)
	}
	if _, err := s.Set(st, "word", "bad"); err == nil {
		t.Error("a bad word is taken")
	}
}

func TestRefusalFaults(t *testing.T) {
	for src, want := range map[string]string{
		`let B = 4 check B > 3`:                            "1:17: `check` needs a text, `B > 3` is",
		`let B = 4 check if(B > 3, "too many", "")`:        "1:9: the default is refused: too many",
		`let B = 4 check "" check ""`:                      "twice",
		`let over = 4 in 1..9` + "\nx = over\nplot x over": "",
	} {
		_, errs := Compile(src, testEnv())
		said := ""
		if len(errs) > 0 {
			said = errs[0].Error()
		}
		if !strings.Contains(said, want) {
			t.Errorf("%s: %s", src, said)
		}
	}
	const words = "let over = 4 in 1..9\nlet at = 2\nx = over * at\nplot x over over\nexpect x = 10 at over = 5"
	s, errs := Compile(words, testEnv())
	if len(errs) > 0 || len(s.Plots) != 1 {
		t.Error(errs)
	}
}

// A hidden row without value says why where its value is missed: whole in the first row that is shown, and there only;
// others name that row. A row that is shown says so itself.
func TestHiddenReasons(t *testing.T) {
	const why = "2 GB of this and 3 GB of that and 4 GB of something else are more than there is, by far; take " +
		"less of each of them, please"
	for _, c := range []struct{ hidden, first, other string }{
		{"hidden ", "take less", "`b` says why"},
		{"", "its row says why", "its row says why"},
	} {
		env := testEnv()
		env.Funcs["fails"] = &value.Func{Name: "fails", Params: []value.Param{{Name: "n", Type: typPlain}},
			Result: typPlain, Call: func([]value.Value) (value.Value, error) { return value.Value{}, errors.New(why) }}
		s, errs := Compile("let a = 1 in 0..2\n"+c.hidden+"x = fails(a)\nhidden y = x + 1\nb = y * 2\nd = x + b\n", env)
		if len(errs) > 0 {
			t.Fatal(errs)
		}
		r := s.Eval(input.State{})
		for name, want := range map[string]string{"b": c.first, "d": c.other} {
			if row := r.row(name); row == nil || row.Err == nil || !strings.Contains(row.Err.Error(), want) ||
				!strings.Contains(row.Err.Error(), "needs `x`") {
				t.Errorf("%q: %s: %v; want %q", c.hidden, name, row, want)
			}
		}
	}
}

func BenchmarkParse(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		syntax.Parse(int8Matmul, &syntax.Errors{})
	}
}

func BenchmarkCompile(b *testing.B) {
	env := testEnv()
	b.ReportAllocs()
	for b.Loop() {
		if _, errs := Compile(int8Matmul, env); errs != nil {
			b.Fatal(errs[0])
		}
	}
}

// BenchmarkEval evaluates the whole sheet, its solve included.
func BenchmarkEval(b *testing.B) {
	s := sheetOf(b, int8Matmul)
	b.ReportAllocs()
	for b.Loop() {
		s.Eval(nil)
	}
}

// BenchmarkSweep is one sample of a plot of two rows.
func BenchmarkSweep(b *testing.B) {
	s := sheetOf(b, int8Matmul)
	w := s.sweep(nil, "B", []string{"T_math", "T_comms"})
	b.ReportAllocs()
	for b.Loop() {
		*w.frame.fuel = maxFuel
		w.Num(512)
	}
}

func BenchmarkTable(b *testing.B) {
	s := sheetOf(b, int8Matmul)
	b.ReportAllocs()
	for b.Loop() {
		s.TableData(nil, s.Tables[0])
	}
}

func BenchmarkCheck(b *testing.B) {
	s := sheetOf(b, int8Matmul)
	b.ReportAllocs()
	for b.Loop() {
		s.Check()
	}
}

// why(x) says why x has no value, as a sentence about what is wrong, and nothing if it has one.
func TestWhy(t *testing.T) {
	s, errs := Compile("let a = 0 in 0..4\nb = 1 / a\nc = b + 1\nw = why(c)\nx = if(why(c) = \"\", c, 5)\n", nil)
	if len(errs) > 0 {
		t.Fatal(errs[0])
	}
	for a, want := range map[string][2]string{"0": {"divides by zero.", "5"}, "2": {"", "1.5"}} {
		st, err := s.Set(nil, "a", a)
		if err != nil {
			t.Fatal(err)
		}
		r := s.Eval(st)
		w, err := r.Value("w")
		x, err2 := r.Value("x")
		if err != nil || err2 != nil || !strings.HasSuffix(w.Text, want[0]) || (w.Text == "") != (want[0] == "") ||
			x.String() != want[1] {
			t.Errorf("a = %s: %q, %v, %v, %v", a, w.Text, x, err, err2)
		}
	}
}
