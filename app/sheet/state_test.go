package sheet

import (
	"math"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/expr"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/sheet/value"
)

const stateSheet = `
let B = 256 token in 1..16384 log
let M = 16 GiB in 1..1024
let t = 5 ms in 0..10 s
let n = 4 in 1..64 step 1
let grid = 3 in 3..11 step 4
let chip = tpu.v5e
let d = int8 of bf16, int8
let mode = ring of ring, "2D ring"
let sw = on
let s = "abc"
let price = $2.1/hour
let field = tpu.v5e.hbm_bandwidth
let double = 2 * 512 MiB
let thousand = 2 * 4096
y = B * 2
`

func TestSet(t *testing.T) {
	s := sheetOf(t, stateSheet)
	for _, c := range []struct{ name, text, want string }{
		{"B", "512", "512  token"},
		{"B", "8k", "8000  token"},
		{"B", "4*128", "512  token"},
		{"B", "1,024 tokens", "1024  token"},
		{"M", "32", "3.4359738368e+10 byte"},
		{"M", "32 GB", "3.2e+10 byte"},
		{"t", "7", "0.007 s"},
		{"t", "7 s", "7 s"},
		{"n", "5", "5"},
		{"grid", "7", "7"},
		{"chip", "gpu.h100", "record H100 SXM"},
		{"chip", "h100 sxm", "record H100 SXM"},
		{"d", "bf16", "dtype bf16"},
		{"mode", "2D ring", "text 2D ring"},
		{"mode", " 2d RING ", "text 2D ring"},
		{"sw", "off", "bool off"},
		{"sw", "False", "bool off"},
		{"s", "x y", "text x y"},
		{"s", "", "text "},
		{"price", "3", "0.0008333333333333334 USD/s"},
		{"field", "900", "9e+11 byte/s"},
		{"double", "3", "3.221225472e+09 byte"},
		{"thousand", "3", "3"},
	} {
		st, err := s.Set(nil, c.name, c.text)
		if err != nil {
			t.Errorf("%s = %q: %v", c.name, c.text, err)
			continue
		}
		v, err := s.Eval(st).Value(c.name)
		if got := exact(v); err != nil || got != c.want {
			t.Errorf("%s = %q is %s, not %s (%v)", c.name, c.text, got, c.want, err)
		}
	}
}

func TestSetRefuses(t *testing.T) {
	s := sheetOf(t, stateSheet)
	before := input.State{"B": num(2, [5]int8{})}
	for _, c := range []struct{ name, text, want string }{
		{"B", "20000", "20,000 tokens is out of range; give 1 to 16,384 tokens"},
		{"B", "1e9", "1e9 tokens is out of range; give 1 to 16,384 tokens"},
		{"B", "1e9 tokens", "1 B tokens is out of range; give 1 to 16,384 tokens"},
		{"t", " 2.5e4 ", "2.5e4 ms is out of range; give 0 to 10 s"},
		{"n", "25e-1", "25e-1 is between the steps of 1; give 2 or 3"},
		{"B", "0", "0 tokens is out of range; give 1 to 16,384 tokens"},
		{"t", "11 s", "11 s is out of range; give 0 to 10 s"},
		{"n", "2.5", "2.5 is between the steps of 1; give 2 or 3"},
		{"grid", "10", "10 is between the steps of 4; give 7 or 11"},
		{"chip", "tpu.v5f", `"tpu.v5f" is not among the choices; did you mean ` + "`tpu.v5e`?"},
		{"chip", "", `"" is not among the choices; choose tpu.v5e or gpu.h100`},
		{"d", "fp8", `"fp8" is not among the choices; choose bf16 or int8`},
		{"sw", "maybe", `"maybe" is neither on nor off; write on or off`},
		{"Q", "1", "this sheet has no input `Q`; its inputs are B, M, t, n, grid, chip, d, mode, sw, s, price, " +
			"field, ..."},
		{"chips", "1", "this sheet has no input `chips`; did you mean `chip`?"},
		{"y", "1", "this sheet has no input `y`; its inputs are B, M, t, n, grid, chip, d, mode, sw, s, price, " +
			"field, ..."},
	} {
		st, err := s.Set(before, c.name, c.text)
		if err == nil || err.Error() != c.want {
			t.Errorf("%s = %q: %v\nwant %s", c.name, c.text, err, c.want)
		}
		if len(st) != 1 || !st["B"].Equal(before["B"]) {
			t.Errorf("%s = %q changed the state to %v", c.name, c.text, st)
		}
	}
	for _, c := range []struct{ name, text string }{{"M", "5 s"}, {"B", "x"}, {"B", "1e999"}, {"t", "1/0"}, {"B", ""},
		{"B", "NaN"}, {"price", "3 byte"}} {
		if _, err := s.Set(nil, c.name, c.text); err == nil || err.Error() == "" {
			t.Errorf("%s = %q is taken", c.name, c.text)
		}
	}
}

