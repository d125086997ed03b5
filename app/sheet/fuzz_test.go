package sheet

import (
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/scalebook/scalebook/app/cputime"
	"github.com/scalebook/scalebook/app/sheet/explain"
	"github.com/scalebook/scalebook/app/sheet/expr"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// slow is how long the fuzzer lets one text take, in all its parts. It is far above what any takes; the budgets are in
// TestHostile.
const slow = 2 * time.Second

// FuzzCompile holds any text to the package's promises: no panic, either a sheet or errors with place and remedy, no
// row that is not finite, tables and checks that agree with Eval, in bounded time.
func FuzzCompile(f *testing.F) {
	f.Add(int8Matmul)
	for _, file := range caseFiles(f) {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for _, part := range strings.Split("\n"+string(data), "\n== ")[1:] {
			_, rest, _ := strings.Cut(part, "\n")
			src, _, _ := strings.Cut(rest, "\n--\n")
			f.Add(src)
		}
	}
	env := testEnv()
	f.Fuzz(func(t *testing.T, src string) { checkText(t, env, src) })
}

func checkText(t *testing.T, env *value.Env, src string) {
	t.Helper()
	took, ok := cputime.Within(slow, func() {
		s, errs := Compile(src, env)
		checkErrors(t, src, s, errs)
		Complete(env, src, len(src)/2)
		if s != nil {
			checkSheet(t, s)
		}
	})
	if !ok {
		t.Errorf("took %v", took)
	}
}

// fuzzWords is what FuzzWords writes sheets with: `|` is the end of a line.
const fuzzWords = `| let = a b c d e x y solve all : where is least greatest ask plot over table expect at as in .. log step 1 of for mark ` +
	`linear within first count( show by desc top chips below( hidden figure disc( when ( ) + - * / ^ < <= = != > and or not on off , . ` +
	`if( min( max( sum( mod( clamp( sqrt( ln( exp( floor( ` +
	`0 1 2 3 10 0.5 1e300 -1 2^0.5 1\u00a0s 1\u00a0byte 3\u00a0GiB/s 2\u00a0token 5% 8k "L" "ring" ring tree chip d int8 bf16 tpu.v5e gpu.h100 ` +
	`.flops( .link .bytes .vendor matmul_flops( twice( weights( broken( pi ` +
	`first most when play strip under chips divisors( document document( was`

// FuzzWords is FuzzCompile on texts made of the language's own words, which get further.
func FuzzWords(f *testing.F) {
	words := strings.Fields(fuzzWords)
	write := func(data []byte) string {
		var b strings.Builder
		for i, c := range data[:min(len(data), 600)] {
			w := strings.ReplaceAll(words[int(c)%len(words)], "\u00a0", " ")
			if w == "|" {
				w = "\n"
			} else if i > 0 && w[0] != '.' {
				b.WriteByte(' ')
			}
			b.WriteString(w)
		}
		return b.String()
	}
	read := func(text string) (data []byte) {
		for _, w := range strings.Fields(text) {
			data = append(data, byte(max(0, slices.Index(words, w))))
		}
		return data
	}
	for _, text := range []string{
		"let a = 3 in 1 .. 10 | let b = 2 | x = a * b | y = x + 1 | solve c : a where x = y | plot x , y over a for b = 1 " +
			", 2 mark c",
		"let chip = tpu.v5e | let d = int8 | x = chip .flops( d ) | table x over chip | expect x = 1 at chip = gpu.h100",
		"let a = 3 in 1 .. 10 | x = a * a | solve c : a where x is least | solve all d : a where x = 5 | solve e : a " +
			"where x is greatest",
		"let e = ring of ring , tree | x = if( e = \"ring\" , 1 , 2 ) | table x over e | ask x \"L\"",
		"let a = 3 | b = below( a ) | x = count( b ) | y = first of b | table b top 2 | c = chips | table c show link , " +
			"vendor by link desc top 1 \"L\" when on",
		"let a = 3 | hidden b = a + 1 when a > 2 | x = b when not on | figure disc( a , b ) \"L\" when x > 1 | plot x " +
			"over a when on",
		"let a = 3 in 1 .. 10 | let b = first of divisors( a ) when a > 1 | let c = a in 0 .. b step 1 play strip 0 , b | " +
			"x = b * c",
		"let chip = tpu.v5e , gpu.h100 of chips most 2 | let d = document | let e = ring of under \"L\" ring \"L\" , tree " +
			"\"L\" | x = 1",
		"let a = 3 in 1 .. 10 was b was c \"L\" | let d = int8 was e | x = a * 2 | let y = 2 was x",
	} {
		f.Add(read(text))
	}
	env := testEnv()
	f.Fuzz(func(t *testing.T, data []byte) { checkText(t, env, write(data)) })
}

func caseFiles(t interface{ Fatal(...any) }) []string {
	files, err := os.ReadDir("testdata")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range files {
		if strings.HasSuffix(f.Name(), ".txt") {
			names = append(names, "testdata/"+f.Name())
		}
	}
	return names
}

// checkErrors holds errors to their form, and their places to the text.
func checkErrors(t *testing.T, src string, s *Sheet, errs []*Error) {
	t.Helper()
	if (s == nil) != (len(errs) > 0) {
		t.Fatalf("sheet %v with %d errors", s != nil, len(errs))
	}
	if len(errs) > syntax.MaxErrors {
		t.Errorf("%d errors", len(errs))
	}
	lines := strings.Split(src, "\n")
	for i, e := range errs {
		switch {
		case e.What == nil || e.Remedy == nil:
			t.Errorf("an error without words: %#v", e)
		case e.Pos.Line < 1 || e.Pos.Line > len(lines) || e.Pos.Col < 1 || e.Pos.Len < 0:
			t.Errorf("an error out of place: %v", e)
		case e.Pos.Col > len([]rune(lines[e.Pos.Line-1]))+1:
			t.Errorf("an error beyond its line: %v", e)
		case i > 0 && (errs[i-1].Pos.Line > e.Pos.Line || errs[i-1].Pos.Line == e.Pos.Line &&
			errs[i-1].Pos.Col >= e.Pos.Col):
			t.Errorf("errors out of order: %v, %v", errs[i-1], e)
		}
	}
}

// checkSheet evaluates s in every way.
func checkSheet(t *testing.T, s *Sheet) {
	t.Helper()
	r := s.Eval(nil)
	for i := range r.Rows {
		checkRow(t, &r.Rows[i])
	}
	for _, e := range s.Check() {
		if e.OK && e.Err != nil {
			t.Errorf("expect %s holds without a value", e.Expect.Name)
		}
	}
	for _, table := range s.Tables {
		if table.List != "" {
			checkList(t, r, table)
			continue
		}
		for _, row := range s.TableData(nil, table).Rows {
			for i := range row.Cells {
				checkRow(t, &row.Cells[i])
			}
		}
	}
	for i := range s.Figures {
		if args, err := r.FigureArgs(i); err == nil && len(args) < len(s.Figures[i].Figure.Params) {
			t.Errorf("figure %d has %d values", i, len(args))
		}
		r.ShowsFigure(i)
	}
	for _, p := range s.Plots {
		if data := s.PlotData(nil, p); data == nil {
			t.Errorf("no data for the plot of %v", p.Y)
		}
	}
	for _, in := range s.Inputs {
		checkInput(t, s, in)
	}
	for i := range r.Rows {
		s.Formula(r.Rows[i].Def.Name, explain.MathML)
		r.Working(r.Rows[i].Def.Name, explain.Plain)
	}
}

// checkList ranks a list by each of its columns, in both orders.
func checkList(t *testing.T, r *Result, table *Table) {
	t.Helper()
	for _, by := range append([]string{table.Order().String(), ""}, table.Columns...) {
		for _, text := range []string{by, "-" + by} {
			o, err := table.ParseOrder(strings.Replace(text, "--", "-", 1))
			if err != nil && table.By == "" {
				t.Errorf("order %q: %v", text, err)
			}
			for _, row := range r.ListData(table, o).Rows {
				if len(row.Cells) == 0 {
					t.Error("an entry without cells")
				}
			}
		}
	}
}

func checkRow(t *testing.T, r *expr.Row) {
	t.Helper()
	if r.Err != nil {
		if r.Err.Error() == "" {
			t.Errorf("%s has an error without words", r.Def.Name)
		}
		return
	}
	if !value.SameType(r.Value.Type(), r.Def.Type) {
		t.Errorf("%s is %v, but was declared %v", r.Def.Name, r.Value.Type(), r.Def.Type)
	}
	if r.Value.Kind == value.Number && (math.IsNaN(r.Value.Num.Value) || math.IsInf(r.Value.Num.Value, 0)) {
		t.Errorf("%s = %v", r.Def.Name, r.Value.Num.Value)
	}
	_ = r.Value.String()
}

// checkInput sets an input to what its default reads as: that changes nothing.
func checkInput(t *testing.T, s *Sheet, in *input.Input) {
	t.Helper()
	for _, o := range in.Menu {
		st, err := s.Set(nil, in.Name, o.ID)
		if err != nil && !in.Absent {
			t.Errorf("%s = %q: %v", in.Name, o.ID, err)
		}
		s.Eval(st)
	}
	if in.Default.Kind == value.Number {
		for _, v := range []string{in.Typed(in.Default), "1", "0", "-1", "1e9"} {
			if st, err := s.Set(nil, in.Name, v); err == nil {
				s.Eval(st)
			}
		}
	}
}
