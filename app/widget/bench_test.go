package widget

import (
	"os"
	"strconv"
	"testing"

	"github.com/scalebook/scalebook/app/library"
	"github.com/scalebook/scalebook/app/sheet"
)

// compiled is a sheet of testdata.
func compiled(t testing.TB, id string) *sheet.Sheet {
	t.Helper()
	src, err := os.ReadFile("testdata/" + id + ".sheet")
	if err != nil {
		t.Fatal(err)
	}
	s, errs := sheet.Compile(string(src), library.New())
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	s.ID = id
	return s
}

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
