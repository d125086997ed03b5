package widget

import (
	"slices"
	"strconv"
	"strings"
	"testing"
)

// What a change of an input costs: evaluating, then what stands in the page at once, then what follows.
func BenchmarkSet(b *testing.B) {
	v := New(compiled(b, "int8-matmul"))
	for i := 0; b.Loop(); i++ {
		v.Set("B", strconv.Itoa(100+i%1000))
	}
}

func BenchmarkShown(b *testing.B) {
	v := New(compiled(b, "int8-matmul"))
	for i := 0; b.Loop(); i++ {
		for i := range v.Result.Rows {
			v.Shown(v.Result.Rows[i].Def.Name)
		}
	}
}

func BenchmarkPlotData(b *testing.B) {
	s := compiled(b, "int8-matmul")
	for b.Loop() {
		s.PlotData(nil, s.Plots[0])
	}
}

func BenchmarkPlotPart(b *testing.B) {
	v := New(compiled(b, "int8-matmul"))
	for b.Loop() {
		v.rev++
		v.Part("plot:0")
	}
}

func BenchmarkRows(b *testing.B) {
	v := New(compiled(b, "int8-matmul"))
	for b.Loop() {
		for _, row := range v.rows() {
			v.rowNode(row)
		}
	}
}

// What it costs to find the parts that changed, but for drawings: by their fingerprints, or by building all of them.
func BenchmarkFingerprints(b *testing.B) {
	benchmarkParts(b, func(v *View, k string) { v.Fingerprint(k) })
}

func BenchmarkParts(b *testing.B) { benchmarkParts(b, func(v *View, k string) { v.Part(k) }) }

func benchmarkParts(b *testing.B, do func(v *View, key string)) {
	v := New(compiled(b, "int8-matmul"))
	drawn := func(k string) bool { return strings.HasPrefix(k, "plot:") || strings.HasPrefix(k, "table:") }
	keys := slices.DeleteFunc(partsOf(v), drawn)
	for b.Loop() {
		v.rev++
		for _, k := range keys {
			do(v, k)
		}
	}
}

func BenchmarkStatic(b *testing.B) {
	s := compiled(b, "int8-matmul")
	for b.Loop() {
		Static(s)
	}
}