// Set and With leave the state they are given alone; the author's value leaves no trace.
func TestStateIsImmutable(t *testing.T) {
	s := sheetOf(t, stateSheet)
	a, _ := s.Set(nil, "B", "512")
	b, _ := s.Set(a, "n", "5")
	c, _ := s.Set(b, "B", "256 tokens")
	if len(a) != 1 || len(b) != 2 || len(c) != 1 || len(c.Without("n")) != 0 || len(c) != 1 {
		t.Errorf("%v, %v, %v", a, b, c)
	}
	if input.State(nil).Without("x") != nil {
		t.Error("nothing became something")
	}
}

// What a state holds comes from addresses and other pages too: a value that does not fit is a row without value.
func TestEvalTakesAnyState(t *testing.T) {
	s := sheetOf(t, stateSheet)
	for name, v := range map[string]value.Value{
		"B": num(1, dimTime), "M": {Kind: value.Text, Text: "x"}, "chip": {Kind: value.Rec}, "d": {Kind: value.Bool},
		"t": num(math.NaN(), dimTime), "n": num(math.Inf(1), [5]int8{}), "mode": num(1, [5]int8{}),
	} {
		r := s.Eval(input.State{name: v, "unknown": v})
		if got, err := r.Value(name); err == nil || err.Error() == "" {
			t.Errorf("%s = %v", name, got)
		}
		if _, err := r.Value("y"); (err != nil) != (name == "B") {
			t.Errorf("y with another %s: %v", name, err)
		}
	}
}

func TestTyped(t *testing.T) {
	s := sheetOf(t, stateSheet)
	for _, in := range s.Inputs {
		st, err := s.Set(nil, in.Name, in.Typed(in.Default))
		if err != nil || len(st) != 0 {
			t.Errorf("%s = %q: %v, %v", in.Name, in.Typed(in.Default), st, err)
		}
	}
}

func TestInputs(t *testing.T) {
	s := sheetOf(t, stateSheet+"let ch = gpu.h100 of gpu.h100 \"A chip\"\n")
	B, M, n := s.Input("B"), s.Input("M"), s.Input("n")
	if !B.Ranged || B.Min != 1 || B.Max != 16384 || !B.Log || B.Unit.Value != 1 || B.Unit.Label.Over != "token" {
		t.Errorf("%+v", B)
	}
	if M.Min != 1<<30 || M.Max != 1<<40 || M.Unit.Value != 1<<30 || !M.Unit.Binary {
		t.Errorf("%+v", M)
	}
	if n.Step != 1 || B.Step != 0 {
		t.Errorf("steps %v, %v", n.Step, B.Step)
	}
	if m := s.Input("chip").Menu; len(m) != 2 || m[0].ID != "tpu.v5e" || m[1].Name != "H100 SXM" ||
		m[1].Group != "GPU" {
		t.Errorf("%+v", m)
	}
	if ch := s.Input("ch"); len(ch.Menu) != 1 || ch.Label != "A chip" || ch.Pos != (Pos{Line: 17, Col: 5, Len: 2}) {
		t.Errorf("%+v", ch)
	}
	if m := s.Input("d").Menu; len(m) != 2 || m[0].ID != "bf16" {
		t.Errorf("%+v", m)
	}
	if m := s.Input("sw").Menu; len(m) != 2 || m[0].ID != "on" || m[1].ID != "off" {
		t.Errorf("%+v", m)
	}
	if s.Input("s").Menu != nil || s.Input("y") != nil {
		t.Error("a text has a menu, or a step is an input")
	}
}

