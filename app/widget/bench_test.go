package widget

import (
	"strconv"
	"testing"
)

// What a change of an input costs: evaluating, then what stands in the page at once, then what follows.
func BenchmarkSet(b *testing.B) {
	v := New(compiled(b, "int8-matmul"))
	for i := 0; b.Loop(); i++ {
		v.Set("B", strconv.Itoa(100+i%1000))
	}
}

func BenchmarkValues(b *testing.B) {
	v := New(compiled(b, "int8-matmul"))
	for i := 0; b.Loop(); i++ {
		v.Values()
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

func BenchmarkFingerprints(b *testing.B) {
	v := New(compiled(b, "int8-matmul"))
	var keys []string
	for _, n := range v.Frame() {
		n.Walk(func(k *Node) {
			if k.Part != "" {
				keys = append(keys, k.Part)
			}
		})
	}
	for b.Loop() {
		for _, k := range keys {
			v.Fingerprint(k)
		}
	}
}

func BenchmarkStatic(b *testing.B) {
	s := compiled(b, "int8-matmul")
	for b.Loop() {
		Static(s)
	}
}
