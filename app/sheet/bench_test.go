package sheet

import (
	"testing"

	"github.com/scalebook/scalebook/app/sheet/syntax"
)

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