// digitEnv has a family of entries whose names begin with a digit.
func digitEnv() *value.Env {
	env := testEnv()
	rt := &value.RecordType{Name: "model", Fields: []value.Field{{Name: "layers", Label: "layers", Type: typPlain}}}
	rt.Methods = map[string]*value.Func{"flops": {
		Name: "flops", Params: []value.Param{{Name: "T", Type: typPlain}}, Result: typPlain,
		Call: func(a []value.Value) (value.Value, error) { return num(2*a[1].Num.Value, quantity.Dim{}), nil }}}
	family := &value.Record{ID: "llama3", Fields: map[string]value.Value{}}
	for name, layers := range map[string]float64{"70b": 80, "8b": 32, "8x7b": 33, "30b_a3b": 48, "1e5": 5} {
		r := &value.Record{
			ID:     "llama3." + name,
			Name:   "Llama " + name,
			Type:   rt,
			Fields: map[string]value.Value{"layers": num(layers, quantity.Dim{})},
		}
		rt.Members = append(rt.Members, r)
		family.Fields[name] = value.Value{Kind: value.Rec, Record: r}
	}
	env.RecordTypes = append(env.RecordTypes, rt)
	env.Values["llama3"] = value.Value{Kind: value.Rec, Record: family}
	return env
}

func TestFieldsThatBeginWithADigit(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"x = llama3.70b.layers", "80"},
		{"x = llama3.8x7b.layers * 2", "66"},
		{"x = llama3.30b_a3b.layers", "48"},
		{"x = llama3.1e5.layers", "5"},
		{"x = llama3.70b.flops(3)", "6"},
		{"let m = llama3.8b\nx = m.layers", "32"},
		{"let m = llama3.8b of llama3.8b, llama3.70b\nx = m.layers", "32"},
		{"let m = llama3.8b\nx = m.layers\nexpect x = 80 at m = llama3.70b\ntable x over m = llama3.8b, llama3.8x7b",
			"32"},
		{"x = max(llama3.8b.layers,.5)", "32"},
		{"x = 2 *.5", "1"},
		{"let B = 2 in 1..5\nx = B", "2"},
		{"x = 70B", "70"},
		{"x = llama3.71b.layers", "did you mean"},
		{"x = llama3.70b.70b", "has no field `70b`"},
		{"x = llama3.5", "a field’s name stands after the point"},
		{"x = llama3 .70b", ""},
		{"x = llama3. 70b", ""},
		{"x = 3.70b", ""},
		{"x = llama3." + strings.Repeat("7b", 40), "this name is too long"},
	} {
		s, errs := Compile(c.src, digitEnv())
		got := ""
		if len(errs) > 0 {
			got = errs[0].Error()
		} else if v, err := s.Eval(nil).Value("x"); err != nil {
			got = err.Error()
		} else {
			got = v.String()
		}
		if c.want == "" && len(errs) == 0 || !strings.Contains(got, c.want) {
			t.Errorf("%q: %q, want %q in it", c.src, got, c.want)
		}
	}
}

// A record that begins with a digit is written back as it is read: in links, in code and in opened laws.
func TestDigitsAreWrittenBack(t *testing.T) {
	s, errs := Compile("let m = llama3.8b\nx = m.layers", digitEnv())
	if len(errs) > 0 {
		t.Fatal(errs[0])
	}
	v, err := s.Inputs[0].Parse("llama3.70b")
	if err != nil || v.Record == nil || v.Record.ID != "llama3.70b" {
		t.Errorf("%v, %v", v, err)
	}
	if e, errs := syntax.ParseExpr("llama3.70b"); len(errs) > 0 || syntax.Code(e) != "llama3.70b" {
		t.Errorf("%v, %v", e, errs)
	}
}

func TestCompleteDigits(t *testing.T) {
	for src, want := range map[string]string{
		"x = llama3.|": "1e5 30b_a3b 70b 8b 8x7b", "x = llama3.7|": "70b", "x = llama3.8|": "8b 8x7b", "x = 7|": "",
		"x = 3 .7|": "",
	} {
		at := strings.Index(src, "|")
		if got := strings.Join(Complete(digitEnv(), src[:at], at), " "); got != want {
			t.Errorf("%s: %s, want %s", src, got, want)
		}
	}
}

// TestListResults holds a function to the list that it declares.
func TestListResults(t *testing.T) {
	env := testEnv()
	give := func(name string, list ...value.Value) {
		env.Funcs[name] = &value.Func{Name: name, Result: value.ListOf(value.Type{Kind: value.Number, Dim: dimByte}),
			Call: func([]value.Value) (value.Value, error) { return value.Value{Kind: value.List, List: list}, nil }}
	}
	give("good", num(1, dimByte), num(2, dimByte))
	give("mixed", num(1, dimByte), num(2, dimTime))
	give("long", make([]value.Value, expr.MaxEntries+1)...)
	s, errs := Compile("a = good()\nb = mixed()\nc = long()\n", env)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	r := s.Eval(nil)
	if r.Rows[0].Err != nil || len(r.Rows[0].Value.List) != 2 {
		t.Error(r.Rows[0])
	}
	for i, want := range []string{"should be data (byte), but is time (s)", "a list of more than 100000 entries"} {
		if err := r.Rows[i+1].Err; err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

const listSheet = `
let n = 3 in 0..100
hidden all = chips
ns = below(n)
table all show vendor, link, hbm by hbm desc top 1 "Chips"
table all
table ns
`

// ranks is the vendors, or numbers, of a table of a list in an order.
func ranks(t *testing.T, r *Result, i int, order string) string {
	t.Helper()
	table := r.Sheet.Tables[i]
	o, err := table.ParseOrder(order)
	if err != nil {
		return err.Error()
	}
	var said []string
	for _, row := range r.ListData(table, o).Rows {
		said = append(said, row.Cells[0].Value.String())
	}
	return strings.Join(said, " ")
}

func TestListTable(t *testing.T) {
	s := sheetOf(t, listSheet)
	r := s.Eval(nil)
	for _, c := range []struct {
		table       int
		order, want string
	}{
		{0, "-hbm", "NVIDIA Google"},
		{0, "hbm", "Google NVIDIA"},
		{0, "", "Google NVIDIA"},
		{0, "-vendor", "NVIDIA Google"},
		{0, "link", "Google NVIDIA"},
		{0, "-link", "Google NVIDIA"}, // what is missing comes last, either way
		{0, "speed", "the table has no column `speed`; its columns are vendor, link or hbm"},
		{2, "", "0 1 2"},
		{1, "-hbm_bandwidth", "3.35 TB/s 810 GB/s"},
	} {
		if got := ranks(t, r, c.table, c.order); got != c.want {
			t.Errorf("table %d by %q: %s, want %s", c.table, c.order, got, c.want)
		}
	}
	if o := s.Tables[0].Order(); o.String() != "-hbm" || s.Tables[0].Top != 1 || s.Tables[0].Caption != "Chips" {
		t.Errorf("the author's order is %v", o)
	}
	if cell := r.ListData(s.Tables[0], Order{}).Rows[1].Cells[1]; cell.Err == nil ||
		cell.Err.Error() != "no entry for link bandwidth of H100 SXM" {
		t.Errorf("a field that an entry lacks: %v, %v", cell.Value, cell.Err)
	}
}

// A table whose list has no value says why.
func TestListTableWithoutList(t *testing.T) {
	s := sheetOf(t, "let n = 3\nxs = below(n / (n - 3))\ntable xs\n")
	if data := s.Eval(nil).ListData(s.Tables[0], Order{}); data.Err == nil || len(data.Rows) != 0 {
		t.Errorf("%+v", data)
	}
}
